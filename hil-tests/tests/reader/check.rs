//! The gaming-day check of the hole-card reader on its image: nine test cards, ten faults.

use std::sync::Arc;

use crate::harness::{LAMPS, Table};
use crate::inspector::{Inspector, NUMBER, PASSED, failed_at};
use croupier::cards::{Rank, Suit};
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, Cleared, Condition, Game, Inspected, NextStep,
    Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{Reading, UpCard};
use croupier::reader::check::STEPS;
use hil_tests::nest::{self, cards};
use hil_tests::suite::Done;
use hil_tests::{Bench, BenchError, Hand};

const GAME: Game = Game::FreeBet;

/// A reader that was not inspected today, its nest empty. Its time is the host's: where idle time
/// is skipped, a slow host would let a step's time run out.
fn uninspected() -> Result<Table, BenchError> {
    emptied(Table::with(GAME, false)?)
}

fn emptied(table: Table) -> Result<Table, BenchError> {
    table.lay(&cards::nothing())?;
    Ok(table)
}

/// A hand past whose fingers one beam sees nothing.
struct Unseen(Arc<dyn Hand>, &'static str);

impl Hand for Unseen {
    fn set(&self, input: &str, on: bool) -> Result<(), BenchError> {
        if input == self.1 { Ok(()) } else { self.0.set(input, on) }
    }

    fn trip(&self, input: &str) -> Result<(), BenchError> {
        self.0.trip(input)
    }
}

/// The check fails at `step`, is told so once, and the table stays closed.
fn fails_at(table: &Table, inspector: &Inspector, step: CheckStep, item: u8) -> Done {
    let mark = table.controller.mark();
    assert_eq!(inspector.inspects(table)?, failed_at(step, item), "{step:?} {item}");
    let ends = table.controller.reports_since(mark);
    let ends = ends.iter().filter_map(|received| received.report.event::<Inspected>());
    let ends: Vec<_> =
        ends.filter(|received| received.step == 0).map(|received| received.verdict).collect();
    assert_eq!(ends, [CheckVerdict::Failed]);
    assert_eq!(table.arm(1, UpCard::Ace)?, Outcome::NotInspected);
    Ok(())
}

/// RD-09, CM-05: closed until the check with its nine test cards is passed, in service after
/// it, and still so after a power cut.
#[test]
fn the_check_with_nine_test_cards_opens_the_table() -> Done {
    let mut table = uninspected()?;
    table.await_status(Condition::NotInspected)?;
    assert_eq!(table.arm(1, UpCard::Ace)?, Outcome::NotInspected);
    let dealer = Inspector::content(&table, Role::Dealer, GAME);
    assert_eq!(dealer.ask(&table, CheckAction::Begin)?.0, Outcome::NotAuthorised);

    let (mark, dark) = (table.controller.mark(), table.bench.pins().mark());
    let inspector = Inspector::content(&table, Role::Floorperson, GAME);
    assert_eq!(inspector.inspects(&table)?, PASSED);
    assert_eq!(table.lit_since(dark), LAMPS, "each lamp once, and no answer to a test card");
    let received = table.controller.reports_since(mark);
    let received: Vec<_> =
        received.iter().filter_map(|received| received.report.event::<Inspected>()).collect();
    assert!(
        received.iter().all(|received| (received.inspector, received.steps) == (NUMBER, STEPS))
    );
    let steps: Vec<u8> = received.iter().map(|received| received.step).collect();
    assert_eq!(steps, (1..=STEPS).chain([0]).collect::<Vec<_>>(), "each step, then the whole");

    for round in 1..3 {
        table.await_status(Condition::InService)?;
        table.lay(&cards::card(Rank::King, Suit::Hearts, 3))?;
        assert_eq!(table.arm(round, UpCard::Ace)?, Outcome::Accepted);
        assert_eq!(table.read()?.1.reading, Reading::Blackjack);
        assert_eq!(table.end(round)?, Outcome::Accepted);
        table.cut_power_and_boot()?;
    }
    Ok(())
}

/// RD-09, fault 10 of 10; CM-05, CM-09: a clock that nobody set: the last check has no age, and a
/// new one is not waved through.
#[test]
fn without_a_clock_there_is_no_valid_check() -> Done {
    let mut table = Table::with(GAME, true)?;
    table.await_status(Condition::InService)?;
    let content = Inspector::content(&table, Role::Floorperson, GAME);
    assert_eq!(content.ask(&table, CheckAction::Look)?.1.verdict, CheckVerdict::Passed);
    table.lay(&cards::nothing())?;
    table.cut_power_and_boot_clockless()?;
    table.await_status(Condition::NotInspected)?;
    let content = Inspector::content(&table, Role::Floorperson, GAME);
    fails_at(&table, &content, CheckStep::SeeClock, 0)
}

/// CM-04, RD-09, faults 1, 3, 4, 5, 6, 7 and 9 of 10, made where a reader has them: at its pins, before its
/// window, in the inspector's sight. Each is found at its step; without them the same check passes.
#[test]
fn the_check_finds_what_is_wrong_around_the_reader() -> Done {
    let table = uninspected()?;
    let content = || Inspector::content(&table, Role::Floorperson, GAME);

    table.lay(&cards::behind_dirt(Rank::Five, Suit::Clubs))?;
    fails_at(&table, &content(), CheckStep::SelfTest, 0)?;
    table.unplug_head()?;
    fails_at(&table, &content(), CheckStep::SelfTest, 0)?;
    table.lay(&cards::nothing())?;
    for stuck in ["ten", "hood"] {
        table.bench.press(stuck)?;
        table.settle()?;
        fails_at(&table, &content(), CheckStep::SelfTest, 0)?;
        table.bench.release(stuck)?;
        table.settle()?;
        table.settle()?;
    }
    let swapped = |lamp| [0, 1, 2, 4, 3, 5][lamp];
    fails_at(&table, &Inspector { glows: swapped, ..content() }, CheckStep::SeeLamp, 3)?;
    let overlay = |_| cards::card(Rank::Ace, Suit::Spades, 9);
    fails_at(&table, &Inspector { cards: overlay, ..content() }, CheckStep::InsertCard, 1)?;
    let broken = Some(CheckStep::SeeSeal);
    fails_at(&table, &Inspector { denies: broken, ..content() }, CheckStep::SeeSeal, 0)?;
    let (game, other) = (Game::DoubleBackJack, nest::SEAL + 1);
    fails_at(&table, &Inspector { seal_number: other, ..content() }, CheckStep::SeeSeal, 0)?;
    fails_at(&table, &Inspector { game, ..content() }, CheckStep::SeeName, 0)?;
    assert_eq!(content().inspects(&table)?, PASSED);
    Ok(())
}

/// RD-09, fault 3 of 10: a beam that sees no card. The step waits, and fails when its time is up.
#[test]
fn the_check_finds_a_beam_that_sees_nothing() -> Done {
    let table = emptied(Table::fast(GAME, false)?)?;
    let content = Inspector::content(&table, Role::Floorperson, GAME);
    let hand: Arc<dyn Hand> = Arc::new(Unseen(table.bench.hand(), "hood"));
    fails_at(&table, &Inspector { hand, ..content }, CheckStep::InsertCard, 0)
}

/// RD-09, fault 2 of 10; RD-10, CM-06: a dead lamp found in the check is a malfunction: out of service
/// through a power cut, for a floorperson too, until service has passed the whole check.
#[test]
fn a_dead_lamp_in_the_check_is_over_when_service_has_passed_it() -> Done {
    let mut table = uninspected()?;
    table.bench.hand().set("spoil-large", true)?;
    let mark = table.controller.mark();
    let floor = Inspector::content(&table, Role::Floorperson, GAME);
    assert_eq!(floor.inspects(&table)?, failed_at(CheckStep::SeeLamp, 2));
    let received = table.await_trouble(Trouble::LampFault, mark)?;
    assert_eq!((received.detail, received.next_step), (2, NextStep::StopTable));

    table.cut_power_and_boot()?;
    table.await_status(Condition::Malfunction)?;
    assert_eq!(floor.ask(&table, CheckAction::Begin)?.0, Outcome::NotAuthorised);
    let service = Inspector::content(&table, Role::Service, GAME);
    let still = service.inspects(&table)?;
    assert_eq!(still, failed_at(CheckStep::SeeLamp, 2), "still dead");
    table.bench.hand().set("spoil-large", false)?;
    let mark = table.controller.mark();
    assert_eq!(service.inspects(&table)?, PASSED);
    table.await_event::<Cleared>("the repair", mark, |received| {
        received.trouble == Trouble::LampFault
    })?;
    table.await_status(Condition::InService).map(drop)
}
