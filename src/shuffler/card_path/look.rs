//! A look: one turn of the wheel past the slot beam, which says whether every slot is empty.
//!
//! The beam stands opposite the feed and crosses the wheel askew, through a slit in each wall
//! between two slots: a card, however thin, shades it for a slot and a half. A vane on the rim,
//! between the last slot and the first, shades it for three quarters of a slot, also in an empty
//! wheel. So each look tries the beam too:
//!
//! | shades in one turn | means |
//! |---|---|
//! | one, as long as the vane's | every slot is empty |
//! | one that is longer or shorter, several, or light never | a card, or dust: occupied |
//! | none | the beam or its vane is gone: nothing is known |
//!
//! Which slot a card is in does not matter, for all that is inside must come out.
//!
//! At full speed a slot of the 54-slot wheel passes in 9.26 ms: the vane shades for 6.94 ms, a
//! card for 13.89 ms, a card beside the vane for 15.05 ms with it. A level counts after two
//! samples a millisecond apart, of which one may be a millisecond late: 4 ms are always seen. An
//! edge is told up to 2 ms after it came, so a shade's length is right to 2 ms: the vane's is
//! told as 5 to 9 ms, a card's as 11.9 ms at least. The bounds between, half a vane to each side
//! of it, are 3.5 and 10.4 ms. A free stretch that is too short to be seen joins two shades to a
//! longer one, which is a card all the same. The wider slots of the other wheel are slower.

use super::wheel::Wheel;
use crate::time::Instant;

/// What a look showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slots {
    /// The vane and nothing else.
    Empty,
    /// Something besides the vane, or never any light.
    Occupied {
        /// The vane was seen by itself all the same.
        vane_seen: bool,
    },
    /// Not even the vane.
    Unseen,
}

/// The vane must pass at full speed, or its shade is longer: a look begins more than this many
/// slots away from it.
const RUN_UP: u8 = 4;

/// The slot from which a look begins when `at` stands at the feed: `at`, unless the vane is near
/// the beam then.
pub(super) const fn begins_at(wheel: &Wheel, at: u8) -> u8 {
    let vane_in_beam = wheel.slots / 2;
    if at.abs_diff(vane_in_beam) > RUN_UP { at } else { vane_in_beam + RUN_UP + 1 }
}

/// A look under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WheelLook {
    vane_us: u64,
    /// Since when the beam is shaded.
    since: Option<Instant>,
    shades: u8,
    card: bool,
    vane: bool,
}

impl WheelLook {
    /// Begins, the beam being shaded or not. The vane is not in it then.
    pub(super) const fn new(wheel: &Wheel, shaded: bool) -> Self {
        Self { vane_us: wheel.vane_us() as u64, since: None, shades: 0, card: shaded, vane: false }
    }

    /// The beam changed.
    pub(super) fn changed(&mut self, shaded: bool, at: Instant) {
        if shaded {
            self.since = Some(at);
            self.shades = self.shades.saturating_add(1);
        } else if let Some(since) = self.since.take() {
            let us = at.since(since).get().saturating_mul(1000);
            let vane = (self.vane_us / 2..=self.vane_us * 3 / 2).contains(&us);
            (self.vane, self.card) = (self.vane || vane, self.card || !vane);
        }
    }

    /// The wheel has turned once.
    pub(super) const fn end(&self) -> Slots {
        match self.shades {
            _ if self.card || self.since.is_some() => Slots::Occupied { vane_seen: self.vane },
            0 => Slots::Unseen,
            1 => Slots::Empty,
            _ => Slots::Occupied { vane_seen: true },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: Slots = Slots::Occupied { vane_seen: false };
    const BESIDE: Slots = Slots::Occupied { vane_seen: true };
    const WHEELS: [Wheel; 2] = [Wheel::SINGLE_DECK, Wheel::MULTI_DECK];

    fn seen(wheel: &Wheel, edges: &[u64]) -> Slots {
        let mut look = WheelLook::new(wheel, false);
        for (edge, at) in edges.iter().enumerate() {
            look.changed(edge.is_multiple_of(2), Instant::from_millis(*at));
        }
        look.end()
    }

    /// SH-07: the vane's shade, 2 ms more or less, and no other is an empty wheel.
    #[test]
    fn one_shade_of_the_vanes_length_is_an_empty_wheel() {
        for wheel in WHEELS {
            let vane = u64::from(wheel.vane_us() / 1000);
            let card = u64::from(wheel.shade_us() / 1000);
            for late in 0..=4 {
                let (vane, card) = (vane + late - 2, card + late - 2);
                assert_eq!(seen(&wheel, &[200, 200 + vane]), Slots::Empty, "{vane} ms");
                assert_eq!(seen(&wheel, &[200, 200 + card]), CARD, "{card} ms");
            }
            let two = [200, 200 + vane, 300, 300 + vane];
            assert_eq!(seen(&wheel, &two), BESIDE, "two of the vane's");
            let apart = [200, 200 + vane, 300, 300 + card];
            assert_eq!(seen(&wheel, &apart), BESIDE, "the vane, and a card");
            assert_eq!(seen(&wheel, &[200, 202]), CARD, "a flicker");
            assert_eq!(seen(&wheel, &[200]), CARD, "and dark from then on");
            assert_eq!(seen(&wheel, &[]), Slots::Unseen);
            let mut dark = WheelLook::new(&wheel, true);
            assert_eq!(dark.end(), CARD, "never free");
            for (shaded, at) in [(false, 205), (true, 300), (false, 300 + vane)] {
                dark.changed(shaded, Instant::from_millis(at));
            }
            assert_eq!(dark.end(), BESIDE, "a card stood in the beam");
        }
    }

    /// The arithmetic above: samples of 1 ms, one of them late, see what they must.
    #[test]
    fn the_beam_is_sampled_often_enough_for_every_wheel() {
        const SEEN_US: u32 = 4_000;
        const LATE_US: u32 = 2_000;
        for wheel in WHEELS {
            let (vane, card) = (wheel.vane_us(), wheel.shade_us());
            assert!(vane > SEEN_US && vane / 2 < vane - LATE_US);
            assert!(vane + LATE_US < vane * 3 / 2 && vane * 3 / 2 < card - LATE_US);
        }
        assert_eq!((Wheel::SINGLE_DECK.vane_us(), Wheel::SINGLE_DECK.shade_us()), (6_944, 13_888));
    }

    /// Wherever a look begins, its vane passes when the wheel has its full speed.
    #[test]
    fn the_vane_passes_at_full_speed() {
        for wheel in WHEELS {
            for at in 0..wheel.slots {
                let begins = begins_at(&wheel, at);
                assert!(begins < wheel.slots && begins_at(&wheel, begins) == begins);
                assert!(wheel.way(at, begins).unsigned_abs() <= 2 * RUN_UP + 1);
                // The vane is half a slot before the first one, the beam opposite the feed.
                let (slots, begins) = (u32::from(wheel.slots), u32::from(begins));
                let vane = (slots * 3 / 2 - begins) % slots * 1000 - 500;
                let way = |us| wheel.way_after(wheel.slots, us);
                let us = (0..600_000).step_by(100).find(|us| way(*us) >= vane).unwrap_or(0);
                let shade = way(us + wheel.vane_us() / 2) - way(us - wheel.vane_us() / 2);
                assert!((740..760).contains(&shade), "from {begins}: {shade}");
            }
        }
    }
}
