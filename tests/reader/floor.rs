//! What only a floorperson or service may end, and what they report: no look at a card, no doubt waved through.

use crate::harness::{MASQUE, PEEK_GAMES, Table, record};
use crate::world::Thing;
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    CheckVerdict, ClearRequest, Cleared, Condition, Game, NextStep, Result as Outcome, Role,
    Trouble,
};
use croupier::protocol::generated::croupier::reader::{Reading, UpCard, WrongLightRequest};
use croupier::reader::{Fault, Lit};

fn clear(table: &mut Table, role: Role, trouble: Trouble) -> Outcome {
    table.ask(role, &ClearRequest { trouble, ..ClearRequest::default() }).0
}

fn wrong_light(table: &mut Table, role: Role, round: u16) -> Outcome {
    table.ask(role, &WrongLightRequest { round, ..WrongLightRequest::default() }).0
}

fn call_of(table: &mut Table) -> (NextStep, Role) {
    let status = table.status();
    (status.next_step, status.cleared_by)
}

const CALL: (NextStep, Role) = (NextStep::CallFloor, Role::Floorperson);

/// RD-11, RD-18: after three failed reads nothing is read until a floorperson has been there,
/// not by another round, nor by pulling the plug; and nobody else ends it.
#[test]
fn rd11_three_failed_reads_call_the_floorperson() {
    let mut table = Table::in_service(Game::FreeBetTemporary);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    for step in [NextStep::ReadAgain, NextStep::ReadAgain, NextStep::CallFloor] {
        assert_eq!(table.read_thing(Thing::Unreadable), Lit::one(ReaderLamp::Notice));
        assert_eq!(table.status().next_step, step);
    }
    let event = table.irregularity(Trouble::CannotRead).unwrap();
    assert_eq!((event.next_step, event.cleared_by, event.detail), (CALL.0, CALL.1, 3));
    let looks = table.looks();
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::OutOfTurn);
    let mut table = table.power_cycled();
    assert_eq!(call_of(&mut table), CALL, "the call outlives a power cut");
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::OutOfTurn);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    for role in [Role::Dealer, Role::Controller, Role::Service] {
        assert_eq!(clear(&mut table, role, Trouble::CannotRead), Outcome::NotAuthorised);
        assert_eq!(call_of(&mut table), CALL);
    }
    assert_eq!(table.looks(), looks, "not looked at any more");
    assert_eq!(clear(&mut table, Role::Floorperson, Trouble::CannotRead), Outcome::Accepted);
    assert_eq!(table.events::<Cleared>().last().unwrap().trouble, Trouble::CannotRead);
    assert_ne!(clear(&mut table, Role::Floorperson, Trouble::CannotRead), Outcome::Accepted);
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
}

/// RD-11: a cleared call gives no fourth try: the round stays without an answer.
#[test]
fn rd11_a_cleared_call_gives_no_fourth_try() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    for _ in 0..3 {
        table.read_thing(Thing::Unreadable);
    }
    assert_eq!(clear(&mut table, Role::Floorperson, Trouble::CannotRead), Outcome::Accepted);
    let looks = table.looks();
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    assert_eq!((table.looks(), table.status().next_step), (looks, NextStep::None));
    assert_eq!(table.irregularity(Trouble::WrongUpCard), None, "the up-card was right");
    let mut table = table.power_cycled();
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    assert_eq!((table.looks(), table.status().next_step), (looks, NextStep::None));
}

/// RD-03, RD-11: a Masque calls too, and plays on with the next card once that was seen to.
#[test]
fn rd11_a_masque_calls_the_floorperson_and_plays_on() {
    let mut table = Table::in_service(MASQUE);
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Medium));
    for _ in 0..3 {
        assert_eq!(table.read_thing(Thing::Unreadable), Lit::one(ReaderLamp::Notice));
    }
    let looks = table.looks();
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Notice));
    let mut table = table.power_cycled();
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Notice));
    assert_eq!((table.looks(), call_of(&mut table)), (looks, CALL));
    assert_eq!(clear(&mut table, Role::Floorperson, Trouble::CannotRead), Outcome::Accepted);
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Medium));
}

