//! Two batches: whose turn it is, who may change that, and what is stored beside a batch in play.

use crate::harness::{Card, Rig, cards};
use croupier::cards::BackColour::{self, Blue, Red};
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, NextStep, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{
    BatchChange as Change, BatchChanged, Certificate, CertificateReason as Reason, Purpose, Task,
};
use croupier::shuffler::{Beam, DeviceEvent, Event, Fault, Model, State};

/// A game that must have two batches, and one that may.
const GAMES: [(Model, Game, u8); 2] =
    [(Model::MultiDeck, Game::DownUnderBlackjack, 4), (Model::SingleDeck, Game::FlopPoker, 1)];
const COLOURS: [BackColour; 2] = [Red, Blue];

fn batch(rig: &Rig, colour: BackColour) -> Vec<Card> {
    cards(rig.total(), colour)
}

/// Shuffles a batch of this colour that was on the table.
fn shuffle(rig: &mut Rig, colour: BackColour) {
    rig.put_in(batch(rig, colour));
    rig.shuffle();
    assert!(rig.is_certified(), "{:?}", rig.shuffler.state());
}

/// Releases the stack, as `by`, and takes it.
fn play(rig: &mut Rig, by: Role) {
    assert_eq!(rig.command(Task::Release, Purpose::None, by), Ok(()));
    rig.take_stack();
}

fn start(rig: &mut Rig, by: Role) -> Result<(), Refused> {
    let begun = rig.command(Task::Start, Purpose::FullBatch, by);
    rig.run();
    begun
}

fn changes(rig: &Rig) -> Vec<BatchChanged> {
    let change = |event: &DeviceEvent| match event {
        DeviceEvent::Batch(change) => Some(*change),
        _ => None,
    };
    rig.events.iter().filter_map(change).collect()
}

fn last_trouble(rig: &Rig) -> Option<Irregularity> {
    rig.events.iter().rev().find_map(|event| match event {
        DeviceEvent::Irregularity(trouble) => Some(*trouble),
        _ => None,
    })
}

fn last_certificate(rig: &Rig) -> Option<Certificate> {
    rig.events.iter().rev().find_map(|event| match event {
        DeviceEvent::Certificate(certificate) => Some(*certificate),
        _ => None,
    })
}

/// SH-15, SH-17: what was released does not come again before the other batch: no DEALT is needed
/// for that, and neither a power cut nor the dealer's word changes it.
#[test]
fn a_released_batch_does_not_come_again_before_the_other() {
    for (model, game, decks) in GAMES {
        for (number, colour) in COLOURS.into_iter().cycle().take(8).enumerate() {
            let (says_dealt, cut) = (number / 2 % 2 == 0, number / 4 == 0);
            let by = if number % 3 == 0 { Role::Device } else { Role::Dealer };
            let mut rig = Rig::new(model, game, decks);
            shuffle(&mut rig, colour);
            play(&mut rig, Role::Dealer);
            if says_dealt {
                assert_eq!(rig.command(Task::Dealt, Purpose::None, Role::Device), Ok(()));
            }
            if cut {
                rig.cut_power();
            }
            rig.put_in(batch(&rig, colour));
            assert_eq!(start(&mut rig, by), Ok(()));
            let what = format!("{game:?} {colour:?} dealt {says_dealt} cut {cut} {by:?}");
            assert_eq!(rig.stopped(), Some(Fault::SameBatchAgain), "{what}");
            assert_eq!(rig.shown().lines[0], "SAME BATCH AGAIN");
            assert!(!rig.is_certified());
            // The floorperson has it taken out; the other batch is welcome.
            assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
            rig.run();
            rig.world.tray.clear();
            rig.settle_contacts();
            if !rig.world.delivery.is_empty() {
                rig.take_stack();
            }
            shuffle(&mut rig, colour.other());
        }
    }
}

