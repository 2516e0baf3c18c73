//! What the shuffler's loop needs from outside, lent by the simulation for one pass.
//!
//! Time stands still in a pass, so no port ever waits.

use croupier::context::ContextPort;
use croupier::ports::Clock;
use croupier::shuffler::event::{Action, Event};
use croupier::shuffler::ports::{self, Front, Key, Keys};
use croupier::shuffler::{Batches, DeviceEvent, Record, Shown, Shuffler, ShufflerStore};
use croupier::store::StoreError;
use croupier::time::Instant;

use super::mechanism::Mechanism;

/// Flash that keeps what it is given, through every power cut.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    record: Option<Record>,
    batches: Option<Batches>,
}

impl ShufflerStore for Memory {
    fn load_record(&mut self) -> Result<Option<Record>, StoreError> {
        Ok(self.record)
    }

    fn keep_record(&mut self, record: &Record) -> Result<(), StoreError> {
        self.record = Some(*record);
        Ok(())
    }

    fn load_batches(&mut self) -> Result<Option<Batches>, StoreError> {
        Ok(self.batches)
    }

    fn keep_batches(&mut self, batches: &Batches) -> Result<(), StoreError> {
        self.batches = Some(*batches);
        Ok(())
    }
}

/// The mechanism, and when it carries out the actions of this pass, in microseconds.
pub(super) struct Machine<'a> {
    pub mechanism: &'a mut Mechanism,
    pub acts_at: u64,
}

impl ports::Mechanism for Machine<'_> {
    fn poll(&mut self, _: Instant) -> Option<(Event, Instant)> {
        self.mechanism.take_noticed().map(|(at, event)| (event, Instant::from_millis(at / 1000)))
    }

    fn act(&mut self, action: Action, _: Instant) {
        self.mechanism.act(action, self.acts_at);
    }

    async fn wait(&mut self, _: Instant) {}
}

/// No one looks and no one presses: a simulation's people know the rules themselves.
pub(super) struct Unattended;

impl Front for Unattended {
    fn show(&mut self, _: &Shown) {}
}

impl Keys for Unattended {
    fn is_down(&mut self, _: Key) -> bool {
        false
    }
}

/// This moment.
pub(super) struct Moment(pub Instant);

impl Clock for Moment {
    fn now(&self) -> Instant {
        self.0
    }

    async fn wait_until(&mut self, _: Instant) {}
}

/// The device with its flash; what it tells is written down.
pub(super) struct Context<'a> {
    pub shuffler: &'a mut Shuffler,
    pub memory: &'a mut Memory,
    pub events: &'a mut Vec<DeviceEvent>,
}

impl ContextPort<Shuffler> for Context<'_> {
    type Store = Memory;

    async fn with<R>(&mut self, work: impl FnOnce(&mut Shuffler, &mut Memory) -> R) -> R {
        let done = work(self.shuffler, self.memory);
        self.events.extend(std::iter::from_fn(|| self.shuffler.take_event()));
        done
    }
}
