//! What is counted: the right number of the right backs, face down, or no certificate.

use crate::harness::{Card, Rig, cards, numbers};
use croupier::cards::BackColour::{Blue, Red};
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{
    Batch, CountVerdict, Phase, Purpose, Task,
};
use croupier::shuffler::{Back, Fault, Model, State};

/// SH-07, SH-08, SH-27: any wrong number is shown once, the door stays shut, the deck is removed.
#[test]
fn a_wrong_count_is_shown_and_latched_until_a_floorperson_removes_the_deck() {
    for count in [1, 47, 50, 51, 53, 54, 57] {
        let mut rig = Rig::single(count);
        rig.shuffle();
        // The 55th finds no slot, is counted, and those behind it are not.
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(count.min(55))));
        assert_eq!(rig.count_verdict(), Some(CountVerdict::Wrong));
        assert!(!rig.is_certified());
        let shown = rig.shown();
        assert!(shown.door_locked && shown.red && !shown.green);
        assert_eq!(shown.lines[1], "remove deck: call floor");
        assert_eq!(rig.start(), Err(Refused::OutOfTurn), "cards in the tray");
        assert_eq!(
            rig.command(Task::Release, Purpose::None, Role::Dealer),
            Err(Refused::OutOfTurn)
        );
        assert_eq!(
            rig.command(Task::Empty, Purpose::None, Role::Dealer),
            Err(Refused::NotAuthorised)
        );
        assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
        rig.run();
        assert!(!rig.shown().door_locked);
        rig.take_stack();
        assert_eq!(rig.world.inside(), 0, "SugarHouse: nothing stays inside");
    }
}

/// SH-18 (Borgata): one foreign back among 52 is found at any position, the total being right.
#[test]
fn one_foreign_back_is_found_at_any_position() {
    for position in 1..=52_u16 {
        for back in [Back::Colour(Blue), Back::Unknown] {
            let mut rig = Rig::single(0);
            let mut deck = cards(52, Red);
            deck[usize::from(position) - 1].back = back;
            rig.put_in(deck);
            rig.shuffle();
            let expected = match (position, back) {
                // The first back decides which batch it is; the second is the foreign one.
                (1, Back::Colour(_)) => Fault::ForeignBack(2),
                _ => Fault::ForeignBack(position),
            };
            assert_eq!(rig.stopped(), Some(expected));
            assert!(!rig.is_certified());
        }
    }
}

/// SH-29: every card face up is counted and published, and the stack is not offered.
#[test]
fn cards_face_up_are_all_reported_and_nothing_is_certified() {
    for turned in [1_u16, 2, 5] {
        let mut rig = Rig::single(0);
        let mut deck = cards(52, Red);
        for place in 0..turned {
            deck[usize::from(place * 9 + 3)].back = Back::FaceUp;
        }
        rig.put_in(deck);
        rig.shuffle();
        assert_eq!(rig.stopped(), Some(Fault::FaceUp(turned)));
        assert!(!rig.is_certified());
    }
}

/// SH-26: cover cards come along, are published, and are in no count.
#[test]
fn cover_cards_are_recognised_and_not_counted() {
    for (model, game, decks, covers) in [
        (Model::SingleDeck, Game::FlopPoker, 1, 2),
        (Model::MultiDeck, Game::DownUnderBlackjack, 8, 1),
        (Model::MultiDeck, Game::DownUnderBlackjack, 8, 3),
    ] {
        let mut rig = Rig::new(model, game, decks);
        let mut deck = cards(rig.total(), Red);
        for cover in 0..covers {
            let card = Card { number: 900 + cover, back: Back::Cover };
            deck.insert(usize::from(cover) * 20 + 10, card);
        }
        rig.put_in(deck);
        rig.shuffle();
        assert!(rig.is_certified(), "{:?}", rig.shuffler.state());
        let tally = rig.shuffler.receipt().unwrap().tally;
        assert_eq!((tally.ejected, tally.cover_cards), (rig.total(), covers as u8));
        assert_eq!(numbers(&rig.world.delivery)[..usize::from(rig.total())], rig.orders[0]);
        assert_eq!(rig.world.inside(), 0);
    }
}

/// SH-28: any number, no verdict on it, and never ready for a shoe.
#[test]
fn a_declared_partial_batch_of_any_size_is_shuffled_but_never_certified() {
    for count in [20, 100, 399, 400] {
        let mut rig = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 8);
        rig.put_in(cards(count, Red));
        let started = rig.command(Task::Start, Purpose::PartialBatch, Role::Dealer);
        assert_eq!(started, Ok(()));
        rig.run();
        assert_eq!(rig.shuffler.state(), State::Ready, "{count}");
        assert_eq!(rig.count_verdict(), Some(CountVerdict::Partial));
        assert!(!rig.is_certified());
        let came: Vec<u16> = rig.orders[0].iter().copied().filter(|card| *card < count).collect();
        assert_eq!(numbers(&rig.world.delivery), came);
        assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Err(Refused::OutOfTurn));
        assert_eq!(rig.command(Task::Release, Purpose::None, Role::Dealer), Ok(()));
        // The next full cycle asks for the full batch.
        let stack = rig.take_stack();
        rig.put_in(stack);
        rig.shuffle();
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(count)));
    }
    let mut poker = Rig::single(30);
    let started = poker.command(Task::Start, Purpose::PartialBatch, Role::Dealer);
    assert_eq!(started, Err(Refused::WrongProfile), "no shoe runs out in poker");
}

