//! The links of a guest: had again after they were dropped, and heard from the first frame on.

mod wire_common;

use std::time::{Duration, Instant};

use hil_tests::hub::frame::extended;
use hil_tests::plan::Plan;
use hil_tests::table_controller::TableController;
use hil_tests::{Bench, Guest, Hub, Setup};
use wire_common::{Done, ON_BUS, ON_LINK, PAIGOW};

#[test]
fn a_link_that_was_dropped_can_be_had_again_from_the_same_start() -> Done {
    let mut guest = Guest::open(&Plan::chosen()?, Setup::new("paigow"))?;
    guest.boot()?;
    for _ in 0..3 {
        let link = guest.link("table")?;
        TableController::on_link(link, "link controller", ON_LINK)?.await_device(PAIGOW)?;
        let hub = Hub::open()?;
        hub.attach("paigow", guest.link("can")?)?;
        TableController::on_bus(&hub, "bus controller", ON_BUS)?.await_device(PAIGOW)?;
    }
    assert_eq!(guest.log().all().iter().filter(|line| line.message.contains("ready")).count(), 1);
    Ok(())
}

// A queue that comes after the first frame left the device deaf for its whole run.
#[test]
fn a_bus_that_is_busy_while_a_device_starts_does_not_make_it_deaf() -> Done {
    let hub = Hub::open()?;
    let frame = extended(0x1FFF_FFFF, &[0xAA; 8]).expect("an identifier of 29 bits");
    hub.babble("neighbour", frame, 0.7);
    let mut guest = Guest::open(&Plan::chosen()?, Setup::new("paigow"))?;
    guest.power_on_held()?;
    hub.attach("paigow", guest.link("can")?)?;
    guest.go()?;
    guest.await_log("ready after")?;
    TableController::on_bus(&hub, "controller", ON_BUS)?.await_device(PAIGOW)
}

#[test]
fn device_time_passes_as_fast_as_asked_and_is_counted_from_the_start() -> Done {
    let mut guest = Guest::open(&Plan::chosen()?, Setup::new("paigow").icount(5))?;
    guest.boot()?;
    let (begun, clock) = (Instant::now(), guest.device_us()?.unwrap_or(0));
    guest.let_pass(Duration::from_secs(5))?;
    assert!(guest.device_us()?.unwrap_or(0) >= clock + 5_000_000);
    println!("five seconds of the device took {} ms", begun.elapsed().as_millis());
    let tally = guest.tally()?;
    assert!(tally.feeds >= 40 && tally.traps > 0, "{tally:?}");
    assert_eq!((tally.frames_lost, tally.bytes_lost), (0, 0));
    Ok(())
}
