//! What it costs to turn an order into moves of the wheel, beside no thought for the way.

use crate::{Report, instructions};
use core::hint::black_box;
use croupier::shuffler::{Plan, Wheel};
use static_cell::ConstStaticCell;

const MOST: usize = 416;
static ORDER: ConstStaticCell<[u16; MOST]> = ConstStaticCell::new([0; MOST]);

/// Measures the shuffler's rows.
#[inline(never)] // its stack is given back before the next begins
pub fn measure(report: &mut Report) {
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
