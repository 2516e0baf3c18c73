//! The card path: one card in, one card out, the wheel to its slot.
//!
//! Nothing here knows a shuffle. It is told what to do next, and says what came of it.
//!
//! | file | says |
//! |---|---|
//! | [`event`], [`wheel`] | what the mechanism notices and does, and how long that takes |
//! | [`path`], `inlet`, `ejector` | one order at a time, each with its deadline and its report |
//! | [`sweep`] | every slot is tried until nothing comes out |
//! | `contacts` | lid, door and trays, as the machine takes them |

mod contacts;
mod ejector;
pub mod event;
mod inlet;
pub mod path;
pub mod sweep;
pub mod wheel;
