//! The table bus: who hears whom, who is acknowledged, and what can be made to go wrong.

use std::time::Duration;

use crate::harness::{PATIENCE, client, connected, device, numbered};
use hil_tests::hub::frame::{extended, standard};
use hil_tests::hub::{Disturbance, Fate, Pace, Way};
use hil_tests::wait::Waited;
use hil_tests::{BenchError, Hub};

/// Long enough that a frame on its way would have come.
const QUIET: Duration = Duration::from_millis(30);

#[test]
fn a_frame_from_one_reaches_all_others_and_its_sender_is_notified() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let mut reader = device(&hub, "reader");
    let mut python = client(hub.listen()?);
    let mut controller = hub.join("controller");
    let mut frames = hub.frames();

    reader.say("T107D552A80000000004786830\r");
    assert_eq!(reader.line(), "Z\r");
    assert_eq!(python.line(), "T107D552A80000000004786830\r");
    let frame = extended(0x107d_552a, &[0, 0, 0, 0, 4, 0x78, 0x68, 0x30]).unwrap();
    assert_eq!(controller.receive(PATIENCE), Waited::Came(frame));
    let sent = frames.find("the heartbeat", PATIENCE, |sent| sent.frame == frame)?;
    assert_eq!((&*sent.sender, sent.fate, sent.bits), ("reader", Fate::Passed, 160));

    python.say("t1230\r");
    assert_eq!(python.line(), "z\r");
    assert_eq!(reader.line(), "t1230\r");
    assert_eq!(controller.receive(PATIENCE), Waited::Came(standard(0x123, &[]).unwrap()));

    controller.send(numbered(7, 1))?;
    assert_eq!(controller.await_sent(PATIENCE), Waited::Came(()));
    assert_eq!(reader.line(), "T0000000780000000100000000\r");
    assert_eq!(python.line(), "T0000000780000000100000000\r");
    Ok(())
}

/// What python-can 4.6 says when it opens with a bit rate, asks who is there, and shuts down.
#[test]
fn python_can_opens_asks_and_closes() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let address = hub.listen()?;
    let mut python = connected(address);
    let mut other = client(address);
    for (said, answer) in [("C\r", "\r"), ("S6\r", "\r"), ("\r", ""), ("O\r", "\r"), ("O\r", "\r")]
    {
        python.say(said);
        if !answer.is_empty() {
            assert_eq!(python.line(), answer, "{said:?}");
        }
    }
    python.say("V\r");
    assert_eq!(python.line(), "V1013\r");
    python.say("N\r");
    assert_eq!(python.line(), "N0000\r");
    python.say("T1FFFFFFF0\r");
    assert_eq!((python.line(), other.line()), ("Z\r".into(), "T1FFFFFFF0\r".into()));
    python.say("C\r");
    assert_eq!(python.line(), "\r");
    python.say("T1FFFFFFF0\r");
    assert_eq!(python.line(), "\x07", "it has left the bus");
    Ok(())
}

#[test]
fn clients_come_and_go_and_what_they_said_last_still_goes_out() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let address = hub.listen()?;
    let controller = hub.join("controller");
    for number in 0..20 {
        let mut python = client(address);
        python.say(&format!("T0000000180000{number:04X}00000000\r"));
        drop(python);
        assert_eq!(controller.receive(PATIENCE), Waited::Came(numbered(1, number)));
    }
    Ok(())
}

#[test]
fn a_device_without_acknowledge_sends_again_and_its_frame_goes_once() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let mut reader = device(&hub, "reader");
    let controller = hub.join("controller");
    hub.bus_off("reader");
    for _ in 0..10 {
        reader.say("T000000011AB\r");
    }
    assert_eq!(controller.receive(QUIET), Waited::RanOut);
    hub.recover("reader");
    assert_eq!(reader.line(), "Z\r");
    assert_eq!(controller.receive(PATIENCE), Waited::Came(extended(1, &[0xab]).unwrap()));
    assert_eq!(controller.receive(QUIET), Waited::RanOut, "ten times said, once sent");
    reader.say("T000000010\r");
    assert_eq!(reader.line(), "Z\r", "and once acknowledged");
    Ok(())
}

#[test]
fn a_device_with_new_power_takes_its_old_place_and_leaves_nothing_behind() -> Result<(), BenchError>
{
    let hub = Hub::open()?;
    let mut controller = hub.join("controller");
    let mut before = device(&hub, "reader");
    hub.bus_off("reader");
    before.say("T000000011AB\r?\r");
    assert_eq!(before.line(), "\x07", "the hub has heard all that was before the question");
    let mut after = device(&hub, "reader");
    assert_eq!(before.line(), "", "its socket is closed");
    hub.recover("reader");
    after.say("T000000011CD\r");
    assert_eq!(controller.receive(PATIENCE), Waited::Came(extended(1, &[0xcd]).unwrap()));
    assert_eq!(after.line(), "Z\r");
    controller.send(numbered(2, 2))?;
    assert_eq!(after.line(), "T0000000280000000200000000\r");
    Ok(())
}

