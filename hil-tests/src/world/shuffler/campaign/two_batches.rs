//! Two batches in turn: one is played while the other is shuffled and waits inside.
//!
//! By shoe in the games of 208 to 416 cards, by round in a game of rounds with two decks. Now and
//! then a shoe runs out, a floorperson wants the cards shuffled, or the table is empty.

use croupier::cards::BackColour;
use croupier::profile::{IdleBatch, Profile, TwoBatches};
use croupier::protocol::generated::croupier::common::Role;
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::State;

use super::crew::{Crew, MOST_TRIES, Shuffled, Stuck};
use super::results::{Wrong, note};
use crate::world::shuffler::simulation::is_certified;

/// A card takes so long to be played, with all that is done about it.
const CARD_US: u64 = 7_000_000;
const HOUR_US: u64 = 3_600_000_000;
/// Rounds until a new deck comes in the place of one that was removed.
const ALONE: u32 = 8;

/// What distinguishes a shoe from a round.
struct Game {
    profile: &'static Profile,
    /// Shoes or rounds until the table closes.
    session: u64,
}

/// Plays until `cycles` cycles were asked for.
pub(super) fn play(crew: &mut Crew, cycles: u64, profile: &'static Profile) -> Result<(), Stuck> {
    let session = if crew.total > 53 { 25 } else { 200 };
    let game = Game { profile, session };
    crew.open(BackColour::Red);
    crew.open(BackColour::Blue);
    let mut last = None;
    while crew.asked < cycles {
        let playing = play_on(crew, &game, last, cycles)?;
        let released = close(crew, playing)?;
        last = Some(released);
        if may_be_one(profile) && crew.happens(3) {
            alone(crew, released)?;
        }
    }
    Ok(())
}

/// Whether the table may go on with one batch (583.3(b) and its like).
fn may_be_one(profile: &Profile) -> bool {
    profile.batches.is_some_and(|batches| batches.two.rule == TwoBatches::Optional)
}

/// The other deck was removed, and no new one is at hand: a floorperson retires it, and `left` is
/// played alone until one comes (SH-16).
fn alone(crew: &mut Crew, left: BackColour) -> Result<(), Stuck> {
    if !crew.retire(left.other()) {
        return Ok(());
    }
    for _ in 0..ALONE {
        crew.change_if_old(left);
        crew.load(left);
        if crew.shuffle(left, Role::Device)? == Shuffled::OtherTurn {
            return Err(crew.give_up("the only batch is out of turn"));
        }
        crew.fetch(left, Role::Device)?;
        crew.judge.results.alone += 1;
        crew.table.wait(CARD_US * crew.total as u64 / 4);
        crew.end_of_play();
    }
    crew.open(left.other());
    Ok(())
}

/// One session; `last` was played in the one before. Which batch was played last.
fn play_on(
    crew: &mut Crew,
    game: &Game,
    last: Option<BackColour>,
    cycles: u64,
) -> Result<BackColour, Stuck> {
    let mut playing = begin(crew, last)?;
    let ends = cycles.min(crew.asked + game.session);
    while crew.asked < ends {
        let next = playing.other();
        if game.profile.round().is_none() && crew.happens(50) {
            // The dealer has not yet loaded the other batch, and the machine is empty.
            shuffle_discards(crew, playing)?;
        }
        if crew.happens(50) {
            again(crew, playing)?;
        }
        make_ready(crew, next)?;
        playing = play_out(crew, game, playing)?;
        crew.end_of_play();
        if crew.asked < ends {
            crew.fetch(playing.other(), Role::Device)?;
            playing = playing.other();
        }
    }
    Ok(playing)
}

/// The table opens: the batch whose turn it is gets shuffled and dealt. Now and then it is the
/// wrong one, which the device does not take.
fn begin(crew: &mut Crew, last: Option<BackColour>) -> Result<BackColour, Stuck> {
    let turn = last.map_or(BackColour::Red, BackColour::other);
    let first = if crew.happens(3) { turn.other() } else { turn };
    crew.change_if_old(first);
    crew.load(first);
    let first = match crew.shuffle(first, Role::Device)? {
        Shuffled::Certified => first,
        Shuffled::OtherTurn => {
            make_ready(crew, first.other())?;
            first.other()
        }
    };
    crew.fetch(first, Role::Device)?;
    Ok(first)
}

/// Shuffles a batch that lies on the table, while the other one is played.
fn make_ready(crew: &mut Crew, next: BackColour) -> Result<(), Stuck> {
    crew.change_if_old(next);
    crew.load(next);
    match crew.shuffle(next, Role::Device)? {
        Shuffled::Certified => Ok(()),
        Shuffled::OtherTurn => Err(crew.give_up("neither batch has its turn")),
    }
}

/// The table closes. The stored batch comes out, or stays inside though the power goes off; then
/// it lies in the feed tray afterwards, and is taken from there. Which batch was released last.
fn close(crew: &mut Crew, playing: BackColour) -> Result<BackColour, Stuck> {
    let mut released = playing;
    if crew.has_stack() && crew.rng.bool() {
        released = playing.other();
        crew.fetch(released, Role::Floorperson)?;
    }
    crew.night(playing);
    crew.unload(playing.other());
    Ok(released)
}

