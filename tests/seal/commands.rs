//! Only what is authentic, addressed to this device and fresh is obeyed, and that once.

use croupier::node::Guard;
use croupier::protocol::keys::{KeyPolicy, KeyRing, RoleKey};
use croupier::protocol::seal::{Address, MAC_BYTES, Refusal, Role, SEAL_BYTES, seal};
use croupier::protocol::sequence::{FARTHEST_AHEAD, SequenceStore};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, ServiceId};
use croupier::store::{NorModel, Store};

type Flash = NorModel<2048, 4>;

const COMMANDING: [Role; 4] = [Role::Dealer, Role::Floorperson, Role::Service, Role::Controller];

fn node(number: u8) -> NodeId {
    NodeId::new(number).expect("a node number")
}

fn store() -> Store<Flash> {
    Store::open(Flash::new(1)).expect("blank flash opens")
}

fn guard(number: u8, store: &mut impl SequenceStore) -> Guard {
    Guard::new(node(number), KeyRing::simulation(), store)
}

fn request(to: u8) -> Port {
    Port::Request(ServiceId::new(300).expect("a service"), node(to))
}

fn header(port: Port) -> Header {
    Header { priority: Priority::Nominal, port, source: Some(node(1)), transfer_id: 0 }
}

/// Three bytes of content, sealed by node 1.
fn sealed(role: Role, sequence: u64, port: Port) -> [u8; 3 + SEAL_BYTES] {
    let mut payload = [7; 3 + SEAL_BYTES];
    let address = Address { source: node(1), port };
    seal(&RoleKey::simulation(role), role, sequence, address, &mut payload).expect("room");
    payload
}

/// Asserts that `payload` is refused as `kind`, counted, and changes no floor.
fn refused(guard: &mut Guard, store: &mut Store<Flash>, to: u8, payload: &[u8], kind: Refusal) {
    let floors = COMMANDING.map(|role| guard.next_sequence(role));
    let before = *guard.refusals();
    assert_eq!(guard.admit(&header(request(to)), payload, store), Err(kind));
    assert_eq!(guard.refusals().of(kind), before.of(kind) + 1);
    assert_eq!(guard.refusals().total(), before.total() + 1);
    assert_eq!(COMMANDING.map(|role| guard.next_sequence(role)), floors);
}

/// CM-03, CM-07: authority is which key sealed it.
#[test]
fn a_sealed_command_of_each_role_is_obeyed_once_in_its_own_lane() {
    let (mut store, mut other) = (store(), 0);
    let mut guard = guard(10, &mut store);
    for role in COMMANDING {
        let payload = sealed(role, 1, request(10));
        let command = guard.admit(&header(request(10)), &payload, &mut store).expect("good");
        assert_eq!((command.role, command.sequence, command.content), (role, 1, &[7; 3][..]));
        other += 1;
        assert_eq!(
            COMMANDING.iter().filter(|r| guard.next_sequence(**r) == Some(2)).count(),
            other
        );
    }
    assert_eq!(guard.refusals().total(), 0);
}

/// CM-03: one wrong bit anywhere, and it is not what was sealed.
#[test]
fn a_command_with_any_bit_changed_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let good = sealed(Role::Floorperson, 5, request(10));
    let role_byte = good.len() - MAC_BYTES - 1;
    for bit in 0..good.len() * 8 {
        let mut forged = good;
        forged[bit / 8] ^= 1 << (bit % 8);
        let kind = match Role::from_code(forged[role_byte]) {
            None | Some(Role::Device) => Refusal::UnknownRole,
            Some(_) => Refusal::BadMac,
        };
        refused(&mut guard, &mut store, 10, &forged, kind);
    }
    assert!(guard.admit(&header(request(10)), &good, &mut store).is_ok(), "the true one is");
}

/// CM-03: a key that was not provisioned proves nothing.
#[test]
fn a_command_sealed_with_a_guessed_key_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let mut payload = [7; 3 + SEAL_BYTES];
    let address = Address { source: node(1), port: request(10) };
    seal(&RoleKey::new([9; 32]), Role::Service, 1, address, &mut payload).expect("room");
    refused(&mut guard, &mut store, 10, &payload, Refusal::BadMac);
}

/// CM-03: what was obeyed is not obeyed again.
#[test]
fn a_replayed_command_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let payload = sealed(Role::Dealer, 1, request(10));
    assert!(guard.admit(&header(request(10)), &payload, &mut store).is_ok());
    for _ in 0..3 {
        refused(&mut guard, &mut store, 10, &payload, Refusal::Replayed);
    }
}

/// CM-03: a command overtaken by a later one comes too late.
#[test]
fn re_ordered_commands_are_refused_from_the_second_on() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let [first, second] = [1, 2].map(|number| sealed(Role::Dealer, number, request(10)));
    assert!(guard.admit(&header(request(10)), &second, &mut store).is_ok());
    refused(&mut guard, &mut store, 10, &first, Refusal::Replayed);
}

