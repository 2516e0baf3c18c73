//! What every loop needs from outside. Boards and simulated worlds implement these.
#![allow(async_fn_in_trait)] // Used generically only, so no caller needs `Send`.

use crate::time::{Instant, Millis};
use core::future::poll_fn;
use core::task::{Context, Poll};

/// Where a task says that it is alive; see [`crate::safety::task_watchdog`].
pub trait CheckIn {
    /// Reports that the task is alive.
    fn check_in(&mut self);
}

/// The device's clock.
pub trait Clock {
    /// The time.
    fn now(&self) -> Instant;
    /// Waits until `now` has reached `at`. Cancel-safe.
    async fn wait_until(&mut self, at: Instant);
    /// Waits for `length`. Cancel-safe. A clock that counts finer than milliseconds
    /// overrides it: this one may lose a part of the first.
    async fn wait_for(&mut self, length: Millis) {
        self.wait_until(self.now() + length).await;
    }
}

/// Lets one task at a time compute in a run of the executor, so that those that must be
/// prompt wait for one piece of work and not for all that are ready.
pub trait Turn {
    /// Polls `work` if no other task has had its turn in this run; else it is called again in the
    /// next. The turn is taken if `work` is ready.
    fn poll_turn<T>(
        &self,
        context: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T>;

    /// Waits for a turn.
    async fn take_turn(&self) {
        poll_fn(|context| self.poll_turn(context, |_| Poll::Ready(()))).await;
    }
}

/// Every task may compute at any time: for a world with no processor to share.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTurns;

impl Turn for NoTurns {
    fn poll_turn<T>(
        &self,
        context: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        work(context)
    }
}
