//! What it costs to turn an order into moves of the wheel, beside no thought for the way.

use crate::{Report, instructions};
use core::hint::black_box;
use croupier::shuffler::queue::places_for;
use croupier::shuffler::{Plan, Wheel};
use static_cell::ConstStaticCell;

const MOST: usize = 416;
static ORDER: ConstStaticCell<[u16; MOST]> = ConstStaticCell::new([0; MOST]);
static PLACES: ConstStaticCell<[u16; 312]> = ConstStaticCell::new([0; 312]);

/// Measures the shuffler's rows.
#[inline(never)] // its stack is given back before the next begins
pub(crate) fn measure(report: &mut Report) {
    let order = ORDER.take();
    let sizes = [
        ("plan of a shuffle, 52 cards", 52, Wheel::SINGLE_DECK),
        ("plan of a shuffle, 416 cards", MOST, Wheel::MULTI_DECK),
    ];
    for (name, cards, wheel) in sizes {
        let order = &mut order[..cards];
        mix(order);
        let mut plan = Plan::blank(wheel);
        let planned = instructions(|| {
            let _ = black_box(plan.lay_out(black_box(order), 0));
        });
        let thoughtless = instructions(|| {
            let _ = black_box(Plan::thoughtless(wheel, black_box(order)));
        });
        report.row(name, "instructions", planned, "slots by place", thoughtless);
    }
    let steps = [
        ("plan of 52 cards, dearest step", 52, Wheel::SINGLE_DECK),
        ("plan of 416 cards, dearest step", MOST, Wheel::MULTI_DECK),
    ];
    for (name, cards, wheel) in steps {
        let dearest = dearest_step(&mut order[..cards], wheel);
        report.row(name, "instructions", dearest, "", 0);
    }
    mix(order);
    let mut plan = Plan::blank(Wheel::MULTI_DECK);
    let _ = plan.lay_out(order, 0);
    let second = instructions(|| black_box(&mut plan).next_pass(MOST as u16));
    report.row("second pass of 416 cards", "instructions", second, "", 0);
    let order = &mut order[..312];
    mix(order);
    let joining = instructions(|| places_for(black_box(order), 0, &mut PLACES.take()[..]));
    report.row("places of 312 cards that join", "instructions", joining, "", 0);
}

/// What a device's loop does of a plan at a time.
fn dearest_step(order: &mut [u16], wheel: Wheel) -> u32 {
    mix(order);
    let mut plan = Plan::blank(wheel);
    let mut dearest = instructions(|| {
        let _ = black_box(plan.begin(black_box(order), 0));
    });
    while plan.is_choosing() {
        dearest = dearest.max(instructions(|| black_box(&mut plan).choose_on()));
    }
    dearest
}

/// Any order will do, as long as it is the same in every run.
fn mix(order: &mut [u16]) {
    for (card, place) in (0..).zip(order.iter_mut()) {
        *place = card;
    }
    let mut state = 0x2545_F491_u32;
    for last in (1..order.len()).rev() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        order.swap(last, (state >> 16) as usize % (last + 1));
    }
}
