//! A device with common services and nothing of its own, except what a test puts into it.

use croupier::context::ContextDevice;
use croupier::identity::DeviceKind;
use croupier::node::{Command, Device, Node, Refused, Reply, StatusSummary};
use croupier::protocol::codec::Request;
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::transfer::Priority;
use croupier::services::{CommonServices, ProfileStore, StoreHandle};
use croupier::time::{Instant, Millis};

use super::bank::{Bank, Link};
use super::world::{Flash, Running, open, open_on};

/// The device.
pub struct Puppet {
    pub services: CommonServices,
    pub at_rest: bool,
    pub pending: Vec<Irregularity>,
}

impl<S: ProfileStore> Device<S> for Puppet {
    fn status_summary(&self) -> StatusSummary {
        Device::<S>::status_summary(&self.services)
    }

    fn service_switch_closed(&self) -> bool {
        Device::<S>::service_switch_closed(&self.services)
    }

    fn obey(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut S,
    ) -> Result<(), Refused> {
        self.services.obey(command, reply, store)
    }
}

impl ContextDevice for Puppet {
    fn services(&mut self) -> &mut CommonServices {
        &mut self.services
    }

    fn is_at_rest(&self) -> bool {
        self.at_rest
    }

    fn publish_events<const LINKS: usize, const EVENTS: usize>(
        &mut self,
        node: &mut Node<LINKS, EVENTS>,
        now: Instant,
    ) {
        for event in self.pending.drain(..) {
            node.publish(&event, Priority::Fast, now);
        }
    }
}

/// A puppet in its loops, a bank on each link, and one of them that asks.
pub struct Table {
    pub running: Running<Puppet>,
    pub serial: Bank,
    pub can: Bank,
}

pub const KIND: DeviceKind = DeviceKind::Reader;

pub fn free_bet(seats: u8) -> ProfileSetRequest {
    ProfileSetRequest { game: Game::FreeBet, decks: 6, seats, ..ProfileSetRequest::default() }
}

impl Table {
    pub fn new() -> Self {
        Self::with(&[0x5A; 700], |_| ())
    }

    /// A puppet with this image, on a store as `prepare` leaves it.
    pub fn with(image: &[u8], prepare: impl FnOnce(&mut StoreHandle<Flash>)) -> Self {
        let context = open(KIND, Flash::new(3)).around(|services, store| {
            prepare(store);
            Puppet { services, at_rest: true, pending: Vec::new() }
        });
        let running = Running::new(KIND, image, context);
        Self { running, serial: Bank::new(Link::Serial), can: Bank::new(Link::Can) }
    }

    /// A puppet on a store that `prepare` filled before it was switched on.
    pub fn started_with(prepare: impl FnOnce(&mut StoreHandle<Flash>)) -> Self {
        let mut store = StoreHandle::open(Flash::new(3));
        prepare(&mut store);
        let context = open_on(KIND, store).around(|services, _| Puppet {
            services,
            at_rest: true,
            pending: Vec::new(),
        });
        let running = Running::new(KIND, &[0x5A; 700], context);
        Self { running, serial: Bank::new(Link::Serial), can: Bank::new(Link::Can) }
    }

    /// A new one, and both banks know the device.
    pub fn settled() -> Self {
        let mut table = Self::new();
        table.run_for(2_500);
        table
    }

    pub fn now(&self) -> Instant {
        self.running.world.0.now.get()
    }

    pub fn run_for(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.running.millisecond();
            self.serial.carry(&self.running.world);
            self.can.carry(&self.running.world);
        }
    }

    pub fn bank(&mut self, link: Link) -> &mut Bank {
        match link {
            Link::Serial => &mut self.serial,
            Link::Can => &mut self.can,
        }
    }

    /// Asks on `link`; the answer, and how long it took.
    pub fn ask<R: Request + croupier::protocol::codec::Sealed>(
        &mut self,
        link: Link,
        role: Role,
        asked: &R,
    ) -> (Outcome, R::Response, Millis) {
        let (to, began) = (croupier::context::node_id(KIND), self.now());
        self.bank(link).ask(to, role, asked, began);
        loop {
            self.run_for(1);
            if let Some((outcome, response)) = self.bank(link).answer() {
                return (outcome, response, self.now().since(began));
            }
            assert!(self.now() < began + Millis::from_secs(5), "no answer to {}", R::NAME);
        }
    }
}