/// SH-05, SH-17: a floorperson may have the same batch shuffled again; that is published with
/// colour and role, and holds for one release.
#[test]
fn the_same_batch_again_is_a_floorpersons_reshuffle_and_recorded() {
    for (model, game, decks) in GAMES {
        for colour in COLOURS {
            let mut rig = Rig::new(model, game, decks);
            shuffle(&mut rig, colour);
            assert_eq!(last_certificate(&rig).unwrap().reason, Reason::WholeCycle);
            assert!(changes(&rig).is_empty());
            play(&mut rig, Role::Dealer);
            assert!(rig.shuffler.services.in_round);
            rig.put_in(batch(&rig, colour));
            assert_eq!(start(&mut rig, Role::Floorperson), Ok(()));
            assert!(rig.is_certified(), "{:?}", rig.stopped());
            assert_eq!(last_certificate(&rig).unwrap().reason, Reason::Reshuffle);
            let change = changes(&rig).pop().unwrap();
            assert_eq!((change.change, change.by), (Change::Reshuffled, Role::Floorperson));
            assert_eq!(change.batch, croupier::shuffler::batch::to_wire(Some(colour)));
            assert_eq!(change.decks, decks);
            assert!(!rig.shuffler.batches().in_play, "it came back whole");
            assert!(!rig.shuffler.services.in_round);
            play(&mut rig, Role::Dealer);
            rig.put_in(batch(&rig, colour));
            assert_eq!(start(&mut rig, Role::Dealer), Ok(()));
            assert_eq!(rig.stopped(), Some(Fault::SameBatchAgain), "one release only");
        }
    }
}

/// SH-16, SH-17: with one deck in use there is nothing to alternate with, and its coming back
/// ends the round.
#[test]
fn a_table_with_one_deck_needs_no_other_and_no_dealt() {
    for colour in COLOURS {
        let mut rig = Rig::with_one(Model::SingleDeck, Game::FlopPoker, 1, colour);
        for _ in 0..3 {
            shuffle(&mut rig, colour);
            assert!(!rig.shuffler.services.in_round && !rig.shuffler.batches().in_play);
            play(&mut rig, Role::Dealer);
            assert!(rig.shuffler.services.in_round);
        }
        assert!(changes(&rig).is_empty());
    }
}

/// SH-28: while one batch is in play the stored one goes out early only on a floorperson's word.
#[test]
fn the_stored_batch_goes_out_early_only_on_a_floorpersons_word() {
    for (model, game, decks) in GAMES {
        for colour in COLOURS {
            let mut rig = Rig::new(model, game, decks);
            shuffle(&mut rig, colour);
            play(&mut rig, Role::Dealer);
            shuffle(&mut rig, colour.other());
            if colour == Blue {
                assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Ok(()));
            }
            let before = (*rig.shuffler.record(), *rig.shuffler.batches(), rig.shuffler.state());
            for by in [Role::Dealer, Role::Device, Role::Service, Role::Controller] {
                let refused = rig.command(Task::Release, Purpose::None, by);
                assert_eq!(refused, Err(Refused::NotAuthorised), "{by:?}");
                if by != Role::Controller {
                    let trouble = last_trouble(&rig).unwrap();
                    let told = (trouble.trouble, trouble.next_step);
                    assert_eq!(told, (Trouble::BatchInPlay, NextStep::CallFloor));
                }
            }
            let now = (*rig.shuffler.record(), *rig.shuffler.batches(), rig.shuffler.state());
            assert_eq!(now, before, "a refusal changes nothing");
            assert!(rig.shown().door_locked);
            play(&mut rig, Role::Floorperson);
            let change = changes(&rig).pop().unwrap();
            assert_eq!((change.change, change.by), (Change::ReleasedEarly, Role::Floorperson));
            // What was in play is shuffled in its turn.
            shuffle(&mut rig, colour);
            assert_eq!(rig.command(Task::Dealt, Purpose::None, Role::Dealer), Ok(()));
            let told = changes(&rig).len();
            play(&mut rig, Role::Dealer);
            assert_eq!(changes(&rig).len(), told, "after DEALT it is not early");
        }
    }
}

