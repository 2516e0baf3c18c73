//! The rules of the bus, without threads, sockets or a clock.

use super::super::faults::{Disturbance, HOLD};
use super::super::frame::{extended, standard};
use super::*;

const LONG: Duration = Duration::from_micros(320); // an extended frame of eight bytes
const PAST_ALL: Duration = Duration::from_secs(1000);

fn us(count: u64) -> Duration {
    Duration::from_micros(count)
}

fn frame(id: u32) -> Frame {
    extended(id, &[id as u8; 8]).unwrap()
}

/// A bus with three participants at places 0, 1 and 2.
fn bus() -> Bus {
    let mut bus = Bus::new(BIT, 1);
    for (place, name) in ["reader", "shuffler", "controller"].into_iter().enumerate() {
        assert_eq!(bus.join(name, Kind::Plain), place);
    }
    bus
}

fn happenings(bus: &mut Bus, now: Duration) -> Vec<Happening> {
    let mut all = Vec::new();
    while bus.step(now, &mut |happening| all.push(happening)) {}
    all
}

/// Who was on the bus, in order, with the moment of the last bit.
fn used(happenings: &[Happening]) -> Vec<(String, Duration, Fate)> {
    let sent = happenings.iter().filter_map(|happening| match happening {
        Happening::Recorded(sent) => Some((sent.sender.to_string(), sent.at, sent.fate)),
        _ => None,
    });
    sent.collect()
}

fn received(happenings: &[Happening], place: Place) -> Vec<Frame> {
    let delivered = happenings.iter().filter_map(|happening| match happening {
        Happening::Delivered(to, frame) if *to == place => Some(*frame),
        _ => None,
    });
    delivered.collect()
}

fn acknowledged(happenings: &[Happening], place: Place) -> usize {
    let is_it = |h: &&Happening| matches!(h, Happening::Acknowledged(at, _) if *at == place);
    happenings.iter().filter(is_it).count()
}

#[test]
fn a_frame_takes_its_time_and_reaches_everyone_but_its_sender() {
    let mut bus = bus();
    bus.offer(0, frame(7), us(100));
    assert_eq!(bus.deadline(), Some(us(100)));
    assert_eq!(happenings(&mut bus, us(419)), []);
    assert_eq!(bus.deadline(), Some(us(420)));
    let all = happenings(&mut bus, us(420));
    assert_eq!(used(&all), [("reader".into(), us(420), Fate::Passed)]);
    assert_eq!(acknowledged(&all, 0), 1);
    assert_eq!([0, 1, 2].map(|place| received(&all, place).len()), [0, 1, 1]);
    assert_eq!(bus.deadline(), None);
}

#[test]
fn the_lowest_id_among_those_waiting_goes_first_but_never_interrupts() {
    let mut bus = bus();
    bus.offer(0, frame(9), us(0));
    happenings(&mut bus, us(1)); // it has begun
    bus.offer(1, frame(8), us(2));
    bus.offer(2, frame(3), us(3));
    bus.offer(0, frame(1), us(4));
    let order: Vec<_> =
        used(&happenings(&mut bus, PAST_ALL)).into_iter().map(|(who, at, _)| (who, at)).collect();
    let expected = ["reader", "reader", "controller", "shuffler"].map(str::to_owned);
    let times = [1, 2, 3, 4].map(|count| LONG * count);
    assert_eq!(order, expected.into_iter().zip(times).collect::<Vec<_>>());
}

#[test]
fn a_base_frame_wins_against_an_extended_one_with_the_same_first_bits() {
    let mut bus = bus();
    bus.offer(0, frame(5 << 18), us(0));
    bus.offer(1, standard(5, &[]).unwrap(), us(0));
    assert_eq!(used(&happenings(&mut bus, PAST_ALL))[0].0, "shuffler");
}

#[test]
fn a_host_that_wakes_late_costs_the_bus_no_capacity() {
    let mut bus = bus();
    for _ in 0..1000 {
        bus.offer(0, frame(7), us(0));
    }
    let all = happenings(&mut bus, PAST_ALL);
    assert_eq!(used(&all).last().map(|(_, at, _)| *at), Some(LONG * 1000));
}

