//! One read's share of the world's troubles, drawn from a seed.

use croupier::reader::recognise::frame::SETS;
use fastrand::Rng;

use super::light::{Bank, Glare, Light};
use super::marks::Mark;
use super::pose::{Bend, Pose};
use super::sensor::Sensor;
use super::{Level, Point};

/// The seen part of a card, mm: marks are strewn over it.
const SEEN: Point = (12.0, 18.0);

/// All that is between a card's print and nine frames of it.
#[derive(Debug, Clone)]
pub struct Disturbance {
    /// How the card lies in each frame set.
    pub poses: [Pose; SETS],
    /// Ink that is left, parts.
    pub ink: f32,
    /// What lies on the card and moves with it.
    pub on_card: Vec<Mark>,
    /// What lies on the window.
    pub on_window: Vec<Mark>,
    /// The light.
    pub light: Light,
    /// The imager.
    pub sensor: Sensor,
    /// For the noise.
    pub noise_seed: u64,
}

/// Draws uniformly, with the figures' own shapes.
struct Dice(Rng);

impl Dice {
    /// Anything from nothing to `most`.
    fn up_to(&mut self, most: f32) -> f32 {
        self.0.f32() * most
    }

    /// Anything from `-most` to `most`.
    fn about(&mut self, most: f32) -> f32 {
        (2.0 * self.0.f32() - 1.0) * most
    }

    fn between(&mut self, least: f32, most: f32) -> f32 {
        least + self.0.f32() * (most - least)
    }

    fn both_ways(&mut self, most: f32) -> Point {
        (self.about(most), self.about(most))
    }

    fn on_card(&mut self) -> Point {
        (self.up_to(SEEN.0), self.up_to(SEEN.1))
    }

    fn chance(&mut self, part: f32) -> bool {
        self.0.f32() < part
    }

    fn count(&mut self, most: usize) -> usize {
        self.0.usize(0..=most)
    }
}

impl Disturbance {
    /// Draws one read's troubles: the same for the same level and seed, always.
    pub fn draw(level: &Level, seed: u64) -> Self {
        let mut dice = Dice(Rng::with_seed(seed));
        let poses = poses(level, &mut dice);
        let ink = 1.0 - dice.up_to(level.fade);
        let on_card = on_card(level, &mut dice);
        let on_window = on_window(level, &mut dice);
        let light = light(level, &mut dice);
        let sensor = Sensor {
            exposure: 1.0 + dice.about(level.exposure),
            window: 1.0 - dice.up_to(level.dirt),
            veil: dice.up_to(level.veil),
            noise: level.noise,
            photons: level.photons,
            pattern: level.pattern,
            pattern_seed: dice.0.u64(..),
        };
        Self { poses, ink, on_card, on_window, light, sensor, noise_seed: dice.0.u64(..) }
    }

    /// The same troubles with the card moved by `by` mm in every set.
    pub fn moved(mut self, by: Point) -> Self {
        for pose in &mut self.poses {
            pose.shift = (pose.shift.0 + by.0, pose.shift.1 + by.1);
        }
        self
    }

    /// The same troubles with the card going `by` mm further from each set to the next.
    pub fn sliding(mut self, by: Point) -> Self {
        for (set, pose) in self.poses.iter_mut().enumerate() {
            let gone = set as f32 - 1.0;
            pose.shift = (pose.shift.0 + by.0 * gone, pose.shift.1 + by.1 * gone);
        }
        self
    }
}

fn poses(level: &Level, dice: &mut Dice) -> [Pose; SETS] {
    let bend = dice.chance(level.bent).then(|| Bend {
        reach: dice.between(3.0, 9.0),
        toward: dice.between(0.4, 1.2),
        angle: dice.up_to(level.bend).to_radians(),
    });
    let first = Pose {
        shift: dice.both_ways(level.shift),
        turn: dice.about(level.turn).to_radians(),
        miscut: dice.both_ways(level.miscut),
        size: dice.about(level.size),
        focus: dice.about(level.focus),
        curl: dice.about(level.curl),
        bow: dice.between(0.0, std::f32::consts::FRAC_PI_2),
        bend,
    };
    // A card settles, or is nudged: each set finds it a little elsewhere.
    std::array::from_fn(|_| {
        let step = dice.both_ways(level.motion);
        Pose { shift: (first.shift.0 + step.0, first.shift.1 + step.1), ..first }
    })
}

