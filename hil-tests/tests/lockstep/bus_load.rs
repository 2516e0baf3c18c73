//! A bus at 90 % of what it can carry, while the devices do their work: no frame is lost.
//!
//! Frames come in bursts of three or four at the start of each millisecond, back to back: the
//! controller's FIFO has three places. Every other one is a request to the device, the rest is
//! for others and stopped by its filter. Meanwhile the device shuffles, reads or draws, saves, and
//! erases pages. All times are the device's own. Ten seconds of the shuffler in every run;
//! `CROUPIER_RELEASE_SUITE=1` makes it ten minutes over the three devices.

use croupier::protocol::generated::croupier::common::{
    KeyHolder, ProvisionKeyRequest, Result as Outcome, Role,
};
use croupier::time::Millis;
use hil_tests::Bench;
use hil_tests::lockstep::{Lockstep, Traffic, node};
use hil_tests::suite::{Done, sized};

/// A heartbeat is due every second; on a bus so full it may wait for a frame or two.
const HEARTBEAT: Millis = Millis::new(1_100);
/// Pages of one of the store's two banks.
const PAGES: u32 = 8;

/// Gives a role of the bench a new key. The old one may not stay in the flash, so the store moves
/// to its other bank and erases this one, all pages of it.
fn change_key(table: &mut Lockstep, device: &str) -> Done {
    let request = ProvisionKeyRequest {
        holder: KeyHolder::Floorperson,
        key: [0x5A; 32],
        ..Default::default()
    };
    table.hold("service-switch", true)?;
    // It is looked at ten times a second.
    table.run(Millis::new(200))?;
    let (outcome, _) = table.ask(Role::Service, &request)?;
    assert_eq!(outcome, Outcome::Accepted);
    // A generator erases between two draws, too; the others only when nothing moves.
    table.run(Millis::from_secs(if device == "paigow" { 0 } else { 1 }))?;
    table.hold("service-switch", false)
}

/// Works on a loaded bus until `length` has passed, and holds the device to its promises.
fn nothing_is_lost(device: &str, length: Millis) -> Done {
    let mut table = Lockstep::usual(device)?;
    table.set_up(device)?;
    let (begun, before, beats) = (table.now, table.guest.tally()?, table.heartbeats().len());
    table.load_bus(Traffic::new(node(device), 90, 1));
    let mut rounds = 0;
    change_key(&mut table, device)?;
    while table.now < begun + length {
        rounds += 1;
        match device {
            // A part of a shuffle, where a whole one is longer than the test.
            "shuffler" if length < Millis::from_secs(60) => {
                table.start_shuffle()?;
                table.run(length)?;
            }
            _ => table.work(device, rounds)?,
        }
    }
    let after = table.guest.tally()?;
    let (frames, requests) =
        table.traffic().map_or((0, 0), |traffic| (traffic.frames(), traffic.requests()));
    let received = after.frames_received - before.frames_received;
    let erased = after.pages_erased - before.pages_erased;
    println!(
        "{device}: {} ms at 90 %, {rounds} rounds of work, {frames} frames, {requests} for \
         it, {received} received, {} lost; {erased} pages erased, {} words programmed; a byte of the link waits \
         {} us at most",
        table.now.since(begun).get(),
        after.frames_lost,
        after.words_programmed - before.words_programmed,
        after.link_wait_ns / 1000,
    );
    assert!(erased >= PAGES, "{device}: {erased} pages erased");
    assert_eq!(after.bytes_lost, 0, "{device}: bytes of the table link lost");
    assert_eq!(after.frames_lost, 0, "{device}: frames lost to a full FIFO");
    // The last ones may be on their way yet.
    assert!(u64::from(received) + 32 >= requests, "{device}: {received} of {requests} came in");
    assert!(u64::from(received) <= requests, "{device}: frames for others came in");
    let log = table.guest.log().all();
    let lost = log.iter().find(|line| line.message.contains("frames of the table bus lost"));
    assert_eq!(lost.map(ToString::to_string), None, "{device}: lost behind the FIFO");
    assert_eq!(table.guest.watchdog_resets(), 0, "{device} needed help");
    let received = table.heartbeats();
    let gaps = received[beats.saturating_sub(1)..].windows(2).map(|two| two[1].since(two[0]));
    let longest = gaps.max().expect("two heartbeats");
    println!("{device}: longest time between heartbeats {} ms", longest.get());
    assert!(longest <= HEARTBEAT, "{device}: {longest:?} without a heartbeat");
    table.attest()
}

#[test]
fn shuffler_loses_no_frame_at_ninety_percent() -> Done {
    nothing_is_lost("shuffler", Millis::from_secs(sized(10, 240).into()))
}

#[test]
fn reader_loses_no_frame_at_ninety_percent() -> Done {
    nothing_is_lost("reader", Millis::from_secs(sized(2, 180).into()))
}

#[test]
fn paigow_loses_no_frame_at_ninety_percent() -> Done {
    nothing_is_lost("paigow", Millis::from_secs(sized(2, 180).into()))
}
