//! The people at one table: a good dealer and a good floorperson, who do what the device says.
//!
//! They know where they laid their cards, and what the display and the events told them. What
//! happens inside the machine they learn as everybody does, by opening the lid.

use std::collections::BTreeSet;

use croupier::cards::BackColour;
use croupier::node::Refused;
use croupier::protocol::generated::croupier::common::Role;
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Back, State};
use fastrand::Rng;

use super::judge::Judge;
use super::results::note;
use crate::world::shuffler::simulation::is_certified;
use crate::world::shuffler::{Card, CardId, Simulation, pack};

/// Tries before the table is opened again from the start.
pub(super) const MOST_TRIES: u32 = 12;
/// So many cards of another back colour in a stack might escape a dealer's notice.
const MOST_UNNOTICED: usize = 5;
/// A floorperson changes a batch when so little of its life is left.
const CHANGE_EARLY_US: u64 = 45 * 60 * 1_000_000;

/// No one at the table knows a lawful way on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stuck;

/// What came of a shuffle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shuffled {
    /// A certified stack waits.
    Certified,
    /// It is the other batch's turn; the cards are on the table again.
    OtherTurn,
}

/// The people at one table.
pub(super) struct Crew {
    pub table: Simulation,
    pub judge: Judge,
    pub rng: Rng,
    /// Cycles that were asked for, the refused ones too.
    pub asked: u64,
    pub decks: u8,
    pub total: usize,
    /// People make the slips they make.
    pub slips: bool,
    /// A card is planted before one of this many power-ons; 0 for never.
    pub plant_every: u32,
    pub power_ons: u32,
    /// The cards of each batch that lie on the table.
    piles: [Vec<CardId>; 2],
    /// Cards that left the game.
    removed: BTreeSet<CardId>,
    covers: Vec<CardId>,
}

impl Crew {
    /// People at a table whose shuffler is empty.
    pub(super) fn new(mut table: Simulation, judge: Judge, rng: Rng) -> Self {
        let covers = table.mechanism.places.open([Card::cover(), Card::cover()]);
        Self {
            table,
            judge,
            rng,
            asked: 0,
            decks: 1,
            total: 52,
            slips: true,
            plant_every: 0,
            power_ons: 0,
            piles: [Vec::new(), Vec::new()],
            removed: BTreeSet::new(),
            covers,
        }
    }

    /// Whether something happens that happens once in `times`, where people make slips.
    pub(super) fn happens(&mut self, times: u32) -> bool {
        self.slips && self.rng.u32(..times) == 0
    }

    /// The cards of a batch that lie on the table.
    pub(super) fn pile(&mut self, colour: BackColour) -> &mut Vec<CardId> {
        &mut self.piles[usize::from(colour == BackColour::Blue)]
    }

    /// Opens new cards and says so.
    pub(super) fn open(&mut self, colour: BackColour) {
        let cards = self.table.mechanism.places.open(pack(self.total, colour));
        self.judge.opened(colour, &cards, self.table.now());
        *self.pile(colour) = cards;
        if let Err(refused) = self.table.open_batch(colour, self.decks) {
            self.note_refusal("BATCH_OPENED", refused);
        }
    }

    /// Takes a pile off the table for good and opens new cards of its colour.
    pub(super) fn change(&mut self, colour: BackColour) {
        let old = std::mem::take(self.pile(colour));
        self.remove(&old);
        self.open(colour);
    }

    /// Takes a pile off the table for good, and no other comes in its place; whether the device
    /// takes that.
    pub(super) fn retire(&mut self, colour: BackColour) -> bool {
        if let Err(refused) = self.table.retire_batch(colour) {
            self.note_refusal("BATCH_RETIRED", refused);
            return false;
        }
        self.judge.retired(colour);
        let old = std::mem::take(self.pile(colour));
        self.remove(&old);
        true
    }

    /// Takes cards off the table for good.
    pub(super) fn remove(&mut self, cards: &[CardId]) {
        self.judge.removed(cards);
        self.removed.extend(cards);
    }

    /// Changes a batch that will soon have expired; one time in ten it is forgotten.
    pub(super) fn change_if_old(&mut self, colour: BackColour) {
        let soon = self.table.now() + CHANGE_EARLY_US;
        let old = self.judge.batch(colour).is_some_and(|batch| batch.has_expired(soon));
        if old && !self.happens(10) {
            self.change(colour);
        }
    }

    /// Puts a batch into the feed tray. A cover card may be among it, or a card face up.
    pub(super) fn load(&mut self, colour: BackColour) {
        let mut pile = std::mem::take(self.pile(colour));
        if pile.is_empty() {
            return;
        }
        if self.happens(1_000) {
            let card = pile[self.rng.usize(..pile.len())];
            self.table.mechanism.places.card_mut(card).face_up = true;
        }
        // A cover card has no face: it looks the same on both sides.
        let on_table = &self.table.mechanism.places.table;
        let cover = self.covers.iter().copied().find(|cover| on_table.contains(cover));
        if self.happens(50)
            && let Some(cover) = cover
        {
            pile.insert(self.rng.usize(..=pile.len()), cover);
        }
        self.table.put_back(&pile);
    }

    /// Takes what lies in the feed tray back to its pile.
    pub(super) fn unload(&mut self, colour: BackColour) {
        let now = self.table.now();
        self.table.mechanism.take_feed(now);
        self.table.settle();
        let cards = self.loose(colour);
        self.pile(colour).extend(cards);
    }

