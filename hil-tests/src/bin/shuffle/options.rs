//! What the arguments of `shuffle` come to: game, machine and cards.

use arguments::{Machine, Shuffle};
use croupier::profile::{Game, ShufflerKind};
use croupier::protocol::generated::croupier::common::{Dealing, Role};
use croupier::services::Chosen;
use croupier::shuffler::Model;
use hil_tests::world::shuffler::trouble::Moment;
use hil_tests::world::shuffler::{Campaign, Planned};

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
pub(crate) fn game(arguments: &Shuffle) -> Result<(Chosen, usize, Model), String> {
    let named = CHAPTERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&arguments.game));
    let (_, game) = named.ok_or_else(|| {
        let known = CHAPTERS.map(|(name, _)| name).join(", ");
        format!("no game has the chapter `{}`; known: {known}", arguments.game)
    })?;
    let profile = game.profile();
    let decks = match arguments.decks {
        Some(decks) => decks,
        None => (1..=8).find(|decks| profile.batch_total(*decks).is_some()).unwrap_or(1),
    };
    let total = profile
        .batch_total(decks)
        .ok_or_else(|| format!("{} is not played with {decks} decks a batch", arguments.game))?;
    let seats = profile.seats.map_or(6, |most| most.rule);
    let (dealing, by) = (Dealing::default(), Role::Floorperson);
    let chosen = Chosen { game: *game, decks, dealing, seats, by, at_ms: 0 };
    let single = u16::from(Model::SingleDeck.wheel().slots) >= total;
    let model = if single { Model::SingleDeck } else { Model::MultiDeck };
    Ok((chosen, total.into(), model))
}

/// The campaigns of a soak: one for each game that is meant and goes with the machine.
pub(crate) fn campaigns(arguments: &Shuffle) -> Result<Vec<Campaign>, String> {
    let meant = CHAPTERS.iter().filter(|(chapter, game)| {
        let rounds = game.profile().round().is_some();
        let goes = match arguments.model {
            Some(Machine::Single) => rounds || arguments.decks == Some(1),
            Some(Machine::Continuous) => game.profile().takes(ShufflerKind::Continuous),
            Some(Machine::Multi) => !rounds || !arguments.all(),
            None => true,
        };
        goes && (arguments.all() || chapter.eq_ignore_ascii_case(&arguments.game))
    });
    meant.map(|(_, game)| campaign(arguments, *game)).collect()
}

fn campaign(arguments: &Shuffle, game: Game) -> Result<Campaign, String> {
    let profile = game.profile();
    let rounds = profile.round().is_some();
    // A shoe is of 208 to 416 cards: six decks, or as many as the game wants.
    let wanted = if rounds { 1..=1 } else { 6..=8 };
    let usual = || wanted.clone().find(|decks| profile.batch_total(*decks).is_some()).unwrap_or(1);
    let decks = arguments.decks.unwrap_or_else(usual);
    let model = match arguments.model {
        Some(Machine::Single) => Model::SingleDeck,
        Some(Machine::Multi) => Model::MultiDeck,
        Some(Machine::Continuous) => Model::Continuous,
        None if rounds => Model::SingleDeck,
        None => Model::MultiDeck,
    };
    let plant_every = arguments.planted;
    let field = arguments.field.unwrap_or(1.0);
    Ok(Campaign { field, plant_every, ..Campaign::new(game, decks, model)? })
}

/// How often a machine moves each card.
pub(crate) fn passes(model: Model) -> u8 {
    if model == Model::SingleDeck { 1 } else { 2 }
}

/// The troubles that are planned; one that no card could meet is refused.
pub(crate) fn faults(
    arguments: &Shuffle,
    cards: usize,
    model: Model,
) -> Result<Vec<Planned>, String> {
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
            let chosen = super::game(&read(&format!("--game {chapter}"))).unwrap();
            assert_eq!(chosen.0.game, game);
        }
    }

    #[test]
    fn a_soak_of_all_games_leaves_none_out() {
        let count = |line: &str| campaigns(&read(line)).unwrap().len();
        assert_eq!(count("--soak --game all"), 11);
        assert_eq!(count("--soak --game all --model continuous"), 5);
        assert_eq!(count("--soak --game all --model single"), 5);
        let sole = &campaigns(&read("--soak --game 581")).unwrap()[..];
        assert!(
            matches!(sole, [Campaign { model: Model::MultiDeck, chosen, .. }] if chosen.decks == 8)
        );
        assert!(campaigns(&read("--soak --game 685a --decks 7")).is_err());
    }

    #[test]
    fn a_fault_that_no_card_could_meet_is_refused() {
        let line = |fault: &str| read(&format!("--game 588 --fault {fault}"));
        let why = faults(&line("jam@900"), 53, Model::SingleDeck).unwrap_err();
        assert_eq!(why, "jam@900 would never strike: 53 cards are moved 53 times");
        let last = Planned { trouble: Trouble::Jam, at: 53 };
        assert_eq!(faults(&line("jam@53"), 53, Model::SingleDeck), Ok(vec![last]));
        assert!(faults(&line("jam@54"), 53, Model::SingleDeck).is_err());
        assert!(faults(&line("jam@800"), 416, Model::MultiDeck).is_ok());
        assert!(faults(&line("stall@900"), 53, Model::SingleDeck).is_ok());
    }
}
