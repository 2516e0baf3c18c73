//! The Pai Gow generator: one press, one starting position, kept until the round ends.
//!
//! A number may exist only after the shuffle and after the last bet (PG-10), is drawn
//! once (PG-11), lies in flash before it is shown (PG-17), and stands on a display
//! that is read back segment by segment (PG-20). Whatever is in doubt makes the display
//! dark and asks for the shaker (PG-16): a dark display costs a minute, a wrong number
//! costs the round.
//!
//! ```text
//! shuffle complete -> bets closed -> press -> draw -> keep -> light, read back -> publish
//!                                                    \-- 30 s at least --> round end: dark
//! ```
//!
//! | file | says |
//! |---|---|
//! | [`machine`] | which state follows which event |
//! | [`fault`] | why it is dark, and who may clear that |
//! | [`segments`] | how a digit looks, and why none can pass for another |
//! | [`seat`] | which place at the table a number means |
//! | [`certificate`] | what the shuffler's certificate proves about the cards of a round |
//! | [`record`] | the last numbers, in memory and in flash |
//! | [`device`] | the machine with its record and its keys |
//! | `signals`, `check`, `house` | what it is told of a round, how service clears it, what the house decides |
//! | `commands`, [`events`] | what it is asked over the wire, and what it publishes |
//! | [`ports`], [`mod@run`] | what it needs from outside, and the loop that joins them |

pub mod certificate;
mod check;
mod commands;
pub mod device;
pub mod events;
pub mod fault;
mod house;
pub mod machine;
pub mod ports;
pub mod record;
pub mod run;
pub mod seat;
pub mod segments;
mod signals;

pub use device::{PaiGow, Want};
pub use events::DeviceEvent;
pub use fault::Fault;
pub use machine::{Action, Event, Machine, ROUND_AT_LEAST, Refusal, State};
pub use record::{Entry, NumberStore, Record, Shuffling};
pub use run::{Front, run};
pub use seat::Seat;
pub use segments::Segments;
