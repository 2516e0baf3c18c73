//! A device with its node and its store, and the loops that serve it.
//!
//! Node, device and store lie behind one lock, because a command changes all three and
//! its answer must say what they then are. The lock is held while the node computes,
//! never while a link waits. The events that a piece of work leaves are published before
//! the lock is given back, so no event is lost, however fast changes come.
//!
//! ```text
//! rx_serial, rx_can -> node -> device, store      a whole request at a time
//! tx_serial, tx_can <- node                       woken when there may be something to send
//! run_services      -> attestation, service switch, node tick, store chores
//! the device's run  -> device, store              through a `ContextPort`
//! ```
//!
//! | file | says |
//! |---|---|
//! | `shared` | the context between the tasks of a device, and a task's handle to it |
//! | [`ports`] | what the loops need from outside |
//! | `serial`, `can` | the loops of both links |
//! | `strangers` | which requests without a seal a link drops unread |
//! | `services`, `chores` | the loop of the common services, and the store's chores |

mod can;
mod chores;
pub mod ports;
mod serial;
mod services;
mod shared;
mod strangers;

pub use can::{rx_can, tx_can};
pub use ports::ContextPort;
pub use serial::{rx_serial, tx_serial};
pub use services::run_services;
pub use shared::{ContextHandle, SharedContext};

use embedded_storage::nor_flash::NorFlash;

use crate::identity::{DeviceKind, Identity};
use crate::node::{Guard, Node};
use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::ProvisionKeyRequest;
use crate::protocol::keys::{KeyPolicy, KeyRing};
use crate::protocol::transfer::{NodeId, Port, Priority, Transfer};
use crate::safety::ResetCause;
use crate::services::{CommonServices, KeptTime, StoreHandle};
use crate::time::{Instant, Millis};

/// The UART and the table bus.
pub const LINKS: usize = 2;
/// Events kept for a controller that was away.
pub const EVENTS: usize = 64;
/// The UART's number among the node's links.
pub const SERIAL: usize = 0;
/// The table bus's number.
pub const CAN: usize = 1;

/// A receiver checks in at least this often.
const CHECK_IN: Millis = Millis::new(100);
/// A sender looks for something to send at least this often: a heartbeat does not signal a sender.
const LOOK_AGAIN: Millis = Millis::new(20);

/// The number each kind of device has on the table bus.
pub const fn node_id(kind: DeviceKind) -> NodeId {
    const fn number(id: u8) -> NodeId {
        NodeId::new(id).expect("below 128")
    }
    match kind {
        DeviceKind::Reader => const { number(10) },
        DeviceKind::Shuffler => const { number(11) },
        DeviceKind::PaiGow => const { number(12) },
    }
}

/// A device that a context can carry.
pub trait ContextDevice {
    /// Its common services.
    fn services(&mut self) -> &mut CommonServices;
    /// Whether nothing moves and no task waits for it: a moment for what takes time.
    fn is_at_rest(&self) -> bool;
    /// Publishes its pending events, the oldest first. Those of the services are published
    /// by the context.
    fn publish_events<const LINKS: usize, const EVENTS: usize>(
        &mut self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    );
}

impl ContextDevice for CommonServices {
    fn services(&mut self) -> &mut CommonServices {
        self
    }

    fn is_at_rest(&self) -> bool {
        true
    }

    fn publish_events<const LINKS: usize, const EVENTS: usize>(
        &mut self,
        _: &mut Node<LINKS, EVENTS>,
        _: Instant,
    ) {
    }
}

/// A device, its node, and where both keep what must last.
pub struct DeviceContext<D, S> {
    /// The node.
    pub node: Node<LINKS, EVENTS>,
    /// The device it speaks for.
    pub device: D,
    /// The store.
    pub store: S,
}

