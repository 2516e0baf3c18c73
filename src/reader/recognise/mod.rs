//! Recognition: from grey frames of an index corner to the one permitted answer.
//!
//! A brand is taught from known cards and read by correlation at the few points where its
//! ranks differ. Integers only, fixed memory, the same path for every card. A wrong answer
//! is the worst there is (RD-11), so whatever is in doubt is not answered.
//!
//! ```text
//! teach:  frames -> ink -> common (per rank) -> region -> stencil and rows -> brand
//! read:   frames -> ink -> search (pose per rank) -> scores per set -> verdict
//! ```
//!
//! | file | says |
//! |---|---|
//! | [`frame`] | what the scan head delivers, and its geometry |
//! | [`answer`] | what may be asked and answered, and how the window ages |
//! | [`brand`] | what is kept of a brand, and how it reads |
//! | [`lesson`] | how a brand is taught |
//! | `common` | what the cards of one rank share |
//! | `region` | which part of the corner tells the rank |
//! | `ink` | print, without lamps, room and gloss |
//! | `stencil`, `taught` | the points looked at, and what each rank looks like there |
//! | `ground` | where all cards of a brand show the same |
//! | `edge` | whether a second card lies there |
//! | `search` | where the card lies |
//! | `verdict` | when an answer is sure |

pub mod answer;
pub mod brand;
mod common;
mod edge;
pub mod frame;
mod ground;
mod ink;
pub mod lesson;
mod region;
mod search;
mod stencil;
mod taught;
#[cfg(test)]
mod tests;
mod verdict;

pub use answer::{Answer, Judgement, Question, Window};
pub use brand::{BRAND_BYTES, Brand, Damaged};
pub use frame::{Capture, Frame, FrameSet, Strip};
pub use lesson::{LESSONS_PER_RANK, Lesson, NotLearned, NotTaught, STEPS, judged};
