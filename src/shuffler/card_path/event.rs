//! What the mechanism notices, and what it is told to do.
//!
//! The reference mechanism: cards lie in the **feed tray**. A pick roller takes one through
//! the **mouth** beam, under the colour eye, and stops it with its edge in the **throat**
//! beam, right before the wheel: it is *staged*. The throat roller loads it into the slot
//! that stands there. Feed and exit face each other across the wheel, so the slot at the
//! feed is the slot at the exit too, and what went in first comes out first. The ejector
//! pushes one card at a time through the **exit** beam, where a diverter sends it back onto
//! the feed tray, into the locked delivery tray, or into the chute of a continuous machine,
//! which the dealer draws from past the **draw** beam. Opposite the feed the **slot** beam
//! crosses the wheel: one turn shows whether every slot is empty.
//!
//! The two rollers are apart, so the next card is staged while the wheel turns.

use crate::cards::BackColour;

/// A beam across the path of the cards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Beam {
    /// Behind the pick roller, where the colour eye looks.
    Mouth = 0,
    /// In front of the wheel.
    Throat = 1,
    /// Behind the ejector.
    Exit = 2,
    /// Where the dealer draws, in a continuous machine.
    Draw = 3,
    /// Across the wheel, through the slot opposite the feed.
    Slot = 4,
}

impl Beam {
    /// Every beam.
    pub const ALL: [Self; 5] = [Self::Mouth, Self::Throat, Self::Exit, Self::Draw, Self::Slot];
}

/// What the colour eye sees of a card that lies as it should: its back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Back {
    /// A back of one of the two batches.
    Colour(BackColour),
    /// A cover card (SH-26).
    Cover,
    /// No back: the card lies face up (SH-29). Nothing of the face is reported.
    FaceUp,
    /// A back the eye does not know (SH-18).
    Unknown,
}

/// What the eye saw of one card in the mouth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Look {
    /// The side that lies up.
    pub back: Back,
    /// Light that still comes through in the mouth, per cent: about 45 through one card,
    /// 20 through two.
    pub light: u8,
}

/// A motor that can fail to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Axis {
    /// The wheel.
    Wheel = 0,
    /// The pick roller.
    Pick = 1,
    /// The throat roller.
    Throat = 2,
    /// The ejector.
    Eject = 3,
}

/// A contact: whether something is open, or whether cards lie somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Contact {
    /// The service lid is open.
    LidOpen = 0,
    /// The door of the delivery tray is open.
    DoorOpen = 1,
    /// Cards lie in the feed tray.
    FeedLoaded = 2,
    /// Cards lie in the delivery tray, or in the chute of a continuous machine.
    DeliveryLoaded = 3,
}

impl Contact {
    /// Every contact.
    pub const ALL: [Self; 4] =
        [Self::LidOpen, Self::DoorOpen, Self::FeedLoaded, Self::DeliveryLoaded];
}

/// What the mechanism notices. The time comes beside it, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// A beam is blocked (`true`) or free again. Debounced; the time is the edge's.
    Beam(Beam, bool),
    /// The eye saw a card, while it blocked the mouth. Once a card.
    Seen(Look),
    /// The wheel stands, this slot at the feed and the exit, and its position agrees with
    /// the home flag as far as it passed it.
    Turned(u8),
    /// The wheel was homed: slot 0 stands at the feed.
    Homed,
    /// The diverter stands as asked.
    Diverted,
    /// A motor did not follow, or the wheel lost steps. It has been stopped.
    Stalled(Axis),
    /// A contact changed. After a start each is reported once as it stands.
    Contact(Contact, bool),
    /// The motion controller does not answer.
    Unanswered,
    /// The sensors give no valid word any more.
    Blind,
}

/// Where the exit leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Outlet {
    /// Onto the cards in the feed tray, behind them: they are fed last.
    Return = 0,
    /// Into the delivery tray, behind its locked door; in a continuous machine the chute.
    Delivery = 1,
}

/// How hard a roller tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Effort {
    /// The usual speed and torque.
    Normal = 0,
    /// At 60 %, after backing up.
    Gentle = 1,
    /// With more torque.
    Boosted = 2,
}

/// What the mechanism is told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Action {
    /// Find the wheel's home; ends in `Homed` or `Stalled`.
    Home,
    /// Turn the wheel by `by` slots, backwards if negative, so that slot `to` stands at the
    /// feed; ends in `Turned` or `Stalled`. Forwards, slot 1 follows slot 0.
    Turn {
        /// The slot that must stand there.
        to: u8,
        /// How far, and which way.
        by: i8,
    },
    /// Turn the wheel forwards, once and as fast as it goes, so that each slot passes the slot
    /// beam; ends in `Turned` with the slot that stood there before, or `Stalled`.
    Look,
    /// Stage one card: ends with the throat blocked.
    Feed(Effort),
    /// Drive the staged card into the slot: ends with the throat free.
    Load(Effort),
    /// Run both rollers backwards for a moment, then stand: what was not yet in the wheel
    /// is back in the tray.
    BackUp,
    /// Push one card out of the slot: ends with the exit free.
    Eject(Effort),
    /// Shake the wheel about its place, to loosen a card.
    Shake,
    /// Set the diverter; ends in `Diverted`.
    Divert(Outlet),
    /// Stop every motor, at once.
    Stop,
}

impl Action {
    /// Whether the wheel's motor must do something.
    pub const fn is_for_wheel(self) -> bool {
        matches!(self, Self::Home | Self::Turn { .. } | Self::Look | Self::Shake | Self::Stop)
    }
}
