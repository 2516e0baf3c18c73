//! The silence test on the image: instructions, times, bytes and memory, card by card.
//!
//! Each card is played by an instrument of its own that counts instructions and hears nothing
//! from outside, so two runs with the same flash differ in the card alone. What they
//! leave behind is compared byte for byte with what the first card of the class left.

use std::collections::BTreeMap;
use std::time::Duration;

use croupier::cards::{Rank, Suit};
use croupier::protocol::generated::croupier::common::Game;
use hil_tests::nest::{self, cards};
use hil_tests::suite::{Done, is_release};
use hil_tests::world::optics::film;
use hil_tests::{BenchError, Instrument};

const REPORT: &str = "report.txt";
const FILM: &str = "film.bin";
const MEMORY: &str = "memory.bin";
const MEMORY_BYTES: usize = 96 * 1024;
/// A round takes a second or two; a loaded host may need many times that.
const PATIENCE: Duration = Duration::from_secs(120);

/// All that one round left behind.
struct Trace {
    report: String,
    memory: Vec<u8>,
}

impl Trace {
    /// What was written down of one channel, with its times.
    fn channel(&self, channel: &str) -> Vec<&str> {
        let of = |line: &&str| line.split(' ').nth(1) == Some(channel);
        self.report.lines().filter(of).collect()
    }

    /// When the lamp came on, and which.
    fn lamp(&self) -> Option<(u64, u8)> {
        let mut words = self.channel("lamps").first()?.split(' ');
        Some((words.next()?.parse().ok()?, words.nth(1)?.parse().ok()?))
    }

    /// Where two traces part.
    fn first_difference(&self, other: &Self) -> Option<String> {
        let lines = self.report.lines().zip(other.report.lines());
        if let Some((mine, theirs)) = lines.clone().find(|(mine, theirs)| mine != theirs) {
            return Some(format!("`{mine}`, then `{theirs}`"));
        }
        if self.report.len() != other.report.len() {
            return Some("one trace is longer".into());
        }
        let places = self.memory.iter().zip(&other.memory).enumerate();
        let differ: Vec<_> =
            places.filter(|(_, (mine, theirs))| mine != theirs).map(|(at, _)| at).collect();
        differ.first().map(|first| {
            format!("{} bytes of memory, the first at {:#x}", differ.len(), 0x2000_0000 + first)
        })
    }
}

fn play(game: Game, mode: &str, hole: Rank, suit: Suit) -> Result<Trace, BenchError> {
    let instrument = Instrument::open("silence")?
        .argument("film", FILM)
        .argument("mode", mode)
        .argument("report", REPORT)
        .argument("memory", MEMORY)
        .icount(5);
    nest::write_flash(instrument.folder(), game, true)?;
    film::write(&cards::card(hole, suit, 21), &instrument.folder().join(FILM))?;
    let status = instrument.run(PATIENCE)?;
    assert!(status.success(), "the image ended with {status}");
    let report = String::from_utf8(instrument.read(REPORT)?).expect("text");
    let memory = instrument.read(MEMORY)?;
    assert_eq!(memory.len(), MEMORY_BYTES);
    Ok(Trace { report, memory })
}

/// The cards played: each rank, and each card in the release suite.
fn deck(without_tens: bool) -> Vec<(Rank, Suit)> {
    let suits = if is_release() { &Suit::ALL[..] } else { &Suit::ALL[3..] };
    let ranks = Rank::ALL.into_iter().filter(|rank| !(without_tens && *rank == Rank::Ten));
    ranks.flat_map(|rank| suits.iter().map(move |suit| (rank, *suit))).collect()
}

/// Plays every card and compares it with the first of its class; the lamp that each class has.
fn compare(
    game: Game,
    mode: &str,
    class: impl Fn(Rank) -> &'static str,
) -> Result<BTreeMap<&'static str, u8>, BenchError> {
    let mut first: BTreeMap<&str, Trace> = BTreeMap::new();
    let mut leaks = Vec::new();
    for (hole, suit) in deck(game == Game::DoubleAttackBlackjack) {
        let trace = play(game, mode, hole, suit)?;
        let class = class(hole);
        match first.get(class) {
            None => _ = first.insert(class, trace),
            Some(known) => {
                let difference = known.first_difference(&trace);
                leaks
                    .extend(difference.map(|difference| {
                        format!("{game:?}, {mode}, class {class}: {difference}")
                    }));
            }
        }
    }
    assert_eq!(leaks, Vec::<String>::new(), "cards of one class can be told apart");
    let lamps: BTreeMap<_, _> =
        first.iter().map(|(class, trace)| (*class, trace.lamp().expect("a lamp"))).collect();
    let times: Vec<u64> = lamps.values().map(|(at, _)| *at).collect();
    assert!(times.windows(2).all(|two| two[0] == two[1]), "one time for all: {times:?}");
    assert!(first.values().all(|trace| !trace.channel("serial").is_empty()));
    assert!(first.values().all(|trace| !trace.channel("bus").is_empty()));
    Ok(lamps.into_iter().map(|(class, (_, lamp))| (class, lamp)).collect())
}

/// RD-01, RD-20, RD-21, CM-10: a peek under an ace.
#[test]
fn a_peek_under_an_ace_tells_ten_values_and_nothing_else() -> Done {
    let class = |hole: Rank| if hole.is_ten_value() { "yes" } else { "no" };
    let lamps = compare(Game::FreeBet, "ace", class)?;
    assert_eq!(lamps, BTreeMap::from([("no", 1 << 4), ("yes", 1 << 3)]));
    Ok(())
}

/// RD-01, RD-20, RD-21, CM-10: a peek under a ten-value card, in the game without tens.
#[test]
fn a_peek_under_a_face_tells_aces_and_nothing_else() -> Done {
    let class = |hole: Rank| if hole.is_ace() { "yes" } else { "no" };
    let lamps = compare(Game::DoubleAttackBlackjack, "ten", class)?;
    assert_eq!(lamps, BTreeMap::from([("no", 1 << 4), ("yes", 1 << 3)]));
    Ok(())
}

/// RD-05: no up-card: all cards are alike, since none is looked at.
#[test]
fn without_an_up_card_all_cards_are_alike() -> Done {
    let lamps = compare(Game::FreeBet, "none", |_| "notice")?;
    assert_eq!(lamps, BTreeMap::from([("notice", 1 << 5)]));
    Ok(())
}

/// RD-02, RD-20, RD-21, CM-10: the Masque's three ranges.
#[test]
fn a_masque_tells_three_ranges_and_nothing_else() -> Done {
    let class = |hole: Rank| ["small", "medium", "large"][hole.size() as usize];
    let lamps = compare(Game::DownUnderBlackjack, "none", class)?;
    assert_eq!(lamps, BTreeMap::from([("large", 4), ("medium", 2), ("small", 1)]));
    Ok(())
}
