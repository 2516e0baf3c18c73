//! Why the reader is out of service, and what it publishes of it.

use crate::protocol::generated::croupier::common::{Irregularity, NextStep, Role, Trouble};

/// A malfunction. Each latches through power loss, stops the table, and is over when
/// service has passed the whole check (RD-10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fault {
    /// A lamp does not follow; the number is its place in the row.
    Lamp(u8),
    /// A sensor does not work.
    Sensor(Sensor),
    /// Too little light comes back through the scan window.
    Window,
    /// Something could not be kept or read.
    Store,
    /// The device's time ran backwards.
    Clock,
    /// The taught brand is damaged, in flash or in memory.
    Brand,
    /// Two answers of one round contradict each other: one of them was wrong.
    Contradiction,
}

/// The sensors by their number on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Sensor {
    /// The beam across the mouth.
    Hood = 0,
    /// The near edge beam.
    Near = 1,
    /// The far edge beam.
    Far = 2,
    /// The scan head.
    ScanHead = 3,
}

impl Sensor {
    /// The sensor with this number.
    pub const fn from_number(number: u8) -> Option<Self> {
        Some(match number {
            0 => Self::Hood,
            1 => Self::Near,
            2 => Self::Far,
            3 => Self::ScanHead,
            _ => return None,
        })
    }
}

impl Fault {
    /// As two bytes, for the store: the kind, which is never zero, and the number.
    pub const fn code(self) -> [u8; 2] {
        match self {
            Self::Lamp(place) => [1, place],
            Self::Sensor(which) => [2, which as u8],
            Self::Window => [3, 0],
            Self::Store => [4, 0],
            Self::Clock => [5, 0],
            Self::Brand => [6, 0],
            Self::Contradiction => [7, 0],
        }
    }

    /// The fault with these bytes.
    pub const fn from_code(code: [u8; 2]) -> Option<Self> {
        Some(match code {
            [1, place] => Self::Lamp(place),
            [2, which] => match Sensor::from_number(which) {
                Some(which) => Self::Sensor(which),
                None => return None,
            },
            [3, 0] => Self::Window,
            [4, 0] => Self::Store,
            [5, 0] => Self::Clock,
            [6, 0] => Self::Brand,
            [7, 0] => Self::Contradiction,
            _ => return None,
        })
    }

    /// What the wire calls it.
    pub const fn trouble(self) -> Trouble {
        match self {
            Self::Lamp(_) => Trouble::LampFault,
            Self::Sensor(_) => Trouble::SensorFault,
            Self::Window => Trouble::WindowDirty,
            Self::Store => Trouble::StoreFault,
            Self::Clock => Trouble::ClockFault,
            Self::Brand => Trouble::BrandLost,
            Self::Contradiction => Trouble::Contradiction,
        }
    }

    /// What is published: the table stops (581.13(i) and its like in each game with a reader).
    pub fn irregularity(self) -> Irregularity {
        let [_, detail] = self.code();
        Irregularity {
            trouble: self.trouble(),
            next_step: NextStep::StopTable,
            cleared_by: Role::Service,
            detail: detail.into(),
            ..Irregularity::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{self, Game};

    /// RD-10, CM-06.
    #[test]
    fn every_fault_survives_the_store_and_stops_the_table() {
        let sensors = (0..4).filter_map(Sensor::from_number).map(Fault::Sensor);
        let others =
            [Fault::Window, Fault::Store, Fault::Clock, Fault::Brand, Fault::Contradiction];
        for fault in (0..6).map(Fault::Lamp).chain(sensors).chain(others) {
            assert_eq!(Fault::from_code(fault.code()), Some(fault));
            let told = fault.irregularity();
            assert_eq!((told.next_step, told.cleared_by), (NextStep::StopTable, Role::Service));
        }
        for none in [[0, 0], [2, 4], [3, 1], [8, 0], [0xFF, 0xFF]] {
            assert_eq!(Fault::from_code(none), None);
        }
    }

    /// RD-10: the step is the one that each game's rule asks for.
    #[test]
    fn every_game_with_a_reader_stops_its_table() {
        let rules = Game::ALL.into_iter().filter_map(|game| game.profile().reader());
        assert!(rules.clone().count() >= 5);
        for rule in rules {
            assert_eq!(rule.malfunction.rule, profile::NextStep::StopTable);
        }
    }
}
