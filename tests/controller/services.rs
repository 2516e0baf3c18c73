//! The node's table of services says what the DSDL says, and the standard parts are standard.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::table::{CONTROLLER, READER, Table, node};
use croupier::identity::DeviceKind;
use croupier::node::{ANSWER_BYTES, Requests, SERVICES};
use croupier::protocol::codec::{Object, Request, Visitor};
use croupier::protocol::generated;
use croupier::protocol::generated::croupier::common::{RefusalsRequest, Role};
use croupier::protocol::generated::uavcan::node::{
    ExecuteCommandRequest, ExecuteCommandResponse, GetInfoRequest, GetInfoResponse,
};
use croupier::protocol::keys::RoleKey;
use croupier::protocol::seal::{Address, SEAL_BYTES, seal};
use croupier::protocol::transfer::{Header, Interest, Port, Priority, ServiceId, Transfer};
use croupier::time::Instant;

/// Before the first tick of the table's clock.
const NOW: Instant = Instant::from_millis(5);

/// The "Asked by" line of every service in the DSDL, by its number.
fn asked_by() -> BTreeMap<u16, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dsdl/croupier");
    let mut lines = BTreeMap::new();
    for device in fs::read_dir(folder).expect("the DSDL") {
        for file in fs::read_dir(device.expect("a folder").path()).expect("a namespace") {
            let path = file.expect("a file").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            let number = name.split('.').next().and_then(|number| number.parse().ok());
            let text = fs::read_to_string(&path).expect("readable");
            let line = text.lines().find(|line| line.starts_with("# Asked by:"));
            if let (Some(number), Some(line)) = (number, line) {
                lines.insert(number, line.to_lowercase());
            }
        }
    }
    lines
}

/// CM-07: no role may ask for more than the documentation says.
#[test]
fn authority_is_what_the_dsdl_says() {
    let lines = asked_by();
    assert_eq!(lines.len(), SERVICES.len());
    for service in &SERVICES {
        let line = &lines[&service.id.get()];
        // Where it depends on what is asked, the device decides.
        let anybody =
            ["anybody", "any role", "the role that"].iter().any(|word| line.contains(word));
        for (role, word) in [
            (Role::Dealer, "dealer"),
            (Role::Floorperson, "floorperson"),
            (Role::Service, "service"),
            (Role::Controller, "controller"),
        ] {
            let said = anybody || line.contains(word);
            assert_eq!(service.asked_by.contains(role), said, "{}: {line}", service.id.get());
        }
        assert!(!service.asked_by.contains(Role::Device));
    }
}

/// Every sealed service of the DSDL is in the table, once.
#[test]
fn no_service_is_missing() {
    struct Known(Vec<ServiceId>);
    impl Visitor for Known {
        fn message<M: croupier::protocol::codec::Message>(&mut self) {}
        fn service<R: Request>(&mut self) {
            if R::STRICT {
                self.0.push(R::SERVICE);
            }
        }
    }
    let mut known = Known(Vec::new());
    generated::visit(&mut known);
    let mut table: Vec<ServiceId> = SERVICES.iter().map(|service| service.id).collect();
    known.0.sort();
    table.sort();
    assert_eq!(table, known.0);
}

fn ask(table: &mut Table, link: usize, service: ServiceId, payload: &[u8]) {
    let port = Port::Request(service, node(READER));
    let source = Some(node(CONTROLLER));
    let header = Header { priority: Priority::Nominal, port, source, transfer_id: 21 };
    let (device, store) = (&mut table.device, &mut table.store);
    table.reader.receive(link, &Transfer { header, payload }, NOW, device, store);
}

/// Everything a link sends at this moment.
fn sent(table: &mut Table, link: usize) -> Vec<(Header, Vec<u8>)> {
    let mut all = Vec::new();
    let mut room = [0; ANSWER_BYTES];
    while let Some(transfer) =
        table.reader.next(link, NOW, &table.device, &mut table.store, &mut room)
    {
        all.push((transfer.header, transfer.payload.to_vec()));
    }
    all
}

fn answer(table: &mut Table, link: usize) -> Vec<u8> {
    let answers = sent(table, link);
    let mut answers =
        answers.into_iter().filter(|(header, _)| matches!(header.port, Port::Response(..)));
    let (header, payload) = answers.next().expect("an answer");
    assert_eq!((header.transfer_id, header.source), (21, Some(node(READER))));
    assert_eq!(answers.next(), None);
    payload
}

/// CM-02: any node on the bus can read what the device is.
#[test]
fn get_info_tells_the_identity() {
    let mut table = Table::new(1);
    ask(&mut table, 0, GetInfoRequest::SERVICE, &[]);
    let info = GetInfoResponse::decode(&answer(&mut table, 0)).expect("information");
    assert_eq!(info.name.as_slice(), b"croupier.reader");
    assert_eq!(info.unique_id, [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0]);
    assert_eq!((info.software_version.major, info.software_version.minor), (0, 1));
    assert!(info.software_image_crc.is_empty(), "not measured yet");
}

