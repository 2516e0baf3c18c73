//! Teaching a brand: 52 cards to learn, 312 to prove, one error and the old brand stays.

use crate::harness::Table;
use crate::world::{OLD, Thing};
use croupier::cards::Rank;
use croupier::protocol::generated::croupier::common::{
    CheckVerdict, Condition, Game, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::reader::{
    Lesson, Taught, TeachAction, TeachRequest, TeachResponse, UpCard,
};
use croupier::reader::Fault;

fn teach(table: &mut Table, action: TeachAction, brand: u32) -> (Outcome, TeachResponse) {
    table.ask(Role::Floorperson, &TeachRequest { action, brand, ..TeachRequest::default() })
}

fn begin(table: &mut Table) {
    assert_eq!(teach(table, TeachAction::Begin, 9).0, Outcome::Accepted);
}

/// Shows one card of the lesson and says where the lesson then is.
fn show(table: &mut Table, thing: Thing) -> TeachResponse {
    table.slide_in(thing);
    assert_eq!(teach(table, TeachAction::Next, 0).0, Outcome::Accepted);
    table.run_for(20);
    table.pull_out();
    teach(table, TeachAction::Look, 0).1
}

/// Shows a deck in order, `times` over.
fn show_deck(table: &mut Table, times: usize) -> TeachResponse {
    let deck = Rank::ALL.into_iter().cycle().take(52 * times);
    deck.map(|rank| show(table, Thing::Card(rank))).last().expect("52 cards")
}

/// Issue deliverable "teaching a brand": learn, prove, in force, hash readable; RD-19.
#[test]
fn a_brand_is_learnt_proven_and_in_force() {
    let mut table = Table::in_service(Game::FreeBet);
    let before = teach(&mut table, TeachAction::Look, 0).1;
    assert_eq!((before.lesson, before.brand, before.brand_hash), (Lesson::None, 7, OLD.hash));
    begin(&mut table);
    assert_eq!(table.status().condition, Condition::Checking);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::OutOfTurn);
    let learnt = show_deck(&mut table, 1);
    assert_eq!((learnt.lesson, learnt.shown, learnt.wanted), (Lesson::Prove, 0, 312));
    assert_eq!(learnt.brand, 7, "the old one until it is proven");
    let proven = show_deck(&mut table, 6);
    assert_eq!((proven.lesson, proven.brand, proven.brand_hash), (Lesson::InUse, 9, [9; 32]));
    assert_eq!(table.status().condition, Condition::NotInspected, "inspected again");
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    let events = table.events::<Taught>();
    assert_eq!(events.last().expect("published").lesson, Lesson::InUse);
    assert!(events.len() > 364, "after each card");
}

/// RD-11: one error in the proof, and the old brand stays in force.
#[test]
fn one_error_in_the_proof_keeps_the_old_brand() {
    for wrong in [Thing::Card(Rank::Nine), Thing::Unreadable] {
        let mut table = Table::in_service(Game::FreeBet);
        begin(&mut table);
        show_deck(&mut table, 1);
        show(&mut table, Thing::Card(Rank::Ace));
        let after = show(&mut table, wrong);
        assert_eq!((after.lesson, after.brand), (Lesson::Failed, 7));
        assert_eq!(table.status().condition, Condition::InService);
    }
}

/// An unclear card while learning is shown again.
#[test]
fn a_card_that_could_not_be_learnt_is_shown_again() {
    let mut table = Table::in_service(Game::FreeBet);
    begin(&mut table);
    assert_eq!(show(&mut table, Thing::Unreadable).shown, 0);
    assert_eq!(show(&mut table, Thing::Card(Rank::Ace)).shown, 1);
}

/// A card counts once, only when it is home, and only for a supervisor.
#[test]
fn no_card_counts_twice_or_without_authority() {
    let mut table = Table::in_service(Game::FreeBet);
    let next = TeachRequest { action: TeachAction::Next, ..TeachRequest::default() };
    let start = TeachRequest { action: TeachAction::Begin, brand: 9, ..next };
    for role in [Role::Dealer, Role::Controller] {
        assert_eq!(table.ask(role, &start).0, Outcome::NotAuthorised);
    }
    for brand in [0, 65_536] {
        assert_eq!(teach(&mut table, TeachAction::Begin, brand).0, Outcome::OutOfRange);
    }
    assert_eq!(teach(&mut table, TeachAction::Next, 0).0, Outcome::OutOfTurn, "no lesson");
    begin(&mut table);
    assert_eq!(teach(&mut table, TeachAction::Next, 0).0, Outcome::OutOfTurn, "no card");
    table.slide_in(Thing::Card(Rank::Ace));
    assert_eq!(table.ask(Role::Dealer, &next).0, Outcome::NotAuthorised);
    assert_eq!(teach(&mut table, TeachAction::Next, 0).0, Outcome::Accepted);
    table.run_for(20);
    assert_eq!(teach(&mut table, TeachAction::Next, 0).0, Outcome::OutOfTurn, "the same card");
    assert_eq!(teach(&mut table, TeachAction::Look, 0).1.shown, 1);
}

/// Broken off, by a person or by a power cut: the old brand.
#[test]
fn a_lesson_broken_off_changes_nothing() {
    let mut table = Table::in_service(Game::FreeBet);
    begin(&mut table);
    show(&mut table, Thing::Card(Rank::Ace));
    let left = teach(&mut table, TeachAction::Leave, 0).1;
    assert_eq!((left.lesson, left.brand), (Lesson::Left, 7));
    assert_eq!(table.status().condition, Condition::InService);
    begin(&mut table);
    show(&mut table, Thing::Card(Rank::Ace));
    let mut table = table.power_cycled();
    let after = teach(&mut table, TeachAction::Look, 0).1;
    assert_eq!((after.lesson, after.brand), (Lesson::None, 7));
}

/// RD-10: a brand that cannot be kept is a fault, and never half a brand.
#[test]
fn a_brand_that_cannot_be_kept_is_a_fault() {
    let mut table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().keeps = false;
    begin(&mut table);
    show_deck(&mut table, 7);
    assert_eq!(table.context.device.fault(), Some(Fault::Store));
    let after = teach(&mut table, TeachAction::Look, 0).1;
    assert_eq!((after.lesson, after.brand), (Lesson::Failed, 7));
}

/// RD-10: a lost brand is mended by service, who teaches and then passes the check.
#[test]
fn a_lost_brand_is_taught_again_by_service() {
    let table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().brand = Err(Fault::Brand);
    let mut table = table.power_cycled();
    assert_eq!(teach(&mut table, TeachAction::Begin, 9).0, Outcome::Malfunction);
    let start = TeachRequest { action: TeachAction::Begin, brand: 9, ..TeachRequest::default() };
    assert_eq!(table.ask(Role::Service, &start).0, Outcome::Accepted);
    assert_eq!(show_deck(&mut table, 7).lesson, Lesson::InUse);
    assert_eq!(table.status().condition, Condition::Malfunction, "not before the check");
    assert_eq!(table.inspect(Role::Service), CheckVerdict::Passed);
    assert_eq!(table.status().condition, Condition::InService);
}
