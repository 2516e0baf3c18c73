//! What every device does beside its game: both links and its services.

use crate::CommonIo;
use crate::can_bus::TableBus;
use adapters::clock::DeviceClock;
use adapters::context::{self, Context};
use adapters::executor::MainTurn;
use adapters::services::{self, ServiceSwitch};
use adapters::store_flash::StoreFlash;
use adapters::task_watchdog;
use adapters::trng::Trng;
use croupier::context::{
    ContextDevice, DeviceContext, node_id, rx_can, rx_serial, tx_can, tx_serial,
};
use croupier::node::{Device, Requests};
use croupier::protocol::transfer::NodeId;
use croupier::safety::TaskId;
use croupier::services::{CommonServices, StoreHandle};
use embassy_futures::join::{join, join3};
use embassy_stm32::gpio::Output;
use embassy_stm32::usart::BufferedUart;

impl CommonIo {
    /// The context of a device without its game, what serves it, and raw noise.
    pub fn open(self) -> (DeviceContext<CommonServices, StoreHandle<StoreFlash>>, Links, Trng) {
        let kind = self.start.identity.kind;
        let rx = (node_id(kind), Requests(kind));
        let opened = context::open(self.start, self.flash);
        let Self { table_link, table_bus, ready, service_switch, noise, .. } = self;
        (opened, Links { rx, table_link, table_bus, ready, service_switch }, noise)
    }
}

/// What serves a device's context.
pub struct Links {
    /// Its number on the wire, and what it listens to.
    rx: (NodeId, Requests),
    table_link: BufferedUart<'static>,
    table_bus: TableBus,
    ready: Output<'static>,
    service_switch: ServiceSwitch,
}

impl Links {
    /// Serves the context of any device for ever, in one task.
    pub async fn serve<D>(self, shared: &Context<D>) -> !
    where
        D: Device<StoreHandle<StoreFlash>> + ContextDevice,
    {
        let Self { rx, table_link, table_bus, ready, service_switch } = self;
        let (serial_tx, serial_rx) = table_link.split();
        let registration = task_watchdog::register(TaskId::Link);
        let serial = join(
            rx_serial(shared, rx, serial_rx, DeviceClock, MainTurn, registration),
            tx_serial(shared, serial_tx, DeviceClock, MainTurn),
        );
        let can = async {
            let mut registration = task_watchdog::register(TaskId::Bus);
            let (can_tx, can_rx) = table_bus.start(rx.0, &mut registration).await;
            join(
                rx_can(shared, rx, can_rx, DeviceClock, MainTurn, registration),
                tx_can(shared, can_tx, DeviceClock, MainTurn),
            )
            .await
        };
        join3(serial, can, services::run(shared, ready, service_switch)).await.2
    }
}
