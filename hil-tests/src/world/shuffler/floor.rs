//! The floor of a simulated shuffler: what people and controller ask by sealed command.
//!
//! The device's own services answer, as they do behind a node; only the wire is left out, with
//! the seals that were checked there.

use croupier::cards::BackColour;
use croupier::node::{Command, Device, Refused, Reply, StatusSummary};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    ClearRequest, ClockSetRequest, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{BatchOpenedRequest, BatchRetiredRequest};
use croupier::services::{Chosen, KeptTime, ProfileStore};
use croupier::shuffler::batch;
use croupier::store::StoreError;

use super::simulation::Simulation;
use super::surroundings::Memory;

/// Midnight at the start of a simulation, in milliseconds of the epoch.
const START_MS: u64 = 1_790_000_000_000;
/// Longer than any request.
const REQUEST_BYTES: usize = 256;

impl ProfileStore for Memory {
    /// A simulation's game is set once, when it is made.
    fn keep_profile(&mut self, _: &Chosen) -> Result<(), StoreError> {
        Err(StoreError::Full)
    }

    /// Its clock never runs without it.
    fn keep_time(&mut self, _: &KeptTime) -> Result<(), StoreError> {
        Ok(())
    }
}

impl Simulation {
    /// Has the device obey `request` by the authority of `role`.
    pub fn obey<R: Request>(&mut self, request: &R, role: Role) -> Result<(), Refused> {
        let mut bytes = [0; REQUEST_BYTES];
        let length = request.encode(&mut bytes).expect("every request is shorter");
        let command = Command::new(role, R::SERVICE, &bytes[..length], self.moment());
        let mut reply = Reply::EMPTY;
        let outcome = self.shuffler.obey(&command, &mut reply, &mut self.memory);
        self.go_round();
        self.settle();
        outcome
    }

    /// What its `Status` says.
    pub fn status(&self) -> StatusSummary {
        Device::<Memory>::status_summary(&self.shuffler)
    }

    /// Somebody with authority sets the day clock right.
    pub fn set_clock(&mut self, role: Role) -> Result<(), Refused> {
        let utc_ms = START_MS + self.now() / 1000;
        self.obey(&ClockSetRequest { utc_ms, ..ClockSetRequest::default() }, role)
    }

    /// A floorperson says that new cards of this colour were opened.
    pub fn open_batch(&mut self, colour: BackColour, decks: u8) -> Result<(), Refused> {
        let batch = batch::to_wire(Some(colour));
        let request = BatchOpenedRequest { batch, decks, ..BatchOpenedRequest::default() };
        self.obey(&request, Role::Floorperson)
    }

    /// A floorperson says that this batch has left the table.
    pub fn retire_batch(&mut self, colour: BackColour) -> Result<(), Refused> {
        let batch = batch::to_wire(Some(colour));
        let request = BatchRetiredRequest { batch, ..BatchRetiredRequest::default() };
        self.obey(&request, Role::Floorperson)
    }

    /// `role` clears a trouble; what takes a check first is asked for again when it has passed.
    pub fn clear(&mut self, trouble: Trouble, role: Role) -> Result<(), Refused> {
        let request = ClearRequest { trouble, ..ClearRequest::default() };
        match self.obey(&request, role) {
            Err(Refused::Busy) => self.obey(&request, role),
            outcome => outcome,
        }
    }
}
