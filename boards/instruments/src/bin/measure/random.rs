//! What randomness costs, beside the shuffle of the `rand` crate over the same bytes.
//!
//! The peer serves one caller and trusts its bytes; ours can be refused bits and must be
//! exact. Sampler rows take bytes from memory, so they count the sampler and nothing
//! else. Rows that are "all in" run the whole random core over registers of memory: every
//! instruction a device spends, but not the wait for its silicon.

use crate::{Report, instructions};
use core::convert::Infallible;
use core::fmt::Display;
use core::hint::black_box;
use core::num::NonZeroU8;
use croupier::entropy::health::Health;
use croupier::entropy::order::shuffle;
use croupier::entropy::sampler::{Refill, Sampler};
use croupier::entropy::{
    DATA_READY, Driver, Lost, Memory, OrderBuffer, RandomCore, RngLatch, RngRegisters,
};
use rand::rand_core::TryRng;
use rand::seq::SliceRandom;

/// Bytes in memory: more than the peer takes for a shoe.
const BYTES: usize = 1024;
/// Shuffles whose instructions are counted, and those whose bits are.
const COUNTED: u32 = 32;
const WEIGHED: u32 = 1000;

/// Words of noise, after which they come again: further apart than any test looks.
const READY_WORDS: usize = 1024;

/// A pack, and what a thousand of its orders are worth: 1000 log2(n!), in bits.
const DECK: (&str, usize, u32) = ("52 cards", 52, 225_581);
const SHOE: (&str, usize, u32) = ("416 cards", 416, 3_024_898);

const SEATS: NonZeroU8 = NonZeroU8::new(7).expect("seven is not zero");

/// Measures randomness's rows.
#[inline(never)] // its stack is given back before the next begins
pub(crate) fn measure(report: &mut Report) {
    for pack in [DECK, SHOE] {
        instructions_of_a_shuffle(report, pack);
        bits_of_a_shuffle(report, pack);
    }
    let mut health = Health::new();
    let mut noise = Noise(7);
    let words = [(); COUNTED as usize].map(|()| noise.next());
    let judging = instructions(|| {
        for word in words {
            black_box(health.judge(word));
        }
    });
    report.row("health tests of a word", "instructions", each(judging, COUNTED), "", 0);
    all_in(report);
}

fn instructions_of_a_shuffle(report: &mut Report, (pack, cards, _): (&str, usize, u32)) {
    let mut tray = tray();
    let deck = &mut tray[..cards];
    let mut noise = Noise(1);
    let (mut ours, mut peer) = (0, 0);
    let mut sampler = Sampler::new();
    for _ in 0..COUNTED {
        let mut bytes = Bytes::from(&mut noise);
        ours += instructions(|| {
            black_box(shuffle(black_box(deck), &mut sampler, &mut bytes).is_ok());
        });
        let mut bytes = Bytes::from(&mut noise);
        peer += instructions(|| black_box(&mut *deck).shuffle(&mut bytes));
    }
    let shuffled = COUNTED * cards as u32;
    let (name, unit) = (named("sampler + swap", pack), "instructions a card");
    report.row(&name, unit, each(ours, shuffled), "rand's shuffle", each(peer, shuffled));
}

fn bits_of_a_shuffle(report: &mut Report, (pack, cards, worth): (&str, usize, u32)) {
    let mut tray = tray();
    let deck = &mut tray[..cards];
    let mut carried = Sampler::new();
    let mut weigh = |name: &str, work: &mut dyn FnMut(&mut [u16], &mut Bytes)| {
        let mut noise = Noise(2);
        let bytes: u32 = (0..WEIGHED)
            .map(|_| {
                let mut bytes = Bytes::from(&mut noise);
                work(deck, &mut bytes);
                bytes.taken as u32
            })
            .sum();
        let name = named(name, pack);
        report.row(&name, "bits, 1000 orders", bytes * 8, "1000 log2(n!)", worth);
    };
    weigh("state carried", &mut |deck, bytes| {
        black_box(shuffle(deck, &mut carried, bytes).is_ok());
    });
    weigh("state wiped", &mut |deck, bytes| {
        black_box(shuffle(deck, &mut Sampler::new(), bytes).is_ok());
    });
    weigh("rand's shuffle", &mut |deck, bytes| deck.shuffle(bytes));
}