/// The batch in play is dealt to its cover card, unless something comes between; which batch is
/// in play at the end, the other one waiting inside.
fn play_out(crew: &mut Crew, game: &Game, playing: BackColour) -> Result<BackColour, Stuck> {
    let shoe = CARD_US * crew.total as u64 * 3 / 4;
    let shoe = if game.profile.round().is_some() { shoe / 4 } else { shoe };
    crew.table.wait(shoe / 2);
    crew.keep_ready(playing.other(), Role::Device)?;
    let playing = if game.profile.round().is_none() && crew.happens(30) {
        short_shoe(crew, playing)?
    } else if crew.happens(40) {
        reshuffle(crew, playing)?
    } else if crew.happens(40) {
        idle(crew, game, playing)?
    } else {
        playing
    };
    crew.table.wait(shoe / 2);
    Ok(playing)
}

/// The shoe runs out in mid-round, and the other batch is stored inside (SH-28).
fn short_shoe(crew: &mut Crew, playing: BackColour) -> Result<BackColour, Stuck> {
    if shuffle_discards(crew, playing)? {
        return Ok(playing);
    }
    if crew.rng.bool() {
        note(&mut crew.judge.results.answers, "short shoe: shuffled by hand".into());
        return Ok(playing);
    }
    swap(crew, playing)
}

/// Shuffles the discards for the rest of the round, if the machine takes them; whether it did.
fn shuffle_discards(crew: &mut Crew, playing: BackColour) -> Result<bool, Stuck> {
    let pile = crew.pile(playing);
    let dealt = pile.split_off(pile.len().saturating_sub(18));
    let rest = std::mem::replace(pile, dealt);
    crew.table.put_back(&rest);
    for _ in 0..MOST_TRIES {
        if let Err(refused) = crew.table.ask(Task::Start, Purpose::PartialBatch, Role::Device) {
            crew.note_refusal("START of a partial batch", refused);
            crew.unload(playing);
            return Ok(false);
        }
        if crew.table.shuffler.state() == State::Ready {
            take_discards(crew, playing);
            return Ok(true);
        }
        crew.attend(playing)?;
    }
    Err(crew.give_up("START of a partial batch"))
}

/// The shuffled discards come out. They are no batch, and must not be certified as one.
fn take_discards(crew: &mut Crew, playing: BackColour) {
    if is_certified(&crew.table.shuffler) {
        crew.judge.is_wrong(Wrong::NotTheBatch);
    }
    if let Err(refused) = crew.table.ask(Task::Release, Purpose::None, Role::Device) {
        crew.note_refusal("RELEASE of a partial batch", refused);
    }
    let cards = crew.take_stack();
    crew.pile(playing).extend(cards);
    note(&mut crew.judge.results.answers, "short shoe: shuffled by the machine".into());
}

/// A floorperson wants the batch in play shuffled at once, and the other one is stored inside.
fn reshuffle(crew: &mut Crew, playing: BackColour) -> Result<BackColour, Stuck> {
    crew.load(playing);
    if let Err(refused) = crew.table.ask(Task::Start, Purpose::FullBatch, Role::Floorperson) {
        crew.note_refusal("a floorperson's START", refused);
    }
    crew.unload(playing);
    swap(crew, playing)
}

/// A floorperson wants the batch in play shuffled at once, and the machine is empty.
fn again(crew: &mut Crew, playing: BackColour) -> Result<(), Stuck> {
    crew.load(playing);
    if crew.shuffle(playing, Role::Floorperson)? == Shuffled::OtherTurn {
        return Err(crew.give_up("a floorperson's reshuffle is out of turn"));
    }
    crew.fetch(playing, Role::Floorperson)
}

/// A floorperson releases the stored batch into play, and the other one is shuffled.
fn swap(crew: &mut Crew, playing: BackColour) -> Result<BackColour, Stuck> {
    crew.fetch(playing.other(), Role::Floorperson)?;
    make_ready(crew, playing)?;
    Ok(playing.other())
}

/// The table is empty (SH-25). The first player to come sees the cards in play spread; they
/// go into the machine, and then the stored batch comes out: to be dealt as it is, if the game
/// allows that and the device says that nothing was disturbed, or to be spread and shuffled too.
fn idle(crew: &mut Crew, game: &Game, playing: BackColour) -> Result<BackColour, Stuck> {
    let stored = playing.other();
    if let Err(refused) = crew.table.ask(Task::Store, Purpose::None, Role::Device) {
        crew.note_refusal("STORE", refused);
    }
    let hours = crew.rng.u64(HOUR_US / 2..2 * HOUR_US);
    crew.table.wait(hours);
    let rules = game.profile.shuffler.as_ref();
    let allowed =
        rules.is_some_and(|rules| rules.idle_batch.rule == IdleBatch::UsableIfSingleAndSecure);
    crew.keep_ready(stored, Role::Device)?;
    if allowed {
        crew.load(playing);
    }
    let certificate = crew.table.shuffler.record().certificate;
    let unspread = certificate.may_be_dealt_unspread(game.profile);
    crew.fetch(stored, Role::Device)?;
    if unspread {
        crew.judge.results.unspread += 1;
    } else {
        if allowed {
            let told = "idle table: the stored batch was not certified any more";
            note(&mut crew.judge.results.answers, told.into());
            crew.unload(playing);
        }
        crew.judge.results.spread += 1;
        crew.load(stored);
        if crew.shuffle(stored, Role::Floorperson)? == Shuffled::OtherTurn {
            return Err(crew.give_up("the spread batch is out of turn"));
        }
        crew.fetch(stored, Role::Floorperson)?;
    }
    // Unless it lies in the feed tray already.
    crew.load(playing);
    match crew.shuffle(playing, Role::Device)? {
        Shuffled::Certified => Ok(stored),
        Shuffled::OtherTurn => Err(crew.give_up("neither batch has its turn")),
    }
}
