//! The loop around the shuffler: it goes on while an order is drawn, plans in steps, and hears
//! keys.

use crate::harness::Rig;
use croupier::shuffler::ports::{Ask, Key};
use croupier::shuffler::{Contact, Event, Fault, State, Want};
use croupier::time::Millis;

/// A single-deck machine with a deck in its tray whose draw takes its time.
fn drawing() -> Rig {
    let mut rig = Rig::single(52);
    rig.draws.slow = true;
    assert_eq!(rig.start(), Ok(()));
    while rig.shuffler.want().is_none() {
        assert!(rig.step(), "never came to it: {:?}", rig.shuffler.state());
    }
    assert_eq!(rig.draws.asks.pop(), Some(Ask::Order(52)));
    rig.draws.asks.clear();
    rig
}

fn order() -> Vec<u16> {
    (0..52).map(|card| card * 7 % 52).collect()
}

/// The wheel waits for nobody.
#[test]
fn what_a_sensor_says_is_answered_before_the_next_is_looked_at() {
    let mut rig = Rig::single(52);
    assert_eq!(rig.start(), Ok(()));
    let looks = rig.looks;
    let lid = Event::Contact(Contact::LidOpen, true);
    rig.noticed.extend([lid, Event::Contact(Contact::FeedLoaded, false)]);
    rig.pass();
    assert!(rig.stopped().is_some());
    assert_eq!((rig.acted_at - looks, rig.looks - looks), (1, 3));
}

#[test]
fn the_mechanism_is_looked_at_while_an_order_is_drawn() {
    let mut rig = drawing();
    let looks = rig.looks;
    for _ in 0..20 {
        rig.round();
    }
    assert_eq!(rig.shuffler.state(), State::Drawing);
    assert_eq!(rig.looks - looks, 20);
    assert_eq!(rig.draws.asks, [], "asked once, and nothing beside it");
}

#[test]
fn a_plan_is_made_a_few_steps_in_each_pass_and_the_mechanism_is_looked_at_between() {
    let mut rig = drawing();
    rig.draws.give(Ok(order()));
    let (looks, before) = (rig.looks, rig.world.now);
    while rig.shuffler.state() == State::Drawing {
        rig.round();
        let planning = rig.shuffler.state() == State::Drawing;
        assert!(
            !planning || rig.until <= rig.world.now + Millis::new(1),
            "the next step comes at once"
        );
        assert!(rig.shuffler.want().is_none(), "it does not ask for another order");
    }
    assert_eq!(rig.shuffler.state(), State::Cycling);
    let rounds = rig.world.now.since(before).get();
    assert!((200..400).contains(&rounds), "{rounds}");
    assert!(u64::from(rig.looks - looks) >= rounds);
}

/// SH-42: an order that nobody wants any more is gone.
#[test]
fn an_order_for_a_cycle_that_was_stopped_is_not_used() {
    let mut rig = drawing();
    rig.set_lid(true);
    assert!(rig.stopped().is_some());
    rig.draws.give(Ok(order()));
    rig.round();
    assert!(rig.stopped().is_some());
    assert!(rig.shuffler.is_forgotten());
    assert!(rig.draws.is_wiped());
}

#[test]
fn a_lid_opened_while_it_plans_stops_it_and_wipes_the_plan() {
    let mut rig = drawing();
    rig.draws.give(Ok(order()));
    rig.round();
    rig.round();
    assert!(!rig.shuffler.is_forgotten(), "half a plan is a plan");
    rig.set_lid(true);
    assert!(rig.shuffler.is_forgotten() && rig.stopped().is_some());
}

#[test]
fn a_source_that_fails_stops_the_machine() {
    let mut rig = drawing();
    rig.draws.give(Err(Fault::Random(3)));
    rig.round();
    assert_eq!(rig.stopped(), Some(Fault::Random(3)));
}

/// Then the loop answers no the task watchdog any more, and the device crashes.
#[test]
fn a_source_that_never_answers_is_noticed() {
    let mut rig = drawing();
    let since = rig.world.now;
    while rig.state.is_sound(rig.world.now) {
        rig.round();
    }
    assert_eq!(rig.world.now.since(since), Millis::from_secs(1));
    assert_eq!(rig.shuffler.want(), Some(Want::Order(52)));
}

/// CM-12: contacts that bounce are no press, and a press that lasts is one.
#[test]
fn a_key_begins_a_cycle_once_its_contacts_have_settled() {
    let mut rig = Rig::single(52);
    let hold = |rig: &mut Rig, key: Key, down: bool, ms: u64| {
        rig.keys.0[key as usize] = down;
        (0..ms).for_each(|_| rig.round());
    };
    hold(&mut rig, Key::Start, true, 10);
    hold(&mut rig, Key::Start, false, 30);
    assert_eq!(rig.shuffler.state(), State::Idle);
    hold(&mut rig, Key::Start, true, 30);
    assert!(rig.shuffler.state().is_busy());
    hold(&mut rig, Key::Start, false, 30);
    hold(&mut rig, Key::LampTest, true, 30);
    let shown = rig.shown();
    assert!(shown.green && shown.amber && shown.red);
    hold(&mut rig, Key::LampTest, false, 30);
    rig.run();
    assert!(rig.is_certified());
}
