//! Rounds of the reader: every pair of cards, every game, by keys and over the wire.

use crate::harness::{MASQUE, PEEK_GAMES, Table, profile as set, up_card};
use crate::world::{Line, Thing};
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::profile;
use croupier::protocol::generated::croupier::common::{
    Activity, Condition, Game, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    Armed, Insertion, NestChange, Reading, UpCard, Verdict,
};
use croupier::reader::machine::{ROUND_AT_LEAST, SHOWN_AT_MOST, VERDICT_AFTER};
use croupier::reader::ports::Key;
use croupier::reader::recognise::Window;
use croupier::reader::{Lit, State};
use croupier::time::Instant;

fn deck(game: Game) -> profile::Deck {
    profile::Game::from_code(game.code()).expect("a game").profile().pack.deck
}

/// RD-01, RD-04, RD-06: 13 x 13, or 12 x 12 without tens: Blackjack is an ace and a ten-value
/// card, and every other pair, A-A, K-Q, 10-10 and J-10 among them, is the same miss.
#[test]
fn every_pair_of_every_peek_game_is_answered_rightly() {
    for game in PEEK_GAMES {
        let mut table = Table::in_service(game);
        let (deck, mut round) = (deck(game), 0);
        for up in Rank::ALL.into_iter().filter(|rank| deck.has(*rank)) {
            for hole in Rank::ALL.into_iter().filter(|rank| deck.has(*rank)) {
                round += 1;
                let before = table.looks();
                assert_eq!(table.arm(round, up_card(up)), Outcome::Accepted);
                let lit = table.read(hole);
                let asked = up.is_ace() || up.is_ten_value();
                let lamp = match up.peek_class().makes_blackjack_with(hole.peek_class()) {
                    _ if !asked => ReaderLamp::Notice,
                    true => ReaderLamp::Blackjack,
                    false => ReaderLamp::NoBlackjack,
                };
                assert_eq!(lit, Lit::one(lamp), "{game:?}: {up:?} up, {hole:?} in the hole");
                assert_eq!(table.looks() - before, usize::from(asked));
                assert_eq!(table.end(round), Outcome::Accepted);
            }
        }
        assert_eq!(table.verdicts().len(), usize::from(round));
    }
}

/// RD-02, RD-03, RD-15, RD-16: a Masque shows one range under each up-card, never Blackjack, and
/// says "turn it up" only where both are known to be large.
#[test]
fn every_pair_of_the_masque_game_shows_its_range() {
    let mut table = Table::in_service(MASQUE);
    let mut round = 0;
    for up in Rank::ALL {
        for hole in Rank::ALL {
            round += 1;
            assert_eq!(table.arm(round, up_card(up)), Outcome::Accepted);
            let lit = table.read(hole);
            assert_eq!(lit.bits(), 1 << hole.size() as u8, "{up:?} up, {hole:?} in the hole");
            let event = *table.events::<Verdict>().last().unwrap();
            let large = |rank: Rank| rank.is_ace() || rank.is_ten_value();
            assert_eq!(event.expose, large(up) && large(hole));
            assert!(!matches!(event.reading, Reading::Blackjack | Reading::NoBlackjack));
            assert_eq!(table.end(round), Outcome::Accepted);
        }
    }
    assert_eq!(table.troubles(), [Trouble::InspectionDue]);
}

/// RD-03: without a word about the up-card each card that comes is a round.
#[test]
fn a_masque_reads_card_after_card_with_no_key_at_all() {
    let mut table = Table::in_service(MASQUE);
    for hole in Rank::ALL.into_iter().chain(Rank::ALL) {
        assert_eq!(table.read(hole).bits(), 1 << hole.size() as u8);
    }
    assert_eq!(table.verdicts().len(), 26);
    assert!(table.events::<Verdict>().iter().all(|event| !event.expose));
}

