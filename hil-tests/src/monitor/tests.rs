//! From bytes on a link to the line a person reads.

use std::time::Duration;

use croupier::protocol::codec::{Message, Object, Request};
use croupier::protocol::framing::can::Frames;
use croupier::protocol::framing::slcan::Text;
use croupier::protocol::generated::croupier::common::{
    Dealing, Game, ProfileChanged, ProfileSetRequest, Role, Seal, Stamp,
};
use croupier::protocol::generated::uavcan::node::{GetInfoRequest, GetInfoResponse, Heartbeat};
use croupier::protocol::seal::{Address, seal};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use croupier::protocol::{framing::serial, transfer::ServiceId};

use super::*;
use crate::hub::frame::standard;
use crate::keys;

const AT: Duration = Duration::from_micros(12_345_678);

fn node(number: u8) -> NodeId {
    NodeId::new(number).unwrap()
}

fn header(source: u8, port: Port) -> Header {
    Header { priority: Priority::Nominal, port, source: Some(node(source)), transfer_id: 3 }
}

fn bytes_of(object: &impl Object) -> Vec<u8> {
    let mut bytes = vec![0; 512];
    let length = object.encode(&mut bytes).unwrap();
    bytes.truncate(length);
    bytes
}

/// An object as `role` would send it.
fn sealed(object: &impl Object, role: Role, source: u8, port: Port) -> (Header, Vec<u8>) {
    let mut payload = bytes_of(object);
    let address = Address { source: node(source), port };
    seal(&keys::key(role), role, 1043, address, &mut payload).unwrap();
    (header(source, port), payload)
}

fn event() -> (Header, Vec<u8>) {
    let event = ProfileChanged {
        stamp: Stamp { start: 2, number: 4, time_ms: 11_900 },
        from_game: Game::None,
        to_game: Game::FreeBet,
        decks: 8,
        dealing: Dealing::ManualShoe,
        by: Role::Floorperson,
        seal: Seal::default(),
    };
    sealed(&event, Role::Device, 11, Port::Message(ProfileChanged::SUBJECT))
}

fn command() -> (Header, Vec<u8>) {
    let request =
        ProfileSetRequest { game: Game::FreeBet, decks: 8, seats: 6, ..Default::default() };
    sealed(&request, Role::Floorperson, 1, Port::Request(ProfileSetRequest::SERVICE, node(11)))
}

fn heartbeat(source: u8) -> (Header, Vec<u8>) {
    let beat = Heartbeat::decode(&[0; 7]).unwrap();
    (header(source, Port::Message(Heartbeat::SUBJECT)), bytes_of(&beat))
}

/// The bytes of a transfer on a link.
fn on_the_link(framing: Framing, (header, payload): &(Header, Vec<u8>)) -> Vec<u8> {
    let transfer = Transfer { header: *header, payload };
    match framing {
        Framing::Can => {
            let frames = Frames::of(&transfer).unwrap();
            frames.flat_map(|frame| Text::of(&frame).as_bytes().to_vec()).collect()
        }
        Framing::Serial => {
            let mut room = vec![0; serial::most_bytes(payload.len())];
            serial::encode(&transfer, &mut room).unwrap().to_vec()
        }
    }
}

/// What a monitor with the bench's keys makes of these transfers.
fn watch(filter: Filter, transfers: &[(Header, Vec<u8>)]) -> (Monitor, Vec<Seen>) {
    let mut monitor = Monitor::new(Some(keys::ring()), filter);
    let mut seen = Vec::new();
    for (header, payload) in transfers {
        seen.extend(monitor.see(AT, &Transfer { header: *header, payload }));
    }
    (monitor, seen)
}

fn plain(seen: &Seen, monitor: &Monitor) -> String {
    anstream::adapter::strip_str(&show::line(seen, monitor.names())).to_string()
}

#[test]
fn an_event_is_one_line_on_either_link() {
    for framing in [Framing::Can, Framing::Serial] {
        let mut decoder = BusDecoder::new(framing);
        let mut monitor = Monitor::new(Some(keys::ring()), Filter::default());
        let mut lines = Vec::new();
        decoder.receive(&on_the_link(framing, &event()), AT, &mut |transfer| {
            let seen = monitor.see(AT, transfer).unwrap();
            lines.push(plain(&seen, &monitor));
        });
        assert_eq!(
            lines,
            ["   12.345678  shuffler                ProfileChanged     #4 at 11.900 s \
              from_game=None to_game=FreeBet decks=8 dealing=ManualShoe by=Floorperson  \
              ✓ device 1043"]
        );
        assert_eq!(show::counts(&decoder.counts(), monitor.bad_seals), "1 transfers; nothing else");
    }
}

#[test]
fn a_command_names_both_ends_and_whose_key_sealed_it() {
    let (monitor, seen) = watch(Filter::default(), &[command()]);
    assert_eq!(
        plain(&seen[0], &monitor),
        "   12.345678  controller → shuffler   ProfileSet?        game=FreeBet decks=8 \
         dealing=Unsaid seats=6  ✓ floorperson 1043"
    );
}

