//! A device with its node and its store, as every image has them, without links.
//!
//! The devices' own is `adapters::wire`. That crate drives the chip's peripherals, and an
//! instrument has none of them.

use crate::nor::{NorError, NorFile};
use croupier::identity::{Build, DeviceKind, Identity, Version};
use croupier::node::{Guard, Node};
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{NodeId, Priority};
use croupier::reader::Reader;
use croupier::safety::ResetCause;
use croupier::services::{CommonServices, StoreHandle};
use croupier::store::{Operation, StoreError};

/// Events kept for a controller that was away: as many as a device keeps.
pub const EVENTS: usize = 64;

/// The reader's number on the table bus.
const READER: NodeId = NodeId::new(10).expect("below 128");

const BUILD: Build = Build {
    version: match Version::parse(env!("CARGO_PKG_VERSION")) {
        Some(version) => version,
        None => panic!("the workspace's version has three numbers"),
    },
    commit: None,
    profile: "release",
    compiler: "unknown",
};

/// A device, its node, and where both keep what must last.
pub struct Context<D> {
    /// The node.
    pub node: Node<2, EVENTS>,
    /// The device it speaks for.
    pub device: D,
    /// The store.
    pub store: StoreHandle<NorFile>,
}

/// The store in the file named by `nor=`; missing, if the host cannot open it.
pub fn store() -> StoreHandle<NorFile> {
    let missing = |_: NorError| StoreHandle::missing(StoreError::Flash(Operation::Read));
    NorFile::open().map_or_else(missing, StoreHandle::open)
}

/// What a reader has before its game: node, common services and store.
pub fn open() -> Context<CommonServices> {
    let mut store = store();
    if let Some(trouble) = store.trouble() {
        defmt::error!("the store will not open: {}", trouble);
    }
    // The simulation's keys are visibly that, and no silicon takes them.
    let guard = match KeyRing::load(&mut store, KeyPolicy::Simulation) {
        Ok(keys) => Guard::new(READER, keys, &mut store),
        Err(_) => Guard::shut(READER),
    };
    let kind = DeviceKind::Reader;
    let mut services = CommonServices::new(kind, store.profile().ok().flatten());
    services.start = guard.start();
    let identity = Identity {
        maker: "croupier",
        kind,
        board: "instruments",
        serial: crate::serial(),
        build: BUILD,
        image: None,
    };
    let node = Node::new(identity, guard, ResetCause::PowerOn.into(), 0);
    Context { node, device: services, store }
}

/// The whole reader.
pub fn open_reader() -> Context<Reader> {
    let Context { node, device, mut store } = open();
    let device = Reader::new(device, &mut store);
    Context { node, device, store }
}

impl Context<Reader> {
    /// Hands all that has happened to the node, as the device does after each command.
    pub fn publish(&mut self, now_ms: u64) {
        if let Some(change) = self.device.services.take_change() {
            self.node.publish(&change, Priority::High, now_ms);
        }
        while let Some(event) = self.device.take_event() {
            event.publish(&mut self.node, now_ms);
        }
    }
}