#[test]
fn faults_are_switched_at_run_time_and_the_same_seed_gives_the_same_ones() -> Result<(), BenchError>
{
    let run = |seed| -> Result<Vec<_>, BenchError> {
        let hub = Hub::open_with(Pace::Free, seed)?;
        let (mut controller, observer) = (hub.join("controller"), hub.join("observer"));
        hub.disturb(Way::from("controller"), Disturbance::drop(0.2));
        hub.disturb(Way::to("observer"), Disturbance::corrupt(0.2));
        let mut frames = hub.frames();
        for number in 0..500 {
            controller.send(numbered(1, number))?;
        }
        assert_eq!(controller.await_sent(PATIENCE), Waited::Came(()));
        hub.calm();
        controller.send(numbered(2, 0))?;
        frames.find("the last frame", PATIENCE, |sent| sent.frame == numbered(2, 0))?;
        let all = std::iter::from_fn(|| match observer.receive(PATIENCE) {
            Waited::Came(frame) if frame != numbered(2, 0) => Some(frame),
            _ => None,
        });
        Ok(all.collect())
    };
    let (first, again, other) = (run(3)?, run(3)?, run(4)?);
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert!((350..450).contains(&first.len()), "{} of 500 came at 20 % loss", first.len());
    let whole = |frame: &&_| (0..500).any(|number| **frame == numbered(1, number));
    let bent = first.len() - first.iter().filter(whole).count();
    assert!((40..120).contains(&bent), "{bent} were corrupted at 20 %");
    Ok(())
}

#[test]
fn a_silent_bus_keeps_every_frame_and_delivers_each_once_afterwards() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let mut reader = device(&hub, "reader");
    let controller = hub.join("controller");
    let silence = Duration::from_millis(200);
    let begun = hub.now();
    hub.silence(Way::Everywhere, silence);
    let mut frames = hub.frames();
    for number in 0..3 {
        reader.say(&format!("T0000000180000{number:04X}00000000\r"));
    }
    for number in 0..3 {
        assert_eq!(controller.receive(PATIENCE), Waited::Came(numbered(1, number)));
        assert_eq!(reader.line(), "Z\r");
    }
    assert_eq!(controller.receive(QUIET), Waited::RanOut);
    let first = frames.find("the first frame", PATIENCE, |_| true)?;
    assert!(first.at >= begun + silence, "{:?}", first.at);
    Ok(())
}

#[test]
fn a_babbling_node_starves_lower_priorities_fills_the_bus_and_is_reported_as_load()
-> Result<(), BenchError> {
    let hub = Hub::open()?;
    let mut reader = device(&hub, "reader");
    let mut frames = hub.frames();
    hub.babble("babbler", numbered(2, 0), 1.0);
    let first = frames.find("the babbler", PATIENCE, |sent| &*sent.sender == "babbler")?;
    reader.say("T000000030\r"); // waits
    reader.say("T000000010\r"); // waits behind it
    let later = first.at + Duration::from_millis(320);
    frames.find("the babbler's 1000th frame", PATIENCE, |sent| sent.at >= later)?;
    let load = hub.recording().load(first.at, later);
    assert!((99.9..100.1).contains(&load.total), "{load:?}");
    assert_eq!(load.shares.keys().collect::<Vec<_>>(), ["babbler"], "the reader had no chance");
    hub.hush("babbler");
    let flood = "T0000000280000000000000000\r";
    let lines = std::iter::from_fn(|| Some(reader.line()));
    let acknowledged = lines.filter(|line| line != flood).take(2);
    assert_eq!(acknowledged.collect::<Vec<_>>(), ["Z\r", "Z\r"]);
    Ok(())
}

#[test]
fn an_idle_bus_is_reported_as_idle_and_each_participants_share_as_its_own() -> Result<(), BenchError>
{
    let hub = Hub::open()?;
    hub.babble("heartbeats", numbered(0x107d_552a, 0), 0.01);
    let mut frames = hub.frames();
    let first = frames.find("a heartbeat", PATIENCE, |_| true)?;
    let later = first.at + Duration::from_millis(320);
    frames.find("one after ten more", PATIENCE, |sent| sent.at >= later)?;
    let load = hub.recording().load(first.at, later);
    assert!((load.total - 1.0).abs() < 0.001, "{load:?}");
    assert_eq!(load.shares.len(), 1);
    let observed = hub.observe(Duration::from_millis(100));
    assert!(observed.total > 0.0 && observed.total <= 1.4, "{observed:?}");
    Ok(())
}

#[test]
fn a_frame_that_was_destroyed_is_in_the_transcript_with_its_retransmission()
-> Result<(), BenchError> {
    let hub = Hub::open_with(Pace::Real, 1)?;
    let (mut controller, observer) = (hub.join("controller"), hub.join("observer"));
    hub.disturb(Way::Everywhere, Disturbance::error(0.5));
    for number in 0..50 {
        controller.send(numbered(1, number))?;
        assert_eq!(observer.receive(PATIENCE), Waited::Came(numbered(1, number)));
    }
    assert_eq!(observer.receive(QUIET), Waited::RanOut, "none lost, none twice");
    let transcript = hub.recording().transcript();
    let destroyed = transcript.lines().filter(|line| line.ends_with("  destroyed")).count();
    assert!((20..100).contains(&destroyed), "{destroyed} error frames for 50 frames at 50 %");
    assert_eq!(transcript.matches("controller   00000001   [8]").count(), 50 + destroyed);
    Ok(())
}
