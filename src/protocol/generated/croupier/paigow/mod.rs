//! The namespace `croupier.paigow`, written from the DSDL by `cargo xtask dsdl`.

mod arm;
mod blank_reason;
mod blanked;
mod direction;
mod number;
mod recall;
mod round_end;
mod signal;

pub use arm::{ArmRequest, ArmResponse};
pub use blank_reason::BlankReason;
pub use blanked::Blanked;
pub use direction::Direction;
pub use number::Number;
pub use recall::{RecallRequest, RecallResponse};
pub use round_end::{RoundEndRequest, RoundEndResponse};
pub use signal::Signal;
