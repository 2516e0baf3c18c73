//! Exactness: all bit strings are tried, and every order gets the same share (PG-04, SH-01).
//!
//! The sampler is the product's, with narrower numbers. For each string of refills that
//! ends a shuffle, its last refill being needed, the order it gives is counted under the
//! string's length. Equal counts at every length are equal chances, without any test of
//! significance.

use std::collections::BTreeMap;

use croupier::entropy::order::shuffle;
use croupier::entropy::sampler::{DrawFault, Recycler, Refill};

/// A string of refills, and the wish for more.
struct Tape<'a>(&'a [u32]);

impl Refill for Tape<'_> {
    type Stop = ();

    fn refill(&mut self) -> Result<u32, ()> {
        let (first, rest) = self.0.split_first().ok_or(())?;
        self.0 = rest;
        Ok(*first)
    }
}

/// How often each order comes of the strings of one length.
type Shares = BTreeMap<Vec<u16>, u64>;

/// The shares at each length up to `depth`, of a shuffler that says whether the tape sufficed.
fn shares(
    cards: u16,
    width: u32,
    depth: usize,
    shuffler: impl Fn(&mut [u16], &mut Tape<'_>) -> bool,
) -> Vec<Shares> {
    let mut by_length = vec![Shares::new(); depth + 1];
    let mut open = vec![vec![]];
    while let Some(string) = open.pop() {
        let mut order: Vec<u16> = (0..cards).collect();
        if shuffler(&mut order, &mut Tape(&string)) {
            *by_length[string.len()].entry(order).or_default() += 1;
        } else if string.len() < depth {
            open.extend((0..1 << width).map(|symbol| {
                let mut longer = string.clone();
                longer.push(symbol);
                longer
            }));
        }
    }
    by_length
}

/// Whether at every length all orders come equally often; and how many lengths had any.
fn all_equal(cards: u16, by_length: &[Shares]) -> (bool, usize) {
    let orders: usize = (1..=usize::from(cards)).product();
    let used: Vec<&Shares> = by_length.iter().filter(|shares| !shares.is_empty()).collect();
    let equal = used.iter().all(|shares| {
        let first = shares.values().next();
        shares.len() == orders && shares.values().all(|count| Some(count) == first)
    });
    (equal, used.len())
}

fn assert_exact<const FLOOR: u32, const WIDTH: u32>(cards: u16, bits: u32) {
    let by_length = shares(cards, WIDTH, (bits / WIDTH) as usize, |order, tape| {
        match shuffle(order, &mut Recycler::<FLOOR, WIDTH>::new(), tape) {
            Ok(()) => true,
            Err(DrawFault::Refill(())) => false,
            Err(fault) => panic!("{fault:?}"),
        }
    });
    let (equal, lengths) = all_equal(cards, &by_length);
    assert!(lengths >= 2, "{cards} cards, {FLOOR}/{WIDTH}: deep enough to see refusals");
    assert!(equal, "{cards} cards, {FLOOR}/{WIDTH}: {by_length:?}");
}

fn assert_exact_for<const FLOOR: u32, const WIDTH: u32>() {
    for cards in [3, 4, 5] {
        assert_exact::<FLOOR, WIDTH>(cards, 20);
    }
}

#[test]
fn every_order_has_the_same_share_at_every_length() {
    assert_exact_for::<4, 2>();
    assert_exact_for::<5, 2>();
    assert_exact_for::<6, 2>();
    assert_exact_for::<4, 4>();
    assert_exact_for::<5, 4>();
    assert_exact_for::<6, 4>();
}

/// State carried from one shuffle to the next: pairs of orders are equally likely too.
#[test]
fn two_shuffles_from_one_state_are_independent() {
    let by_length = shares(6, 2, 10, |order, tape| {
        let mut sampler = Recycler::<4, 2>::new();
        let (one, other) = order.split_at_mut(3);
        shuffle(one, &mut sampler, tape).is_ok() && shuffle(other, &mut sampler, tape).is_ok()
    });
    let used: Vec<_> = by_length.iter().filter(|shares| !shares.is_empty()).collect();
    assert!(used.len() >= 2);
    for shares in used {
        let first = shares.values().next();
        assert_eq!(shares.len(), 36, "six orders of three, twice");
        assert!(shares.values().all(|count| Some(count) == first));
    }
}

/// The proof must be able to fail: a remainder is not exact, at any width.
#[test]
fn remainder_is_found_out_at_once() {
    for width in [4, 6, 8] {
        let by_length = shares(3, width, 2, |order, tape| {
            for last in (1..order.len()).rev() {
                let Ok(symbol) = tape.refill() else { return false };
                order.swap(last, symbol as usize % (last + 1));
            }
            true
        });
        assert!(!all_equal(3, &by_length).0, "{width} bits");
    }
}

/// So is the usual slip of drawing from all cards at each step.
#[test]
fn swap_with_any_card_is_found_out() {
    let by_length = shares(4, 2, 4, |order, tape| {
        for place in 0..order.len() {
            let Ok(symbol) = tape.refill() else { return false };
            order.swap(place, symbol as usize);
        }
        true
    });
    assert!(!all_equal(4, &by_length).0);
}