/// From a request to its answer, with everything between.
fn all_in(report: &mut Report) {
    let mut core = RandomCore::new(Driver::new(Ready::new(), 1), Forgetful, [7; 12]);
    let starting = instructions(|| {
        black_box(core.start().is_ok());
    });
    report.row("random core start", "instructions", starting, "", 0);
    let drawing = instructions(|| {
        black_box(core.number(SEATS).is_ok());
    });
    report.row("draw 1..7, all in", "instructions", drawing, "", 0);
    for (pack, cards, _) in [DECK, SHOE] {
        let mut place = OrderBuffer::new();
        let ours = instructions(|| {
            black_box(core.order(cards, &mut place).is_ok());
        });
        let (mut deck, mut noise) = (tray(), Noise(4));
        let mut bytes = Bytes::from(&mut noise);
        deck[..cards].shuffle(&mut bytes);
        let mut drawn = Bytes { bytes: [0; BYTES], taken: 0 };
        let peer = instructions(|| {
            black_box(core.try_fill_bytes(&mut drawn.bytes[..bytes.taken]).is_ok());
            deck[..cards].shuffle(&mut drawn);
        });
        let peer_name = "rand's shuffle over the same core";
        report.row(&named("order all in", pack), "instructions", ours, peer_name, peer);
    }
}

fn tray() -> [u16; SHOE.1] {
    core::array::from_fn(|place| place as u16)
}

fn named(what: &str, pack: &str) -> heapless::String<48> {
    [what, ", ", pack].into_iter().collect()
}

/// A mean, to the hundredth.
fn each(all: u32, count: u32) -> impl Display {
    let hundredths = (all * 100 + count / 2) / count;
    heapless::format!(16; "{}.{:02}", hundredths / 100, hundredths % 100).unwrap_or_default()
}

/// Words that pass every health test: a 64-bit counter, well mixed (SplitMix64).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ z >> 31) as u32
    }
}

/// A generator that is always ready. Its words were made beforehand: a device reads its
/// register and computes none.
struct Ready {
    words: [u32; READY_WORDS],
    next: usize,
}

impl Ready {
    fn new() -> Self {
        let mut noise = Noise(3);
        Self { words: core::array::from_fn(|_| noise.next()), next: 0 }
    }
}

impl RngRegisters for Ready {
    fn control(&mut self) -> u32 {
        croupier::entropy::ENABLED
    }

    fn set_control(&mut self, _: u32) {}

    fn status(&mut self) -> u32 {
        black_box(DATA_READY)
    }

    fn clear_errors(&mut self) {}

    fn data(&mut self) -> u32 {
        self.next = (self.next + 1) % READY_WORDS;
        self.words[self.next]
    }
}

/// The same bytes for both shufflers, and how many were taken.
struct Bytes {
    bytes: [u8; BYTES],
    taken: usize,
}

impl Bytes {
    fn from(noise: &mut Noise) -> Self {
        let mut bytes = [0; BYTES];
        bytes.as_chunks_mut().0.iter_mut().for_each(|word| *word = noise.next().to_le_bytes());
        Self { bytes, taken: 0 }
    }
}

impl Refill for Bytes {
    type Stop = ();

    fn refill(&mut self) -> Result<u32, ()> {
        let pair = self.bytes.as_chunks().0.get(self.taken / 2).ok_or(())?;
        self.taken += 2;
        Ok(u16::from_le_bytes(*pair).into())
    }
}

impl TryRng for Bytes {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let word = self.bytes.get(self.taken..).and_then(|left| left.first_chunk());
        self.taken += 4;
        Ok(u32::from_le_bytes(word.copied().unwrap_or_default()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let (low, high) = (self.try_next_u32()?, self.try_next_u32()?);
        Ok(u64::from(high) << 32 | u64::from(low))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for out in out {
            *out = self.bytes.get(self.taken).copied().unwrap_or_default();
            self.taken += 1;
        }
        Ok(())
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
