//! What the generator publishes; each event waits here until its node takes it.

use crate::context::ContextDevice;
use crate::node::Node;
use crate::protocol::generated::croupier::common::{
    Cleared, Irregularity, NextStep, Role, Trouble,
};
use crate::protocol::generated::croupier::paigow::{
    BlankReason, Blanked, Direction, HouseChanged, Number, Stepped,
};
use crate::protocol::transfer::Priority;
use crate::services::CommonServices;
use crate::time::Instant;

use super::{Entry, PaiGow, Refusal};

/// One event to publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceEvent {
    /// The number of the round, as the display shows it.
    Number(Number),
    /// The display is dark.
    Blanked(Blanked),
    /// The round came a step on.
    Stepped(Stepped),
    /// A floorperson set something.
    House(HouseChanged),
    /// Something went wrong.
    Irregularity(Irregularity),
    /// That is over.
    Cleared(Cleared),
}

impl DeviceEvent {
    /// A number, with the seat map of PG-12.
    pub fn number(entry: &Entry) -> Self {
        Self::Number(Number {
            round: entry.round,
            number: entry.number.get(),
            positions: entry.positions.get(),
            counted: Direction::CounterClockwise,
            dealt: Direction::Clockwise,
            ..Number::default()
        })
    }

    /// The display went dark in `round`.
    pub fn blanked(round: u16, reason: BlankReason) -> Self {
        let (stamp, seal) = Default::default();
        Self::Blanked(Blanked { stamp, round, reason, seal })
    }

    /// Something the floor should know of, though play goes on.
    pub fn notice(trouble: Trouble, detail: u16) -> Self {
        Self::asking(NextStep::TellFloorAndContinue, trouble, detail)
    }

    /// A refusal, and what has to come first where cards are not certified.
    pub fn refused(why: Refusal, (trouble, detail): (Trouble, u16)) -> Self {
        match why {
            Refusal::TooSoon(ago) => {
                Self::notice(trouble, u16::try_from(ago.get()).unwrap_or(u16::MAX))
            }
            Refusal::NotByKey | Refusal::Doubtful(_) => {
                Self::asking(NextStep::ForwardCertificate, trouble, detail)
            }
            _ => Self::notice(trouble, detail),
        }
    }

    /// The cards of the round are certified no more.
    pub fn revoked() -> Self {
        Self::asking(NextStep::Reshuffle, Trouble::CertificateRevoked, 0)
    }

    fn asking(next_step: NextStep, trouble: Trouble, detail: u16) -> Self {
        Self::Irregularity(Irregularity {
            trouble,
            next_step,
            cleared_by: Role::Device,
            detail,
            ..Irregularity::default()
        })
    }

    /// The same with the clause that an irregularity rests on in the game in force.
    pub(super) fn with_clause(self, services: &CommonServices) -> Self {
        match self {
            Self::Irregularity(told) => Self::Irregularity(services.with_clause(told)),
            other => other,
        }
    }

    /// Publishes it through `node`.
    pub fn publish<const LINKS: usize, const EVENTS: usize>(
        &self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    ) {
        match self {
            Self::Number(number) => node.publish(number, Priority::High, now),
            Self::Blanked(blanked) => node.publish(blanked, Priority::High, now),
            Self::Stepped(stepped) => node.publish(stepped, Priority::High, now),
            Self::House(house) => node.publish(house, Priority::Nominal, now),
            Self::Irregularity(trouble) => node.publish(trouble, Priority::Fast, now),
            Self::Cleared(cleared) => node.publish(cleared, Priority::Fast, now),
        };
    }
}

impl ContextDevice for PaiGow {
    fn services(&mut self) -> &mut CommonServices {
        &mut self.services
    }

    fn is_at_rest(&self) -> bool {
        PaiGow::is_at_rest(self)
    }

    fn publish_events<const LINKS: usize, const EVENTS: usize>(
        &mut self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    ) {
        while let Some(event) = self.take_event() {
            event.publish(node, now);
        }
    }
}
