//! Rounds as the reader and the table speak of them: armed, told, over.

use super::{Mode, Round};
use crate::profile::{self, ReaderKind};
use crate::protocol::generated::croupier::common::{
    Cleared, NextStep, Result as Outcome, Role, Trouble,
};
use crate::protocol::generated::croupier::reader::{
    Armed, Insertion, NestChange, Reading, UpCard, Verdict,
};
use crate::reader::device::Reader;
use crate::reader::machine::Event;
use crate::reader::{DeviceEvent, Fault, ReaderStore};

impl Reader {
    /// The up-card of a round is told.
    ///
    /// Of all refusals only that of a second question leaves a mark: the rule asks for it.
    pub(in crate::reader) fn arm(
        &mut self,
        number: u16,
        up_card: UpCard,
        by: Role,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) -> Outcome {
        if self.mode(now_ms) == Mode::Closed {
            return self.why_closed(now_ms);
        }
        // A new number ends the round before.
        if let Some(open) = self.machine.round().filter(|round| round.number != number) {
            let ended = self.round_over(open.number, by, now_ms, store);
            if ended != Outcome::Accepted {
                return ended;
            }
        }
        let before = self.machine.round();
        let outcome = self.apply(Event::UpCard(number, up_card), now_ms, store);
        if outcome == Outcome::Accepted && self.machine.round() != before {
            self.publish(DeviceEvent::Armed(Armed {
                round: number,
                up_card,
                by,
                ..Armed::default()
            }));
        }
        outcome
    }

    /// A round is over: its hole card is face up.
    pub(in crate::reader) fn round_over(
        &mut self,
        number: u16,
        by: Role,
        now_ms: u64,
        store: &mut impl ReaderStore,
    ) -> Outcome {
        let outcome = self.apply(Event::RoundOver(number), now_ms, store);
        if outcome == Outcome::Accepted {
            let up_card = UpCard::Unsaid;
            self.publish(DeviceEvent::Armed(Armed {
                round: number,
                up_card,
                by,
                ..Armed::default()
            }));
        }
        outcome
    }

    /// Why no round can begin.
    fn why_closed(&self, now_ms: u64) -> Outcome {
        match self.services.chosen {
            _ if self.fault().is_some() => Outcome::Malfunction,
            None => Outcome::WrongProfile,
            Some(_) if self.check.is_some() || self.teaching.is_some() => Outcome::OutOfTurn,
            Some(_) if self.inspected_for(now_ms).is_none() || self.brand.is_none() => {
                Outcome::NotInspected
            }
            Some(_) => Outcome::OutOfTurn,
        }
    }

    /// RD-13: one event for each change, with a time and without a card.
    pub(in crate::reader) fn publish_insertion(&mut self, inserted: bool) {
        let change = if inserted { NestChange::Inserted } else { NestChange::Removed };
        let (round, tries) = self.round_told();
        let (stamp, seal) = Default::default();
        self.publish(DeviceEvent::Insertion(Insertion { stamp, round, change, tries, seal }));
    }

    /// Tells what the lamp says, and what the floor must know of it.
    pub(in crate::reader) fn publish_verdict(
        &mut self,
        reading: Reading,
        trouble: Option<Trouble>,
    ) {
        let (round, tries) = self.round_told();
        let expose = self.machine.round().is_some_and(|round| round.exposes(reading));
        self.publish(DeviceEvent::Verdict(Verdict {
            round,
            reading,
            tries,
            expose,
            ..Verdict::default()
        }));
        if let Some(trouble) = trouble {
            self.publish_floor(
                trouble,
                if trouble == Trouble::CannotRead { tries.into() } else { 0 },
            );
        }
    }

    fn round_told(&self) -> (u16, u8) {
        self.machine.round().map_or((0, 0), |round| (round.number, round.insertions))
    }

    /// Tells the floor of something after which play goes on.
    pub(in crate::reader) fn publish_floor(&mut self, trouble: Trouble, detail: u16) {
        let step = match trouble {
            Trouble::CannotRead => NextStep::ReadByHand,
            Trouble::WrongUpCard => self.wrong_up_card_step(),
            _ => NextStep::TellFloorAndContinue,
        };
        self.publish(DeviceEvent::notice(trouble, step, Role::Device, detail));
    }

    /// What the game's rule asks for after a card under the wrong up-card (RD-05).
    fn wrong_up_card_step(&self) -> NextStep {
        let rules = self.services.chosen.and_then(|chosen| chosen.game.profile().reader());
        match rules.map(|rules| rules.kind) {
            Some(ReaderKind::Peek { wrong_up_card, .. })
                if wrong_up_card.rule == profile::NextStep::TellFloorAndContinueIfSilent =>
            {
                NextStep::TellFloorAndContinueIfSilent
            }
            _ => NextStep::TellFloorAndContinue,
        }
    }

    /// The round is over: what had to wait may be told now (RD-17).
    pub(in crate::reader) fn publish_closed(
        &mut self,
        round: &Round,
        store: &mut impl ReaderStore,
    ) {
        if round.foreign {
            self.record.wrong_deck = true;
            self.save(store);
            let (step, by) = (NextStep::RemoveDeck, Role::Floorperson);
            self.publish(DeviceEvent::notice(Trouble::WrongDeck, step, by, 0));
        }
    }

    /// The fault is over.
    pub(in crate::reader) fn publish_repaired(&mut self, fault: Fault) {
        self.repaired = Some(fault.trouble());
        self.publish_cleared(fault.trouble(), Role::Service);
    }

    pub(in crate::reader) fn publish_cleared(&mut self, trouble: Trouble, by: Role) {
        self.publish(DeviceEvent::Cleared(Cleared { trouble, by, ..Cleared::default() }));
    }
}
