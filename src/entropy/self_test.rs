//! Known answers, computed again at each start: a broken hash must not shuffle cards.
//!
//! The answers come from an independent model of each part; the NIST vectors, too long
//! to carry in a device, are checked by the tests.

use core::convert::Infallible;

use super::conditioner::condition;
use super::drbg::HmacDrbg;
use super::gate::BLOCK_BYTES;
use super::order::shuffle;
use super::sampler::{Refill, Sampler};

/// Whether every part gives its known answer.
pub(super) fn passes() -> bool {
    let mut noise = [0; BLOCK_BYTES];
    for (value, byte) in (0..).zip(&mut noise) {
        *byte = value;
    }
    conditioner_knows(&noise) && generator_knows(&noise) && sampler_knows()
}

const CONDITIONED: [u8; 32] = [
    0xbc, 0x3a, 0x93, 0x57, 0xc3, 0xd8, 0x56, 0xdb, 0x95, 0xb5, 0x11, 0x4d, 0x87, 0x9b, 0x5f, 0x29,
    0x22, 0xa6, 0xef, 0x6e, 0x45, 0xc0, 0x08, 0xef, 0x99, 0xb0, 0xf5, 0x10, 0x88, 0x47, 0xf8, 0xa9,
];

fn conditioner_knows(noise: &[u8; BLOCK_BYTES]) -> bool {
    condition(7, noise).bytes() == CONDITIONED
}

const GENERATED: [u8; 32] = [
    0x8d, 0x59, 0x12, 0x7f, 0x0d, 0xe6, 0x59, 0x60, 0x94, 0x1b, 0xe6, 0x05, 0x28, 0x3d, 0x82, 0x50,
    0xc8, 0x38, 0xb7, 0x96, 0x90, 0xbb, 0x7e, 0xeb, 0xf0, 0x83, 0x03, 0x42, 0xd3, 0x77, 0x30, 0xc4,
];

/// Seeded, reseeded, two blocks in one request, one in the next.
fn generator_knows(noise: &[u8; BLOCK_BYTES]) -> bool {
    let mut drbg = HmacDrbg::instantiate(&[noise]);
    drbg.reseed(&[noise]);
    let mut out = [0; 64];
    let mut last = [0; 32];
    drbg.generate(&[], &mut out).is_ok()
        && drbg.generate(&[], &mut last).is_ok()
        && last == GENERATED
}

/// 11111 and steps of 9973.
struct Steps(u16);

impl Refill for Steps {
    type Stop = Infallible;

    fn refill(&mut self) -> Result<u32, Infallible> {
        let bits = self.0;
        self.0 = bits.wrapping_add(9973);
        Ok(bits.into())
    }
}

fn sampler_knows() -> bool {
    let mut cards = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let drawn = shuffle(&mut cards, &mut Sampler::new(), &mut Steps(11_111));
    drawn.is_ok() && cards == [5, 8, 9, 4, 7, 3, 0, 2, 6, 1]
}
