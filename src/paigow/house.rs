//! What the house decides about a generator: a floorperson sets it between rounds (CM-07).

use super::record::Shuffling;
use super::{DeviceEvent, NumberStore, PaiGow};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::paigow::{
    HouseChanged, HouseRequest, HouseResponse, ShuffledBy,
};

impl PaiGow {
    /// Sets what is asked; with nothing said, nothing is set.
    pub(super) fn set_house(
        &mut self,
        asked: &HouseRequest,
        by: Role,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        if asked.shuffled_by == ShuffledBy::Unsaid {
            return Ok(());
        }
        if by != Role::Floorperson {
            return Err(Refused::NotAuthorised);
        }
        if self.services.in_round {
            return Err(Refused::InRound);
        }
        let by_certificate = asked.shuffled_by == ShuffledBy::Certificate;
        self.keep_shuffling(Shuffling { by_certificate, ..self.shuffling }, store)?;
        let HouseResponse { shuffled_by, .. } = self.house_response();
        self.publish(DeviceEvent::House(HouseChanged { shuffled_by, ..HouseChanged::default() }));
        Ok(())
    }

    /// What is in force.
    pub(super) fn house_response(&self) -> HouseResponse {
        let by_certificate = self.shuffling.by_certificate;
        let shuffled_by = if by_certificate { ShuffledBy::Certificate } else { ShuffledBy::Keys };
        HouseResponse { shuffled_by, ..HouseResponse::default() }
    }

    /// Keeps it in flash, and only then here.
    pub(super) fn keep_shuffling(
        &mut self,
        next: Shuffling,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        store.keep_shuffling(&next).map_err(|_| Refused::StoreFailed)?;
        self.shuffling = next;
        Ok(())
    }
}
