//! The Pai Gow generator in QEMU. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::lamps;
use adapters::on_desk::OnDesk;
use adapters::paigow::DealerKeys;
use adapters::sense::Digit;
use adapters::wire::Shared;
use adapters::{clock::DeviceClock, executor, roll};
use board_qemu::glass::Glass;
use board_qemu::noise::NoiseFile;
use board_qemu::nor::NorFile;
use board_qemu::tasks::Lines;
use croupier::entropy::RandomCore;
use croupier::identity::DeviceKind;
use croupier::office::Shelf;
use croupier::paigow::{self, Front, PaiGow};
use croupier::safety::Duty;
use embassy_executor::SendSpawner;
use embassy_sync::mutex::Mutex;
use static_cell::StaticCell;

type Desk = Shared<PaiGow, Shelf<NorFile>>;
type Game = Front<Digit<Glass>, RandomCore<NoiseFile, OnDesk<PaiGow, NorFile>>>;

static DESK: StaticCell<Desk> = StaticCell::new();

/// Tasks cannot be generic, so this one only fixes the types of [`paigow::run`].
#[embassy_executor::task]
async fn run_game(game: Game, keys: DealerKeys, desk: &'static Desk) -> ! {
    paigow::run(game, keys, OnDesk(desk), DeviceClock, roll::attend(Duty::Panel)).await
}

/// The same for [`Lines::serve`].
#[embassy_executor::task]
async fn serve(lines: Lines, desk: &'static Desk, spawner: SendSpawner) -> ! {
    lines.serve(desk, spawner).await
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_qemu::bring_up(DeviceKind::PaiGow);
    let serial = common.rest.start.identity.serial.0;
    let (opened, lines, noise) = common.rest.open();
    let desk: &'static Desk = DESK.init(Mutex::new(opened.around(PaiGow::new)));
    let keys = DealerKeys::new(common.key_row, common.lamp_test);
    let glass = Glass::new(common.sense_row, common.sense_stuck);
    let core = RandomCore::new(noise, OnDesk(desk), serial);
    let game = Front::new(Digit::new(lamps::paigow(lamp_row), glass), core);
    executor::run(|main, lower| {
        lower.spawn(run_game(game, keys, desk).expect("spawned once"));
        main.spawn(serve(lines, desk, main).expect("spawned once"));
    })
}
