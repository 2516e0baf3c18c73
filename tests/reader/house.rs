//! Who ends rounds, and how soon: no card is asked about twice by way of a round that was none.

use crate::harness::{MASQUE, NOON, Table, record};
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    Game, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, HouseChanged, HouseRequest, RoundsBy, UpCard,
};
use croupier::reader::Lit;
use croupier::reader::machine::ROUND_AT_LEAST;
use croupier::reader::ports::Key;

fn is_open(table: &Table) -> bool {
    table.context.device.services.in_round
}

/// RD-01, RD-05: the key ends no peek round within ten seconds of the last look: the notice says so,
/// and the question stays. Nor does the dealer's RoundEnd or a new number.
#[test]
fn rd05_a_dealer_ends_no_peek_round_too_soon() {
    for (key, hole) in [(Key::Ace, Rank::King), (Key::TenValue, Rank::Seven)] {
        let mut table = Table::with_keys(Game::FreeBet);
        table.tap(key);
        table.read(hole);
        table.run_for(5_000);
        let lamp = table.read(hole); // the time begins with the last look
        table.run_for(2_000);
        let since = table.now;
        table.tap(Key::RoundOver);
        assert_eq!(table.world.lit(), Lit::one(ReaderLamp::Notice), "not taken");
        assert_eq!(table.end_by(Role::Dealer, 1), Outcome::OutOfTurn);
        assert!(is_open(&table) && table.now < since + ROUND_AT_LEAST);
        assert_eq!(table.read(hole), lamp, "the same question, the same answer");
        table.run_for(ROUND_AT_LEAST.get() - 1_500);
        assert_eq!(table.end_by(Role::Dealer, 1), Outcome::OutOfTurn, "a second too soon");
        for up_card in [UpCard::Ace, UpCard::TenValue] {
            let arm = ArmRequest { round: 2, up_card, ..ArmRequest::default() };
            assert_eq!(table.ask(Role::Dealer, &arm).0, Outcome::OutOfTurn, "nor a new number");
        }
        assert!(is_open(&table) && record(&mut table).round.unwrap().number == 1);
        table.run_for(1_700);
        table.tap(Key::RoundOver);
        assert!(!is_open(&table));
        assert_eq!(table.troubles(), [Trouble::InspectionDue]);
    }
}

/// RD-05: pulling the plug does not shorten the time.
#[test]
fn rd05_a_power_cut_does_not_end_a_round_sooner() {
    let mut table = Table::with_keys(Game::FreeBet);
    table.tap(Key::Ace);
    table.read(Rank::Five);
    let mut table = table.power_cycled();
    assert_eq!(table.end_by(Role::Dealer, 1), Outcome::OutOfTurn);
    table.run_for(ROUND_AT_LEAST.get());
    assert_eq!(table.end_by(Role::Dealer, 1), Outcome::Accepted);
}

/// RD-12: a wrong key may be undone at once, since no card was looked at; and a Masque waits for nothing.
#[test]
fn rd12_a_round_without_a_look_ends_at_once() {
    let mut table = Table::with_keys(Game::FreeBet);
    table.tap(Key::Ace);
    table.tap(Key::RoundOver);
    assert!(!is_open(&table));
    table.tap(Key::TenValue);
    assert_eq!(table.read(Rank::Ace), Lit::one(ReaderLamp::Blackjack));
    let mut table = Table::with_keys(MASQUE);
    table.tap(Key::Ace);
    table.read(Rank::Two);
    table.tap(Key::RoundOver);
    assert!(!is_open(&table));
}

/// RD-01, RD-05: whoever ended the round, the other question within ten seconds is reported.
#[test]
fn rd05_the_other_question_about_the_next_card_is_a_quick_repeat() {
    use UpCard::{Ace, TenValue};
    for (first, then, waited, reported) in [
        (Ace, TenValue, 1_000, true),
        (TenValue, Ace, 8_000, true),
        (Ace, TenValue, 10_000, false),
        (Ace, Ace, 0, false),
        (TenValue, TenValue, 0, false),
    ] {
        let mut table = Table::in_service(Game::FreeBet);
        assert_eq!(table.arm(1, first), Outcome::Accepted);
        table.read(Rank::Five);
        assert_eq!(table.end(1), Outcome::Accepted);
        table.run_for(waited);
        assert_eq!(table.arm(2, then), Outcome::Accepted);
        assert_eq!(table.irregularity(Trouble::QuickRepeat), None, "not before a card comes");
        table.read(Rank::Five);
        let event = table.irregularity(Trouble::QuickRepeat);
        assert_eq!(event.is_some(), reported, "{first:?}, {then:?}, {waited} ms");
        if let Some(event) = event {
            let told = (event.next_step, event.cleared_by);
            assert_eq!(told, (NextStep::TellFloorAndContinue, Role::Device));
            assert!((waited..waited + 2_000).contains(&event.detail.into()), "{}", event.detail);
        }
    }
}

