//! `setup`: makes this machine ready; every command that needs it calls it.

use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::chip::{Chip, TARGET};
use crate::line::Line;
use crate::machine::{Machine, on_path};
use crate::qemu;
use crate::route::{self, Attempt, Route};
use crate::workshop::Workshop;

/// Make this machine ready: compiler for the chip, QEMU, lints
///
/// Every other command does this for itself; call it to do it beforehand, or to
/// see what is there. A second call finds everything and does nothing.
///
/// A compiler for the chip comes by the first route that is open:
///   rustup     the chip's core library is in the active toolchain, or
///              `rustup target add` can put it there
///   rust-src   the active toolchain builds it from its own source
///   debian     Debian's own toolchain does, installed with apt-get
/// What is ready is used before anything is fetched. QEMU must be 9.1 or newer; on
/// a Debian release with an older one it comes from that release's backports.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_long_help = EXAMPLES)]
pub struct Args {
    /// Take this route only, or fail (CROUPIER_ROUTE does the same for every command)
    #[arg(long)]
    route: Option<Route>,
    /// Only report what is there; fail if something is missing
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "Examples:
  cargo xtask setup                          do it now
  cargo xtask setup --check                  see what is there, change nothing
  CROUPIER_ROUTE=debian cargo xtask build    build with Debian's toolchain";

/// rustup asks a server that may not be there; no one should wait for long.
const RUSTUP_PATIENCE: Duration = Duration::from_secs(120);

/// Runs the command.
pub fn run(workshop: &Workshop, args: &Args) -> Result<()> {
    let forced = args.route.map_or_else(route::forced_by_environment, |route| Ok(Some(route)))?;
    if args.check {
        return report(workshop, forced);
    }
    let chip = ensure_chip(workshop, forced)?;
    let version = ensure_qemu(workshop)?;
    ensure_lints(workshop)?;
    ensure_python(workshop)?;
    eprintln!("setup: ready: {TARGET} by route {}, QEMU {version}", name(chip.route));
    Ok(())
}

/// A compiler for the chip: what `build`, `size` and `flash` need.
pub fn chip(workshop: &Workshop) -> Result<Chip> {
    ensure_chip(workshop, route::forced_by_environment()?)
}

/// A QEMU that knows the board: what `table`, `bench` and `test` need too.
pub fn ensure_qemu(workshop: &Workshop) -> Result<crate::version::Version> {
    qemu::ensure(workshop, Machine::look(workshop).apt.as_ref())
}

/// rustfmt and clippy on the host: what only `test` needs.
pub fn ensure_lints(workshop: &Workshop) -> Result<()> {
    for component in missing_lints(workshop) {
        if on_path("rustup").is_none() {
            bail!("cargo has no {component}: install it for the toolchain you use");
        }
        Line::new("rustup")
            .args("component add")
            .arg(component)
            .within(RUSTUP_PATIENCE)
            .run(workshop)?;
    }
    Ok(())
}

/// A Python that can make virtual environments, for the independent clients in the tests.
pub fn ensure_python(workshop: &Workshop) -> Result<()> {
    let able =
        || Line::new("python3").args("-c").arg("import ensurepip, venv").answer(&workshop.root);
    if able().is_some() {
        return Ok(());
    }
    match Machine::look(workshop).apt {
        Some(apt) => apt.install_any(workshop, &["python3", "python3-venv"])?,
        None => bail!("Python cannot make virtual environments here: install python3-venv"),
    }
    able().map(drop).context("python3 still has no venv after its installation")
}

fn ensure_chip(workshop: &Workshop, forced: Option<Route>) -> Result<Chip> {
    let machine = Machine::look(workshop);
    for attempt in machine.found.attempts(forced) {
        let outcome = match attempt {
            Attempt::Use(_) => Ok(()),
            Attempt::AddTarget => add_target(workshop),
            Attempt::InstallDebian => install_debian(workshop, &machine),
        };
        match outcome {
            Ok(()) => return open(workshop, attempt),
            Err(problem) => eprintln!("setup: {problem:#}; trying another way"),
        }
    }
    match forced {
        Some(route) => bail!("route {} is not open on this machine: {}", name(route), hint(route)),
        None => bail!("nothing here can compile for the chip: {}", hint(Route::Rustup)),
    }
}

/// Looks again after an attempt, so that only what was really got is used.
fn open(workshop: &Workshop, attempt: Attempt) -> Result<Chip> {
    let (machine, route) = (Machine::look(workshop), attempt.route());
    if !machine.found.attempts(Some(route)).contains(&Attempt::Use(route)) {
        bail!("route {} is still not open after setting it up: {}", name(route), hint(route));
    }
    Ok(Chip::on(&machine, route))
}

fn add_target(workshop: &Workshop) -> Result<()> {
    eprintln!("setup: the toolchain has no core library for {TARGET}; asking rustup for it");
    Line::new("rustup").args("target add").arg(TARGET).within(RUSTUP_PATIENCE).run(workshop)
}

fn install_debian(workshop: &Workshop, machine: &Machine) -> Result<()> {
    eprintln!("setup: installing Debian's toolchain, which can build the core library itself");
    machine.apt.as_ref().context("there is no apt")?.install_toolchain(workshop)
}

fn missing_lints(workshop: &Workshop) -> Vec<&'static str> {
    let missing =
        |verb: &str| Line::cargo().arg(verb).arg("--version").answer(&workshop.root).is_none();
    [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(verb, _)| missing(verb))
        .map(|(_, it)| it)
        .collect()
}

