//! Clients that nobody here wrote talk to the devices: pycyphal on python-can and on pySerial.
//!
//! Issue 3, item 6. The scripts are in `clients/`; what they print is in a failure. They
//! run 100 round trips or a few more, or 10,000 with `CROUPIER_RELEASE_SUITE=1`.

use std::collections::HashMap;
use std::error::Error;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use croupier::protocol::framing::can::Tail;
use croupier::protocol::seal::{Address, Role, seal};
use croupier::protocol::transfer::{NodeId, Port, ServiceId};
use embedded_can::Id;
use hil_tests::hub::{Bridge, Disturbance, Fate, Sent, Way};
use hil_tests::suite::is_release;
use hil_tests::venv::Venv;
use hil_tests::{Bench, BenchError, Hub, open};
use serde_json::Value;

type Outcome = Result<(), Box<dyn Error>>;

const DEVICES: [(&str, u8); 3] = [("reader", 10), ("shuffler", 11), ("paigow", 12)];
/// A good run of a script with a handful of questions never takes this long.
const PATIENCE: Duration = Duration::from_secs(180);
/// One frame in a hundred.
const ONE_PERCENT: f64 = 0.01;

/// Our DSDL and the standard's.
fn namespaces() -> [PathBuf; 2] {
    let repository = dsdl::namespace::repository();
    let standard = dsdl::namespace::standard(&repository).unwrap();
    [dsdl::namespace::ours(&repository), standard]
}

/// The environment, made once for all tests.
fn python() -> &'static Venv {
    static VENV: OnceLock<Venv> = OnceLock::new();
    VENV.get_or_init(|| match Venv::ready(&namespaces()) {
        Ok(venv) => venv,
        Err(sentence) => panic!("{sentence}"),
    })
}

/// A guest with both links on sockets.
struct Seat {
    device: &'static str,
    bridge: Bridge,
    _bench: Box<dyn Bench>,
}

impl Seat {
    /// Boots `device` with its CAN link on `hub`.
    fn take(hub: &Hub, device: &'static str) -> Result<Self, BenchError> {
        let mut bench = open(device)?;
        let bridge = Bridge::open(device, 1)?;
        bench.power_on_held()?;
        hub.attach(device, bench.link("can")?)?;
        bridge.attach(bench.link("table")?)?;
        bench.go()?;
        bench.await_log("ready after")?;
        Ok(Self { device, bridge, _bench: bench })
    }

    fn serial(&self) -> String {
        link("serial", self.bridge.address())
    }

    fn disturb(&self, odds: Disturbance) {
        self.bridge.disturb(Way::from(self.device), odds);
        self.bridge.disturb(Way::to(self.device), odds);
    }
}

fn link(kind: &str, address: SocketAddr) -> String {
    format!("{kind}:{address}")
}

/// Runs a script to its end.
fn run(script: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    Ok(python().start(script, arguments)?.finish(PATIENCE)?)
}

// Issue 3, item 6: every croupier message decoded from the DSDL, byte for byte.
#[test]
fn nunavut_writes_and_reads_every_type_as_we_do() -> Outcome {
    let repository = dsdl::namespace::repository();
    let model = dsdl::model::Model::new(&dsdl::namespace::compile(&repository)?)?;
    let vectors = tempfile::NamedTempFile::new()?;
    std::fs::write(vectors.path(), dsdl::vectors::json(&model, 11, 40).to_string())?;
    let found: Value = serde_json::from_str(&run(
        "check_types.py",
        &[vectors.path().to_str().ok_or("a path that is text")?],
    )?)?;
    let types = found["types"].as_u64().unwrap_or(0);
    assert!(types >= 60 && found["values"] == 40 * types, "{found}");
    Ok(())
}

#[test]
fn the_seal_of_the_client_is_the_firmwares_to_the_byte() -> Outcome {
    let (source, to) = (NodeId::new(1).unwrap(), NodeId::new(11).unwrap());
    let port = Port::Request(ServiceId::new(256).unwrap(), to);
    let mut payload = *b"ace.........................";
    let key = hil_tests::keys::key(Role::Dealer);
    let sequence = 0x0102_0304_0506_0708;
    seal(&key, Role::Dealer, sequence, Address { source, port }, &mut payload).unwrap();
    let hex: String = payload.iter().map(|byte| format!("{byte:02x}")).collect();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/test_client.py");
    let known = std::fs::read_to_string(scripts)?;
    assert!(known.contains(&format!("known = \"{hex}\"")), "{hex}");
    Ok(())
}

#[test]
fn the_clients_own_rules_hold() -> Outcome {
    let last = python().start_unit_tests()?.finish(PATIENCE)?;
    assert_eq!(last, "OK");
    Ok(())
}

// CM-02: who a device is can be asked by any Cyphal tool, on both links.
#[test]
fn every_device_beats_and_says_who_it_is_on_both_links() -> Outcome {
    let hub = Hub::open()?;
    let bus = link("can", hub.listen()?);
    let seats = DEVICES.map(|(device, _)| Seat::take(&hub, device));
    let names = DEVICES.map(|(device, node)| format!("{device}={node}"));
    let mut arguments = vec!["--link", bus.as_str()];
    names.iter().for_each(|name| arguments.extend(["--device", name.as_str()]));
    let seats = seats.into_iter().collect::<Result<Vec<_>, _>>()?;
    run("check_greeting.py", &arguments)?;
    for (seat, name) in seats.iter().zip(&names) {
        run("check_greeting.py", &["--link", &seat.serial(), "--device", name])?;
    }
    Ok(())
}

