//! The table bus on bxCAN.
//!
//! The controller sends a frame again until somebody acknowledges it, and comes back from
//! bus-off by itself; a frame is taken for sent only when its mailbox is empty again.

use adapters::wire::{HearBus, SpeakBus};
use croupier::protocol::can::Frame;
use embassy_stm32::can::{self, CanRx, CanTx};

/// The bus's incoming frames.
pub struct Ear(pub CanRx<'static>);

impl HearBus for Ear {
    async fn frame(&mut self) -> Frame {
        loop {
            // Errors of the bus are the controller's to count and to recover from.
            let Ok(envelope) = self.0.read().await else { continue };
            let heard = &envelope.frame;
            if let Some(frame) = Frame::new(*heard.id(), heard.data()) {
                return frame;
            }
        }
    }
}

/// The bus's outgoing frames.
pub struct Mouth(pub CanTx<'static>);

impl SpeakBus for Mouth {
    async fn put(&mut self, frame: &Frame) {
        if let Ok(frame) = can::Frame::new_data(frame.id(), frame.data()) {
            let status = self.0.write(&frame).await;
            self.0.flush(status.mailbox()).await;
        }
    }
}