/// RD-04, RD-06: the dealer's keys alone, at a table without a controller.
#[test]
fn the_dealers_keys_do_without_a_controller() {
    let mut table = Table::with_keys(Game::FreeBet);
    table.tap(Key::Ace);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
    table.run_for(ROUND_AT_LEAST.get());
    table.tap(Key::RoundOver);
    table.tap(Key::TenValue);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::NoBlackjack));
    table.run_for(ROUND_AT_LEAST.get());
    table.tap(Key::RoundOver);
    let events: Vec<_> =
        table.events::<Armed>().iter().map(|event| (event.round, event.up_card)).collect();
    let wanted =
        [(1, UpCard::Ace), (1, UpCard::Unsaid), (2, UpCard::TenValue), (2, UpCard::Unsaid)];
    assert_eq!(events, wanted);
    assert!(table.events::<Armed>().iter().all(|event| event.by == Role::Device));
}

/// RD-05: an up-card that calls for no peek: the notice at its time, the floorperson informed
/// with the step of the game's rule, no look at the card, and play goes on.
#[test]
fn a_card_under_the_wrong_up_card_gets_the_notice_and_no_look() {
    for game in PEEK_GAMES {
        let mut table = Table::in_service(game);
        let looks = table.looks();
        assert_eq!(table.arm(1, UpCard::Other), Outcome::Accepted);
        assert_eq!(table.read(Rank::Ace), Lit::one(ReaderLamp::Notice));
        assert_eq!(table.looks(), looks, "no capture at all");
        assert_eq!(table.verdicts(), [Reading::Notice]);
        let step = match game {
            Game::DoubleAttackBlackjack => NextStep::TellFloorAndContinueIfSilent,
            _ => NextStep::TellFloorAndContinue,
        };
        assert_eq!(table.irregularity(Trouble::WrongUpCard).unwrap().next_step, step);
        assert_eq!(table.end(1), Outcome::Accepted);
        assert_eq!(table.arm(2, UpCard::Ace), Outcome::Accepted, "play goes on");
        assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
    }
}

/// RD-05, RD-06: two questions about one card would tell more than one answer.
#[test]
fn a_second_question_gets_the_notice_until_the_round_is_over() {
    let mut table = Table::in_service(Game::DoubleBackJack);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.read(Rank::Five), Lit::one(ReaderLamp::NoBlackjack));
    table.run_for(1_500);
    table.tap(Key::TenValue);
    assert_eq!(table.world.lit(), Lit::one(ReaderLamp::Notice));
    assert_eq!(
        table.irregularity(Trouble::SecondQuestion).unwrap().next_step,
        NextStep::TellFloorAndContinue
    );
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::OutOfTurn, "the round is shut for good");
    let looks = table.looks();
    assert_eq!(table.read(Rank::Five), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.looks(), looks);
    // Pulling the plug does not open it again.
    let mut table = table.power_cycled();
    assert_eq!(table.arm(1, UpCard::TenValue), Outcome::OutOfTurn);
    assert_eq!(table.read(Rank::Five), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.arm(2, UpCard::TenValue), Outcome::Accepted);
    assert_eq!(table.read(Rank::Ace), Lit::one(ReaderLamp::Blackjack));
}

/// RD-05: the question outlives a power cut, so another one is still the second.
#[test]
fn a_power_cut_does_not_buy_a_second_question() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(8, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.read(Rank::Five), Lit::one(ReaderLamp::NoBlackjack));
    let mut table = table.power_cycled();
    assert_eq!(table.read(Rank::Five), Lit::one(ReaderLamp::NoBlackjack), "the same question");
    assert_eq!(table.arm(8, UpCard::TenValue), Outcome::OutOfTurn);
    assert_eq!(table.read(Rank::Ace), Lit::one(ReaderLamp::NoBlackjack), "and no other");
}

