//! The Pai Gow display with a broken segment: dark, never a wrong digit.
//!
//! A spoilt segment lies to the read-back alone, so what a player would see is worked out
//! from the pins: dark where it is dead, lit where it is stuck.

use std::collections::BTreeSet;

use crate::harness::{Table, look};
use croupier::protocol::generated::croupier::common::{Result as Outcome, Role, Trouble};
use hil_tests::Bench;
use hil_tests::suite::Done;

const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "point"];

/// What is left of a picture when a segment is stuck or dead.
fn spoilt(place: usize, stuck: bool) -> impl Fn(u8) -> u8 {
    move |bits| if stuck { bits | 1 << place } else { bits & !(1 << place) }
}

fn spoil(table: &Table, place: usize, stuck: bool, on: bool) -> Done {
    table.bench.hand().set("spoilt-stuck", stuck)?;
    table.bench.hand().set(&format!("spoil-{}", NAMES[place]), on)
}

/// The press that would draw a number finds each segment that is broken before.
fn a_press_finds_every_segment(stuck: bool) -> Done {
    for (place, name) in NAMES.iter().enumerate() {
        let table = Table::open()?;
        table.arm(1)?;
        let (mark, dark) = (table.controller.mark(), table.bench.pins().mark());
        spoil(&table, place, stuck, true)?;
        table.bench.press("draw")?;
        let found = table.await_fault(Trouble::LampFault, mark)?;
        assert_eq!(usize::from(found), place, "segment {name}");
        table.is_dark()?;
        assert_eq!(table.recall()?, None, "drawn for a display that cannot show it");
        table.bench.release("draw")?;
        table.await_debounced()?;
        assert_eq!(table.shown(dark, spoilt(place, stuck)), BTreeSet::new(), "segment {name}");
        assert_eq!(table.clear(Trouble::LampFault, Role::Service)?, Outcome::OutOfTurn);
    }
    Ok(())
}

/// PG-16, PG-20: each of the seven segments and the point, dead.
#[test]
fn each_dead_segment_gives_a_dark_display_and_asks_for_the_shaker() -> Done {
    a_press_finds_every_segment(false)
}

/// PG-16, PG-20: each of them, stuck.
#[test]
fn each_stuck_segment_gives_a_dark_display_and_asks_for_the_shaker() -> Done {
    a_press_finds_every_segment(true)
}

/// PG-16: a segment that breaks under a number and changes it takes the number down for
/// good; one that does not change it waits for the next draw. Service clears the fault
/// only when the segment is whole again.
#[test]
fn a_segment_that_breaks_under_a_number_darkens_it_for_good() -> Done {
    let breaks = (0..NAMES.len()).flat_map(|place| [(place, false), (place, true)]);
    for (round, (place, stuck)) in (1..).zip(breaks) {
        // A new one each time: a round takes thirty seconds (PG-11), a start less.
        let table = Table::open()?;
        let number = table.draw(round)?;
        let picture = look(number).bits();
        let mark = table.controller.mark();
        spoil(&table, place, stuck, true)?;
        if spoilt(place, stuck)(picture) == picture {
            table.await_debounced()?;
            table.shows(number)?;
            continue;
        }
        let found = table.await_fault(Trouble::LampFault, mark)?;
        assert_eq!(usize::from(found), place, "{}", NAMES[place]);
        table.is_dark()?;
        assert_eq!(table.clear(Trouble::LampFault, Role::Service)?, Outcome::OutOfTurn);
        spoil(&table, place, stuck, false)?;
        assert_eq!(table.clear(Trouble::LampFault, Role::Service)?, Outcome::Accepted);
        table.is_dark()?;
        let entry = table.recall()?.expect("the round had a number");
        assert_eq!((entry.round, entry.number, entry.in_play), (round, number, false));
    }
    Ok(())
}
