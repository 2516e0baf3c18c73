//! The context between the tasks of a device.

use core::future::{Future, poll_fn};
use core::pin::pin;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Context, Poll};

use embassy_sync::blocking_mutex::raw::RawMutex;
use embassy_sync::mutex::{Mutex, MutexGuard};
use embassy_sync::signal::Signal;

use super::ports::ContextPort;
use super::{ContextDevice, DeviceContext, LINKS};
use crate::entropy::{Lost, Memory, RngLatch};
use crate::ports::{Clock, Turn};
use crate::time::Instant;

/// A device's context behind one lock, and the signals that wake its senders.
pub struct SharedContext<M: RawMutex, D, S> {
    context: Mutex<M, DeviceContext<D, S>>,
    /// Of the UART and of the table bus.
    pub(super) tx_ready: [Signal<M, ()>; LINKS],
    /// Requests or frames that a link dropped and the node has not counted yet.
    dropped: AtomicU32,
}

impl<M: RawMutex, D, S> SharedContext<M, D, S> {
    /// A context that no task holds.
    pub const fn new(context: DeviceContext<D, S>) -> Self {
        Self {
            context: Mutex::new(context),
            tx_ready: [const { Signal::new() }; LINKS],
            dropped: AtomicU32::new(0),
        }
    }

    /// The context for a moment, whichever task has its turn.
    pub fn lock(&self) -> impl Future<Output = MutexGuard<'_, M, DeviceContext<D, S>>> {
        poll_fn(|context| self.poll_lock(context))
    }

    /// The context for one piece of work: free of other tasks, and in a run of the executor in
    /// which no other task computes.
    pub fn lock_in_turn(
        &self,
        turn: &impl Turn,
    ) -> impl Future<Output = MutexGuard<'_, M, DeviceContext<D, S>>> {
        poll_fn(|context| turn.poll_turn(context, |context| self.poll_lock(context)))
    }

    #[inline(never)] // once for all who ask
    fn poll_lock(&self, context: &mut Context<'_>) -> Poll<MutexGuard<'_, M, DeviceContext<D, S>>> {
        // The lock notes who waits for it, so that its future need not be kept.
        pin!(self.context.lock()).poll(context)
    }

    /// Counts what a link dropped without asking the node.
    pub(super) fn count_dropped(&self, count: u32) {
        self.dropped.fetch_add(count, Ordering::Relaxed);
    }

    /// What was dropped since this was asked last.
    pub(super) fn take_dropped(&self) -> u32 {
        self.dropped.swap(0, Ordering::Relaxed)
    }

    /// Signals both senders that there may be something to send.
    pub fn wake_senders(&self) {
        self.tx_ready.iter().for_each(|ready| ready.signal(()));
    }
}

impl<M: RawMutex, D: ContextDevice, S> SharedContext<M, D, S> {
    /// Publishes what a piece of work has left, and gives the context back.
    #[inline(never)] // once for all kinds of work
    fn publish(&self, mut guard: MutexGuard<'_, M, DeviceContext<D, S>>, now: Instant) {
        let before = guard.node.events().next();
        guard.publish(now);
        if guard.node.events().next() != before {
            self.wake_senders();
        }
    }
}

/// A task's way to the context; `clock` stamps the events that its work leaves.
pub struct ContextHandle<'a, M: RawMutex, D, S, C> {
    shared: &'a SharedContext<M, D, S>,
    clock: C,
}

impl<'a, M: RawMutex, D, S, C> ContextHandle<'a, M, D, S, C> {
    /// A handle to `shared`.
    pub const fn new(shared: &'a SharedContext<M, D, S>, clock: C) -> Self {
        Self { shared, clock }
    }

    /// The context, waited for without letting other tasks of this executor run.
    fn hold(&self) -> MutexGuard<'a, M, DeviceContext<D, S>> {
        loop {
            if let Ok(guard) = self.shared.context.try_lock() {
                return guard;
            }
        }
    }
}

impl<M: RawMutex, D: ContextDevice, S, C: Clock> ContextPort<D> for ContextHandle<'_, M, D, S, C> {
    type Store = S;

    async fn with<R>(&mut self, work: impl FnOnce(&mut D, &mut S) -> R) -> R {
        let mut guard = self.shared.lock().await;
        let DeviceContext { device, store, .. } = &mut *guard;
        let result = work(device, store);
        self.shared.publish(guard, self.clock.now());
        result
    }
}

/// The random core's memory. The core must run on an executor that holds the context over no
/// wait; then the task that has it is on one that interrupts this, goes on, and gives it back.
impl<M: RawMutex, D, S: Memory, C> Memory for ContextHandle<'_, M, D, S, C> {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        self.hold().store.recall()
    }

    fn keep(&mut self, kept: &RngLatch) -> Result<(), Lost> {
        self.hold().store.keep(kept)
    }
}
