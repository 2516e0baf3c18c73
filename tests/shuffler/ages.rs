//! Deck life: what is not known is never "not over", in any machine.

use crate::harness::{Ram, Rig, START_MS, cards, chosen, opened};
use croupier::cards::BackColour::{self, Blue, Red};
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{
    ClockSetRequest, Game, Irregularity, NextStep, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{Batch, Purpose, Task};
use croupier::services::DayClock;
use croupier::shuffler::{Beam, DeviceEvent, Event, Fault, Model, ShufflerStore, State};

const HOUR: u64 = 3_600_000;
const COLOURS: [BackColour; 2] = [Red, Blue];
/// Each machine in a game with a limit.
const MACHINES: [(Model, Game, u8); 3] = [
    (Model::SingleDeck, Game::FlopPoker, 1),
    (Model::MultiDeck, Game::DownUnderBlackjack, 4),
    (Model::Continuous, Game::FreeBet, 6),
];

fn without_clock(model: Model, game: Game, decks: u8) -> Rig {
    let mut store = Ram::default();
    store.keep_batches(&opened(chosen(game, decks))).unwrap();
    Rig::bare(store, model, game, decks, false)
}

/// Somebody sets the day clock to this time.
fn set_clock(rig: &mut Rig, utc_ms: u64) {
    let asked = ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
    let now = rig.world.now;
    rig.shuffler.services.clock.set(&asked, Role::Floorperson, now).unwrap();
    rig.pass();
}

fn troubles(rig: &Rig) -> Vec<Irregularity> {
    let trouble = |event: &DeviceEvent| match event {
        DeviceEvent::Irregularity(trouble) => Some(*trouble),
        _ => None,
    };
    rig.events.iter().filter_map(trouble).collect()
}

fn last_step(rig: &Rig) -> (Trouble, NextStep) {
    let last = *troubles(rig).last().expect("something was said");
    (last.trouble, last.next_step)
}

/// SH-40, CM-09: no clock, no full batch, on each machine and for each role; said in words, and
/// nothing is changed.
#[test]
fn nothing_that_must_be_known_of_age_begins_without_a_clock() {
    for (model, game, decks) in MACHINES {
        let mut rig = without_clock(model, game, decks);
        rig.put_in(cards(rig.total(), Red));
        let before = (*rig.shuffler.record(), rig.shuffler.state());
        let purpose = match model {
            Model::Continuous => Purpose::Continuous,
            _ => Purpose::FullBatch,
        };
        for by in [Role::Dealer, Role::Device, Role::Floorperson] {
            let refused = rig.command(Task::Start, purpose, by);
            assert_eq!(refused, Err(Refused::ClockUnset), "{model:?} {by:?}");
            assert_eq!(last_step(&rig), (Trouble::ClockFault, NextStep::SetClock));
        }
        assert_eq!((*rig.shuffler.record(), rig.shuffler.state()), before);
        let shown = rig.shown();
        assert_eq!(
            shown.lines.each_ref().map(|line| line.as_str()),
            ["CLOCK IS NOT SET", "set the clock: floor"]
        );
        assert!(shown.amber && !shown.green);
        set_clock(&mut rig, START_MS);
        assert!(rig.shown().green && !rig.shown().amber);
        assert_eq!(rig.command(Task::Start, purpose, Role::Dealer), Ok(()));
    }
}

/// SH-28, SH-14: a partial batch and a count need neither clock nor opening.
#[test]
fn a_partial_batch_and_a_count_need_no_age() {
    for purpose in [Purpose::PartialBatch, Purpose::CountOnly] {
        let (model, game) = (Model::MultiDeck, Game::DownUnderBlackjack);
        let mut rig = Rig::bare(Ram::default(), model, game, 4, false);
        rig.put_in(cards(208, Red));
        assert_eq!(rig.command(Task::Start, purpose, Role::Dealer), Ok(()), "{purpose:?}");
        rig.run();
        assert_eq!(rig.shuffler.state(), State::Ready, "{purpose:?}");
        assert!(!rig.is_certified());
    }
}

/// SH-40, CM-09: the day clock is lost with the power, and no batch is shuffled before it is set.
#[test]
fn after_a_power_cut_the_clock_must_be_set_first() {
    let mut rig = Rig::single(52);
    rig.keeps_time = false;
    rig.cut_power();
    assert_eq!(rig.start(), Err(Refused::ClockUnset));
    set_clock(&mut rig, START_MS + HOUR);
    rig.shuffle();
    assert!(rig.is_certified());
    rig.cut_power();
    assert_eq!(rig.shown().lines[1], "set the clock, reshuffle");
    assert_eq!(rig.command(Task::Release, Purpose::None, Role::Dealer), Err(Refused::OutOfTurn));
    set_clock(&mut rig, START_MS + HOUR);
    assert_eq!(rig.shown().lines[1], "reshuffle; cards inside");
    rig.recover();
    assert!(rig.is_certified());
}

/// SH-40, CM-09: a clock that is lost between START and the end certifies nothing; one that is lost
/// later releases nothing, and what it refused can be had once it is set.
#[test]
fn a_clock_that_is_lost_meanwhile_certifies_and_releases_nothing() {
    let mut rig = Rig::single(52);
    assert_eq!(rig.start(), Ok(()));
    rig.shuffler.services.clock = DayClock::new();
    rig.run();
    assert_eq!(rig.stopped(), Some(Fault::ClockUnset));
    assert!(!rig.is_certified() && rig.shown().door_locked);
    assert_eq!(rig.shown().lines[1], "set the clock: floor");
    set_clock(&mut rig, START_MS + HOUR);
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Dealer), Err(Refused::NotAuthorised));
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Floorperson), Ok(()));
    rig.run();
    let stack = rig.take_stack();
    rig.put_in(stack);
    rig.shuffle();
    let before = *rig.shuffler.record();
    rig.shuffler.services.clock = DayClock::new();
    let refused = rig.command(Task::Release, Purpose::None, Role::Dealer);
    assert_eq!(refused, Err(Refused::ClockUnset));
    assert_eq!(last_step(&rig), (Trouble::ClockFault, NextStep::SetClock));
    assert_eq!((*rig.shuffler.record(), rig.shuffler.state()), (before, State::Ready));
    // A clock that is behind the opening of the batch is not right.
    set_clock(&mut rig, START_MS - HOUR);
    let refused = rig.command(Task::Release, Purpose::None, Role::Dealer);
    assert_eq!(refused, Err(Refused::ClockUnset));
    set_clock(&mut rig, START_MS + HOUR);
    assert_eq!(rig.command(Task::Release, Purpose::None, Role::Dealer), Ok(()));
}

