//! Rounds of the Pai Gow generator, by its keys: what a dealer and a laboratory would see.

use crate::harness::{Plain, Ram, SharedDisplay, Source, Table, services};
use croupier::paigow::ports::Key;
use croupier::paigow::{DeviceEvent, Fault, State};
use croupier::protocol::generated::croupier::common::{Game, NextStep, Role, Trouble};
use croupier::protocol::generated::croupier::paigow::{BlankReason, Direction};

fn troubles(published: &[DeviceEvent]) -> Vec<Trouble> {
    let trouble = |event: &DeviceEvent| match event {
        DeviceEvent::Irregularity(published) => Some(published.trouble),
        _ => None,
    };
    published.iter().filter_map(trouble).collect()
}

fn reasons(published: &[DeviceEvent]) -> Vec<BlankReason> {
    let reason = |event: &DeviceEvent| match event {
        DeviceEvent::Blanked(blanked) => Some(blanked.reason),
        _ => None,
    };
    published.iter().filter_map(reason).collect()
}

fn numbers(published: &[DeviceEvent]) -> Vec<(u16, u8)> {
    let number = |event: &DeviceEvent| match event {
        DeviceEvent::Number(number) => Some((number.round, number.number)),
        _ => None,
    };
    published.iter().filter_map(number).collect()
}

// PG-01, PG-09, PG-12: each of the seven is shown and published as drawn, with the seat map.
#[test]
fn every_number_is_shown_and_published_as_it_was_drawn() {
    let mut table = Plain::new();
    for number in 1..=7 {
        assert_eq!(table.draw(), Some(number));
        table.end_round();
        assert!(table.display.is_dark());
    }
    let expected: Vec<_> = (1..=7).map(|n| (u16::from(n), n)).collect();
    assert_eq!(numbers(&table.published), expected);
    assert_eq!(table.display.0.borrow().numbers, [1, 2, 3, 4, 5, 6, 7], "and nothing else");
    for event in &table.published {
        if let DeviceEvent::Number(number) = event {
            assert_eq!((number.counted, number.dealt), {
                (Direction::CounterClockwise, Direction::Clockwise)
            });
            assert_eq!(number.positions, 7);
        }
    }
}

// PG-10: no number before the shuffle and the last bet, in that order; dark between rounds.
#[test]
fn a_press_draws_only_after_the_shuffle_and_after_the_last_bet() {
    let steps: [&[Key]; 6] = [
        &[],
        &[Key::Shuffled],
        &[Key::BetsClosed],
        &[Key::BetsClosed, Key::Shuffled],
        &[Key::Shuffled, Key::BetsClosed, Key::Shuffled],
        &[Key::Shuffled, Key::BetsClosed, Key::RoundEnd],
    ];
    for before in steps {
        let mut table = Plain::new();
        before.iter().for_each(|key| table.tap(*key));
        table.tap(Key::Draw);
        assert!(table.display.is_dark(), "{before:?}");
        assert_eq!(table.display.0.borrow().numbers, [], "{before:?}");
        assert_eq!(troubles(&table.published), [Trouble::EarlyPress], "{before:?}");
        assert_eq!(table.context.device.presses_refused(), 1);
    }
    let mut table = Plain::new();
    assert_eq!(table.draw(), Some(1));
    table.end_round();
    assert!(table.display.is_dark());
    assert_eq!(reasons(&table.published), [BlankReason::RoundEnded]);
}

// PG-11, CM-12: presses again, with bounce, held, and all keys at once change nothing.
#[test]
fn a_second_press_is_refused_and_counted_and_draws_nothing() {
    let source = Source::default();
    let mut table = Table::with(Ram::default(), source.clone());
    table.draw();
    for _ in 0..20 {
        table.tap(Key::Draw);
    }
    for flick in 0..200 {
        table.fingers.0 = [flick % 2 == 0; 5];
        table.pass();
    }
    table.fingers.0 = [false; 5];
    table.run_for(50);
    assert_eq!(source.0.borrow().draws, 1);
    assert_eq!(table.display.number(), Some(1));
    assert_eq!(table.context.device.presses_refused(), 20);
    assert_eq!(troubles(&table.published), [Trouble::SecondPress], "a storm is published once");
}

