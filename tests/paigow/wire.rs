//! The generator over its node: sealed commands arm it, events report it, roles bind.

use std::num::NonZeroU8;

use crate::harness::{Plain, obey};
use crate::linked::Linked;
use croupier::node::Refused;
use croupier::paigow::ports::Key;
use croupier::paigow::{Fault, State};
use croupier::protocol::generated::croupier::common::{
    Activity, ClearRequest, Cleared, Condition, Game, Irregularity, NextStep, ProfileSetRequest,
    Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{
    BlankReason, Blanked, Number, RecallRequest, Signal, Source, Step, Stepped,
};

// PG-09, PG-10, PG-12, PG-15: a whole round by sealed commands and one press.
#[test]
fn a_round_is_armed_drawn_published_recalled_and_ended() {
    let mut linked = Linked::new();
    assert_eq!(linked.bank.status.expect("published").condition, Condition::InService);
    assert_eq!(linked.signal(7, Signal::None).0, Outcome::OutOfRange);
    assert_eq!(linked.signal(7, Signal::BetsClosed).0, Outcome::OutOfTurn);
    assert_eq!(linked.signal(7, Signal::ShuffleComplete), (Outcome::Accepted, false));
    assert_eq!(linked.signal(8, Signal::BetsClosed).0, Outcome::OutOfTurn, "another round");
    assert_eq!(linked.signal(7, Signal::BetsClosed), (Outcome::Accepted, true));
    linked.tap(Key::Draw);
    let events = linked.events::<Number>();
    assert_eq!(
        (events.len(), events[0].round, events[0].number, events[0].positions),
        (1, 7, 1, 7)
    );
    assert_eq!(linked.table.display.number(), Some(1));
    linked.run_for(1_100);
    assert_eq!(linked.bank.status.expect("published").activity, Activity::Answered);

    let recall = RecallRequest::default();
    let (outcome, entry) = linked.ask(Role::Floorperson, &recall);
    assert_eq!((outcome, entry.round, entry.number), (Outcome::Accepted, 7, 1));
    assert!(entry.in_play);
    assert_eq!(linked.ask(Role::Dealer, &recall).0, Outcome::NotAuthorised);
    let further = RecallRequest { back: 1, ..recall };
    assert_eq!(linked.ask(Role::Service, &further).0, Outcome::NotFound);

    linked.deal();
    assert_eq!(linked.end(6), Outcome::OutOfTurn, "another round");
    assert_eq!(linked.end(7), Outcome::Accepted);
    linked.run_for(50);
    assert!(linked.table.display.is_dark());
    assert_eq!(linked.events::<Blanked>()[0].reason, BlankReason::RoundEnded);
    assert!(!linked.ask(Role::Controller, &recall).1.in_play);
}

// PG-11: the same round cannot be armed again for a second number.
#[test]
fn a_round_that_had_its_number_is_not_armed_again() {
    let mut linked = Linked::new();
    for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
        assert_eq!(linked.signal(7, signal).0, Outcome::Accepted);
    }
    linked.tap(Key::Draw);
    linked.deal();
    assert_eq!(linked.signal(8, Signal::ShuffleComplete).0, Outcome::OutOfTurn, "7 still stands");
    assert_eq!(linked.end(7), Outcome::Accepted);
    assert_eq!(linked.signal(7, Signal::ShuffleComplete).0, Outcome::OutOfTurn);
    assert_eq!(linked.signal(8, Signal::ShuffleComplete).0, Outcome::Accepted);
}

// PG-22, CM-07: no other game in a round, and only with a floorperson's key.
#[test]
fn the_game_cannot_be_changed_in_a_round() {
    let mut linked = Linked::new();
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
    assert_eq!(linked.ask(Role::Dealer, &profile).0, Outcome::NotAuthorised);
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::Accepted);
    linked.signal(1, Signal::ShuffleComplete);
    for key in [Key::BetsClosed, Key::Draw] {
        assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::InRound);
        linked.tap(key);
    }
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::InRound);
    linked.deal();
    assert_eq!(linked.end(1), Outcome::Accepted);
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::Accepted);
}

