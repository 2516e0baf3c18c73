//! The Pai Gow generator on a B-L475E-IOT01A. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::context::{Context, Handle, handle};
use adapters::lamp_readback::{Digit, SenseLines};
use adapters::lamps;
use adapters::paigow::DealerKeys;
use adapters::{clock::DeviceClock, executor, task_watchdog, trng::Trng};
use board_b_l475e_iot01a::CommonIo;
use board_b_l475e_iot01a::tasks::Links;
use croupier::context::SharedContext;
use croupier::entropy::RandomCore;
use croupier::identity::DeviceKind;
use croupier::paigow::{self, Front, PaiGow};
use croupier::panel::lamps::PAIGOW_SEGMENTS;
use croupier::safety::TaskId;
use static_cell::StaticCell;

type Game = Front<Digit<SenseLines<PAIGOW_SEGMENTS>>, RandomCore<Trng, Handle<PaiGow>>>;

static CONTEXT: StaticCell<Context<PaiGow>> = StaticCell::new();

/// Tasks cannot be generic, so this one only fixes the types of [`paigow::run`].
#[embassy_executor::task]
async fn run_game(game: Game, keys: DealerKeys, context: &'static Context<PaiGow>) -> ! {
    paigow::run(game, keys, handle(context), DeviceClock, task_watchdog::register(TaskId::Game))
        .await
}

/// The same for [`Links::serve`].
#[embassy_executor::task]
async fn serve(links: Links, context: &'static Context<PaiGow>) -> ! {
    links.serve(context).await
}

/// Apart from `main`, whose stack is never given back; made where it stays.
#[inline(never)]
fn open(io: CommonIo) -> (&'static Context<PaiGow>, Links, Trng) {
    let (opened, links, noise) = io.open();
    (CONTEXT.init_with(|| SharedContext::new(opened.around(PaiGow::new))), links, noise)
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_b_l475e_iot01a::bring_up(DeviceKind::PaiGow);
    let serial = common.io.start.identity.serial.0;
    let (context, links, noise) = open(common.io);
    let keys = DealerKeys::new(common.key_row, common.lamp_test);
    let readback = SenseLines::new(common.sense_row.lines());
    let core = RandomCore::new(noise, handle(context), serial);
    let game = Front::new(Digit::new(lamps::paigow(lamp_row), readback), core);
    executor::run(|main, lower| {
        lower.spawn(run_game(game, keys, context).expect("spawned once"));
        main.spawn(serve(links, context).expect("spawned once"));
    })
}