/// CM-03: no command without a seal restarts or resets the device.
#[test]
fn standard_commands_are_refused_to_strangers() {
    for command in [ExecuteCommandRequest::COMMAND_RESTART, ExecuteCommandRequest::COMMAND_IDENTIFY]
    {
        let mut table = Table::new(1);
        ask(&mut table, 0, ExecuteCommandRequest::SERVICE, &command.to_le_bytes());
        let said = ExecuteCommandResponse::decode(&answer(&mut table, 0)).expect("a response");
        assert_eq!(said.status, ExecuteCommandResponse::STATUS_NOT_AUTHORIZED);
    }
    let mut table = Table::new(1);
    ask(&mut table, 0, ExecuteCommandRequest::SERVICE, &[1, 0]);
    let said = ExecuteCommandResponse::decode(&answer(&mut table, 0)).expect("a response");
    assert_eq!(said.status, ExecuteCommandResponse::STATUS_BAD_COMMAND);
}

/// Both links live at once: each gets every event, and the answers to its own questions.
#[test]
fn two_links_have_queues_of_their_own() {
    let mut table = Table::new(1);
    table.publish(1);
    ask(&mut table, 1, GetInfoRequest::SERVICE, &[]);
    let ports = |sent: &[(Header, Vec<u8>)]| -> Vec<Port> {
        sent.iter().map(|(header, _)| header.port).collect()
    };
    let can = sent(&mut table, 0);
    let serial = sent(&mut table, 1);
    let answers = |sent: &[Port]| sent.iter().filter(|p| matches!(p, Port::Response(..))).count();
    assert_eq!((answers(&ports(&can)), answers(&ports(&serial))), (0, 1));
    // Started, the verdict, a heartbeat and a status on both.
    let messages = |sent: Vec<Port>| -> Vec<u16> {
        let subject = |port| match port {
            Port::Message(subject) => Some(subject.get()),
            _ => None,
        };
        sent.into_iter().filter_map(subject).collect()
    };
    assert_eq!(messages(ports(&can)), [6147, 6208, 7509, 6144]);
    assert_eq!(messages(ports(&serial)), [6147, 6208, 7509, 6144]);
    assert_eq!(sent(&mut table, 0), []);
}

/// A link that takes nothing loses no request that was obeyed: without room, none is taken.
#[test]
fn a_request_whose_answer_has_no_place_is_not_taken() {
    let mut table = Table::new(1);
    for _ in 0..5 {
        ask(&mut table, 0, GetInfoRequest::SERVICE, &[]);
    }
    assert_eq!(table.reader.unanswerable(), 4, "one place is for sealed answers");
    let answers = sent(&mut table, 0);
    let answers = answers.iter().filter(|(h, _)| matches!(h.port, Port::Response(..)));
    assert_eq!(answers.map(|(h, _)| h.priority).collect::<Vec<_>>(), [Priority::Optional]);
}

/// CM-12: a stranger fills one place of an outbox and no more, and a sealed answer leaves before.
#[test]
fn cm_12_one_place_is_kept_for_sealed_answers() {
    for link in [0, 1] {
        let mut table = Table::new(1);
        let mut receive = |milliseconds, id, payload: &[u8]| {
            let port = Port::Request(id, node(READER));
            let (priority, source) = (Priority::Exceptional, Some(node(CONTROLLER)));
            let header = Header { priority, port, source, transfer_id: 21 };
            let (transfer, now) =
                (Transfer { header, payload }, Instant::from_millis(milliseconds));
            table.reader.receive(link, &transfer, now, &mut table.device, &mut table.store);
        };
        receive(5, GetInfoRequest::SERVICE, &[]);
        receive(500, GetInfoRequest::SERVICE, &[]);
        receive(1_000, ExecuteCommandRequest::SERVICE, &[0, 0]);
        let port = Port::Request(RefusalsRequest::SERVICE, node(READER));
        let address = Address { source: node(CONTROLLER), port };
        let mut payload = [0; SEAL_BYTES];
        seal(&RoleKey::simulation(Role::Dealer), Role::Dealer, 1, address, &mut payload)
            .expect("room");
        receive(1_001, RefusalsRequest::SERVICE, &payload);
        assert_eq!(table.reader.unanswerable(), 2);
        let answers = sent(&mut table, link).into_iter().map(|(header, _)| header.port);
        let answers: Vec<_> = answers.filter(|port| matches!(port, Port::Response(..))).collect();
        let to = |id| Port::Response(id, node(CONTROLLER));
        assert_eq!(answers, [to(RefusalsRequest::SERVICE), to(GetInfoRequest::SERVICE)]);
    }
}

/// A node listens to questions for its kind of device and to nothing else.
#[test]
fn a_reader_listens_to_readers_services_only() {
    let extent = |number| {
        let service = ServiceId::new(number).expect("a service");
        Requests(DeviceKind::Reader).extent(Port::Request(service, node(READER)))
    };
    assert_eq!((extent(430), extent(435), extent(265)), (Some(0), Some(2), Some(34)));
    assert!(extent(288).is_some());
    assert_eq!((extent(320), extent(352), extent(299)), (None, None, None));
}
