//! Rounds of the Pai Gow generator on its image: commands, keys, presses that draw nothing.

use std::time::Duration;

use crate::harness::Table;
use croupier::paigow::ROUND_AT_LEAST;
use croupier::protocol::generated::croupier::common::{Irregularity, Trouble};
use croupier::protocol::generated::croupier::paigow::{BlankReason, Blanked};
use hil_tests::Bench;
use hil_tests::suite::{Done, sized};

/// PG-01, PG-09, PG-10, PG-11, PG-15: a round by sealed commands and one press.
#[test]
fn one_press_draws_one_number_that_is_shown_published_and_recalled() -> Done {
    let table = Table::open()?;
    let mark = table.controller.mark();
    table.tap("draw")?;
    table.controller.await_report("the early press", mark, |received| {
        received
            .report
            .event::<Irregularity>()
            .filter(|received| received.trouble == Trouble::EarlyPress)
    })?;
    let number = table.draw(7)?;
    table.tap("draw")?;
    table.controller.await_report("the second press", mark, |received| {
        received
            .report
            .event::<Irregularity>()
            .filter(|received| received.trouble == Trouble::SecondPress)
    })?;
    table.shows(number)?;
    let entry = table.recall()?.expect("a number was drawn");
    assert_eq!((entry.round, entry.number, entry.in_play), (7, number, true));
    table.end(7)?;
    table.controller.await_report("the display to go dark", mark, |received| {
        received
            .report
            .event::<Blanked>()
            .filter(|received| received.reason == BlankReason::RoundEnded)
    })?;
    assert_eq!(table.bench.watchdog_resets(), 0);
    Ok(())
}

/// PG-10: the dealer's keys alone, at a table without a controller.
#[test]
fn the_dealers_keys_do_without_a_controller() -> Done {
    let table = Table::open()?;
    let mark = table.controller.mark();
    for key in ["shuffled", "bets-closed", "draw"] {
        table.tap(key)?;
    }
    let (_, number) = table.received(mark)?;
    table.tap("round-end")?;
    table.shows(number)?;
    table.bench.let_pass(Duration::from_millis(ROUND_AT_LEAST.get()))?;
    table.tap("round-end")?;
    table.is_dark()
}

/// PG-07: generators that start alike, with nothing in flash, do not draw alike. One draw each, for a
/// round takes thirty seconds (PG-11).
#[test]
fn cold_starts_do_not_repeat_themselves() -> Done {
    let mut numbers = Vec::new();
    for _ in 0..sized(8, 16) {
        numbers.push(Table::open()?.draw(1)?);
    }
    println!("{numbers:?}");
    // Eight of seven numbers are all the same by chance once in 823,543.
    assert!(numbers.iter().any(|number| *number != numbers[0]), "{numbers:?}");
    Ok(())
}
