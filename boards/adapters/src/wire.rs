//! Both links of a device: bytes and frames to its node, and the node's transfers out.
//!
//! The node is one, the links are two, and each link has a listener and a speaker of
//! its own: a bus that takes nothing stops its speaker and nobody else. The lock is
//! held while the node thinks, never while a link waits; and only a whole request needs it, so
//! that a page being erased, 22 ms, keeps nobody from listening. Rules of the wire are in
//! `croupier::node`; here is only who waits for what.

use crate::executor;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll};
use croupier::node::{ANSWER_BYTES, Device, Node, NodeStore, Requests};
use croupier::ports::CheckIn;
use croupier::protocol::can::{Frame, Frames, Receiver};
use croupier::protocol::dsdl::Request;
use croupier::protocol::generated::croupier::common::ProvisionKeyRequest;
use croupier::protocol::serial::{self, Decoder};
use croupier::protocol::transfer::{NodeId, Port, Transfer};
use embassy_futures::select::select;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::mutex::{Mutex, MutexGuard};
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Instant, Timer, with_timeout};
use embedded_io_async::{Read, Write};

/// The UART's number among the node's links.
const SERIAL: usize = 0;
/// The bus's number.
const BUS: usize = 1;
/// Events kept for a controller that was away.
pub const EVENTS: usize = 64;
/// Transfers of other nodes that may arrive at once.
const SLOTS: usize = 4;
/// A speaker looks for something to say at least this often: heartbeats have no herald.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// A listener checks in at least this often.
const ROUND: Duration = Duration::from_millis(100);

/// A device, its node, and where both keep what must last.
pub struct Wire<D, S> {
    /// The node.
    pub node: Node<2, EVENTS>,
    /// The device it speaks for.
    pub device: D,
    /// The store.
    pub store: S,
}

impl<D, S> Wire<D, S> {
    /// The same wire for the device that `make` builds around the one it has.
    pub fn around<E>(self, make: impl FnOnce(D, &mut S) -> E) -> Wire<E, S> {
        let Self { node, device, mut store } = self;
        let device = make(device, &mut store);
        Wire { node, device, store }
    }
}

/// A device whose doings others must hear of.
pub trait PublishEvents {
    /// Tells `node` what has happened. Called after each command, before the next can
    /// change anything again: so no change goes untold, however fast they come.
    fn publish(&mut self, node: &mut Node<2, EVENTS>, now_ms: u64);
}

/// The same, shared by the tasks of one executor.
pub type Shared<D, S> = Mutex<CriticalSectionRawMutex, Wire<D, S>>;

/// The desk for one piece of work: free of others, and in a run of the executor in which
/// nobody else works.
pub async fn turn<D, S>(wire: &Shared<D, S>) -> Taken<'_, D, S> {
    poll_fn(|context| poll_desk(wire, context)).await
}

/// A desk that somebody works at.
pub type Taken<'a, D, S> = MutexGuard<'a, CriticalSectionRawMutex, Wire<D, S>>;

#[inline(never)] // once for all who ask
fn poll_desk<'a, D, S>(wire: &'a Shared<D, S>, context: &mut Context<'_>) -> Poll<Taken<'a, D, S>> {
    // The lock notes who waits for it, so that its future need not be kept.
    executor::poll_turn(context, |context| pin!(wire.lock()).poll(context))
}

static TX_READY: [Signal<CriticalSectionRawMutex, ()>; 2] = [const { Signal::new() }; 2];

/// Tells both speakers that there may be something to say.
pub fn wake_senders() {
    TX_READY.iter().for_each(|ready| ready.signal(()));
}

/// Whether the bytes of `transfer` must not stay in a receiver's memory.
fn brings_key(transfer: &Transfer<'_>) -> bool {
    matches!(transfer.header.port, Port::Request(ProvisionKeyRequest::SERVICE, _))
}

fn now_ms() -> u64 {
    Instant::now().as_millis()
}

