//! What the devices cost the bus: little when idle, six frames for an event.

mod wire_common;

use std::time::Duration;

use croupier::protocol::can::{Address, Tail};
use croupier::protocol::dsdl::Message;
use croupier::protocol::generated::croupier::common::ProfileChanged;
use croupier::protocol::transfer::Port;
use embedded_can::Id;
use hil_tests::Hub;
use hil_tests::hub::Sent;
use hil_tests::table_controller::TableController;
use wire_common::{Done, ON_BUS, READER, SHUFFLER, Seated, await_change, set, sized};

/// The most one device may take of an idle bus, in percent.
const IDLE: f64 = 1.0;

/// Measures the idle bus with these devices on it and a controller that asks nothing.
fn idle(names: &[&'static str]) -> Done {
    let hub = Hub::open()?;
    let seated =
        names.iter().map(|name| Seated::boot(&hub, name)).collect::<Result<Vec<_>, _>>()?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    for (device, node) in [("reader", READER), ("shuffler", SHUFFLER)] {
        if names.contains(&device) {
            controller.await_device(node)?;
        }
    }
    let load = hub.observe(Duration::from_secs(sized(10, 60).into()));
    println!("idle load with {} devices: {:.3} %, {:?}", names.len(), load.total, load.shares);
    for device in &seated {
        let share = load.shares.get(device.name).copied().unwrap_or(0.0);
        assert!(share > 0.1 && share <= IDLE, "{}: {share} %", device.name);
    }
    assert!(load.total <= IDLE, "all together: {load:?}");
    Ok(())
}

// Issue 3: idle bus load at 500 kbit/s at most 1 %.
#[test]
fn one_idle_device_takes_less_than_a_hundredth_of_the_bus() -> Done {
    idle(&["reader"])
}

#[test]
fn three_idle_devices_and_a_controller_take_less_than_a_hundredth_of_the_bus() -> Done {
    idle(&["reader", "shuffler", "paigow"])
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
