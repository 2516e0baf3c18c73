//! The links of a guest: had again after they were dropped, and heard from the first frame on.

use std::time::{Duration, Instant};

use croupier::time::Millis;
use hil_tests::lockstep::{Lockstep, Traffic, node};
use hil_tests::plan::Plan;
use hil_tests::suite::{Done, ON_BUS, ON_LINK, PAIGOW};
use hil_tests::table_controller::TableController;
use hil_tests::{Bench, BenchError, Guest, Hub, Setup};

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

// A receive queue that was made only after the first frame left the device deaf for its whole run.
// In step: a host that is too slow for a busy bus would look like a deaf device.
#[test]
fn a_bus_that_is_busy_while_a_device_starts_does_not_make_it_deaf() -> Done {
    let mut table = Lockstep::usual("paigow")?;
    table.load_bus(Traffic::new(node("paigow"), 70, 1));
    table.until_known()?;
    let counted = |table: &Lockstep| -> Result<(u64, u64), BenchError> {
        let requests = table.traffic().map_or(0, Traffic::requests);
        Ok((requests, u64::from(table.guest.tally()?.frames_received)))
    };
    let (before, beats) = (counted(&table)?, table.heartbeats().len());
    table.run(Millis::from_secs(3))?;
    let after = counted(&table)?;
    let (sent, received) = (after.0 - before.0, after.1 - before.1);
    println!("{sent} frames for it in three seconds, {received} received");
    assert!(sent > 3_000 && received + 32 >= sent, "{received} of {sent} frames received");
    assert_eq!(table.guest.tally()?.frames_lost, 0);
    let after = table.heartbeats();
    assert!(after.len() >= beats + 3, "{after:?}");
    table.attest()
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
