//! The worked example of docs/protocol.md: the very bytes, and a device that takes them.
//!
//! A vendor compares a new implementation with that document byte by byte, so it may not go
//! stale: each block of bytes in it is written here again and must be found there.

use croupier::identity::{Build, DeviceKind, Identity, Uid, Version};
use croupier::node::{ANSWER_BYTES, Guard, Node, Requests};
use croupier::protocol::codec::{Object, Request};
use croupier::protocol::framing::can::{Frame, Frames, Receiver, Tail};
use croupier::protocol::framing::serial::{self, Decoder};
use croupier::protocol::generated::croupier::common::{
    Dealing, Game, ProfileSetRequest, ProfileSetResponse, ResetCause, Result as Outcome, Role, Seal,
};
use croupier::protocol::keys::{KeyPolicy, KeyRing, RoleKey};
use croupier::protocol::seal::{Address, Refusal, seal};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::services::{CommonServices, StoreHandle};
use croupier::store::NorModel;
use croupier::time::Instant;
use embedded_can::Id;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const DOCUMENT: &str = include_str!("../../docs/protocol.md");
const KEY: &[u8; 32] = b"croupier SIMULATION key: floorpe";
const SEQUENCE: u64 = 17;
const BYTES: usize = ProfileSetRequest::LONGEST;

type Shuffler = Node<2, 8>;
type Store = StoreHandle<NorModel<2048, 4>>;

fn node(number: u8) -> NodeId {
    NodeId::new(number).expect("a node number")
}

fn header() -> Header {
    let port = Port::Request(ProfileSetRequest::SERVICE, node(11));
    Header { priority: Priority::Nominal, port, source: Some(node(1)), transfer_id: 5 }
}

