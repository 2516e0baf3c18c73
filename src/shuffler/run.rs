//! The loop that joins mechanism, keys and random core to the device.
//!
//! It wakes when a beam changes and when a deadline is due; keys and lamps are looked at
//! in between. The wheel waits for nobody: what a beam says is answered in the same pass.

use super::device::Want;
use super::fault::Fault;
use super::ports::{Desk, Front, Key, Keys, Mechanism, Orders};
use crate::panel::ports::{Attendance, Clock};
use crate::panel::{Debounce, KeyEvent};

/// Keys and lamps are looked at this often.
pub const ROUND_MS: u64 = 5;
/// The random core is cycled this often.
const CYCLE_MS: u64 = 100;

/// Everything of the device but its rules and the wire.
pub struct Table<M, F, O> {
    mechanism: M,
    front: F,
    orders: O,
    contacts: [Debounce; Key::ALL.len()],
    cycled_at: u64,
}

impl<M: Mechanism, F: Front, O: Orders> Table<M, F, O> {
    /// A table with everything at rest.
    pub fn new(mechanism: M, front: F, orders: O) -> Self {
        let contacts = [Debounce::new(); Key::ALL.len()];
        Self { mechanism, front, orders, contacts, cycled_at: 0 }
    }

    /// Starts the random core.
    pub async fn start(&mut self, desk: &mut impl Desk) {
        if let Err(fault) = self.orders.start() {
            desk.with(|shuffler, store| shuffler.fail(fault, store)).await;
        }
    }

    /// Goes round once; when it must go round again at the latest.
    pub async fn pass(
        &mut self,
        keys: &mut impl Keys,
        clock: &impl Clock,
        desk: &mut impl Desk,
    ) -> u64 {
        let now_ms = clock.now_ms();
        while let Some((event, at_ms)) = self.mechanism.poll(now_ms) {
            desk.with(|shuffler, store| shuffler.sense(event, at_ms, store)).await;
            self.act(now_ms, desk).await;
        }
        for (key, contacts) in Key::ALL.into_iter().zip(&mut self.contacts) {
            if let Some(event) = contacts.sample(keys.is_down(key), now_ms) {
                desk.with(|shuffler, store| match (key, event) {
                    (Key::LampTest, event) => shuffler.lamp_test(event, now_ms),
                    (key, KeyEvent::Pressed) => {
                        // A press that makes no sense is shown by nothing happening.
                        let _ = shuffler.press(key, now_ms, store);
                    }
                    (_, KeyEvent::Released) => {}
                })
                .await;
            }
        }
        desk.with(|shuffler, store| {
            if shuffler.deadline().is_some_and(|due| due <= now_ms) {
                shuffler.pass_time(now_ms, store);
            }
        })
        .await;
        self.serve(clock, desk).await;
        let now_ms = clock.now_ms();
        self.act(now_ms, desk).await;
        let (shown, due) =
            desk.with(|shuffler, _| (shuffler.shown(now_ms), shuffler.deadline())).await;
        self.front.show(&shown);
        self.tend(now_ms, desk).await;
        due.unwrap_or(u64::MAX).min(now_ms.saturating_add(ROUND_MS))
    }

    /// Does what the device waits for. The desk is free meanwhile: the random core keeps its
    /// own things there. Drawing an order takes longer than the wheel may for a turn: the
    /// time is asked anew after it, or the first turn would seem overdue at once.
    async fn serve(&mut self, clock: &impl Clock, desk: &mut impl Desk) {
        match desk.with(|shuffler, _| shuffler.want()).await {
            Some(Want::Order(count)) => {
                let mut kept = Kept::new();
                let drawn = self.orders.draw(count, |order| kept.take(order));
                desk.with(|shuffler, store| {
                    shuffler.ordered(drawn.map(|()| kept.order()), || clock.now_ms(), store);
                })
                .await;
            }
            Some(Want::Check) => {
                let found = self.orders.retry();
                desk.with(|shuffler, store| shuffler.checked(found, store)).await;
            }
            None => {}
        }
    }

    async fn act(&mut self, now_ms: u64, desk: &mut impl Desk) {
        while let Some(action) = desk.with(|shuffler, _| shuffler.next_action()).await {
            self.mechanism.act(action, now_ms);
        }
    }

    async fn tend(&mut self, now_ms: u64, desk: &mut impl Desk) {
        if now_ms.saturating_sub(self.cycled_at) < CYCLE_MS {
            return;
        }
        self.cycled_at = now_ms;
        let cycled = self.orders.cycle((now_ms / 1000) as u32);
        desk.with(|shuffler, store| {
            if let Err(fault) = cycled {
                shuffler.fail(fault, store);
            }
            shuffler.save_again(store);
        })
        .await;
    }
}

/// An order between the random core and the plan, wiped when it has been planned.
struct Kept {
    cards: zeroize::Zeroizing<[u16; crate::entropy::MOST_CARDS]>,
    count: usize,
}

impl Kept {
    fn new() -> Self {
        Self { cards: zeroize::Zeroizing::new([0; crate::entropy::MOST_CARDS]), count: 0 }
    }

    fn take(&mut self, order: &[u16]) {
        if let Some(place) = self.cards.get_mut(..order.len()) {
            place.copy_from_slice(order);
            self.count = order.len();
        }
    }

    fn order(&self) -> &[u16] {
        self.cards.get(..self.count).unwrap_or_default()
    }
}

impl super::Shuffler {
    /// Something outside the mechanism failed.
    pub fn fail(&mut self, fault: Fault, store: &mut impl super::ShufflerStore) {
        if !matches!(self.state(), super::State::Stopped(open) if open.is_grave()) {
            self.stop_with(fault, store);
        }
    }
}

/// Runs the shuffler for ever.
pub async fn run<M: Mechanism, F: Front, O: Orders>(
    mut table: Table<M, F, O>,
    mut keys: impl Keys,
    mut desk: impl Desk,
    clock: impl Clock,
    mut attendance: impl Attendance,
) -> ! {
    table.start(&mut desk).await;
    loop {
        attendance.here();
        let until = table.pass(&mut keys, &clock, &mut desk).await;
        table.mechanism.wait(until).await;
    }
}