/// RD-11: a power cut gives a peek round no more tries.
#[test]
fn rd11_a_power_cut_gives_no_more_tries() {
    for cuts in [[true, false], [false, true], [true, true]] {
        let mut table = Table::in_service(Game::FreeBet);
        assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
        for cut in cuts {
            table.read_thing(Thing::Unreadable);
            assert_eq!(table.status().next_step, NextStep::ReadAgain);
            if cut {
                table = table.power_cycled();
            }
        }
        assert_eq!(table.read_thing(Thing::Unreadable), Lit::one(ReaderLamp::Notice));
        assert_eq!(call_of(&mut table), CALL);
        assert_eq!(table.irregularity(Trouble::CannotRead).unwrap().detail, 3);
        let looks = table.looks();
        table.read(Rank::King);
        assert_eq!(table.looks(), looks);
    }
    // The next round of a peek has its own three.
    let mut table = Table::in_service(Game::FreeBet);
    for round in 1..4 {
        assert_eq!(table.arm(round, UpCard::Ace), Outcome::Accepted);
        for _ in 0..2 {
            table.read_thing(Thing::Unreadable);
        }
        assert_eq!(table.end(round), Outcome::Accepted);
        assert_eq!(table.status().next_step, NextStep::None);
    }
}

/// RD-03, RD-11: nor do ROUND OVER, a new number, the next card or a power cut in a Masque: only an
/// answer or a floorperson does.
#[test]
fn rd11_round_over_gives_a_masque_no_more_tries() {
    let fails_twice = || {
        let mut table = Table::in_service(MASQUE);
        assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
        for _ in 0..2 {
            table.read_thing(Thing::Unreadable);
        }
        assert_eq!(table.status().next_step, NextStep::ReadAgain);
        table
    };
    let ends: [fn(Table) -> Table; 4] = [
        |mut table| {
            assert_eq!(table.end(1), Outcome::Accepted);
            table
        },
        |mut table| {
            assert_eq!(table.arm(2, UpCard::TenValue), Outcome::Accepted);
            table
        },
        |mut table| {
            assert_eq!(table.end(1), Outcome::Accepted);
            table.power_cycled()
        },
        Table::power_cycled,
    ];
    for end in ends {
        let mut table = end(fails_twice());
        assert_eq!(table.status().next_step, NextStep::None, "no card of this round");
        table.read_thing(Thing::Unreadable);
        assert_eq!(call_of(&mut table), CALL);
        assert!(record(&mut table).unread);
    }
    let mut table = fails_twice();
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Medium));
    assert_eq!((table.end(1), record(&mut table).failures), (Outcome::Accepted, 0));
    let mut table = fails_twice();
    for role in [Role::Dealer, Role::Controller, Role::Service] {
        assert_eq!(clear(&mut table, role, Trouble::CannotRead), Outcome::NotAuthorised);
    }
    assert_eq!(clear(&mut table, Role::Floorperson, Trouble::CannotRead), Outcome::Accepted);
    for _ in 0..2 {
        table.read_thing(Thing::Unreadable);
        assert_eq!(table.status().next_step, NextStep::ReadAgain);
    }
}

/// RD-17: a ten seen in a round of 581 that a malfunction ends is kept, and published once the
/// malfunction is over: before that the card may still lie face down.
#[test]
fn rd17_a_malfunction_does_not_hide_a_foreign_ten() {
    for hole in [Rank::King, Rank::Ten] {
        let mut table = Table::in_service(Game::DoubleAttackBlackjack);
        assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
        table.read(hole);
        let now = table.now;
        table.context.device.fail(Fault::Window, now, &mut table.context.store);
        assert_eq!(record(&mut table).wrong_deck, hole == Rank::Ten);
        let mut table = table.power_cycled();
        assert_eq!(table.status().next_step, NextStep::StopTable);
        let early = clear(&mut table, Role::Floorperson, Trouble::WrongDeck);
        assert_eq!(early, Outcome::NotAuthorised, "and no word of it");
        assert_eq!(table.irregularity(Trouble::WrongDeck), None);
        assert_eq!(table.inspect(Role::Service), CheckVerdict::Passed);
        table.run_for(100);
        let event = table.irregularity(Trouble::WrongDeck);
        let wanted = (NextStep::RemoveDeck, Role::Floorperson);
        let told = event.map(|event| (event.next_step, event.cleared_by));
        assert_eq!(told, (hole == Rank::Ten).then_some(wanted));
        let cleared = clear(&mut table, Role::Floorperson, Trouble::WrongDeck);
        assert_eq!(cleared == Outcome::Accepted, hole == Rank::Ten);
    }
}

