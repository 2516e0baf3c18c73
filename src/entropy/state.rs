//! The random core's life: which state follows which event. Pure and total.

use super::Cause;

/// What the random core is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum State {
    /// Not started: what was kept over the reset is not known yet.
    Boot,
    /// Known answers are computed.
    SelfTest,
    /// The source's settings are written and read back.
    Configure,
    /// Noise is read, tested and thrown away.
    Startup,
    /// Requests are answered.
    Ready,
    /// Out of use. The first cause stays.
    Latched(Cause),
}

/// What can happen to the random core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// What was kept over the reset: a latch, or none.
    Recalled(Option<Cause>),
    /// The present stage passed.
    Passed,
    /// A seed error that may be tolerated.
    SeedError,
    /// Anything that may not.
    Failed(Cause),
    /// A person with service authority has asked for a new trial.
    ServiceReset,
}

impl State {
    /// The state after `event`; an event out of turn changes nothing.
    ///
    /// A service reset leads to a trial, never to `Ready`: the latch in memory is lifted
    /// only when `Startup` has passed, so a power cut in between finds it still there.
    #[must_use]
    pub const fn after(self, event: Event) -> Self {
        match (self, event) {
            (Self::Latched(_), Event::ServiceReset) => Self::SelfTest,
            (Self::Latched(_), _) => self,
            (_, Event::Failed(cause)) => Self::Latched(cause),
            (Self::Boot, Event::Recalled(Some(cause))) => Self::Latched(cause),
            (Self::Boot, Event::Recalled(None)) => Self::SelfTest,
            (Self::SelfTest, Event::Passed) => Self::Configure,
            (Self::Configure, Event::Passed) => Self::Startup,
            (Self::Startup, Event::Passed) => Self::Ready,
            (Self::Startup | Self::Ready, Event::SeedError) => Self::Startup,
            _ => self,
        }
    }
}
