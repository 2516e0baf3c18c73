//! What a campaign came to, in numbers that add up over its worlds.

use std::collections::BTreeMap;
use std::fmt;

use crate::world::shuffler::Trouble;

/// Why something that was certified should not have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A card is missing, or is not of the batch.
    NotTheBatch,
    /// A card lies face up.
    FaceUp,
    /// A card is still inside.
    LeftInside,
    /// Not the order that was drawn.
    NotAsDrawn,
    /// The batch had expired.
    Expired,
    /// A card was cut, or driven against the turning wheel.
    Damage,
    /// A continuous machine said other numbers than there were.
    Inventory,
}

/// Who was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// Dealer.
    Dealer,
    /// Floorperson.
    Floorperson,
    /// Service.
    Service,
}

/// What a campaign came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    /// Cycles that were begun; rounds in a continuous machine.
    pub started: u64,
    /// Cycles that were certified; rounds that ended in a right inventory.
    pub certified: u64,
    /// Cards dealt: from certified stacks, or one by one.
    pub dealt: u64,
    /// Of the certified ones those that should not have been, by reason. Must be none.
    pub wrong: BTreeMap<Wrong, u64>,
    /// The same where a card planted by strange hands is to blame.
    pub planted_certified: u64,
    /// Cards that were planted.
    pub planted: u64,
    /// "Remove deck" or "change deck" although nothing was wrong with it. Must be none.
    pub falsely_condemned: u64,
    /// The same with good reason.
    pub rightly_condemned: u64,
    /// Stops, by what was wrong: the machine's own.
    pub stopped: BTreeMap<String, u64>,
    /// Stops that people or the cards were to blame for.
    pub disturbed: BTreeMap<String, u64>,
    /// Who had to come.
    pub helpers: BTreeMap<Helper, u64>,
    /// What the device refused, in which state, and what people did for want of it.
    pub answers: BTreeMap<String, u64>,
    /// Tables that found no lawful way on and were opened again, by the last refusal.
    pub stuck: BTreeMap<String, u64>,
    /// Stored batches that an idle table could deal unspread (SH-25).
    pub unspread: u64,
    /// Stored batches that had to be spread and shuffled once more.
    pub spread: u64,
    /// Shoes or rounds dealt from the batch that was dealt last, without a floorperson's word
    /// (SH-17). Must be none.
    pub repeated: u64,
    /// The same on a floorperson's word.
    pub reshuffled: u64,
    /// Decks that were retired.
    pub retired: u64,
    /// Rounds that the one left was dealt alone (SH-16).
    pub alone: u64,
    /// Times the power came on.
    pub power_ons: u64,
    /// Device time, in microseconds.
    pub us: u64,
    /// Device time from START to certificate, of the cycles that were certified.
    pub shuffling_us: u64,
    /// Troubles of the mechanism that struck, by number.
    pub struck: [u64; Trouble::ALL.len()],
}

impl Results {
    /// All that was certified wrongly, planted cards apart.
    pub fn wrongly_certified(&self) -> u64 {
        self.wrong.values().sum()
    }

    /// The part of all cycles that no fault of the machine stopped.
    pub fn availability(&self) -> f64 {
        let stopped: u64 = self.stopped.values().sum();
        1.0 - stopped as f64 / self.started.max(1) as f64
    }

    /// Seconds from START to certificate.
    pub fn mean_s(&self) -> f64 {
        self.shuffling_us as f64 / 1e6 / self.certified.max(1) as f64
    }

    /// Whether nothing happened that must not.
    pub fn is_clean(&self) -> bool {
        self.wrongly_certified() + self.planted_certified + self.falsely_condemned + self.repeated
            == 0
            && self.stuck.is_empty()
    }

    /// Adds another world's.
    pub fn add(&mut self, other: Self) {
        self.started += other.started;
        self.certified += other.certified;
        self.dealt += other.dealt;
        self.planted_certified += other.planted_certified;
        self.planted += other.planted;
        self.falsely_condemned += other.falsely_condemned;
        self.rightly_condemned += other.rightly_condemned;
        self.unspread += other.unspread;
        self.spread += other.spread;
        self.repeated += other.repeated;
        self.reshuffled += other.reshuffled;
        self.retired += other.retired;
        self.alone += other.alone;
        self.power_ons += other.power_ons;
        self.us += other.us;
        self.shuffling_us += other.shuffling_us;
        merge(&mut self.wrong, other.wrong);
        merge(&mut self.stopped, other.stopped);
        merge(&mut self.disturbed, other.disturbed);
        merge(&mut self.helpers, other.helpers);
        merge(&mut self.answers, other.answers);
        merge(&mut self.stuck, other.stuck);
        self.struck.iter_mut().zip(other.struck).for_each(|(sum, count)| *sum += count);
    }
}

/// Counts one more of `what`.
pub(super) fn note<K: Ord>(counts: &mut BTreeMap<K, u64>, what: K) {
    *counts.entry(what).or_default() += 1;
}

fn merge<K: Ord>(sum: &mut BTreeMap<K, u64>, other: BTreeMap<K, u64>) {
    for (what, count) in other {
        *sum.entry(what).or_default() += count;
    }
}

/// Everything, a line each, for people.
impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, count: u64, what: &str| {
            if count == 0 { Ok(()) } else { writeln!(f, "{count:>12} {what}") }
        };
        line(f, self.power_ons, "times the power came on")?;
        line(f, self.rightly_condemned, "wrong decks condemned")?;
        line(f, self.unspread, "stored batches dealt unspread after an idle hour")?;
        line(f, self.spread, "stored batches spread and shuffled again")?;
        line(f, self.repeated, "times the same batch was dealt again without a word")?;
        line(f, self.reshuffled, "times the same batch was dealt again on a floorperson's word")?;
        line(f, self.retired, "decks retired")?;
        line(f, self.alone, "rounds dealt from the one deck left")?;
        for (why, count) in &self.wrong {
            line(f, *count, &format!("certified wrongly: {why:?}"))?;
        }
        for (who, count) in &self.helpers {
            line(f, *count, &format!("times somebody had to come: {who:?}"))?;
        }
        for (why, count) in &self.stopped {
            line(f, *count, &format!("stopped by the machine: {why}"))?;
        }
        for (why, count) in &self.disturbed {
            line(f, *count, &format!("stopped by people or cards: {why}"))?;
        }
        for (what, count) in &self.answers {
            line(f, *count, &format!("answered: {what}"))?;
        }
        for (what, count) in &self.stuck {
            line(f, *count, &format!("no lawful way on: {what}"))?;
        }
        for ((_, name, _), count) in Trouble::ALL.iter().zip(self.struck) {
            line(f, count, &format!("struck: {name}"))?;
        }
        Ok(())
    }
}
