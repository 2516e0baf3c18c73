//! The card shuffler: any order exactly, every card counted, honest after every interruption.
//!
//! The order is drawn whole before a card moves; the wheel only executes it and proves
//! that it did. What comes out is certified by a whole clean cycle with the right count
//! and the right backs, and by nothing else (SH-22). Jam, lid, door, power or a foreign
//! card end the certificate, and the only way out is a full reshuffle.
//!
//! ```text
//! order -> plan -> feed, load, turn ... -> eject, count -> certificate -> release
//!                       \-- any fault: stopped, "not shuffled", latched, said in words
//! ```
//!
//! | file | says |
//! |---|---|
//! | [`event`], [`wheel`], [`model`] | what the mechanism notices and does, and how long that takes |
//! | [`plan`], `shape`, `exchange`, [`pace`] | from a drawn order to slots, quickly |
//! | [`path`], `inlet`, `ejector` | one card in, one card out, each on time |
//! | [`cycle`], `feed`, `unload`, [`sweep`], `proof` | a whole shuffle; bringing out whatever is inside |
//! | [`count`], [`certificate`], [`batch`] | the count, the certificate, the two batches |
//! | [`continuous`], [`queue`] | one batch that circulates |
//! | [`fault`], [`shown`], [`screen`] | why it stopped, the words for it, and their display |
//! | [`ledger`] | what outlives a power cut |
//! | [`device`], `starting`, `ending`, `circulating` | the device that joins all this |
//! | `commands`, [`events`] | what it is asked over the wire, and what it tells |
//! | [`ports`], [`mod@run`], [`motion`] | what it needs from outside, the loop, the wheel's motor |

pub mod batch;
pub mod certificate;
mod circulating;
mod commands;
pub mod continuous;
pub mod count;
pub mod cycle;
pub mod device;
mod ejector;
mod ending;
pub mod event;
pub mod events;
mod exchange;
pub mod fault;
mod feed;
mod inlet;
pub mod ledger;
pub mod model;
pub mod motion;
pub mod pace;
pub mod path;
pub mod plan;
pub mod ports;
mod proof;
pub mod queue;
pub mod run;
pub mod screen;
mod shape;
pub mod shown;
mod starting;
pub mod sweep;
mod unload;
pub mod wheel;

pub use batch::Batches;
pub use certificate::{Certificate, Certified};
pub use continuous::Continuous;
pub use count::{Receipt, Tally};
pub use cycle::Cycle;
pub use device::{Shuffler, State, Want};
pub use event::{Action, Axis, Back, Beam, Contact, Effort, Event, Look, Outlet};
pub use events::DeviceEvent;
pub use fault::{Cut, Fault, Station};
pub use ledger::{Inventory, Ledger, ShufflerStore};
pub use model::Model;
pub use pace::Pace;
pub use plan::{Plan, Unplannable};
pub use queue::Queue;
pub use run::{Table, run};
pub use shown::Shown;
pub use wheel::{TIMINGS, Timings, Wheel};

use crate::protocol::generated::croupier::shuffler::{Batch, Phase};
