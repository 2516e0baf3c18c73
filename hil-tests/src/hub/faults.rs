//! What can be made to go wrong on the bus, for whom and which way.
//!
//! Dice are seeded, one set for each participant and way: what befalls one
//! participant's hundredth frame does not depend on how the others chattered.

use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

use fastrand::Rng;

/// Which frames a fault befalls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Way {
    /// What this participant sends.
    From(String),
    /// What this participant would receive.
    To(String),
    /// What any participant sends.
    Everywhere,
}

impl Way {
    /// What `name` sends.
    pub fn from(name: &str) -> Self {
        Self::From(name.into())
    }

    /// What `name` would receive.
    pub fn to(name: &str) -> Self {
        Self::To(name.into())
    }
}

/// How often each thing goes wrong; chances from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Disturbance {
    /// Acknowledged, and lost all the same: an overrun receiver.
    pub drop: f64,
    /// A bit flips and the CRC catches it: an error frame destroys it, and it goes again.
    pub error: f64,
    /// A bit of the payload flips and no checksum shows it: what a seal is for.
    pub corrupt: f64,
    /// It comes twice: a sender that missed the acknowledge.
    pub duplicate: f64,
    /// It comes after the frame that follows it, or [`HOLD`] later when none does.
    pub reorder: f64,
    /// It comes this much later.
    pub delay: Duration,
}

/// How long a reordered frame waits for one to overtake it.
pub const HOLD: Duration = Duration::from_millis(20);

impl Disturbance {
    /// Loses this part of the frames.
    pub fn drop(chance: f64) -> Self {
        Self { drop: chance, ..Self::default() }
    }

    /// Has this part of the frames destroyed and sent again.
    pub fn error(chance: f64) -> Self {
        Self { error: chance, ..Self::default() }
    }

    /// Changes the payload of this part of the frames, unnoticed.
    pub fn corrupt(chance: f64) -> Self {
        Self { corrupt: chance, ..Self::default() }
    }
}

/// What befalls one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Mishap {
    pub dropped: bool,
    /// Which bit flips; counted round and round.
    pub corrupted: Option<usize>,
    pub doubled: bool,
    pub reordered: bool,
    pub delay: Duration,
}

impl Mishap {
    /// Both at once.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            dropped: self.dropped || other.dropped,
            corrupted: self.corrupted.or(other.corrupted),
            doubled: self.doubled || other.doubled,
            reordered: self.reordered || other.reordered,
            delay: self.delay + other.delay,
        }
    }

    /// Says what befell `receiver`, for the transcript.
    pub(super) fn remark(&self, receiver: &str, remarks: &mut String) {
        let words = [
            (self.dropped, "lost"),
            (self.corrupted.is_some(), "corrupted"),
            (self.doubled, "doubled"),
            (self.reordered, "reordered"),
        ];
        for (_, word) in words.iter().filter(|(befell, _)| *befell) {
            let _ = write!(remarks, "  {word} for {receiver}"); // a String takes all there is
        }
    }
}

struct Dice {
    odds: Disturbance,
    rng: Rng,
    silent_until: Duration,
}

impl Dice {
    fn strikes(&mut self, chance: f64) -> bool {
        chance > 0.0 && self.rng.f64() < chance
    }

    fn roll(&mut self) -> Mishap {
        let Disturbance { drop, corrupt, duplicate, reorder, delay, .. } = self.odds;
        Mishap {
            dropped: self.strikes(drop),
            corrupted: self.strikes(corrupt).then(|| self.rng.usize(..)),
            doubled: self.strikes(duplicate),
            reordered: self.strikes(reorder),
            delay,
        }
    }
}

/// All faults that are switched on.
pub(super) struct Faults {
    seed: u64,
    dice: HashMap<Way, Dice>,
}

