//! A long soak at the table: shuffle after shuffle, an operator, and a judge.
//!
//! The judge knows what no device knows: every card, where it lay, what was drawn. It
//! says of each certified stack whether it really was a whole clean shuffle, and of each
//! "remove deck" whether the deck really was wrong.

use std::collections::BTreeMap;

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{NextStep, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Back, DeviceEvent, State};

use super::card::CardId;
use super::simulation::{Simulation, is_certified};

/// What a soak came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Soak {
    /// Cycles that were started.
    pub started: u64,
    /// Stacks that were certified and dealt.
    pub certified: u64,
    /// Of these, the ones that were no whole clean shuffle. Must be none.
    pub wrongly_certified: u64,
    /// "Remove deck" although the deck was right. Must be none.
    pub falsely_removed: u64,
    /// "Remove deck" with good reason.
    pub rightly_removed: u64,
    /// Starts that were refused.
    pub refused: u64,
    /// Cycles that a person had to clear, by what was wrong.
    pub stopped: BTreeMap<String, u64>,
    /// Device time, in microseconds.
    pub us: u64,
    /// Device time of the cycles that were certified.
    pub shuffling_us: u64,
}

impl Soak {
    /// The part of all cycles that needed no person.
    pub fn availability(&self) -> f64 {
        self.certified as f64 / self.started.max(1) as f64
    }

    /// Adds another soak's figures.
    pub fn add(&mut self, other: Self) {
        self.started += other.started;
        self.certified += other.certified;
        self.wrongly_certified += other.wrongly_certified;
        self.falsely_removed += other.falsely_removed;
        self.rightly_removed += other.rightly_removed;
        self.refused += other.refused;
        self.us += other.us;
        self.shuffling_us += other.shuffling_us;
        for (why, count) in other.stopped {
            *self.stopped.entry(why).or_default() += count;
        }
    }
}

/// The people at the table: they do what the device says, and put things right.
pub struct Croupier {
    batch: Vec<CardId>,
    colour: BackColour,
    /// Lets every stack wait until all slots were tried; else every other one.
    patient: bool,
    soak: Soak,
}

impl Croupier {
    /// A croupier whose cards lie in the feed tray.
    pub fn new(batch: Vec<CardId>, colour: BackColour) -> Self {
        Self { batch, colour, patient: false, soak: Soak::default() }
    }

    /// One who never asks for a stack before the machine has proved itself empty.
    pub fn patient(self) -> Self {
        Self { patient: true, ..self }
    }

    /// Plays `shuffles` cycles and says what they came to; each stack is shown to `see`,
    /// the first card out first, as the places the cards had when they were fed.
    pub fn play(
        mut self,
        table: &mut Simulation,
        shuffles: u64,
        mut see: impl FnMut(&[CardId], &[CardId]),
    ) -> Soak {
        let begun = table.now();
        for shuffle in 0..shuffles {
            table.events.clear();
            let from = table.now();
            let asked = table.ask(Task::Start, Purpose::FullBatch, Role::Service);
            self.soak.started += 1;
            if asked.is_err() {
                self.soak.refused += 1;
                table.put_right();
                continue;
            }
            if is_certified(&table.shuffler) {
                self.soak.shuffling_us += table.now() - from;
                self.soak.wrongly_certified += u64::from(!self.is_good(table));
                if self.patient || shuffle % 2 == 0 {
                    table.settle();
                }
            }
            if is_certified(&table.shuffler) {
                self.soak.certified += 1;
                table.mechanism.places.delivery.make_contiguous();
                see(table.fed(), table.mechanism.places.delivery.as_slices().0);
                let cards = table.deal();
                table.put_back(&cards);
            } else {
                self.stopped(table);
                table.put_right();
            }
        }
        self.soak.us = table.now() - begun;
        self.soak
    }

    /// Whether the stack in the tray is a whole clean shuffle of the batch.
    fn is_good(&self, table: &Simulation) -> bool {
        let (mechanism, places) = (&table.mechanism, &table.mechanism.places);
        places.assert_each_once();
        let clean = places
            .delivery
            .iter()
            .all(|card| places.card(*card).looks() == Back::Colour(self.colour));
        let nothing_left = places.census().wheel == 0 && places.census().path == 0;
        let whole = places.delivery.len() == self.batch.len();
        clean && whole && nothing_left && mechanism.damage == 0 && table.is_as_drawn()
    }

    fn stopped(&mut self, table: &Simulation) {
        let why = match table.shuffler.state() {
            State::Stopped(fault) => format!("{fault:?}"),
            state => format!("left in {state:?}"),
        };
        // Numbers within are another story of the same fault.
        let why = why.split('(').next().unwrap_or_default().to_owned();
        *self.soak.stopped.entry(why).or_default() += 1;
        let told_to_remove = table.events.iter().any(|event| {
            matches!(event, DeviceEvent::Irregularity(event) if event.next_step == NextStep::RemoveDeck)
        });
        if told_to_remove {
            // A card under the rail, or in a hand, is missing from the deck.
            let places = &table.mechanism.places;
            let right = places.rail.is_empty() && places.table.is_empty();
            self.soak.falsely_removed += u64::from(right);
            self.soak.rightly_removed += u64::from(!right);
        }
    }
}
