//! Continuous operation: one batch circulates, and a dealt card may come again at once.
//!
//! Cards come back through the feed into the **hold**, slots of their own, and stay there
//! in the order they came until the next round begins, so that every hand can be rebuilt
//! (SH-21). Then they go back over the feed tray and each joins the [`Queue`] at its drawn
//! place. The chute holds one card, so only that card was drawn before the last discards came
//! back (SH-20). The cards inside, in the chute and on the table make the batch at all times
//! (SH-19).
//!
//! Where these numbers do not agree, the deck is condemned only on the evidence of a fill: every
//! card came through the feed into a wheel that was seen empty. Later it is the machine's count
//! that is in doubt. All cards are gathered then, and the next fill counts them.

mod chute;
mod circulating;
pub mod queue;
mod rounds;

use self::chute::Chute;
use super::card_path::event::{Back, Event, Outlet};
use super::card_path::path::{Path, Report};
use super::card_path::wheel::Wheel;
use super::fault::{Fault, Station};
use super::record::Inventory;
use crate::cards::BackColour;
use crate::entropy::MOST_CARDS;
use crate::time::Instant;
use queue::{Queue, places_for};
use zeroize::Zeroize;

/// Slots that hold the last round in order: two, for 24 cards; more wait in the feed tray,
/// in order too. A third slot would be missing in the queue; as measured, a tenth fewer cards
/// would come again at once.
pub const HOLD_SLOTS: u8 = 2;
/// Cards in the chute.
pub const CHUTE: u16 = 1;

/// What it does besides keeping the chute filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// An order must be drawn for this many cards, those in the queue among them.
    Drawing(u16),
    /// Cards join the queue: this many are still to come.
    Joining(u16),
    /// Discards go to the hold.
    Collecting,
    /// The last round goes back to the feed tray, to be mixed in or given back.
    Returning {
        /// To be mixed in.
        mix: bool,
    },
    /// The last round lies in the feed tray for the dealer to take.
    Given,
}

/// A machine that circulates one batch.
pub struct Continuous {
    wheel: Wheel,
    queue: Queue,
    stage: Stage,
    batch: u16,
    /// Where the next cards join, in the order they are fed.
    places: [u16; MOST_CARDS],
    joined: u16,
    /// Cards that left the queue since the places were drawn.
    left: u16,
    held: u16,
    /// Of those, already brought back.
    returned: u16,
    chute: Chute,
    out: u16,
    colour: Option<BackColour>,
    tray_loaded: bool,
    staged: bool,
    /// Where the card goes that is on its way out.
    going: Option<Outlet>,
    /// The slot of the staged card, once it has one.
    slot: Option<u8>,
    outlet: Option<Outlet>,
    diverting: bool,
    next_round: bool,
    /// The whole batch went in once.
    filled: bool,
    /// A card has left the wheel since.
    dealt: bool,
    /// It takes and gives no more: all cards are to come out.
    ending: bool,
}

impl Continuous {
    /// An empty machine with the whole batch in its feed tray.
    pub const fn new(wheel: Wheel, batch: u16, tray_loaded: bool) -> Self {
        Self {
            wheel,
            queue: Queue::new(wheel.slots - HOLD_SLOTS, wheel.capacity),
            stage: Stage::Drawing(batch),
            batch,
            places: [0; MOST_CARDS],
            joined: 0,
            left: 0,
            held: 0,
            returned: 0,
            chute: Chute::new(),
            out: batch,
            colour: None,
            tray_loaded,
            staged: false,
            going: None,
            slot: None,
            outlet: None,
            diverting: false,
            next_round: false,
            filled: false,
            dealt: false,
            ending: false,
        }
    }

    /// What it does now.
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// The batch, once its first back was seen.
    pub const fn colour(&self) -> Option<BackColour> {
        self.colour
    }

    /// Where the cards are.
    pub const fn inventory(&self) -> Inventory {
        let inside = self.queue.len() + self.held;
        Inventory { inside, delivered: self.chute.cards(), out: self.out, certain: true }
    }

    /// The cards an order is wanted for.
    pub const fn cards_to_draw(&self) -> Option<u16> {
        match self.stage {
            Stage::Drawing(cards) => Some(cards),
            _ => None,
        }
    }

