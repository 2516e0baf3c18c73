//! The card path: one card in, one card out, the wheel to its slot.
//!
//! Path, wheel, look and sweep know no shuffle. They are told what to do next, and report what
//! came of it.
//!
//! | file | says |
//! |---|---|
//! | [`event`], [`wheel`] | what the mechanism notices and does, and how long that takes |
//! | [`path`], `inlet`, `ejector` | one order at a time, each with its deadline and its report |
//! | [`look`] | one turn of the wheel says whether every slot is empty |
//! | [`sweep`] | every slot is tried until nothing comes out |
//! | `contacts` | lid, door and trays, as the machine takes them |

mod contacts;
mod ejector;
pub mod event;
mod inlet;
pub mod look;
pub mod path;
pub mod sweep;
pub mod wheel;
