//! Service: a grave fault is cleared after a check of the part that failed, and not before.

use crate::harness::{Mishap, Rig, cards};
use croupier::cards::BackColour::Red;
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Axis, Beam, DeviceEvent, Event, Fault, Model, State};

const MODELS: [(Model, Game, u8); 3] = [
    (Model::SingleDeck, Game::FlopPoker, 1),
    (Model::MultiDeck, Game::DownUnderBlackjack, 8),
    (Model::Continuous, Game::FreeBet, 6),
];
const GRAVE: [Fault; 8] = [
    Fault::Sensor(Beam::Slot),
    Fault::Sensor(Beam::Mouth),
    Fault::Sensor(Beam::Throat),
    Fault::Sensor(Beam::Exit),
    Fault::Unanswered,
    Fault::TooManyFaults,
    Fault::Store,
    Fault::Random(3),
];

/// A machine that was put out of order by this.
fn out_of_order((model, game, decks): (Model, Game, u8), fault: Fault) -> Rig {
    let mut rig = Rig::new(model, game, decks);
    rig.shuffler.fail(fault, &mut rig.store);
    rig.pass();
    rig.run();
    assert_eq!(rig.stopped(), Some(fault));
    rig
}

impl Rig {
    /// Service tries the beam that failed with a hand, as far as there is one to try.
    fn try_beam(&mut self, fault: Fault) {
        if let Fault::Sensor(beam) = fault
            && beam != Beam::Slot
        {
            self.sense(Event::Beam(beam, true));
            self.sense(Event::Beam(beam, false));
            self.run();
        }
    }

    fn clear_fault(&mut self, fault: Fault) -> Result<(), Refused> {
        self.clear(fault.trouble(), Role::Service)
    }

    fn cleared(&self) -> Vec<Role> {
        let told = self.events.iter().filter_map(|event| match event {
            DeviceEvent::Cleared(cleared) => Some(cleared.by),
            _ => None,
        });
        told.collect()
    }

    /// The check fails, and changes nothing.
    fn fails_check(&mut self, fault: Fault, what: &str) {
        let before = *self.shuffler.record();
        assert_eq!(self.clear_fault(fault), Err(Refused::Busy), "{what}");
        assert_eq!(self.clear_fault(fault), Err(Refused::OutOfTurn), "{what}");
        assert_eq!(self.stopped(), Some(fault), "{what}");
        let after = *self.shuffler.record();
        assert_eq!((after.fault, after.failures), (before.fault, before.failures), "{what}");
        assert!(self.cleared().is_empty() && self.shown().out_of_order, "{what}");
    }

    fn passes_check(&mut self, fault: Fault, what: &str) {
        assert_eq!(self.clear_fault(fault), Err(Refused::Busy), "{what}");
        assert_eq!(self.stopped(), Some(fault), "{what}: BUSY clears nothing");
        assert!(self.cleared().is_empty() && self.shown().out_of_order, "{what}");
        assert_eq!(self.clear_fault(fault), Ok(()), "{what}");
        assert_eq!((self.stopped(), self.cleared()), (None, vec![Role::Service]), "{what}");
        assert!(!self.shown().out_of_order, "{what}");
    }
}

/// SH-23: the first CLEAR begins a check and is BUSY, the next one clears; on every model.
#[test]
fn sh_23_service_clears_what_has_passed_its_check() {
    for model in MODELS {
        for fault in GRAVE {
            let mut rig = out_of_order(model, fault);
            rig.try_beam(fault);
            rig.passes_check(fault, &format!("{model:?} {fault:?}"));
            rig.cut_power();
            assert_eq!(rig.stopped(), None, "{fault:?} is gone for good");
        }
    }
}

/// SH-23: a wheel that does not answer, or stalls, passes no check.
#[test]
fn sh_23_a_wheel_that_is_still_silent_is_not_cleared() {
    for model in MODELS {
        for fault in [Fault::Unanswered, Fault::TooManyFaults, Fault::Sensor(Beam::Slot)] {
            let mut rig = out_of_order(model, fault);
            rig.world.mishap = Some(Mishap::SilentWheel);
            rig.fails_check(fault, "silent");
            rig.world.mishap = None;
            assert_eq!(rig.shuffler.state(), State::Stopped(fault));
            rig.passes_check(fault, "mended");
            assert_eq!(rig.world.looks, 1, "home, and one turn");
        }
    }
}

