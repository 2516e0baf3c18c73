//! The Pai Gow generator with a source that fails: dark, and the shaker decides.

use crate::harness::Table;
use croupier::protocol::generated::croupier::common::{Result as Outcome, Role, Trouble};
use hil_tests::noise::{Failure, SOON, Tape};
use hil_tests::suite::Done;
use hil_tests::{Bench, BenchError, Setup};

fn on_tape(tape: &Tape) -> Setup {
    Setup { entropy: tape.path(), ..Setup::new("paigow") }
}

/// Waits for the fault, told at or after `mark`, and checks that it is the right one.
fn finds(table: &Table, failure: &Failure, mark: usize) -> Result<u8, BenchError> {
    let code = table.await_fault(Trouble::EntropyFault, mark)?;
    let known = failure.causes.iter().any(|cause| cause.code() == code);
    assert!(known, "{}: cause {code}", failure.name);
    table.is_dark()?;
    Ok(code)
}

/// PG-16, randomness 6.3: a source that fails before the first draw. The latch outlives a
/// power cut and a reset although the noise is good again, and only service clears it,
/// and only if a start passes.
#[test]
fn a_source_that_fails_at_start_latches_until_service_clears_it() -> Done {
    for (number, failure) in (1..).zip(&SOON) {
        let tape = Tape::of(failure.words().take(1 << 16));
        let mut table = Table::with(on_tape(&tape))?;
        let code = finds(&table, failure, 0)?;
        table.is_out_of_use()?;
        assert_eq!(table.clear(Trouble::EntropyFault, Role::Service)?, Outcome::OutOfTurn);

        tape.mend(number);
        table.cut_power_and_boot()?;
        assert_eq!(finds(&table, failure, 0)?, code, "{}", failure.name);
        table.is_out_of_use()?;
        for role in [Role::Dealer, Role::Floorperson, Role::Controller] {
            assert_eq!(table.clear(Trouble::EntropyFault, role)?, Outcome::NotAuthorised);
        }
        assert_eq!(table.clear(Trouble::EntropyFault, Role::Service)?, Outcome::Accepted);
        table.draw(1)?;
    }
    Ok(())
}

/// PG-16: a source that fails while a number stands takes the number down; neither a reset
/// nor a power cut brings it back, and nothing is drawn from what came after.
#[test]
fn a_source_that_fails_in_mid_round_darkens_the_number_for_good() -> Done {
    for failure in &SOON {
        let tape = Tape::good(1);
        let mut table = Table::with(on_tape(&tape))?;
        let number = table.draw(1)?;
        let mark = table.controller.mark();
        tape.spoil(failure);
        let code = finds(&table, failure, mark)?;
        tape.mend(2);

        let mark = table.controller.mark();
        table.bench.reset()?;
        table.bench.await_log("ready after")?;
        assert_eq!(finds(&table, failure, mark)?, code, "{}: after a reset", failure.name);
        table.cut_power_and_boot()?;
        assert_eq!(finds(&table, failure, 0)?, code, "{}: after a power cut", failure.name);
        table.is_out_of_use()?;
        let entry = table.recall()?.expect("the round had a number");
        assert_eq!((entry.round, entry.number, entry.in_play), (1, number, false));
    }
    Ok(())
}

/// PG-16: a source that is not there. To the chip's generator that is one that never has a word.
#[test]
fn a_missing_source_gives_a_dark_display() -> Done {
    let tape = Tape::good(1);
    let entropy = tape.path().with_extension("missing");
    let table = Table::with(Setup { entropy, ..Setup::new("paigow") })?;
    let code = table.await_fault(Trouble::EntropyFault, 0)?;
    assert_eq!(code, croupier::entropy::Cause::Silent.code());
    table.is_out_of_use()
}

/// PG-07: a start with the noise of an earlier one is caught, not repeated.
#[test]
fn a_start_with_known_noise_gives_a_dark_display() -> Done {
    let tape = Tape::good(1);
    let mut table = Table::with(on_tape(&tape))?;
    table.draw(1)?;
    table.end(1)?;
    table.cut_power_and_boot()?;
    let code = table.await_fault(Trouble::EntropyFault, 0)?;
    assert_eq!(code, croupier::entropy::Cause::KnownStart.code());
    table.is_out_of_use()
}
