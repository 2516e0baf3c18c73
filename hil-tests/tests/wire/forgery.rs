//! Commands nobody with authority gave are refused, counted by kind, and change nothing.
//!
//! Issue 3: forged, replayed, re-ordered, cross-device, cross-role, truncated and old ones,
//! over the real bus; also right after a power cut. Authority is a key (CM-07).

use std::sync::atomic::{AtomicU64, Ordering};

use crate::harness::{Seated, refusals};
use croupier::protocol::codec::{Message, Object, Request};
use croupier::protocol::framing::can::{Address as Identifier, Frames, Tail};
use croupier::protocol::generated::croupier::common::{
    Irregularity, NextSequenceRequest, NextSequenceResponse, ProfileSetRequest, Result as Outcome,
    Role, Trouble,
};
use croupier::protocol::keys::RoleKey;
use croupier::protocol::seal::{Address, seal};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use embedded_can::Id;
use hil_tests::bench::PATIENCE;
use hil_tests::hub::{self, Frame};
use hil_tests::suite::{Done, ON_BUS, READER, SHUFFLER, get, profile, set};
use hil_tests::table_controller::TableController;
use hil_tests::{BenchError, Hub, keys};

/// Whom the forger pretends to be: a controller that is not on the bus.
const FORGER: NodeId = NodeId::new(3).expect("below 128");
/// The decks of the true profile; a forged one has others.
const TRUE: u8 = 2;
const FALSE: u8 = 8;

/// Somebody on the bus who can send anything.
struct Forger {
    port: hub::Port,
    transfers: u64,
}

/// A command as the forger may bend it before and after it is sealed.
#[derive(Clone)]
struct Command {
    key: [u8; 32],
    role: Role,
    sequence: u64,
    sealed_for: NodeId,
    decks: u8,
}

impl Command {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; ProfileSetRequest::LONGEST];
        profile(self.decks).encode(&mut bytes).expect("as long as the longest");
        let port = Port::Request(ProfileSetRequest::SERVICE, self.sealed_for);
        let address = Address { source: FORGER, port };
        let sealed = seal(&RoleKey::new(self.key), self.role, self.sequence, address, &mut bytes);
        sealed.expect("there is room for a seal");
        bytes
    }
}

impl Forger {
    fn new(hub: &Hub) -> Self {
        Self { port: hub.join("forger"), transfers: 0 }
    }

    /// Sends `payload` as a `ProfileSet` to `to`, and waits until it has been on the bus.
    fn send(&mut self, to: NodeId, payload: &[u8]) -> Done {
        self.transfers += 1;
        let port = Port::Request(ProfileSetRequest::SERVICE, to);
        let (priority, transfer_id) = (Priority::Nominal, self.transfers);
        let header = Header { priority, port, source: Some(FORGER), transfer_id };
        let frames = Frames::of(&Transfer { header, payload }).expect("short enough");
        self.send_frames(frames)
    }

    fn send_frames(&mut self, frames: impl IntoIterator<Item = Frame>) -> Done {
        frames.into_iter().try_for_each(|frame| self.port.send(frame))?;
        assert_eq!(self.port.await_sent(PATIENCE), hil_tests::wait::Waited::Came(()));
        Ok(())
    }
}

/// A shuffler with the true profile, its controller, and a forger on the same bus.
struct Table {
    forger: Forger,
    controller: TableController,
    shuffler: Seated,
    /// Everything on the bus from its beginning.
    frames: hub::Frames,
    hub: Hub,
}

impl Table {
    fn open() -> Result<Self, BenchError> {
        let hub = Hub::open()?;
        let frames = hub.frames();
        let shuffler = Seated::boot(&hub, "shuffler")?;
        let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
        controller.await_device(SHUFFLER)?;
        set(&controller, SHUFFLER, TRUE)?;
        Ok(Self { forger: Forger::new(&hub), controller, shuffler, frames, hub })
    }

    fn next_sequence(&self) -> Result<u64, BenchError> {
        static NONCE: AtomicU64 = AtomicU64::new(77);
        let nonce = NONCE.fetch_add(1, Ordering::Relaxed);
        let request = NextSequenceRequest { nonce, ..Default::default() };
        let (outcome, NextSequenceResponse { next_sequence, .. }) =
            self.controller.ask(SHUFFLER, Role::Floorperson, &request)?;
        assert_eq!(outcome, Outcome::Accepted);
        Ok(next_sequence)
    }

    /// What a floorperson's controller would send next: every forgery begins with it.
    fn genuine(&self) -> Result<Command, BenchError> {
        Ok(Command {
            key: keys::bytes(Role::Floorperson),
            role: Role::Floorperson,
            sequence: self.next_sequence()?,
            sealed_for: SHUFFLER,
            decks: FALSE,
        })
    }

