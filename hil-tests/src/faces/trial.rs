//! A brand on trial: taught, proven, then read thousands of times under seeded troubles.
//!
//! Teaching and the proof go through the firmware's own code, as a supervisor would do them at
//! a table. Every read has its own seed, made from the trial's: so a read can be repeated alone,
//! and the counts do not depend on how many cores did the work.

use croupier::cards::{Rank, Suit};
use croupier::reader::recognise::{
    Answer, Brand, Capture, LESSONS_PER_RANK, Lesson, NotLearned, NotTaught, Question,
};
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::deck::{Deck, Face52};
use super::tally::{QUESTIONS, Tally, truth};
use crate::world::optics::peer::Peer;
use crate::world::optics::{Disturbance, Level, Stranger, capture};

/// Repeats of each end of each card in the proof (52 x 2 x 3).
const REPEATS: u64 = 3;
/// Lessons that a supervisor gives before a brand counts as one that cannot be taught. A reader
/// that refuses one new card in a thousand fails a proof of 312 in a quarter of all lessons.
const MOST_LESSONS: u64 = 3;
/// The worst cases that are kept for the picture sheet.
pub const KEPT: usize = 48;

/// Why a brand cannot be read at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A card could not be learned.
    NotLearned(Rank, Suit, NotLearned),
    /// The ranks make no brand.
    NotTaught(NotTaught),
}

/// A brand that was taught, and its proof.
pub struct Taught {
    /// What the reader would keep.
    pub brand: Brand,
    /// The plain matcher, with the same lessons.
    pub peer: Peer,
    /// The lesson in which that was, from 1.
    pub lesson: u64,
    /// Proof reads, of 52 x 2 x 3, that were not answered rightly.
    pub unproven: u64,
}

/// One read that went badly, enough to repeat it.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The number of the read in its level: the order of the picture sheet.
    pub number: u64,
    /// Which card.
    pub rank: Rank,
    /// Of which suit.
    pub suit: Suit,
    /// Which end.
    pub end: usize,
    /// The level's name.
    pub level: &'static str,
    /// The read's own seed.
    pub seed: u64,
    /// What was asked.
    pub question: Question,
    /// What was answered.
    pub answer: Answer,
}

impl Case {
    /// Whether the answer was wrong, not only missing.
    pub fn is_wrong(&self) -> bool {
        self.answer != Answer::CannotRead
    }
}

/// What a brand did at one level.
#[derive(Default, Clone)]
pub struct Outcome {
    /// Our reader.
    pub ours: Tally,
    /// The plain matcher.
    pub peer: Tally,
    /// The worst of our cases: wrong ones first.
    pub worst: Vec<Case>,
}

impl Outcome {
    /// Both together, keeping the worst of both.
    pub fn with(mut self, other: Self) -> Self {
        self.ours = self.ours.with(&other.ours);
        self.peer = self.peer.with(&other.peer);
        self.worst.extend(other.worst);
        self.worst.sort_by_key(|case| (!case.is_wrong(), case.number));
        self.worst.truncate(KEPT);
        self
    }
}

/// How a kind of stranger fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// What it was.
    pub name: &'static str,
    /// How often it was shown.
    pub shown: u64,
    /// How often it got an answer: what must not be.
    pub answered: u64,
}

/// Teaches the brand as a supervisor would, with new cards, and proves it; where the proof fails,
/// all over again.
pub fn teach(deck: &Deck, seed: u64) -> Result<Taught, Refusal> {
    let mut taught = teach_once(deck, seed, 1);
    for lesson in 2..=MOST_LESSONS {
        if taught.as_ref().is_ok_and(|taught| taught.unproven == 0) {
            break;
        }
        taught = teach_once(deck, mix(seed, 5, lesson), lesson);
    }
    taught
}

fn teach_once(deck: &Deck, seed: u64, number: u64) -> Result<Taught, Refusal> {
    let captures = lessons(deck, seed);
    let mut lesson = Box::new(Lesson::new());
    for (card, seen) in &captures {
        let refused = |why| Refusal::NotLearned(card.rank, card.suit, why);
        lesson.learn(card.rank, seen).map_err(refused)?;
    }
    let brand = lesson.finish(1).map_err(Refusal::NotTaught)?;
    let peer = Peer::taught(captures.iter().map(|(card, seen)| (card.rank, seen)));
    let unproven = prove(deck, &brand, seed);
    Ok(Taught { brand, peer, lesson: number, unproven })
}

/// One capture of each rank in each suit, as often as a lesson wants.
fn lessons(deck: &Deck, seed: u64) -> Vec<(&Face52, Capture)> {
    let rounds = u64::from(LESSONS_PER_RANK).div_ceil(Suit::ALL.len() as u64);
    let show = |round: u64| {
        deck.cards.iter().enumerate().map(move |(number, card)| {
            let seed = mix(seed, 1, round * 52 + number as u64);
            let end = (number + round as usize) % 2;
            (card, capture(&card.ends[end], &Disturbance::draw(&Level::TEACHING, seed)))
        })
    };
    (0..rounds).flat_map(show).collect()
}

