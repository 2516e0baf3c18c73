//! The UART's two loops.
//!
//! Only a whole request needs the context, so a page being erased, 22 ms, keeps the UART
//! from nothing. A line that takes nothing stops its sender and no other loop.

use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::RawMutex;
use embedded_io_async::{Read, Write};

use super::shared::SharedContext;
use super::strangers::Strangers;
use super::{CHECK_IN, ContextDevice, DeviceContext, LOOK_AGAIN, SERIAL, brings_key};
use crate::node::{ANSWER_BYTES, Device, NodeStore, Requests};
use crate::ports::{CheckIn, Clock, Turn};
use crate::protocol::framing::serial::{self, Decoder};
use crate::protocol::transfer::NodeId;

/// Receives from the UART for ever: requests to `node`.
pub async fn rx_serial<M: RawMutex, D: Device<S> + ContextDevice, S: NodeStore>(
    shared: &SharedContext<M, D, S>,
    (node, requests): (NodeId, Requests),
    mut line: impl Read,
    mut clock: impl Clock,
    turn: impl Turn,
    mut check_in: impl CheckIn,
) -> ! {
    let mut decoder = Decoder::<ANSWER_BYTES>::for_node(node);
    let mut strangers = Strangers::new();
    let mut bytes = [0; 16]; // which take some two thousand instructions to decode
    loop {
        check_in.check_in();
        let read = select(line.read(&mut bytes), clock.wait_for(CHECK_IN)).await;
        let Either::First(Ok(count)) = read else { continue };
        for &byte in bytes.get(..count).unwrap_or_default() {
            let Some(transfer) = decoder.accept(byte, &requests) else { continue };
            if strangers.is_too_soon(&transfer, clock.now()) {
                shared.count_dropped(1);
                continue;
            }
            let mut guard = shared.lock_in_turn(&turn).await;
            let DeviceContext { node, device, store } = &mut *guard;
            node.receive(SERIAL, &transfer, clock.now(), device, store);
            guard.publish(clock.now());
            strangers.served(&transfer, clock.now());
            if brings_key(&transfer) {
                decoder.wipe();
            }
            shared.wake_senders();
        }
    }
}

/// Sends on the UART for ever.
pub async fn tx_serial<M: RawMutex, D: Device<S>, S: NodeStore>(
    shared: &SharedContext<M, D, S>,
    mut line: impl Write,
    mut clock: impl Clock,
    turn: impl Turn,
) -> ! {
    let [tx_ready, _] = &shared.tx_ready;
    let mut room = [0; ANSWER_BYTES];
    let mut text = [0; serial::most_bytes(ANSWER_BYTES)];
    loop {
        let encoded = {
            let mut guard = shared.lock_in_turn(&turn).await;
            let DeviceContext { node, device, store } = &mut *guard;
            let next = node.next(SERIAL, clock.now(), device, store, &mut room);
            next.and_then(|transfer| serial::encode(&transfer, &mut text).ok())
        };
        match encoded {
            // A UART that fails has lost the line's other end: nothing to be done here.
            Some(bytes) => _ = line.write_all(bytes).await,
            None => _ = select(tx_ready.wait(), clock.wait_for(LOOK_AGAIN)).await,
        }
    }
}