// CM-03, CM-07, CM-09: authority is which key sealed it; all else is refused and counted.
fn obeys_the_right_key_only(device: &'static str, node: u8) -> Outcome {
    let hub = Hub::open()?;
    let bus = link("can", hub.listen()?);
    let seat = Seat::take(&hub, device)?;
    let name = format!("{device}={node}");
    for link in [bus, seat.serial()] {
        run("check_commands.py", &["--link", &link, "--device", &name])?;
    }
    Ok(())
}

#[test]
fn reader_obeys_the_right_key_only() -> Outcome {
    obeys_the_right_key_only("reader", 10)
}

#[test]
fn shuffler_obeys_the_right_key_only() -> Outcome {
    obeys_the_right_key_only("shuffler", 11)
}

#[test]
fn paigow_obeys_the_right_key_only() -> Outcome {
    obeys_the_right_key_only("paigow", 12)
}

/// What the script found, and every frame that was on the bus meanwhile.
fn round_trips(on_can: bool, odds: Disturbance) -> Result<(Value, Vec<Sent>), Box<dyn Error>> {
    let count: u32 = match (is_release(), on_can || odds == Disturbance::default()) {
        (true, _) => 10_000,
        (false, true) => 100,
        // A transfer is one frame here and twelve on CAN: more of them until some are hit.
        (false, false) => 400,
    };
    let hub = Hub::open_with(Default::default(), 3)?;
    let bus = link("can", hub.listen()?);
    let seat = Seat::take(&hub, "shuffler")?;
    let link = if on_can { bus } else { seat.serial() };
    let count_text = count.to_string();
    let mut arguments = vec!["--link", &link, "--node", "11", "--count", &count_text];
    if odds != Disturbance::default() {
        arguments.push("--lossy");
    }
    let mut client = python().start("check_round_trips.py", &arguments)?;
    client.await_line("begun", PATIENCE)?;
    let mut frames = hub.frames();
    if on_can {
        hub.disturb(Way::Everywhere, odds);
    } else {
        seat.disturb(odds);
    }
    let found = client.finish(PATIENCE + count * Duration::from_millis(250))?;
    println!("{link}: {odds:?}: {found}");
    let found: Value = serde_json::from_str(&found)?;
    assert_eq!(found["round_trips"], count);
    assert_eq!(found["restarts"], 0, "{found}");
    Ok((found, frames.so_far()))
}

fn none_is_lost(on_can: bool) -> Outcome {
    let (found, _) = round_trips(on_can, Disturbance::default())?;
    assert_eq!(found["answered"], found["round_trips"], "{found}");
    for nothing in ["unanswered", "questions_unanswered", "events_noticed_missing", "refused_here"]
    {
        assert_eq!(found[nothing], 0, "{nothing}: {found}");
    }
    Ok(())
}

// Issue 3, "must show": round trips on each transport, none lost, none wrong.
#[test]
fn on_can_no_round_trip_is_lost_or_wrong() -> Outcome {
    none_is_lost(true)
}

#[test]
fn on_serial_no_round_trip_is_lost_or_wrong() -> Outcome {
    none_is_lost(false)
}

/// Transfers that did not reach everyone as they were sent: of questions and answers, and of
/// events when they were first told.
fn damaged(frames: &[Sent]) -> (usize, usize) {
    let mut current: HashMap<u32, bool> = HashMap::new();
    let (mut questions, mut events) = (0, 0);
    for sent in frames {
        let Id::Extended(id) = sent.frame.id() else { continue };
        let id = id.as_raw();
        let Some((tail, _)) = Tail::split(sent.frame.data()) else { continue };
        let hurt = current.entry(id).or_default();
        *hurt = (*hurt && !tail.start) || sent.fate != Fate::Passed;
        if !(tail.end && *hurt) {
            continue;
        }
        let (is_service, subject, priority) = (id >> 25 & 1 == 1, id >> 8 & 0x1fff, id >> 26);
        if is_service {
            questions += 1;
        } else if (6145..7168).contains(&subject) && priority != 6 {
            events += 1; // priority 6 is a repeat, whose event was missed already
        }
    }
    (questions, events)
}

fn every_loss_is_noticed(on_can: bool, odds: Disturbance) -> Outcome {
    let (found, frames) = round_trips(on_can, odds)?;
    let noticed = |what: &str| found[what].as_u64().unwrap_or(0) as usize;
    assert!(noticed("answered") > noticed("round_trips") / 2, "{found}");
    if on_can {
        let (questions, events) = damaged(&frames);
        assert!(questions > 0, "the bus damaged nothing");
        assert!(noticed("questions_unanswered") >= questions, "{questions} were hurt: {found}");
        assert!(noticed("events_noticed_missing") >= events, "{events} were hurt: {found}");
    } else {
        assert!(noticed("questions_unanswered") > 0, "the line damaged nothing: {found}");
    }
    Ok(())
}

// Issue 3, "must show": with 1 % of frames dropped or corrupted no wrong message is accepted, and
// every loss is noticed. What is believed, the script compares with what was asked for.
#[test]
fn on_can_every_dropped_frame_is_noticed() -> Outcome {
    every_loss_is_noticed(true, Disturbance::drop(ONE_PERCENT))
}

#[test]
fn on_can_every_corrupted_frame_is_noticed() -> Outcome {
    every_loss_is_noticed(true, Disturbance::corrupt(ONE_PERCENT))
}

#[test]
fn on_serial_every_dropped_frame_is_noticed() -> Outcome {
    every_loss_is_noticed(false, Disturbance::drop(ONE_PERCENT))
}

#[test]
fn on_serial_every_corrupted_frame_is_noticed() -> Outcome {
    every_loss_is_noticed(false, Disturbance::corrupt(ONE_PERCENT))
}