fn sealed() -> [u8; BYTES] {
    let request = ProfileSetRequest {
        game: Game::FreeBet,
        decks: 6,
        dealing: Dealing::ManualShoe,
        seats: 6,
        seal: Seal::default(),
    };
    let mut payload = [0; BYTES];
    request.encode(&mut payload).expect("room");
    let Header { port, source, .. } = header();
    let address = Address { source: source.expect("a sender"), port };
    let key = RoleKey::simulation(Role::Floorperson);
    seal(&key, Role::Floorperson, SEQUENCE, address, &mut payload).expect("room");
    payload
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Names and bytes, sixteen to a line.
fn table(rows: &[(&str, &[u8])]) -> String {
    let mut text = String::new();
    for (name, bytes) in rows {
        for (place, line) in bytes.chunks(16).enumerate() {
            let name = if place == 0 { name } else { "" };
            text += &format!("{name:<12} {}\n", hex(line));
        }
    }
    text
}

fn documented(block: &str) {
    let block = format!("```text\n{block}```\n");
    assert!(
        DOCUMENT.contains(&block),
        "docs/protocol.md does not have, letter by letter:\n{block}"
    );
}

#[test]
fn the_documented_payload_is_what_the_code_seals() {
    let payload = sealed();
    documented(&table(&[
        ("game", &payload[..1]),
        ("decks", &payload[1..2]),
        ("dealing", &payload[2..3]),
        ("seats", &payload[3..4]),
        ("sequence", &payload[4..12]),
        ("role", &payload[12..13]),
        ("mac", &payload[13..]),
    ]));
}

/// The mac, made a second time by the document's words alone.
#[test]
fn the_documented_mac_follows_from_the_documented_input() {
    let payload = sealed();
    let input: [(&str, &[u8]); 6] = [
        ("text", b"croupier seal 1"),
        ("source", &[1]),
        ("destination", &[11]),
        ("kind", &[1]),
        ("port", &256u16.to_le_bytes()),
        ("payload", &payload[..BYTES - 16]),
    ];
    documented(&table(&input));
    let mut mac = Hmac::<Sha256>::new_from_slice(KEY).expect("a key of any length");
    input.iter().for_each(|(_, bytes)| mac.update(bytes));
    let digest = mac.finalize().into_bytes();
    assert_eq!(payload[BYTES - 16..], digest[..16]);
    documented(&table(&[("key", KEY), ("hmac", &digest)]));
}

#[test]
fn the_documented_can_frames_are_what_the_code_sends() {
    let payload = sealed();
    let mut text = String::from("identifier  data                     tail\n");
    for frame in frames(&payload) {
        let Id::Extended(id) = frame.id() else { panic!("Cyphal uses 29 bits") };
        let (&tail, data) = frame.data().split_last().expect("a tail");
        let Tail { start, end, toggle, transfer_id } = Tail::decode(tail);
        let said = [(start, " start"), (end, " end"), (toggle, " toggle")];
        let said: String = said.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
        text += &format!("{:08x}    {:<23}  {tail:02x}", id.as_raw(), hex(data));
        text += &format!("  transfer {transfer_id}{said}\n");
    }
    documented(&text);
}

#[test]
fn the_documented_serial_frame_is_what_the_code_sends() {
    let payload = sealed();
    let mut room = [0; serial::most_bytes(BYTES)];
    let transfer = Transfer { header: header(), payload: &payload };
    let frame = serial::encode(&transfer, &mut room).expect("room");
    let [0, inside @ .., 0] = frame else { panic!("delimited by zeros") };
    let mut decoded = [0; 128];
    let length = cobs::decode(inside, &mut decoded).expect("COBS").frame_size();
    let (head, rest) = decoded[..length].split_at(24);
    let (body, checksum) = rest.split_at(BYTES);
    assert_eq!(body, payload);
    documented(&table(&[
        ("version", &head[..1]),
        ("priority", &head[1..2]),
        ("source", &head[2..4]),
        ("destination", &head[4..6]),
        ("port", &head[6..8]),
        ("transfer-ID", &head[8..16]),
        ("frame index", &head[16..20]),
        ("user data", &head[20..22]),
        ("header CRC", &head[22..]),
        ("payload", body),
        ("payload CRC", checksum),
    ]));
    documented(&table(&[("on the wire", frame)]));
}

fn frames(payload: &[u8]) -> Vec<Frame> {
    Frames::of(&Transfer { header: header(), payload }).expect("sendable").collect()
}

fn shuffler(store: &mut Store) -> (Shuffler, CommonServices) {
    let identity = Identity {
        maker: "croupier",
        kind: DeviceKind::Shuffler,
        board: "host",
        serial: Uid([7; 12]),
        build: Build {
            version: Version { major: 0, minor: 1, patch: 0 },
            commit: None,
            profile: "test",
            compiler: "rustc",
        },
        image: None,
    };
    let keys = KeyRing::load(store, KeyPolicy::Simulation).expect("readable");
    let guard = Guard::new(node(11), keys, store);
    (
        Node::new(identity, guard, ResetCause::PowerOn, 0),
        CommonServices::new(DeviceKind::Shuffler, None),
    )
}

/// CM-07: a simulated shuffler takes the documented bytes from the bus, and once only.
#[test]
fn a_shuffler_obeys_the_documented_bytes_once() {
    let payload = sealed();
    let mut store = Store::open(NorModel::new(1));
    let (mut node, mut services) = shuffler(&mut store);
    let requests = Requests(DeviceKind::Shuffler);

    let mut bus = Receiver::<1, ANSWER_BYTES>::for_node(self::node(11));
    for frame in frames(&payload) {
        if let Some(transfer) = bus.accept(&frame, Instant::START, &requests) {
            node.receive(1, &transfer, Instant::START, &mut services, &mut store);
        }
    }
    assert_eq!(services.chosen.expect("a game").decks, 6);
    let mut room = [0; ANSWER_BYTES];
    let answer = loop {
        let sent =
            node.next(1, Instant::START, &services, &mut store, &mut room).expect("an answer");
        if matches!(sent.header.port, Port::Response(..)) {
            break ProfileSetResponse::decode(sent.payload).expect("a response").answer;
        }
    };
    assert_eq!((answer.request, answer.result), (SEQUENCE, Outcome::Accepted));

    // The same bytes by the other link: authentic, but used up.
    let mut room = [0; serial::most_bytes(BYTES)];
    let transfer = Transfer { header: header(), payload: &payload };
    let frame = serial::encode(&transfer, &mut room).expect("room");
    let mut line = Decoder::<ANSWER_BYTES>::for_node(self::node(11));
    for &byte in frame {
        if let Some(transfer) = line.accept(byte, &requests) {
            node.receive(0, &transfer, Instant::START, &mut services, &mut store);
        }
    }
    assert_eq!(node.guard().refusals().of(Refusal::Replayed), 1);
}

/// The key texts of all roles, as a vendor types them.
#[test]
fn the_documented_keys_are_those_of_the_simulation() {
    let text = |role: Role| {
        let start = format!("{:<12} croupier SIMULATION key: {}", name(role), name(role));
        let cut: String = start.chars().take(13 + KEY.len()).collect();
        format!("{cut:.<45}\n")
    };
    documented(&Role::ALL.map(text).concat());
    for role in Role::ALL {
        let bytes = format!("{:.<32.32}", format!("croupier SIMULATION key: {}", name(role)));
        let key: [u8; 32] = bytes.into_bytes().try_into().expect("32 letters");
        let (ours, theirs) = (RoleKey::simulation(role), RoleKey::new(key));
        assert_eq!(seal_with(&ours, role), seal_with(&theirs, role), "{role:?}");
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Device => "device",
        Role::Dealer => "dealer",
        Role::Floorperson => "floorperson",
        Role::Service => "service",
        Role::Controller => "controller",
    }
}

fn seal_with(key: &RoleKey, role: Role) -> [u8; BYTES] {
    let mut payload = [0; BYTES];
    let Header { port, source, .. } = header();
    let address = Address { source: source.expect("a sender"), port };
    seal(key, role, SEQUENCE, address, &mut payload).expect("room");
    payload
}