/// SH-23: the slot beam's look shows the vane by itself, or the check fails.
#[test]
fn sh_23_a_slot_beam_that_shows_no_vane_is_not_cleared() {
    let fault = Fault::Sensor(Beam::Slot);
    for model in MODELS {
        let stuck = [true, false].map(|level| Mishap::SlotBeamStuck(level, 0));
        for mishap in stuck.into_iter().chain([Mishap::NoVane(0)]) {
            let mut rig = out_of_order(model, fault);
            rig.world.mishap = Some(mishap);
            rig.fails_check(fault, &format!("{mishap:?}"));
            rig.world.mishap = None;
            // The beam is as it should be before the wheel turns.
            rig.sense(Event::Beam(Beam::Slot, false));
            rig.passes_check(fault, &format!("{mishap:?} is mended"));
        }
        // Without its vane a card must not stand for it.
        let mut hidden = out_of_order(model, fault);
        hidden.world.slots[7].push_back(cards(1, Red)[0]);
        hidden.world.mishap = Some(Mishap::NoVane(0));
        hidden.fails_check(fault, "a card and no vane");
        // A card beside the vane hides it; one elsewhere does not.
        let mut beside = out_of_order(model, fault);
        beside.world.slots[0].push_back(cards(1, Red)[0]);
        beside.fails_check(fault, "a card beside the vane");
        let card = beside.world.slots[0].pop_front().unwrap();
        beside.world.slots[20].push_back(card);
        beside.passes_check(fault, "a card elsewhere");
    }
}

/// SH-23: any other beam is seen blocked and free since it failed, itself and in this order.
#[test]
fn sh_23_a_beam_that_no_hand_has_tried_is_not_cleared() {
    for beam in [Beam::Mouth, Beam::Throat, Beam::Exit, Beam::Draw] {
        let fault = Fault::Sensor(beam);
        let mut rig = out_of_order(MODELS[0], fault);
        let refused = |rig: &mut Rig, what: &str| {
            assert_eq!(rig.clear_fault(fault), Err(Refused::OutOfTurn), "{beam:?}: {what}");
            assert_eq!(rig.stopped(), Some(fault), "{beam:?}: {what}");
        };
        refused(&mut rig, "not tried");
        for other in [Beam::Mouth, Beam::Throat, Beam::Exit, Beam::Slot] {
            if other != beam {
                rig.sense(Event::Beam(other, true));
                rig.sense(Event::Beam(other, false));
            }
        }
        refused(&mut rig, "another beam was tried");
        rig.sense(Event::Beam(beam, false));
        refused(&mut rig, "only free");
        rig.sense(Event::Beam(beam, true));
        refused(&mut rig, "only blocked");
        rig.sense(Event::Beam(beam, false));
        rig.passes_check(fault, "blocked and free");
    }
    // The chain of sensors fails again: what the beam has shown before proves nothing.
    let mut again = out_of_order(MODELS[0], Fault::Sensor(Beam::Mouth));
    again.try_beam(Fault::Sensor(Beam::Mouth));
    again.sense(Event::Blind);
    assert_eq!(again.clear_fault(Fault::Sensor(Beam::Mouth)), Err(Refused::OutOfTurn));
}

/// SH-23: the store is written and read back: one that refuses or forgets passes no check.
#[test]
fn sh_23_a_store_that_does_not_keep_is_not_cleared() {
    let mut refuses = out_of_order(MODELS[1], Fault::Store);
    refuses.store.broken = true;
    refuses.fails_check(Fault::Store, "refuses");
    refuses.store.broken = false;
    refuses.passes_check(Fault::Store, "mended");
    let mut forgets = out_of_order(MODELS[1], Fault::Store);
    forgets.store.forgets = true;
    forgets.fails_check(Fault::Store, "forgets");
    forgets.store.forgets = false;
    forgets.passes_check(Fault::Store, "mended");
}

