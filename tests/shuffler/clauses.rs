//! What the shuffler publishes names the clause of the game in force.

use crate::harness::{Card, Mishap, Rig, cards};
use croupier::cards::BackColour::Red;
use croupier::identity::DeviceKind;
use croupier::profile::Basis;
use croupier::protocol::generated::croupier::common::{Clause, Game, Trouble};
use croupier::services::CommonServices;
use croupier::shuffler::{Back, DeviceEvent, Fault, Model, Shuffler};

const SINGLE: [(Game, &str); 5] = [
    (Game::FlopPoker, "583"),
    (Game::RaiseItUpStud, "587"),
    (Game::SixCardFortunePaiGow, "588"),
    (Game::LunarPoker, "589"),
    (Game::CrissCrossPoker, "592"),
];

/// The clauses of what was published about `trouble`, in words.
fn clauses(events: &[DeviceEvent], trouble: Trouble) -> Vec<String> {
    let words = |code| Basis::of(code).map_or("none".into(), |basis| basis.to_string());
    let told = events.iter().filter_map(|event| match event {
        DeviceEvent::Irregularity(told) if told.trouble == trouble => Some(words(told.clause)),
        _ => None,
    });
    told.collect()
}

/// CM-06, SH-08, SH-10: a game without a clause on the count says by analogy, no other does; and
/// power changes nothing of it.
#[test]
fn cm_06_a_wrong_count_names_the_clause_of_its_game() {
    for (game, chapter) in SINGLE {
        let mut rig = Rig::new(Model::SingleDeck, game, 1);
        rig.put_in(cards(50, Red));
        rig.shuffle();
        let clause = match game {
            Game::SixCardFortunePaiGow => "by analogy with Pa. 583.5(b)".into(),
            _ => format!("Pa. {chapter}.5(b)"),
        };
        let first = clauses(&rig.events, Trouble::WrongCount);
        assert_eq!(first, [clause], "{game:?}");
        rig.events.clear();
        rig.cut_power();
        rig.wait(1_000);
        assert_eq!(rig.stopped(), Some(Fault::WrongCount(50)));
        assert_eq!(clauses(&rig.events, Trouble::WrongCount), first, "{game:?}, at its start");
    }
}

/// CM-06, SH-22: a jam rests on a clause of its own in each chapter.
#[test]
fn cm_06_a_jam_names_the_clause_of_its_game() {
    let single = [("583", "d"), ("587", "e"), ("588", "l"), ("589", "e"), ("592", "e")];
    for ((game, chapter), (same, letter)) in SINGLE.into_iter().zip(single) {
        assert_eq!(chapter, same);
        let mut rig = Rig::new(Model::SingleDeck, game, 1);
        rig.put_in(cards(52, Red));
        rig.world.mishap = Some(Mishap::JamInMouth(23));
        rig.shuffle();
        assert_eq!(clauses(&rig.events, Trouble::Jam), [format!("Pa. {chapter}.13({letter})")]);
    }
    for (game, decks, clause) in [
        (Game::DoubleAttackBlackjack, 8, "Pa. 581.13(j)"),
        (Game::FreeBet, 6, "Pa. 672a.12(k)"),
        (Game::DownUnderBlackjack, 4, "Pa. 685a.12(j)"),
        (Game::FreeBetSouthDakota, 6, "none"),
    ] {
        let mut rig = Rig::new(Model::MultiDeck, game, decks);
        rig.put_in(cards(rig.total(), Red));
        rig.world.mishap = Some(Mishap::JamInMouth(23));
        rig.shuffle();
        assert_eq!(clauses(&rig.events, Trouble::Jam), [clause], "{game:?}");
    }
}

/// CM-06, SH-26: what is only a notice has its clause too.
#[test]
fn cm_06_a_notice_names_its_clause() {
    let mut rig = Rig::new(Model::SingleDeck, Game::CrissCrossPoker, 1);
    let mut deck = cards(52, Red);
    deck.insert(10, Card { number: 900, back: Back::Cover });
    rig.put_in(deck);
    rig.shuffle();
    assert_eq!(clauses(&rig.events, Trouble::CoverCard), ["Pa. 592.3(a)"]);
}

/// CM-06: without a game no chapter is in force.
#[test]
fn cm_06_without_a_game_there_is_no_clause() {
    let mut rig = Rig::single(50);
    rig.shuffle();
    let services = CommonServices::new(DeviceKind::Shuffler, None);
    let mut shuffler = Shuffler::new(services, Model::SingleDeck, &mut rig.store);
    let events: Vec<_> = core::iter::from_fn(|| shuffler.take_event()).collect();
    let told = events.iter().find_map(|event| match event {
        DeviceEvent::Irregularity(told) => Some((told.trouble, told.clause)),
        _ => None,
    });
    assert_eq!(told, Some((Trouble::WrongCount, Clause::None)));
}