fn on_card(level: &Level, dice: &mut Dice) -> Vec<Mark> {
    let mut marks = Vec::new();
    for _ in 0..dice.count(usize::from(level.smear > 0.0) * 2) {
        let radius = (dice.between(1.5, 5.0), dice.between(1.5, 5.0));
        let opacity = dice.up_to(level.smear);
        marks.push(Mark::Blot {
            middle: dice.on_card(),
            radius,
            opacity,
            tone: dice.between(0.3, 0.7),
        });
    }
    for _ in 0..dice.count(usize::from(level.wear > 0.0) * 3) {
        let radius = (dice.between(0.3, 2.0), dice.between(0.3, 2.0));
        // Where the ink is rubbed off, grey stock shows.
        marks.push(Mark::Blot {
            middle: dice.on_card(),
            radius,
            opacity: dice.up_to(level.wear),
            tone: 0.85,
        });
    }
    for _ in 0..dice.count(level.scratches) {
        marks.push(fibre(dice, 10.0, 0.08, (0.6, 0.95)));
    }
    for _ in 0..dice.count(level.lint) {
        marks.push(fibre(dice, 6.0, level.lint_width, (0.1, 0.8)));
    }
    for _ in 0..dice.count(level.ash) {
        let radius = dice.up_to(level.ash_radius);
        let oval = (radius * dice.between(0.6, 1.0), radius);
        marks.push(Mark::Blot {
            middle: dice.on_card(),
            radius: oval,
            opacity: 1.0,
            tone: dice.between(0.2, 0.6),
        });
    }
    marks
}

fn on_window(level: &Level, dice: &mut Dice) -> Vec<Mark> {
    let fibres = dice.count(level.lint / 2);
    let mut marks: Vec<Mark> =
        (0..fibres).map(|_| fibre(dice, 6.0, level.lint_width, (0.1, 0.8))).collect();
    for _ in 0..dice.count(usize::from(level.dirt > 0.0) * 3) {
        let radius = (dice.between(0.3, 1.5), dice.between(0.3, 1.5));
        let opacity = dice.up_to(level.dirt * 2.0);
        marks.push(Mark::Blot {
            middle: dice.on_card(),
            radius,
            opacity,
            tone: dice.between(0.2, 0.6),
        });
    }
    marks
}

fn fibre(dice: &mut Dice, longest: f32, widest: f32, tones: (f32, f32)) -> Mark {
    let from = dice.on_card();
    let length = dice.between(0.5, longest);
    let toward = dice.up_to(std::f32::consts::TAU);
    let sag = dice.about(0.4);
    let at = |part: f32, turn: f32| {
        let (sine, cosine) = (toward + turn).sin_cos();
        (from.0 + cosine * length * part, from.1 + sine * length * part)
    };
    let width = dice.between(0.3, 1.0) * widest;
    Mark::Fibre {
        path: [from, at(0.5, sag), at(1.0, 0.0)],
        width,
        tone: dice.between(tones.0, tones.1),
    }
}

fn light(level: &Level, dice: &mut Dice) -> Light {
    let across = level.uneven / SEEN.0;
    let bank = |dice: &mut Dice| Bank {
        level: 1.0 - dice.up_to(level.ageing),
        slope: (dice.about(across), dice.about(across)),
        glare: None,
    };
    let (mut left, mut right) = (bank(dice), bank(dice));
    // A bulge mirrors the left bank on its left flank and the right bank on its right one.
    if dice.chance(level.glossy) {
        let bulge = dice.on_card();
        let apart = dice.between(1.5, 4.0);
        let mut spot = |x: f32| {
            dice.chance(0.7).then(|| Glare {
                middle: (x, bulge.1 + dice.about(1.0)),
                radius: (dice.between(0.5, 1.5), dice.between(0.8, 4.0)),
                level: dice.up_to(level.glare),
            })
        };
        left.glare = spot(bulge.0 - apart);
        right.glare = spot(bulge.0 + apart);
    }
    Light {
        left,
        right,
        ambient: dice.up_to(level.ambient),
        mouth: dice.between(0.0, 0.08),
        flicker: dice.up_to(level.flicker),
        phase: dice.up_to(1.0),
        mains: if dice.chance(0.5) { 100.0 } else { 120.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_troubles_again_and_another_seed_others() {
        let drawn = |seed| format!("{:?}", Disturbance::draw(&Level::HARSH, seed));
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn no_draw_goes_beyond_its_level() {
        for seed in 0..2000 {
            let drawn = Disturbance::draw(&Level::NOMINAL, seed);
            for pose in drawn.poses {
                let most = Level::NOMINAL.shift + Level::NOMINAL.motion;
                assert!(pose.shift.0.abs() <= most && pose.shift.1.abs() <= most);
                assert!(pose.turn.to_degrees().abs() <= Level::NOMINAL.turn + 1e-4);
            }
            assert!(drawn.light.left.level >= 1.0 - Level::NOMINAL.ageing);
        }
    }
}