/// 52 cards, both ends, three times: how many are not answered rightly, whatever is asked.
fn prove(deck: &Deck, brand: &Brand, seed: u64) -> u64 {
    let shows = deck.cards.len() as u64 * 2 * REPEATS;
    let unproven = (0..shows).into_par_iter().filter(|&show| {
        let card = &deck.cards[(show / (2 * REPEATS)) as usize];
        let drawn = Disturbance::draw(&Level::TEACHING, mix(seed, 2, show));
        !brand.proves(card.rank, &capture(&card.ends[(show % 2) as usize], &drawn))
    });
    unproven.count() as u64
}

/// Reads each card `reads` times at `level`, with all questions in turn.
pub fn read(
    deck: &Deck,
    taught: &Taught,
    level: &Level,
    reads: u64,
    seed: u64,
    progress: &ProgressBar,
) -> Outcome {
    let all = deck.cards.len() as u64 * reads;
    (0..all)
        .into_par_iter()
        .fold(Outcome::default, |outcome, number| {
            progress.inc(1);
            read_once(outcome, deck, taught, level, number, seed)
        })
        .reduce(Outcome::default, Outcome::with)
}

fn read_once(
    mut outcome: Outcome,
    deck: &Deck,
    taught: &Taught,
    level: &Level,
    number: u64,
    seed: u64,
) -> Outcome {
    // Cards first, then questions, then ends: every card meets every question at both ends.
    let cards = deck.cards.len() as u64;
    let card = &deck.cards[(number % cards) as usize];
    let turn = number / cards;
    let question = QUESTIONS[(turn % 3) as usize];
    let end = (turn / 3 % 2) as usize;
    let seed = mix(seed, stream(level), number);
    let seen = capture(&card.ends[end], &Disturbance::draw(level, seed));
    let answer = taught.brand.read(&seen, question, true).answer;
    outcome.ours.count(card.rank, question, answer);
    outcome.peer.count(card.rank, question, taught.peer.answer(&seen, question));
    if answer != truth(card.rank, question) {
        let (rank, suit) = (card.rank, card.suit);
        let case = Case { number, rank, suit, end, level: level.name, seed, question, answer };
        // Kept short as it grows: a hopeless brand has a case for each read.
        outcome = outcome.with(Outcome { worst: vec![case], ..Outcome::default() });
    }
    outcome
}

/// Shows every kind of stranger `shows` times; those the deck has no face for are left out.
pub fn refuse(deck: &Deck, brand: &Brand, level: &Level, shows: u64, seed: u64) -> Vec<Refused> {
    let cast = deck.cast();
    let met = |stranger: &Stranger| {
        let kind = *stranger as u64;
        let answers: Vec<bool> = (0..shows)
            .into_par_iter()
            .filter_map(|show| {
                let seed = mix(seed, 16 + kind + stream(level) * 64, show);
                let seen = stranger.capture(&cast, level, seed)?;
                let question = QUESTIONS[(show % 3) as usize];
                Some(brand.read(&seen, question, true).answer != Answer::CannotRead)
            })
            .collect();
        Refused {
            name: stranger.name(),
            shown: answers.len() as u64,
            answered: answers.iter().filter(|answered| **answered).count() as u64,
        }
    };
    Stranger::ALL.iter().map(met).filter(|refused| refused.shown > 0).collect()
}

/// Shows the cards of another brand: a stranger too, though a class it gets right does no harm.
pub fn foreign(other: &Deck, brand: &Brand, level: &Level, shows: u64, seed: u64) -> Tally {
    (0..shows)
        .into_par_iter()
        .fold(Tally::default, |mut tally, show| {
            let card = &other.cards[(show % other.cards.len() as u64) as usize];
            let drawn = Disturbance::draw(level, mix(seed, 3, show));
            let question = QUESTIONS[(show / 52 % 3) as usize];
            let seen = capture(&card.ends[(show % 2) as usize], &drawn);
            tally.count(card.rank, question, brand.read(&seen, question, true).answer);
            tally
        })
        .reduce(Tally::default, |one, other| one.with(&other))
}

/// Which stream of seeds a level has.
fn stream(level: &Level) -> u64 {
    level.name.bytes().fold(7, |sum, byte| sum * 31 + u64::from(byte))
}

/// A read's own seed: SplitMix64's finisher, so that neighbours have nothing in common.
pub fn mix(seed: u64, stream: u64, number: u64) -> u64 {
    let mut mixed = seed
        .wrapping_add(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .wrapping_add(number.wrapping_mul(0xd1b5_4a32_d192_ed03));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
