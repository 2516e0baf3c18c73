//! What the house decides about a reader: a floorperson sets it between rounds (CM-07).

use super::device::Reader;
use super::{DeviceEvent, ReaderStore, Record};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::reader::{
    HouseChanged, HouseRequest, HouseResponse, RoundsBy,
};

impl Reader {
    /// Sets what is asked; with nothing said, nothing is set.
    pub(super) fn set_house(
        &mut self,
        asked: &HouseRequest,
        by: Role,
        store: &mut impl ReaderStore,
    ) -> Result<(), Refused> {
        if asked.rounds_by == RoundsBy::Unsaid {
            return Ok(());
        }
        if by != Role::Floorperson {
            return Err(Refused::NotAuthorised);
        }
        if self.services.in_round {
            return Err(Refused::InRound);
        }
        let by_controller = asked.rounds_by == RoundsBy::Controller;
        self.keep(Record { by_controller, ..self.record }, store)?;
        let HouseResponse { rounds_by, .. } = self.house_response();
        self.publish(DeviceEvent::House(HouseChanged { rounds_by, ..HouseChanged::default() }));
        Ok(())
    }

    /// What is in force.
    pub(super) fn house_response(&self) -> HouseResponse {
        let by_controller = self.record.by_controller;
        let rounds_by = if by_controller { RoundsBy::Controller } else { RoundsBy::Dealer };
        HouseResponse { rounds_by, ..HouseResponse::default() }
    }
}
