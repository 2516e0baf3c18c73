//! Cyphal/CAN on classic CAN: frames of at most eight bytes, without a heap.
//!
//! [`Frames`] cuts a transfer into frames, [`Receiver`] joins frames into transfers.
//! Neither does I/O nor knows a clock; both follow chapter 4 of the Cyphal specification
//! v1.0, and pycyphal and canadensis are the tests' second opinion.
//!
//! An eighth byte of every frame, the [tail](Tail), says where in its transfer the frame
//! belongs; the identifier says who speaks, about what, and how urgently.

mod backlog;
mod frame;
mod identifier;
mod receiver;
mod sender;
mod slot;
mod tail;

pub use backlog::Backlog;
pub use frame::{Frame, MOST_BYTES};
pub use identifier::Address;
pub use receiver::Receiver;
pub use sender::{Frames, Unsendable};
pub use slot::FORGET_AFTER;
pub use tail::Tail;