/// SH-14, SH-46: counted, checked, order kept; the receipt says so.
#[test]
fn counting_only_keeps_the_order_and_certifies_nothing() {
    let mut rig = Rig::single(52);
    assert_eq!(rig.command(Task::Start, Purpose::CountOnly, Role::Dealer), Ok(()));
    rig.run();
    assert_eq!(numbers(&rig.world.delivery), (0..52).collect::<Vec<_>>());
    assert!(rig.orders.is_empty(), "nothing was drawn");
    assert!(!rig.is_certified());
    let receipt = rig.shuffler.receipt().unwrap();
    assert_eq!((receipt.purpose, receipt.by), (Purpose::CountOnly, Role::Dealer));
    assert_eq!(rig.shown().lines[1], "NOT SHUFFLED");
}

/// SH-26: in 588 there are two cover cards and one slot to spare; they go through one by one.
#[test]
fn more_cover_cards_than_spare_slots_go_through_one_by_one() {
    for covers in 1..=4 {
        let mut rig = Rig::new(Model::SingleDeck, Game::SixCardFortunePaiGow, 1);
        let mut deck = cards(53, Red);
        for cover in 0..covers {
            let card = Card { number: 900 + cover, back: Back::Cover };
            deck.insert(usize::from(cover) * 9 + 3, card);
        }
        rig.put_in(deck);
        rig.shuffle();
        assert!(rig.is_certified(), "{covers}: {:?}", rig.shuffler.state());
        let tally = rig.shuffler.receipt().unwrap().tally;
        assert_eq!((tally.ejected, tally.cover_cards), (53, covers as u8));
        let order: Vec<u16> =
            numbers(&rig.world.delivery).into_iter().filter(|n| *n < 900).collect();
        assert_eq!(order, rig.orders[0]);
        assert_eq!(rig.world.inside(), 0);
    }
}

/// SH-26: where there is no such way out, that is said, and nothing is certified.
#[test]
fn a_cover_card_too_many_must_be_taken_out() {
    let mut rig = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 8);
    let mut deck = cards(416, Red);
    for cover in 0..5 {
        deck.insert(10, Card { number: 900 + cover, back: Back::Cover });
    }
    rig.put_in(deck);
    rig.shuffle();
    assert_eq!(rig.stopped(), Some(Fault::CoverCards));
    assert_eq!(rig.shown().lines[0], "TAKE OUT COVER CARDS");
    assert!(!rig.is_certified());
}

/// SH-15, SH-17: the batch that START asks for is the one that is taken; the other is foreign from
/// its first card. Asked for none, the first back decides.
#[test]
fn sh_17_start_takes_the_batch_it_asks_for_and_no_other() {
    let models =
        [(Model::SingleDeck, Game::FlopPoker, 1), (Model::MultiDeck, Game::DownUnderBlackjack, 4)];
    for (model, game, decks) in models {
        for (batch, wanted) in
            [(Batch::None, None), (Batch::First, Some(Red)), (Batch::Second, Some(Blue))]
        {
            for back in [Red, Blue] {
                for purpose in [Purpose::FullBatch, Purpose::CountOnly] {
                    let mut rig = Rig::new(model, game, decks);
                    rig.put_in(cards(rig.total(), back));
                    let started = rig.command_of(batch, Task::Start, purpose, Role::Dealer);
                    assert_eq!(started, Ok(()));
                    rig.run();
                    let right = wanted.is_none_or(|wanted| wanted == back);
                    let fault = (!right).then_some(Fault::ForeignBack(1));
                    assert_eq!(rig.stopped(), fault, "{model:?} {batch:?} {back:?} {purpose:?}");
                    assert_eq!(rig.is_certified(), right && purpose == Purpose::FullBatch);
                }
            }
        }
    }
}

/// SH-07: a card laid into the tray in the second pass stops it there, before a card of the stack
/// comes out and before anything is counted.
#[test]
fn sh_07_a_card_laid_in_during_the_second_pass_stops_it_there() {
    for late in [1, 200] {
        let mut rig = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 4);
        rig.put_in(cards(208, Red));
        rig.start().unwrap();
        loop {
            assert!(rig.step());
            let (phase, pass, done, _) = rig.shuffler.progress();
            if (phase, pass) == (Phase::Reordering, 2) && done >= late {
                break;
            }
        }
        rig.put_in(cards(1, Red));
        rig.run();
        assert_eq!(rig.stopped(), Some(Fault::CountNotValid));
        assert_eq!(rig.count_verdict(), None, "nothing was counted");
        assert_eq!(rig.world.delivery.len(), 0, "and none came out");
    }
}
