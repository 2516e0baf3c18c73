//! What the arguments of `shuffle` come to: game, machine and cards.

use arguments::Shuffle;
use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::{Dealing, Role};
use croupier::services::Chosen;
use croupier::shuffler::Model;
use hil_tests::world::shuffler::Planned;
use hil_tests::world::shuffler::trouble::Moment;

/// The chapters, as people name the games.
const CHAPTERS: [(&str, Game); 11] = [
    ("581", Game::DoubleAttackBlackjack),
    ("583", Game::FlopPoker),
    ("587", Game::RaiseItUpStud),
    ("588", Game::SixCardFortunePaiGow),
    ("589", Game::LunarPoker),
    ("590", Game::FreeBetTemporary),
    ("591", Game::DoubleBackJack),
    ("592", Game::CrissCrossPoker),
    ("672a", Game::FreeBet),
    ("685a", Game::DownUnderBlackjack),
    ("sd", Game::FreeBetSouthDakota),
];

/// The game as a floorperson would set it, its batch total, and the machine for it.
pub fn game(arguments: &Shuffle) -> Result<(Chosen, usize, Model), String> {
    let named = CHAPTERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&arguments.profile));
    let (_, game) = named.ok_or_else(|| {
        let known = CHAPTERS.map(|(name, _)| name).join(", ");
        format!("no game has the chapter `{}`; known: {known}", arguments.profile)
    })?;
    let profile = game.profile();
    let decks = match arguments.decks {
        Some(decks) => decks,
        None => (1..=8).find(|decks| profile.batch_total(*decks).is_some()).unwrap_or(1),
    };
    let total = profile
        .batch_total(decks)
        .ok_or_else(|| format!("{} is not played with {decks} decks a batch", arguments.profile))?;
    let seats = profile.seats.map_or(6, |most| most.rule);
    let (dealing, by) = (Dealing::default(), Role::Floorperson);
    let chosen = Chosen { game: *game, decks, dealing, seats, by, at_ms: 0 };
    let single = u16::from(Model::SingleDeck.wheel().slots) >= total;
    let model = if single { Model::SingleDeck } else { Model::MultiDeck };
    Ok((chosen, total.into(), model))
}

/// How often a machine moves each card.
pub fn passes(model: Model) -> u8 {
    if model == Model::SingleDeck { 1 } else { 2 }
}

/// The troubles that are planned; one that no card could meet is refused.
pub fn faults(arguments: &Shuffle, cards: usize, model: Model) -> Result<Vec<Planned>, String> {
    let most = cards * usize::from(passes(model));
    let planned = arguments.faults.iter().cloned().map(Planned::from);
    let reached = |planned: Planned| {
        // Turns are not counted by cards.
        if planned.trouble.moment() == Moment::Turn || planned.at as usize <= most {
            return Ok(planned);
        }
        let Planned { trouble, at } = planned;
        Err(format!("{trouble}@{at} would never strike: {cards} cards are moved {most} times"))
    };
    planned.map(reached).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arguments::Arguments;
    use hil_tests::world::shuffler::Trouble;

    fn read(line: &str) -> Shuffle {
        Shuffle::try_read(std::iter::once("shuffle").chain(line.split_whitespace())).unwrap()
    }

    #[test]
    fn every_chapter_the_command_line_takes_is_a_game() {
        for (chapter, game) in CHAPTERS {
            let chosen = super::game(&read(&format!("--profile {chapter}"))).unwrap();
            assert_eq!(chosen.0.game, game);
        }
    }

    #[test]
    fn a_fault_that_no_card_could_meet_is_refused() {
        let line = |fault: &str| read(&format!("--profile 588 --fault {fault}"));
        let why = faults(&line("jam@900"), 53, Model::SingleDeck).unwrap_err();
        assert_eq!(why, "jam@900 would never strike: 53 cards are moved 53 times");
        let last = Planned { trouble: Trouble::Jam, at: 53 };
        assert_eq!(faults(&line("jam@53"), 53, Model::SingleDeck), Ok(vec![last]));
        assert!(faults(&line("jam@54"), 53, Model::SingleDeck).is_err());
        assert!(faults(&line("jam@800"), 416, Model::MultiDeck).is_ok());
        assert!(faults(&line("stall@900"), 53, Model::SingleDeck).is_ok());
    }
}
