//! Whatever a well-sealed request says, and whatever a device is doing, it answers and lives.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod devices;

use croupier::identity::DeviceKind;
use croupier::protocol::generated::croupier::common::Result as Outcome;
use devices::Chance;

/// Requests to one device before the next begins, with another game and in another state.
const IN_ONE_LIFE: u32 = 500;

struct Dice(u64);

impl Chance for Dice {
    fn byte(&mut self) -> u8 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 56) as u8
    }
}

/// 20,000 requests to each device; ten million with `CROUPIER_RELEASE_SUITE=1`.
fn requests() -> u32 {
    let whole = std::env::var_os("CROUPIER_RELEASE_SUITE").is_some_and(|on| on == "1");
    if whole { 10_000_000 } else { 20_000 }
}

/// Serves them all; how many were accepted, and how many answers there were in all.
fn serve(kind: DeviceKind) -> (u32, u32) {
    let (mut accepted, mut answers) = (0, 0);
    for life in 0..requests() / IN_ONE_LIFE {
        let mut dice = Dice(u64::from(life) << 8 | kind as u64);
        let mut device = devices::any(kind, &mut dice);
        for _ in 0..IN_ONE_LIFE {
            device.stir(&mut dice);
            for result in device.ask(&mut dice) {
                answers += 1;
                accepted += u32::from(result == Outcome::Accepted.code());
            }
        }
    }
    (accepted, answers)
}

/// CM-09, CM-12: no number in a message stops a device.
#[test]
fn cm_12_the_reader_serves_any_well_sealed_request() {
    let (accepted, answers) = serve(DeviceKind::Reader);
    println!("{accepted} of {answers} accepted");
    assert!(accepted > requests() / 10 && answers - accepted > requests() / 10);
}

/// CM-09, CM-12.
#[test]
fn cm_12_the_shuffler_serves_any_well_sealed_request() {
    let (accepted, answers) = serve(DeviceKind::Shuffler);
    println!("{accepted} of {answers} accepted");
    assert!(accepted > requests() / 10 && answers - accepted > requests() / 10);
}

/// CM-09, CM-12.
#[test]
fn cm_12_the_generator_serves_any_well_sealed_request() {
    let (accepted, answers) = serve(DeviceKind::PaiGow);
    println!("{accepted} of {answers} accepted");
    assert!(accepted > requests() / 10 && answers - accepted > requests() / 10);
}