/// SH-40: each batch alone: the opening of one says nothing about the other.
#[test]
fn a_batch_that_was_not_opened_is_not_certified_though_the_other_was() {
    for (model, game, decks) in &MACHINES[..2] {
        for colour in COLOURS {
            let mut rig = Rig::with_one(*model, *game, *decks, colour);
            let total = rig.total();
            rig.put_in(cards(total, colour.other()));
            assert_eq!(rig.start(), Ok(()));
            rig.run();
            assert_eq!(rig.stopped(), Some(Fault::BatchNotOpened), "{model:?} {colour:?}");
            assert_eq!(last_step(&rig), (Trouble::BatchNotOpened, NextStep::OpenBatch));
            assert_eq!(rig.shown().lines[1], "open the batch: floor");
            assert!(!rig.is_certified() && rig.shown().door_locked);
            let mut rig = Rig::with_one(*model, *game, *decks, colour);
            rig.put_in(cards(total, colour));
            rig.shuffle();
            assert!(rig.is_certified(), "{model:?} {colour:?}");
        }
    }
}

/// SH-40: none opened, or not the one that is named: refused at once, with words.
#[test]
fn a_start_without_an_opened_batch_is_refused_at_once() {
    for (model, game, decks) in MACHINES {
        let mut rig = Rig::bare(Ram::default(), model, game, decks, true);
        rig.put_in(cards(rig.total(), Red));
        assert_eq!(rig.start(), Err(Refused::BatchNotOpened), "{model:?}");
        assert_eq!(last_step(&rig), (Trouble::BatchNotOpened, NextStep::OpenBatch));
        assert_eq!(rig.shown().lines[0], "BATCH NOT OPENED");
        assert_eq!(rig.shuffler.state(), State::Idle);
    }
    let mut rig = Rig::with_one(Model::SingleDeck, Game::FlopPoker, 1, Blue);
    rig.put_in(cards(52, Blue));
    let mut named = |batch| {
        let (now, store) = (rig.world.now, &mut rig.store);
        let purpose = Purpose::FullBatch;
        rig.shuffler.command(Task::Start, purpose, batch, Role::Dealer, now, store)
    };
    assert_eq!(named(Batch::First), Err(Refused::BatchNotOpened));
    assert_eq!(named(Batch::Second), Ok(()));
}

/// SH-15: batches of another number of decks than the game's are not open.
#[test]
fn batches_of_another_number_of_decks_are_not_open() {
    let mut store = Ram::default();
    store.keep_batches(&opened(chosen(Game::FreeBet, 6))).unwrap();
    let mut rig = Rig::bare(store, Model::MultiDeck, Game::FreeBet, 8, true);
    rig.put_in(cards(416, Red));
    assert_eq!(rig.start(), Err(Refused::BatchNotOpened));
}

