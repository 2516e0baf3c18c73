//! What the floorperson ends and reports: no one at the table may decide it instead.

use super::device::{Change, Reader};
use super::{DeviceEvent, Record};
use crate::node::Refused;
use crate::profile::ReaderKind;
use crate::protocol::generated::croupier::common::{Cleared, Role, Trouble};

impl Reader {
    /// Clears what a floorperson has seen to: a deck with a card it should not have, or a card
    /// that could not be read. A malfunction is over when service has passed the check, and
    /// asking is no more than asking; a wrong deck is not spoken of before it is (RD-17).
    pub(super) fn clear(&self, trouble: Trouble, by: Role) -> Result<Option<Change>, Refused> {
        let seen_to = match trouble {
            Trouble::WrongDeck if self.record.wrong_deck && self.fault().is_none() => {
                Some(Record { wrong_deck: false, ..self.record })
            }
            Trouble::CannotRead if self.record.unread || self.record.failures > 0 => {
                Some(Record { unread: false, failures: 0, ..self.record })
            }
            _ => None,
        };
        match (seen_to, self.fault()) {
            (Some(_), _) if by != Role::Floorperson => Err(Refused::NotAuthorised),
            (Some(record), _) => {
                let event = Cleared { trouble, by, ..Cleared::default() };
                Ok(Some(Change { record, event: DeviceEvent::Cleared(event) }))
            }
            _ if by != Role::Service => Err(Refused::NotAuthorised),
            (_, Some(fault)) if fault.trouble() == trouble => Err(Refused::OutOfTurn),
            _ if self.repaired == Some(trouble) => Ok(None),
            _ => Err(Refused::NotFound),
        }
    }

    /// Counts a wrong light and publishes both outcomes of the clause; no other game has one.
    pub(super) fn wrong_light(&self, round: u16) -> Result<Change, Refused> {
        let Some(ReaderKind::Masque { wrong_light, .. }) = self.kind() else {
            return Err(Refused::WrongProfile);
        };
        if self.light_of != Some(round) {
            return Err(Refused::NotFound);
        }
        let wrong_lights = self.record.wrong_lights.saturating_add(1);
        let (step, detail) = (wrong_light.rule.into(), wrong_lights.into());
        let event = DeviceEvent::notice(Trouble::WrongLight, step, Role::Device, detail);
        Ok(Change { record: Record { wrong_lights, ..self.record }, event })
    }
}
