//! Inside: the wheel is seen to be empty before a cycle, and before anything is certified.

use crate::harness::{Mishap, Rig, cards};
use croupier::cards::BackColour::{Blue, Red};
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{Game, NextStep, Role, Trouble};
use croupier::protocol::generated::croupier::shuffler::{
    CertificateReason, CertificateState, CountVerdict, Purpose, Task,
};
use croupier::shuffler::{Beam, Contact, Cut, DeviceEvent, Event, Fault, Model, State};

const DIRTY: Fault = Fault::Sensor(Beam::Slot);

/// Both machines that shuffle batches, and the slots of each.
const SLOTS: [(Model, usize); 2] = [(Model::SingleDeck, 54), (Model::MultiDeck, 40)];

fn fresh(model: Model) -> Rig {
    match model {
        Model::SingleDeck => Rig::new(model, Game::FlopPoker, 1),
        _ => Rig::new(model, Game::DownUnderBlackjack, 4),
    }
}

fn loaded(model: Model) -> Rig {
    let mut rig = fresh(model);
    rig.put_in(cards(rig.total(), Red));
    rig
}

impl Rig {
    /// Shuffles until the look at the end begins.
    fn shuffle_until_last_look(&mut self) {
        assert_eq!(self.start(), Ok(()));
        self.run_until_last_look();
    }

    fn run_until_last_look(&mut self) {
        while !matches!(self.shuffler.state(), State::Looking(_)) || self.world.delivery.is_empty()
        {
            assert!(self.step(), "{:?}", self.shuffler.state());
        }
    }

    /// Shuffles, has the stack released, takes it and deals it.
    fn play(&mut self) -> Vec<crate::harness::Card> {
        self.shuffle();
        assert!(self.is_certified(), "{:?}", self.shuffler.state());
        assert_eq!(self.command(Task::Release, Purpose::None, Role::Dealer), Ok(()));
        let stack = self.take_stack();
        assert_eq!(self.command(Task::Dealt, Purpose::None, Role::Dealer), Ok(()));
        stack
    }

    fn counts(&self) -> Vec<CountVerdict> {
        let told = self.events.iter().filter_map(|event| match event {
            DeviceEvent::Count(count) => Some(count.verdict),
            _ => None,
        });
        told.collect()
    }

    /// The cards that were told to be inside, though the record knew of none.
    fn cards_inside(&self) -> Option<u16> {
        self.events.iter().find_map(|event| match event {
            DeviceEvent::Irregularity(told) if told.trouble == Trouble::CardInside => {
                Some(told.detail)
            }
            _ => None,
        })
    }

    fn last_certificate(&self) -> Option<(CertificateState, CertificateReason)> {
        self.events.iter().rev().find_map(|event| match event {
            DeviceEvent::Certificate(told) => Some((told.state, told.reason)),
            _ => None,
        })
    }
}

/// SH-07, SH-08: a card too many that a double feed hides agrees with every counter; its slot
/// tells, before any number is shown. The deck is counted again, and then it is one too many.
#[test]
fn a_card_too_many_that_a_double_feed_hides_is_found_before_a_count_is_shown() {
    for card in 1..53 {
        let mut rig = Rig::single(53);
        rig.world.mishap = Some(Mishap::HiddenDouble(card));
        rig.shuffle();
        assert_eq!(rig.stopped(), Some(Fault::CountNotValid), "card {card}");
        assert_eq!(rig.counts(), [CountVerdict::NotValid], "one number was shown, and it stands");
        assert!(!rig.is_certified());
        assert_eq!((rig.world.inside(), rig.world.delivery.len()), (0, 53));
        rig.recover();
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(53)), "card {card}");
        assert!(!rig.is_certified() && rig.shown().door_locked);
    }
}