/// Hears the UART for ever.
pub async fn rx_serial<D: Device<S> + PublishEvents, S: NodeStore>(
    wire: &Shared<D, S>,
    (node, requests): (NodeId, Requests),
    mut line: impl Read,
    mut check_in: impl CheckIn,
) -> ! {
    let mut decoder = Decoder::<ANSWER_BYTES>::for_node(node);
    let mut bytes = [0; 16]; // which take some two thousand instructions to decode
    loop {
        check_in.check_in();
        let Ok(Ok(count)) = with_timeout(ROUND, line.read(&mut bytes)).await else { continue };
        for &byte in bytes.get(..count).unwrap_or_default() {
            let Some(transfer) = decoder.accept(byte, &requests) else { continue };
            let mut guard = turn(wire).await;
            let Wire { node, device, store } = &mut *guard;
            node.receive(SERIAL, &transfer, now_ms(), device, store);
            device.publish(node, now_ms());
            if brings_key(&transfer) {
                decoder.wipe();
            }
            wake_senders();
        }
    }
}

/// Speaks on the UART for ever.
pub async fn tx_serial<D: Device<S>, S: NodeStore>(wire: &Shared<D, S>, mut line: impl Write) -> ! {
    let mut room = [0; ANSWER_BYTES];
    let mut text = [0; serial::most_bytes(ANSWER_BYTES)];
    loop {
        let encoded = {
            let mut guard = turn(wire).await;
            let Wire { node, device, store } = &mut *guard;
            let next = node.next(SERIAL, now_ms(), device, store, &mut room);
            next.and_then(|transfer| serial::encode(&transfer, &mut text).ok())
        };
        match encoded {
            // A UART that fails has lost the line's other end: nothing to be done here.
            Some(bytes) => _ = line.write_all(bytes).await,
            None => _ = select(TX_READY[SERIAL].wait(), Timer::after(LOOK_AGAIN)).await,
        }
    }
}

/// A bus one can hear.
#[allow(async_fn_in_trait)] // used generically within one executor
pub trait CanReceive {
    /// The next frame of anybody else. Cancel-safe.
    async fn frame(&mut self) -> Frame;
}

/// A bus one can speak on.
#[allow(async_fn_in_trait)] // used generically within one executor
pub trait CanTransmit {
    /// Returns when the bus, or a short queue before it, has taken the frame, however long
    /// that takes. Frames leave in the order in which they were put.
    async fn put(&mut self, frame: &Frame);
}

/// Hears the bus for ever.
pub async fn rx_bus<D: Device<S> + PublishEvents, S: NodeStore>(
    wire: &Shared<D, S>,
    (node, requests): (NodeId, Requests),
    mut bus: impl CanReceive,
    mut check_in: impl CheckIn,
) -> ! {
    let mut receiver = Receiver::<SLOTS, ANSWER_BYTES>::for_node(node);
    loop {
        check_in.check_in();
        let Ok(frame) = with_timeout(ROUND, bus.frame()).await else { continue };
        let Some(transfer) = receiver.accept(&frame, now_ms(), &requests) else { continue };
        let mut guard = turn(wire).await;
        let Wire { node, device, store } = &mut *guard;
        node.receive(BUS, &transfer, now_ms(), device, store);
        device.publish(node, now_ms());
        if brings_key(&transfer) {
            receiver.wipe();
        }
        wake_senders();
    }
}

/// Speaks on the bus for ever.
pub async fn tx_bus<D: Device<S>, S: NodeStore>(
    wire: &Shared<D, S>,
    mut bus: impl CanTransmit,
) -> ! {
    let mut room = [0; ANSWER_BYTES];
    loop {
        let frames = {
            let mut guard = turn(wire).await;
            let Wire { node, device, store } = &mut *guard;
            let next = node.next(BUS, now_ms(), device, store, &mut room);
            next.and_then(|transfer| Frames::of(&transfer).ok())
        };
        match frames {
            Some(frames) => {
                for frame in frames {
                    bus.put(&frame).await;
                }
            }
            None => _ = select(TX_READY[BUS].wait(), Timer::after(LOOK_AGAIN)).await,
        }
    }
}
