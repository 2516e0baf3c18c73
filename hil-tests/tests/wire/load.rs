//! What the devices cost the bus: little when idle, six frames for an event.

use crate::harness::{Seated, await_change};
use croupier::protocol::codec::Message;
use croupier::protocol::framing::can::{Address, Tail};
use croupier::protocol::generated::croupier::common::ProfileChanged;
use croupier::protocol::transfer::Port;
use croupier::time::Millis;
use embedded_can::Id;
use hil_tests::hub::Sent;
use hil_tests::hub::frame::bits;
use hil_tests::lockstep::Lockstep;
use hil_tests::suite::{Done, ON_BUS, SHUFFLER, set, sized};
use hil_tests::table_controller::TableController;
use hil_tests::{BenchError, Hub};

/// The most all devices may take of an idle bus, in percent.
const IDLE: f64 = 1.0;
/// What the bus carries in a millisecond, in bits.
const BITS: f64 = 500.0;

/// What a device takes of the bus when nothing is asked of it, in percent: in step, since a share
/// is of its own time.
fn idle(device: &str) -> Result<f64, BenchError> {
    let mut table = Lockstep::usual(device)?;
    table.until_known()?;
    let (begun, length) = (table.frames.len(), Millis::from_secs(sized(5, 60).into()));
    table.run(length)?;
    let sent = table.frames[begun..].iter().map(|(_, frame)| bits(frame)).sum::<u32>();
    Ok(100.0 * f64::from(sent) / (BITS * length.get() as f64))
}

// Issue 3: idle bus load at 500 kbit/s at most 1 %.
#[test]
fn all_idle_devices_together_take_less_than_a_hundredth_of_the_bus() -> Done {
    let mut all = 0.0;
    for device in ["reader", "shuffler", "paigow"] {
        let share = idle(device)?;
        println!("idle {device}: {share:.3} % of the bus");
        assert!(share > 0.1, "{device} is silent: {share} %");
        all += share;
    }
    println!("all together: {all:.3} %");
    assert!(all <= IDLE, "all together: {all} %");
    Ok(())
}

/// The transfer-ID of a frame of a `ProfileChanged`.
fn of_a_change(sent: &Sent) -> Option<u8> {
    let Id::Extended(id) = sent.frame.id() else { return None };
    let (tail, _) = Tail::split(sent.frame.data())?;
    let port = Address::decode(id)?.port;
    (port == Port::Message(ProfileChanged::SUBJECT)).then_some(tail.transfer_id)
}

// Issue 3: a sealed event in at most six classic frames, counted on the bus.
#[test]
fn a_sealed_event_is_at_most_six_frames() -> Done {
    let hub = Hub::open()?;
    let _shuffler = Seated::boot(&hub, "shuffler")?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    controller.await_device(SHUFFLER)?;
    let mut frames = hub.frames();
    for decks in 1..=8 {
        set(&controller, SHUFFLER, decks)?;
        await_change(&controller, SHUFFLER, decks, 0)?;
    }
    let frames: Vec<u8> = frames.so_far().iter().filter_map(of_a_change).collect();
    let counts: Vec<usize> = frames.chunk_by(|one, next| one == next).map(<[u8]>::len).collect();
    println!("frames of each event: {counts:?}");
    assert_eq!(counts.len(), 8);
    assert!(counts.iter().all(|count| *count <= 6), "{counts:?}");
    Ok(())
}
