//! The loop that joins mechanism, keys and random core to the device.
//!
//! It wakes when a beam changes and when a deadline is due; keys and lamps are looked at
//! in between. The wheel goes on turning meanwhile, so each change of a beam is answered in
//! the same pass. Nothing that takes long is done here: orders are drawn [elsewhere](Source)
//! while the loop goes on, and a plan is made a step in each pass.

use embassy_futures::yield_now;

use super::machine::Want;
use super::ports::{Ask, Front, Key, Keys, Mechanism, Source};
use super::{Shuffler, ShufflerStore};
use crate::context::ContextPort;
use crate::panel::{Debounce, KeyEvent};
use crate::ports::{CheckIn, Clock};
use crate::time::{Instant, Millis};

/// Keys and lamps are looked at this often.
pub const ROUND: Millis = Millis::new(5);
/// How often the random core gets its work between shuffles.
const CYCLE: Millis = Millis::new(100);
/// How often it goes round while there is more to plan.
const PLANNING: Millis = Millis::new(1);
/// Steps of a plan made in each pass.
const PLAN_STEPS: u8 = 2;
/// A source of orders that takes longer to answer is dead: the loop no longer checks in.
const PATIENCE: Millis = Millis::from_secs(1);

/// Everything of the device but its rules and the wire.
pub struct Table<M, F, O> {
    /// What moves cards.
    pub mechanism: M,
    /// What people see.
    pub front: F,
    /// Where orders come from.
    pub orders: O,
    /// What a world that lends its ports for one pass keeps until the next.
    pub state: LoopState,
}

/// What the loop remembers from one pass to the next.
pub struct LoopState {
    /// What the source was asked for and has not answered, and since when.
    asked: Option<(Ask, Instant)>,
    contacts: [Debounce; Key::ALL.len()],
    cycled_at: Instant,
}

impl LoopState {
    /// As at a start.
    pub const fn new() -> Self {
        let contacts = [Debounce::new(); Key::ALL.len()];
        Self { asked: None, contacts, cycled_at: Instant::START }
    }

    /// Whether the source of orders answers in time.
    pub fn is_sound(&self, now: Instant) -> bool {
        self.asked.is_none_or(|(_, since)| now.since(since) < PATIENCE)
    }
}

impl Default for LoopState {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Mechanism, F: Front, O: Source> Table<M, F, O> {
    /// A table with everything at rest.
    pub fn new(mechanism: M, front: F, orders: O) -> Self {
        Self { mechanism, front, orders, state: LoopState::new() }
    }

    /// Starts the random core.
    pub fn start(&mut self, now: Instant) {
        self.ask(Ask::Start, now);
    }

    fn ask(&mut self, ask: Ask, now: Instant) {
        self.state.asked = Some((ask, now));
        self.orders.ask(ask);
    }

    /// Goes round once; returns when it must go round again at the latest.
    pub async fn pass(
        &mut self,
        keys: &mut impl Keys,
        clock: &impl Clock,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) -> Instant {
        let now = clock.now();
        while let Some((event, at)) = self.mechanism.poll(now) {
            context.with(|shuffler, store| shuffler.sense(event, at, store)).await;
            self.act(now, context).await;
        }
        for (key, contacts) in Key::ALL.into_iter().zip(&mut self.state.contacts) {
            if let Some(event) = contacts.sample(keys.is_down(key), now) {
                context
                    .with(|shuffler, store| match (key, event) {
                        (Key::LampTest, event) => shuffler.lamp_test(event, now),
                        (key, KeyEvent::Pressed) => {
                            // After a refused press nothing happens, and the dealer sees that.
                            _ = shuffler.press(key, now, store);
                        }
                        (_, KeyEvent::Released) => {}
                    })
                    .await;
            }
        }
        context
            .with(|shuffler, store| {
                if shuffler.deadline().is_some_and(|due| due <= now) {
                    shuffler.pass_time(now, store);
                }
            })
            .await;
        let planning = self.serve(clock, context).await;
        let now = clock.now();
        self.act(now, context).await;
        let (shown, due) =
            context.with(|shuffler, _| (shuffler.shown(now), shuffler.deadline())).await;
        self.front.show(&shown);
        self.tend(now, context).await;
        let next = now + if planning { PLANNING } else { ROUND };
        due.map_or(next, |due| due.min(next))
    }

    /// Asks the source for what the device waits for, and plans on; whether there is more to
    /// plan.
    async fn serve(
        &mut self,
        clock: &impl Clock,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) -> bool {
        self.take_answer(clock, context).await;
        let now = clock.now();
        match context.with(|shuffler, _| shuffler.want()).await {
            _ if self.state.asked.is_some() => {}
            Some(Want::Order(count)) => self.ask(Ask::Order(count), now),
            Some(Want::Check) => self.ask(Ask::Retry, now),
            None => {}
        }
        let mut planning = true;
        for _ in 0..PLAN_STEPS {
            planning &= context.with(|shuffler, store| shuffler.plan_on(clock.now(), store)).await;
            if planning {
                yield_now().await;
            }
        }
        planning
    }

    /// Takes the answer of the source, if there is one, to the device.
    async fn take_answer(
        &mut self,
        clock: &impl Clock,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) {
        let Some((ask, _)) = self.state.asked else { return };
        let Some(answer) = self.orders.answer() else { return };
        self.state.asked = None;
        let orders = &mut self.orders;
        context
            .with(|shuffler, store| match ask {
                Ask::Order(count) => orders.take_order(|order| {
                    // If the cycle was stopped meanwhile, the order is only wiped.
                    if shuffler.want() == Some(Want::Order(count)) {
                        shuffler.take_order(answer.map(|()| order), clock.now(), store);
                    }
                }),
                Ask::Retry => shuffler.checked(answer, store),
                Ask::Start | Ask::Cycle(_) => {
                    if let Err(fault) = answer {
                        shuffler.fail(fault, store);
                    }
                }
            })
            .await;
    }

    async fn act(
        &mut self,
        now: Instant,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) {
        while let Some(action) = context.with(|shuffler, _| shuffler.next_action()).await {
            self.mechanism.act(action, now);
        }
    }

    async fn tend(
        &mut self,
        now: Instant,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) {
        if now.since(self.state.cycled_at) < CYCLE {
            return;
        }
        self.state.cycled_at = now;
        if self.state.asked.is_none() {
            self.ask(Ask::Cycle(now.as_secs() as u32), now);
        }
        context.with(|shuffler, store| shuffler.save_again(store)).await;
    }
}

/// Runs the shuffler; it never ends.
pub async fn run<M: Mechanism, F: Front, O: Source>(
    mut table: Table<M, F, O>,
    mut keys: impl Keys,
    mut context: impl ContextPort<Shuffler, Store: ShufflerStore>,
    clock: impl Clock,
    mut check_in: impl CheckIn,
) -> ! {
    table.start(clock.now());
    loop {
        if table.state.is_sound(clock.now()) {
            check_in.check_in();
        }
        let until = table.pass(&mut keys, &clock, &mut context).await;
        table.mechanism.wait(until).await;
    }
}
