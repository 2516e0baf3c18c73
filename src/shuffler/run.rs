//! The loop that joins mechanism, keys and random core to the device.
//!
//! It wakes when a beam changes and when a deadline is due; keys and lamps are looked at
//! in between. The wheel waits for nobody: what a beam says is answered in the same pass. So
//! nothing that takes long is done here: orders are drawn [elsewhere](Source) while the loop
//! goes on, and a plan is made a step in each pass.

use embassy_futures::yield_now;

use super::machine::Want;
use super::ports::{Ask, Front, Key, Keys, Mechanism, Source};
use super::{Shuffler, ShufflerStore};
use crate::context::ContextPort;
use crate::panel::{Debounce, KeyEvent};
use crate::ports::{CheckIn, Clock};

/// Keys and lamps are looked at this often.
pub const ROUND_MS: u64 = 5;
/// The random core is cycled this often.
const CYCLE_MS: u64 = 100;
/// Steps of a plan made in each pass, and in each millisecond.
const PLAN_STEPS: u8 = 2;
/// A source of orders that takes longer to answer is dead, and so is the device.
const PATIENCE_MS: u64 = 1_000;

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
    asked: Option<(Ask, u64)>,
    contacts: [Debounce; Key::ALL.len()],
    cycled_at: u64,
}

impl LoopState {
    /// As at a start.
    pub const fn new() -> Self {
        Self { asked: None, contacts: [Debounce::new(); Key::ALL.len()], cycled_at: 0 }
    }

    /// Whether everybody answers who was asked.
    pub fn is_sound(&self, now_ms: u64) -> bool {
        self.asked.is_none_or(|(_, since)| now_ms.saturating_sub(since) < PATIENCE_MS)
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
    pub fn start(&mut self, now_ms: u64) {
        self.ask(Ask::Start, now_ms);
    }

    fn ask(&mut self, ask: Ask, now_ms: u64) {
        self.state.asked = Some((ask, now_ms));
        self.orders.ask(ask);
    }

    /// Goes round once; when it must go round again at the latest.
    pub async fn pass(
        &mut self,
        keys: &mut impl Keys,
        clock: &impl Clock,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) -> u64 {
        let now_ms = clock.now_ms();
        while let Some((event, at_ms)) = self.mechanism.poll(now_ms) {
            context.with(|shuffler, store| shuffler.sense(event, at_ms, store)).await;
            self.act(now_ms, context).await;
        }
        for (key, contacts) in Key::ALL.into_iter().zip(&mut self.state.contacts) {
            if let Some(event) = contacts.sample(keys.is_down(key), now_ms) {
                context
                    .with(|shuffler, store| match (key, event) {
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
        context
            .with(|shuffler, store| {
                if shuffler.deadline().is_some_and(|due| due <= now_ms) {
                    shuffler.pass_time(now_ms, store);
                }
            })
            .await;
        let planning = self.serve(clock, context).await;
        let now_ms = clock.now_ms();
        self.act(now_ms, context).await;
        let (shown, due) =
            context.with(|shuffler, _| (shuffler.shown(now_ms), shuffler.deadline())).await;
        self.front.show(&shown);
        self.tend(now_ms, context).await;
        let round = if planning { 1 } else { ROUND_MS };
        due.unwrap_or(u64::MAX).min(now_ms.saturating_add(round))
    }

    /// Does what the device waits for, as far as that can be done at once; whether there is
    /// more to plan.
    async fn serve(
        &mut self,
        clock: &impl Clock,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) -> bool {
        self.hear(clock, context).await;
        let now_ms = clock.now_ms();
        match context.with(|shuffler, _| shuffler.want()).await {
            _ if self.state.asked.is_some() => {}
            Some(Want::Order(count)) => self.ask(Ask::Order(count), now_ms),
            Some(Want::Check) => self.ask(Ask::Retry, now_ms),
            None => {}
        }
        let mut planning = true;
        for _ in 0..PLAN_STEPS {
            planning &=
                context.with(|shuffler, store| shuffler.plan_on(clock.now_ms(), store)).await;
            if planning {
                yield_now().await;
            }
        }
        planning
    }

    /// Hears what came of what the source was asked for.
    async fn hear(
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
                    // An order for a cycle that was stopped meanwhile is for nobody.
                    if shuffler.want() == Some(Want::Order(count)) {
                        shuffler.take_order(answer.map(|()| order), clock.now_ms(), store);
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
        now_ms: u64,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) {
        while let Some(action) = context.with(|shuffler, _| shuffler.next_action()).await {
            self.mechanism.act(action, now_ms);
        }
    }

    async fn tend(
        &mut self,
        now_ms: u64,
        context: &mut impl ContextPort<Shuffler, Store: ShufflerStore>,
    ) {
        if now_ms.saturating_sub(self.state.cycled_at) < CYCLE_MS {
            return;
        }
        self.state.cycled_at = now_ms;
        if self.state.asked.is_none() {
            self.ask(Ask::Cycle((now_ms / 1000) as u32), now_ms);
        }
        context.with(|shuffler, store| shuffler.save_again(store)).await;
    }
}

/// Runs the shuffler for ever.
pub async fn run<M: Mechanism, F: Front, O: Source>(
    mut table: Table<M, F, O>,
    mut keys: impl Keys,
    mut context: impl ContextPort<Shuffler, Store: ShufflerStore>,
    clock: impl Clock,
    mut check_in: impl CheckIn,
) -> ! {
    table.start(clock.now_ms());
    loop {
        if table.state.is_sound(clock.now_ms()) {
            check_in.check_in();
        }
        let until = table.pass(&mut keys, &clock, &mut context).await;
        table.mechanism.wait(until).await;
    }
}