/// Tells what is there, one line each, and fails if something is missing.
fn report(workshop: &Workshop, forced: Option<Route>) -> Result<()> {
    let machine = Machine::look(workshop);
    let mut missing = Vec::new();
    let mut row = |what: &'static str, answer: Result<String, String>| {
        println!("{what:<10} {}", answer.as_ref().unwrap_or_else(|problem| problem));
        if answer.is_err() {
            missing.push(what);
        }
    };
    let compiler = match machine.found.attempts(forced).first() {
        Some(Attempt::Use(route)) => Ok(format!("{TARGET} by route {}", name(*route))),
        Some(attempt) => {
            Err(format!("none yet for {TARGET}; setup would take route {}", name(attempt.route())))
        }
        None => Err(format!("none for {TARGET}: {}", hint(forced.unwrap_or(Route::Rustup)))),
    };
    row("compiler", compiler);
    row(
        "QEMU",
        qemu::look(workshop)
            .map(|version| version.to_string())
            .map_err(|problem| problem.to_string()),
    );
    let linker = on_path("cc").map(|file| file.display().to_string());
    row(
        "linker",
        linker.ok_or("no cc on this machine: install gcc (Debian: build-essential)".into()),
    );
    let lints = missing_lints(workshop);
    let all = Ok("rustfmt, clippy".into());
    row("lints", if lints.is_empty() { all } else { Err(format!("no {}", lints.join(", no "))) });
    let probe = on_path("probe-rs")
        .map_or("not installed (only `flash` needs it)".into(), |file| file.display().to_string());
    row("probe-rs", Ok(probe));
    if missing.is_empty() {
        Ok(())
    } else {
        bail!("not ready: {}; run `cargo xtask setup`", missing.join(", "))
    }
}

fn name(route: Route) -> &'static str {
    match route {
        Route::Rustup => "rustup",
        Route::RustSrc => "rust-src",
        Route::Debian => "debian",
    }
}

fn hint(route: Route) -> &'static str {
    match route {
        Route::Rustup => {
            "run `rustup target add thumbv7em-none-eabihf` where there is a network, or `cargo xtask setup` as root on Debian"
        }
        Route::RustSrc => "run `rustup component add rust-src`, and have rust-lld or lld",
        Route::Debian => {
            "it needs apt-get, as root or with sudo, on a Debian with a recent enough rustc"
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{hint, name};
    use crate::chip::TARGET;
    use crate::route::{ROUTES, Route};

    #[test]
    fn a_route_is_called_the_same_in_messages_as_on_the_command_line() {
        for route in ROUTES {
            assert_eq!(route.to_possible_value().unwrap().get_name(), name(route));
        }
    }

    #[test]
    fn the_hint_names_the_target_we_build_for() {
        assert!(hint(Route::Rustup).contains(TARGET));
    }
}
