//! The hole-card reader on a B-L475E-IOT01A. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::on_desk::OnDesk;
use adapters::reader::{DealerKeys, NestRow};
use adapters::scan_head::ScanHead;
use adapters::sense::{Row, SenseLines};
use adapters::wire::Shared;
use adapters::{clock::DeviceClock, executor, lamps, roll, store_flash::StoreFlash};
use board_b_l475e_iot01a::Rest;
use board_b_l475e_iot01a::tasks::Lines;
use croupier::identity::DeviceKind;
use croupier::office::Shelf;
use croupier::panel::lamps::READER_LAMPS;
use croupier::reader::eye::{Camera, Room};
use croupier::reader::{self, Front, Reader};
use croupier::safety::Duty;
use embassy_stm32::gpio::Pull;
use embassy_sync::mutex::Mutex;
use static_cell::{ConstStaticCell, StaticCell};

type Desk = Shared<Reader, Shelf<StoreFlash>>;
type Nest = Front<Row<SenseLines<READER_LAMPS>>, NestRow, Camera<'static, ScanHead>>;

static DESK: StaticCell<Desk> = StaticCell::new();
static ROOM: ConstStaticCell<Room> = ConstStaticCell::new(Room::new());

/// Tasks cannot be generic, so this one only fixes the types of [`reader::run()`].
#[embassy_executor::task]
async fn run_nest(nest: Nest, keys: DealerKeys, desk: &'static Desk) -> ! {
    reader::run(nest, keys, OnDesk(desk), DeviceClock, roll::attend(Duty::Panel)).await
}

/// The same for [`Lines::serve`].
#[embassy_executor::task]
async fn serve(lines: Lines, desk: &'static Desk) -> ! {
    lines.serve(desk).await
}

/// Apart from `main`, whose stack is never given back.
#[inline(never)]
fn open(rest: Rest) -> (&'static Desk, Lines) {
    let (opened, lines, _) = rest.open();
    (DESK.init(Mutex::new(opened.around(Reader::new))), lines)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_b_l475e_iot01a::bring_up(DeviceKind::Reader);
    let (desk, lines) = open(common.rest);
    let [ace, ten_value, round_over, hood] = common.key_row;
    let keys = DealerKeys::new([ace, ten_value, round_over], common.lamp_test);
    let [near, far] = common.beam_row;
    let beams = NestRow::new([hood, near, far], Pull::Up);
    // Six lamps leave two pins of the row: the last sense line, and the scan head's select.
    let (lamps, select, sixth) = lamps::reader_and_two(lamp_row);
    let (head, [a, b, c, d, e]) = common.buses.scan_head(common.sense_row, select);
    let row = Row::new(lamps, SenseLines::new([a, b, c, d, e, sixth]));
    let nest = Front::new(row, beams, Camera::new(head, ROOM.take()));
    executor::run(|main, lower| {
        lower.spawn(run_nest(nest, keys, desk).expect("spawned once"));
        main.spawn(serve(lines, desk).expect("spawned once"));
    })
}
