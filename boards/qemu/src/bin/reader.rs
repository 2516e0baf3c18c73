//! The hole-card reader in QEMU. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::on_desk::OnDesk;
use adapters::reader::{DealerKeys, NestRow};
use adapters::sense::Row;
use adapters::wire::Shared;
use adapters::{clock::DeviceClock, executor, lamps, roll};
use board_qemu::Rest;
use board_qemu::frames::FrameFile;
use board_qemu::glass::Glass;
use board_qemu::nor::NorFile;
use board_qemu::tasks::Lines;
use croupier::identity::DeviceKind;
use croupier::office::Shelf;
use croupier::reader::eye::{Camera, Room};
use croupier::reader::{self, Front, Reader};
use croupier::safety::Duty;
use embassy_executor::SendSpawner;
use embassy_stm32::gpio::Pull;
use embassy_sync::mutex::Mutex;
use static_cell::{ConstStaticCell, StaticCell};

type Desk = Shared<Reader, Shelf<NorFile>>;
type Nest = Front<Row<Glass>, NestRow, Camera<'static, FrameFile>>;

static DESK: StaticCell<Desk> = StaticCell::new();
static ROOM: ConstStaticCell<Room> = ConstStaticCell::new(Room::new());

/// Tasks cannot be generic, so this one only fixes the types of [`reader::run()`].
#[embassy_executor::task]
async fn run_nest(nest: Nest, keys: DealerKeys, desk: &'static Desk) -> ! {
    reader::run(nest, keys, OnDesk(desk), DeviceClock, roll::attend(Duty::Panel)).await
}

/// The same for [`Lines::serve`].
#[embassy_executor::task]
async fn serve(lines: Lines, desk: &'static Desk, spawner: SendSpawner) -> ! {
    lines.serve(desk, spawner).await
}

/// Apart from `main`, whose stack is never given back.
#[inline(never)]
fn open(rest: Rest) -> (&'static Desk, Lines) {
    let (opened, lines, _) = rest.open();
    (DESK.init(Mutex::new(opened.around(Reader::new))), lines)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_qemu::bring_up(DeviceKind::Reader);
    let (desk, lines) = open(common.rest);
    let [ace, ten_value, round_over, _] = common.key_row;
    let keys = DealerKeys::new([ace, ten_value, round_over], common.lamp_test);
    let glass = Glass::new(common.sense_row, common.sense_stuck);
    let row = Row::new(lamps::reader(lamp_row), glass);
    // At rest a pin nobody drives is a beam nobody interrupts.
    let beams = NestRow::new(common.beam_row, Pull::Down);
    let nest = Front::new(row, beams, Camera::new(FrameFile::named(), ROOM.take()));
    executor::run(|main, lower| {
        lower.spawn(run_nest(nest, keys, desk).expect("spawned once"));
        main.spawn(serve(lines, desk, main).expect("spawned once"));
    })
}
