//! Keys go in under service authority, and never come out.

use croupier::node::Guard;
use croupier::protocol::keys::{KeyPolicy, KeyRefused, KeyRing, RoleKey};
use croupier::protocol::seal::{Address, Refusal, Role, SEAL_BYTES, seal, verify};
use croupier::protocol::transfer::{NodeId, Port, SubjectId};
use croupier::store::{NorModel, Store};

type Flash = NorModel<256, 8>;

const SECRET: [u8; 32] = *b"thirty-two bytes nobody may see!";

fn store() -> Store<Flash> {
    Store::open(Flash::new(1)).expect("blank flash opens")
}

fn service(ring: &mut KeyRing, store: &mut Store<Flash>) -> Result<(), KeyRefused> {
    ring.provision(Role::Service, true, Role::Dealer, RoleKey::new(SECRET), store)
}

fn sealed(key: &RoleKey) -> ([u8; 8 + SEAL_BYTES], Address) {
    let subject = SubjectId::new(6200).expect("a subject");
    let source = NodeId::new(1).expect("a node");
    let address = Address { source, port: Port::Message(subject) };
    let mut payload = [0; 8 + SEAL_BYTES];
    seal(key, Role::Dealer, 1, address, &mut payload).expect("room");
    (payload, address)
}

/// CM-03, CM-07: authority and presence, both.
#[test]
fn keys_are_taken_only_from_service_with_the_switch_closed() {
    let mut store = store();
    let mut ring = KeyRing::simulation();
    for by in Role::ALL.into_iter().filter(|by| *by != Role::Service) {
        let taken = ring.provision(by, true, Role::Dealer, RoleKey::new(SECRET), &mut store);
        assert_eq!(taken, Err(KeyRefused::NotService), "{by:?}");
    }
    let open = ring.provision(Role::Service, false, Role::Dealer, RoleKey::new(SECRET), &mut store);
    assert_eq!(open, Err(KeyRefused::SwitchOpen));
    let (payload, address) = sealed(&RoleKey::new(SECRET));
    assert_eq!(verify(&ring, address, &payload), Err(Refusal::BadMac), "the old key holds");

    assert_eq!(service(&mut ring, &mut store), Ok(()));
    assert!(verify(&ring, address, &payload).is_ok(), "the new key holds");
}

/// CM-03.
#[test]
fn a_provisioned_key_outlives_the_power_and_the_old_one_leaves_the_flash() {
    let mut store = store();
    let mut ring = KeyRing::load(&mut store, KeyPolicy::Silicon).expect("readable");
    assert_eq!(service(&mut ring, &mut store), Ok(()));
    let replaced = RoleKey::new([0xA5; 32]);
    let taken = ring.provision(Role::Service, true, Role::Dealer, replaced, &mut store);
    assert_eq!(taken, Ok(()));

    let mut store = Store::open(store.release()).expect("opens");
    let ring = KeyRing::load(&mut store, KeyPolicy::Silicon).expect("readable");
    let (payload, address) = sealed(&RoleKey::new([0xA5; 32]));
    assert!(verify(&ring, address, &payload).is_ok());
    let dump = store.flash().dump();
    assert!(dump.windows(8).all(|seen| !SECRET.windows(8).any(|word| word == seen)));
}

/// The simulation's keys are public, so hardware never holds them, however they came.
#[test]
fn silicon_refuses_the_simulations_keys() {
    let mut store = store();
    for role in Role::ALL {
        let mut ring = KeyRing::empty(KeyPolicy::Silicon);
        let key = RoleKey::simulation(role);
        assert!(key.is_simulation());
        let taken = ring.provision(Role::Service, true, role, key, &mut store);
        assert_eq!(taken, Err(KeyRefused::Simulation));
        assert_eq!(ring.insert(role, RoleKey::simulation(role)), Err(KeyRefused::Simulation));
    }
    // A flash image taken from a simulation onto hardware.
    store.put(&KeyRing::simulation()).expect("room");
    let ring = KeyRing::load(&mut store, KeyPolicy::Silicon).expect("readable");
    assert!(Role::ALL.into_iter().all(|role| ring.get(role).is_none()));
    let ring = KeyRing::load(&mut store, KeyPolicy::Simulation).expect("readable");
    assert!(Role::ALL.into_iter().all(|role| ring.get(role).is_some()));
}

/// A fresh device: hardware has no keys, the simulation its own.
#[test]
fn a_fresh_device_has_the_keys_its_policy_says() {
    let mut store = store();
    let silicon = KeyRing::load(&mut store, KeyPolicy::Silicon).expect("readable");
    assert!(Role::ALL.into_iter().all(|role| silicon.get(role).is_none()));
    let simulated = KeyRing::load(&mut store, KeyPolicy::Simulation).expect("readable");
    assert!(Role::ALL.into_iter().all(|role| simulated.get(role).is_some()));
}

/// Wiped or blank memory is no secret.
#[test]
fn blank_keys_are_refused() {
    let mut ring = KeyRing::empty(KeyPolicy::Simulation);
    for byte in [0, 0xFF] {
        let taken = ring.insert(Role::Dealer, RoleKey::new([byte; 32]));
        assert_eq!(taken, Err(KeyRefused::Blank));
    }
}

/// CM-03: no log line and no crash report can hold a key.
#[test]
fn keys_never_show_in_debug_output() {
    let mut store = store();
    let mut ring = KeyRing::simulation();
    assert_eq!(service(&mut ring, &mut store), Ok(()));
    assert_eq!(format!("{:?}", ring.get(Role::Dealer)), "Some(Key(..))");
    let guard = Guard::new(NodeId::new(10).expect("a node"), ring, &mut store);
    let shown = format!("{guard:?} {guard:#?}");
    assert!(shown.contains("Key(..)"));
    for trace in ["SIMULATION", "nobody may see", "116, 104, 105", "0x74, 0x68"] {
        assert!(!shown.contains(trace), "{trace}");
    }
}