/// RD-10, RD-12: two answers of one round that contradict each other are a malfunction, whichever
/// came first; the second one is never shown.
#[test]
fn rd12_two_answers_that_contradict_each_other_stop_the_table() {
    for (game, first, then) in [
        (Game::DoubleAttackBlackjack, Rank::Seven, Rank::Ace),
        (Game::FreeBet, Rank::Ace, Rank::Seven),
        (MASQUE, Rank::Two, Rank::Nine),
    ] {
        let mut table = Table::in_service(game);
        assert_eq!(table.arm(3, UpCard::TenValue), Outcome::Accepted);
        table.read(first);
        table.slide_in(Thing::Card(then));
        table.run_for(450);
        assert_eq!(table.context.device.fault(), None, "not before its time");
        table.run_for(100);
        let event = table.irregularity(Trouble::Contradiction).unwrap();
        assert_eq!((event.next_step, event.cleared_by), (NextStep::StopTable, Role::Service));
        assert_eq!(table.verdicts().len(), 1, "the second is never published");
        table.pull_out();
        let mut table = table.power_cycled();
        assert_eq!(table.context.device.fault(), Some(Fault::Contradiction));
        assert_eq!(table.status().condition, Condition::Malfunction);
        assert_eq!(table.irregularity(Trouble::CannotRead), None);
    }
}

/// RD-04, RD-05: no up-card told is not a wrong one: 590.13(i) speaks of the second only.
#[test]
fn rd05_no_up_card_is_reported_apart_from_a_wrong_one() {
    for game in PEEK_GAMES {
        let mut table = Table::in_service(game);
        let looks = table.looks();
        assert_eq!(table.read(Rank::Ace), Lit::one(ReaderLamp::Notice));
        assert_eq!(table.arm(1, UpCard::Unsaid), Outcome::Accepted);
        assert_eq!(table.read(Rank::Ace), Lit::one(ReaderLamp::Notice));
        let told = [Trouble::InspectionDue, Trouble::NoUpCard, Trouble::NoUpCard];
        assert_eq!(table.troubles(), told);
        let event = table.irregularity(Trouble::NoUpCard).unwrap();
        assert_eq!((event.next_step, event.cleared_by), (NextStep::TellUpCard, Role::Device));
        assert_eq!((table.looks(), table.verdicts()), (looks, vec![Reading::Notice; 2]));
        assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted, "told now");
        assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
    }
}

/// RD-11: a floorperson reports a wrong light of the last round, once; counted for good.
#[test]
fn rd11_a_wrong_light_is_reported_and_recorded() {
    let mut table = Table::in_service(MASQUE);
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::NotFound, "no light yet");
    table.read(Rank::Two);
    for role in [Role::Dealer, Role::Controller, Role::Service] {
        assert_eq!(wrong_light(&mut table, role, 1), Outcome::NotAuthorised);
    }
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 2), Outcome::NotFound);
    assert_eq!(table.irregularity(Trouble::WrongLight), None);
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::Accepted);
    let event = table.irregularity(Trouble::WrongLight).unwrap();
    assert_eq!(event.next_step, NextStep::PlayOnOrDeadHandsWithRefund, "both outcomes");
    assert_eq!((event.cleared_by, event.detail), (Role::Device, 1));
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::NotFound, "once");
    table.read(Rank::Nine);
    let mut table = table.power_cycled();
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 2), Outcome::NotFound, "forgotten");
    table.read(Rank::Two);
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::Accepted);
    assert_eq!(table.irregularity(Trouble::WrongLight).unwrap().detail, 2);
    assert_eq!(record(&mut table).wrong_lights, 2);
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Medium), "play goes on");
}

/// RD-11: what was no light cannot have been a wrong one, and what is not kept is not reported.
#[test]
fn rd11_only_a_light_can_be_wrong() {
    let mut table = Table::in_service(MASQUE);
    table.read_thing(Thing::Unreadable);
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::NotFound);
    table.read(Rank::Two);
    table.context.store.flash().cut_power_after(0);
    assert_ne!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::Accepted);
    assert_eq!(table.irregularity(Trouble::WrongLight), None);
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.read(Rank::Two);
    assert_eq!(wrong_light(&mut table, Role::Floorperson, 1), Outcome::WrongProfile);
}
