//! Why the generator is dark, and what it publishes of it.

use crate::entropy::RngFault;
use crate::protocol::generated::croupier::common::{Irregularity, NextStep, Role, Trouble};

/// What ends the use of the generator. Each latches through power loss, asks for the
/// shaker, and is cleared by service once a check has passed (PG-16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fault {
    /// The random core is latched; the number is its cause's code.
    Random(u8),
    /// A segment does not follow; the number is its place, a to g and the point.
    Display(u8),
    /// Something could not be kept or read.
    Store,
    /// No number could be drawn, or the kept one is damaged.
    Selection,
}

impl Fault {
    /// As two bytes, for the store: the kind, which is never zero, and the number.
    pub const fn code(self) -> [u8; 2] {
        match self {
            Self::Random(cause) => [1, cause],
            Self::Display(segment) => [2, segment],
            Self::Store => [3, 0],
            Self::Selection => [4, 0],
        }
    }

    /// The fault with these bytes.
    pub const fn from_code(code: [u8; 2]) -> Option<Self> {
        Some(match code {
            [1, cause] => Self::Random(cause),
            [2, segment] => Self::Display(segment),
            [3, 0] => Self::Store,
            [4, 0] => Self::Selection,
            _ => return None,
        })
    }

    /// What the wire calls it.
    pub const fn trouble(self) -> Trouble {
        match self {
            Self::Random(_) => Trouble::EntropyFault,
            Self::Display(_) => Trouble::LampFault,
            Self::Store => Trouble::StoreFault,
            Self::Selection => Trouble::SelectionFault,
        }
    }

    /// What is published: the game goes on with the shaker.
    pub fn irregularity(self) -> Irregularity {
        let [_, detail] = self.code();
        Irregularity {
            trouble: self.trouble(),
            next_step: NextStep::UseShaker,
            cleared_by: Role::Service,
            detail: detail.into(),
            ..Irregularity::default()
        }
    }
}

impl From<RngFault> for Fault {
    fn from(fault: RngFault) -> Self {
        match fault {
            RngFault::Latched(cause) => Self::Random(cause.code()),
            RngFault::Void(_) | RngFault::NotStarted | RngFault::OutOfRange => Self::Selection,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// PG-16, CM-06.
    #[test]
    fn every_fault_survives_the_store_and_asks_for_the_shaker() {
        let faults = [Fault::Random(7), Fault::Display(6), Fault::Store, Fault::Selection];
        for fault in faults {
            assert_eq!(Fault::from_code(fault.code()), Some(fault));
            let told = fault.irregularity();
            assert_eq!((told.next_step, told.cleared_by), (NextStep::UseShaker, Role::Service));
            assert_eq!(told.trouble, fault.trouble());
        }
        assert_eq!(Fault::from_code([0, 0]), None);
        assert_eq!(Fault::Display(6).irregularity().detail, 6);
    }
}
