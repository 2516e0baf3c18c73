//! What the loops around a device need from outside. Boards and simulated worlds implement these.
#![allow(async_fn_in_trait)] // Used generically only, so no caller needs `Send`.

use crate::identity::ImageHash;
use crate::protocol::framing::can::Frame;
use crate::store::StoreError;

/// A device of type `D` where its node finds it, and the store beside it.
pub trait ContextPort<D> {
    /// The store.
    type Store;

    /// Lets `work` have both. A shared context has published what comes of it before this
    /// returns.
    async fn with<R>(&mut self, work: impl FnOnce(&mut D, &mut Self::Store) -> R) -> R;
}

/// Frames that come from the table bus.
pub trait CanReceive {
    /// The next frame of another node. Cancel-safe.
    async fn frame(&mut self) -> Frame;

    /// Frames lost since the start because they came faster than they were taken.
    fn lost(&self) -> u32;
}

/// Frames that go to the table bus.
pub trait CanTransmit {
    /// Returns when the bus, or a short queue before it, has taken the frame, however long
    /// that takes. Frames leave in the order in which they were put.
    async fn put(&mut self, frame: &Frame);
}

/// What the services write to a board's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServicesNote {
    /// The image was measured after the start.
    ImageMeasured(ImageHash),
    /// That many changes since the start had to wait for the store to make room.
    StoreStalled(u32),
    /// The store's flash failed a chore; it is tried again later.
    ChoreFailed(StoreError),
}

/// What the services loop needs from the board.
pub trait ServicesPort {
    /// The image as it stands in flash.
    fn image(&self) -> &[u8];
    /// Whether the service switch inside the housing is closed.
    fn service_switch_closed(&mut self) -> bool;
    /// Logs a note.
    fn note(&mut self, note: ServicesNote);
}
