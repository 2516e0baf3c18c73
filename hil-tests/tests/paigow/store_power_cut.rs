//! Fifty power cuts in the middle of writing, on one device: what was stored stays stored.
//!
//! The flashed image of the Pai Gow generator saves each round. The monitor cuts the power at a
//! chosen step of its flash, which leaves torn words and half-erased pages behind; they stay in
//! the store's file for the starts that follow.

use std::time::Duration;

use crate::harness::Table;
use croupier::protocol::generated::croupier::common::Condition;
use hil_tests::suite::{Done, sized};
use hil_tests::table_controller::Report;
use hil_tests::wait::Waited;
use hil_tests::{Bench, BenchError};

/// A cut comes within milliseconds of what is stored; or that took fewer steps.
const NO_CUT: Duration = Duration::from_secs(2);

/// What the store holds of the last round: its number on the table and the one that was drawn.
fn kept(table: &Table) -> Result<Option<(u16, u8)>, BenchError> {
    Ok(table.recall()?.map(|entry| (entry.round, entry.number)))
}

/// Works as if nothing had been: no fault that only service could clear.
fn is_well(table: &Table, cut: u16) -> Done {
    table.controller.await_report(&format!("its status after cut {cut}"), 0, |received| {
        match received.report {
            Report::Status(status) => (status.condition == Condition::InService).then_some(()),
            _ => None,
        }
    })
}

// CM-08: what is kept survives a power cut at any moment, and so does the store itself.
#[test]
fn rounds_survive_fifty_power_cuts_on_one_store() -> Done {
    // A round that lasted thirty seconds before the next: few in every run.
    let cuts: u16 = sized(4, 50) as u16;
    let mut table = Table::open()?;
    let (mut last, mut fell_in_writing) = (None, 0);
    for cut in 1..=cuts {
        table.arm(cut)?;
        let mark = table.controller.mark();
        // A different step each time, so that the cuts fall everywhere.
        table.bench.command_monitor(&format!("cut {}", 1 + u32::from(cut) * 7 % 13))?;
        table.bench.press("draw")?;
        let was_cut = table.bench.log().next("the guest has ended", NO_CUT) != Waited::RanOut;
        fell_in_writing += u32::from(was_cut);
        let received = table.controller.reports_since(mark);
        let received = received.iter().find_map(|received| {
            received.report.event::<croupier::protocol::generated::croupier::paigow::Number>()
        });
        table.bench.cut_power()?;
        table.bench.release("draw")?;
        table.cut_power_and_boot()?;
        is_well(&table, cut)?;
        let found = kept(&table)?;
        let is_new = found.is_some_and(|(round, _)| round == cut);
        assert!(is_new || found == last, "cut {cut}: {last:?} was kept, {found:?} was found");
        if let Some(received) = received {
            assert_eq!(
                found,
                Some((received.round, received.number)),
                "cut {cut}: told, and not kept"
            );
        }
        if is_new {
            table.end(cut)?;
        }
        last = found;
    }
    assert!(fell_in_writing * 3 > u32::from(cuts), "only {fell_in_writing} cuts fell in writing");
    Ok(())
}
