//! Batches over the wire: opened, retired, and another number of decks.

use crate::harness::cards;
use crate::wire::{Linked, NOON};
use croupier::cards::BackColour::{Blue, Red};
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{
    Batch, BatchChange, BatchChanged, Purpose, Task,
};
use croupier::shuffler::Model;

/// SH-15: from six decks to eight and back, both batches can be opened, in either order.
#[test]
fn a_change_of_decks_locks_no_batch_out() {
    let mut table = Linked::of(Model::MultiDeck, Game::FreeBet, 6);
    for (decks, first, second) in
        [(8, Batch::First, Batch::Second), (6, Batch::Second, Batch::First)]
    {
        table.set_decks(Game::FreeBet, decks);
        table.wait(1_000);
        let retired = table.events::<BatchChanged>();
        let two = retired.iter().rev().take(2);
        assert!(two.clone().all(|one| one.change == BatchChange::Retired), "{retired:?}");
        assert!(two.clone().all(|one| one.decks == 14 - decks), "{retired:?}");
        let batches = table.rig.shuffler.batches();
        assert_eq!((batches.lives, batches.last_played), ([None; 2], None));
        assert_eq!(table.open(first, 14 - decks).0, Outcome::OutOfRange, "not the profile's");
        assert_eq!(table.open(first, decks), (Outcome::Accepted, 24 * 60));
        assert_eq!(table.open(second, decks), (Outcome::Accepted, 24 * 60));
        table.wait(1_000);
        let opened = table.events::<BatchChanged>().pop().unwrap();
        assert_eq!((opened.change, opened.batch), (BatchChange::Opened, second));
        assert_eq!((opened.decks, opened.by), (decks, Role::Floorperson));
    }
    table.rig.cut_power();
    for colour in [Red, Blue] {
        assert_eq!(table.rig.shuffler.batches().life(colour).map(|life| life.decks), Some(6));
    }
}

/// SH-15, SH-16: a deck that was removed is retired on a floorperson's word, and the one left plays
/// alone where the game says "may".
#[test]
fn a_removed_deck_is_retired_and_the_one_left_plays_alone() {
    for (left, gone, colour) in
        [(Batch::First, Batch::Second, Red), (Batch::Second, Batch::First, Blue)]
    {
        let mut table = Linked::new();
        let play = |table: &mut Linked| {
            table.rig.put_in(cards(52, colour));
            let started = table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
            assert_eq!(started, Outcome::Accepted);
            table.run();
            let released = table.command(Role::Dealer, Task::Release, Purpose::None);
            if released == Outcome::Accepted {
                table.rig.take_stack();
            }
            released
        };
        assert_eq!(play(&mut table), Outcome::Accepted);
        let before = *table.rig.shuffler.batches();
        for role in [Role::Dealer, Role::Service, Role::Controller] {
            assert_eq!(table.retire(role, gone), Outcome::NotAuthorised, "{role:?}");
        }
        assert_eq!(table.retire(Role::Floorperson, Batch::None), Outcome::OutOfRange);
        assert_eq!(table.retire(Role::Floorperson, left), Outcome::InRound, "in play");
        assert_eq!(*table.rig.shuffler.batches(), before, "a refusal changes nothing");
        assert_eq!(table.retire(Role::Floorperson, gone), Outcome::Accepted);
        table.wait(1_000);
        let retired = table.events::<BatchChanged>().pop().unwrap();
        assert_eq!((retired.change, retired.batch), (BatchChange::Retired, gone));
        assert_eq!((retired.decks, retired.by), (1, Role::Floorperson));
        assert_eq!(table.retire(Role::Floorperson, gone), Outcome::NotFound, "once");
        table.rig.cut_power();
        assert_eq!(table.rig.shuffler.batches().life(colour.other()), None, "kept");
        assert_eq!(play(&mut table), Outcome::Accepted, "it plays alone");
        // Inside and certified it stays.
        table.rig.put_in(cards(52, colour));
        table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
        assert_eq!(table.retire(Role::Floorperson, left), Outcome::InRound, "nobody said DEALT");
        table.run();
        assert!(table.rig.is_certified());
        assert_eq!(table.retire(Role::Floorperson, left), Outcome::OutOfTurn, "it is inside");
        assert_eq!(table.open(gone, 1).0, Outcome::Accepted);
        assert_eq!(table.retire(Role::Floorperson, gone), Outcome::Accepted, "the other is not");
    }
}

