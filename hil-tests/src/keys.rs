//! The keys of the bench's devices, known to all who read this.
//!
//! The images are those for silicon, which refuse the simulation's keys. So the bench provisions each
//! device with keys of its own before its first start: for each role the SHA-256 of
//! `croupier bench key: ` and the role's name. The Python clients reckon the same.

use croupier::protocol::keys::{KEY_BYTES, KeyPolicy, KeyRing, RoleKey};
use croupier::protocol::seal::Role;
use sha2::{Digest, Sha256};

/// What every key is made from, before the role's name.
const TEXT: &str = "croupier bench key: ";

/// The bytes of the bench's key for `role`.
pub fn bytes(role: Role) -> [u8; KEY_BYTES] {
    let name = match role {
        Role::Device => "device",
        Role::Dealer => "dealer",
        Role::Floorperson => "floorperson",
        Role::Service => "service",
        Role::Controller => "controller",
    };
    Sha256::new().chain_update(TEXT).chain_update(name).finalize().into()
}

/// The bench's key for `role`.
pub fn key(role: Role) -> RoleKey {
    RoleKey::new(bytes(role))
}

/// All of them, as silicon takes them.
pub fn ring() -> KeyRing {
    let mut ring = KeyRing::empty(KeyPolicy::Silicon);
    for role in Role::ALL {
        ring.insert(role, key(role)).expect("silicon takes any keys that differ and are not blank");
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silicon_takes_the_benchs_keys_for_every_role() {
        let ring = ring();
        assert!(Role::ALL.into_iter().all(|role| ring.get(role).is_some()));
    }

    #[test]
    fn a_key_is_the_hash_of_its_text() {
        let digits: String = bytes(Role::Dealer)[..4].iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(digits, "3da54756");
    }
}
