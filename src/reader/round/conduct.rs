//! Who begins a round, and who ends it.

use super::Mode;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::reader::UpCard;
use crate::reader::device::Reader;
use crate::reader::machine::Event;
use crate::time::Instant;

impl Reader {
    /// The up-card of a round is given: what ends the round before, if one is open, and what arms
    /// this one.
    ///
    /// A refused request changes nothing; what would be refused once the round before is over
    /// must not end it.
    pub(in crate::reader) fn arming(
        &self,
        number: u16,
        up_card: UpCard,
        by: Role,
        now: Instant,
    ) -> Result<(Option<Event>, Event), Refused> {
        if self.mode(now) == Mode::Closed {
            return Err(self.why_closed(now));
        }
        let arms = Event::UpCard(number, up_card, by);
        // A new number ends the round before.
        let Some(open) = self.machine.round().filter(|round| round.number != number) else {
            return Ok((None, arms));
        };
        if self.inspected_for(now).is_none() {
            return Err(Refused::NotInspected);
        }
        Ok((Some(self.ending(open.number, by)?), arms))
    }

    /// A round is over, if the house has `by` end rounds.
    pub(in crate::reader) fn ending(&self, number: u16, by: Role) -> Result<Event, Refused> {
        if self.record.by_controller != (by == Role::Controller) {
            return Err(Refused::NotAuthorised);
        }
        Ok(Event::RoundOver(number, by))
    }
}
