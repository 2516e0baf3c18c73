//! Whatever order is drawn, the ideal wheel brings out exactly that order.

use croupier::shuffler::{Pace, Plan, Unplannable, Wheel};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::collections::VecDeque;

const WHEELS: [Wheel; 2] = [Wheel::SINGLE_DECK, Wheel::MULTI_DECK];

fn drawn(count: u16, random: &mut StdRng) -> Vec<u16> {
    let mut order: Vec<u16> = (0..count).collect();
    order.shuffle(random);
    order
}

/// Feeds `cards` through an ideal wheel as `plan` says; what comes out, in its order.
fn run(mut plan: Plan, cards: Vec<u16>) -> Vec<u16> {
    let wheel = *plan.wheel();
    let mut tray = cards;
    for pass in 1..=plan.passes() {
        if pass > 1 {
            plan.next_pass(tray.len() as u16);
        }
        let mut slots = vec![VecDeque::new(); wheel.slots.into()];
        for (fed, card) in (0..).zip(tray.drain(..)) {
            let slot = &mut slots[usize::from(plan.slot(fed).unwrap())];
            slot.push_back(card);
            assert!(slot.len() <= wheel.capacity.into(), "a slot overflows");
        }
        for visit in plan.visits() {
            tray.extend(slots[usize::from(visit)].drain(..));
        }
        assert!(slots.iter().all(VecDeque::is_empty), "cards left inside");
    }
    tray
}

/// SH-01, SH-04, SH-06: every number of cards, every reference wheel, any place to begin.
#[test]
fn the_ideal_wheel_brings_out_exactly_the_drawn_order() {
    let mut random = StdRng::seed_from_u64(1);
    for wheel in WHEELS {
        for count in 1..=424 {
            for at in [0, 7, wheel.slots - 1] {
                let order = drawn(count, &mut random);
                match Plan::new(wheel, &order, at) {
                    Ok(plan) => assert_eq!(run(plan, (0..count).collect()), order),
                    Err(why) => {
                        assert_eq!(why, Unplannable::Cards);
                        assert!(count > wheel.slots.into() && wheel.capacity == 1, "{count}");
                    }
                }
            }
        }
    }
}

/// SH-28: if fewer cards come than were drawn for, their order is the drawn one without
/// the missing.
#[test]
fn fewer_cards_come_out_in_the_drawn_order_without_the_missing() {
    let mut random = StdRng::seed_from_u64(2);
    for (wheel, count) in
        [(Wheel::SINGLE_DECK, 52), (Wheel::MULTI_DECK, 312), (Wheel::MULTI_DECK, 416)]
    {
        for came in (1..count).step_by(7) {
            let order = drawn(count, &mut random);
            let plan = Plan::new(wheel, &order, 3).unwrap();
            let expected: Vec<u16> = order.iter().copied().filter(|card| *card < came).collect();
            assert_eq!(run(plan, (0..came).collect()), expected);
        }
    }
}

/// SH-28: a card that does not come has no slot. The wheel is sent ahead to the slot of the next
/// card, and after the last one of a short second pass there is none.
#[test]
fn a_card_that_does_not_come_has_no_slot() {
    let mut random = StdRng::seed_from_u64(6);
    for count in 55..=424 {
        let mut plan = Plan::new(Wheel::MULTI_DECK, &drawn(count, &mut random), 0).unwrap();
        plan.next_pass(count - 20);
        assert!(plan.slot(count - 21).is_some(), "{count} cards");
        assert_eq!(plan.slot(count - 20), None, "{count} cards");
    }
}

/// SH-14.
#[test]
fn counting_only_leaves_the_order_as_it_lay() {
    for (wheel, count) in
        [(Wheel::SINGLE_DECK, 53), (Wheel::MULTI_DECK, 52), (Wheel::MULTI_DECK, 416)]
    {
        let mut plan = Plan::blank(wheel);
        plan.lay_out_as_they_lie(count, 11).unwrap();
        let cards: Vec<u16> = (0..count).collect();
        assert_eq!(run(plan, cards.clone()), cards);
    }
}

/// What is not an order is never taken for one.
#[test]
fn wrong_orders_are_refused() {
    let why = |order: &[u16]| Plan::new(Wheel::MULTI_DECK, order, 0).err();
    assert_eq!(why(&[]), Some(Unplannable::Cards));
    assert_eq!(why(&vec![0; 425]), Some(Unplannable::Cards));
    assert_eq!(why(&[0, 1, 1]), Some(Unplannable::NoOrder));
    assert_eq!(why(&[0, 1, 3]), Some(Unplannable::NoOrder));
    assert_eq!(why(&[2, 0, 1]), None);
}

