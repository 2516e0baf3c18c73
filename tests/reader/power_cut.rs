//! Power cuts at the reader's worst moments: what it then knows, and what it must not forget.

use crate::harness::Table;
use crate::world::Thing;
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckVerdict, Condition, Game, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    Lesson, Reading, TeachAction, TeachRequest, UpCard,
};
use croupier::reader::{Lit, ReaderStore as _};
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

/// CM-05, RD-11: when a new brand is kept, the check of the old one has ended in flash already; so no
/// power cut leaves a brand in force that was not inspected.
#[test]
fn a_new_brand_is_kept_only_after_the_old_check_has_ended() {
    let mut table = Table::in_service(Game::FreeBet);
    let teach = |table: &mut Table, action| {
        let asked = TeachRequest { action, brand: 9, ..TeachRequest::default() };
        table.ask(Role::Floorperson, &asked)
    };
    table.world.0.borrow_mut().inspected_at_keep = true;
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::Accepted);
    for rank in Rank::ALL.into_iter().cycle().take(7 * 52) {
        table.slide_in(Thing::Card(rank));
        assert_eq!(teach(&mut table, TeachAction::Next).0, Outcome::Accepted);
        table.run_for(20);
        table.pull_out();
    }
    assert_eq!(teach(&mut table, TeachAction::Look).1.lesson, Lesson::InUse);
    assert!(!table.world.0.borrow().inspected_at_keep);
    assert_eq!(table.status().condition, Condition::NotInspected);
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
