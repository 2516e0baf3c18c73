//! What the house decides about a reader: a floorperson sets it between rounds (CM-07).

use super::check::DayBegins;
use super::device::{Change, Reader};
use super::record::Passed;
use super::{DeviceEvent, Record};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::reader::{
    HouseChanged, HouseRequest, HouseResponse, RoundsBy,
};

impl Reader {
    /// The change that is asked for; none where nothing is said.
    pub(super) fn set_house(
        &self,
        asked: &HouseRequest,
        by: Role,
    ) -> Result<Option<Change>, Refused> {
        if asked.rounds_by == RoundsBy::Unsaid && asked.day_begins == 0 {
            return Ok(None);
        }
        if by != Role::Floorperson {
            return Err(Refused::NotAuthorised);
        }
        if self.services.in_round {
            return Err(Refused::InRound);
        }
        let by_controller = match asked.rounds_by {
            RoundsBy::Unsaid => self.record.by_controller,
            RoundsBy::Dealer => false,
            RoundsBy::Controller => true,
        };
        let day_begins = match asked.day_begins {
            0 => self.record.day_begins,
            minutes => DayBegins::at(minutes).ok_or(Refused::OutOfRange)?,
        };
        let at = |passed: Passed| Passed { at: passed.at.with(day_begins), ..passed };
        let passed = self.record.passed.map(at);
        let record = Record { by_controller, day_begins, passed, ..self.record };
        let (rounds_by, day_begins) = in_force(&record);
        let event = HouseChanged { rounds_by, day_begins, ..HouseChanged::default() };
        Ok(Some(Change { record, event: DeviceEvent::House(event) }))
    }

    /// What is in force.
    pub(super) fn house_response(&self) -> HouseResponse {
        let (rounds_by, day_begins) = in_force(&self.record);
        HouseResponse { rounds_by, day_begins, ..HouseResponse::default() }
    }
}

/// What the wire calls it.
const fn in_force(record: &Record) -> (RoundsBy, u16) {
    let rounds_by = if record.by_controller { RoundsBy::Controller } else { RoundsBy::Dealer };
    (rounds_by, record.day_begins.minutes())
}
