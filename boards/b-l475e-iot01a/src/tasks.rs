//! What every device does beside its game: hears, speaks, and tends its desk.

use crate::Rest;
use crate::can_bus::TableBus;
use adapters::desk::{self, Officed, ServiceSwitch};
use adapters::roll;
use adapters::store_flash::StoreFlash;
use adapters::trng::Trng;
use adapters::wire::{self, Herald, Shared, Wire};
use croupier::node::{Device, Requests};
use croupier::office::{Office, Shelf};
use croupier::protocol::keys::KeyPolicy;
use croupier::protocol::transfer::NodeId;
use croupier::safety::Duty;
use embassy_futures::join::{join, join3};
use embassy_stm32::gpio::Output;
use embassy_stm32::usart::BufferedUart;

impl Rest {
    /// The desk, what serves it, and raw noise.
    pub fn open(self) -> (Wire<Office, Shelf<StoreFlash>>, Lines, Trng) {
        let kind = self.start.identity.kind;
        let ear = (desk::node_id(kind), Requests(kind));
        // No keys until service provisions them, and never a simulation's.
        let opened = desk::open(self.start, Shelf::open(self.flash), KeyPolicy::Silicon);
        let Self { table_link, table_bus, ready, service_switch, noise, .. } = self;
        (opened, Lines { ear, table_link, table_bus, ready, service_switch }, noise)
    }
}

/// What serves a desk.
pub struct Lines {
    /// Its number on the wire, and what it listens to.
    ear: (NodeId, Requests),
    table_link: BufferedUart<'static>,
    table_bus: TableBus,
    ready: Output<'static>,
    service_switch: ServiceSwitch,
}

impl Lines {
    /// Serves the desk of any device for ever, in one task.
    pub async fn serve<D>(self, desk: &Shared<D, Shelf<StoreFlash>>) -> !
    where
        D: Device<Shelf<StoreFlash>> + Herald + Officed,
    {
        let Self { ear, table_link, table_bus, ready, service_switch } = self;
        let (link_out, link_in) = table_link.split();
        let link = join(
            wire::hear_serial(desk, ear, link_in, roll::attend(Duty::Link)),
            wire::speak_serial(desk, link_out),
        );
        let bus = async {
            let mut attendee = roll::attend(Duty::Bus);
            let (out, into) = table_bus.start(ear.0, &mut attendee).await;
            join(wire::hear_bus(desk, ear, into, attendee), wire::speak_bus(desk, out)).await
        };
        join3(link, bus, desk::tend(desk, ready, service_switch)).await.2
    }
}
