//! The seal: who sent it, that it was not changed, and that it was not sent before.
//!
//! Transfer-IDs and CRCs tell accidents from good traffic, not forgers. So every croupier payload
//! ends in a sequence number, a role and a message authentication code over all of it and
//! over where it goes: a sealed command to one device is noise to every other.
//!
//! ```text
//! payload | content ... | sequence u64 | role u8 | mac [u8; 16] |
//! mac     = first half of HMAC-SHA-256(role's key, "croupier seal 1" | source u8 |
//!           destination u8, 255 for a message | 0 message, 1 request, 2 response |
//!           port u16 | payload without the mac)
//! ```

use subtle::ConstantTimeEq;

use super::codec::Malformed;
use super::keys::{KeyRing, RoleKey};
use super::transfer::{NodeId, Port};
use crate::hash::{Digest, Keyed};

/// Who speaks, which is what they may do.
pub use super::generated::croupier::common::Role;

/// Bytes a seal adds to a payload.
pub const SEAL_BYTES: usize = 8 + 1 + MAC_BYTES;

/// Bytes of the authentication code: the first half of the hash.
pub const MAC_BYTES: usize = 16;

/// The most content a sealed event may have, to fit six classic CAN frames.
pub(crate) const EVENT_CONTENT: usize = 40 - SEAL_BYTES;

const DOMAIN: &[u8] = b"croupier seal 1";
const EVERYBODY: u8 = 0xFF;

/// Why something received was dropped, and never acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// Too short to hold a seal, not a value of its type, or no node sent it.
    Truncated = 0,
    /// A role that there is not, or that may not say this.
    UnknownRole = 1,
    /// No key is provisioned for the role.
    NoKey = 2,
    /// The code is wrong: forged, changed on the way, or meant for another device or role.
    BadMac = 3,
    /// The sequence number is used up: a replay, or one overtaken by a later command.
    Replayed = 4,
    /// A sequence number so far ahead that taking it would waste the rest.
    TooFarAhead = 5,
    /// The flash would not remember the number, so that it could come again.
    NotKept = 6,
    /// All right but for the role's authority. This one gets an answer.
    NotAuthorised = 7,
}

/// A sealed object is written by a device of ours: one that does not decode is broken.
impl From<Malformed> for Refusal {
    fn from(_: Malformed) -> Self {
        Self::Truncated
    }
}

impl Refusal {
    /// Every kind, in the order of their numbers.
    pub const ALL: [Self; 8] = [
        Self::Truncated,
        Self::UnknownRole,
        Self::NoKey,
        Self::BadMac,
        Self::Replayed,
        Self::TooFarAhead,
        Self::NotKept,
        Self::NotAuthorised,
    ];
}

/// How often each kind of refusal happened since boot.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refusals {
    counts: [u32; Refusal::ALL.len()],
    unreported: u32,
}

impl Refusals {
    /// Counts one.
    pub fn count(&mut self, refusal: Refusal) {
        if let Some(count) = self.counts.get_mut(refusal as usize) {
            *count = count.saturating_add(1);
        }
        self.unreported = self.unreported.saturating_add(1);
    }

    /// How many since this was asked last.
    pub fn take_unreported(&mut self) -> u32 {
        core::mem::take(&mut self.unreported)
    }

    /// How many of this kind.
    pub fn of(&self, refusal: Refusal) -> u32 {
        self.counts.get(refusal as usize).copied().unwrap_or(0)
    }

    /// How many in all.
    pub fn total(&self) -> u32 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }
}

/// Where a payload goes. The seal covers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Address {
    /// Who sends it.
    pub source: NodeId,
    /// What it is for and to whom.
    pub port: Port,
}

impl Address {
    fn bytes(self) -> [u8; 5] {
        let (destination, kind, number) = match self.port {
            Port::Message(subject) => (EVERYBODY, 0, subject.get()),
            Port::Request(service, to) => (to.get(), 1, service.get()),
            Port::Response(service, to) => (to.get(), 2, service.get()),
        };
        let [low, high] = number.to_le_bytes();
        [self.source.get(), destination, kind, low, high]
    }
}

/// What a verified payload turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified<'a> {
    /// Whose key sealed it.
    pub role: Role,
    /// Its sequence number. Whether it is fresh is for the caller to judge.
    pub sequence: u64,
    /// The payload before the seal.
    pub content: &'a [u8],
}

/// Seals `payload` in place: its last [`SEAL_BYTES`] are overwritten.
///
/// The caller must never use `sequence` again on this port with this key.
pub fn seal(
    key: &RoleKey,
    role: Role,
    sequence: u64,
    address: Address,
    payload: &mut [u8],
) -> Result<(), Refusal> {
    let (covered, mac) = payload.split_last_chunk_mut().ok_or(Refusal::Truncated)?;
    let (_, [number @ .., code]) = covered.split_last_chunk_mut::<9>().ok_or(Refusal::Truncated)?;
    number.copy_from_slice(&sequence.to_le_bytes());
    *code = role.code();
    *mac = code_of(key, address, covered);
    Ok(())
}

/// Checks everything about a seal but its freshness.
pub fn verify<'a>(
    keys: &KeyRing,
    address: Address,
    payload: &'a [u8],
) -> Result<Verified<'a>, Refusal> {
    verify_with(|role| keys.get(role).ok_or(Refusal::NoKey), address, payload)
}

/// As [`verify`], with the caller's own choice of key: a controller has one per device.
pub(crate) fn verify_with<'a, 'k>(
    key: impl FnOnce(Role) -> Result<&'k RoleKey, Refusal>,
    address: Address,
    payload: &'a [u8],
) -> Result<Verified<'a>, Refusal> {
    let (covered, mac) = payload.split_last_chunk::<MAC_BYTES>().ok_or(Refusal::Truncated)?;
    let (content, [number @ .., code]) =
        covered.split_last_chunk::<9>().ok_or(Refusal::Truncated)?;
    let role = Role::from_code(*code).ok_or(Refusal::UnknownRole)?;
    let key = key(role)?;
    // The comparison takes the same time whatever the forger guessed right.
    if !bool::from(code_of(key, address, covered).ct_eq(mac)) {
        return Err(Refusal::BadMac);
    }
    let sequence = number.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    Ok(Verified { role, sequence, content })
}

/// The first half of the code over where a payload goes and what it says.
fn code_of(key: &RoleKey, address: Address, covered: &[u8]) -> [u8; MAC_BYTES] {
    let key = Keyed::new(&Digest::from_bytes(key.bytes()));
    let whole = key.code_of_all(&[DOMAIN, &address.bytes(), covered]).bytes();
    let (first, _) = whole.split_at(MAC_BYTES);
    core::array::from_fn(|i| first[i])
}
