//! What every device does beside its game: hears, speaks, and tends its desk.

use crate::CommonIo;
use crate::can_bus::TableBus;
use adapters::desk::{self, HasServices, ServiceSwitch};
use adapters::store_flash::StoreFlash;
use adapters::task_watchdog;
use adapters::trng::Trng;
use adapters::wire::{self, PublishEvents, Shared, Wire};
use croupier::node::{Device, Requests};
use croupier::protocol::keys::KeyPolicy;
use croupier::protocol::transfer::NodeId;
use croupier::safety::TaskId;
use croupier::services::{CommonServices, StoreHandle};
use embassy_futures::join::{join, join3};
use embassy_stm32::gpio::Output;
use embassy_stm32::usart::BufferedUart;

impl CommonIo {
    /// The desk, what serves it, and raw noise.
    pub fn open(self) -> (Wire<CommonServices, StoreHandle<StoreFlash>>, Links, Trng) {
        let kind = self.start.identity.kind;
        let rx = (desk::node_id(kind), Requests(kind));
        // No keys until service provisions them, and never a simulation's.
        let opened = desk::open(self.start, StoreHandle::open(self.flash), KeyPolicy::Silicon);
        let Self { table_link, table_bus, ready, service_switch, noise, .. } = self;
        (opened, Links { rx, table_link, table_bus, ready, service_switch }, noise)
    }
}

/// What serves a desk.
pub struct Links {
    /// Its number on the wire, and what it listens to.
    rx: (NodeId, Requests),
    table_link: BufferedUart<'static>,
    table_bus: TableBus,
    ready: Output<'static>,
    service_switch: ServiceSwitch,
}

impl Links {
    /// Serves the desk of any device for ever, in one task.
    pub async fn serve<D>(self, desk: &Shared<D, StoreHandle<StoreFlash>>) -> !
    where
        D: Device<StoreHandle<StoreFlash>> + PublishEvents + HasServices,
    {
        let Self { rx, table_link, table_bus, ready, service_switch } = self;
        let (link_out, link_in) = table_link.split();
        let link = join(
            wire::rx_serial(desk, rx, link_in, task_watchdog::register(TaskId::Link)),
            wire::tx_serial(desk, link_out),
        );
        let bus = async {
            let mut registration = task_watchdog::register(TaskId::Bus);
            let (out, into) = table_bus.start(rx.0, &mut registration).await;
            join(wire::rx_bus(desk, rx, into, registration), wire::tx_bus(desk, out)).await
        };
        join3(link, bus, desk::tend(desk, ready, service_switch)).await.2
    }
}