    /// The order of the cards that wait and those that join them.
    pub fn ordered(&mut self, order: &[u16]) -> Result<(), Fault> {
        let waiting = self.queue.len();
        let Stage::Drawing(cards) = self.stage else { return Ok(()) };
        if order.len() != usize::from(cards) || cards <= waiting {
            return Err(Fault::Random(0));
        }
        let new = cards - waiting;
        let places = self.places.get_mut(..usize::from(new)).ok_or(Fault::Random(0))?;
        places_for(order, waiting, places);
        (self.joined, self.left) = (0, 0);
        self.stage = Stage::Joining(new);
        Ok(())
    }

    /// Something was noticed: perhaps that the dealer drew a card past the beam.
    pub fn noticed(&mut self, event: Event) {
        if self.chute.is_drawn(event) {
            // The round has begun: discards from now on are its own.
            self.next_round = false;
            self.out += 1;
        }
    }

    /// The chute's contact changed.
    pub fn chute_changed(&mut self, loaded: bool) {
        self.chute.contact_changed(loaded);
    }

    /// When [`Self::step`] must be called next, whatever happens.
    pub fn deadline(&self) -> Option<Instant> {
        self.chute.deadline()
    }

    /// No further card is fed or dealt. What is under way comes to its end.
    pub fn end(&mut self) {
        self.ending = true;
    }

    /// Whether it ends, and nothing is under way any more.
    pub fn is_over(&self, path: &Path) -> bool {
        let still = path.mouth_is_free() && !path.has_staged() && path.may_turn();
        self.ending && still && !self.diverting && path.at().is_some()
    }

    /// Whether it was told to end.
    pub const fn is_ending(&self) -> bool {
        self.ending
    }

    /// Takes what the path reports and goes on.
    pub fn step(
        &mut self,
        report: Option<Report>,
        path: &mut Path,
        now: Instant,
    ) -> Result<(), Fault> {
        if let Some(report) = report {
            self.note(report)?;
        }
        self.chute.check(now)?;
        self.turn_round(path);
        self.feed_next(path, now);
        if !path.may_turn() || self.diverting {
            return Ok(());
        }
        match self.stage {
            // A card that has its place goes there before anything is taken from the queue.
            _ if self.slot.is_some() => self.take_in(path, now),
            _ if self.wants_card_in_chute() => self.bring_out(Outlet::Delivery, path, now),
            Stage::Drawing(_) | Stage::Given => Ok(()),
            Stage::Returning { .. } if self.ending => Ok(()),
            Stage::Returning { .. } => self.bring_out(Outlet::Return, path, now),
            Stage::Joining(_) | Stage::Collecting => self.take_in(path, now),
        }
    }

    fn note(&mut self, report: Report) -> Result<(), Fault> {
        match report {
            Report::Failed(fault) => return Err(fault),
            Report::Staged(Back::Colour(seen)) => {
                if *self.colour.get_or_insert(seen) != seen {
                    return Err(Fault::ForeignBack(0));
                }
                // More cards come than went out.
                let surplus = self.miscount(self.batch + 1);
                self.out = self.out.checked_sub(1).ok_or(surplus)?;
                self.staged = true;
            }
            Report::Staged(Back::Cover) => return Err(Fault::CoverCards),
            Report::Staged(Back::FaceUp) => return Err(Fault::FaceUp(1)),
            Report::Staged(Back::Unknown) => return Err(Fault::ForeignBack(0)),
            Report::TrayEmpty if self.tray_loaded => return Err(Fault::NoPick),
            Report::TrayEmpty if matches!(self.stage, Stage::Joining(_)) => {
                return Err(self.miscount(self.queue.len()));
            }
            Report::Loaded => self.loaded(),
            Report::Ejected => self.ejected(),
            // The card went in and does not come out: stuck, not missing.
            Report::SlotEmpty => return Err(Fault::Jam(Station::Exit)),
            Report::Diverted => self.diverting = false,
            Report::TrayEmpty
            | Report::Turned
            | Report::Homed
            | Report::Cleared
            | Report::Looked(_) => {}
        }
        Ok(())
    }