// PG-11: a key held since before the round does not draw when the round is armed.
#[test]
fn a_key_that_is_held_draws_nothing_when_the_round_is_armed() {
    let mut table = Plain::new();
    table.hold(Key::Draw);
    table.arm();
    table.run_for(1_000);
    assert!(table.display.is_dark());
    table.release(Key::Draw);
    table.tap(Key::Draw);
    assert_eq!(table.display.number(), Some(1));
}

// PG-13, PG-22: only a game that draws a start, at a table with all its places.
#[test]
fn another_game_or_another_number_of_seats_is_refused() {
    for (game, seats) in [(Game::SixCardFortunePaiGow, 5), (Game::FlopPoker, 6), (Game::None, 6)] {
        let (store, source) = (Ram::default(), Source::default());
        let mut table =
            Table::set_up(services(game, seats), store, source, SharedDisplay::default());
        assert_eq!(table.draw(), None, "{game:?} with {seats} seats");
        assert_eq!(table.context.device.state(), State::Idle);
    }
    let store = Ram::default();
    let five = services(Game::SixCardFortunePaiGow, 5);
    let mut table = Table::set_up(five, store, Source::default(), SharedDisplay::default());
    table.tap(Key::Shuffled);
    assert_eq!(troubles(&table.published), [Trouble::SeatsNotSix]);
}

// PG-16: a failed source blanks, asks for the shaker, and stays so through power loss.
#[test]
fn a_failed_source_blanks_and_asks_for_the_shaker() {
    let source = Source::default();
    let mut table = Table::with(Ram::default(), source.clone());
    assert_eq!(table.draw(), Some(1));
    source.0.borrow_mut().fault = Some(Fault::Random(7));
    table.run_for(100);
    assert!(table.display.is_dark(), "noticed between games");
    let shaker = table.published.iter().find_map(|event| match event {
        DeviceEvent::Irregularity(published) => {
            Some((published.next_step, published.cleared_by, published.detail))
        }
        _ => None,
    });
    assert_eq!(shaker, Some((NextStep::UseShaker, Role::Service, 7)));
    assert_eq!(reasons(&table.published), [BlankReason::Fault]);

    let mut table = table.power_cycled();
    assert_eq!(table.draw(), None, "though the source is well again");
    assert_eq!(troubles(&table.published), [Trouble::EntropyFault], "published again at start");
}

// PG-16: a source that fails at the press gives no number.
#[test]
fn a_source_that_fails_at_the_press_shows_nothing() {
    let source = Source::default();
    let mut table = Table::with(Ram::default(), source.clone());
    table.arm();
    source.0.borrow_mut().fault = Some(Fault::Selection);
    table.hold(Key::Draw);
    assert!(table.display.is_dark());
    assert_eq!(troubles(&table.published), [Trouble::SelectionFault]);
    assert_eq!(numbers(&table.published), []);
}

// PG-16, PG-17: a number that cannot be kept is never shown.
#[test]
fn a_number_that_cannot_be_kept_is_never_shown() {
    let mut table = Plain::new();
    table.arm();
    table.context.store.broken = true;
    table.tap(Key::Draw);
    assert!(table.display.is_dark());
    assert_eq!(table.display.0.borrow().numbers, []);
    assert_eq!(troubles(&table.published), [Trouble::StoreFault]);
    table.context.store.broken = false;
    table.run_for(200);
    let mut table = table.power_cycled();
    table.run_for(50);
    assert!(table.display.is_dark(), "the fault was kept as soon as that was possible");
    assert_eq!(table.context.device.state(), State::Faulted(Fault::Store));
}

// PG-16: a kept number that is damaged is not replaced by another.
#[test]
fn a_damaged_record_is_a_fault_and_no_number() {
    let mut table = Plain::new();
    table.draw();
    table.context.store.bytes.as_mut().unwrap()[8] = 0xFF;
    let table = table.power_cycled();
    assert_eq!(table.context.device.state(), State::Faulted(Fault::Selection));
    assert!(table.display.is_dark());
}