// PG-13: five seats cannot be set at all.
#[test]
fn a_table_with_five_seats_is_refused() {
    let mut linked = Linked::new();
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 5, ..Default::default() };
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::OutOfRange);
}

// PG-10: what people and the controller say is on the record: each step with its source, once.
#[test]
fn each_step_of_a_round_is_an_event_with_its_source() {
    let mut linked = Linked::new();
    for signal in [Signal::ShuffleComplete, Signal::ShuffleComplete, Signal::BetsClosed] {
        assert_eq!(linked.signal(7, signal).0, Outcome::Accepted);
    }
    linked.tap(Key::Draw);
    assert_eq!(linked.signal(7, Signal::BetsClosed).0, Outcome::OutOfTurn);
    linked.deal();
    assert_eq!(linked.end(7), Outcome::Accepted);
    for key in [Key::Shuffled, Key::BetsClosed, Key::BetsClosed, Key::RoundEnd, Key::RoundEnd] {
        linked.tap(key);
    }
    let steps: Vec<_> = linked.events::<Stepped>();
    let steps: Vec<_> = steps.iter().map(|s| (s.round, s.step, s.source, s.by)).collect();
    let by_key = |step| (8, step, Source::Key, Role::Dealer);
    assert_eq!(
        steps,
        [
            (7, Step::Shuffled, Source::Signal, Role::Controller),
            (7, Step::BetsClosed, Source::Signal, Role::Controller),
            (7, Step::RoundEnded, Source::Signal, Role::Dealer),
            by_key(Step::Shuffled),
            by_key(Step::BetsClosed),
            by_key(Step::RoundEnded),
        ]
    );
    assert_eq!(linked.events::<Blanked>().len(), 1, "the second round had no number");
}

fn clear(linked: &mut Linked, role: Role, trouble: Trouble) -> Outcome {
    linked.ask(role, &ClearRequest { trouble, ..ClearRequest::default() }).0
}

/// A generator with a latched fault of its source, which is well again.
fn out_of_service() -> Linked {
    let mut linked = Linked::new();
    linked.source.0.borrow_mut().fault = Some(Fault::Random(9));
    linked.run_for(1_200);
    linked.source.0.borrow_mut().fault = None;
    linked
}

/// It is out of service: it says so, and takes no signal.
fn is_out_of_service(linked: &mut Linked) {
    linked.run_for(1_100);
    let status = linked.bank.status.expect("published");
    assert_eq!((status.condition, status.next_step), (Condition::Malfunction, NextStep::UseShaker));
    assert_eq!(linked.signal(1, Signal::ShuffleComplete).0, Outcome::Malfunction);
    assert_eq!(linked.events::<Cleared>(), []);
}

// PG-16, CM-06: a fault is published with its next step, refuses rounds, and only service clears
// it, and only once the cause is gone.
#[test]
fn a_fault_is_cleared_by_service_after_a_passed_check() {
    let mut linked = Linked::new();
    linked.source.0.borrow_mut().fault = Some(Fault::Random(9));
    linked.run_for(1_200);
    let status = linked.bank.status.expect("published");
    assert_eq!(status.cleared_by, Role::Service);
    let events = linked.events::<Irregularity>();
    assert_eq!((events[0].trouble, events[0].detail), (Trouble::EntropyFault, 9));
    is_out_of_service(&mut linked);

    let fault = Trouble::EntropyFault;
    assert_eq!(clear(&mut linked, Role::Floorperson, fault), Outcome::NotAuthorised);
    assert_eq!(clear(&mut linked, Role::Service, Trouble::LampFault), Outcome::NotFound);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy, "the check begins");
    linked.run_for(50);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::OutOfTurn, "the cause persists");

    linked.source.0.borrow_mut().fault = None;
    linked.table.display.0.borrow_mut().dead = 1;
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy);
    linked.run_for(50);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::OutOfTurn, "the display is bad");

    // A segment that lights by itself fails again and again: what the check found stays found.
    linked.table.display.0.borrow_mut().dead = 0;
    linked.table.display.0.borrow_mut().stuck = 1;
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy);
    linked.run_for(50);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::OutOfTurn, "the display is bad");

    linked.table.display.0.borrow_mut().stuck = 0;
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy);
    linked.run_for(50);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Accepted);
    assert_eq!(linked.table.context.device.state(), State::Idle);
    assert_eq!(linked.events::<Cleared>().len(), 1);
    for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
        assert_eq!(linked.signal(2, signal).0, Outcome::Accepted);
    }
    linked.tap(Key::Draw);
    assert_eq!(linked.table.display.number(), NonZeroU8::new(1).map(NonZeroU8::get));
}

