//! One batch: shuffled, dealt, gathered, and shuffled again.
//!
//! So it is in a game of rounds whose table uses one deck (SH-16), and where a state's rule knows
//! no second batch. The dealer waits for the cards, and takes them as soon as they are certified.

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::Role;

use super::Watch;
use super::crew::{Crew, Stuck};

/// Cycles until the table closes.
const SESSION: u64 = 150;

/// Plays until `cycles` cycles were asked for.
pub(super) fn play(crew: &mut Crew, cycles: u64, see: &mut Watch<'_>) -> Result<(), Stuck> {
    let colour = BackColour::Blue;
    crew.open(colour);
    let mut closes = SESSION / 2 + crew.rng.u64(..SESSION);
    while crew.asked < cycles {
        crew.change_if_old(colour);
        crew.load(colour);
        crew.shuffle(colour, Role::Device)?;
        see(&crew.table);
        if crew.happens(5) {
            // The dealer is at something else.
            let pause = crew.rng.u64(5_000_000..60_000_000);
            crew.table.wait(pause);
        }
        crew.fetch(colour, Role::Device)?;
        let round = crew.rng.u64(40_000_000..90_000_000);
        crew.table.wait(round);
        crew.end_of_play();
        if crew.slips && crew.asked > closes {
            crew.night(colour);
            closes = crew.asked + SESSION;
        }
    }
    Ok(())
}
