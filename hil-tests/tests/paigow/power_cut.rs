//! Power cuts between the press and the number: the same number after, or none yet.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::harness::{SEGMENTS, Table, look};
use croupier::protocol::generated::croupier::common::{Condition, Result as Outcome};
use croupier::protocol::generated::croupier::paigow::{Number, Signal};
use hil_tests::suite::{Done, sized};
use hil_tests::table_controller::Report;
use hil_tests::wait::Waited;
use hil_tests::{Bench, BenchError};

/// A cut comes within milliseconds of the press; or it does not come at all.
const NO_CUT: Duration = Duration::from_secs(2);

/// After a cut in `round`: works, and has the number that was seen before, or has none
/// and none was seen. Whether there was one.
fn has_the_number_or_none(
    table: &Table,
    round: u16,
    seen: &BTreeSet<u8>,
) -> Result<bool, BenchError> {
    table.controller.await_report("its status", 0, |received| match received.report {
        Report::Status(status) => (status.condition == Condition::InService).then_some(()),
        _ => None,
    })?;
    let Some(entry) = table.recall()?.filter(|entry| entry.round == round) else {
        assert_eq!(*seen, BTreeSet::new(), "seen, and yet not kept");
        table.is_dark()?;
        return Ok(false);
    };
    assert!(entry.in_play);
    // Segments light one after the other: a cut may find the first of them alone.
    let whole = look(entry.number).bits();
    assert!(seen.iter().all(|number| look(*number).bits() & !whole == 0), "another number");
    assert_eq!(table.received(0)?, (round, entry.number));
    table.shows(entry.number)?;
    assert_eq!(table.signal(round, Signal::ShuffleComplete)?.0, Outcome::OutOfTurn);
    Ok(true)
}

/// PG-17: cut at each step that the store makes between the press and the display. The
/// last ones are past the number's record, so that both ends are seen.
#[test]
fn a_cut_at_any_step_of_the_store_gives_the_same_number_or_none_was_seen() -> Done {
    let (mut kept, mut lost) = (0, 0);
    for cut in (1..).step_by(sized(4, 1) as usize) {
        let mut table = Table::open()?;
        table.arm(1)?;
        let dark = table.bench.pins().mark();
        table.bench.command_monitor(&format!("cut {cut}"))?;
        table.bench.press("draw")?;
        let ended = table.bench.log().next("the guest has ended", NO_CUT);
        let was_cut = matches!(ended, Waited::Came(_));
        if !was_cut {
            table.shows(table.received(0)?.1)?;
        }
        table.bench.cut_power()?;
        table.bench.release("draw")?;
        let seen = table.shown(dark, |bits| bits);
        table.cut_power_and_boot()?;
        match has_the_number_or_none(&table, 1, &seen)? {
            true => kept += 1,
            false => lost += 1,
        }
        if !was_cut {
            assert!(kept > 0 && lost > 0, "{kept} kept, {lost} without a number");
            return Ok(());
        }
    }
    unreachable!("there are not that many steps")
}

/// PG-17: the machine killed at moments all the way from the first light of the press to
/// the number: each segment is tried twice, before the draw and before the display.
#[test]
fn a_cut_between_select_and_display_gives_the_same_number_or_none_was_seen() -> Done {
    let tries =
        (0..2).flat_map(|_| SEGMENTS).flat_map(|segment| [(segment, true), (segment, false)]);
    let tries: Vec<_> = tries.collect();
    let moments = (0..=tries.len()).step_by(sized(4, 1) as usize);
    for (round, moment) in (1..).zip(moments) {
        // A new one each time: a round takes thirty seconds (PG-11), a start less.
        let mut table = Table::open()?;
        table.arm(round)?;
        let (mark, dark) = (table.controller.mark(), table.bench.pins().mark());
        table.bench.press("draw")?;
        let mut at = dark;
        for (segment, on) in &tries[..moment] {
            at = table.bench.await_edge(segment, *on, at)?.1;
        }
        if moment == tries.len() {
            table.received(mark)?;
        }
        let received = table.controller.reports_since(mark);
        let received = received.iter().filter_map(|received| received.report.event::<Number>());
        let received: BTreeSet<u8> = received.map(|number| number.number).collect();
        table.bench.cut_power()?;
        table.bench.release("draw")?;
        let mut seen = table.shown(dark, |bits| bits);
        seen.extend(&received);
        table.cut_power_and_boot()?;
        has_the_number_or_none(&table, round, &seen)?;
        let entry = table.recall()?.filter(|entry| entry.round == round);
        assert!(
            received.iter().all(|received| entry.is_some_and(|entry| entry.number == *received))
        );
    }
    Ok(())
}
