//! What the generator publishes names the clause of 588 that bears on it.

use crate::harness::{Ram, Source, Table};
use croupier::paigow::ports::Key;
use croupier::paigow::{DeviceEvent, Fault};
use croupier::profile::Basis;
use croupier::protocol::generated::croupier::common::Trouble;

fn clauses(published: &[DeviceEvent]) -> Vec<(Trouble, String)> {
    let words = |code| Basis::of(code).map_or("none".into(), |basis| basis.to_string());
    let told = published.iter().filter_map(|event| match event {
        DeviceEvent::Irregularity(told) => Some((told.trouble, words(told.clause))),
        _ => None,
    });
    told.collect()
}

/// PG-10, PG-11, PG-16, CM-06: when it is drawn, that it is one number, and what takes its place;
/// the last also at the next start.
#[test]
fn cm_06_a_press_and_a_fault_name_their_clauses() {
    let source = Source::default();
    let mut table = Table::with(Ram::default(), source.clone());
    table.tap(Key::Draw);
    assert_eq!(table.draw(), Some(1));
    table.tap(Key::Draw);
    table.end_round();
    source.0.borrow_mut().fault = Some(Fault::Random(7));
    table.run_for(100);
    let fault = (Trouble::EntropyFault, "Pa. 588.2(d)(1)".to_owned());
    let told = [
        (Trouble::EarlyPress, "Pa. 588.5(b)(1)".to_owned()),
        (Trouble::SecondPress, "Pa. 588.5(i)(2)".to_owned()),
        fault.clone(),
    ];
    assert_eq!(clauses(&table.published), told);
    assert_eq!(clauses(&table.power_cycled().published), [fault]);
}
