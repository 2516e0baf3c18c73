//! The card shuffler: any order exactly, every card counted, nothing certified by guess.
//!
//! The whole order is drawn before a card moves; the wheel executes it, and counts prove
//! that it did. Only a whole clean cycle with the right count and the right backs certifies
//! the cards (SH-22). Jam, lid, door, power or a foreign card end the certificate, and the
//! cards must then be shuffled again in full.
//!
//! ```text
//! order -> plan -> feed, load, turn ... -> eject, count -> certificate -> release
//!                       \-- any fault: stopped, "not shuffled", latched, said in words
//! ```
//!
//! | file | says |
//! |---|---|
//! | [`card_path`], [`model`] | what the mechanism notices and does, one card in, one card out |
//! | [`plan`] | from a drawn order to slots, quickly |
//! | [`cycle`] | a whole shuffle: how it begins, feeds, unloads, counts and ends |
//! | [`batch`] | the two batches, the certificate and its proof |
//! | [`continuous`] | one batch that circulates |
//! | [`fault`], [`shown`], [`screen`] | why it stopped, the words for it, and their display |
//! | [`record`] | what outlives a power cut |
//! | [`machine`], `moment`, `commit` | which state follows which event, and what must be done |
//! | [`device`] | the machine with its store, services and events |
//! | `commands`, [`events`] | what it is asked over the wire, and what it publishes |
//! | [`ports`], [`mod@run`], [`motion`] | what it needs from outside, the loop, the wheel's motor |

pub mod batch;
pub mod card_path;
mod commands;
mod commit;
pub mod continuous;
pub mod cycle;
pub mod device;
pub mod events;
pub mod fault;
pub mod machine;
pub mod model;
mod moment;
pub mod motion;
pub mod plan;
pub mod ports;
pub mod record;
pub mod run;
pub mod screen;
pub mod shown;

pub use batch::certificate::{self, Certificate, Certified};
pub use batch::{Age, Batches, Life};
pub use card_path::event::{self, Action, Axis, Back, Beam, Contact, Effort, Event, Look, Outlet};
pub use card_path::look::Slots;
pub use card_path::path;
pub use card_path::wheel::{self, TIMINGS, Timings, Wheel};
pub use continuous::Continuous;
pub use continuous::queue::{self, Queue};
pub use cycle::Cycle;
pub use cycle::count::{Receipt, Tally};
pub use device::Shuffler;
pub use events::DeviceEvent;
pub use fault::{Cut, Fault, Station};
pub use machine::{Machine, Moment, State, Want};
pub use model::Model;
pub use plan::pace::Pace;
pub use plan::{Plan, Unplannable};
pub use record::{Inventory, Record, ShufflerStore};
pub use run::{LoopState, Table, run};
pub use shown::Shown;

use crate::protocol::generated::croupier::shuffler::{Batch, Phase};
