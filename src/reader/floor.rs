//! What the floorperson ends and reports: no one at the table may decide it instead.

use super::device::Reader;
use super::{DeviceEvent, ReaderStore, Record};
use crate::node::Refused;
use crate::profile::ReaderKind;
use crate::protocol::generated::croupier::common::{Role, Trouble};

impl Reader {
    /// Clears what a floorperson has seen to: a deck with a card it should not have, or a card
    /// that could not be read. A malfunction is over when service has passed the check, and
    /// asking is no more than asking.
    pub(super) fn clear(
        &mut self,
        trouble: Trouble,
        by: Role,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        let seen_to = match trouble {
            Trouble::WrongDeck if self.record.wrong_deck => {
                Some(Record { wrong_deck: false, ..self.record })
            }
            Trouble::CannotRead if self.record.unread => {
                Some(Record { unread: false, ..self.record })
            }
            _ => None,
        };
        match (seen_to, self.fault()) {
            (Some(_), _) if by != Role::Floorperson => Err(Refused::NotAuthorised),
            (Some(record), _) => {
                self.keep(record, store)?;
                self.publish_cleared(trouble, by);
                Ok(())
            }
            _ if by != Role::Service => Err(Refused::NotAuthorised),
            (_, Some(fault)) if fault.trouble() == trouble => Err(Refused::OutOfTurn),
            _ if self.repaired == Some(trouble) => Ok(()),
            _ => Err(Refused::NotFound),
        }
    }

    /// Counts a wrong light and publishes both outcomes of the clause; no other game has one.
    pub(super) fn wrong_light(
        &mut self,
        round: u16,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        let Some(ReaderKind::Masque { wrong_light, .. }) = self.kind() else {
            return Err(Refused::WrongProfile);
        };
        if self.light_of != Some(round) {
            return Err(Refused::NotFound);
        }
        let wrong_lights = self.record.wrong_lights.saturating_add(1);
        self.keep(Record { wrong_lights, ..self.record }, store)?;
        self.light_of = None;
        let (step, detail) = (wrong_light.rule.into(), wrong_lights.into());
        self.publish(DeviceEvent::notice(Trouble::WrongLight, step, Role::Device, detail));
        Ok(())
    }
}