/// RD-05: one authority ends rounds, by its own way and by a new number, and it outlives a power cut.
#[test]
fn rd05_one_authority_ends_rounds() {
    for (house, right, wrong) in [
        (RoundsBy::Controller, Role::Controller, Role::Dealer),
        (RoundsBy::Dealer, Role::Dealer, Role::Controller),
    ] {
        let mut table = Table::in_service(Game::FreeBet);
        table.rounds_by(house);
        let mut table = table.power_cycled();
        let arm = |table: &mut Table, role, round| {
            let up_card = UpCard::Ace;
            table.ask(role, &ArmRequest { round, up_card, ..ArmRequest::default() }).0
        };
        assert_eq!(arm(&mut table, Role::Controller, 1), Outcome::Accepted, "to arm is not to end");
        assert_eq!(table.end_by(wrong, 1), Outcome::NotAuthorised);
        assert_eq!(arm(&mut table, wrong, 2), Outcome::NotAuthorised);
        assert!(is_open(&table));
        if wrong == Role::Dealer {
            table.tap(Key::RoundOver);
            assert!(is_open(&table), "the key is a dealer's");
        }
        assert_eq!(arm(&mut table, right, 2), Outcome::Accepted);
        assert_eq!(table.end_by(right, 2), Outcome::Accepted);
    }
}

/// CM-07: a floorperson says who ends rounds, between rounds, and it is an event. DEALER at first.
#[test]
fn cm07_only_a_floorperson_says_who_ends_rounds() {
    let mut table = Table::set_up(Game::FreeBet);
    let set = |table: &mut Table, role, rounds_by| {
        let (outcome, at) = table.ask(role, &HouseRequest { rounds_by, ..Default::default() });
        (outcome, at.rounds_by)
    };
    for role in [Role::Dealer, Role::Service, Role::Controller] {
        assert_eq!(set(&mut table, role, RoundsBy::Controller).0, Outcome::NotAuthorised);
        let at = set(&mut table, role, RoundsBy::Unsaid);
        assert_eq!(at, (Outcome::Accepted, RoundsBy::Dealer), "all may ask");
    }
    assert_eq!(table.events::<HouseChanged>(), []);
    let at = set(&mut table, Role::Floorperson, RoundsBy::Controller);
    assert_eq!(at, (Outcome::Accepted, RoundsBy::Controller));
    assert_eq!(table.events::<HouseChanged>().len(), 1);
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(set(&mut table, Role::Floorperson, RoundsBy::Dealer).0, Outcome::InRound);
    assert_eq!(set(&mut table, Role::Dealer, RoundsBy::Unsaid).1, RoundsBy::Controller);
}

/// RD-06: a second, other up-card over the wire is refused and reported, and changes nothing: the first
/// question stands, whoever asked. Only the key, which gets no answer, shuts the round.
#[test]
fn rd06_a_refused_arm_changes_nothing() {
    for role in [Role::Dealer, Role::Controller] {
        for (first, other) in [(UpCard::Ace, UpCard::TenValue), (UpCard::TenValue, UpCard::Ace)] {
            let mut table = Table::in_service(Game::FreeBet);
            let hole = if first == UpCard::Ace { Rank::King } else { Rank::Ace };
            assert_eq!(table.arm(1, first), Outcome::Accepted);
            assert_eq!(table.read(hole), Lit::one(ReaderLamp::Blackjack));
            table.run_for(2_000);
            let before = *table.context.device.record();
            for up_card in [other, UpCard::Other] {
                let again = ArmRequest { round: 1, up_card, ..ArmRequest::default() };
                assert_eq!(table.ask(role, &again).0, Outcome::OutOfTurn);
            }
            assert_eq!(*table.context.device.record(), before);
            assert_eq!(table.world.lit(), Lit::NONE);
            assert_eq!(table.status().next_step, NextStep::None);
            let event = table.irregularity(Trouble::SecondQuestion).unwrap();
            assert_eq!(event.next_step, NextStep::TellFloorAndContinue);
            assert_eq!(table.arm(1, first), Outcome::Accepted);
            assert_eq!(table.read(hole), Lit::one(ReaderLamp::Blackjack), "the first stands");
        }
    }
}

/// CM-05, RD-05: a new number that can begin no round does not end the one before.
#[test]
fn rd05_a_new_number_that_is_refused_ends_no_round() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
    table.set_clock(NOON + 25 * 3_600_000);
    assert_eq!(table.arm(2, UpCard::TenValue), Outcome::NotInspected);
    assert!(is_open(&table));
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack), "round 1 goes on");
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.arm(2, UpCard::TenValue), Outcome::NotInspected);
}
