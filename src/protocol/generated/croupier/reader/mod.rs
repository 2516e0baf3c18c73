//! The namespace `croupier.reader`, written from the DSDL by `cargo xtask dsdl`.

mod arm;
mod armed;
mod insertion;
mod lesson;
mod nest_change;
mod reading;
mod round_end;
mod taught;
mod teach;
mod teach_action;
mod up_card;
mod verdict;

pub use arm::{ArmRequest, ArmResponse};
pub use armed::Armed;
pub use insertion::Insertion;
pub use lesson::Lesson;
pub use nest_change::NestChange;
pub use reading::Reading;
pub use round_end::{RoundEndRequest, RoundEndResponse};
pub use taught::Taught;
pub use teach::{TeachRequest, TeachResponse};
pub use teach_action::TeachAction;
pub use up_card::UpCard;
pub use verdict::Verdict;
