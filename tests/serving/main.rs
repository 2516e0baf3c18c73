//! Whatever a well-sealed request says, and whatever a device is doing, it answers and lives.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod devices;

use std::collections::BTreeMap;
use std::time::Instant;

use croupier::identity::DeviceKind;
use croupier::node::{SERVICES, service};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    InspectionRequest, JournalReadRequest, Result as Outcome,
};
use croupier::protocol::generated::croupier::paigow::ShuffledRequest;
use croupier::protocol::generated::croupier::shuffler::CountGetRequest;
use croupier::protocol::transfer::ServiceId;
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

/// 100,000 requests to each device; in `CROUPIER_SERVING` as many; ten million with `CROUPIER_RELEASE_SUITE=1`.
fn requests() -> u32 {
    let whole = std::env::var_os("CROUPIER_RELEASE_SUITE").is_some_and(|on| on == "1");
    let asked = std::env::var("CROUPIER_SERVING").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(if whole { 10_000_000 } else { 100_000 })
}

/// Services that no request can be accepted by here: the journal is not kept, only the reader has a check,
/// a count takes a whole mechanism, as in `tests/shuffler`, and a certificate the shuffler's own seal, as in
/// `tests/paigow`.
fn never(kind: DeviceKind) -> Vec<ServiceId> {
    let journal = JournalReadRequest::SERVICE;
    match kind {
        DeviceKind::Reader => vec![journal],
        DeviceKind::Shuffler => vec![InspectionRequest::SERVICE, journal, CountGetRequest::SERVICE],
        DeviceKind::PaiGow => vec![InspectionRequest::SERVICE, journal, ShuffledRequest::SERVICE],
    }
}

/// Serves them all. Each service was accepted, and much was refused.
fn serve(kind: DeviceKind) {
    let began = Instant::now();
    let mut accepted: BTreeMap<u16, u32> = BTreeMap::new();
    let mut answers = 0;
    for life in 0..requests() / IN_ONE_LIFE {
        let mut dice = Dice(u64::from(life) << 8 | kind as u64);
        let mut device = devices::any(kind, &mut dice);
        for _ in 0..IN_ONE_LIFE {
            device.stir(&mut dice);
            for (id, result) in device.ask(&mut dice) {
                answers += 1;
                if result == Outcome::Accepted.code() {
                    *accepted.entry(id).or_default() += 1;
                }
            }
        }
    }
    let (all, seconds) = (accepted.values().sum::<u32>(), began.elapsed().as_secs_f64());
    let rate = f64::from(requests()) / seconds;
    println!("{kind:?}: {} requests, {rate:.0} a second, {all} of {answers} accepted", requests());
    println!("{accepted:?}");
    let ours = SERVICES.iter().filter(|asked| service(kind, asked.id).is_some());
    let missed = ours.filter(|asked| !accepted.contains_key(&asked.id.get())).map(|asked| asked.id);
    assert_eq!(missed.collect::<Vec<_>>(), never(kind), "never accepted");
    assert!(all > requests() / 20 && answers - all > requests() / 20);
}

/// CM-09, CM-12: no number in a message stops a device.
#[test]
fn cm_12_the_reader_serves_any_well_sealed_request() {
    serve(DeviceKind::Reader);
}

/// CM-09, CM-12.
#[test]
fn cm_12_the_shuffler_serves_any_well_sealed_request() {
    serve(DeviceKind::Shuffler);
}

/// CM-09, CM-12.
#[test]
fn cm_12_the_generator_serves_any_well_sealed_request() {
    serve(DeviceKind::PaiGow);
}

/// CM-12: the fuzz target is this one call, so that it is built and run with every test.
#[test]
fn cm_12_a_device_lives_through_any_bytes() {
    let mut dice = Dice(7);
    for length in 0..2_000 {
        let bytes: Vec<u8> = (0..length).map(|_| dice.byte()).collect();
        devices::play(&bytes);
    }
}
