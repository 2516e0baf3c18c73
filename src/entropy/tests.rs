//! Faults in our own memory and books, which no source could be made to show.

use super::ledger::{Ledger, worth_of_one_in, worth_of_order};
use super::*;
use crate::entropy::sampler::{DrawFault, Recycler, Refill, Sampler};
use core::num::NonZeroU32;

/// A good source: SplitMix64, well mixed and never the same twice.
struct Fair(u64);

impl NoiseSource for Fair {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        Ok((z ^ z >> 31) as u32)
    }
}

struct Forgetful;

impl Memory for Forgetful {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        Ok(RngLatch::new())
    }

    fn keep(&mut self, _: &RngLatch) -> Result<(), Lost> {
        Ok(())
    }
}

struct Constant(u32);

impl Refill for Constant {
    type Stop = ();

    fn refill(&mut self) -> Result<u32, ()> {
        Ok(self.0)
    }
}

fn started() -> RandomCore<Fair, Forgetful> {
    let mut core = RandomCore::new(Fair(1), Forgetful, [7; 12]);
    core.start().expect("a fair source starts");
    core
}

const SEVEN: NonZeroU32 = NonZeroU32::new(7).expect("seven is not zero");

/// randomness 6.3: RAM glitch of (z, m).
#[test]
fn sampler_whose_state_breaks_its_invariant_draws_nothing_and_latches() {
    for (z, m) in [(5, 5), (9, 5), (u32::MAX, 1 << 24), (1 << 30, 1 << 30), (0, 0), (u32::MAX, 0)] {
        let mut sampler = Sampler::holding(z, m);
        assert_eq!(sampler.draw(SEVEN, &mut Constant(0)), Err(DrawFault::Broken), "{z} {m}");

        let mut core = started();
        let mut buffer = OrderBuffer::new();
        let order = core.order_with(Sampler::holding(z, m), 52, &mut buffer).map(|_| ());
        assert_eq!(order, Err(RngFault::Latched(Cause::SamplerBroken)));
        assert_eq!(core.state(), State::Latched(Cause::SamplerBroken));
    }
}

#[test]
fn sampler_that_is_refused_sixteen_times_gives_up() {
    // All ones stay the highest number below `m`, and the parts never fill `m`.
    let mut sampler = Sampler::new();
    assert_eq!(sampler.draw(SEVEN, &mut Constant(0xFFFF)), Err(DrawFault::Retries));
}

/// Bits that end.
struct Ending<'a>(&'a [u32]);

impl Refill for Ending<'_> {
    type Stop = ();

    fn refill(&mut self) -> Result<u32, ()> {
        self.0.split_off_first().copied().ok_or(())
    }
}

/// What a half-drawn order was drawn with must not decide the next.
#[test]
fn sampler_that_ran_out_of_bits_keeps_nothing_of_them() {
    let bits = [0xC0DE, 0x1234, 0xBEEF, 0x5678];
    let mut stopped = Sampler::new();
    let order = order::shuffle(&mut [0; 52], &mut stopped, &mut Ending(&bits));
    assert_eq!(order, Err(DrawFault::Refill(())));
    let drawn = stopped.draw(SEVEN, &mut Ending(&bits));
    assert_eq!(drawn, Sampler::new().draw(SEVEN, &mut Ending(&bits)));
}

#[test]
fn range_too_wide_for_the_sampler_is_refused_not_biased() {
    let wide = NonZeroU32::new(65).unwrap();
    let mut narrow = Recycler::<4, 2>::new();
    assert_eq!(narrow.draw(wide, &mut Constant(0)), Err(DrawFault::Retries));
}

/// N.J.A.C. 13:69E-1.28G: a 256-bit state does not encompass a shoe's outcomes.
#[test]
fn ledger_refuses_a_shoe_from_one_256_bit_seed() {
    let mut seeded_once = Ledger::new();
    seeded_once.take_in(256);
    assert!(seeded_once.covers(worth_of_order(57).unwrap()));
    assert!(!seeded_once.covers(worth_of_order(58).unwrap()));
    assert!(!seeded_once.covers(worth_of_order(416).unwrap()));
    let mut core = started();
    assert_eq!(core.request(1, |_| Ok(())), Err(RngFault::Latched(Cause::Ledger)));
}

#[test]
fn ledger_knows_what_orders_and_numbers_are_worth() {
    let worth = [(0, 0), (1, 0), (2, 1), (3, 3), (52, 226), (53, 232), (416, 3025), (424, 3095)];
    for (cards, bits) in worth {
        assert_eq!(worth_of_order(cards), Some(bits), "{cards} cards");
    }
    assert_eq!(worth_of_order(MOST_CARDS + 1), None);
    assert_eq!([1, 2, 7, 8, 9].map(worth_of_one_in), [0, 1, 3, 3, 4]);
}

/// CM-10: what an order was must not stay in memory.
#[test]
fn order_leaves_nothing_in_its_buffer() {
    let mut buffer = OrderBuffer::new();
    let order = started().order(52, &mut buffer).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(order.cards().iter().any(|&card| card != 0));
    drop(order);
    assert!(buffer.is_blank());
}