// PG-20: each segment, dead or stuck, with each number: the table sees the number or none.
#[test]
fn each_segment_killed_in_turn_gives_a_dark_display_and_never_a_wrong_digit() {
    for number in 1..=7 {
        for segment in 0..8 {
            for stuck in [false, true] {
                let source = Source::default();
                source.0.borrow_mut().draws = number - 1;
                let mut table = Table::with(Ram::default(), source.clone());
                table.arm();
                break_segment(&table.display, segment, stuck);
                table.tap(Key::Draw);
                let case = format!("{number}, segment {segment}, stuck {stuck}");
                assert_eq!(table.display.0.borrow().numbers, [], "{case}");
                assert_eq!(table.context.device.state(), {
                    State::Faulted(Fault::Display(segment))
                });
                assert_eq!(troubles(&table.published), [Trouble::LampFault], "{case}");
                assert_eq!(source.0.borrow().draws, number - 1, "no number was used up: {case}");
            }
        }
    }
}

// PG-20: a segment that fails under a standing number is noticed in the next round of the loop.
#[test]
fn a_segment_that_fails_under_a_number_takes_it_down_for_good() {
    for segment in 0..8 {
        for stuck in [false, true] {
            let source = Source::default();
            source.0.borrow_mut().draws = 1;
            let mut table = Table::with(Ram::default(), source);
            assert_eq!(table.draw(), Some(2));
            break_segment(&table.display, segment, stuck);
            table.pass();
            let lit = 0b101_1011 & 1 << segment != 0;
            if lit == stuck {
                assert_eq!(table.display.number(), Some(2), "nothing to see yet");
                continue;
            }
            assert!(table.display.number().is_none());
            assert!(!table.context.device.record().in_play);
            break_segment(&table.display, 8, false);
            let mut table = table.power_cycled();
            table.run_for(100);
            assert!(table.display.is_dark(), "the shaker has decided meanwhile");
        }
    }
}

fn break_segment(display: &SharedDisplay, segment: u8, stuck: bool) {
    let bit = 1u8.checked_shl(segment.into()).unwrap_or(0);
    let mut state = display.0.borrow_mut();
    (state.dead, state.stuck) = if stuck { (0, bit) } else { (bit, 0) };
}

// PG-20: the lamp test lights what is no number, draws nothing and covers no number.
#[test]
fn a_lamp_test_cannot_be_taken_for_a_draw() {
    let source = Source::default();
    let mut table = Table::with(Ram::default(), source.clone());
    table.arm();
    table.hold(Key::LampTest);
    table.tap(Key::Draw);
    table.run_for(1_000);
    assert!(table.display.0.borrow().tested);
    assert_eq!((source.0.borrow().draws, table.display.0.borrow().numbers.len()), (0, 0));
    assert_eq!(reasons(&table.published), [BlankReason::LampTest]);
    table.release(Key::LampTest);
    assert!(table.display.is_dark());

    table.display.0.borrow_mut().tested = false;
    table.tap(Key::Draw);
    assert_eq!(table.display.number(), Some(1));
    table.hold(Key::LampTest);
    table.run_for(1_000);
    assert_eq!(table.display.number(), Some(1), "the number stays readable (PG-14)");
    assert!(!table.display.0.borrow().tested);
}

// PG-20: the lamp test itself finds a bad segment.
#[test]
fn a_lamp_test_finds_a_dead_segment() {
    let mut table = Plain::new();
    break_segment(&table.display, 4, false);
    table.hold(Key::LampTest);
    assert!(table.display.is_dark());
    assert_eq!(table.context.device.state(), State::Faulted(Fault::Display(4)));
}

// PG-15: the last hundred can be recalled, with their time and round.
#[test]
fn the_last_hundred_numbers_are_recalled() {
    let mut table = Plain::new();
    for _ in 0..120 {
        assert!(table.draw().is_some());
        table.end_round();
    }
    let record = table.context.device.record();
    let rounds: Vec<_> = (0..100).map(|back| record.recall(back).unwrap().round).collect();
    assert_eq!(rounds, (21..=120).rev().collect::<Vec<_>>());
    assert_eq!(record.recall(100), None);
    let table = table.power_cycled();
    assert_eq!(table.context.device.record().recall(7).map(|entry| entry.round), Some(113));
}

// PG-08: the random core is cycled between games and while a number stands.
#[test]
fn the_random_core_is_cycled_all_the_time() {
    let source = Source::default();
    let mut table = Table::with(Ram::default(), source.clone());
    table.run_for(10_000);
    assert_eq!(source.0.borrow().cycles, 100);
    table.draw();
    source.0.borrow_mut().cycles = 0;
    table.run_for(10_000);
    assert_eq!(source.0.borrow().cycles, 100);
}
