//! The hub carries all that a 500 kbit/s bus can, and more, without losing a frame.
//!
//! A program of its own: it measures the host, so no other subject may run beside it.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used)] // helpers of a test may do what a test may

#[path = "hub/harness.rs"]
mod harness;

use std::time::Instant;

use harness::{PATIENCE, client, device, numbered};
use hil_tests::hub::{Frame, Pace, Port, Sent};
use hil_tests::wait::Waited;
use hil_tests::{BenchError, Hub};

/// What a 500 kbit/s bus carries of eight-byte frames, no stuff bit counted.
const FULL_BUS: f64 = 4000.0;

/// The same frame as slcan text.
fn text(frame: &Frame) -> String {
    let embedded_can::Id::Extended(id) = frame.id() else { panic!("an extended frame") };
    let data: String = frame.data().iter().map(|byte| format!("{byte:02X}")).collect();
    format!("T{:08X}8{data}\r", id.as_raw())
}

/// Everything `port` gets from three others, each in order.
fn expect_all(port: &Port, own: u32, count: u32) {
    let mut next = [0; 4];
    for _ in 0..3 * count {
        let Waited::Came(frame) = port.receive(PATIENCE) else { panic!("a frame is missing") };
        let sender = (0..4).find(|id| frame.id() == numbered(*id, 0).id()).unwrap();
        assert_eq!(frame, numbered(sender, next[sender as usize]), "from {sender}");
        next[sender as usize] += 1;
    }
    next[own as usize] += count;
    assert_eq!(next, [count; 4]);
}

/// Everything an slcan line gets: its own acknowledges, and what three others sent.
fn expect_text<S: std::io::Read + std::io::Write>(
    line: &mut harness::Text<S>,
    own: u32,
    count: u32,
) {
    let mut next = [0; 4];
    for _ in 0..4 * count {
        let said = line.line();
        if said == "Z\r" {
            next[own as usize] += 1;
            continue;
        }
        let sender: u32 = said[1..9].parse().unwrap();
        assert_eq!(said, text(&numbered(sender, next[sender as usize])));
        next[sender as usize] += 1;
    }
    assert_eq!(next, [count; 4]);
}

/// Four participants send `count` frames each; the frames carried in a second, and the bus.
fn carry(pace: Pace, count: u32) -> Result<(f64, Vec<Sent>, Hub), BenchError> {
    let hub = Hub::open_with(pace, 0)?;
    let mut frames = hub.frames();
    let mut reader = device(&hub, "reader");
    let mut python = client(hub.listen()?);
    let (mut controller, mut observer) = (hub.join("controller"), hub.join("observer"));
    let said = |id| -> String { (0..count).map(|number| text(&numbered(id, number))).collect() };
    let (by_reader, by_python) = (said(0), said(1));

    let begun = Instant::now();
    std::thread::scope(|scope| {
        for (port, id) in [(&mut controller, 2), (&mut observer, 3)] {
            scope.spawn(move || {
                (0..count).for_each(|number| port.send(numbered(id, number)).unwrap());
                expect_all(port, id, count);
            });
        }
        scope.spawn(|| {
            reader.say(&by_reader);
            expect_text(&mut reader, 0, count);
        });
        scope.spawn(|| {
            python.say(&by_python);
            expect_text(&mut python, 1, count);
        });
    });
    Ok((f64::from(4 * count) / begun.elapsed().as_secs_f64(), frames.so_far(), hub))
}

#[test]
fn a_full_bus_of_four_participants_loses_nothing_and_is_full() -> Result<(), BenchError> {
    let (rate, sent, hub) = carry(Pace::Real, 1000)?;
    assert_eq!(sent.len(), 4000);
    assert_eq!(hub.load(hub.now()).shares.len(), 4);
    // In the middle all have offered their frames, so the bus must never rest.
    let middle = hub.recording().load(sent[1000].at, sent[3000].at);
    assert!((99.9..100.1).contains(&middle.total), "{middle:?}");
    println!("500 kbit/s: {rate:.0} frames/s at {:.1} % load", middle.total);
    Ok(())
}

#[test]
fn an_unpaced_hub_carries_more_than_a_full_bus() -> Result<(), BenchError> {
    let (rate, sent, _) = carry(Pace::Free, 10_000)?;
    assert_eq!(sent.len(), 40_000);
    println!("as fast as it can: {rate:.0} frames/s");
    assert!(rate > FULL_BUS, "{rate:.0} frames/s");
    Ok(())
}