/// RD-12: late surrender reads again: the same answer, one round, no lock-out.
#[test]
fn the_same_card_may_be_read_five_times_in_a_round() {
    let mut table = Table::in_service(Game::DoubleAttackBlackjack);
    assert_eq!(table.arm(3, UpCard::TenValue), Outcome::Accepted);
    for _ in 0..5 {
        assert_eq!(table.read(Rank::Seven), Lit::one(ReaderLamp::NoBlackjack));
        assert_eq!(table.arm(3, UpCard::TenValue), Outcome::Accepted, "and told again");
    }
    let tries: Vec<_> =
        table.events::<Verdict>().iter().map(|event| (event.round, event.tries)).collect();
    assert_eq!(tries, [(3, 1), (3, 2), (3, 3), (3, 4), (3, 5)]);
    assert_eq!(table.events::<Armed>().len(), 1, "one round");
}

/// RD-13: one stamped event for each insertion and removal, without the card.
#[test]
fn each_insertion_is_published_once_with_its_time() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(5, UpCard::Ace), Outcome::Accepted);
    let before = table.now.as_millis();
    table.read(Rank::Ten);
    let events = table.events::<Insertion>();
    let kinds: Vec<_> =
        events.iter().map(|event| (event.round, event.change, event.tries)).collect();
    assert_eq!(kinds, [(5, NestChange::Inserted, 1), (5, NestChange::Removed, 1)]);
    assert!(events[0].stamp.time_ms > before && events[1].stamp.time_ms > events[0].stamp.time_ms);
}

/// RD-17: a ten where there are none: not a sign while the round lasts, an alarm after it.
#[test]
fn a_foreign_ten_is_published_only_when_the_round_is_over() {
    let mut table = Table::in_service(Game::DoubleAttackBlackjack);
    for (round, hole) in [(1, Rank::King), (2, Rank::Ten)] {
        assert_eq!(table.arm(round, UpCard::Ace), Outcome::Accepted);
        assert_eq!(table.read(hole), Lit::one(ReaderLamp::Blackjack));
        table.run_for(3_000);
        assert_eq!(table.irregularity(Trouble::WrongDeck), None);
        assert_eq!(table.end(round), Outcome::Accepted);
        table.run_for(100);
        assert_eq!(table.irregularity(Trouble::WrongDeck).is_some(), hole == Rank::Ten);
    }
    assert_eq!(table.irregularity(Trouble::WrongDeck).unwrap().next_step, NextStep::RemoveDeck);
    use croupier::protocol::generated::croupier::common::{ClearRequest, Cleared};
    let clear = ClearRequest { trouble: Trouble::WrongDeck, ..ClearRequest::default() };
    assert_eq!(table.ask(Role::Dealer, &clear).0, Outcome::NotAuthorised);
    assert_eq!(table.status().next_step, NextStep::RemoveDeck);
    assert_eq!(table.ask(Role::Floorperson, &clear).0, Outcome::Accepted);
    assert_eq!(table.events::<Cleared>().last().unwrap().trouble, Trouble::WrongDeck);
    assert_eq!(table.status().next_step, NextStep::None);
}

/// RD-21: the lamp comes at one time and goes when the card does, or at its limit.
#[test]
fn the_lamp_comes_at_its_millisecond_and_goes_with_the_card() {
    let mut table = Table::in_service(MASQUE);
    for hole in [Rank::Two, Rank::Nine, Rank::Ace] {
        table.world.0.borrow_mut().trace.clear();
        table.slide_in(Thing::Card(hole));
        table.run_for(SHOWN_AT_MOST.get() + 1_000);
        table.pull_out();
        let world = table.world.0.borrow();
        let looked = world.trace.iter().find(|(_, line)| *line == Line::Look).unwrap().0;
        let lamps = world.trace.iter().filter(|(_, line)| matches!(line, Line::Lamps(_)));
        let times: Vec<_> = lamps.map(|(at, _)| at.since(looked)).collect();
        assert_eq!(times, [VERDICT_AFTER, VERDICT_AFTER + SHOWN_AT_MOST]);
    }
    table.read(Rank::Two);
    table.run_for(1_200);
    assert_eq!(table.world.lit(), Lit::NONE, "gone with the card");
}

