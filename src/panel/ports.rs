//! What the panel needs from the outside world. Boards and simulators implement these.
#![allow(async_fn_in_trait)] // Used generically only, so no caller needs `Send`.

/// One key.
pub trait Key {
    /// Whether the contacts are closed now.
    fn is_down(&mut self) -> bool;
    /// Waits until the contacts are no longer as [`is_down`](Self::is_down) last said.
    /// Cancel-safe; returns at once if they changed meanwhile.
    async fn changed(&mut self);
}

/// The row of lamps.
pub trait Lamps {
    /// Lights every lamp, or none.
    fn set_all(&mut self, lit: bool);
}

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
