//! The check that service asks for: a pass is remembered, and a second CLEAR ends the fault (CM-06).

use super::device::Want;
use super::machine::{Event, State};
use super::{Fault, NumberStore, PaiGow};
use crate::node::Refused;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::time::Instant;

/// How a check that service asked for ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    Failed,
    Passed,
}

impl PaiGow {
    /// Clears a fault: the first request begins a check, the next one is answered by what it found. Only
    /// that one clears, and only if nothing failed since and power did not.
    pub(super) fn clear(
        &mut self,
        trouble: Trouble,
        by: Role,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        if by != Role::Service {
            return Err(Refused::NotAuthorised);
        }
        if !matches!(self.state(), State::Faulted(fault) if fault.trouble() == trouble) {
            return Err(Refused::NotFound);
        }
        match self.check.take() {
            Some(Check::Passed) => self.put_back_in_use(now, store),
            Some(Check::Failed) => Err(Refused::OutOfTurn),
            None => {
                self.want = Some(Want::Check);
                Err(Refused::Busy)
            }
        }
    }

    /// What the check has seen. It clears nothing.
    pub fn checked(&mut self, seen: Result<(), Fault>) {
        if self.want == Some(Want::Check) {
            let found = if seen.is_ok() { Check::Passed } else { Check::Failed };
            (self.want, self.check) = (None, Some(found));
        }
    }

    /// The fault is over once flash says so.
    fn put_back_in_use(
        &mut self,
        now: Instant,
        store: &mut impl NumberStore,
    ) -> Result<(), Refused> {
        let fault = self.record.fault.take();
        self.save(store);
        if self.unsaved {
            self.record.fault = fault;
            return Err(Refused::StoreFailed);
        }
        self.apply(Event::Checked, now, store)
    }
}
