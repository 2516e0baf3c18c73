//! Pixels, noise, exposure, the reference strip.

use croupier::reader::recognise::frame::{HEIGHT, ORIGIN_UM, PITCH_UM, Strip, WIDTH};
use fastrand::Rng;

use super::Point;

/// Side of a pixel, mm.
pub const PITCH: f32 = PITCH_UM as f32 / 1000.0;
/// Grey level of good card stock, and of the strip's white, under one new bank: what the
/// factory sets and notes.
pub const FACTORY_WHITE: u8 = 200;
/// Grey level of no light at all: imagers keep a little above zero, or their noise would be cut.
const PEDESTAL: f32 = 6.0;
/// What the strip's patches send back, as parts of good card stock.
const PATCHES: [f32; 3] = [1.0, 0.5, 0.05];
/// Pixels averaged for one patch, as a square root: noise falls by this.
const PATCH_SIDE: f32 = 6.0;

/// The place on the window that a pixel looks at, mm from the nominal corner.
#[inline]
pub fn place(row: usize, column: usize) -> Point {
    let across = |index: usize, origin: i32| (index as f32 + 0.5) * PITCH + origin as f32 / 1000.0;
    (across(column, ORIGIN_UM.0), across(row, ORIGIN_UM.1))
}

/// How one read's imager behaves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sensor {
    /// Exposure: 1 is right.
    pub exposure: f32,
    /// What the window lets through: 1 is clean.
    pub window: f32,
    /// Light that dirt scatters over all pixels, parts of the light there is.
    pub veil: f32,
    /// Noise in the dark, grey levels.
    pub noise: f32,
    /// Photon noise: its square for each grey level.
    pub photons: f32,
    /// Pixels unlike each other, parts.
    pub pattern: f32,
    /// This imager's own pattern.
    pub pattern_seed: u64,
}

/// A table of the bell curve: noise for one shift and one lookup.
pub struct Bell(Vec<f32>);

const BELL: usize = 4096;

impl Bell {
    /// Fills the table by inverting the curve at the middle of each of its equal shares.
    pub fn new() -> Self {
        Self((0..BELL).map(|share| quantile((share as f32 + 0.5) / BELL as f32)).collect())
    }

    /// One draw.
    #[inline]
    fn draw(&self, bits: u32) -> f32 {
        self.0[bits as usize % BELL]
    }
}

impl Default for Bell {
    fn default() -> Self {
        Self::new()
    }
}

/// The bell curve's quantile: Abramowitz and Stegun 26.2.23, good to 0.0005, which is a
/// thousandth of a grey level of noise.
fn quantile(share: f32) -> f32 {
    let tail = share.min(1.0 - share);
    let t = (-2.0 * tail.ln()).sqrt();
    let z = t
        - (2.515_517 + 0.802_853 * t + 0.010_328 * t * t)
            / (1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t * t * t);
    if share < 0.5 { -z } else { z }
}

impl Sensor {
    /// How each pixel of this imager differs from its fellows.
    pub fn gains(&self, bell: &Bell) -> [[f32; WIDTH]; HEIGHT] {
        let mut rng = Rng::with_seed(self.pattern_seed);
        let mut gains = [[1.0; WIDTH]; HEIGHT];
        for gain in gains.iter_mut().flatten() {
            *gain = 1.0 + self.pattern * bell.draw(rng.u32(..));
        }
        gains
    }

    /// The grey level for `light`, with `lit` the light in the window on average.
    #[inline]
    pub fn level(&self, light: f32, lit: f32, bell: &Bell, bits: u32) -> u8 {
        let signal = self.signal(light, lit);
        let noise = (self.noise * self.noise + self.photons * signal).sqrt() * bell.draw(bits);
        (PEDESTAL + signal + noise + 0.5).clamp(0.0, 255.0) as u8
    }

    #[inline]
    fn signal(&self, light: f32, lit: f32) -> f32 {
        let through = light * self.window + lit * self.veil;
        (through * self.exposure * f32::from(FACTORY_WHITE)).max(0.0)
    }

    /// The strip under `light`: it lies flat under the same window, lamps and room.
    pub fn strip(&self, light: f32, lit: f32, bell: &Bell, rng: &mut Rng) -> Strip {
        let calm = Self {
            noise: self.noise / PATCH_SIDE,
            photons: self.photons / (PATCH_SIDE * PATCH_SIDE),
            ..*self
        };
        let [white, grey, black] =
            PATCHES.map(|patch| calm.level(light * patch, lit, bell, rng.u32(..)));
        Strip { white, grey, black }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bell_has_no_lean_and_a_spread_of_one() {
        let bell = Bell::new();
        let mean: f32 = bell.0.iter().sum::<f32>() / BELL as f32;
        let square: f32 = bell.0.iter().map(|z| z * z).sum::<f32>() / BELL as f32;
        assert!(mean.abs() < 1e-3 && (square - 1.0).abs() < 0.01, "{mean} {square}");
    }

    #[test]
    fn good_stock_under_a_new_bank_is_the_factorys_white_above_the_pedestal() {
        let sensor = Sensor { exposure: 1.0, window: 1.0, ..Sensor::default() };
        let level = sensor.level(1.0, 1.0, &Bell::new(), 7);
        assert_eq!(level, FACTORY_WHITE + PEDESTAL as u8);
    }

    #[test]
    fn a_dirty_window_takes_light_from_the_strip() {
        let sensor = Sensor { exposure: 1.0, window: 0.7, ..Sensor::default() };
        let strip = sensor.strip(1.0, 0.8, &Bell::new(), &mut Rng::with_seed(1));
        assert_eq!(strip.white, 146);
        assert!(strip.white > strip.grey && strip.grey > strip.black);
    }
}