    /// Sends it; exactly this much is counted for it, and the profile is still the true one.
    fn refuses(&mut self, why: &str, to: NodeId, payload: &[u8], counted: [u32; 5]) -> Done {
        let before = refusals(&self.controller, SHUFFLER)?;
        self.forger.send(to, payload)?;
        self.refused_since(why, before, counted)
    }

    fn refused_since(&self, why: &str, before: [u32; 5], counted: [u32; 5]) -> Done {
        // The bus is one queue: the answer to this comes after what was sent before.
        let after = refusals(&self.controller, SHUFFLER)?;
        let more: Vec<u32> =
            after.iter().zip(before).map(|(after, before)| after - before).collect();
        assert_eq!(more, counted, "{why}");
        assert_eq!(get(&self.controller, SHUFFLER)?.decks, TRUE, "{why}");
        Ok(())
    }

    /// The frames of the last `ProfileSet` the controller sent.
    fn captured(&self) -> Vec<Frame> {
        let sent = self.frames.clone().so_far();
        let ours = sent.iter().filter(|sent| &*sent.sender == "controller");
        let commands: Vec<Frame> = ours.map(|sent| sent.frame).filter(is_profile_set).collect();
        let id = |frame: &Frame| Tail::split(frame.data()).map(|(tail, _)| tail.transfer_id);
        let last = commands.last().and_then(id);
        commands.into_iter().filter(|frame| id(frame) == last).collect()
    }
}

const MALFORMED: [u32; 5] = [1, 0, 0, 0, 0];
const UNKNOWN_ROLE: [u32; 5] = [0, 1, 0, 0, 0];
const FORGED: [u32; 5] = [0, 0, 1, 0, 0];
const REPLAYED: [u32; 5] = [0, 0, 0, 1, 0];
const NOT_AUTHORISED: [u32; 5] = [0, 0, 0, 0, 1];

fn is_profile_set(frame: &Frame) -> bool {
    let Id::Extended(id) = frame.id() else { return false };
    let port = Identifier::decode(id).map(|address| address.port);
    port == Some(Port::Request(ProfileSetRequest::SERVICE, SHUFFLER))
}

#[test]
fn the_forgers_tools_make_a_command_that_is_obeyed_when_nothing_is_forged() -> Done {
    let mut table = Table::open()?;
    let genuine = table.genuine()?;
    table.forger.send(SHUFFLER, &genuine.bytes())?;
    crate::harness::await_change(&table.controller, SHUFFLER, FALSE, 0)?;
    assert_eq!(get(&table.controller, SHUFFLER)?.decks, FALSE);
    assert_eq!(refusals(&table.controller, SHUFFLER)?, [0; 5]);
    Ok(())
}

#[test]
fn forged_bent_and_truncated_commands_are_refused_each_by_its_kind() -> Done {
    let mut table = Table::open()?;
    let genuine = table.genuine()?;
    let bytes = genuine.bytes();

    let wrong_key = Command { key: [0x42; 32], ..genuine.clone() };
    table.refuses("another key", SHUFFLER, &wrong_key.bytes(), FORGED)?;
    let role = bytes.len() - 17; // which is a matter of its own: see the next test
    for bit in (0..bytes.len() * 8).step_by(29).filter(|bit| bit / 8 != role) {
        let mut bent = bytes.clone();
        bent[bit / 8] ^= 1 << (bit % 8);
        table.refuses(&format!("bit {bit} turned over"), SHUFFLER, &bent, FORGED)?;
    }
    for missing in [1, 16, 25, bytes.len() - 1] {
        let short = &bytes[..bytes.len() - missing];
        table.refuses(&format!("{missing} bytes missing"), SHUFFLER, short, MALFORMED)?;
    }
    let long = [&bytes[..], &[0]].concat();
    table.refuses("a byte too many", SHUFFLER, &long, MALFORMED)?;
    // The command all of these were made of is still good: nothing was used up by refusing.
    assert_eq!(table.next_sequence()?, genuine.sequence);
    table.shuffler.works()
}

