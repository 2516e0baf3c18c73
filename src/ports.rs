//! What every loop needs from outside. Boards and simulated worlds implement these.
#![allow(async_fn_in_trait)] // Used generically only, so no caller needs `Send`.

/// Where a task says that it is alive; see [`crate::safety::task_watchdog`].
pub trait CheckIn {
    /// "Here."
    fn check_in(&mut self);
}

/// The device's clock.
pub trait Clock {
    /// Milliseconds since the device started.
    fn now_ms(&self) -> u64;
    /// Waits until `now_ms` has reached `at`. Cancel-safe.
    async fn wait_until(&mut self, at: u64);
}
