//! Cards that are not shuffled: counted only, stopped, or cut off. No dealer gets them for play, and
//! the machine says what they are until they were shuffled.

use crate::harness::{Rig, cards, chosen};
use croupier::cards::BackColour::{Blue, Red};
use croupier::node::Refused;
use croupier::protocol::codec::Object;
use croupier::protocol::generated::croupier::common::{
    Dealing, Game, ProfileSetRequest, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{
    CertificateReason, CertificateState, CountGetRequest as CountGet, CountGetResponse,
    InventoryGetRequest, Phase, Purpose, Task,
};
use croupier::shuffler::{Cut, DeviceEvent, Fault, Model, State};

const MODELS: [(Model, Game, u8); 2] =
    [(Model::SingleDeck, Game::FlopPoker, 1), (Model::MultiDeck, Game::DownUnderBlackjack, 4)];
const NOT_FLOOR: [Role; 3] = [Role::Device, Role::Dealer, Role::Service];

fn loaded((model, game, decks): (Model, Game, u8)) -> Rig {
    let mut rig = Rig::new(model, game, decks);
    rig.put_in(cards(rig.total(), Red));
    rig
}

/// A machine behind whose door a whole red batch lies that was counted only.
fn counted(model: (Model, Game, u8)) -> Rig {
    let mut rig = loaded(model);
    rig.count_only();
    rig
}

impl Rig {
    fn count_only(&mut self) {
        assert_eq!(self.command(Task::Start, Purpose::CountOnly, Role::Dealer), Ok(()));
        self.run();
        assert_eq!(self.shuffler.state(), State::Ready);
        assert!(!self.is_certified() && self.shown().door_locked);
    }

    fn release(&mut self, by: Role) -> Result<(), Refused> {
        self.command(Task::Release, Purpose::None, by)
    }

    /// Amber and NOT SHUFFLED, or green and ready.
    fn says_not_shuffled(&self) -> bool {
        let shown = self.shown();
        let says = shown.lines.iter().any(|line| line == "NOT SHUFFLED");
        assert_eq!((shown.amber, shown.green), (says, !says), "{shown:?}");
        says
    }

    fn set_game(&mut self, game: Game, decks: u8) -> Result<(), Refused> {
        let dealing = Dealing::Unsaid;
        let asked = ProfileSetRequest { game, decks, dealing, seats: 5, ..Default::default() };
        self.obey(Role::Floorperson, &asked).map(drop)
    }
}

/// SH-14: a batch that was counted only is let go by a floorperson, and is in play from then on.
#[test]
fn sh_14_a_counted_batch_is_released_by_a_floorperson_alone() {
    for model in MODELS {
        let mut rig = counted(model);
        for by in NOT_FLOOR.into_iter().chain([Role::Controller]) {
            assert_eq!(rig.release(by), Err(Refused::NotAuthorised), "{model:?} {by:?}");
            assert!(rig.shown().door_locked && rig.says_not_shuffled());
        }
        assert_eq!(rig.release(Role::Floorperson), Ok(()), "{model:?}");
        assert!(!rig.shown().door_locked && rig.says_not_shuffled());
        assert!(rig.shuffler.services.in_round, "it is in play");
        let batches = rig.shuffler.batches();
        assert_eq!((batches.last_played, batches.in_play), (Some(Red), true));
        assert_eq!(rig.shuffler.record().inventory.out, rig.total());
        let told = rig.events.iter().rev().find_map(|event| match event {
            DeviceEvent::Certificate(told) => Some((told.state, told.reason, told.cards)),
            _ => None,
        });
        let counted = (CertificateState::None, CertificateReason::Counted, rig.total());
        assert_eq!(told, Some(counted), "and nobody is told that it was shuffled");
        let stack = rig.take_stack();
        assert_eq!(rig.shuffler.state(), State::Idle);
        assert!(rig.says_not_shuffled(), "as long as they were not");
        rig.cut_power();
        assert!(rig.says_not_shuffled(), "nor does power loss shuffle them");
        rig.put_in(stack);
        // It was in play, so the other batch has the turn unless a floorperson says otherwise.
        let floor = rig.command(Task::Start, Purpose::FullBatch, Role::Floorperson);
        assert_eq!(floor, Ok(()));
        rig.run();
        assert!(rig.is_certified(), "{:?}", rig.shuffler.state());
        assert_eq!(rig.release(Role::Dealer), Ok(()));
        rig.take_stack();
        assert!(!rig.says_not_shuffled() && rig.shown().lines[0] == "READY");
    }
}

/// SH-14, SH-17: a counted batch has its turn like any other.
#[test]
fn sh_17_a_counted_batch_is_not_released_out_of_turn() {
    let mut rig = loaded(MODELS[1]);
    rig.shuffle();
    rig.release(Role::Dealer).unwrap();
    let red = rig.take_stack();
    rig.command(Task::Dealt, Purpose::None, Role::Dealer).unwrap();
    rig.put_in(red);
    rig.count_only();
    assert_eq!(rig.release(Role::Floorperson), Err(Refused::OutOfTurn));
    assert!(rig.shown().door_locked && !rig.shuffler.services.in_round);
    let mut other = loaded(MODELS[1]);
    other.shuffle();
    other.release(Role::Dealer).unwrap();
    other.take_stack();
    other.command(Task::Dealt, Purpose::None, Role::Dealer).unwrap();
    other.put_in(cards(208, Blue));
    other.count_only();
    assert_eq!(other.release(Role::Floorperson), Ok(()));
    assert_eq!(other.shuffler.batches().last_played, Some(Blue));
}

/// SH-14: a release that flash does not take is none.
#[test]
fn sh_14_a_counted_batch_that_cannot_be_recorded_stays_behind_its_door() {
    let mut rig = counted(MODELS[0]);
    rig.store.broken = true;
    assert_eq!(rig.release(Role::Floorperson), Err(Refused::StoreFailed));
    assert!(rig.shown().door_locked && !rig.shuffler.batches().in_play);
    rig.store.broken = false;
    assert_eq!(rig.release(Role::Dealer), Err(Refused::NotAuthorised), "as before");
    assert_eq!(rig.release(Role::Floorperson), Ok(()));
}

/// SH-14, SH-22: neither STOP nor power, lid or door opens a counted batch to a dealer.
#[test]
fn sh_14_no_interruption_opens_a_counted_batch_to_a_dealer() {
    type Blow = (Cut, fn(&mut Rig));
    let stop = |rig: &mut Rig| rig.command(Task::Abort, Purpose::None, Role::Device).unwrap();
    let blows: [Blow; 4] = [
        (Cut::Stopped, stop),
        (Cut::Power, Rig::cut_power),
        (Cut::Lid, |rig| [true, false].into_iter().for_each(|open| rig.set_lid(open))),
        (Cut::Door, |rig| [true, false].into_iter().for_each(|open| rig.set_door(open))),
    ];
    for (model, (cut, blow)) in MODELS.into_iter().flat_map(|model| blows.map(|blow| (model, blow)))
    {
        let what = format!("{model:?} {cut:?}");
        let mut rig = counted(model);
        blow(&mut rig);
        rig.cut_power();
        assert_eq!(rig.stopped(), Some(Fault::Interrupted(cut)), "{what}");
        assert_eq!(rig.status().cleared_by, Role::Floorperson, "{what}");
        let told = rig.events.iter().rev().find_map(|event| match event {
            DeviceEvent::Irregularity(told) => Some(told.cleared_by),
            _ => None,
        });
        assert_eq!(told, Some(Role::Floorperson), "{what}");
        for by in [Role::Device, Role::Dealer] {
            assert!(rig.shown().door_locked, "{what}");
            assert_eq!(rig.clear(Trouble::Interrupted, by), Err(Refused::NotAuthorised), "{what}");
            assert_eq!(rig.release(by), Err(Refused::OutOfTurn), "{what}");
            assert_eq!(
                rig.command(Task::Start, Purpose::FullBatch, by),
                Err(Refused::OutOfTurn),
                "{what}: cards in the delivery tray"
            );
        }
        assert_eq!(rig.clear(Trouble::Interrupted, Role::Floorperson), Ok(()), "{what}");
        assert!(!rig.shown().door_locked && rig.says_not_shuffled(), "{what}");
        assert!(!rig.shuffler.batches().in_play && !rig.shuffler.services.in_round, "{what}");
        rig.take_stack();
        assert!(rig.says_not_shuffled(), "{what}");
    }
}

/// SH-22: a whole batch whose certificate was taken away, or whose shuffle was cut off, is for the
/// dealer to shuffle again: it is not in play, and the machine says NOT SHUFFLED, through power loss.
#[test]
fn sh_22_what_a_dealer_clears_is_not_shuffled_until_it_is() {
    for (model, late) in MODELS.into_iter().flat_map(|model| [(model, true), (model, false)]) {
        let mut rig = loaded(model);
        rig.start().unwrap();
        if late {
            rig.run();
            assert!(rig.is_certified());
        } else {
            (0..200).for_each(|_| assert!(rig.step()));
        }
        rig.command(Task::Abort, Purpose::None, Role::Dealer).unwrap();
        rig.run();
        assert_eq!(rig.clear(Trouble::Interrupted, Role::Dealer), Ok(()));
        assert!(rig.says_not_shuffled(), "{model:?} {late}");
        assert!(!rig.shuffler.batches().in_play && !rig.shuffler.services.in_round);
        if !rig.world.delivery.is_empty() {
            let stack = rig.take_stack();
            rig.put_in(stack);
        }
        rig.cut_power();
        assert!(rig.says_not_shuffled(), "{model:?} {late}");
        rig.shuffle();
        assert!(rig.is_certified() && !rig.shuffler.record().unshuffled, "{model:?} {late}");
    }
    // A deck that a floorperson takes away need not be shuffled.
    let mut wrong = Rig::single(51);
    wrong.shuffle();
    assert_eq!(wrong.clear(Trouble::WrongCount, Role::Floorperson), Ok(()));
    wrong.take_stack();
    assert!(!wrong.shuffler.record().unshuffled);
    assert_eq!(wrong.shown().lines[0], "BATCH NOT OPENED", "a new deck is asked for");
}

/// SH-08: what comes out is shown once, after the look at the end: display, progress and inventory
/// say nothing of it before; in a shuffle and in a count alike, right or wrong.
#[test]
fn sh_08_no_running_count_of_what_comes_out_is_shown() {
    for ((model, purpose), short) in MODELS
        .into_iter()
        .flat_map(|model| [Purpose::FullBatch, Purpose::CountOnly].map(|purpose| (model, purpose)))
        .flat_map(|what| [(what, 0), (what, 1)])
    {
        let mut rig = Rig::new(model.0, model.1, model.2);
        rig.put_in(cards(rig.total() - short, Red));
        rig.command(Task::Start, purpose, Role::Dealer).unwrap();
        let (mut coming, mut before) = (0, None);
        while rig.shuffler.state().is_busy() {
            assert!(rig.step());
            let Some(cycle) = rig.shuffler.cycle() else { continue };
            if !cycle.comes_out() {
                continue;
            }
            coming += 1;
            let (phase, _, done, total) = rig.shuffler.progress();
            assert!(matches!(phase, Phase::Delivering | Phase::Counting | Phase::Looking));
            assert_eq!((done, total), (0, 0), "{model:?} {purpose:?}");
            let inventory = rig.obey(Role::Dealer, &InventoryGetRequest::default()).unwrap();
            let shown = (rig.shown().lines[1].clone(), inventory.content().to_vec());
            assert!(!shown.0.contains(" of "), "{shown:?}");
            if phase != Phase::Looking {
                assert!(before.is_none_or(|before| before == shown), "it changes: {shown:?}");
                before = Some(shown);
            }
        }
        assert!(coming > 100, "{model:?} {purpose:?}");
        assert!(rig.count_verdict().is_some());
    }
}

/// SH-46: the receipt says what was asked for when it was counted, whatever game was set since.
#[test]
fn sh_46_a_receipt_keeps_its_decks_through_a_change_of_game() {
    let mut rig = loaded(MODELS[1]);
    rig.shuffle();
    assert_eq!(rig.shuffler.receipt().map(|receipt| receipt.decks), Some(4));
    rig.release(Role::Dealer).unwrap();
    rig.take_stack();
    rig.command(Task::Dealt, Purpose::None, Role::Dealer).unwrap();
    assert_eq!(rig.set_game(Game::DownUnderBlackjack, 8), Ok(()));
    assert_eq!(rig.shuffler.batch_total(), Some(416));
    let receipt = rig.obey(Role::Dealer, &CountGet::default()).unwrap();
    let answer = CountGetResponse::decode(receipt.content()).unwrap();
    assert_eq!((answer.decks, answer.expected), (4, 208));
}

/// CM-07: a batch in play when the power goes still is when it returns: no other game is set.
#[test]
fn cm_07_no_game_is_changed_in_mid_shoe_after_a_power_cut() {
    for model in MODELS {
        for count_only in [false, true] {
            let mut rig = loaded(model);
            if count_only {
                rig.count_only();
            } else {
                rig.shuffle();
            }
            rig.release(Role::Floorperson).unwrap();
            rig.take_stack();
            assert_eq!(rig.set_game(model.1, model.2), Err(Refused::InRound));
            for _ in 0..2 {
                rig.cut_power();
                assert_eq!(rig.set_game(model.1, model.2), Err(Refused::InRound), "{model:?}");
            }
            rig.command(Task::Dealt, Purpose::None, Role::Dealer).unwrap();
            assert_eq!(rig.set_game(model.1, model.2), Ok(()));
            rig.cut_power();
            assert_eq!(rig.set_game(model.1, model.2), Ok(()), "nor is it in play after it");
        }
    }
}

/// CM-07: nor while cards circulate, or may be inside a machine that stopped.
#[test]
fn cm_07_no_game_is_changed_while_cards_may_be_inside() {
    let mut rig = Rig::new(Model::Continuous, Game::FreeBet, 6);
    rig.put_in(cards(312, Red));
    rig.start().unwrap();
    rig.run();
    assert_eq!(rig.shuffler.state(), State::Circulating);
    assert_eq!(rig.set_game(Game::FreeBet, 8), Err(Refused::InRound));
    rig.cut_power();
    assert_eq!(rig.stopped(), Some(Fault::Interrupted(Cut::Power)));
    assert_eq!(rig.set_game(Game::FreeBet, 8), Err(Refused::InRound));
    rig.clear(Trouble::Interrupted, Role::Dealer).unwrap();
    rig.take_stack();
    assert_eq!(rig.shuffler.state(), State::Idle);
    assert_eq!(rig.set_game(Game::FreeBet, 8), Err(Refused::InRound), "they are still inside");
    rig.command(Task::Empty, Purpose::None, Role::Floorperson).unwrap();
    rig.run();
    rig.take_stack();
    assert_eq!(rig.set_game(Game::FreeBet, 8), Ok(()), "now they are not");
    for model in MODELS {
        let mut rig = loaded(model);
        rig.start().unwrap();
        while rig.world.inside() < 16 {
            assert!(rig.step());
            assert_eq!(rig.set_game(model.1, model.2), Err(Refused::InRound));
        }
        rig.command(Task::Abort, Purpose::None, Role::Controller).unwrap();
        rig.run();
        assert_eq!(rig.set_game(model.1, model.2), Err(Refused::InRound), "{model:?}");
    }
}

/// SH-19, CM-07: the continuous machine starts no game whose chapter does not allow it.
#[test]
fn sh_19_the_continuous_machine_starts_only_games_that_allow_it() {
    for (game, decks) in [
        (Game::DoubleAttackBlackjack, 8),
        (Game::FreeBetTemporary, 4),
        (Game::FreeBet, 6),
        (Game::DoubleBackJack, 5),
        (Game::DownUnderBlackjack, 8),
        (Game::FreeBetSouthDakota, 6),
        (Game::FlopPoker, 1),
        (Game::RaiseItUpStud, 1),
        (Game::SixCardFortunePaiGow, 1),
        (Game::LunarPoker, 1),
        (Game::CrissCrossPoker, 1),
    ] {
        let mut rig = Rig::new(Model::Continuous, game, decks);
        rig.put_in(cards(rig.total(), Red));
        let refused = decks == 1 || game == Game::FreeBetSouthDakota;
        let expected = if refused { Err(Refused::WrongProfile) } else { Ok(()) };
        assert_eq!(rig.start(), expected, "{game:?}");
        assert_eq!(rig.chosen, chosen(game, decks));
    }
}

/// SH-22: a START that flash refuses clears no fault and publishes nothing.
#[test]
fn sh_22_a_start_that_cannot_be_kept_leaves_the_fault_that_stood() {
    for model in MODELS {
        let mut rig = loaded(model);
        rig.start().unwrap();
        (0..200).for_each(|_| assert!(rig.step()));
        rig.command(Task::Abort, Purpose::None, Role::Dealer).unwrap();
        rig.run();
        if !rig.world.delivery.is_empty() {
            let stack = rig.take_stack();
            rig.put_in(stack);
        }
        let (fault, before) = (rig.stopped(), *rig.shuffler.record());
        rig.events.clear();
        rig.store.broken = true;
        assert_eq!(rig.start(), Err(Refused::StoreFailed));
        assert_eq!((rig.stopped(), *rig.shuffler.record()), (fault, before), "{model:?}");
        assert!(rig.events.is_empty(), "{:?}", rig.events);
        rig.store.broken = false;
        assert_eq!(rig.start(), Ok(()));
        let cleared = |event: &DeviceEvent| matches!(event, DeviceEvent::Cleared(_));
        assert_eq!(rig.events.iter().filter(|event| cleared(event)).count(), 1);
        rig.run();
        assert!(rig.is_certified());
    }
}