#[test]
fn commands_for_another_device_or_of_another_role_are_refused() -> Done {
    let mut table = Table::open()?;
    let genuine = table.genuine()?;

    let for_reader = Command { sealed_for: READER, ..genuine.clone() };
    table.refuses("sealed for the reader", SHUFFLER, &for_reader.bytes(), FORGED)?;
    table.refuses("sent to the reader", READER, &genuine.bytes(), [0; 5])?;

    let dealer = Command { key: keys::bytes(Role::Dealer), ..genuine.clone() };
    table.refuses("a dealer as floorperson", SHUFFLER, &dealer.bytes(), FORGED)?;
    let mut relabelled = genuine.bytes();
    let role = relabelled.len() - 17;
    relabelled[role] = Role::Service.code();
    table.refuses("a floorperson's seal as service's", SHUFFLER, &relabelled, FORGED)?;
    relabelled[role] = 9;
    table.refuses("a role nobody has", SHUFFLER, &relabelled, UNKNOWN_ROLE)?;
    let device = Command { key: keys::bytes(Role::Device), role: Role::Device, ..genuine.clone() };
    table.refuses("a device as a commander", SHUFFLER, &device.bytes(), UNKNOWN_ROLE)?;
    let honest = Command { key: keys::bytes(Role::Dealer), role: Role::Dealer, ..genuine };
    let honest = Command { sequence: honest.sequence + 500, ..honest };
    table.refuses("a dealer as dealer", SHUFFLER, &honest.bytes(), NOT_AUTHORISED)
}

#[test]
fn old_replayed_and_reordered_commands_are_refused() -> Done {
    let mut table = Table::open()?;
    let genuine = table.genuine()?;

    let old = Command { sequence: genuine.sequence - 1, ..genuine.clone() };
    table.refuses("the number before", SHUFFLER, &old.bytes(), REPLAYED)?;
    let first = Command { sequence: 0, ..genuine.clone() };
    table.refuses("the first of all numbers", SHUFFLER, &first.bytes(), REPLAYED)?;
    let far = Command { sequence: u64::MAX, ..genuine.clone() };
    table.refuses("the last of all numbers", SHUFFLER, &far.bytes(), REPLAYED)?;

    let (earlier, later) = (
        Command { decks: FALSE, ..genuine.clone() },
        Command { decks: TRUE, sequence: genuine.sequence + 1, ..genuine },
    );
    table.forger.send(SHUFFLER, &later.bytes())?;
    table.refuses("overtaken by the next", SHUFFLER, &earlier.bytes(), REPLAYED)?;
    table.refuses("the same again", SHUFFLER, &later.bytes(), REPLAYED)
}

/// A recording made on the wire, played back by somebody else on the bus; only the
/// transfer-ID is new, or the receiver would drop it as a repeat before any seal is judged.
#[test]
fn a_recorded_command_played_back_is_refused_also_right_after_a_power_cut() -> Done {
    let mut table = Table::open()?;
    set(&table.controller, SHUFFLER, FALSE)?;
    let recorded = table.captured();
    assert!(recorded.len() >= 4, "{recorded:?}");
    set(&table.controller, SHUFFLER, TRUE)?;

    let before = refusals(&table.controller, SHUFFLER)?;
    table.forger.send_frames(again(&recorded, 1))?;
    table.refused_since("played back", before, REPLAYED)?;

    // The last command before the cut must not be the first one after it.
    let last = table.captured();
    table.shuffler.cut_power_and_boot(&table.hub)?;
    table.controller.await_report("the restart", 0, |received| {
        (received.report == hil_tests::table_controller::Report::Restarted).then_some(())
    })?;
    let before = refusals(&table.controller, SHUFFLER)?;
    for (turn, frames) in [recorded, last].iter().enumerate() {
        table.forger.send_frames(again(frames, turn as u8))?;
    }
    table.refused_since("after a power cut", before, [0, 0, 0, 2, 0])?;
    table.shuffler.works()
}

/// The same transfer under another transfer-ID, which no seal covers and a receiver expects.
fn again(frames: &[Frame], turn: u8) -> Vec<Frame> {
    let renumbered = frames.iter().map(|frame| {
        let mut data = frame.data().to_vec();
        let tail = data.last_mut().expect("every frame ends in its tail");
        *tail = *tail & 0xE0 | (*tail + 7 + turn) & 0x1F;
        Frame::new(frame.id(), &data).expect("as long as before")
    });
    renumbered.collect()
}

// Issue 3: who tries seals is told of, and cannot push real events out.
#[test]
fn refused_seals_are_published_as_an_irregularity_once_in_ten_seconds() -> Done {
    let mut table = Table::open()?;
    let genuine = table.genuine()?;
    let forged = Command { key: [0x42; 32], ..genuine }.bytes();
    for _ in 0..20 {
        table.forger.send(SHUFFLER, &forged)?;
    }
    let alarm = table
        .controller
        .await_report("the irregularity", 0, |received| received.report.event::<Irregularity>())?;
    assert_eq!(alarm.trouble, Trouble::SealsRefused);
    assert_eq!(refusals(&table.controller, SHUFFLER)?, [0, 0, 20, 0, 0]);
    let received = table.controller.reports_since(0);
    let alarms =
        received.iter().filter(|received| received.report.event::<Irregularity>().is_some());
    assert_eq!(alarms.count(), 1, "of subject {}", Irregularity::SUBJECT.get());
    Ok(())
}
