//! The tasks every device runs beside its own. Tasks cannot be generic, so each only
//! fixes the types of a function that is.

use crate::noise::NoiseFile;
use crate::nor::NorFile;
use crate::sabotage::Sabotage;
use crate::slcan_bus::{Ear, Mouth};
use crate::{Rest, sabotage};
use adapters::desk::{self, Officed, ServiceSwitch};
use adapters::roll;
use adapters::wire::{self, Herald, Shared, Wire};
use croupier::node::Device;
use croupier::office::{Office, Shelf};
use croupier::protocol::keys::KeyPolicy;
use croupier::protocol::transfer::NodeId;
use croupier::safety::Duty;
use croupier::store::{Operation, StoreError};
use embassy_executor::SendSpawner;
use embassy_futures::join::{join, join3};
use embassy_stm32::gpio::Output;
use embassy_stm32::usart::{BufferedUart, BufferedUartRx, BufferedUartTx};
use embassy_sync::mutex::Mutex;
use static_cell::StaticCell;

type Desk = Shared<Office, Shelf<NorFile>>;
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
async fn hear_bus(desk: &'static Desk, node: NodeId, line: BufferedUartRx<'static>) -> ! {
    wire::hear_bus(desk, node, Ear::new(line), roll::attend(Duty::Bus)).await
}

#[embassy_executor::task]
async fn speak_bus(desk: &'static Desk, line: BufferedUartTx<'static>) -> ! {
    wire::speak_bus(desk, Mouth(line)).await
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
        let Lines { node, table_link, table_bus, ready, service_switch, sabotage } = lines;
        let (link_out, link_in) = table_link.split();
        let (bus_out, bus_in) = table_bus.split();
        spawner.spawn(hear_link(desk, node, link_in).expect("spawned once"));
        spawner.spawn(speak_link(desk, link_out).expect("spawned once"));
        spawner.spawn(hear_bus(desk, node, bus_in).expect("spawned once"));
        spawner.spawn(speak_bus(desk, bus_out).expect("spawned once"));
        spawner.spawn(sabotage::saboteur(sabotage).expect("spawned once"));
        spawner.spawn(background(desk, ready, service_switch).expect("spawned once"));
    }

    /// The desk, for a device with a game of its own, what serves it, and raw noise.
    pub fn open(self) -> (Wire<Office, Shelf<NorFile>>, Lines, NoiseFile) {
        let node = desk::node_id(self.start.identity.kind);
        let shelf = match self.flash {
            Ok(flash) => Shelf::open(flash),
            Err(_) => Shelf::missing(StoreError::Flash(Operation::Read)),
        };
        // The simulation's keys are visibly that, and no silicon takes them.
        let opened = desk::open(self.start, shelf, KeyPolicy::Simulation);
        let Self { table_link, table_bus, ready, service_switch, sabotage, noise, .. } = self;
        let lines = Lines { node, table_link, table_bus, ready, service_switch, sabotage };
        (opened, lines, noise)
    }
}

/// What serves a desk.
pub struct Lines {
    node: NodeId,
    table_link: BufferedUart<'static>,
    table_bus: BufferedUart<'static>,
    ready: Output<'static>,
    service_switch: ServiceSwitch,
    sabotage: Sabotage,
}

impl Lines {
    /// Serves the desk of any device for ever, in one task.
    pub async fn serve<D>(self, desk: &Shared<D, Shelf<NorFile>>, spawner: SendSpawner) -> !
    where
        D: Device<Shelf<NorFile>> + Herald + Officed,
    {
        let Self { node, table_link, table_bus, ready, service_switch, sabotage } = self;
        spawner.spawn(sabotage::saboteur(sabotage).expect("spawned once"));
        let (link_out, link_in) = table_link.split();
        let (bus_out, bus_in) = table_bus.split();
        let heard = join(
            wire::hear_serial(desk, node, link_in, roll::attend(Duty::Link)),
            wire::hear_bus(desk, node, Ear::new(bus_in), roll::attend(Duty::Bus)),
        );
        let said = join(wire::speak_serial(desk, link_out), wire::speak_bus(desk, Mouth(bus_out)));
        join3(heard, said, desk::tend(desk, ready, service_switch)).await.2
    }
}