    /// What it means that the count is not what the batch says.
    const fn miscount(&self, cards: u16) -> Fault {
        if self.dealt { Fault::CountNotValid } else { Fault::InventoryWrong(cards) }
    }

    fn loaded(&mut self) {
        (self.staged, self.slot) = (false, None);
        match self.stage {
            Stage::Joining(1) => {
                self.places.zeroize();
                (self.stage, self.filled) = (Stage::Collecting, true);
            }
            Stage::Joining(left) => self.stage = Stage::Joining(left.saturating_sub(1)),
            _ => self.held += 1,
        }
    }

    fn ejected(&mut self) {
        self.dealt = true;
        match self.going.take() {
            Some(Outlet::Delivery) => {
                self.queue.take_first();
                self.left += 1;
                self.chute.fill();
            }
            _ => {
                self.returned += 1;
                self.held = self.held.saturating_sub(1);
                self.out += 1;
            }
        }
    }

    /// The chute is kept filled, but not while the places of others are being drawn.
    const fn wants_card_in_chute(&self) -> bool {
        let may = matches!(self.stage, Stage::Joining(_) | Stage::Collecting | Stage::Given);
        // A card too many still lies in the feed tray when the fill ends; it is counted first.
        let counted = self.dealt || !self.tray_loaded;
        self.filled
            && may
            && counted
            && !self.ending
            && self.chute.has_room()
            && !self.queue.is_empty()
    }

    fn bring_out(&mut self, outlet: Outlet, path: &mut Path, now: Instant) -> Result<(), Fault> {
        if self.outlet != Some(outlet) {
            (self.outlet, self.diverting) = (Some(outlet), true);
            path.divert(outlet, now);
            return Ok(());
        }
        let slot = match outlet {
            Outlet::Delivery => self.queue.first(),
            Outlet::Return => Some(self.hold_slot(self.returned)),
        };
        let (Some(slot), Some(at)) = (slot, path.at()) else { return Ok(()) };
        if at == slot {
            self.going = Some(outlet);
            path.eject(now);
        } else {
            path.turn(slot, now);
        }
        Ok(())
    }

    /// Stages the next card as soon as there is room before the wheel.
    fn feed_next(&mut self, path: &mut Path, now: Instant) {
        let waiting = u16::from(self.staged);
        let due = match self.stage {
            Stage::Joining(left) => left > waiting,
            Stage::Collecting => self.tray_loaded && self.held + waiting < self.hold_room(),
            Stage::Drawing(_) | Stage::Returning { .. } | Stage::Given => false,
        };
        if due && !self.ending && path.mouth_is_free() && !path.has_staged() {
            path.feed(now);
        }
    }

    fn take_in(&mut self, path: &mut Path, now: Instant) -> Result<(), Fault> {
        if !path.has_staged() {
            return Ok(());
        }
        let slot = match self.slot {
            Some(slot) => slot,
            None => self.place()?,
        };
        self.slot = Some(slot);
        match path.at() {
            Some(at) if at == slot => path.load(now),
            Some(_) => path.turn(slot, now),
            None => {}
        }
        Ok(())
    }

    /// The slot for the staged card.
    fn place(&mut self) -> Result<u8, Fault> {
        if !matches!(self.stage, Stage::Joining(_)) {
            return Ok(self.hold_slot(self.held));
        }
        let place = self.places.get(usize::from(self.joined)).copied().unwrap_or(0);
        self.joined += 1;
        // Cards that were dealt meanwhile stood before it.
        let place = place.saturating_sub(self.left);
        self.queue.insert(place).ok_or(Fault::CountNotValid)
    }

    const fn hold_room(&self) -> u16 {
        HOLD_SLOTS as u16 * self.wheel.capacity as u16
    }

    /// The slot of the hold for its card number `card`: the last slots of the wheel in turn.
    const fn hold_slot(&self, card: u16) -> u8 {
        let slot = card / self.wheel.capacity as u16;
        self.wheel.slots - HOLD_SLOTS + (slot as u8) % HOLD_SLOTS
    }
}

impl Drop for Continuous {
    fn drop(&mut self) {
        self.places.zeroize();
    }
}