// CM-06: a CLEAR that answers BUSY clears nothing. A pass is remembered, and only a second CLEAR by
// service, for this fault, ends it.
#[test]
fn a_clear_that_answers_busy_clears_nothing() {
    let mut linked = out_of_service();
    let fault = Trouble::EntropyFault;
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy);
    is_out_of_service(&mut linked);
    for role in [Role::Dealer, Role::Floorperson, Role::Controller] {
        assert_eq!(clear(&mut linked, role, fault), Outcome::NotAuthorised, "{role:?}");
    }
    assert_eq!(clear(&mut linked, Role::Service, Trouble::LampFault), Outcome::NotFound);
    is_out_of_service(&mut linked);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Accepted);
    assert_eq!(linked.table.context.device.state(), State::Idle);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::NotFound, "it is over");
}

// CM-06, CM-10: what a check passed says nothing of what came after: another failure, or a power cut.
#[test]
fn a_pass_does_not_outlive_a_new_failure_or_a_power_cut() {
    let fault = Trouble::EntropyFault;
    let mut linked = out_of_service();
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy);
    linked.run_for(50);
    linked.source.0.borrow_mut().fault = Some(Fault::Random(3));
    linked.run_for(200);
    linked.source.0.borrow_mut().fault = None;
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy, "a new check begins");
    linked.run_for(50);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Accepted);

    let mut linked = out_of_service();
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy);
    linked.run_for(50);
    let mut linked = linked.power_cycled();
    is_out_of_service(&mut linked);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Busy, "a new check begins");
    linked.run_for(50);
    assert_eq!(clear(&mut linked, Role::Service, fault), Outcome::Accepted);
}

// CM-06: a check that service did not ask for counts for nothing.
#[test]
fn a_check_that_was_not_asked_for_is_no_pass() {
    let mut linked = out_of_service();
    linked.table.context.device.checked(Ok(()));
    assert_eq!(clear(&mut linked, Role::Service, Trouble::EntropyFault), Outcome::Busy);
}

// CM-06: a fault that flash keeps is not over.
#[test]
fn a_clear_that_cannot_be_kept_clears_nothing() {
    let mut table = Plain::new();
    table.context.device.fail(Fault::Random(9), table.now, &mut table.context.store);
    let service = |table: &mut Plain| {
        let request = ClearRequest { trouble: Trouble::EntropyFault, ..ClearRequest::default() };
        obey(table, Role::Service, &request)
    };
    assert_eq!(service(&mut table), Err(Refused::Busy));
    table.run_for(50);
    table.context.store.broken = true;
    assert_eq!(service(&mut table), Err(Refused::StoreFailed));
    assert_eq!(table.context.device.state(), State::Faulted(Fault::Random(9)));
    table.context.store.broken = false;
    table.run_for(200);
    assert_eq!(service(&mut table), Err(Refused::Busy), "the check begins again");
    let table = table.power_cycled();
    assert_eq!(table.context.device.state(), State::Faulted(Fault::Random(9)));
}
