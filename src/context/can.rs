//! The table bus's two loops.
//!
//! Frames are joined to transfers without the context; only a whole request needs it, so a
//! page being erased, 22 ms, loses no frame. A bus that takes nothing stops its sender and
//! no other loop.

use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::RawMutex;

use super::ports::{CanReceive, CanTransmit};
use super::shared::SharedContext;
use super::strangers::Strangers;
use super::{CAN, CHECK_IN, ContextDevice, DeviceContext, LOOK_AGAIN, brings_key};
use crate::node::{ANSWER_BYTES, Device, NodeStore, Requests};
use crate::ports::{CheckIn, Clock, Turn};
use crate::protocol::framing::can::{Frames, Receiver};
use crate::protocol::transfer::NodeId;

/// Transfers of other nodes that may arrive at once.
const SLOTS: usize = 4;

/// Receives from the bus for ever: requests to `node`.
pub async fn rx_can<M: RawMutex, D: Device<S> + ContextDevice, S: NodeStore>(
    shared: &SharedContext<M, D, S>,
    (node, requests): (NodeId, Requests),
    mut bus: impl CanReceive,
    mut clock: impl Clock,
    turn: impl Turn,
    mut check_in: impl CheckIn,
) -> ! {
    let mut receiver = Receiver::<SLOTS, ANSWER_BYTES>::for_node(node);
    let (mut strangers, mut lost) = (Strangers::new(), 0);
    loop {
        check_in.check_in();
        let before = core::mem::replace(&mut lost, bus.lost());
        shared.count_dropped(lost.wrapping_sub(before));
        let received = select(bus.frame(), clock.wait_for(CHECK_IN)).await;
        let Either::First(frame) = received else { continue };
        let accepted = receiver.accept(&frame, clock.now(), &requests);
        let Some(transfer) = accepted else { continue };
        if strangers.is_too_soon(&transfer, clock.now()) {
            shared.count_dropped(1);
            continue;
        }
        let mut guard = shared.lock_in_turn(&turn).await;
        let DeviceContext { node, device, store } = &mut *guard;
        node.receive(CAN, &transfer, clock.now(), device, store);
        guard.publish(clock.now());
        strangers.served(&transfer, clock.now());
        if brings_key(&transfer) {
            receiver.wipe();
        }
        shared.wake_senders();
    }
}

/// Sends on the bus for ever.
pub async fn tx_can<M: RawMutex, D: Device<S>, S: NodeStore>(
    shared: &SharedContext<M, D, S>,
    mut bus: impl CanTransmit,
    mut clock: impl Clock,
    turn: impl Turn,
) -> ! {
    let [_, tx_ready] = &shared.tx_ready;
    let mut room = [0; ANSWER_BYTES];
    loop {
        let frames = {
            let mut guard = shared.lock_in_turn(&turn).await;
            let DeviceContext { node, device, store } = &mut *guard;
            let next = node.next(CAN, clock.now(), device, store, &mut room);
            next.and_then(|transfer| Frames::of(&transfer).ok())
        };
        match frames {
            Some(frames) => {
                for frame in frames {
                    bus.put(&frame).await;
                }
            }
            None => _ = select(tx_ready.wait(), clock.wait_for(LOOK_AGAIN)).await,
        }
    }
}
