//! The keys that make a role: held, used, replaced, never shown.
//!
//! Authority at the table is which key sealed a command, so a key has no way out of here: no
//! service returns one, nothing prints one, and its bytes are wiped when it goes.

use core::fmt;

use embedded_storage::nor_flash::NorFlash;
use zeroize::Zeroize;

use super::seal::Role;
use crate::hash::sha256;
pub use crate::protocol::generated::croupier::common::KeyHolder;
use crate::store::{Key as Place, Record, Store, StoreError};

/// Bytes in a key.
pub const KEY_BYTES: usize = 32;

const SIMULATION: &[u8] = b"croupier SIMULATION key: ";

/// One role's secret.
pub struct RoleKey([u8; KEY_BYTES]);

impl Drop for RoleKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl RoleKey {
    /// The key with these bytes, which the caller must wipe.
    pub const fn new(bytes: [u8; KEY_BYTES]) -> Self {
        Self(bytes)
    }

    /// The key every simulation uses for `role`; it says so in plain letters,
    /// as many of them as fit.
    pub fn simulation(role: Role) -> Self {
        let word: &[u8] = match role {
            Role::Device => b"device",
            Role::Dealer => b"dealer",
            Role::Floorperson => b"floorperson",
            Role::Service => b"service",
            Role::Controller => b"controller",
        };
        let mut bytes = [b'.'; KEY_BYTES];
        for (byte, letter) in bytes.iter_mut().zip(SIMULATION.iter().chain(word)) {
            *byte = *letter;
        }
        Self(bytes)
    }

    /// Whether this key can be read in the sources.
    pub fn is_simulation(&self) -> bool {
        self.0.starts_with(SIMULATION)
    }

    /// Whether it is what blank or wiped memory reads as.
    fn is_blank(&self) -> bool {
        self.0 == [0; KEY_BYTES] || self.0 == [0xFF; KEY_BYTES]
    }

    /// Shows which key it is, and no more: the first bytes of a hash over it.
    pub fn check(&self) -> [u8; 8] {
        let hash = sha256(&[b"croupier key check", &self.0]).bytes();
        hash.first_chunk().copied().unwrap_or_default()
    }

    /// For the seal only.
    pub(super) fn bytes(&self) -> &[u8; KEY_BYTES] {
        &self.0
    }

    fn copy(&self) -> Self {
        Self(self.0)
    }
}

impl fmt::Debug for RoleKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for RoleKey {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "Key(..)");
    }
}

/// Which keys a build takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum KeyPolicy {
    /// Real hardware: no keys until some are provisioned, and never those of the simulation.
    Silicon,
    /// The simulation: starts with its own well-known keys.
    Simulation,
}

/// Where the keys are kept: memory that cannot be read from outside.
pub trait KeyStore {
    /// The ring kept last, or nothing if none ever was.
    fn load_keys(&mut self) -> Result<Option<KeyRing>, StoreError>;
    /// Keeps it in place of the old one, of which nothing must be left to read.
    fn keep_keys(&mut self, keys: &KeyRing) -> Result<(), StoreError>;
}

impl<F: NorFlash> KeyStore for Store<F> {
    fn load_keys(&mut self) -> Result<Option<KeyRing>, StoreError> {
        self.get()
    }

    fn keep_keys(&mut self, keys: &KeyRing) -> Result<(), StoreError> {
        self.put(keys)
    }
}

/// Why a key was not taken. Nothing has changed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum KeyRefused {
    /// The command was not sealed by the service role.
    NotService,
    /// The service switch inside the device is open.
    SwitchOpen,
    /// A key of the simulation, on silicon.
    Simulation,
    /// All zeros or all ones.
    Blank,
    /// Another holder has it already: the two would be indistinguishable.
    InUse,
    /// The flash would not keep it.
    Store(StoreError),
}

/// Who has a key on a ring, in the order of their numbers: roles, then devices whose seals are only checked.
const HOLDERS: usize = KeyHolder::ALL.len();

impl From<Role> for KeyHolder {
    fn from(role: Role) -> Self {
        match role {
            Role::Device => Self::Device,
            Role::Dealer => Self::Dealer,
            Role::Floorperson => Self::Floorperson,
            Role::Service => Self::Service,
            Role::Controller => Self::Controller,
        }
    }
}

/// The keys of one device: its own, those of the roles it obeys, and that of a device whose seals it
/// checks. The last one has no role: [`get`](Self::get) never finds it, so it commands nothing.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct KeyRing {
    policy: KeyPolicy,
    keys: [Option<RoleKey>; HOLDERS],
}

impl KeyRing {
    /// A ring without keys.
    pub const fn empty(policy: KeyPolicy) -> Self {
        Self { policy, keys: [const { None }; HOLDERS] }
    }