/// CM-03: numbers below the floor stay spent even if they were never seen.
#[test]
fn an_old_sequence_is_refused_though_it_was_never_used() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let late = sealed(Role::Service, 1_000, request(10));
    assert!(guard.admit(&header(request(10)), &late, &mut store).is_ok());
    for number in [0, 1, 512, 513, 999] {
        let old = sealed(Role::Service, number, request(10));
        refused(&mut guard, &mut store, 10, &old, Refusal::Replayed);
    }
}

/// CM-03: no command can use up a role's numbers.
#[test]
fn a_sequence_far_ahead_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    for number in [FARTHEST_AHEAD + 2, u64::MAX - 1, u64::MAX] {
        let far = sealed(Role::Controller, number, request(10));
        refused(&mut guard, &mut store, 10, &far, Refusal::TooFarAhead);
    }
}

/// CM-03: the destination is sealed, even when a forger readdresses the transfer.
#[test]
fn a_command_for_another_device_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let for_eleven = sealed(Role::Dealer, 1, request(11));
    for written_on_the_envelope in [10, 11] {
        refused(&mut guard, &mut store, written_on_the_envelope, &for_eleven, Refusal::BadMac);
    }
}

/// CM-03: source, service and kind of port are sealed too.
#[test]
fn a_command_moved_to_another_source_or_service_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let payload = sealed(Role::Dealer, 1, request(10));
    let service = ServiceId::new(300).expect("a service");
    let stranger = Header { source: Some(node(2)), ..header(request(10)) };
    let elsewhere = Port::Request(ServiceId::new(301).expect("a service"), node(10));
    for moved in [stranger, header(elsewhere), header(Port::Response(service, node(10)))] {
        assert_eq!(guard.admit(&moved, &payload, &mut store), Err(Refusal::BadMac));
    }
    let nobody = Header { source: None, ..header(request(10)) };
    assert_eq!(guard.admit(&nobody, &payload, &mut store), Err(Refusal::Truncated));
    assert_eq!(guard.refusals().total(), 4);
}

/// CM-07: a dealer's seal does not become a floorperson's by changing the role byte.
#[test]
fn a_command_moved_to_another_role_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let role_byte = 3 + 8;
    for from in COMMANDING {
        for to in COMMANDING.into_iter().filter(|to| *to != from) {
            let mut payload = sealed(from, 1, request(10));
            payload[role_byte] = to.code();
            refused(&mut guard, &mut store, 10, &payload, Refusal::BadMac);
        }
    }
}

/// CM-03: a device obeys no device, not even with the true device key.
#[test]
fn a_command_sealed_as_device_or_by_no_role_is_refused() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let payload = sealed(Role::Device, 1, request(10));
    refused(&mut guard, &mut store, 10, &payload, Refusal::UnknownRole);
    for code in 5..=u8::MAX {
        let mut payload = sealed(Role::Dealer, 1, request(10));
        payload[3 + 8] = code;
        refused(&mut guard, &mut store, 10, &payload, Refusal::UnknownRole);
    }
}

/// CM-03.
#[test]
fn a_truncated_command_is_refused_at_every_length() {
    let mut store = store();
    let mut guard = guard(10, &mut store);
    let payload = sealed(Role::Dealer, 1, request(10));
    for length in 0..payload.len() {
        let before = guard.refusals().total();
        let cut = guard.admit(&header(request(10)), &payload[..length], &mut store);
        assert!(cut.is_err(), "{length} bytes");
        if length < SEAL_BYTES {
            assert_eq!(cut, Err(Refusal::Truncated));
        }
        assert_eq!(guard.refusals().total(), before + 1);
    }
}

/// CM-03: hardware without keys obeys no command and seals nothing.
#[test]
fn a_device_without_keys_obeys_nobody() {
    let mut store = store();
    let ring = KeyRing::load(&mut store, KeyPolicy::Silicon).expect("readable");
    let mut guard = Guard::new(node(10), ring, &mut store);
    assert!(!guard.is_open());
    for role in COMMANDING {
        let payload = sealed(role, 1, request(10));
        refused(&mut guard, &mut store, 10, &payload, Refusal::NoKey);
    }
    let event = guard.seal(request(1), &mut [0; 40], &mut store);
    assert_eq!(event, Err(Refusal::NoKey));
}

/// The worked example of the seal, computed by an independent HMAC-SHA-256 (Python's).
#[test]
fn a_seal_is_the_bytes_the_contract_says() {
    let payload = sealed(Role::Dealer, 0x0102_0304_0506_0708, request(10));
    let (content, rest) = payload.split_at(3);
    assert_eq!(content, [7; 3]);
    assert_eq!(rest[..9], [8, 7, 6, 5, 4, 3, 2, 1, 1]);
    assert_eq!(rest[9..], EXPECTED_MAC);
}

const EXPECTED_MAC: [u8; MAC_BYTES] = [
    0x6b, 0xba, 0x65, 0x2c, 0xec, 0x68, 0xab, 0x96, 0xac, 0x62, 0x2d, 0x65, 0xde, 0xaf, 0x67, 0x73,
];
