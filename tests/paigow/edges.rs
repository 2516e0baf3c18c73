//! What a front, a controller or a hand does at the edge of a rule: the rule holds there too.

use std::num::NonZeroU8;

use crate::harness::{Plain, Ram, Table, obey};
use crate::linked::Linked;
use croupier::node::Refused;
use croupier::paigow::device::Want;
use croupier::paigow::ports::{Key, Numbers};
use croupier::paigow::{DeviceEvent, Fault, Segments, State};
use croupier::panel::KeyEvent;
use croupier::protocol::generated::croupier::common::{
    ClearRequest, Condition, Game, ProfileSetRequest, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{
    ArmRequest, BlankReason, RecallRequest, RoundEndRequest, Signal,
};

const TWO: NonZeroU8 = NonZeroU8::new(2).unwrap();

fn blanked_by_lamp_test(event: &DeviceEvent) -> bool {
    matches!(event, DeviceEvent::Blanked(blanked) if blanked.reason == BlankReason::LampTest)
}

/// How often this refusal was published.
fn published_times(published: &[DeviceEvent], trouble: Trouble) -> usize {
    let is = |event: &&DeviceEvent| match event {
        DeviceEvent::Irregularity(sent) => sent.trouble == trouble,
        _ => false,
    };
    published.iter().filter(is).count()
}

/// PG-11: a round without a number is ended by its own name alone.
#[test]
fn the_end_of_another_round_leaves_an_armed_round_as_it_was() {
    let signals =
        [(Signal::ShuffleComplete, State::WaitingBets(7)), (Signal::BetsClosed, State::Armed(7))];
    let mut table = Plain::new();
    for (signal, state) in signals {
        let arm = ArmRequest { round: 7, signal, ..ArmRequest::default() };
        assert_eq!(obey(&mut table, Role::Controller, &arm), Ok(()));
        for round in [0, 6, 8] {
            let end = RoundEndRequest { round, ..RoundEndRequest::default() };
            let refused = obey(&mut table, Role::Dealer, &end);
            assert_eq!(refused, Err(Refused::OutOfTurn), "{state:?} {round}");
            assert_eq!(table.context.device.state(), state);
        }
    }
    let end = RoundEndRequest { round: 7, ..RoundEndRequest::default() };
    assert_eq!(obey(&mut table, Role::Dealer, &end), Ok(()));
    assert_eq!(table.context.device.state(), State::Idle);
}

/// PG-20: a display at fault is not lit by the lamp test, not even if it works again by itself.
#[test]
fn no_lamp_test_runs_on_a_display_at_fault() {
    let mut table = Plain::new();
    table.context.device.fail(Fault::Display(4), table.now, &mut table.context.store);
    table.hold(Key::LampTest);
    table.run_for(600);
    assert!(!table.display.0.borrow().tested);
    assert!(!table.context.device.services.lamp_test);
    assert!(!table.published.iter().any(blanked_by_lamp_test));
    // Another fault leaves the display as good as it was.
    let mut table = Plain::new();
    table.context.device.fail(Fault::Store, table.now, &mut table.context.store);
    table.hold(Key::LampTest);
    assert!(table.display.0.borrow().tested);
}

/// A source that gives one more than it was asked for.
struct OneTooMany;

impl Numbers for OneTooMany {
    fn start(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    fn draw(&mut self, most: NonZeroU8) -> Result<NonZeroU8, Fault> {
        Ok(most.saturating_add(1))
    }

    fn cycle(&mut self, _: u32) -> Result<(), Fault> {
        Ok(())
    }

    fn retry(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// PG-13: a number that no place has is a fault of the selection: neither kept nor shown.
#[test]
fn a_number_above_the_highest_position_is_a_fault() {
    let mut table = Table::with(Ram::default(), OneTooMany);
    assert_eq!(table.draw(), None);
    assert_eq!(table.context.device.state(), State::Faulted(Fault::Selection));
    assert_eq!(table.context.device.record().last(), None);
    assert_eq!(published_times(&table.published, Trouble::SelectionFault), 1);
}

/// PG-09: a number counts as shown once the display was set to it, and to nothing else.
#[test]
fn a_display_set_to_anything_else_does_not_show_the_number() {
    let mut table = Plain::new();
    table.arm();
    let now = table.now;
    let context = &mut table.context;
    let (device, store) = (&mut context.device, &mut context.store);
    device.key(Key::Draw, KeyEvent::Pressed, now, store);
    assert!(matches!(device.want(), Some(Want::Draw(_))));
    device.drawn(Ok(TWO), now, store);
    assert_eq!(device.state(), State::Lighting(1, TWO));
    let others = (0..=u8::MAX).map(Segments::from_bits).filter(|set| set.number() != Some(TWO));
    for set in others {
        device.shown(set, Ok(()), now, store);
        assert_eq!(device.state(), State::Lighting(1, TWO), "{set:?}");
    }
    device.shown(device.lit(now), Ok(()), now, store);
    assert_eq!(device.state(), State::Shown(1, TWO));
}

/// PG-11: a refusal is published once for each thing that went before it, not once in the device's life.
#[test]
fn a_press_refused_after_something_changed_is_published_again() {
    let mut table = Plain::new();
    table.tap(Key::Draw);
    table.tap(Key::Draw);
    assert_eq!(published_times(&table.published, Trouble::EarlyPress), 1);
    table.tap(Key::Shuffled);
    table.tap(Key::Draw);
    assert_eq!(published_times(&table.published, Trouble::EarlyPress), 2);
}

/// PG-11: a second press is published in each round, also where a fault ended the round before.
#[test]
fn a_second_press_is_published_again_in_the_round_after_a_fault() {
    let mut table = Plain::new();
    table.draw();
    table.tap(Key::Draw);
    table.context.device.fail(Fault::Store, table.now, &mut table.context.store);
    let clear = ClearRequest { trouble: Trouble::StoreFault, ..ClearRequest::default() };
    assert_eq!(obey(&mut table, Role::Service, &clear), Err(Refused::Busy));
    table.run_for(50);
    assert_eq!(obey(&mut table, Role::Service, &clear), Ok(()));
    table.skip(croupier::paigow::ROUND_AT_LEAST);
    assert_eq!(table.draw(), Some(2));
    table.tap(Key::Draw);
    assert_eq!(published_times(&table.published, Trouble::SecondPress), 2);
}

/// CM-07: a round that a power cut interrupted is one before its number is lit again.
#[test]
fn the_profile_does_not_change_in_a_round_that_a_power_cut_interrupted() {
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..ProfileSetRequest::default() };
    let mut table = Plain::new();
    table.draw();
    let mut table = table.power_cycled();
    assert!(matches!(table.context.device.state(), State::Lighting(..)), "the loop has not begun");
    assert_eq!(obey(&mut table, Role::Floorperson, &profile), Err(Refused::InRound));
}

/// PG-15: in play is the number that stands, and none before it.
#[test]
fn only_the_number_that_stands_is_recalled_as_in_play() {
    let mut linked = Linked::new();
    for round in 1..=2 {
        for key in [Key::Shuffled, Key::BetsClosed, Key::Draw] {
            linked.tap(key);
        }
        for back in 0..round {
            let recall = RecallRequest { back, ..RecallRequest::default() };
            let entry = linked.ask(Role::Service, &recall).1;
            assert_eq!((entry.round, entry.in_play), (u16::from(round - back), back == 0));
        }
        linked.deal();
        linked.tap(Key::RoundEnd);
    }
}

/// PG-09: while the lamp test runs the device says that it is being checked, and not that it serves.
#[test]
fn a_generator_with_a_lamp_test_is_being_checked() {
    let mut linked = Linked::new();
    let mut condition_with = |down| {
        linked.table.fingers.0[Key::LampTest as usize] = down;
        linked.run_for(1_200);
        linked.bank.status.expect("published").condition
    };
    assert_eq!(condition_with(true), Condition::Checking);
    assert_eq!(condition_with(false), Condition::InService);
}
