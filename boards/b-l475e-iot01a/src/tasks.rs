//! The tasks every device runs beside its own. Tasks cannot be generic, so each only
//! fixes the types of a function that is.

use crate::Rest;
use crate::can_bus::{Ear, Mouth};
use adapters::desk::{self, Officed, ServiceSwitch};
use adapters::roll;
use adapters::store_flash::StoreFlash;
use adapters::trng::Trng;
use adapters::wire::{self, Herald, Shared, Wire};
use croupier::node::Device;
use croupier::office::{Office, Shelf};
use croupier::protocol::keys::KeyPolicy;
use croupier::protocol::transfer::NodeId;
use croupier::safety::Duty;
use embassy_executor::SendSpawner;
use embassy_futures::join::{join, join3};
use embassy_stm32::can::Can;
use embassy_stm32::gpio::Output;
use embassy_stm32::usart::{BufferedUart, BufferedUartRx, BufferedUartTx};
use embassy_sync::mutex::Mutex;
use static_cell::StaticCell;

type Desk = Shared<Office, Shelf<StoreFlash>>;
static DESK: StaticCell<Desk> = StaticCell::new();

#[embassy_executor::task]
async fn hear_link(desk: &'static Desk, node: NodeId, line: BufferedUartRx<'static>) -> ! {
    wire::hear_serial(desk, node, line, roll::attend(Duty::Link)).await
}

#[embassy_executor::task]
async fn speak_link(desk: &'static Desk, line: BufferedUartTx<'static>) -> ! {
    wire::speak_serial(desk, line).await
}

#[embassy_executor::task]
async fn hear_bus(desk: &'static Desk, node: NodeId, ear: Ear) -> ! {
    wire::hear_bus(desk, node, ear, roll::attend(Duty::Bus)).await
}

#[embassy_executor::task]
async fn speak_bus(desk: &'static Desk, mouth: Mouth) -> ! {
    wire::speak_bus(desk, mouth).await
}

/// Joins the bus, which takes eleven quiet bits, then lets the others use it.
#[embassy_executor::task]
async fn join_bus(desk: &'static Desk, node: NodeId, mut bus: Can<'static>, spawner: SendSpawner) {
    bus.enable().await;
    let (out, into) = bus.split();
    spawner.spawn(hear_bus(desk, node, Ear(into)).expect("spawned once"));
    spawner.spawn(speak_bus(desk, Mouth(out)).expect("spawned once"));
    // Dropping the whole would switch the peripheral off; its halves use it for ever.
    core::mem::forget(bus);
}

#[embassy_executor::task]
async fn background(desk: &'static Desk, ready: Output<'static>, switch: ServiceSwitch) -> ! {
    desk::tend(desk, ready, switch).await
}

impl Rest {
    /// Spawns all of them; call last.
    pub fn spawn(self, spawner: SendSpawner) {
        let (opened, lines, _) = self.open();
        let desk: &'static Desk = DESK.init(Mutex::new(opened));
        let Lines { node, table_link, table_bus, ready, service_switch } = lines;
        let (link_out, link_in) = table_link.split();
        spawner.spawn(hear_link(desk, node, link_in).expect("spawned once"));
        spawner.spawn(speak_link(desk, link_out).expect("spawned once"));
        spawner.spawn(join_bus(desk, node, table_bus, spawner).expect("spawned once"));
        spawner.spawn(background(desk, ready, service_switch).expect("spawned once"));
    }

    /// The desk, for a device with a game of its own, what serves it, and raw noise.
    pub fn open(self) -> (Wire<Office, Shelf<StoreFlash>>, Lines, Trng) {
        let node = desk::node_id(self.start.identity.kind);
        // No keys until service provisions them, and never a simulation's.
        let opened = desk::open(self.start, Shelf::open(self.flash), KeyPolicy::Silicon);
        let Self { table_link, table_bus, ready, service_switch, noise, .. } = self;
        (opened, Lines { node, table_link, table_bus, ready, service_switch }, noise)
    }
}

/// What serves a desk.
pub struct Lines {
    node: NodeId,
    table_link: BufferedUart<'static>,
    table_bus: Can<'static>,
    ready: Output<'static>,
    service_switch: ServiceSwitch,
}

impl Lines {
    /// Serves the desk of any device for ever, in one task.
    pub async fn serve<D>(self, desk: &Shared<D, Shelf<StoreFlash>>) -> !
    where
        D: Device<Shelf<StoreFlash>> + Herald + Officed,
    {
        let Self { node, table_link, mut table_bus, ready, service_switch } = self;
        let (link_out, link_in) = table_link.split();
        let link = join(
            wire::hear_serial(desk, node, link_in, roll::attend(Duty::Link)),
            wire::speak_serial(desk, link_out),
        );
        let bus = async {
            table_bus.enable().await; // which takes eleven quiet bits
            let (out, into) = table_bus.split();
            join(
                wire::hear_bus(desk, node, Ear(into), roll::attend(Duty::Bus)),
                wire::speak_bus(desk, Mouth(out)),
            )
            .await
        };
        join3(link, bus, desk::tend(desk, ready, service_switch)).await.2
    }
}