/// SH-15: where two are a must, the device says which one is missing.
#[test]
fn a_game_that_must_have_two_batches_says_which_one_is_missing() {
    for (gone, number, words) in
        [(Batch::First, 1, "red batch is missing"), (Batch::Second, 2, "blue batch is missing")]
    {
        let mut table = Linked::of(Model::MultiDeck, Game::DownUnderBlackjack, 4);
        assert_eq!(table.rig.shown().lines[1], "685a: 208 cards");
        assert_eq!(table.retire(Role::Floorperson, gone), Outcome::Accepted);
        table.wait(1_000);
        let event = table.events::<Irregularity>().pop().unwrap();
        assert_eq!((event.trouble, event.next_step), (Trouble::BatchMissing, NextStep::OpenBatch));
        assert_eq!(event.detail, number);
        assert_eq!(table.rig.shown().lines[1], words);
        assert_eq!(table.open(gone, 4).0, Outcome::Accepted);
        assert_eq!(table.rig.shown().lines[1], "685a: 208 cards");
    }
}

/// SH-15: while cards move nothing is retired; nor while they may be inside after a stop.
#[test]
fn nothing_is_retired_that_is_or_may_be_inside() {
    let mut table = Linked::new();
    table.rig.put_in(cards(52, Red));
    table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
    while table.rig.world.inside() < 9 {
        table.rig.step();
    }
    assert_eq!(table.retire(Role::Floorperson, Batch::Second), Outcome::Busy);
    table.command(Role::Dealer, Task::Abort, Purpose::None);
    table.run();
    assert_eq!(table.retire(Role::Floorperson, Batch::First), Outcome::OutOfTurn);
    assert_eq!(table.retire(Role::Floorperson, Batch::Second), Outcome::Accepted);
    table.rig.cut_power();
    assert_eq!(table.retire(Role::Floorperson, Batch::First), Outcome::OutOfTurn, "not known");
}

/// SH-28, SH-40, CM-09: each refusal has its own name on the wire.
#[test]
fn what_is_refused_for_age_or_a_stored_batch_has_its_own_name() {
    let mut table = Linked::bare();
    table.rig.put_in(cards(52, Red));
    let start = |table: &mut Linked| table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
    assert_eq!(start(&mut table), Outcome::ClockUnset);
    table.set_clock(NOON);
    assert_eq!(start(&mut table), Outcome::BatchNotOpened);
    assert_eq!(table.open(Batch::First, 1).0, Outcome::Accepted);
    assert_eq!(start(&mut table), Outcome::Accepted);
    table.run();
    assert_eq!(start(&mut table), Outcome::BatchStored);
}

/// SH-17: a second deck that is opened while the first waits inside has the turn; retired, it has not.
#[test]
fn a_deck_that_was_played_alone_waits_once_the_other_is_opened() {
    let mut table = Linked::bare();
    table.set_clock(NOON);
    assert_eq!(table.open(Batch::First, 1).0, Outcome::Accepted);
    for _ in 0..2 {
        table.rig.put_in(cards(52, Red));
        table.command(Role::Dealer, Task::Start, Purpose::FullBatch);
        table.run();
        assert!(table.rig.is_certified());
        if table.rig.shuffler.batches().last_played.is_none() {
            table.command(Role::Dealer, Task::Release, Purpose::None);
            table.rig.take_stack();
        }
    }
    assert_eq!(table.open(Batch::Second, 1).0, Outcome::Accepted);
    for role in [Role::Dealer, Role::Floorperson] {
        assert_eq!(table.command(role, Task::Release, Purpose::None), Outcome::OutOfTurn);
    }
    table.wait(1_000);
    let event = table.events::<Irregularity>().pop().unwrap();
    assert_eq!(event.trouble, Trouble::SameBatchAgain);
    assert!(table.rig.is_certified(), "a refusal changes nothing");
    assert_eq!(table.retire(Role::Floorperson, Batch::Second), Outcome::Accepted);
    assert_eq!(table.command(Role::Dealer, Task::Release, Purpose::None), Outcome::Accepted);
}
