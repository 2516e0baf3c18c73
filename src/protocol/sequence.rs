//! Numbers that never come twice, whatever happens to the power.
//!
//! A number may be used only when the flash already says it is spent. Writing flash for
//! each would wear it out, so numbers are reserved in blocks: the flash holds a limit above
//! everything used, and after a restart counting goes on from there. What was left of
//! the block is lost, and no one misses it.

use embedded_storage::nor_flash::NorFlash;

use super::seal::{Refusal, Role};
use crate::store::{Key, Record, Store, StoreError};

/// Numbers reserved at a time. Half of that takes more than ten minutes at the eight hundred seals a second
/// that both links can carry at most, and three days for a device that nobody talks to.
pub const BLOCK: u64 = 1 << 20;

/// How many numbers a role may skip at once. A client that asked skips those whose commands got lost;
/// a role that could skip at will would cost a flash write with every command.
pub const FARTHEST_AHEAD: u64 = 1024;

/// A row of numbers of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Lane {
    /// Everything the device seals.
    Sent = 0,
    /// Commands by the dealer.
    Dealer = 1,
    /// Commands by the floorperson.
    Floorperson = 2,
    /// Commands by the service engineer.
    Service = 3,
    /// Commands by the table controller.
    Controller = 4,
}

const LANES: usize = 5;

impl Lane {
    /// The lane of a role's commands; a device gives none.
    pub const fn of(role: Role) -> Option<Self> {
        Some(match role {
            Role::Device => return None,
            Role::Dealer => Self::Dealer,
            Role::Floorperson => Self::Floorperson,
            Role::Service => Self::Service,
            Role::Controller => Self::Controller,
        })
    }
}

/// What the flash holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// How often the device started in its life.
    starts: u32,
    /// Per lane the first number that is surely unused.
    lanes: [u64; LANES],
}

impl Limits {
    /// Of a device that never started.
    const NEW: Self = Self { starts: 0, lanes: [1; LANES] };

    /// With a new block for each lane that has used half of its last one.
    fn raised_above(mut self, next: &[u64; LANES], block: u64) -> Self {
        for (limit, next) in self.lanes.iter_mut().zip(next) {
            if limit.saturating_sub(*next) < block / 2 {
                *limit = next.saturating_add(block);
            }
        }
        self
    }
}

impl Record for Limits {
    const KEY: Key = Key::Sequence;
    type Buffer = [u8; 4 + 8 * LANES];
    const BUFFER: Self::Buffer = [0; 4 + 8 * LANES];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let (starts, room) = out.split_first_chunk_mut()?;
        *starts = self.starts.to_le_bytes();
        let room = room.as_chunks_mut::<8>().0.get_mut(..LANES)?;
        for (slot, limit) in room.iter_mut().zip(self.lanes) {
            *slot = limit.to_le_bytes();
        }
        Some(4 + 8 * LANES)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (starts, lanes) = bytes.split_first_chunk()?;
        let (lanes, []) = lanes.as_chunks::<8>() else { return None };
        let lanes: &[[u8; 8]; LANES] = lanes.try_into().ok()?;
        let starts = u32::from_le_bytes(*starts);
        Some(Self { starts, lanes: lanes.map(u64::from_le_bytes) })
    }
}

/// Where the limits are kept. Nothing but flash that outlives the power will do.
pub trait SequenceStore {
    /// The limits kept last, or nothing if none ever were.
    fn load(&mut self) -> Result<Option<Limits>, StoreError>;
    /// Keeps them; they are durable when this returns.
    fn keep(&mut self, limits: &Limits) -> Result<(), StoreError>;
    /// What was changed since the store was opened, in pieces of [`PIECE`](crate::store::PIECE)
    /// bytes.
    fn changes(&self) -> u32;
}

impl<F: NorFlash> SequenceStore for Store<F> {
    fn load(&mut self) -> Result<Option<Limits>, StoreError> {
        self.get()
    }