impl Faults {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, dice: HashMap::new() }
    }

    fn dice(&mut self, way: Way) -> &mut Dice {
        let seed = self.seed ^ digest(&way);
        let fresh = || Dice {
            odds: Disturbance::default(),
            rng: Rng::with_seed(seed),
            silent_until: Duration::ZERO,
        };
        self.dice.entry(way).or_insert_with(fresh)
    }

    /// Goes wrong like this from now on.
    pub(super) fn disturb(&mut self, way: Way, odds: Disturbance) {
        self.dice(way).odds = odds;
    }

    /// Nothing passes until then.
    pub(super) fn silence(&mut self, way: Way, until: Duration) {
        self.dice(way).silent_until = until;
    }

    /// Everything works again.
    pub(super) fn calm(&mut self) {
        for dice in self.dice.values_mut() {
            dice.odds = Disturbance::default();
            dice.silent_until = Duration::ZERO;
        }
    }

    /// When what `sender` has to say may pass.
    pub(super) fn speaks_from(&self, sender: &str) -> Duration {
        let until = |way| self.dice.get(&way).map_or(Duration::ZERO, |dice| dice.silent_until);
        if self.dice.is_empty() {
            return Duration::ZERO; // the usual bus: no lookup for every frame
        }
        until(Way::from(sender)).max(until(Way::Everywhere))
    }

    /// Whether `receiver` can receive at `now`.
    pub(super) fn receives(&self, receiver: &str, now: Duration) -> bool {
        self.dice.is_empty()
            || self.dice.get(&Way::to(receiver)).is_none_or(|dice| dice.silent_until <= now)
    }

    /// Whether `way` destroys a frame with an error frame.
    pub(super) fn destroys(&mut self, way: &Way) -> bool {
        let Some(dice) = self.dice.get_mut(way) else { return false };
        let chance = dice.odds.error;
        dice.strikes(chance)
    }

    /// What befalls the next frame that goes this way.
    pub(super) fn befalls(&mut self, way: &Way) -> Mishap {
        self.dice.get_mut(way).map_or_else(Mishap::default, Dice::roll)
    }

    /// Whether there is anything to ask.
    pub(super) fn any(&self) -> bool {
        !self.dice.is_empty()
    }
}

/// The same number for the same way in every run: FNV-1a, since std's hashes promise no such thing.
fn digest(way: &Way) -> u64 {
    let (mark, name) = match way {
        Way::From(name) => (b'<', name.as_str()),
        Way::To(name) => (b'>', name.as_str()),
        Way::Everywhere => (b'*', ""),
    };
    let bytes = name.bytes().chain([mark]);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn losses(seed: u64, others: usize) -> Vec<bool> {
        let mut faults = Faults::new(seed);
        let (reader, shuffler) = (Way::from("reader"), Way::to("shuffler"));
        faults.disturb(reader.clone(), Disturbance::drop(0.3));
        faults.disturb(shuffler.clone(), Disturbance::drop(0.3));
        let mut losses = Vec::new();
        for _ in 0..200 {
            losses.push(faults.befalls(&reader).dropped);
            for _ in 0..others {
                faults.befalls(&shuffler);
            }
        }
        losses
    }

    #[test]
    fn the_same_seed_loses_the_same_frames_whatever_the_others_do() {
        assert_eq!(losses(7, 0), losses(7, 3));
        assert_ne!(losses(7, 0), losses(8, 0));
        let lost = losses(7, 0).into_iter().filter(|lost| *lost).count();
        assert!((30..90).contains(&lost), "{lost} of 200 at 30 %");
    }

    #[test]
    fn a_chance_of_one_always_comes_and_of_nothing_never() {
        let mut faults = Faults::new(1);
        let way = Way::Everywhere;
        let all = Disturbance {
            drop: 1.0,
            error: 1.0,
            corrupt: 1.0,
            duplicate: 1.0,
            reorder: 1.0,
            delay: HOLD,
        };
        for _ in 0..100 {
            faults.disturb(way.clone(), all);
            let Mishap { dropped, corrupted, doubled, reordered, .. } = faults.befalls(&way);
            assert!(dropped && corrupted.is_some() && doubled && reordered);
            assert!(faults.destroys(&way));
            faults.calm();
            assert_eq!(faults.befalls(&way), Mishap::default());
            assert!(!faults.destroys(&way));
        }
    }
}
