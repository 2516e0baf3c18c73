//! A continuous machine: one batch circulates, round after round.
//!
//! Cards are drawn from the chute one by one, and come back at the end of the round. Sometimes a
//! hand is disputed and the last round is asked back. At the end of the session all cards come
//! out. The judge compares every number the machine tells with where the cards are.

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::Role;
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::State;

use super::crew::{Crew, MOST_TRIES, Stuck};
use super::results::{Wrong, note};
use crate::world::shuffler::CardId;

/// Rounds until the table closes.
const SESSION: u32 = 40;
const COLOUR: BackColour = BackColour::Blue;
/// Two cards that leave the exit as one show in the chute when the first of them is drawn.
const UNTIL_THE_NEXT_DRAW: &str = "numbers that are not so, until the next card is drawn";

/// Plays until `cards` cards were dealt.
pub(super) fn play(crew: &mut Crew, cards: u64) -> Result<(), Stuck> {
    crew.open(COLOUR);
    let mut tries = 0;
    while crew.judge.results.dealt < cards {
        let before = crew.judge.results.dealt;
        crew.change_if_old(COLOUR);
        crew.load(COLOUR);
        fill(crew)?;
        play_on(crew, cards)?;
        close(crew)?;
        crew.night(COLOUR);
        crew.unload(COLOUR);
        tries = if crew.judge.results.dealt == before { tries + 1 } else { 0 };
        if tries > MOST_TRIES {
            return Err(crew.give_up("no card is dealt"));
        }
    }
    Ok(())
}

/// Starts the machine with all its cards in the feed tray, until it circulates.
fn fill(crew: &mut Crew) -> Result<(), Stuck> {
    for _ in 0..MOST_TRIES {
        crew.asked += 1;
        let answer = crew.table.ask(Task::Start, Purpose::Continuous, Role::Device);
        match (answer, crew.table.shuffler.state()) {
            (Ok(()), State::Circulating) => return Ok(()),
            (Ok(()), _) => recover(crew)?,
            (Err(refused), _) => {
                crew.note_refusal("START", refused);
                crew.recover(COLOUR)?;
                crew.look_inside(COLOUR);
            }
        }
    }
    Err(crew.give_up("START"))
}

/// After a stop all cards, those of the round too, go back to the feed tray.
fn recover(crew: &mut Crew) -> Result<(), Stuck> {
    crew.attend(COLOUR)?;
    crew.load(COLOUR);
    Ok(())
}

fn play_on(crew: &mut Crew, cards: u64) -> Result<(), Stuck> {
    // Rounds in a row that ended with numbers that were not so.
    let mut astray = 0_u32;
    for _ in 0..SESSION {
        if crew.judge.results.dealt >= cards {
            break;
        }
        crew.judge.results.started += 1;
        if !round(crew) {
            recover(crew)?;
            fill(crew)?;
            astray = 0;
        }
        astray = if is_inventory_so(crew) { 0 } else { astray + 1 };
        match astray {
            1 => note(&mut crew.judge.results.answers, UNTIL_THE_NEXT_DRAW.into()),
            // Blamed once for each filling, for the same card is missed in every round.
            2 => crew.judge.is_wrong(Wrong::Inventory),
            _ => {}
        }
    }
    Ok(())
}

/// One round; whether the machine still circulates.
fn round(crew: &mut Crew) -> bool {
    let hands = crew.rng.usize(8..=26);
    let mut dealt = Vec::new();
    for _ in 0..hands {
        let Some(card) = draw(crew) else { break };
        dealt.push(card);
        crew.pile(COLOUR).push(card);
    }
    let pause = crew.rng.u64(2_000_000..20_000_000);
    crew.table.wait(pause);
    if crew.table.shuffler.state() != State::Circulating {
        return false;
    }
    bring_back(crew);
    if crew.happens(20) && dealt.len() <= 24 {
        dispute(crew, &dealt);
    }
    if crew.table.shuffler.state() != State::Circulating {
        return false;
    }
    crew.judge.results.certified += 1;
    if let Err(refused) = crew.table.ask(Task::NextRound, Purpose::None, Role::Device) {
        crew.note_refusal("NEXT_ROUND", refused);
    }
    crew.table.shuffler.state() == State::Circulating
}

/// The dealer draws the card in the chute, when one has come.
fn draw(crew: &mut Crew) -> Option<CardId> {
    crew.table.settle();
    let now = crew.table.now();
    let card = crew.table.mechanism.draw(now)?;
    crew.table.settle();
    crew.judge.results.dealt += 1;
    let places = &crew.table.mechanism.places;
    let own = crew.judge.batch(COLOUR).is_some_and(|batch| batch.cards.contains(&card));
    if !own || places.card(card).face_up {
        crew.judge.is_wrong(Wrong::NotTheBatch);
    }
    Some(card)
}

/// The cards of the round go back to the feed tray, in their order.
fn bring_back(crew: &mut Crew) {
    crew.load(COLOUR);
    crew.table.settle();
}

/// A hand is disputed: the last round comes back in its order (SH-21), and is put in again.
fn dispute(crew: &mut Crew, dealt: &[CardId]) {
    if let Err(refused) = crew.table.ask(Task::GiveBack, Purpose::None, Role::Dealer) {
        return crew.note_refusal("GIVE_BACK", refused);
    }
    if crew.table.shuffler.state() != State::Circulating {
        return;
    }
    let now = crew.table.now();
    let given = crew.table.mechanism.take_feed(now);
    crew.table.settle();
    if given != dealt {
        note(&mut crew.judge.results.answers, "GIVE_BACK: not the round in its order".into());
    }
    crew.table.put_back(&given);
}

/// Whether the cards are where the machine says that they are (SH-19). A card that slipped under the
/// rail is inside: not dealt, and missed when its slot has nothing to give or at EMPTY.
fn is_inventory_so(crew: &Crew) -> bool {
    let Some(circulation) = crew.table.shuffler.circulation() else { return true };
    let told = circulation.inventory();
    let places = &crew.table.mechanism.places;
    let census = places.census();
    usize::from(told.inside) == census.wheel + places.rail.len()
        && usize::from(told.delivered) == census.delivery
        && usize::from(told.inside + told.delivered + told.out) == crew.total
}

/// The table closes: every card comes out, and all must be there.
fn close(crew: &mut Crew) -> Result<(), Stuck> {
    crew.empty_out(COLOUR)?;
    let cards = crew.loose(COLOUR);
    crew.pile(COLOUR).extend(cards);
    let census = crew.table.mechanism.places.census();
    if census.wheel + census.path > 0 {
        crew.judge.is_wrong(Wrong::LeftInside);
    }
    Ok(())
}