    fn keep(&mut self, limits: &Limits) -> Result<(), StoreError> {
        self.put(limits)
    }

    fn changes(&self) -> u32 {
        Store::changes(self)
    }
}

/// The numbers of one device: those it gives and those it has taken. They are reserved `RESERVED`
/// at a time, in a device [`BLOCK`].
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sequences<const RESERVED: u64 = BLOCK> {
    next: [u64; LANES],
    limits: Limits,
    /// How many numbers each role may still skip. One more at each quiet moment.
    skips: [u64; LANES],
}

impl<const RESERVED: u64> Sequences<RESERVED> {
    /// Continues above everything ever used, and counts this start.
    ///
    /// Flash that cannot be read or written is an error and no fresh start: without its
    /// limits every old command would be good again.
    pub fn start(store: &mut impl SequenceStore) -> Result<Self, StoreError> {
        let mut limits = store.load()?.unwrap_or(Limits::NEW);
        let next = limits.lanes;
        limits.starts = limits.starts.saturating_add(1);
        // One write counts the start and reserves what it will send first.
        let limits = limits.raised_above(&next, RESERVED);
        store.keep(&limits)?;
        Ok(Self { next, limits, skips: [FARTHEST_AHEAD; LANES] })
    }

    /// How often the device started in its life, this start included.
    pub fn starts(&self) -> u32 {
        self.limits.starts
    }

    /// The next number of a lane, without taking it: for a role's lane, its next sequence.
    pub fn peek(&self, lane: Lane) -> u64 {
        self.next.get(lane as usize).copied().unwrap_or(u64::MAX)
    }

    /// Takes the next outgoing number.
    pub fn take(&mut self, store: &mut impl SequenceStore) -> Result<u64, Refusal> {
        let number = self.peek(Lane::Sent);
        self.spend(Lane::Sent, number, store)?;
        Ok(number)
    }

    /// Accepts `number` from `role`, once and never again.
    pub fn accept(
        &mut self,
        role: Role,
        number: u64,
        store: &mut impl SequenceStore,
    ) -> Result<(), Refusal> {
        let lane = Lane::of(role).ok_or(Refusal::UnknownRole)?;
        let ahead = number.checked_sub(self.peek(lane)).ok_or(Refusal::Replayed)?;
        let skips = self.skips.get(lane as usize).copied().unwrap_or(0);
        let left = skips.checked_sub(ahead).ok_or(Refusal::TooFarAhead)?;
        self.spend(lane, number, store)?;
        if let Some(skips) = self.skips.get_mut(lane as usize) {
            *skips = left;
        }
        Ok(())
    }

    /// Reserves early, at a quiet moment, so that no event or command waits for the flash. Called
    /// ten times a second: so often each role may skip a number more.
    pub fn reserve_ahead(&mut self, store: &mut impl SequenceStore) -> Result<(), StoreError> {
        for skips in &mut self.skips {
            *skips = skips.saturating_add(1).min(FARTHEST_AHEAD);
        }
        let limits = self.limits.raised_above(&self.next, RESERVED);
        if limits != self.limits {
            store.keep(&limits)?;
            self.limits = limits;
        }
        Ok(())
    }

    /// Everything up to `number` is used from here on, and the flash says so before we do.
    fn spend(
        &mut self,
        lane: Lane,
        number: u64,
        store: &mut impl SequenceStore,
    ) -> Result<(), Refusal> {
        let after = number.checked_add(1).ok_or(Refusal::TooFarAhead)?;
        let mut limits = self.limits;
        let limit = limits.lanes.get_mut(lane as usize).ok_or(Refusal::UnknownRole)?;
        if number >= *limit {
            *limit = number.checked_add(RESERVED).ok_or(Refusal::TooFarAhead)?;
            store.keep(&limits).map_err(|_| Refusal::NotKept)?;
            self.limits = limits;
        }
        if let Some(next) = self.next.get_mut(lane as usize) {
            *next = after;
        }
        Ok(())
    }
}
