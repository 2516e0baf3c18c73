//! The hole-card reader: right, and silent beyond what the rule allows.
//!
//! It takes the place of a dealer who looks at a card. So it answers one question a
//! round, whose wording the rules fix (RD-01, RD-02), at one fixed time (RD-21), with one
//! lamp that is read back, and keeps nothing of the card (RD-20). What is doubtful is not
//! answered: a second read costs a second, a wrong light costs the round (RD-11).
//!
//! ```text
//! up-card -> card home -> look -> forget the frames -> fixed time: lamp, read back -> publish
//!        \-- another up-card, or none: the same notice at the same time, and no look at all
//! ```
//!
//! | file | says |
//! |---|---|
//! | [`nest`] | when a card is home |
//! | [`round`] | which question a round has, and when it has none |
//! | [`machine`] | which state follows which event, and when the lamp is lit |
//! | [`lamps`] | which lamp says what |
//! | [`fault`] | why it is out of service |
//! | [`check`], [`lesson`] | the gaming-day check and the teaching of a brand, step by step |
//! | [`record`], `reader_store` | what outlives a power cut, and where it is kept |
//! | [`device`], [`inputs`], `actions`, `floor`, `house` | all that joined; only `device` uses the store |
//! | `commands`, [`events`] | what it is asked over the wire, and what it publishes |
//! | [`recognise`], [`eye`] | how a card is read, and how it is forgotten |
//! | [`capture`] | the exposures of one card, and the light they are taken by |
//! | [`ports`], [`mod@run`] | what it needs from outside, and the loop that joins them |

mod actions;
pub mod capture;
pub mod check;
mod commands;
pub mod device;
pub mod events;
pub mod eye;
pub mod fault;
mod floor;
mod house;
pub mod inputs;
pub mod lamps;
pub mod lesson;
pub mod machine;
pub mod nest;
pub mod ports;
mod reader_store;
pub mod recognise;
pub mod record;
pub mod round;
pub mod run;

pub use device::Reader;
pub use events::DeviceEvent;
pub use eye::Camera;
pub use fault::Fault;
pub use inputs::Want;
pub use lamps::Lit;
pub use machine::{Action, Event, Machine, State};
pub use reader_store::ReaderStore;
pub use record::{Label, Record};
pub use round::{Mode, Round};
pub use run::{Front, run};