/// SH-23, SH-37 of randomness: the core that does not start passes no check.
#[test]
fn sh_23_a_random_core_that_does_not_start_is_not_cleared() {
    let fault = Fault::Random(3);
    let mut rig = out_of_order(MODELS[0], fault);
    rig.draws.fault = Some(fault);
    rig.fails_check(fault, "dead");
    rig.draws.fault = None;
    rig.passes_check(fault, "mended");
}

/// SH-23: the second CLEAR needs service, the right trouble, a shut lid and a free path as well.
#[test]
fn sh_23_a_passed_check_is_for_service_alone() {
    for fault in GRAVE {
        let mut rig = out_of_order(MODELS[0], fault);
        rig.try_beam(fault);
        assert_eq!(rig.clear_fault(fault), Err(Refused::Busy));
        for by in [Role::Device, Role::Dealer, Role::Floorperson, Role::Controller] {
            assert_eq!(rig.clear(fault.trouble(), by), Err(Refused::NotAuthorised), "{by:?}");
        }
        let other = Fault::DoubleFeed.trouble();
        assert_eq!(rig.clear(other, Role::Service), Err(Refused::NotFound));
        assert_eq!(rig.stopped(), Some(fault));
        assert_eq!(rig.clear_fault(fault), Ok(()));
        assert_eq!(rig.clear_fault(fault), Err(Refused::NotFound), "once is enough");
    }
}

/// SH-23: an open lid, the power or another fault takes a passed check back.
#[test]
fn sh_23_what_happens_after_the_check_takes_it_back() {
    type Blow = (&'static str, fn(&mut Rig));
    let blows: [Blow; 5] = [
        ("lid", |rig| [true, false].into_iter().for_each(|open| rig.set_lid(open))),
        ("power", Rig::cut_power),
        ("stall", |rig| rig.sense(Event::Stalled(Axis::Wheel))),
        ("core", |rig| rig.shuffler.fail(Fault::Random(1), &mut rig.store)),
        ("motor", |rig| rig.sense(Event::Unanswered)),
    ];
    for fault in [Fault::Unanswered, Fault::Sensor(Beam::Slot), Fault::Store, Fault::Random(3)] {
        for (what, blow) in blows {
            let mut rig = out_of_order(MODELS[0], fault);
            assert_eq!(rig.clear_fault(fault), Err(Refused::Busy), "{what}");
            blow(&mut rig);
            rig.run();
            assert_eq!(rig.stopped(), Some(fault), "{what}");
            rig.passes_check(fault, what);
        }
    }
}

/// SH-23: while the wheel turns for it the check is BUSY; a lid or a STOP ends it, unpassed, and
/// the fault stands.
#[test]
fn sh_23_a_check_under_way_is_busy_and_can_be_stopped() {
    let fault = Fault::TooManyFaults;
    let stop = |rig: &mut Rig| rig.command(Task::Abort, Purpose::None, Role::Dealer).unwrap();
    let lid = |rig: &mut Rig| [true, false].into_iter().for_each(|open| rig.set_lid(open));
    let ends: [fn(&mut Rig); 2] = [stop, lid];
    for end in ends {
        let mut rig = out_of_order(MODELS[0], fault);
        let clear = |rig: &mut Rig| {
            let trouble = fault.trouble();
            let request = croupier::protocol::generated::croupier::common::ClearRequest {
                trouble,
                ..Default::default()
            };
            rig.obey(Role::Service, &request).map(drop)
        };
        assert_eq!(clear(&mut rig), Err(Refused::Busy));
        assert_eq!(clear(&mut rig), Err(Refused::Busy), "the wheel turns");
        assert!(rig.shuffler.deadline().is_some());
        end(&mut rig);
        assert_eq!((rig.shuffler.deadline(), rig.stopped()), (None, Some(fault)));
        rig.passes_check(fault, "from the beginning");
    }
    let mut still = out_of_order(MODELS[0], fault);
    let refused = still.command(Task::Abort, Purpose::None, Role::Dealer);
    assert_eq!(refused, Err(Refused::OutOfTurn), "nothing moves");
}
