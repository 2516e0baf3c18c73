//! A round lasts at least as long as a deal: who would draw until a number suits has to wait (PG-11).

use crate::harness::{Plain, Source, Table};
use crate::linked::Linked;
use croupier::paigow::ports::Key;
use croupier::paigow::{DeviceEvent, Fault, ROUND_AT_LEAST, State};
use croupier::protocol::generated::croupier::common::{
    Irregularity, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{ArmRequest, RoundEndRequest, Signal};
use croupier::time::Millis;

/// Each refusal that a round was too short: how many ms since the draw.
fn too_short(published: &[DeviceEvent]) -> Vec<u16> {
    let detail = |event: &DeviceEvent| match event {
        DeviceEvent::Irregularity(told) if told.trouble == Trouble::RoundTooShort => {
            assert_eq!(told.next_step, NextStep::TellFloorAndContinue);
            Some(told.detail)
        }
        _ => None,
    };
    published.iter().filter_map(detail).collect()
}

/// What its number is, until 30 s are over.
fn last_moment() -> Millis {
    ROUND_AT_LEAST - Millis::new(100)
}

// PG-11: the dealer's keys. Refused and published once, and the number stands until 30 s are over.
#[test]
fn keys_cannot_end_a_round_sooner_than_a_deal_can_be_over() {
    for key in [Key::RoundEnd, Key::Shuffled] {
        let source = Source::default();
        let mut table = Table::with(crate::harness::Ram::default(), source.clone());
        table.draw();
        for _ in 0..5 {
            table.tap(key);
        }
        for key in [Key::BetsClosed, Key::Draw] {
            table.tap(key);
        }
        assert_eq!((table.display.number(), source.0.borrow().draws), (Some(1), 1), "{key:?}");
        let told = too_short(&table.published);
        assert!(told.len() == 1 && (10..100).contains(&told[0]), "{key:?}: {told:?}");
    }
    let mut table = Plain::new();
    table.draw();
    let drawn_at = table.now;
    while table.now + Millis::new(100) < drawn_at + ROUND_AT_LEAST {
        table.skip(Millis::from_secs(1) - Millis::new(50));
        table.tap(Key::RoundEnd);
        assert_eq!(table.display.number().is_some(), table.now < drawn_at + ROUND_AT_LEAST);
    }
    table.tap(Key::RoundEnd);
    assert!(table.display.is_dark());
    assert_eq!(table.draw(), Some(2));
    table.tap(Key::RoundEnd);
    assert_eq!(table.display.number(), Some(2), "the second round lasts as long");
}

// PG-11: the wire. Each role that may ask, this round's name or another's.
#[test]
fn no_role_ends_a_round_or_arms_another_sooner_than_a_deal_can_be_over() {
    let mut linked = Linked::new();
    for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
        assert_eq!(linked.signal(7, signal).0, Outcome::Accepted);
    }
    linked.tap(Key::Draw);
    linked.run_for(last_moment().get() - 3_000);
    let mut told = 0;
    for role in [Role::Dealer, Role::Controller] {
        for round in [7, 8, 6] {
            let end = RoundEndRequest { round, ..RoundEndRequest::default() };
            assert_eq!(linked.ask(role, &end).0, Outcome::OutOfTurn, "{role:?} {round}");
            let signal = Signal::ShuffleComplete;
            let arm = ArmRequest { round, signal, ..ArmRequest::default() };
            assert_eq!(linked.ask(role, &arm).0, Outcome::OutOfTurn, "{role:?} {round}");
            told += 1;
        }
        let bets = ArmRequest { round: 8, signal: Signal::BetsClosed, ..ArmRequest::default() };
        assert_eq!(linked.ask(role, &bets).0, Outcome::OutOfTurn, "{role:?}");
    }
    assert!(told > 0);
    let published = linked.events::<Irregularity>();
    let published: Vec<_> = published.iter().map(|told| told.trouble).collect();
    assert_eq!(published, [Trouble::RoundTooShort], "published, and once");
    assert_eq!(linked.table.display.number(), Some(1));
    linked.run_for(3_100);
    assert_eq!(linked.end(7), Outcome::Accepted);
    assert_eq!(linked.signal(8, Signal::ShuffleComplete).0, Outcome::Accepted);
}

// PG-11: each of them alone is published.
#[test]
fn each_hasty_request_is_published() {
    let arm = |round, signal| ArmRequest { round, signal, ..ArmRequest::default() };
    let requests = [
        (arm(7, Signal::ShuffleComplete), true),
        (arm(8, Signal::ShuffleComplete), true),
        (arm(8, Signal::BetsClosed), true),
        // Said again, of this round: no harm.
        (arm(7, Signal::BetsClosed), false),
    ];
    for (request, hasty) in requests {
        let mut linked = Linked::new();
        for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
            linked.signal(7, signal);
        }
        linked.tap(Key::Draw);
        assert_eq!(linked.ask(Role::Controller, &request).0, Outcome::OutOfTurn);
        let told = linked.last_trouble().map(|(trouble, _)| trouble);
        assert_eq!(told, hasty.then_some(Trouble::RoundTooShort), "{request:?}");
    }
}

// PG-11, PG-17: the power does not shorten a round: its time counts from the start again, with the number
// still standing and with its round over.
#[test]
fn after_a_power_cut_the_time_of_a_round_counts_from_the_start() {
    let mut table = Plain::new();
    table.draw();
    table.skip(ROUND_AT_LEAST);
    let mut table = table.power_cycled();
    table.run_for(100);
    assert_eq!(table.display.number(), Some(1));
    table.tap(Key::RoundEnd);
    assert_eq!((table.display.number(), too_short(&table.published).len()), (Some(1), 1));
    table.skip(last_moment() - Millis::new(300));
    table.tap(Key::RoundEnd);
    assert_eq!(table.display.number(), Some(1));
    table.end_round();
    assert!(table.display.is_dark());

    let mut table = table.power_cycled();
    table.arm();
    assert_eq!((table.context.device.state(), too_short(&table.published).len()), (State::Idle, 1));
    table.skip(ROUND_AT_LEAST);
    table.arm();
    assert_eq!(table.context.device.state(), State::Armed(2));
}

// PG-11: a generator that never drew waits for nothing.
#[test]
fn a_new_generator_is_armed_at_once() {
    let mut table = Plain::new();
    assert_eq!(table.draw(), Some(1));
    assert_eq!(too_short(&table.published), []);
}

// PG-11, PG-16: a fault that takes the number down does not open the next round at once either.
#[test]
fn a_fault_that_is_cleared_does_not_shorten_a_round() {
    let mut table = Plain::new();
    table.draw();
    table.context.device.fail(Fault::Store, table.now, &mut table.context.store);
    let clear = croupier::protocol::generated::croupier::common::ClearRequest {
        trouble: Trouble::StoreFault,
        ..Default::default()
    };
    _ = crate::harness::obey(&mut table, Role::Service, &clear);
    table.run_for(50);
    assert_eq!(crate::harness::obey(&mut table, Role::Service, &clear), Ok(()));
    table.arm();
    assert_eq!((table.context.device.state(), too_short(&table.published).len()), (State::Idle, 1));
    table.skip(ROUND_AT_LEAST);
    table.arm();
    assert_eq!(table.context.device.state(), State::Armed(2));
}
