//! The shuffler's rules on the mechanical world, in process and in virtual time.

use croupier::cards::BackColour;
use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::{NextStep, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Back, Cut, DeviceEvent, Fault, State};
use hil_tests::world::shuffler::simulation::is_certified;
use hil_tests::world::shuffler::{Card, Fate, Planned, Simulation, Trouble, pack};

const DECK: u32 = 52;

fn deck(fate: Fate) -> Simulation {
    Simulation::loaded(Game::FlopPoker, 1, fate, 7).expect("a game of one deck")
}

fn next_step(table: &Simulation) -> Option<NextStep> {
    table.events.iter().rev().find_map(|event| match event {
        DeviceEvent::Irregularity(received) => Some(received.next_step),
        _ => None,
    })
}

/// SH-01, SH-06, SH-07: what comes out is, card for card, what was drawn.
#[test]
fn every_batch_comes_out_exactly_as_drawn() {
    let games = [
        (Game::FlopPoker, 1),
        (Game::SixCardFortunePaiGow, 1),
        (Game::DoubleAttackBlackjack, 8),
        (Game::DownUnderBlackjack, 4),
        (Game::FreeBet, 6),
        (Game::FreeBet, 8),
    ];
    for (game, decks) in games {
        let mut table = Simulation::loaded(game, decks, Fate::kind(1), decks.into()).unwrap();
        assert!(table.shuffle(Role::Dealer), "{game:?}: {:?}", table.shuffler.state());
        assert!(table.is_as_drawn(), "{game:?} with {decks} decks");
        assert_eq!(table.mechanism.damage, 0);
        table.mechanism.places.assert_each_once();
    }
}

/// SH-22: whatever goes wrong, and wherever, nothing wrong is certified, and after a full
/// reshuffle everything is right again.
#[test]
fn every_trouble_at_every_card_ends_well_or_is_said() {
    for (trouble, ..) in Trouble::ALL {
        for at in 1..=DECK {
            let mut table = deck(Fate::kind(u64::from(at)).with(Planned { trouble, at }));
            let certified = table.shuffle(Role::Dealer);
            assert!(!certified || table.is_as_drawn(), "{trouble}@{at} was certified");
            if certified {
                continue;
            }
            let stopped = matches!(table.shuffler.state(), State::Stopped(_));
            assert!(stopped, "{trouble}@{at}: {:?}", table.shuffler.state());
            let step = next_step(&table);
            assert!(step.is_some(), "{trouble}@{at} and not a word");
            table.put_right();
            if step == Some(NextStep::RemoveDeck) {
                // What left the table is of no use again: these cards stand for a new deck.
                assert!(!table.shuffle(Role::Service), "{trouble}@{at}");
                assert_eq!(table.open_batch(BackColour::Blue, 1), Ok(()));
            }
            assert!(
                table.shuffle(Role::Service),
                "{trouble}@{at} then {:?}",
                table.shuffler.state()
            );
            assert!(table.is_as_drawn() && table.mechanism.places.delivery.len() == 52);
        }
    }
}

/// SH-08: only a deck that is wrong is removed.
#[test]
fn no_trouble_of_the_machine_condemns_a_whole_deck() {
    let missing = [Trouble::Hand, Trouble::UnderTheRail];
    for (trouble, ..) in Trouble::ALL.iter().filter(|(trouble, ..)| !missing.contains(trouble)) {
        for (game, decks) in [(Game::FlopPoker, 1), (Game::DownUnderBlackjack, 4)] {
            for at in [1, 9, 26, DECK] {
                let fate = Fate::kind(3).with(Planned { trouble: *trouble, at });
                let mut table = Simulation::loaded(game, decks, fate, 7).unwrap();
                table.shuffle(Role::Dealer);
                assert_ne!(next_step(&table), Some(NextStep::RemoveDeck), "{trouble}@{at}");
                assert!(!is_certified(&table.shuffler) || table.is_as_drawn(), "{trouble}@{at}");
            }
        }
    }
}

/// SH-07, SH-08: a card too few and a card too many are found, said, and never certified.
#[test]
fn a_wrong_number_is_found_and_the_deck_removed() {
    for (cards, found) in [(50, 50), (51, 51), (53, 53), (54, 54)] {
        let mut table = deck(Fate::kind(1));
        table.mechanism.take_feed(table.now());
        table.load(pack(cards, BackColour::Red));
        assert!(!table.shuffle(Role::Dealer));
        assert_eq!(table.shuffler.state(), State::Stopped(Fault::WrongCount(found)));
        assert_eq!(next_step(&table), Some(NextStep::RemoveDeck));
    }
}

