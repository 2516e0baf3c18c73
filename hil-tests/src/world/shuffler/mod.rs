//! The shuffler's mechanical world: cards, mechanism, motion controller, hands.
//!
//! Two ways to run it with the same troubles and seeds: in process, in virtual time, with
//! the very loop the firmware runs (thousands of shuffles a second), and beside a
//! guest, through its pins and its motion UART, in step with the guest's own time.
//!
//! | file | is |
//! |---|---|
//! | [`card`], [`places`] | the cards, and where each of them is |
//! | [`mechanism`], `steps`, `turning`, [`hands`] | what moves them |
//! | `slot_beam` | what the beam across the wheel shows |
//! | [`trouble`] | what goes wrong, by rate or at a chosen card |
//! | [`simulation`], `surroundings`, [`orders`] | the image's loop on it, in virtual time |
//! | `floor` | what people and controller ask by sealed command |
//! | [`campaign`] | every game played its own way, by people who slip, before a judge |
//! | [`figures`] | how long it all takes, beside the mechanism's floor |
//! | [`view`] | what a person may see of it |
//! | [`pin_coupling`], `clock` | the same beside a guest, in step with it, or a board, in real time |
//! | [`fixture`] | an image at a table of its own: guest, world, hands, controller |
//! | [`demonstration`] | five scenes, for the table |
//! | [`chip`], [`ramp`] | the motion controller on the wheel's axis |

pub mod campaign;
pub mod card;
pub mod chip;
mod clock;
pub mod demonstration;
pub mod figures;
pub mod fixture;
mod floor;
pub mod hands;
pub mod mechanism;
pub mod orders;
pub mod pin_coupling;
pub mod places;
pub mod ramp;
pub mod simulation;
mod slot_beam;
mod steps;
mod surroundings;
pub mod trouble;
mod turning;
pub mod view;

pub use campaign::{Campaign, Results};
pub use card::{Card, CardId, pack};
pub use mechanism::Mechanism;
pub use orders::HostNoise;
pub use places::{Census, Places};
pub use simulation::Simulation;
pub use trouble::{Fate, Planned, Trouble};