impl<F: NorFlash> DeviceContext<CommonServices, StoreHandle<F>> {
    /// The services of a device that has just started, for `cause` and after `crashes` crashes
    /// since power came on. Without readable keys its node stays shut.
    pub fn open(
        identity: Identity,
        (cause, crashes): (&ResetCause, u32),
        mut store: StoreHandle<F>,
        policy: KeyPolicy,
    ) -> Self {
        let id = node_id(identity.kind);
        let guard = match KeyRing::load(&mut store, policy) {
            Ok(keys) => Guard::new(id, keys, &mut store),
            Err(_) => Guard::shut(id),
        };
        let mut device = CommonServices::new(identity.kind, store.profile().ok().flatten());
        device.start = guard.start();
        // A time that cannot be read may have been any: then only service sets the clock.
        let kept = store.kept_time().map(|time| time.map_or(0, |KeptTime(utc_ms)| utc_ms));
        device.clock.not_before(kept.unwrap_or(u64::MAX));
        let crashes = u8::try_from(crashes).unwrap_or(u8::MAX);
        Self { node: Node::new(identity, guard, (*cause).into(), crashes), device, store }
    }
}

impl<D, S> DeviceContext<D, S> {
    /// The same context for the device that `make` builds around the one it has.
    #[inline] // made where it stays: a device is kilobytes, and the stack is small
    pub fn around<E>(self, make: impl FnOnce(D, &mut S) -> E) -> DeviceContext<E, S> {
        let Self { node, device, mut store } = self;
        let device = make(device, &mut store);
        DeviceContext { node, device, store }
    }
}

impl<D: ContextDevice, S> DeviceContext<D, S> {
    /// Hands the node what has happened. Called after each piece of work, before the next can
    /// change anything again.
    pub fn publish(&mut self, now: Instant) {
        if let Some(change) = self.device.services().take_change() {
            self.node.publish(&change, Priority::High, now);
        }
        if let Some(setting) = self.device.services().take_setting() {
            self.node.publish(&setting, Priority::High, now);
        }
        self.device.publish_events(&mut self.node, now);
    }
}

/// For a harness in one thread, which publishes when it likes.
impl<D, S> ContextPort<D> for DeviceContext<D, S> {
    type Store = S;

    async fn with<R>(&mut self, work: impl FnOnce(&mut D, &mut S) -> R) -> R {
        work(&mut self.device, &mut self.store)
    }
}

/// Whether the bytes of `transfer` must not stay in a receiver's memory.
fn brings_key(transfer: &Transfer<'_>) -> bool {
    matches!(transfer.header.port, Port::Request(ProvisionKeyRequest::SERVICE, _))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Build, Uid, Version};
    use crate::protocol::generated::croupier::common::RefusalsRequest;
    use crate::protocol::seal::Role;
    use crate::protocol::transfer::Header;
    use crate::store::{Key, NorModel};

    /// CM-03: a device whose keys cannot be read accepts nothing, not even a first key.
    #[test]
    fn cm_03_a_context_without_readable_keys_is_shut() {
        let next = |damaged| {
            let mut store = StoreHandle::open(NorModel::<2048, 4>::new(1));
            let open = store.store().expect("blank flash opens");
            if damaged {
                open.put_bytes(Key::Keys, &[0xFF; 3]).expect("room");
            }
            let (kind, serial) = (DeviceKind::Reader, Uid([7; 12]));
            let version = Version { major: 0, minor: 1, patch: 0 };
            let build = Build { version, commit: None, profile: "test", compiler: "rustc" };
            let (maker, board) = ("croupier", "host");
            let identity = Identity { maker, kind, board, serial, build, image: None };
            let cause = (&ResetCause::PowerOn, 0);
            let context = DeviceContext::open(identity, cause, store, KeyPolicy::Silicon);
            context.node.guard().next_sequence(Role::Service)
        };
        assert_eq!(next(false), Some(1));
        assert_eq!(next(true), None);
    }

    /// CM-10: a receiver is wiped after a request that brings a key, whoever sent it.
    #[test]
    fn cm_10_a_request_that_brings_a_key_is_known() {
        let brings = |service| {
            let port = Port::Request(service, node_id(DeviceKind::Reader));
            let header = Header { priority: Priority::Nominal, port, source: None, transfer_id: 0 };
            brings_key(&Transfer { header, payload: &[] })
        };
        assert!(brings(ProvisionKeyRequest::SERVICE));
        assert!(!brings(RefusalsRequest::SERVICE));
    }
}
