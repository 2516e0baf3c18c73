//! The entropy ledger: no request gives out more than it took in.
//!
//! A generator seeded with 256 bits reaches every order of 57 cards at most; of an
//! eight-deck shoe it can reach only one in 2^2768, and no statistical test will say so.
//! Counting does.

use super::order::MOST_CARDS;

/// Bits in and out of one request.
pub(super) struct Ledger {
    fresh: u32,
}

impl Ledger {
    /// A request with nothing taken in.
    pub(super) const fn new() -> Self {
        Self { fresh: 0 }
    }

    /// Bits of full entropy came in.
    pub(super) fn take_in(&mut self, bits: u32) {
        self.fresh = self.fresh.saturating_add(bits);
    }

    /// Whether an outcome worth `bits` is covered.
    pub(super) const fn covers(&self, bits: u32) -> bool {
        self.fresh >= bits
    }
}

/// Bits that one of `outcomes` is worth, rounded up.
pub(super) const fn worth_of_one_in(outcomes: u32) -> u32 {
    match outcomes {
        0 | 1 => 0,
        n => (n - 1).ilog2() + 1,
    }
}

/// Bits that an order of this number of cards is worth, rounded up; `None` beyond the buffer.
pub(super) fn worth_of_order(cards: usize) -> Option<u32> {
    ORDERS.get(cards).map(|&bits| u32::from(bits))
}

/// log2(n!), rounded up, for each n.
static ORDERS: [u16; MOST_CARDS + 1] = orders();

const fn orders() -> [u16; MOST_CARDS + 1] {
    let mut table = [0; MOST_CARDS + 1];
    // The product so far is under `mantissa * 2^exponent`, which errs upwards only.
    let (mut mantissa, mut exponent, mut n) = (1u64, 0u16, 1);
    while n <= MOST_CARDS {
        mantissa *= n as u64;
        while mantissa > 1 << 48 {
            mantissa = mantissa.div_ceil(2);
            exponent += 1;
        }
        let whole = mantissa.ilog2() as u16;
        table[n] = exponent + whole + !mantissa.is_power_of_two() as u16;
        n += 1;
    }
    table
}
