//! What a receiver dropped, and why. Nothing is dropped without being counted.
//!
//! A laboratory and a technician read these: a bus with a bad node, a loose wire or a
//! stranger on it shows here before it shows at the table.

/// Why something received was not delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Loss {
    /// Another protocol, or a part of Cyphal that is not spoken here.
    Foreign,
    /// Well formed, but for another node or for a port without a listener.
    Unwanted,
    /// Carries our own number as its sender: a second node with it, or a forger.
    Impostor,
    /// Breaks the rules of its own protocol.
    Malformed,
    /// Its checksum does not fit.
    Checksum,
    /// Seen before.
    Duplicate,
    /// A middle or an end whose beginning was never seen.
    Stray,
    /// Given up because its sender began another transfer in its place.
    Unfinished,
    /// Given up because its next frame did not come in time.
    TimedOut,
    /// Given up because its place was needed for others.
    Evicted,
    /// More bytes than there is memory for.
    Overflow,
}

/// How often each [`Loss`] happened since the start. Counters stop at their maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counters {
    /// Whole transfers, or frames and commands on a text link, that were delivered.
    pub delivered: u32,
    /// See [`Loss::Foreign`].
    pub foreign: u32,
    /// See [`Loss::Unwanted`].
    pub unwanted: u32,
    /// See [`Loss::Impostor`].
    pub impostors: u32,
    /// See [`Loss::Malformed`].
    pub malformed: u32,
    /// See [`Loss::Checksum`].
    pub checksums: u32,
    /// See [`Loss::Duplicate`].
    pub duplicates: u32,
    /// See [`Loss::Stray`].
    pub strays: u32,
    /// See [`Loss::Unfinished`].
    pub unfinished: u32,
    /// See [`Loss::TimedOut`].
    pub timed_out: u32,
    /// See [`Loss::Evicted`].
    pub evicted: u32,
    /// See [`Loss::Overflow`].
    pub overflows: u32,
}

impl Counters {
    /// Nothing received yet.
    pub const ZERO: Self = Self {
        delivered: 0,
        foreign: 0,
        unwanted: 0,
        impostors: 0,
        malformed: 0,
        checksums: 0,
        duplicates: 0,
        strays: 0,
        unfinished: 0,
        timed_out: 0,
        evicted: 0,
        overflows: 0,
    };

    pub(super) fn deliver(&mut self) {
        self.delivered = self.delivered.saturating_add(1);
    }

    pub(super) fn lose(&mut self, why: Loss) {
        let counter = match why {
            Loss::Foreign => &mut self.foreign,
            Loss::Unwanted => &mut self.unwanted,
            Loss::Impostor => &mut self.impostors,
            Loss::Malformed => &mut self.malformed,
            Loss::Checksum => &mut self.checksums,
            Loss::Duplicate => &mut self.duplicates,
            Loss::Stray => &mut self.strays,
            Loss::Unfinished => &mut self.unfinished,
            Loss::TimedOut => &mut self.timed_out,
            Loss::Evicted => &mut self.evicted,
            Loss::Overflow => &mut self.overflows,
        };
        *counter = counter.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_counter_stays_full() {
        let mut counters = Counters { strays: u32::MAX, delivered: u32::MAX - 1, ..Counters::ZERO };
        counters.lose(Loss::Stray);
        counters.deliver();
        counters.deliver();
        assert_eq!(counters, Counters { strays: u32::MAX, delivered: u32::MAX, ..Counters::ZERO });
    }
}