/// SH-28: asked to shuffle while a certified batch waits, it says by name what is lawful.
#[test]
fn a_request_beside_a_stored_batch_names_the_lawful_ways() {
    for store in [false, true] {
        let mut rig = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 4);
        shuffle(&mut rig, Red);
        play(&mut rig, Role::Dealer);
        shuffle(&mut rig, Blue);
        if store {
            assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Ok(()));
        }
        rig.put_in(cards(90, Red));
        assert_eq!(rig.shown().lines[0], "HAND SHUFFLE, OR FLOOR");
        assert_eq!(rig.shown().lines[1], "releases stored batch");
        let before = (*rig.shuffler.record(), rig.shuffler.state());
        for (purpose, by) in [
            (Purpose::PartialBatch, Role::Dealer),
            (Purpose::PartialBatch, Role::Device),
            (Purpose::FullBatch, Role::Floorperson),
        ] {
            let told = rig.events.len();
            let refused = rig.command(Task::Start, purpose, by);
            assert_eq!(refused, Err(Refused::BatchStored), "{purpose:?} {by:?}");
            assert_eq!(rig.events.len(), told + 1);
            let trouble = last_trouble(&rig).unwrap();
            let told = (trouble.trouble, trouble.next_step);
            assert_eq!(told, (Trouble::BatchStored, NextStep::HandShuffleOrRelease));
        }
        assert_eq!(rig.start(), Err(Refused::BatchStored), "the dealer's own key too");
        assert_eq!((*rig.shuffler.record(), rig.shuffler.state()), before);
        // One of the ways that were named.
        rig.world.tray.clear();
        rig.settle_contacts();
        play(&mut rig, Role::Floorperson);
        shuffle(&mut rig, Red);
    }
    // Cards that are not certified are no stored batch.
    let mut rig = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 4);
    rig.put_in(cards(90, Red));
    assert_eq!(rig.command(Task::Start, Purpose::PartialBatch, Role::Dealer), Ok(()));
    rig.run();
    assert_eq!(rig.start(), Err(Refused::OutOfTurn));
}

/// A machine with a batch of this colour stored for an idle table.
fn stored(model: Model, game: Game, decks: u8, colour: BackColour) -> Rig {
    let mut rig = Rig::new(model, game, decks);
    shuffle(&mut rig, colour);
    assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Ok(()));
    assert_eq!(rig.shuffler.state(), State::Stored);
    rig
}

/// SH-25: whether it may be dealt unspread is published at STORE and shown, game by game; the other
/// batch in the feed tray and in the mouth does not change it, as 590.5(g)(2) has the cards.
#[test]
fn a_stored_batch_stays_secure_while_the_other_is_laid_into_the_feed_tray() {
    let unspread =
        [Game::FreeBetTemporary, Game::FreeBet, Game::DoubleBackJack, Game::SixCardFortunePaiGow];
    let games = [
        (Model::MultiDeck, Game::DoubleAttackBlackjack, 2),
        (Model::MultiDeck, Game::FreeBetTemporary, 2),
        (Model::MultiDeck, Game::FreeBet, 6),
        (Model::MultiDeck, Game::DoubleBackJack, 2),
        (Model::MultiDeck, Game::DownUnderBlackjack, 4),
        (Model::MultiDeck, Game::FreeBetSouthDakota, 6),
        (Model::SingleDeck, Game::FlopPoker, 1),
        (Model::SingleDeck, Game::RaiseItUpStud, 1),
        (Model::SingleDeck, Game::SixCardFortunePaiGow, 1),
        (Model::SingleDeck, Game::LunarPoker, 1),
        (Model::SingleDeck, Game::CrissCrossPoker, 1),
    ];
    for (model, game, decks) in games {
        // The smallest number of decks that the game and its pack allow.
        let profile =
            croupier::profile::Game::ALL.into_iter().find(|one| one.code() == game.code());
        let allowed = |decks: &u8| profile.unwrap().profile().batch_total(*decks).is_some();
        let decks = (decks..=8).find(allowed).unwrap();
        for colour in COLOURS {
            let mut rig = stored(model, game, decks, colour);
            let may = unspread.contains(&game);
            let told = last_certificate(&rig).unwrap();
            assert_eq!((told.reason, told.unspread), (Reason::Stored, may), "{game:?}");
            let words = if may { "may be dealt unspread" } else { "spread before use" };
            assert_eq!(rig.shown().lines[1], words, "{game:?}");
            let before = *rig.shuffler.record();
            rig.put_in(batch(&rig, colour.other()));
            rig.sense(Event::Beam(Beam::Mouth, true));
            assert_eq!((*rig.shuffler.record(), rig.shuffler.state()), (before, State::Stored));
            assert_eq!(rig.shown().lines[1], words, "{game:?}");
            assert_eq!(rig.start(), Err(Refused::BatchStored));
            play(&mut rig, Role::Dealer);
            assert_eq!(rig.start(), Err(Refused::OutOfTurn), "a card is in the mouth");
            rig.sense(Event::Beam(Beam::Mouth, false));
            rig.shuffle();
            assert!(rig.is_certified(), "{game:?} {:?}", rig.stopped());
        }
    }
}

