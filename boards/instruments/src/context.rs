//! The context of a device as every image has it, on the host's file and without links.

use crate::nor::{NorError, NorFile};
use croupier::context::DeviceContext;
use croupier::identity::{Build, DeviceKind, Identity, Version};
use croupier::protocol::keys::KeyPolicy;
use croupier::reader::Reader;
use croupier::safety::ResetCause;
use croupier::services::{CommonServices, StoreHandle};
use croupier::store::{Operation, StoreError};

const BUILD: Build = Build {
    version: match Version::parse(env!("CARGO_PKG_VERSION")) {
        Some(version) => version,
        None => panic!("the workspace's version has three numbers"),
    },
    commit: None,
    profile: "release",
    compiler: "unknown",
};

/// A device, its node, and its store in the file named by `nor=`.
pub type Context<D> = DeviceContext<D, StoreHandle<NorFile>>;

/// The store in the file named by `nor=`; missing, if the host cannot open it.
pub fn store() -> StoreHandle<NorFile> {
    let missing = |_: NorError| StoreHandle::missing(StoreError::Flash(Operation::Read));
    NorFile::open().map_or_else(missing, StoreHandle::open)
}

/// What a reader has before its game: node, common services and store.
pub fn open() -> Context<CommonServices> {
    let store = store();
    if let Some(trouble) = store.trouble() {
        defmt::error!("the store will not open: {}", trouble);
    }
    let identity = Identity {
        maker: "croupier",
        kind: DeviceKind::Reader,
        board: "instruments",
        serial: crate::serial(),
        build: BUILD,
        image: None,
    };
    // The simulation's keys are visibly that, and no silicon takes them.
    Context::open(identity, (&ResetCause::PowerOn, 0), store, KeyPolicy::Simulation)
}

/// The whole reader.
pub fn open_reader() -> Context<Reader> {
    open().around(Reader::new)
}
