//! How rounds are read now, why none can begin, and what is published of one.

use super::{Mode, Round};
use crate::cards::Rank;
use crate::node::Refused;
use crate::profile::{self, ReaderKind};
use crate::protocol::generated::croupier::common::{Cleared, NextStep, Role, Trouble};
use crate::protocol::generated::croupier::reader::{
    Armed, Insertion, NestChange, Reading, UpCard, Verdict,
};
use crate::reader::device::Reader;
use crate::reader::{DeviceEvent, Fault};
use crate::time::{Instant, Millis};

impl Reader {
    /// How it reads now.
    pub fn mode(&self, now: Instant) -> Mode {
        let busy = self.check.is_some() || self.teaching.is_some() || self.test.is_running();
        // A round that has begun goes on, though the gaming day ends meanwhile.
        let inspected = self.inspected_for(now).is_some() || self.machine.round().is_some();
        let closed = busy || !inspected || self.brand.is_none() || self.record.unread;
        match self.kind() {
            _ if closed => Mode::Closed,
            Some(ReaderKind::Peek { .. }) => Mode::Peek,
            Some(ReaderKind::Masque { .. }) => Mode::Masque,
            None => Mode::Closed,
        }
    }

    /// Which reader the game in force has, with its rules.
    pub(in crate::reader) fn kind(&self) -> Option<ReaderKind> {
        let rules = self.services.chosen.and_then(|chosen| chosen.game.profile().reader());
        rules.map(|rules| rules.kind)
    }

    pub(in crate::reader) fn has_tens(&self) -> bool {
        self.services.chosen.is_none_or(|chosen| chosen.game.profile().pack.deck.has(Rank::Ten))
    }

    /// Why no round can begin.
    pub(in crate::reader) fn why_closed(&self, now: Instant) -> Refused {
        match self.services.chosen {
            _ if self.fault().is_some() => Refused::Malfunction,
            None => Refused::WrongProfile,
            Some(_) if self.check.is_some() || self.teaching.is_some() => Refused::OutOfTurn,
            Some(_) if self.inspected_for(now).is_none() || self.brand.is_none() => {
                Refused::NotInspected
            }
            Some(_) => Refused::OutOfTurn,
        }
    }

    /// Publishes the up-card of a round; `Unsaid` where the round is over.
    #[inline(never)]
    pub(in crate::reader) fn publish_armed(&mut self, round: u16, up_card: UpCard, by: Role) {
        let (stamp, seal) = Default::default();
        self.publish(DeviceEvent::Armed(Armed { stamp, round, up_card, by, seal }));
    }

    /// RD-13: one event for each change, with a time and without a card.
    pub(in crate::reader) fn publish_insertion(&mut self, inserted: bool) {
        let change = if inserted { NestChange::Inserted } else { NestChange::Removed };
        let (round, tries) = self.round_told();
        let (stamp, seal) = Default::default();
        self.publish(DeviceEvent::Insertion(Insertion { stamp, round, change, tries, seal }));
    }

    /// Publishes what the lamp says, and what the floor must know of it.
    pub(in crate::reader) fn publish_verdict(
        &mut self,
        reading: Reading,
        trouble: Option<Trouble>,
    ) {
        let (round, tries) = self.round_told();
        if matches!(reading, Reading::Small | Reading::Medium | Reading::Large) {
            self.light_of = Some(round);
        }
        let expose = self.machine.round().is_some_and(|round| round.exposes(reading));
        self.publish(DeviceEvent::Verdict(Verdict {
            round,
            reading,
            tries,
            expose,
            ..Verdict::default()
        }));
        if let Some(trouble) = trouble {
            let failures = self.machine.failures().into();
            self.publish_floor(trouble, if trouble == Trouble::CannotRead { failures } else { 0 });
        }
    }

    fn round_told(&self) -> (u16, u8) {
        self.machine.round().map_or((0, 0), |round| (round.number, round.insertions))
    }

    /// Publishes something that is for the floor.
    pub(in crate::reader) fn publish_floor(&mut self, trouble: Trouble, detail: u16) {
        let step = match trouble {
            Trouble::CannotRead => NextStep::CallFloor,
            Trouble::NoUpCard => NextStep::TellUpCard,
            Trouble::WrongUpCard => self.wrong_up_card_step(),
            _ => NextStep::TellFloorAndContinue,
        };
        let cleared_by = match trouble {
            Trouble::CannotRead => Role::Floorperson,
            _ => Role::Device,
        };
        self.publish(DeviceEvent::notice(trouble, step, cleared_by, detail));
    }

    /// The other question came so soon after a look that it may be about the same card.
    pub(in crate::reader) fn publish_quick_repeat(&mut self, since: Millis) {
        let since = u16::try_from(since.get()).unwrap_or(u16::MAX);
        self.publish_floor(Trouble::QuickRepeat, since);
    }

    /// What the game's rule asks for after a card under the wrong up-card (RD-05).
    fn wrong_up_card_step(&self) -> NextStep {
        match self.kind() {
            Some(ReaderKind::Peek { wrong_up_card, .. })
                if wrong_up_card.rule == profile::NextStep::TellFloorAndContinueIfSilent =>
            {
                NextStep::TellFloorAndContinueIfSilent
            }
            _ => NextStep::TellFloorAndContinue,
        }
    }

    /// The round is over: what had to wait may be published now (RD-17).
    pub(in crate::reader) fn publish_closed(&mut self, round: &Round, by: Role) {
        if round.foreign {
            self.publish_wrong_deck();
        }
        self.publish_armed(round.number, UpCard::Unsaid, by);
    }

    fn publish_wrong_deck(&mut self) {
        let (step, cleared_by) = (NextStep::RemoveDeck, Role::Floorperson);
        self.publish(DeviceEvent::notice(Trouble::WrongDeck, step, cleared_by, 0));
    }

    /// The fault is over, and no card of its round is face down any more: what had to wait for that
    /// may be published now (RD-17).
    pub(in crate::reader) fn publish_repaired(&mut self, fault: Fault) {
        let (trouble, by) = (fault.trouble(), Role::Service);
        self.repaired = Some(trouble);
        self.publish(DeviceEvent::Cleared(Cleared { trouble, by, ..Cleared::default() }));
        if self.record.wrong_deck {
            self.publish_wrong_deck();
        }
    }
}