    /// Whether a certified stack waits.
    pub(super) fn has_stack(&self) -> bool {
        let stored = self.table.shuffler.state() == State::Stored;
        stored || is_certified(&self.table.shuffler)
    }

    /// Shuffles what lies in the feed tray until it is certified.
    pub(super) fn shuffle(&mut self, colour: BackColour, by: Role) -> Result<Shuffled, Stuck> {
        for _ in 0..MOST_TRIES {
            self.asked += 1;
            self.table.events.clear();
            let from = self.table.now();
            if let Err(refused) = self.table.ask(Task::Start, Purpose::FullBatch, by) {
                self.note_refusal("START", refused);
                self.keep_time();
                self.recover(colour)?;
                self.look_inside(colour);
                continue;
            }
            self.judge.results.started += 1;
            if is_certified(&self.table.shuffler) {
                self.judge.certified(&self.table, by, self.table.now() - from);
                return Ok(Shuffled::Certified);
            }
            if self.attend(colour)? == Shuffled::OtherTurn {
                return Ok(Shuffled::OtherTurn);
            }
        }
        Err(self.give_up("START"))
    }

    /// Sees to it that a certified stack of `colour` waits, whose cards are in the machine: what
    /// stopped behind the door, or lost its certificate, is shuffled again.
    pub(super) fn keep_ready(&mut self, colour: BackColour, by: Role) -> Result<(), Stuck> {
        if self.has_stack() {
            return Ok(());
        }
        self.recover(colour)?;
        match self.shuffle(colour, by)? {
            Shuffled::Certified => Ok(()),
            Shuffled::OtherTurn => Err(self.give_up("the batch in the machine is out of turn")),
        }
    }

    /// Releases the certified stack of `colour` and takes it.
    pub(super) fn fetch(&mut self, colour: BackColour, by: Role) -> Result<(), Stuck> {
        for _ in 0..MOST_TRIES {
            self.keep_ready(colour, by)?;
            match self.table.ask(Task::Release, Purpose::None, by) {
                Ok(()) => {
                    self.judge.released(colour, self.table.now());
                    let cards = self.take_stack();
                    self.judge.results.dealt += cards.len() as u64;
                    *self.pile(colour) = cards;
                    return Ok(());
                }
                Err(refused) => {
                    self.note_refusal("RELEASE", refused);
                    self.settle_release(refused, by);
                }
            }
        }
        Err(self.give_up("RELEASE"))
    }

    /// What is wanting for a release: the dealer had forgotten to say that the shoe is over, or
    /// nobody has set the clock.
    fn settle_release(&mut self, refused: Refused, by: Role) {
        self.keep_time();
        if refused == Refused::NotAuthorised
            && let Err(refused) = self.table.ask(Task::Dealt, Purpose::None, by)
        {
            self.note_refusal("DEALT", refused);
        }
    }

    /// Takes what lies behind the door, cover cards aside, if the door can be opened.
    pub(super) fn take_stack(&mut self) -> Vec<CardId> {
        if self.is_locked() {
            note(&mut self.judge.results.answers, "the door stays locked".into());
        }
        let mut cards = self.table.take_stack();
        cards.retain(|card| !self.covers.contains(card));
        cards
    }

    /// Whether the door of the delivery tray is locked.
    pub(super) fn is_locked(&self) -> bool {
        let now = self.table.moment();
        self.table.shuffler.shown(now).door_locked
    }

    /// The shoe or round is over; one time in ten the key is not pressed.
    pub(super) fn end_of_play(&mut self) {
        let forgotten = self.happens(10);
        if !forgotten && let Err(refused) = self.table.ask(Task::Dealt, Purpose::None, Role::Device)
        {
            self.note_refusal("DEALT", refused);
        }
    }

    /// The cards on the table that lie in no pile, those of the batch in the machine: a whole
    /// heap of the other colour goes to its own pile, a few would not be noticed.
    pub(super) fn loose(&mut self, colour: BackColour) -> Vec<CardId> {
        let held: BTreeSet<CardId> = self.piles.iter().flatten().copied().collect();
        let places = &self.table.mechanism.places;
        let elsewhere = |card: &CardId| {
            held.contains(card) || self.removed.contains(card) || self.covers.contains(card)
        };
        let loose = places.table.iter().copied().filter(|card| !elsewhere(card));
        let other = Back::Colour(colour.other());
        let (others, own): (Vec<_>, Vec<_>) =
            loose.partition(|card| places.card(*card).back == other);
        if others.len() > MOST_UNNOTICED {
            self.pile(colour.other()).extend(others);
            return own;
        }
        own.into_iter().chain(others).collect()
    }

    /// Turns every card of a batch face down that is not.
    pub(super) fn turn_cards(&mut self, cards: &[CardId]) {
        for card in cards {
            let card = self.table.mechanism.places.card_mut(*card);
            card.face_up = false;
        }
    }

    /// Remembers what the device answered.
    pub(super) fn note_refusal(&mut self, asked: &str, refused: Refused) {
        let state = self.state();
        note(&mut self.judge.results.answers, format!("{asked} while {state}: {refused:?}"));
    }

    /// The device's state in a word.
    pub(super) fn state(&self) -> String {
        match self.table.shuffler.state() {
            State::Stopped(fault) => format!("stopped by {fault:?}"),
            state => format!("{state:?}").split('(').next().unwrap_or_default().to_owned(),
        }
    }

    /// There is no lawful way on.
    pub(super) fn give_up(&mut self, what: &str) -> Stuck {
        let state = self.state();
        note(&mut self.judge.results.stuck, format!("{what} while {state}"));
        Stuck
    }
}
