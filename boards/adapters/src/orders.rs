//! Orders from the lower executor: the game asks, goes on, and receives the order later.
//!
//! To draw an order of eight decks takes some 250,000 instructions, and beams are sampled
//! every millisecond. The order itself lies in one place between the two tasks, and is
//! wiped when it has been planned.

use croupier::shuffler::Fault;
use croupier::shuffler::ports::{Ask, Drawn, Orders, Source};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::mutex::Mutex;
use embassy_sync::signal::Signal;

static ASKED: Signal<CriticalSectionRawMutex, Ask> = Signal::new();
static ANSWER: Signal<CriticalSectionRawMutex, Result<(), Fault>> = Signal::new();
static DRAWN: Mutex<CriticalSectionRawMutex, Drawn> = Mutex::new(Drawn::new());

/// The source of orders, as the game sees it. [`draw`] is at the other end.
pub struct OrdersBelow;

impl Source for OrdersBelow {
    fn ask(&mut self, ask: Ask) {
        ASKED.signal(ask);
    }

    fn answer(&mut self) -> Option<Result<(), Fault>> {
        ANSWER.try_take()
    }

    fn take_order<R>(&mut self, use_it: impl FnOnce(&[u16]) -> R) -> R {
        match DRAWN.try_lock() {
            Ok(mut drawn) => drawn.take(use_it),
            // Only before an answer, and then there is none to show.
            Err(_) => use_it(&[]),
        }
    }
}

/// Draws what is asked for, for ever. To be spawned on the lower executor.
pub async fn draw(mut orders: impl Orders) -> ! {
    loop {
        let ask = ASKED.wait().await;
        let answer = DRAWN.lock().await.serve(ask, &mut orders);
        ANSWER.signal(answer);
    }
}
