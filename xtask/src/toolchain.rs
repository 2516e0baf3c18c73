//! The ways to a compiler for the chip, and which of them to take.
//!
//! What is ready is used before anything is fetched: a machine that was set up
//! once then never waits for a network again.

use std::env;

use anyhow::{Result, bail};
use clap::ValueEnum;

/// How the chip's core library comes to the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Toolchain {
    /// rustup's ready-made library for the chip
    Rustup,
    /// the active toolchain compiles it from its own rust-src
    RustSrc,
    /// Debian's toolchain compiles it from Debian's source package
    Debian,
}

/// Every toolchain, best first.
pub(crate) const ROUTES: [Toolchain; 3] =
    [Toolchain::Rustup, Toolchain::RustSrc, Toolchain::Debian];

/// What was found on this machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The active toolchain has the chip's core library.
    pub target: bool,
    /// There is a rustup to ask for it.
    pub rustup: bool,
    /// The active toolchain has its source, and a linker for the chip.
    pub source: bool,
    /// Debian's toolchain, source, clippy and linker are installed.
    pub debian: bool,
    /// apt can be asked for them, as root or through sudo.
    pub apt: bool,
}

/// One thing to try; the first that works is the toolchain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attempt {
    /// Nothing to do.
    Use(Toolchain),
    /// `rustup target add`.
    AddTarget,
    /// `apt-get install`.
    InstallDebian,
}

impl Attempt {
    /// The toolchain that is open once the attempt has worked.
    pub(crate) fn toolchain(self) -> Toolchain {
        match self {
            Self::Use(toolchain) => toolchain,
            Self::AddTarget => Toolchain::Rustup,
            Self::InstallDebian => Toolchain::Debian,
        }
    }
}

impl Found {
    fn ready(self, toolchain: Toolchain) -> bool {
        match toolchain {
            Toolchain::Rustup => self.target,
            Toolchain::RustSrc => self.source,
            Toolchain::Debian => self.debian,
        }
    }

    /// What to try, in order; only along `forced` if one is.
    pub(crate) fn attempts(self, forced: Option<Toolchain>) -> Vec<Attempt> {
        let ready = ROUTES.into_iter().filter(|&toolchain| self.ready(toolchain)).map(Attempt::Use);
        let add = (self.rustup && !self.target).then_some(Attempt::AddTarget);
        let install = (self.apt && !self.debian).then_some(Attempt::InstallDebian);
        let all = ready.chain(add).chain(install);
        all.filter(|attempt| forced.is_none_or(|toolchain| attempt.toolchain() == toolchain))
            .collect()
    }
}

/// The toolchain asked for in `CROUPIER_TOOLCHAIN`, for trying each on one machine.
pub(crate) fn forced_by_environment() -> Result<Option<Toolchain>> {
    match env::var("CROUPIER_TOOLCHAIN") {
        Ok(name) => parse(&name).map(Some),
        Err(_) => Ok(None),
    }
}

fn parse(name: &str) -> Result<Toolchain> {
    match Toolchain::from_str(name, false) {
        Ok(toolchain) => Ok(toolchain),
        Err(_) => {
            bail!(
                "unknown toolchain '{name}' in CROUPIER_TOOLCHAIN: toolchains are rustup, rust-src, debian"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Found =
        Found { target: false, rustup: false, source: false, debian: false, apt: false };

    #[test]
    fn the_target_that_is_there_is_used_before_all_else() {
        let all = Found { target: true, rustup: true, source: true, debian: true, apt: true };
        assert_eq!(all.attempts(None)[0], Attempt::Use(Toolchain::Rustup));
        assert!(!all.attempts(None).contains(&Attempt::AddTarget));
    }

    #[test]
    fn a_fresh_debian_asks_rustup_first_and_apt_second() {
        let fresh = Found { rustup: true, apt: true, ..NOTHING };
        assert_eq!(fresh.attempts(None), [Attempt::AddTarget, Attempt::InstallDebian]);
    }

    #[test]
    fn what_is_ready_is_used_without_asking_the_network() {
        let second_run = Found { rustup: true, debian: true, apt: true, ..NOTHING };
        assert_eq!(second_run.attempts(None)[0], Attempt::Use(Toolchain::Debian));
        let source = Found { rustup: true, source: true, ..NOTHING };
        assert_eq!(source.attempts(None)[0], Attempt::Use(Toolchain::RustSrc));
    }

    #[test]
    fn a_forced_route_leaves_no_other() {
        let all = Found { target: true, rustup: true, source: true, debian: false, apt: true };
        assert_eq!(all.attempts(Some(Toolchain::Debian)), [Attempt::InstallDebian]);
        assert_eq!(all.attempts(Some(Toolchain::RustSrc)), [Attempt::Use(Toolchain::RustSrc)]);
    }

    #[test]
    fn a_machine_with_nothing_has_nothing_to_try() {
        assert_eq!(NOTHING.attempts(None), []);
    }

    #[test]
    fn a_wrong_route_is_one_sentence_with_the_right_ones() {
        assert_eq!(parse("rust-src").unwrap(), Toolchain::RustSrc);
        let error = parse("snap").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown toolchain 'snap' in CROUPIER_TOOLCHAIN: toolchains are rustup, rust-src, debian"
        );
    }
}
