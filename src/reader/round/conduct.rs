//! Who begins a round, and who ends it.

use super::Mode;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::reader::UpCard;
use crate::reader::ReaderStore;
use crate::reader::device::Reader;
use crate::reader::machine::Event;
use crate::time::Instant;

impl Reader {
    /// The up-card of a round is given.
    ///
    /// A refused request changes nothing; what would be refused once the round before is over
    /// must not end it.
    pub(in crate::reader) fn arm(
        &mut self,
        number: u16,
        up_card: UpCard,
        by: Role,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        if self.mode(now) == Mode::Closed {
            return Err(self.why_closed(now));
        }
        // A new number ends the round before.
        if let Some(open) = self.machine.round().filter(|round| round.number != number) {
            if self.inspected_for(now).is_none() {
                return Err(Refused::NotInspected);
            }
            self.end_round(open.number, by, now, store)?;
        }
        self.apply(Event::UpCard(number, up_card, by), now, store)
    }

    /// A round is over, if the house has `by` end rounds.
    pub(in crate::reader) fn end_round(
        &mut self,
        number: u16,
        by: Role,
        now: Instant,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        if self.record.by_controller != (by == Role::Controller) {
            return Err(Refused::NotAuthorised);
        }
        self.apply(Event::RoundOver(number, by), now, store)
    }
}