    /// The ring every simulation starts with. Its devices share one key, so none can check another's
    /// seals: that takes a key of its own.
    pub fn simulation() -> Self {
        let [device, dealer, floorperson, service, controller] =
            Role::ALL.map(|role| Some(RoleKey::simulation(role)));
        let keys = [device, dealer, floorperson, service, controller, None];
        Self { policy: KeyPolicy::Simulation, keys }
    }

    /// The stored ring, without whatever `policy` forbids.
    pub fn load(store: &mut impl KeyStore, policy: KeyPolicy) -> Result<Self, StoreError> {
        let Some(stored) = store.load_keys()? else {
            return Ok(match policy {
                KeyPolicy::Silicon => Self::empty(policy),
                KeyPolicy::Simulation => Self::simulation(),
            });
        };
        let mut ring = Self { policy, ..stored };
        for slot in &mut ring.keys {
            slot.take_if(|key| may_hold(policy, key).is_err());
        }
        Ok(ring)
    }

    /// The key of `role`, for sealing and verifying.
    pub fn get(&self, role: Role) -> Option<&RoleKey> {
        self.keys.get(usize::from(role.code())).and_then(Option::as_ref)
    }

    /// The shuffler's key, for checking what it sealed and others forward. Nothing else.
    pub fn peer(&self) -> Option<&RoleKey> {
        self.keys.get(usize::from(KeyHolder::Shuffler.code())).and_then(Option::as_ref)
    }

    /// Puts a key in RAM only: for a controller, whose keys are kept elsewhere.
    pub fn insert(&mut self, holder: impl Into<KeyHolder>, key: RoleKey) -> Result<(), KeyRefused> {
        may_hold(self.policy, &key)?;
        let place = usize::from(holder.into().code());
        let mut others = self.keys.iter().enumerate().filter(|(other, _)| *other != place);
        if others.any(|(_, held)| held.as_ref().is_some_and(|held| held.0 == key.0)) {
            return Err(KeyRefused::InUse);
        }
        if let Some(slot) = self.keys.get_mut(place) {
            *slot = Some(key);
        }
        Ok(())
    }

    /// Replaces the key of `holder` in flash, then here (CM-03).
    ///
    /// `by` is the role whose seal was verified. A ring without a service key takes that one
    /// first from the person who closed the switch: the seal it came with proves the sender knows
    /// it.
    pub fn provision(
        &mut self,
        by: Role,
        switch_closed: bool,
        holder: impl Into<KeyHolder>,
        key: RoleKey,
        store: &mut impl KeyStore,
    ) -> Result<(), KeyRefused> {
        if by != Role::Service {
            return Err(KeyRefused::NotService);
        }
        if !switch_closed {
            return Err(KeyRefused::SwitchOpen);
        }
        let mut next = self.copy();
        next.insert(holder, key)?;
        store.keep_keys(&next).map_err(KeyRefused::Store)?;
        *self = next;
        Ok(())
    }

    fn copy(&self) -> Self {
        let keys = self.keys.each_ref().map(|key| key.as_ref().map(RoleKey::copy));
        Self { policy: self.policy, keys }
    }
}

fn may_hold(policy: KeyPolicy, key: &RoleKey) -> Result<(), KeyRefused> {
    if key.is_blank() {
        return Err(KeyRefused::Blank);
    }
    if policy == KeyPolicy::Silicon && key.is_simulation() {
        return Err(KeyRefused::Simulation);
    }
    Ok(())
}

/// A byte that says which holders have a key, then the keys in the holders' order; absent ones are
/// zeros, so that the record never changes its length.
impl Record for KeyRing {
    const KEY: Place = Place::Keys;
    type Buffer = [u8; 1 + KEY_BYTES * HOLDERS];
    const BUFFER: Self::Buffer = [0; 1 + KEY_BYTES * HOLDERS];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        let (held, room) = out.split_first_mut()?;
        *held = 0;
        let mut slots = room.as_chunks_mut::<KEY_BYTES>().0.iter_mut();
        for (place, key) in self.keys.iter().enumerate() {
            let slot = slots.next()?;
            *slot = key.as_ref().map_or([0; KEY_BYTES], |key| key.0);
            *held |= u8::from(key.is_some()) << place;
        }
        Some(1 + KEY_BYTES * self.keys.len())
    }

    /// Under the strict policy, until [`KeyRing::load`] says otherwise.
    fn decode(bytes: &[u8]) -> Option<Self> {
        let (held, keys) = bytes.split_first()?;
        let (keys, []) = keys.as_chunks::<KEY_BYTES>() else { return None };
        if keys.len() != HOLDERS || *held >> HOLDERS != 0 {
            return None;
        }
        let mut ring = Self::empty(KeyPolicy::Silicon);
        for (place, (slot, key)) in ring.keys.iter_mut().zip(keys).enumerate() {
            *slot = (held >> place & 1 == 1).then_some(RoleKey(*key));
        }
        Some(ring)
    }
}
