//! The card shuffler on a B-L475E-IOT01A. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::card_path::{CardPath, ChainLines};
use adapters::context::{Context, Handle, handle};
use adapters::orders::{self, OrdersBelow};
use adapters::screen::{self, SerialText};
use adapters::shuffler::{DealerKeys, Tower, strapped_model};
use adapters::trng::Trng;
use adapters::{clock::DeviceClock, executor, lamps, motion, task_watchdog};
use board_b_l475e_iot01a::tasks::Links;
use board_b_l475e_iot01a::{CommonIo, ShufflerRow};
use croupier::context::SharedContext;
use croupier::entropy::RandomCore;
use croupier::identity::DeviceKind;
use croupier::safety::TaskId;
use croupier::shuffler::ports::Drawing;
use croupier::shuffler::{self, Model, Shuffler, Table, Wheel};
use embassy_stm32::mode::Async;
use embassy_stm32::usart::{BufferedUart, UartTx};
use static_cell::StaticCell;

type Orders = Drawing<Trng, Handle<Shuffler>>;
type Game = Table<CardPath<ChainLines>, Tower<SerialText>, OrdersBelow>;

static CONTEXT: StaticCell<Context<Shuffler>> = StaticCell::new();
static WHEEL: StaticCell<Wheel> = StaticCell::new();

/// Tasks cannot be generic, so this one only fixes the types of [`shuffler::run()`].
#[embassy_executor::task]
async fn run_game(game: Game, keys: DealerKeys, context: &'static Context<Shuffler>) -> ! {
    shuffler::run(game, keys, handle(context), DeviceClock, task_watchdog::register(TaskId::Game))
        .await
}

/// The same for [`motion::drive`].
#[embassy_executor::task]
async fn turn_wheel(line: BufferedUart<'static>, wheel: &'static Wheel) -> ! {
    motion::drive(line, wheel, task_watchdog::register(TaskId::Motion)).await
}

/// The same for [`orders::draw`].
#[embassy_executor::task]
async fn draw_orders(orders: Orders) -> ! {
    orders::draw(orders).await
}

/// The same for [`Links::serve`].
#[embassy_executor::task]
async fn serve(links: Links, context: &'static Context<Shuffler>) -> ! {
    links.serve(context).await
}

/// The same for [`screen::send`].
#[embassy_executor::task]
async fn send_text(line: UartTx<'static, Async>) -> ! {
    screen::send(line).await
}

/// Apart from `main`, whose stack is never given back; made where it stays.
#[inline(never)]
fn open(io: CommonIo, model: Model) -> (&'static Context<Shuffler>, Links, Trng) {
    let (opened, links, noise) = io.open();
    let make = |services, store: &mut _| Shuffler::new(services, model, store);
    (CONTEXT.init_with(|| SharedContext::new(opened.around(make))), links, noise)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_b_l475e_iot01a::bring_up(DeviceKind::Shuffler);
    let model = strapped_model(common.beam_row);
    let serial = common.io.start.identity.serial.0;
    let (context, links, noise) = open(common.io, model);
    let keys = DealerKeys::new(common.key_row, common.lamp_test);
    let (tower, [pick, throat, eject, to_return]) = lamps::shuffler(lamp_row);
    let ShufflerRow { sensors, text, motors } = common.buses.shuffler(common.sense_row);
    let [reverse, gentle, boosted, lock] = motors;
    let outputs = [reverse, gentle, boosted, to_return, pick, throat, eject];
    let path = CardPath::new(outputs, sensors);
    let orders = Drawing::new(RandomCore::new(noise, handle(context), serial));
    let game = Table::new(path, Tower::new(tower, lock, SerialText::new()), OrdersBelow);
    let wheel: &'static Wheel = WHEEL.init(model.wheel());
    let motion_link = common.motion.open();
    executor::run(|main, lower| {
        lower.spawn(draw_orders(orders).expect("spawned once"));
        main.spawn(run_game(game, keys, context).expect("spawned once"));
        main.spawn(turn_wheel(motion_link, wheel).expect("spawned once"));
        main.spawn(serve(links, context).expect("spawned once"));
        main.spawn(send_text(text).expect("spawned once"));
    })
}