/// SH-25: a card in the mouth is harmless to a stack that is not stored yet, too; one past it is not.
#[test]
fn a_card_in_the_mouth_is_harmless_to_a_waiting_stack_and_one_past_it_is_not() {
    for store in [false, true] {
        for beam in [Beam::Mouth, Beam::Throat, Beam::Exit] {
            let mut rig = Rig::single(52);
            rig.shuffle();
            if store {
                assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Ok(()));
            }
            rig.sense(Event::Beam(beam, true));
            assert_eq!(rig.is_certified(), beam == Beam::Mouth, "{beam:?} {store}");
        }
    }
}

/// SH-25: lid, door, power and release each end secure storage, on both machines, stored or ready.
#[test]
fn lid_door_power_and_release_each_end_secure_storage() {
    type Blow = (&'static str, fn(&mut Rig));
    let blows: [Blow; 4] = [
        ("lid", |rig| rig.set_lid(true)),
        ("door", |rig| rig.set_door(true)),
        ("power", |rig| rig.cut_power()),
        ("release", |rig| play(rig, Role::Dealer)),
    ];
    for (model, game, decks) in
        [(Model::SingleDeck, Game::SixCardFortunePaiGow, 1), (Model::MultiDeck, Game::FreeBet, 6)]
    {
        for (number, (what, blow)) in blows.into_iter().enumerate() {
            let mut rig = stored(model, game, decks, COLOURS[number % 2]);
            assert!(rig.is_certified() && last_certificate(&rig).unwrap().unspread);
            blow(&mut rig);
            assert!(!rig.is_certified(), "{model:?} {what}");
            assert!(!last_certificate(&rig).unwrap().unspread, "{model:?} {what}");
        }
    }
}

/// SH-25: nothing but a certified stack that waits can be stored, and refused STORE says nothing.
#[test]
fn only_a_certified_stack_can_be_stored() {
    let mut rig = Rig::single(52);
    assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Err(Refused::OutOfTurn));
    rig.shuffle();
    assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Ok(()));
    let told = rig.events.len();
    assert_eq!(rig.command(Task::Store, Purpose::None, Role::Dealer), Err(Refused::OutOfTurn));
    assert_eq!(rig.events.len(), told);
}

/// SH-08, SH-15: the verdict on a wrong count retires that deck, and no other; it is of no use again
/// before new cards are opened.
#[test]
fn a_deck_with_a_wrong_count_is_of_no_use_again() {
    for (model, game, decks) in GAMES {
        for colour in COLOURS {
            let mut rig = Rig::new(model, game, decks);
            let mut short = batch(&rig, colour);
            let missing = short.pop().unwrap();
            rig.put_in(short);
            assert_eq!(start(&mut rig, Role::Dealer), Ok(()));
            assert!(matches!(rig.stopped(), Some(Fault::WrongCount(_))));
            let change = changes(&rig).pop().unwrap();
            assert_eq!((change.change, change.decks), (Change::Removed, decks));
            let left =
                |rig: &Rig| COLOURS.map(|colour| rig.shuffler.batches().life(colour).is_some());
            assert_eq!(left(&rig), COLOURS.map(|other| other != colour));
            let told = rig.events.iter().any(|event| {
                matches!(event, DeviceEvent::Irregularity(trouble)
                    if trouble.trouble == Trouble::BatchMissing)
            });
            assert_eq!(told, model == Model::MultiDeck, "only where two are a must");
            rig.shuffler.save_again(&mut rig.store);
            rig.cut_power();
            assert_eq!(left(&rig), COLOURS.map(|other| other != colour), "kept");
            // The card is found, and put back with the others.
            assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
            rig.run();
            let mut whole = rig.take_stack();
            whole.push(missing);
            rig.put_in(whole);
            assert_eq!(start(&mut rig, Role::Dealer), Ok(()));
            assert_eq!(rig.stopped(), Some(Fault::BatchNotOpened));
            assert!(!rig.is_certified());
        }
    }
}
