//! Bits per shuffle, beside the shuffle of the `rand` crate over the same bytes.

use std::convert::Infallible;

use crate::mock::Device;
use croupier::entropy::order::shuffle;
use croupier::entropy::sampler::{Refill, Sampler};
use croupier::entropy::{OrderBuffer, RngFault};
use rand::rand_core::TryRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};

const SHUFFLES: u32 = 2_000;

/// One stream of bytes, counted, for both shufflers.
struct Counted {
    rng: StdRng,
    bytes: u64,
}

impl Counted {
    fn new() -> Self {
        Self { rng: StdRng::seed_from_u64(52), bytes: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.bytes += 1;
        let mut byte = [0];
        self.rng.fill_bytes(&mut byte);
        byte[0]
    }
}

impl Refill for Counted {
    type Stop = Infallible;

    fn refill(&mut self) -> Result<u32, Infallible> {
        Ok(u16::from_le_bytes([(); 2].map(|()| self.byte())).into())
    }
}

impl TryRng for Counted {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes([(); 4].map(|()| self.byte())))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes([(); 8].map(|()| self.byte())))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.iter_mut().for_each(|out| *out = self.byte());
        Ok(())
    }
}

/// Mean bits per shuffle, over its limit log2(n!).
fn ratio(cards: u16, mut shuffle: impl FnMut(&mut [u16], &mut Counted)) -> (f64, f64) {
    let mut source = Counted::new();
    let mut deck: Vec<u16> = (0..cards).collect();
    for _ in 0..SHUFFLES {
        shuffle(&mut deck, &mut source);
    }
    let limit: f64 = (2..=cards).map(|n| f64::from(n).log2()).sum();
    let bits = source.bytes as f64 * 8.0 / f64::from(SHUFFLES);
    (bits, bits / limit)
}

fn measure(cards: u16) -> [(f64, f64); 3] {
    let mut carried = Sampler::new();
    let ours =
        ratio(cards, |deck, source| shuffle(deck, &mut carried, source).expect("endless bits"));
    let one_shot = ratio(cards, |deck, source| {
        shuffle(deck, &mut Sampler::new(), source).expect("endless bits")
    });
    let rand = ratio(cards, |deck, source| deck.shuffle(source));
    println!(
        "{cards:>4} cards: carried {:.2} ({:.4}), one-shot {:.2} ({:.4}), rand {:.2} ({:.4})",
        ours.0, ours.1, one_shot.0, one_shot.1, rand.0, rand.1,
    );
    [ours, one_shot, rand]
}

#[test]
fn shuffle_takes_hardly_more_bits_than_an_order_is_worth() {
    for (cards, most_one_shot) in [(52, 1.135), (53, 1.108), (416, 1.008), (424, 1.009)] {
        let [(_, carried), (_, one_shot), (_, rand)] = measure(cards);
        assert!(carried <= 1.001, "{cards} cards, carried: {carried}");
        assert!(one_shot <= most_one_shot, "{cards} cards, one-shot: {one_shot}");
        assert!(rand > 1.3, "the peer: {rand}");
    }
}

/// A request takes whole blocks, each fresh: one for a deck, twelve or thirteen for a shoe.
#[test]
fn order_takes_exactly_the_blocks_it_needs() {
    for (cards, blocks) in [(1, 0), (2, 1), (52, 1), (53, 1), (416, 12), (424, 13)] {
        let mut device = Device::ready(u64::from(cards as u16));
        let before = device.words();
        let mut buffer = OrderBuffer::new();
        let order = device.core.order(cards, &mut buffer).expect("healthy");
        let mut seen: Vec<u16> = order.cards().to_vec();
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..cards as u16), "every card once");
        assert_eq!(device.words() - before, 20 * (blocks + 1), "{cards} cards, and the reseeding");
    }
}

#[test]
fn order_of_no_cards_or_too_many_is_refused_without_reading_noise() {
    let mut device = Device::ready(1);
    let before = device.words();
    for cards in [0, 425, usize::MAX] {
        let answer = device.core.order(cards, &mut OrderBuffer::new()).map(|_| ());
        assert_eq!(answer, Err(RngFault::OutOfRange));
    }
    assert_eq!(device.words(), before);
}
