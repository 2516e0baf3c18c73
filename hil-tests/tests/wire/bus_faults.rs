//! Whatever the bus does, a device works, keeps its events and delivers each once.
//!
//! Issue 3: a bus at 100 % load of foreign traffic, a babbling node, bus-off and a silence of
//! 10 s. Meanwhile a floorperson changes the game over the serial link again and again;
//! afterwards the controller on the bus has every change, once and in order.

use std::time::Duration;

use crate::harness::{Seated, await_change, changes};
use hil_tests::hub::{Way, frame};
use hil_tests::suite::{Done, ON_BUS, SHUFFLER, set, sized};
use hil_tests::table_controller::{Report, TableController};
use hil_tests::{BenchError, Hub};

/// Changes of the game before, during and after a fault.
const BEFORE: u8 = 2;
const DURING: u8 = 6;
const AFTER: u8 = 8;

struct Table {
    hub: Hub,
    shuffler: Seated,
    on_bus: TableController,
    on_link: TableController,
}

impl Table {
    fn open() -> Result<Self, BenchError> {
        let hub = Hub::open()?;
        let (shuffler, on_link) = Seated::boot_linked(&hub, "shuffler")?;
        let on_bus = TableController::on_bus(&hub, "controller", ON_BUS)?;
        on_bus.await_device(SHUFFLER)?;
        on_link.await_device(SHUFFLER)?;
        let table = Self { hub, shuffler, on_bus, on_link };
        table.change(1..=BEFORE)?;
        await_change(&table.on_bus, SHUFFLER, BEFORE, 0)?;
        Ok(table)
    }

    /// Changes the game over the serial link; the device's events tell of each change.
    fn change(&self, mut decks: std::ops::RangeInclusive<u8>) -> Done {
        decks.try_for_each(|decks| set(&self.on_link, SHUFFLER, decks))
    }

    /// What a device does while the bus is bad: all it does on a good one.
    fn work(&self) -> Done {
        self.change(BEFORE + 1..=DURING - 1)?;
        self.shuffler.works()?;
        self.change(DURING..=DURING)?;
        await_change(&self.on_link, SHUFFLER, DURING, 0)?;
        Ok(())
    }

    /// With the bus good again: every change, once, in order, on both links.
    fn all_were_delivered(&self) -> Done {
        self.change(DURING + 1..=AFTER)?;
        let all: Vec<u8> = (1..=AFTER).collect();
        for receiver in [&self.on_link, &self.on_bus] {
            await_change(receiver, SHUFFLER, AFTER, 0)?;
            let received = receiver.reports_since(0);
            assert_eq!(changes(&received, SHUFFLER), all);
            let numbers: Vec<u32> = received
                .iter()
                .filter_map(|received| match received.report {
                    Report::Event(_, stamp, _) => Some(stamp.number),
                    _ => None,
                })
                .collect();
            let in_order: Vec<u32> = (0..numbers.len() as u32).collect();
            assert_eq!(numbers, in_order, "each event once, none left out");
            let bad = |received: &&_| matches!(received, Report::Lost(..) | Report::Restarted);
            assert_eq!(received.iter().map(|received| &received.report).find(bad), None);
        }
        self.shuffler.works()
    }

    fn received_since(&self, mark: usize) -> usize {
        changes(&self.on_bus.reports_since(mark), SHUFFLER).len()
    }
}

fn seconds(little: u32, much: u32) -> Duration {
    Duration::from_secs(sized(little, much).into())
}

// The id of the lowest priority: a device has its turns, but its line is full of frames.
#[test]
fn a_bus_full_of_foreign_traffic_loses_no_event() -> Done {
    let table = Table::open()?;
    let (begun, mark) = (table.hub.now(), table.on_bus.mark());
    table.hub.babble("stranger", frame::extended(0x1fff_ffff, &[0x55; 8]).expect("a frame"), 1.0);
    table.work()?;
    table.hub.observe(seconds(3, 60));
    let load = table.hub.recording().load(begun, table.hub.now());
    let meanwhile = table.received_since(mark);
    println!("foreign traffic: {load:?}; {meanwhile} changes were heard meanwhile");
    assert!(load.shares["stranger"] > 90.0 && load.total > 95.0, "{load:?}");
    table.hub.hush("stranger");
    table.all_were_delivered()
}

#[test]
fn a_babbling_node_of_the_highest_priority_loses_no_event() -> Done {
    let table = Table::open()?;
    let mark = table.on_bus.mark();
    table.hub.babble("babbler", frame::extended(0, &[0; 8]).expect("a frame"), 1.0);
    table.work()?;
    table.hub.observe(seconds(4, 60));
    assert_eq!(table.received_since(mark), 0, "nobody else had a turn");
    table.hub.hush("babbler");
    table.all_were_delivered()
}

#[test]
fn a_device_that_is_bus_off_works_on_and_publishes_all_when_it_recovers() -> Done {
    let table = Table::open()?;
    let mark = table.on_bus.mark();
    table.hub.bus_off("shuffler");
    table.work()?;
    table.on_bus.await_report("the shuffler to be silent", mark, |received| {
        (received.report == Report::Silent).then_some(())
    })?;
    assert_eq!(table.received_since(mark), 0);
    table.hub.recover("shuffler");
    table.on_bus.await_report("the shuffler to be back", mark, |received| {
        (received.report == Report::Back).then_some(())
    })?;
    table.all_were_delivered()
}

#[test]
fn ten_seconds_of_silence_lose_no_event() -> Done {
    let table = Table::open()?;
    let mark = table.on_bus.mark();
    let silence = seconds(10, 120);
    table.hub.silence(Way::Everywhere, silence);
    table.work()?;
    assert_eq!(table.received_since(mark), 0);
    table.hub.observe(silence);
    table.on_bus.await_report("the shuffler to be back", mark, |received| {
        (received.report == Report::Back).then_some(())
    })?;
    table.all_were_delivered()
}