/// SH-26: a cover card finds a slot that no counted card uses.
#[test]
fn spare_slots_are_used_by_no_card() {
    let mut random = StdRng::seed_from_u64(3);
    for (wheel, count, spare) in [(Wheel::SINGLE_DECK, 52, 2), (Wheel::MULTI_DECK, 416, 4)] {
        let mut plan = Plan::new(wheel, &drawn(count, &mut random), 0).unwrap();
        let spares: Vec<u8> = (0..).map_while(|number| plan.spare_slot(number)).collect();
        println!("{count}: {} spare", spares.len());
        assert!(spares.len() >= spare, "{count}");
        for pass in 1..=plan.passes() {
            if pass > 1 {
                plan.next_pass(count);
            }
            assert!((0..count).all(|fed| !spares.contains(&plan.slot(fed).unwrap())));
        }
    }
}

/// SH-05: 52 cards in 20.5 seconds with everything, near the mechanism's floor, and quicker than
/// without planning. Times are the mean of 50 orders, in seconds.
#[test]
fn planned_cycles_are_quick() {
    let mut random = StdRng::seed_from_u64(4);
    for (wheel, count, most_s, most_ratio) in [
        (Wheel::SINGLE_DECK, 52_u16, 20.5, 1.39),
        (Wheel::SINGLE_DECK, 53, 20.9, 1.39),
        (Wheel::MULTI_DECK, 208, 140.0, 1.28),
        (Wheel::MULTI_DECK, 312, 220.0, 1.35),
        (Wheel::MULTI_DECK, 416, 298.0, 1.37),
    ] {
        let (pace, one_way) = (Pace::new(&wheel), Pace::one_way(&wheel));
        let mut times = [0_u64; 3];
        let mut passes = 0;
        for _ in 0..50 {
            let order = drawn(count, &mut random);
            let planned = Plan::new(wheel, &order, 0).unwrap();
            passes = planned.passes();
            let thoughtless = || Plan::thoughtless(wheel, &order).unwrap();
            times[0] += u64::from(pace.cycle_us(planned, 0));
            times[1] += u64::from(pace.cycle_us(thoughtless(), 0));
            times[2] += u64::from(one_way.cycle_us(thoughtless(), 0));
        }
        let [planned, shorter_way, forwards] = times.map(|time| time as f64 / 50e6);
        let floor = f64::from(pace.floor_us(count, passes)) / 1e6;
        println!(
            "{count}: floor {floor:.1}, planned {planned:.1} ({:.2}), shorter way only \
             {shorter_way:.1} ({:.2}), forwards only {forwards:.1} ({:.2})",
            planned / floor,
            shorter_way / floor,
            forwards / floor,
        );
        assert!(planned <= most_s && planned / floor <= most_ratio, "{count}: {planned}");
        assert!(planned < shorter_way && shorter_way < forwards, "{count}");
    }
}

/// Without planning the order is the same: only the way is longer.
#[test]
fn planning_does_not_touch_the_order() {
    let mut random = StdRng::seed_from_u64(5);
    for (wheel, count) in
        [(Wheel::SINGLE_DECK, 52), (Wheel::MULTI_DECK, 208), (Wheel::MULTI_DECK, 416)]
    {
        let order = drawn(count, &mut random);
        let cards: Vec<u16> = (0..count).collect();
        assert_eq!(run(Plan::thoughtless(wheel, &order).unwrap(), cards.clone()), order);
        assert_eq!(run(Plan::new(wheel, &order, 9).unwrap(), cards), order);
    }
}

/// SH-42, CM-10: a plan that is wiped holds nothing of its order.
#[test]
fn a_wiped_plan_holds_no_order() {
    let mut random = StdRng::seed_from_u64(6);
    for (wheel, count) in [(Wheel::SINGLE_DECK, 52), (Wheel::MULTI_DECK, 416)] {
        let mut plan = Plan::blank(wheel);
        assert!(plan.is_blank());
        plan.lay_out(&drawn(count, &mut random), 0).unwrap();
        assert!(!plan.is_blank());
        plan.wipe();
        assert!(plan.is_blank() && plan.slot(0).is_none());
        assert!(plan.lay_out(&[0, 0], 0).is_err());
        assert_eq!(plan.slot(0), None, "what was refused leads nowhere");
    }
}
