//! Power cuts at the reader's worst moments: what it then knows, and what it must not forget.

use crate::harness::{Table, record};
use crate::world::Thing;
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckVerdict, Condition, Game, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    Lesson, Reading, TeachAction, TeachRequest, UpCard,
};
use croupier::reader::ports::Key;
use croupier::reader::{Fault, Lit, ReaderStore as _};
use croupier::store::Store;

/// RD-05, RD-10: a fault ends the round and latches in one write: after a power cut at any step of
/// it the question still binds, or the reader is out of service. Never neither.
#[test]
fn no_power_cut_falls_between_the_end_of_a_round_and_the_fault_that_ended_it() {
    let (mut bound, mut latched) = (0, 0);
    for step in 0..60 {
        let mut table = Table::in_service(Game::FreeBet);
        table.world.0.borrow_mut().dead_lamps = Lit::one(ReaderLamp::NoBlackjack).bits();
        assert_eq!(table.arm(8, UpCard::Ace), Outcome::Accepted);
        table.slide_in(Thing::Card(Rank::Five));
        table.context.store.flash().cut_power_after(step);
        while table.context.device.fault().is_none() {
            table.pass();
        }
        table.context.store.flash().restore_power();
        let mut store = Store::open(table.context.store.release()).expect("opens");
        let kept = store.load_record().expect("readable").expect("kept");
        assert!(kept.round.is_some() || kept.fault.is_some(), "cut at step {step}: {kept:?}");
        bound += usize::from(kept.round.is_some());
        latched += usize::from(kept.fault.is_some());
    }
    assert!(bound > 0 && latched > 0, "{bound} bound, {latched} latched");
}

/// A brand is taught; with `cut` flash fails in the write that ends the check of the old one.
fn taught(cut: bool) -> (Lesson, Table) {
    let mut table = Table::in_service(Game::FreeBet);
    let teach = |table: &mut Table, action| {
        let asked = TeachRequest { action, brand: 9, ..TeachRequest::default() };
        table.ask(Role::Floorperson, &asked)
    };
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::Accepted);
    for (at, rank) in Rank::ALL.into_iter().cycle().take(7 * 52).enumerate() {
        if cut && at == 7 * 52 - 1 {
            table.context.store.flash().cut_power_after(1);
        }
        table.slide_in(Thing::Card(rank));
        assert_eq!(teach(&mut table, TeachAction::Next).0, Outcome::Accepted);
        table.run_for(20);
        table.pull_out();
    }
    (teach(&mut table, TeachAction::Look).1.lesson, table)
}

/// CM-05, RD-11: a new brand is kept only after the check of the old one has ended in flash; so no
/// power cut leaves a brand in force that was not inspected.
#[test]
fn a_new_brand_is_kept_only_after_the_old_check_has_ended() {
    let (lesson, mut table) = taught(false);
    assert_eq!((lesson, table.world.0.borrow().kept), (Lesson::InUse, 1));
    assert!(!record(&mut table).passed.unwrap().counts);
    assert_eq!(table.status().condition, Condition::NotInspected);
    let (lesson, table) = taught(true);
    assert_eq!(lesson, Lesson::Failed);
    assert_eq!(table.world.0.borrow().kept, 0, "not before the check has ended in flash");
    assert_eq!(table.context.device.fault(), Some(Fault::Store));
}

/// RD-05, RD-10, RD-14: the power goes between verdict and removal, and the card is left lying: not read
/// again by itself, no broken beam, the floor informed; and the same question once it is put in again.
#[test]
fn a_card_that_lies_in_the_nest_at_power_on_is_no_malfunction() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(3, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    table.run_for(600);
    assert_eq!(table.verdicts(), [Reading::Blackjack]);
    let looks = table.looks();
    let mut table = table.power_cycled();
    table.run_for(120_000);
    assert_eq!((table.looks(), table.world.lit()), (looks, Lit::NONE));
    assert_eq!(table.context.device.fault(), None);
    assert_eq!(
        table.irregularity(Trouble::CardLeft).unwrap().next_step,
        NextStep::TellFloorAndContinue
    );
    table.pull_out();
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
    assert_eq!(table.arm(3, UpCard::TenValue), Outcome::OutOfTurn, "the question outlived it");
}

/// RD-05, RD-14: with a card in the nest at power on no key ends the round and no up-card is taken, of
/// the keys or over the wire; once it is out they are.
#[test]
fn rd05_a_card_found_at_power_on_keeps_the_round_as_it_is() {
    let mut table = Table::with_keys(Game::FreeBet);
    table.tap(Key::Ace);
    table.slide_in(Thing::Card(Rank::Five));
    table.run_for(600);
    let mut table = table.power_cycled();
    table.run_for(15_000);
    table.tap(Key::RoundOver);
    assert_eq!(table.end_by(Role::Dealer, 1), Outcome::OutOfTurn);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::OutOfTurn);
    table.tap(Key::TenValue);
    assert_eq!(table.irregularity(Trouble::SecondQuestion), None, "no up-card was taken");
    assert_eq!(record(&mut table).round.unwrap().up_card, UpCard::Ace);
    table.pull_out();
    assert_eq!(table.end_by(Role::Dealer, 1), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::Five));
    let mut table = table.power_cycled();
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::OutOfTurn, "nor does a round begin");
    table.pull_out();
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::Accepted);
}

/// RD-05: a round that the controller ended just before a power cut: the other question soon after the
/// start is a quick repeat all the same; later, or the same one, it is not.
#[test]
fn rd05_a_power_cut_hides_no_quick_repeat() {
    use UpCard::{Ace, TenValue};
    for (first, then, waited, reported) in [
        (Ace, TenValue, 0, true),
        (TenValue, Ace, 0, true),
        (Ace, Ace, 0, false),
        (Ace, TenValue, 10_000, false),
    ] {
        let mut table = Table::in_service(Game::FreeBet);
        assert_eq!(table.arm(1, first), Outcome::Accepted);
        table.read(Rank::Five);
        assert_eq!(table.end(1), Outcome::Accepted);
        let mut table = table.power_cycled();
        table.run_for(waited);
        assert_eq!(table.arm(2, then), Outcome::Accepted);
        table.read(Rank::Five);
        let event = table.irregularity(Trouble::QuickRepeat);
        assert_eq!(event.is_some(), reported, "{first:?}, {then:?}, {waited} ms");
    }
}

/// CM-05: after a start the last check is what flash knows of it: passed, or not decided. Only a
/// check that was broken off since then is called left.
#[test]
fn the_last_check_is_published_as_it_ended() {
    let last = |table: &mut Table| {
        let at = table.check(Role::Dealer, CheckAction::Look).1;
        (at.verdict, at.step)
    };
    let mut table = Table::set_up(Game::FreeBet);
    assert_eq!(last(&mut table), (CheckVerdict::Open, 0), "none was made");
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    let mut table = table.power_cycled();
    assert_eq!(last(&mut table), (CheckVerdict::Passed, 0), "passed before the start");
    table.check(Role::Floorperson, CheckAction::Begin);
    table.check(Role::Floorperson, CheckAction::Leave);
    assert_eq!(last(&mut table), (CheckVerdict::Left, 0), "broken off");
    table.check(Role::Floorperson, CheckAction::Begin);
    let mut table = table.power_cycled();
    assert_eq!(last(&mut table), (CheckVerdict::Open, 0), "a power cut decided nothing");
}
