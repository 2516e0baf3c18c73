//! The card shuffler in QEMU. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::card_path::{self, CardPath, DirectLines};
use adapters::on_desk::OnDesk;
use adapters::orders::{self, OrdersBelow};
use adapters::shuffler::{DealerKeys, LoggedText, Tower};
use adapters::wire::Shared;
use adapters::{clock::DeviceClock, executor, lamps, motion, roll};
use board_qemu::host;
use board_qemu::noise::NoiseFile;
use board_qemu::nor::NorFile;
use board_qemu::tasks::Lines;
use croupier::entropy::RandomCore;
use croupier::identity::DeviceKind;
use croupier::office::Shelf;
use croupier::safety::Duty;
use croupier::shuffler::ports::Drawing;
use croupier::shuffler::{self, Model, Shuffler, Table, Wheel};
use embassy_executor::SendSpawner;
use embassy_stm32::usart::BufferedUart;
use embassy_sync::mutex::Mutex;
use static_cell::StaticCell;

type Desk = Shared<Shuffler, Shelf<NorFile>>;
type Orders = Drawing<NoiseFile, OnDesk<Shuffler, NorFile>>;
type Game = Table<CardPath<DirectLines>, Tower<LoggedText>, OrdersBelow>;

static DESK: StaticCell<Desk> = StaticCell::new();
static WHEEL: StaticCell<Wheel> = StaticCell::new();

/// Tasks cannot be generic, so this one only fixes the types of [`shuffler::run()`].
#[embassy_executor::task]
async fn run_game(game: Game, keys: DealerKeys, desk: &'static Desk) -> ! {
    shuffler::run(game, keys, OnDesk(desk), DeviceClock, roll::attend(Duty::Panel)).await
}

/// The same for [`motion::drive`].
#[embassy_executor::task]
async fn turn_wheel(line: BufferedUart<'static>, wheel: &'static Wheel) -> ! {
    motion::drive(line, wheel, roll::attend(Duty::Motion)).await
}

/// The same for [`orders::draw`].
#[embassy_executor::task]
async fn draw_orders(orders: Orders) -> ! {
    orders::draw(orders).await
}

/// The same for [`Lines::serve`].
#[embassy_executor::task]
async fn serve(lines: Lines, desk: &'static Desk, spawner: SendSpawner) -> ! {
    lines.serve(desk, spawner).await
}

/// Which of the three machines the bench has built.
fn model() -> Model {
    match host::value("model") {
        Some(name) if name == "multi-deck" => Model::MultiDeck,
        Some(name) if name == "continuous" => Model::Continuous,
        _ => Model::SingleDeck,
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_qemu::bring_up(DeviceKind::Shuffler);
    let model = model();
    let serial = common.rest.start.identity.serial.0;
    let (opened, lines, noise) = common.rest.open();
    let opened = opened.around(|office, store| Shuffler::new(office, model, store));
    let desk: &'static Desk = DESK.init(Mutex::new(opened));
    let keys = DealerKeys::new(common.key_row, common.lamp_test);
    let (tower, [pick, throat, eject, to_return]) = lamps::shuffler(lamp_row);
    let [reverse, gentle, boosted, lock] = common.motor_row;
    let [mouth, staged, exit, draw, lid, door, feed, delivery] =
        common.sense_row.map(card_path::line);
    let [low, middle, high] = common.beam_row.map(card_path::line);
    let sensors = DirectLines::new([
        mouth,
        staged,
        exit,
        draw,
        lid,
        door,
        feed,
        delivery,
        low,
        middle,
        high,
        common.sense_stuck,
    ]);
    let outputs = [reverse, gentle, boosted, to_return, pick, throat, eject];
    let path = CardPath::new(outputs, sensors);
    let orders = Drawing::new(RandomCore::new(noise, OnDesk(desk), serial));
    let game = Table::new(path, Tower::new(tower, lock, LoggedText), OrdersBelow);
    let wheel: &'static Wheel = WHEEL.init(model.wheel());
    let motion_link = common.motion_link;
    executor::run(|main, lower| {
        lower.spawn(draw_orders(orders).expect("spawned once"));
        main.spawn(run_game(game, keys, desk).expect("spawned once"));
        main.spawn(turn_wheel(motion_link, wheel).expect("spawned once"));
        main.spawn(serve(lines, desk, main).expect("spawned once"));
    })
}
