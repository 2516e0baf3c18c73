//! The slot beam: what it shows of the wheel, standing or turning.
//!
//! It stands opposite the feed. A card shades it for a slot and a half, the vane between the
//! last slot and the first for three quarters of one; see `card_path::look` in the rules. Between
//! looks only what the standing wheel shows is noticed, because no look is asked for.

use croupier::shuffler::event::{Axis, Beam};

use super::mechanism::{Mechanism, Step};
use super::trouble::Trouble;

/// Places on the wheel are thousandths of a slot.
const SLOT: u32 = 1000;
const VANE: u32 = SLOT * 3 / 4;
const SHADE: u32 = SLOT * 3 / 2;
/// The beam is looked at so often while the wheel turns, in microseconds.
const SAMPLE_US: u32 = 500;

impl Mechanism {
    /// The wheel turns once past the beam.
    pub(super) fn look(&mut self, now: u64) {
        let (slots, stood) = (self.wheel.slots, self.at);
        let to = (stood + slots - self.slipped) % slots;
        let Some((took, end)) = self.turn_by(to, slots, true, now) else { return };
        let mut seen = self.beams[Beam::Slot as usize];
        let looked = if end == Step::Stalled(Axis::Wheel) { took / 2 } else { took };
        for us in (0..=looked as u32).step_by(SAMPLE_US as usize) {
            let shaded = self.is_shaded(resting(stood) + self.wheel.way_after(slots, us));
            if shaded != seen {
                self.plan(now + u64::from(us), Step::SlotShaded(shaded));
                seen = shaded;
            }
        }
    }

    /// The wheel stands.
    pub(super) fn see_slot(&mut self, at: u64) {
        self.see_slots(resting(self.at), at);
    }

    /// The wheel is so far from slot 0, standing or turning.
    pub(super) fn see_slots(&mut self, place: u32, at: u64) {
        self.set(Beam::Slot, self.is_shaded(place), at);
    }

    /// What strikes the beam as a turn begins.
    pub(super) fn spoil_slot_beam(&mut self, trouble: Trouble, now: u64) {
        match trouble {
            Trouble::DarkSlot => self.stick(Beam::Slot, true, now),
            Trouble::BlindSlot => self.stick(Beam::Slot, false, now),
            Trouble::NoVane => self.no_vane = true,
            _ => {}
        }
    }

    fn is_shaded(&self, place: u32) -> bool {
        let slots = u32::from(self.wheel.slots);
        let turn = slots * SLOT;
        let here = (place + turn / 2) % turn;
        let reaches = |place: u32, width: u32| {
            let apart = place.abs_diff(here);
            apart.min(turn - apart) * 2 < width
        };
        let near = [slots - 1, 0, 1].map(|by| (here / SLOT + by) % slots);
        (!self.no_vane && reaches(0, VANE))
            || near.iter().any(|slot| {
                let held = &self.places.slots[*slot as usize];
                !held.is_empty() && reaches(*slot * SLOT + SLOT / 2, SHADE)
            })
    }
}

const fn resting(slot: u8) -> u32 {
    slot as u32 * SLOT + SLOT / 2
}