/// SH-07, SH-33: until the last look was over no count is shown, nothing is certified, and
/// nobody gets a card.
#[test]
fn nothing_is_shown_certified_or_released_before_the_last_look() {
    let mut rig = Rig::single(52);
    rig.shuffle_until_last_look();
    while rig.shuffler.state().is_busy() {
        assert!(rig.counts().is_empty() && !rig.is_certified() && rig.shown().door_locked);
        assert_eq!(
            rig.command(Task::Release, Purpose::None, Role::Dealer),
            Err(Refused::OutOfTurn)
        );
        assert!(!rig.shown().lines[0].contains("COUNT"), "{:?}", rig.shown().lines);
        rig.step();
    }
    assert!(rig.is_certified() && rig.counts() == [CountVerdict::Right]);
    assert_eq!(rig.shuffler.record().inventory.inside, 0);
    assert!(rig.shuffler.record().inventory.certain);
}

/// SH-22: the wheel is looked at before a cycle unless the last look still stands: a lid, a door
/// that nobody released, the power, and a card at exit or throat leave a doubt.
#[test]
fn a_look_stands_until_somebody_could_have_put_a_card_in() {
    type Doubt = (&'static str, fn(&mut Rig), bool);
    let doubts: [Doubt; 7] = [
        ("nothing", |_| {}, false),
        ("lid", |rig| [true, false].into_iter().for_each(|open| rig.set_lid(open)), true),
        ("door", |rig| [true, false].into_iter().for_each(|open| rig.set_door(open)), true),
        ("power", Rig::cut_power, true),
        ("exit", |rig| rig.flicker(Beam::Exit), true),
        ("throat", |rig| rig.flicker(Beam::Throat), true),
        ("mouth", |rig| rig.flicker(Beam::Mouth), false),
    ];
    for (what, doubt, doubtful) in doubts {
        let mut rig = Rig::single(52);
        let stack = rig.play();
        assert!(rig.shuffler.record().inventory.certain, "{what}");
        doubt(&mut rig);
        assert_eq!(rig.shuffler.record().inventory.certain, !doubtful, "{what}");
        if rig.stopped().is_some() {
            rig.clear_by_hand();
        }
        rig.put_in(stack);
        let looks = rig.world.looks;
        rig.shuffle();
        assert!(rig.is_certified(), "{what}");
        assert_eq!(rig.world.looks - looks, 1 + u32::from(doubtful), "{what}");
    }
}

/// SH-22: a hand in the open door pushes a card back past the exit, while the stack is released.
#[test]
fn a_card_pushed_back_through_the_released_door_is_looked_for() {
    for beam in [Beam::Exit, Beam::Throat] {
        let mut rig = Rig::single(52);
        rig.shuffle();
        rig.command(Task::Release, Purpose::None, Role::Dealer).unwrap();
        rig.flicker(beam);
        rig.take_stack();
        assert_eq!(rig.shuffler.state(), State::Idle);
        assert!(!rig.shuffler.record().inventory.certain, "{beam:?}");
    }
}

impl Rig {
    fn flicker(&mut self, beam: Beam) {
        for blocked in [true, false] {
            self.sense(Event::Beam(beam, blocked));
        }
    }
}

/// SH-22: a lid opened in any state leaves a doubt, also where it stops nothing.
#[test]
fn an_open_lid_leaves_a_doubt_in_every_state() {
    let idle = |rig: &mut Rig| drop(rig.play());
    let released = |rig: &mut Rig| {
        rig.shuffle();
        rig.command(Task::Release, Purpose::None, Role::Dealer).unwrap();
    };
    let stored = |rig: &mut Rig| {
        rig.shuffle();
        rig.command(Task::Store, Purpose::None, Role::Dealer).unwrap();
    };
    let ready = |rig: &mut Rig| assert!(rig.shuffle() > 0);
    let states: [fn(&mut Rig); 4] = [idle, released, stored, ready];
    for reach in states {
        let mut rig = Rig::single(52);
        reach(&mut rig);
        let state = rig.shuffler.state();
        assert!(rig.shuffler.record().inventory.certain, "{state:?}");
        rig.set_lid(true);
        assert!(!rig.shuffler.record().inventory.certain, "{state:?}");
    }
}

/// SH-08, SH-18: whatever slot a card was put into, and between which shuffles, it comes out
/// before the next order is drawn and is counted with the rest.
#[test]
fn a_planted_card_is_found_in_any_slot() {
    for (model, slot) in SLOTS.iter().flat_map(|model| (0..model.1).map(move |slot| (model, slot)))
    {
        for back in [Red, Blue] {
            let mut rig = fresh(model.0);
            let one_more = rig.total() + 1;
            rig.world.slots[slot].push_back(cards(1, back)[0]);
            rig.put_in(cards(rig.total(), Red));
            rig.shuffle();
            let fault = rig.stopped().unwrap_or_else(|| panic!("{:?}", rig.shuffler.state()));
            let wrong = if back == Red { Fault::WrongCount } else { Fault::ForeignBack };
            assert_eq!(fault, wrong(one_more), "slot {slot}");
            assert!(!rig.is_certified());
            assert_eq!(rig.cards_inside(), Some(1), "the floor is told");
        }
    }
}

/// SH-07: a card that stays behind, uncounted, is found by the look at the end.
#[test]
fn a_card_that_is_inside_at_the_end_is_found_in_any_slot() {
    for (model, slot) in SLOTS.iter().flat_map(|model| (0..model.1).map(move |slot| (model, slot)))
    {
        let mut rig = loaded(model.0);
        rig.world.mishap = Some(Mishap::LeftInside(slot, 2));
        rig.start().unwrap();
        rig.run();
        assert_eq!(rig.stopped(), Some(Fault::CountNotValid), "slot {slot}");
        assert_eq!(rig.world.inside(), 0);
    }
}

/// SH-23: a beam that never sees light or never sees the vane is never taken for an empty wheel,
/// whenever it fails; service mends it.
#[test]
fn a_slot_beam_that_cannot_see_puts_the_machine_out_of_order() {
    for (model, look) in SLOTS.iter().flat_map(|model| [(model, 1), (model, 2)]) {
        for mishap in [
            Mishap::SlotBeamStuck(true, look),
            Mishap::SlotBeamStuck(false, look),
            Mishap::NoVane(look),
        ] {
            let mut rig = loaded(model.0);
            rig.world.mishap = Some(mishap);
            rig.shuffle();
            assert_eq!(rig.stopped(), Some(DIRTY), "{mishap:?}");
            assert!(!rig.is_certified() && rig.counts().is_empty());
            let shown = rig.shown();
            assert!(shown.out_of_order && shown.lines[0] == "CLEAN THE SLOT BEAM", "{shown:?}");
            assert_ne!(rig.start(), Ok(()));
        }
    }
}

/// SH-23: without its vane a wheel with cards in it is occupied, not empty, and is emptied first.
#[test]
fn a_card_does_not_pass_for_the_vane() {
    for slot in [0, 26, 53] {
        let mut rig = Rig::single(52);
        rig.world.slots[slot].push_back(cards(1, Red)[0]);
        rig.world.mishap = Some(Mishap::NoVane(1));
        rig.shuffle();
        assert_eq!(rig.stopped(), Some(DIRTY));
        assert_eq!((rig.world.inside(), rig.world.tray.len()), (0, 53), "it came out first");
    }
}

/// SH-08: at the end the feed tray is empty, the cards lie in the delivery tray, and neither lid
/// nor door is open; else there is no certificate.
#[test]
fn every_contact_is_as_it_must_be_before_a_certificate() {
    let mut early = Rig::single(52);
    early.shuffle_until_last_look();
    early.put_in(cards(1, Red));
    early.run();
    assert_eq!(early.stopped(), Some(Fault::CountNotValid), "a card lies in the feed tray");
    assert_eq!(early.counts(), [CountVerdict::NotValid]);

    let mut unfelt = Rig::single(52);
    unfelt.world.mishap = Some(Mishap::DeliveryUnfelt);
    unfelt.shuffle();
    assert_eq!(unfelt.stopped(), Some(Fault::CountNotValid), "no card lies in the delivery tray");
    assert_eq!(unfelt.counts(), [CountVerdict::NotValid]);

    let mut stolen = Rig::single(52);
    stolen.shuffle_until_last_look();
    stolen.sense(Event::Contact(Contact::DeliveryLoaded, false));
    stolen.run();
    assert_eq!(stolen.stopped(), Some(Fault::CountNotValid));

    for (open, cut) in [(Rig::set_lid as fn(&mut Rig, bool), Cut::Lid), (Rig::set_door, Cut::Door)]
    {
        let mut opened = Rig::single(52);
        opened.shuffle_until_last_look();
        open(&mut opened, true);
        opened.run();
        assert_eq!(opened.stopped(), Some(Fault::Interrupted(cut)));
        assert!(opened.counts().is_empty());
    }
    let mut whole = Rig::single(52);
    whole.shuffle_until_last_look();
    whole.run();
    assert!(whole.is_certified());
}

/// SH-28: a partial batch is let go on the same terms.
#[test]
fn a_partial_batch_with_a_card_left_in_the_tray_is_not_let_go() {
    let mut rig = Rig::new(Model::MultiDeck, Game::DownUnderBlackjack, 8);
    rig.put_in(cards(100, Red));
    rig.command(Task::Start, Purpose::PartialBatch, Role::Dealer).unwrap();
    rig.run_until_last_look();
    rig.put_in(cards(1, Red));
    rig.run();
    assert_eq!(rig.stopped(), Some(Fault::CountNotValid));
}

/// SH-22: STOP and ABORT take back a certificate that was given, and say so.
#[test]
fn a_stop_after_the_certificate_revokes_it() {
    let ways = [(false, Role::Dealer), (true, Role::Controller)];
    for (model, (stored, by)) in SLOTS.iter().flat_map(|model| ways.map(|way| (model, way))) {
        let mut rig = loaded(model.0);
        rig.shuffle();
        if stored {
            rig.command(Task::Store, Purpose::None, Role::Dealer).unwrap();
        }
        assert!(rig.is_certified());
        assert_eq!(rig.command(Task::Abort, Purpose::None, by), Ok(()));
        assert_eq!(rig.stopped(), Some(Fault::Interrupted(Cut::Stopped)));
        let told = rig.last_certificate();
        assert_eq!(told, Some((CertificateState::Revoked, CertificateReason::Aborted)));
        assert!(!rig.is_certified());
        let refused = rig.command(Task::Release, Purpose::None, Role::Dealer);
        assert_eq!(refused, Err(Refused::OutOfTurn), "it is to be shuffled again");
    }
}

/// SH-22: power that fails in the last look, or after it, leaves no certificate.
#[test]
fn a_power_cut_around_the_last_look_leaves_no_certificate() {
    let mut steps = 0;
    loop {
        let mut rig = Rig::single(52);
        rig.shuffle_until_last_look();
        (0..steps).for_each(|_| assert!(rig.step()));
        let ready = rig.is_certified();
        rig.cut_power();
        assert!(!rig.is_certified(), "{steps}");
        assert_eq!(rig.stopped(), Some(Fault::Interrupted(Cut::Power)), "{steps}");
        if ready {
            break;
        }
        steps += 1;
    }
    assert!(steps > 2, "{steps}");
}

/// SH-22: EMPTY is a question, so it is never answered from memory.
#[test]
fn an_empty_machine_that_is_asked_to_be_empty_looks_again() {
    let mut rig = Rig::single(52);
    rig.play();
    let (looks, ejects) = (rig.world.looks, rig.world.ejects);
    assert_eq!(rig.command(Task::Empty, Purpose::None, Role::Dealer), Ok(()));
    rig.run();
    assert_eq!((rig.shuffler.state(), rig.shown().door_locked), (State::Idle, false));
    assert_eq!((rig.world.looks, rig.world.ejects), (looks + 1, ejects));
}

/// SH-23: the floor is told to cover the machine, and which beam it is.
#[test]
fn a_slot_beam_that_cannot_see_is_told_by_its_number() {
    let mut rig = Rig::single(52);
    rig.world.mishap = Some(Mishap::SlotBeamStuck(true, 1));
    rig.shuffle();
    let told = rig.events.iter().rev().find_map(|event| match event {
        DeviceEvent::Irregularity(told) => Some((told.next_step, told.detail)),
        _ => None,
    });
    assert_eq!(told, Some((NextStep::CoverOrSign, Beam::Slot as u16)));
    assert_eq!(rig.world.all_cards(), 52);
}
