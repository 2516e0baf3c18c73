//! The silence test: what can be observed is the same for all cards of a class.
//!
//! For every game with a reader, every up-card and each of 52 hole cards, a whole round is
//! played by the same reader with the same seeds, and everything observable is written
//! down: lamps and their times, every byte and its time on the bus and on the serial
//! link, each look of the eye, every byte of flash, and the device's own memory after
//! the verdict. Two cards that deserve the same answer must leave the same trace. The
//! frames themselves are wiped in `reader::eye`; instruction counts are QEMU's to compare.

use std::collections::BTreeMap;

use crate::harness::{Flash, MASQUE, NOON, PEEK_GAMES, Table, up_card};
use crate::world::{Line, Thing, World};
use croupier::cards::{Rank, Suit};
use croupier::profile;
use croupier::protocol::generated::croupier::common::{Game, Result as Outcome, Trouble};
use croupier::reader::recognise::Window;
use croupier::time::Instant;

/// All that can be seen of one round.
#[derive(PartialEq, Eq)]
struct Trace {
    seen: Vec<(Instant, Line)>,
    flash: Vec<u8>,
    memory: String,
}

impl Trace {
    /// Where two traces part, in words that name no card.
    fn first_difference(&self, other: &Self) -> Option<String> {
        if let Some((mine, theirs)) =
            self.seen.iter().zip(&other.seen).find(|(mine, theirs)| mine != theirs)
        {
            return Some(format!("observed {mine:?}, then {theirs:?}"));
        }
        if self.seen.len() != other.seen.len() {
            return Some("one trace goes on after the other ended".into());
        }
        if self.flash != other.flash {
            return Some("the flash differs".into());
        }
        (self.memory != other.memory)
            .then(|| format!("memory differs: {}, {}", self.memory, other.memory))
    }
}

/// A reader in service, as its flash remembers it.
fn prepared(game: Game) -> Flash {
    Table::in_service(game).context.store.release()
}

/// Plays a round up to the removal of the card; returns the table, to go on from there.
fn play(flash: &Flash, up: Rank, hole: Rank, world: World) -> (Table, Trace) {
    let mut table = Table::switched_on(flash.clone(), world, 1);
    table.set_clock(NOON + 60_000);
    assert_eq!(table.arm(1, up_card(up)), Outcome::Accepted);
    table.slide_in(Thing::Card(hole));
    table.run_for(1_300);
    table.pull_out();
    table.run_for(1_200);
    let seen = table.world.0.borrow().trace.clone();
    let memory = format!("{:?}", table.context.device);
    let flash = table.context.store.flash().dump().to_vec();
    (table, Trace { seen, flash, memory })
}

/// What the rules allow to be known of `hole` under `up`, as a name.
fn class(game: Game, up: Rank, hole: Rank) -> &'static str {
    if game == MASQUE {
        return ["small", "medium", "large"][hole.size() as usize];
    }
    match (
        up.is_ace() || up.is_ten_value(),
        up.peek_class().makes_blackjack_with(hole.peek_class()),
    ) {
        (false, _) => "notice",
        (true, true) => "blackjack",
        (true, false) => "no blackjack",
    }
}

fn deck(game: Game) -> Vec<(Rank, Suit)> {
    let deck = profile::Game::from_code(game.code()).expect("a game").profile().pack.deck;
    let ranks = Rank::ALL.into_iter().filter(move |rank| deck.has(*rank));
    ranks.flat_map(|rank| Suit::ALL.map(|suit| (rank, suit))).collect()
}

/// Compares every card with the first of its class; returns the leaks and the rounds played.
fn leaks(game: Game, ups: &[Rank], spoil: impl Fn(&World, Rank)) -> (Vec<String>, usize) {
    let (flash, mut found, mut rounds) = (prepared(game), Vec::new(), 0);
    for &up in ups {
        let mut first: BTreeMap<&str, Trace> = BTreeMap::new();
        for (hole, _) in deck(game) {
            let world = World::default();
            spoil(&world, hole);
            let (_, trace) = play(&flash, up, hole, world);
            rounds += 1;
            let class = class(game, up, hole);
            let known = first.entry(class);
            match known {
                std::collections::btree_map::Entry::Vacant(empty) => _ = empty.insert(trace),
                std::collections::btree_map::Entry::Occupied(known) => {
                    let difference = known.get().first_difference(&trace);
                    found.extend(
                        difference
                            .map(|difference| format!("{game:?}, class {class}: {difference}")),
                    );
                }
            }
        }
    }
    (found, rounds)
}

/// RD-01, RD-05, RD-20, RD-21: the peek games.
#[test]
fn no_peek_game_tells_cards_of_a_class_apart() {
    for game in PEEK_GAMES {
        let deck = profile::Game::from_code(game.code()).expect("a game").profile().pack.deck;
        let ups: Vec<Rank> = Rank::ALL.into_iter().filter(|rank| deck.has(*rank)).collect();
        let (found, rounds) = leaks(game, &ups, |_, _| {});
        assert_eq!(found, Vec::<String>::new());
        assert_eq!(rounds, ups.len() * usize::from(deck.cards()));
    }
}

/// RD-02, RD-20, RD-21: the Masque.
#[test]
fn the_masque_tells_ranges_and_nothing_else_apart() {
    let (found, rounds) = leaks(MASQUE, &Rank::ALL, |_, _| {});
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(rounds, 13 * 52);
}

/// The classes themselves differ, or the comparison would compare nothing.
#[test]
fn different_answers_leave_different_traces() {
    let flash = prepared(Game::FreeBet);
    let trace = |hole| play(&flash, Rank::Ace, hole, World::default()).1;
    let (yes, no) = (trace(Rank::King), trace(Rank::Five));
    assert!(yes.first_difference(&no).is_some());
    assert!(yes.first_difference(&trace(Rank::Ten)).is_none());
    let lamps = |trace: &Trace| trace.seen.iter().any(|(_, line)| matches!(line, Line::Lamps(_)));
    let serial = |trace: &Trace| trace.seen.iter().any(|(_, line)| matches!(line, Line::Serial(_)));
    let frames = |trace: &Trace| trace.seen.iter().any(|(_, line)| matches!(line, Line::Frame(_)));
    assert!(lamps(&yes) && serial(&yes) && frames(&yes), "all channels are watched");
}

/// A leak is noticed: here one card of the class makes the window look dirty.
#[test]
fn a_leak_of_one_card_is_found() {
    let spoil = |world: &World, hole| {
        if hole == Rank::Queen {
            world.0.borrow_mut().window = Window::Dirty;
        }
    };
    let (found, _) = leaks(Game::FreeBet, &[Rank::Ace], spoil);
    assert_eq!(found.len(), 4, "the four queens, and no other card");
    let (found, _) = leaks(MASQUE, &[Rank::Ace], spoil);
    assert_eq!(found.len(), 4);
}

/// RD-17: a ten planted in 581 shows in no channel until the round is over.
#[test]
fn a_planted_ten_is_silent_until_the_round_is_over() {
    let flash = prepared(Game::DoubleAttackBlackjack);
    let (mut honest, king) = play(&flash, Rank::Ace, Rank::King, World::default());
    let (mut planted, ten) = play(&flash, Rank::Ace, Rank::Ten, World::default());
    assert!(king.seen == ten.seen && king.flash == ten.flash);
    for table in [&mut honest, &mut planted] {
        assert_eq!(table.end(1), Outcome::Accepted);
        table.run_for(100);
    }
    assert_eq!(honest.irregularity(Trouble::WrongDeck), None);
    assert!(planted.irregularity(Trouble::WrongDeck).is_some());
}