/// As at the Golden Nugget: a deck in new-deck order comes out mixed, or not at all.
#[test]
fn new_deck_order_never_comes_out() {
    let mut neighbours = 0;
    let mut table = deck(Fate::field(11, 20.0));
    for _ in 0..300 {
        let mut cards: Vec<_> = table.mechanism.take_feed(table.now());
        cards.sort_unstable();
        table.put_back(&cards);
        if table.shuffle(Role::Service) {
            let out: Vec<_> = table.mechanism.places.delivery.iter().copied().collect();
            assert_ne!(out, cards, "new-deck order was certified");
            neighbours += out.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count();
            let cards = table.deal();
            table.put_back(&cards);
        } else {
            table.put_right();
        }
    }
    // 51/52 a shuffle on average; a sorted deck has 51.
    assert!(neighbours < 300 * 2, "{neighbours} neighbours survived 300 shuffles");
}

/// As at SugarHouse: cards left inside are known and said, and no round is dealt short.
#[test]
fn cards_left_inside_are_always_known() {
    for (trouble, cut) in [(Trouble::Power, Cut::Power), (Trouble::Lid, Cut::Lid)] {
        for at in 1..=DECK {
            let mut table = deck(Fate::kind(5).with(Planned { trouble, at }));
            assert!(!table.shuffle(Role::Dealer));
            assert_eq!(table.shuffler.state(), State::Stopped(Fault::Interrupted(cut)));
            let (record, census) = (table.shuffler.record(), table.mechanism.places.census());
            let known = usize::from(record.inventory.inside) >= census.wheel;
            assert!(!record.inventory.certain && known, "{cut:?}@{at}: {:?}", record.inventory);
            // The cards in the feed alone are not a deck: those inside come out first.
            table.put_right();
            assert!(table.shuffle(Role::Service), "{cut:?}@{at}: {:?}", table.shuffler.state());
            assert_eq!(table.mechanism.places.delivery.len(), 52);
        }
    }
}

/// As at the Borgata, SH-18: one foreign back in 52 is found wherever it lies.
#[test]
fn a_foreign_back_is_found_at_any_place() {
    for place in 0..52 {
        let mut table = deck(Fate::kind(1));
        table.mechanism.take_feed(table.now());
        let mut cards = pack(52, BackColour::Blue);
        cards[place] = Card::new(BackColour::Red);
        table.load(cards);
        assert!(!table.shuffle(Role::Dealer), "one foreign back at {place}");
        let fault = table.shuffler.state();
        assert!(matches!(fault, State::Stopped(Fault::ForeignBack(_))), "{place}: {fault:?}");
    }
}

/// SH-29, SH-26: a card face up is reported; a cover card is not counted.
#[test]
fn a_boxed_card_is_reported_and_a_cover_card_is_not_counted() {
    for place in [0, 1, 25, 51] {
        let mut table = deck(Fate::kind(1));
        let boxed = table.mechanism.places.tray[place];
        table.mechanism.places.card_mut(boxed).face_up = true;
        assert!(!table.shuffle(Role::Dealer));
        assert!(matches!(table.shuffler.state(), State::Stopped(Fault::FaceUp(1))));

        let mut table = deck(Fate::kind(1));
        table.load(vec![Card::cover()]);
        assert!(table.shuffle(Role::Dealer), "{:?}", table.shuffler.state());
        assert!(table.is_as_drawn());
        let delivered = &table.mechanism.places.delivery;
        let covers = delivered
            .iter()
            .filter(|card| table.mechanism.places.card(**card).looks() == Back::Cover);
        assert_eq!((delivered.len(), covers.count()), (53, 1));
    }
}

/// SH-17: the batch that was played last is refused, whether or not somebody said that its shoe is
/// over; the other one is taken.
#[test]
fn two_equal_batches_in_a_row_are_refused() {
    let mut table = Simulation::loaded(Game::DownUnderBlackjack, 4, Fate::kind(1), 1).unwrap();
    assert!(table.shuffle(Role::Dealer), "{:?}", table.shuffler.state());
    assert_eq!(table.open_batch(BackColour::Red, 4), Ok(()));
    assert_eq!(table.ask(Task::Release, Purpose::None, Role::Dealer), Ok(()));
    let blue = table.take_stack();
    table.put_back(&blue);
    assert!(!table.shuffle(Role::Dealer));
    assert_eq!(table.shuffler.state(), State::Stopped(Fault::SameBatchAgain));
    table.put_right();
    table.mechanism.take_feed(table.now());
    table.settle();
    assert!(!is_certified(&table.shuffler));
    // Blue cards may still be inside: they come out first, and are taken away.
    while !table.mechanism.places.slots.iter().all(|slot| slot.is_empty()) {
        table.shuffle(Role::Service);
        table.put_right();
        table.mechanism.take_feed(table.now());
        table.settle();
    }
    table.load(pack(208, BackColour::Red));
    assert!(table.shuffle(Role::Service), "{:?}", table.shuffler.state());
}
