//! The tasks every device runs beside its own. Tasks cannot be generic, so each only
//! fixes the types of a function that is.

use crate::nor::NorFile;
use crate::slcan_bus::{Ear, Mouth};
use crate::{Rest, sabotage};
use adapters::desk::{self, ServiceSwitch};
use adapters::roll;
use adapters::wire::{self, Shared};
use croupier::office::{Office, Shelf};
use croupier::protocol::keys::KeyPolicy;
use croupier::protocol::transfer::NodeId;
use croupier::safety::Duty;
use croupier::store::{Operation, StoreError};
use embassy_executor::SendSpawner;
use embassy_stm32::gpio::Output;
use embassy_stm32::usart::{BufferedUartRx, BufferedUartTx};
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
        let node = desk::node_id(self.start.identity.kind);
        let shelf = match self.flash {
            Ok(flash) => Shelf::open(flash),
            Err(_) => Shelf::missing(StoreError::Flash(Operation::Read)),
        };
        // The simulation's keys are visibly that, and no silicon takes them.
        let opened = desk::open(self.start, shelf, KeyPolicy::Simulation);
        let desk: &'static Desk = DESK.init(Mutex::new(opened));
        let (link_out, link_in) = self.table_link.split();
        let (bus_out, bus_in) = self.table_bus.split();
        spawner.spawn(hear_link(desk, node, link_in).expect("spawned once"));
        spawner.spawn(speak_link(desk, link_out).expect("spawned once"));
        spawner.spawn(hear_bus(desk, node, bus_in).expect("spawned once"));
        spawner.spawn(speak_bus(desk, bus_out).expect("spawned once"));
        spawner.spawn(sabotage::saboteur(self.sabotage).expect("spawned once"));
        spawner.spawn(background(desk, self.ready, self.service_switch).expect("spawned once"));
    }
}