/// RD-05, RD-21: an answer, no answer and the notice all come so long after home.
#[test]
fn whatever_is_said_is_said_at_the_same_time() {
    let mut table = Table::in_service(Game::FreeBet);
    for (round, up_card, thing) in [
        (1, UpCard::Ace, Thing::Card(Rank::King)),
        (2, UpCard::Ace, Thing::Card(Rank::Two)),
        (3, UpCard::TenValue, Thing::Unreadable),
        (4, UpCard::Other, Thing::Card(Rank::Ace)),
        (5, UpCard::Unsaid, Thing::Unreadable),
    ] {
        assert_eq!(table.arm(round, up_card), Outcome::Accepted);
        table.run_for(2_000);
        table.world.0.borrow_mut().trace.clear();
        assert_ne!(table.read_thing(thing), Lit::NONE);
        let events = table.events::<Insertion>();
        let home = events.iter().rfind(|event| event.change == NestChange::Inserted).unwrap();
        let world = table.world.0.borrow();
        let lamps = world.trace.iter().find(|(_, line)| matches!(line, Line::Lamps(_))).unwrap();
        let home = Instant::from_millis(home.stamp.time_ms);
        assert_eq!(lamps.0.since(home), VERDICT_AFTER);
    }
}

/// RD-11, RD-14: a card that moves before its verdict has none.
#[test]
fn a_card_pulled_too_early_is_not_answered() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    table.pull_out();
    table.run_for(400);
    assert_eq!(table.world.lit(), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.verdicts(), [Reading::CannotRead]);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
}

/// RD-14: nothing is asked, published or ended under a card that lies there.
#[test]
fn a_card_in_the_nest_keeps_the_round_as_it_is() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    assert_eq!(table.status().activity, Activity::Answered);
    assert_eq!(table.end(1), Outcome::OutOfTurn);
    assert_eq!(table.arm(2, UpCard::TenValue), Outcome::OutOfTurn);
    table.run_for(70_000);
    assert_eq!(
        table.irregularity(Trouble::CardLeft).unwrap().next_step,
        NextStep::TellFloorAndContinue
    );
    table.pull_out();
    assert_eq!(table.end(1), Outcome::Accepted);
}

/// CM-07, RD-23: no other game in a round, none without authority, none without a reader.
#[test]
fn the_game_is_set_between_rounds_and_only_where_a_reader_belongs() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.ask(Role::Floorperson, &set(MASQUE)).0, Outcome::InRound);
    table.slide_in(Thing::Card(Rank::King));
    assert_eq!(table.ask(Role::Floorperson, &set(MASQUE)).0, Outcome::InRound);
    table.run_for(500);
    table.pull_out();
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.ask(Role::Dealer, &set(MASQUE)).0, Outcome::NotAuthorised);
    let stud = set(Game::RaiseItUpStud);
    assert_eq!(table.ask(Role::Floorperson, &stud).0, Outcome::OutOfRange);
    assert_eq!(table.ask(Role::Floorperson, &set(MASQUE)).0, Outcome::Accepted);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Large), "never the peek's lamps");
}

/// RD-09, RD-22: a window that dims is published once, before it is out of service.
#[test]
fn a_dirty_window_is_published_and_an_unusable_one_stops_the_table() {
    let mut table = Table::in_service(MASQUE);
    table.world.0.borrow_mut().window = Window::Dirty;
    for _ in 0..2 {
        assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Large));
    }
    let advice = table.troubles().iter().filter(|event| **event == Trouble::WindowDirty).count();
    assert_eq!(advice, 1);
    table.world.0.borrow_mut().window = Window::Unusable;
    table.slide_in(Thing::Card(Rank::King));
    table.run_for(600);
    assert!(matches!(table.context.device.state(), State::Faulted(_)));
    assert_eq!(table.status().condition, Condition::Malfunction);
    assert_eq!(table.verdicts().len(), 2, "no answer through it");
}