#[test]
fn a_destroyed_frame_goes_again_until_it_passes_and_is_acknowledged_once() {
    let mut bus = bus();
    bus.faults.disturb(Way::to("shuffler"), Disturbance::error(1.0));
    bus.offer(0, frame(7), us(0));
    let first = happenings(&mut bus, LONG);
    assert_eq!(used(&first), [("reader".into(), LONG, Fate::Destroyed)]);
    assert_eq!((acknowledged(&first, 0), received(&first, 2).len()), (0, 0), "for all");
    bus.faults.calm();
    let second = happenings(&mut bus, PAST_ALL);
    let after = LONG * 2 + BIT * ERROR_BITS;
    assert_eq!(used(&second), [("reader".into(), after, Fate::Passed)]);
    assert_eq!((acknowledged(&second, 0), received(&second, 2).len()), (1, 1));
}

#[test]
fn a_dropped_frame_is_acknowledged_and_missed_by_those_it_was_dropped_for() {
    let mut bus = bus();
    bus.faults.disturb(Way::from("reader"), Disturbance::drop(1.0));
    bus.faults.disturb(Way::to("controller"), Disturbance::drop(1.0));
    bus.offer(0, frame(7), us(0));
    let lost = happenings(&mut bus, LONG);
    assert_eq!((acknowledged(&lost, 0), used(&lost)[0].2), (1, Fate::Lost));
    assert!(received(&lost, 1).is_empty() && received(&lost, 2).is_empty());
    bus.offer(1, frame(8), LONG);
    let passed = happenings(&mut bus, PAST_ALL);
    assert_eq!((received(&passed, 0).len(), received(&passed, 2).len()), (1, 0));
    let remarks = passed.iter().find_map(|happening| match happening {
        Happening::Recorded(sent) => Some(sent.remarks.clone()),
        _ => None,
    });
    assert_eq!(remarks.unwrap(), "  lost for controller");
}

#[test]
fn a_corrupted_frame_reaches_all_alike_or_only_the_one_it_is_corrupted_for() {
    let mut bus = bus();
    bus.faults.disturb(Way::from("reader"), Disturbance::corrupt(1.0));
    bus.faults.disturb(Way::to("reader"), Disturbance::corrupt(1.0));
    bus.offer(0, frame(7), us(0));
    let bent = happenings(&mut bus, LONG);
    assert_eq!(used(&bent)[0].2, Fate::Corrupted);
    assert_eq!(received(&bent, 1), received(&bent, 2));
    assert_ne!(received(&bent, 1), [frame(7)]);
    bus.offer(1, frame(8), LONG);
    let mixed = happenings(&mut bus, PAST_ALL);
    assert_eq!(received(&mixed, 2), [frame(8)]);
    assert_ne!(received(&mixed, 0), [frame(8)]);
}

#[test]
fn a_doubled_frame_comes_twice_is_acknowledged_once_and_takes_the_bus_twice() {
    let mut bus = bus();
    let odds = Disturbance { duplicate: 1.0, ..Disturbance::default() };
    bus.faults.disturb(Way::Everywhere, odds);
    bus.offer(0, frame(7), us(0));
    let all = happenings(&mut bus, PAST_ALL);
    assert_eq!((used(&all).len(), acknowledged(&all, 0)), (2, 1));
    assert_eq!(received(&all, 1), [frame(7); 2]);
}

