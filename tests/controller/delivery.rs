//! Every event reaches the controller's user exactly once and in order.

use crate::table::{Faults, Received, Table};
use croupier::identity::DeviceKind;
use croupier::time::Millis;

const BAD_LINK: Faults = Faults { drop: 200, repeat: 200, delay: Millis::new(40) };

fn in_order(start: u8, to: u32) -> Vec<(u8, u32)> {
    (0..to).map(|number| (start, number)).collect()
}

/// CM-08: events in order, none missing, over a link in good health.
#[test]
fn a_device_is_found_identified_and_received_from_its_first_event_on() {
    let mut table = Table::new(1);
    for round in 0..20 {
        table.publish(round);
        table.run_for(200);
    }
    assert_eq!(table.received[0], Received::Found);
    assert_eq!(table.count(&Received::Identified(Some(DeviceKind::Reader))), 1);
    // Number 0 is the device's own word that it started.
    assert_eq!(table.events(), in_order(1, 21));
    assert_eq!(table.bank.refusals().total(), 0);
    assert_eq!(table.reader.guard().refusals().total(), 0);
}

/// CM-08: exactly once, whatever the link loses, repeats and delays.
#[test]
fn every_event_arrives_exactly_once_and_in_order_over_a_bad_link() {
    for seed in 0..40 {
        let mut table = Table::new(seed);
        table.run_for(2_000);
        table.faults = BAD_LINK;
        for round in 0..100 {
            table.publish(round);
            table.run_for(60);
        }
        table.run_for(15_000); // its last alarm is out by then
        // The reader may have published repeated requests besides.
        let published = table.reader.events().next();
        assert!(published > 100);
        assert_eq!(table.events(), in_order(1, published), "seed {seed}");
        assert!(!table.received.iter().any(|received| matches!(received, Received::Lost { .. })));
    }
}

/// CM-08: a controller that is away for ten seconds misses nothing.
#[test]
fn ten_seconds_of_silence_lose_no_event_and_are_noticed() {
    for seed in 0..20 {
        let mut table = Table::new(seed);
        table.faults = Faults { drop: 50, ..BAD_LINK };
        table.publish(0);
        table.run_for(3_000);
        table.cut = true;
        for round in 1..40 {
            table.publish(round);
            table.run_for(250);
        }
        table.run_for(250);
        assert_eq!(table.received.last(), Some(&Received::Silent), "seed {seed}");
        table.cut = false;
        table.run_for(4_000);
        assert_eq!((table.count(&Received::Silent), table.count(&Received::Back)), (1, 1));
        assert_eq!(table.events(), in_order(1, table.reader.events().next()), "seed {seed}");
        assert!(table.events().len() > 40);
    }
}

/// A link that took events and lost them all: the last is missed too, and fetched.
#[test]
fn events_swallowed_by_the_link_are_fetched_again() {
    let mut table = Table::new(5);
    table.run_for(3_000);
    table.faults.drop = 1_000;
    for round in 0..10 {
        table.publish(round);
        table.run_for(20);
    }
    table.faults.drop = 0;
    table.run_for(3_000);
    assert_eq!(table.events(), in_order(1, 11));
}

/// More events in a silence than the device keeps: what is gone is said to be, the rest arrives.
#[test]
fn events_that_are_gone_are_reported_as_lost() {
    let mut table = Table::new(6);
    table.run_for(3_000);
    assert_eq!(table.events(), in_order(1, 1));
    table.cut = true;
    for round in 0..100 {
        table.publish(round);
        table.run_for(10);
    }
    table.cut = false;
    table.run_for(5_000);
    let lost = table.received.iter().filter_map(|received| match received {
        Received::Lost { start: 1, first, last } => Some(*first..=*last),
        _ => None,
    });
    assert_eq!(lost.flatten().collect::<Vec<_>>(), (1..37).collect::<Vec<_>>());
    let expected: Vec<_> = [0].into_iter().chain(37..101).map(|number| (1, number)).collect();
    assert_eq!(table.events(), expected);
}

/// CM-04, CM-08: a restart is noticed, in its place between the events.
#[test]
fn a_restart_is_noticed_once_and_events_go_on() {
    for seed in 0..20 {
        let mut table = Table::new(seed);
        table.faults = Faults { drop: 100, ..BAD_LINK };
        let mut expected = Vec::new();
        for start in 1..=4_u8 {
            for round in 0..10 {
                table.publish(round);
                table.run_for(100);
            }
            table.run_for(4_000);
            assert_eq!(table.count(&Received::Restarted), usize::from(start) - 1, "seed {seed}");
            expected.extend(in_order(start, table.reader.events().next()));
            table.restart_reader();
        }
        assert_eq!(table.events(), expected, "seed {seed}");
    }
}

/// A device that dies with events untold: they are named as lost, and nothing is invented.
#[test]
fn events_that_died_with_the_device_are_reported_as_lost() {
    let mut table = Table::new(9);
    table.run_for(3_000);
    table.faults.drop = 1_000;
    for round in 0..5 {
        table.publish(round);
        table.run_for(20);
    }
    // One last event arrives alone, so the gap before it is known.
    table.faults.drop = 0;
    table.publish(5);
    table.run_for(10);
    table.restart_reader();
    table.run_for(3_000);
    let lost = table.received.iter().position(|received| matches!(received, Received::Lost { .. }));
    let restarted = table.received.iter().position(|received| *received == Received::Restarted);
    assert!(lost.is_some() && lost < restarted, "{:?}", table.received);
    assert_eq!(table.events(), [(1, 0), (1, 6), (2, 0)]);
}

/// A controller that is switched on late, or replaced, gets all that the device still keeps.
#[test]
fn a_new_controller_gets_what_happened_before_it_came() {
    let mut table = Table::new(10);
    table.cut = true;
    for round in 0..30 {
        table.publish(round);
        table.run_for(10);
    }
    table.cut = false;
    table.run_for(5_000);
    assert_eq!(table.events(), in_order(1, 31));
}