#[test]
fn a_forged_command_is_marked_and_counted_and_without_keys_nothing_is_claimed() {
    let (header, mut payload) = command();
    payload[1] = 7; // decks
    let (monitor, seen) = watch(Filter::default(), &[(header, payload.clone())]);
    let line = plain(&seen[0], &monitor);
    assert!(line.ends_with("decks=7 dealing=Unsaid seats=6  ✗ forged, or sealed with another key"));
    assert_eq!(monitor.bad_seals, 1);

    let mut blind = Monitor::new(None, Filter::default());
    let seen = blind.see(AT, &Transfer { header, payload: &payload }).unwrap();
    assert_eq!((seen.verdict, blind.bad_seals), (Verdict::Unjudged, 0));
    assert!(!plain(&seen, &blind).contains(['✓', '✗']));
}

#[test]
fn what_is_not_ours_is_shown_as_bytes_or_counted() {
    let strange = (header(77, Port::Message(croupier_subject(1234))), vec![1, 2, 0xfe]);
    let (short, mut cut) = event();
    cut.truncate(20);
    let (monitor, seen) = watch(Filter::default(), &[strange, (short, cut)]);
    assert!(plain(&seen[0], &monitor).contains("node 77                 subject 1234"));
    assert!(plain(&seen[0], &monitor).ends_with("3 bytes: 0102fe"));
    assert!(plain(&seen[1], &monitor).contains("does not decode: "));

    let mut decoder = BusDecoder::new(Framing::Can);
    let foreign = Text::of(&standard(0x123, &[1]).unwrap());
    decoder.receive(foreign.as_bytes(), AT, &mut |_| panic!("an 11-bit frame is no transfer"));
    decoder.receive(b"Tnonsense\r", AT, &mut |_| panic!("nonsense is no frame"));
    assert_eq!(
        show::counts(&decoder.counts(), 2),
        "0 transfers; 1 foreign, 1 bad text, 2 bad seals"
    );
    assert_eq!(show::json_counts(&decoder.counts(), 2)["counts"]["bad_text"], 1);
}

fn croupier_subject(number: u16) -> croupier::protocol::transfer::SubjectId {
    croupier::protocol::transfer::SubjectId::new(number).unwrap()
}

#[test]
fn a_filter_takes_names_numbers_and_parts_of_types() {
    let all = [event(), command(), heartbeat(10), heartbeat(11)];
    let titles =
        |filter: Filter| -> Vec<String> { watch(filter, &all).1.iter().map(Seen::title).collect() };
    let nodes = |name: &str| Filter { nodes: vec![name.into()], ..Filter::default() };
    assert_eq!(titles(Filter::default()).len(), 4);
    assert_eq!(titles(nodes("shuffler")), ["ProfileChanged", "ProfileSet?", "node.Heartbeat"]);
    assert_eq!(titles(nodes("10")), ["node.Heartbeat"]);
    assert_eq!(titles(nodes("controller")), ["ProfileSet?"]);
    let profile = Filter { types: vec!["PROFILE".into()], ..Filter::default() };
    assert_eq!(titles(profile), ["ProfileChanged", "ProfileSet?"]);
    assert_eq!(titles(Filter { events: true, ..Filter::default() }), ["ProfileChanged"]);
}

#[test]
fn a_node_is_called_what_it_says_it_is() {
    let name = heapless_name(b"croupier.reader");
    let info = GetInfoResponse { name, ..GetInfoResponse::decode(&[0; 40]).unwrap() };
    let port = Port::Response(GetInfoRequest::SERVICE, node(1));
    let (monitor, seen) = watch(Filter::default(), &[(header(42, port), bytes_of(&info))]);
    assert_eq!(monitor.names().of(Some(node(42))), "reader");
    assert!(plain(&seen[0], &monitor).contains("name=croupier.reader"));
}

/// A name as the generated type holds it.
fn heapless_name<T: FromIterator<u8>>(name: &[u8]) -> T {
    name.iter().copied().collect()
}

#[test]
fn for_programs_every_field_is_there_with_its_type() {
    let (monitor, seen) = watch(Filter::default(), &[event(), command()]);
    let json = show::json(&seen[0], monitor.names());
    assert_eq!(json["type"], "croupier.common.ProfileChanged.1.0");
    assert_eq!((&json["kind"], &json["port"]), (&"message".into(), &6148.into()));
    assert_eq!((&json["from"], &json["from_name"]), (&11.into(), &"shuffler".into()));
    assert_eq!(json["fields"]["stamp"]["number"], 4);
    assert_eq!(json["fields"]["decks"], 8);
    assert_eq!(json["fields"]["seal"]["mac"].as_str().map(str::len), Some(32));
    assert_eq!(json["seal"], serde_json::json!({"good": true, "role": "device", "sequence": 1043}));
    let asked = show::json(&seen[1], monitor.names());
    assert_eq!((&asked["kind"], &asked["to_name"]), (&"request".into(), &"shuffler".into()));
}

// CM-03: a key on its way to a device is on no screen.
#[test]
fn a_key_is_never_shown() {
    let port = Port::Request(ServiceId::new(263).unwrap(), node(11));
    let mut payload = vec![0x5A; 58];
    payload[0] = Role::Dealer.code();
    let botched = [(header(1, port), payload[..50].to_vec()), (header(1, port), vec![0x5A; 58])];
    for transfer in botched.into_iter().chain([(header(1, port), payload)]) {
        let (monitor, seen) = watch(Filter::default(), &[transfer]);
        let shown = [plain(&seen[0], &monitor), show::json(&seen[0], monitor.names()).to_string()];
        for text in shown {
            // The code has 16 bytes of the same; more of them are the key's.
            assert!(text.contains("ProvisionKey") && !text.contains(&"5a".repeat(17)), "{text}");
        }
    }
}
