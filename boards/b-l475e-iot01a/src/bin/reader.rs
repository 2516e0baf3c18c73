//! The hole-card reader on a B-L475E-IOT01A. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::context::{Context, handle};
use adapters::lamp_readback::{Row, SenseLines};
use adapters::reader::{DealerKeys, NestRow};
use adapters::scan_head::ScanHead;
use adapters::{clock::DeviceClock, executor, lamps, task_watchdog};
use board_b_l475e_iot01a::CommonIo;
use board_b_l475e_iot01a::tasks::Links;
use croupier::context::SharedContext;
use croupier::identity::DeviceKind;
use croupier::panel::lamps::READER_LAMPS;
use croupier::reader::eye::{Camera, ScanBuffers};
use croupier::reader::{self, Front, Reader};
use croupier::safety::TaskId;
use embassy_stm32::gpio::Pull;
use static_cell::{ConstStaticCell, StaticCell};

type Nest = Front<Row<SenseLines<READER_LAMPS>>, NestRow, Camera<'static, ScanHead>>;

static CONTEXT: StaticCell<Context<Reader>> = StaticCell::new();
static BUFFERS: ConstStaticCell<ScanBuffers> = ConstStaticCell::new(ScanBuffers::new());

/// Tasks cannot be generic, so this one only fixes the types of [`reader::run()`].
#[embassy_executor::task]
async fn run_nest(nest: Nest, keys: DealerKeys, context: &'static Context<Reader>) -> ! {
    reader::run(nest, keys, handle(context), DeviceClock, task_watchdog::register(TaskId::Game))
        .await
}

/// The same for [`Links::serve`].
#[embassy_executor::task]
async fn serve(links: Links, context: &'static Context<Reader>) -> ! {
    links.serve(context).await
}

/// Apart from `main`, whose stack is never given back; made where it stays.
#[inline(never)]
fn open(io: CommonIo) -> (&'static Context<Reader>, Links) {
    let (opened, links, _) = io.open();
    (CONTEXT.init_with(|| SharedContext::new(opened.around(Reader::new))), links)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_b_l475e_iot01a::bring_up(DeviceKind::Reader);
    let (context, links) = open(common.io);
    let [ace, ten_value, round_over, hood] = common.key_row;
    let keys = DealerKeys::new([ace, ten_value, round_over], common.lamp_test);
    let [near, far] = common.beam_row;
    let beams = NestRow::new([hood, near, far], Pull::Up);
    // Six lamps leave two pins of the row: the last sense line, and the scan head's select.
    let (lamps, select, sixth) = lamps::reader_and_two(lamp_row);
    let (head, [a, b, c, d, e]) = common.buses.scan_head(common.sense_row, select);
    let row = Row::new(lamps, SenseLines::new([a, b, c, d, e, sixth]));
    let nest = Front::new(row, beams, Camera::new(head, BUFFERS.take()));
    executor::run(|main, lower| {
        lower.spawn(run_nest(nest, keys, context).expect("spawned once"));
        main.spawn(serve(links, context).expect("spawned once"));
    })
}
