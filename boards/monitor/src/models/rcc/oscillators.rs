//! What takes time to start: oscillators and PLLs.

use crate::context::Ns;

/// A source of clocks that this board has. HSE is not among them: its crystal is not populated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Msi,
    Hsi,
    Pll,
    PllSai1,
    PllSai2,
    Lsi,
    Lse,
}

impl Source {
    /// From on to ready, as the datasheet has it.
    const fn start_up(self) -> Ns {
        match self {
            Self::Msi => 5_000,
            Self::Hsi => 3_000,
            Self::Pll | Self::PllSai1 | Self::PllSai2 => 15_000,
            Self::Lsi => 100_000,
            Self::Lse => 2_000_000_000,
        }
    }
}

const OFF: Ns = Ns::MAX;

/// Since when each is ready, or when it will be.
#[derive(Debug, Clone)]
pub(super) struct Oscillators {
    ready_at: [Ns; 7],
}

impl Oscillators {
    /// As after reset: MSI runs.
    pub(super) const fn new() -> Self {
        Self { ready_at: [0, OFF, OFF, OFF, OFF, OFF, OFF] }
    }

    /// Whether it is ready.
    pub(super) fn is_ready(&self, source: Source, now: Ns) -> bool {
        let at = self.ready_at[source as usize];
        at != OFF && at <= now
    }

    /// Turns it on or off; one that is on already goes on.
    pub(super) fn turn(&mut self, source: Source, on: bool, now: Ns) {
        let at = &mut self.ready_at[source as usize];
        match (on, *at) {
            (false, _) => *at = OFF,
            (true, OFF) => *at = now.saturating_add(source.start_up()),
            (true, _) => {}
        }
    }

    /// When the next becomes ready.
    pub(super) fn next(&self, now: Ns) -> Option<Ns> {
        self.ready_at.into_iter().filter(|at| *at > now && *at != OFF).min()
    }
}