/// SH-40: an expired batch is not certified, and not released; whichever it is.
#[test]
fn an_expired_batch_is_neither_certified_nor_released() {
    for colour in COLOURS {
        let mut rig = Rig::new(Model::SingleDeck, Game::FlopPoker, 1);
        set_clock(&mut rig, START_MS + 8 * HOUR);
        rig.put_in(cards(52, colour));
        assert_eq!(rig.start(), Ok(()));
        rig.run();
        assert_eq!(rig.stopped(), Some(Fault::DeckLifeOver));
        let mut rig = Rig::new(Model::SingleDeck, Game::FlopPoker, 1);
        set_clock(&mut rig, START_MS + 7 * HOUR + 40 * 60_000);
        rig.put_in(cards(52, colour));
        rig.shuffle();
        assert!(rig.is_certified());
        let near = troubles(&rig).pop().unwrap();
        assert_eq!((near.trouble, near.detail), (Trouble::DeckLifeNear, 19));
        set_clock(&mut rig, START_MS + 8 * HOUR);
        let refused = rig.command(Task::Release, Purpose::None, Role::Dealer);
        assert_eq!(refused, Err(Refused::DeckLifeOver));
        assert_eq!(rig.stopped(), Some(Fault::DeckLifeOver));
    }
}

/// SH-40: South Dakota has no clause on deck life: neither clock, opening nor end.
#[test]
fn a_game_without_a_clause_on_deck_life_is_shuffled_at_any_age() {
    let (model, game) = (Model::MultiDeck, Game::FreeBetSouthDakota);
    let mut rig = Rig::bare(Ram::default(), model, game, 6, false);
    assert_eq!(rig.shown().lines[0], "READY");
    for _ in 0..2 {
        rig.put_in(cards(312, Red));
        rig.shuffle();
        assert!(rig.is_certified());
        assert_eq!(rig.command(Task::Release, Purpose::None, Role::Dealer), Ok(()));
        rig.take_stack();
    }
    let mut store = Ram::default();
    store.keep_batches(&opened(chosen(game, 6))).unwrap();
    let mut rig = Rig::bare(store, model, game, 6, true);
    set_clock(&mut rig, START_MS + 300 * HOUR);
    rig.put_in(cards(312, Blue));
    rig.shuffle();
    assert!(rig.is_certified(), "{:?}", rig.stopped());
}

fn circulating() -> Rig {
    let mut rig = Rig::new(Model::Continuous, Game::FreeBet, 6);
    rig.put_in(cards(312, Red));
    assert_eq!(rig.start(), Ok(()));
    rig.run();
    assert_eq!(rig.shuffler.state(), State::Circulating, "{:?}", rig.stopped());
    rig
}

/// SH-40: the continuous machine keeps the same clock. It warns, and stops at the end of a round;
/// what has to be given back before can be.
#[test]
fn a_continuous_machine_stops_at_the_end_of_the_round_in_which_its_batch_expires() {
    let mut rig = circulating();
    let near =
        |rig: &Rig| troubles(rig).iter().filter(|one| one.trouble == Trouble::DeckLifeNear).count();
    set_clock(&mut rig, START_MS + 23 * HOUR);
    assert_eq!(rig.command(Task::NextRound, Purpose::None, Role::Dealer), Ok(()));
    assert_eq!(near(&rig), 0);
    rig.run();
    set_clock(&mut rig, START_MS + 23 * HOUR + 45 * 60_000);
    assert_eq!(rig.command(Task::NextRound, Purpose::None, Role::Dealer), Ok(()));
    assert_eq!(near(&rig), 1, "thirty minutes before");
    rig.run();
    let card = rig.world.delivery.pop().unwrap();
    rig.sense(Event::Beam(Beam::Draw, true));
    rig.sense(Event::Beam(Beam::Draw, false));
    rig.settle_contacts();
    rig.run();
    set_clock(&mut rig, START_MS + 24 * HOUR);
    rig.put_in(vec![card]);
    rig.run();
    assert_eq!(rig.shuffler.state(), State::Circulating, "not in the middle of a round");
    assert_eq!(rig.command(Task::GiveBack, Purpose::None, Role::Dealer), Ok(()));
    rig.run();
    let given: Vec<_> = rig.world.tray.drain(..).collect();
    rig.settle_contacts();
    rig.put_in(given);
    rig.run();
    let refused = rig.command(Task::NextRound, Purpose::None, Role::Device);
    assert_eq!(refused, Err(Refused::DeckLifeOver));
    assert_eq!(rig.stopped(), Some(Fault::DeckLifeOver));
    assert_eq!(last_step(&rig), (Trouble::DeckLifeOver, NextStep::ChangeDeck));
}

/// SH-40: one that was not opened, or has expired, does not begin to circulate: the first back shows it.
#[test]
fn a_continuous_machine_takes_no_batch_of_an_unknown_or_expired_age() {
    for colour in COLOURS {
        let mut rig = Rig::with_one(Model::Continuous, Game::FreeBet, 6, colour);
        rig.put_in(cards(312, colour.other()));
        assert_eq!(rig.start(), Ok(()));
        rig.run();
        assert_eq!(rig.stopped(), Some(Fault::BatchNotOpened));
        let mut rig = Rig::with_one(Model::Continuous, Game::FreeBet, 6, colour);
        set_clock(&mut rig, START_MS + 24 * HOUR);
        rig.put_in(cards(312, colour));
        assert_eq!(rig.start(), Ok(()));
        rig.run();
        assert_eq!(rig.stopped(), Some(Fault::DeckLifeOver));
    }
}