#[test]
fn a_reordered_frame_comes_after_the_next_and_a_delayed_one_late() {
    let mut bus = bus();
    let reorder = Disturbance { reorder: 1.0, ..Disturbance::default() };
    bus.faults.disturb(Way::from("reader"), reorder);
    bus.offer(0, frame(1), us(0));
    bus.offer(1, frame(2), us(0));
    let all = happenings(&mut bus, LONG * 2);
    assert_eq!(received(&all, 2), [frame(2), frame(1)]);
    assert_eq!(received(&all, 1), [], "nothing has overtaken it there");
    assert_eq!(received(&happenings(&mut bus, LONG + HOLD), 1), [frame(1)]);

    let delay = Disturbance { delay: us(5000), ..Disturbance::default() };
    bus.faults.disturb(Way::from("reader"), delay);
    let now = us(100_000);
    bus.offer(0, frame(1), now);
    assert_eq!(received(&happenings(&mut bus, now + LONG + us(4999)), 2), []);
    assert_eq!(received(&happenings(&mut bus, now + LONG + us(5000)), 2), [frame(1)]);
}

#[test]
fn who_is_cut_off_neither_sends_nor_receives_and_keeps_its_frames_until_it_recovers() {
    let mut bus = bus();
    for way in [Way::from("reader"), Way::to("reader")] {
        bus.faults.silence(way, Duration::MAX);
    }
    bus.offer(0, frame(1), us(0));
    bus.offer(1, frame(2), us(0));
    let during = happenings(&mut bus, us(10_000));
    assert_eq!(used(&during).len(), 1, "only the shuffler's");
    assert_eq!((acknowledged(&during, 0), received(&during, 0).len()), (0, 0));
    assert_eq!(bus.deadline(), None, "it waits for nothing");
    bus.faults.calm();
    let after = happenings(&mut bus, us(20_000));
    assert_eq!((acknowledged(&after, 0), received(&after, 1)), (1, vec![frame(1)]));
}

#[test]
fn nothing_passes_a_silent_bus_and_everything_afterwards_the_lowest_id_first() {
    let mut bus = bus();
    let end = us(10_000_000);
    bus.faults.silence(Way::Everywhere, end);
    for id in [5, 4, 3] {
        bus.offer(id as usize - 3, frame(id), us(u64::from(id)));
    }
    assert_eq!(happenings(&mut bus, end - us(1)), []);
    assert_eq!(bus.deadline(), Some(end));
    let all = happenings(&mut bus, PAST_ALL);
    let ends = [1, 2, 3].map(|count| end + LONG * count);
    assert_eq!(used(&all).iter().map(|(_, at, _)| *at).collect::<Vec<_>>(), ends);
    assert_eq!(used(&all)[0].0, "reader");
}

#[test]
fn a_babbling_node_takes_the_load_it_is_given_and_yields_to_lower_ids() {
    for (load, count) in [(1.0, 3125), (0.5, 1562), (0.1, 312)] {
        let mut bus = bus();
        bus.babble("babbler", frame(5), load, us(0));
        let second = happenings(&mut bus, us(1_000_000));
        assert!(used(&second).len().abs_diff(count) <= 1, "{load}: {}", used(&second).len());
    }
    let mut bus = bus();
    bus.babble("babbler", frame(5), 1.0, us(0));
    bus.offer(0, frame(4), us(0));
    bus.offer(1, frame(6), us(0));
    let second = happenings(&mut bus, us(1_000_000));
    assert_eq!(
        (acknowledged(&second, 0), acknowledged(&second, 1)),
        (1, 0),
        "it starves higher ids"
    );
    let place = bus.place("babbler").unwrap();
    bus.leave(place, true);
    assert_eq!(acknowledged(&happenings(&mut bus, us(2_000_000)), 1), 1, "until it is hushed");
}

#[test]
fn a_place_is_given_away_only_when_nothing_is_left_to_send() {
    let mut bus = bus();
    bus.offer(1, frame(2), us(0));
    bus.leave(1, false);
    assert_eq!(bus.join("client-1", Kind::Plain), 3);
    assert_eq!(received(&happenings(&mut bus, LONG), 0), [frame(2)], "said before it left");
    assert_eq!(bus.join("client-2", Kind::Plain), 1);
    bus.offer(1, frame(2), LONG);
    bus.leave(1, true);
    assert_eq!(happenings(&mut bus, PAST_ALL), [], "its power was cut");
}
