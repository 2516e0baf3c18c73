//! `setup`: makes this machine ready; every command that needs it calls it.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};

use crate::chip::{Chip, TARGET};
use crate::command::CommandLine;
use crate::machine::{Machine, on_path};
use crate::qemu;
use crate::toolchain::{self, Attempt, Toolchain};
use crate::version::Version;
use crate::workspace::Workspace;

/// Make this machine ready: compiler for the chip, QEMU, lints
///
/// Every other command does this for itself; call it to do it beforehand, or to
/// see what is there. A second call finds everything and does nothing.
///
/// A compiler for the chip comes by the first toolchain that is open:
///   rustup     the chip's core library is in the active toolchain, or
///              `rustup target add` can put it there
///   rust-src   the active toolchain builds it from its own source
///   debian     Debian's own toolchain does, installed with apt-get
/// What is ready is used before anything is fetched. QEMU must be 9.1 or newer; on
/// a Debian release with an older one it comes from that release's backports.
#[derive(clap::Args)]
#[command(verbatim_doc_comment, after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Take this toolchain only, or fail (CROUPIER_TOOLCHAIN does the same for every command)
    #[arg(long)]
    toolchain: Option<Toolchain>,
    /// Only report what is there; fail if something is missing
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "Examples:
  cargo xtask setup                          do it now
  cargo xtask setup --check                  see what is there, change nothing
  CROUPIER_TOOLCHAIN=debian cargo xtask build    build with Debian's toolchain";

/// rustup asks a server that may not be there; no one should wait for long.
const RUSTUP_PATIENCE: Duration = Duration::from_secs(120);

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let forced = args
        .toolchain
        .map_or_else(toolchain::forced_by_environment, |toolchain| Ok(Some(toolchain)))?;
    if args.check {
        return report(workspace, forced);
    }
    ensure_floor(workspace)?;
    let chip = ensure_chip(workspace, forced)?;
    let version = ensure_qemu(workspace)?;
    ensure_lints(workspace)?;
    ensure_python(workspace)?;
    eprintln!("setup: ready: {TARGET} by toolchain {}, QEMU {version}", name(chip.toolchain));
    Ok(())
}

/// The active compiler, if it is not older than the workspace's `rust-version`.
fn active_rust(workspace: &Workspace) -> Result<Version, String> {
    let greeting = CommandLine::new("rustc").arg("--version").answer(&workspace.root);
    above_floor(greeting.as_deref(), workspace.rust_version)
}

fn above_floor(greeting: Option<&str>, floor: Version) -> Result<Version, String> {
    match greeting.and_then(Version::in_greeting) {
        Some(version) if version >= floor => Ok(version),
        Some(version) => Err(format!("{version} is too old: {floor} or newer is needed")),
        None => Err(format!("no rustc on this machine: {floor} or newer is needed")),
    }
}

/// Fails if the active compiler is too old. No toolchain file asks rustup for another: a
/// machine may have Debian's toolchain only.
fn ensure_floor(workspace: &Workspace) -> Result<()> {
    active_rust(workspace).map(drop).map_err(|why| {
        anyhow!("Rust {why}; run `rustup update`, or see setup's other toolchains with --help")
    })
}

/// A compiler for the chip: what `build`, `size` and `flash` need.
pub(crate) fn chip(workspace: &Workspace) -> Result<Chip> {
    ensure_chip(workspace, toolchain::forced_by_environment()?)
}

/// A QEMU that knows the board: what `table`, `measure` and `test` need too.
pub(crate) fn ensure_qemu(workspace: &Workspace) -> Result<Version> {
    qemu::ensure(workspace, Machine::look(workspace).apt.as_ref())
}

/// rustfmt and clippy on the host: what only `test` needs.
pub(crate) fn ensure_lints(workspace: &Workspace) -> Result<()> {
    for component in missing_lints(workspace) {
        if on_path("rustup").is_none() {
            bail!("cargo has no {component}: install it for the toolchain you use");
        }
        CommandLine::new("rustup")
            .args("component add")
            .arg(component)
            .within(RUSTUP_PATIENCE)
            .run(workspace)?;
    }
    Ok(())
}

/// A Python that can make virtual environments, for the independent clients in the tests.
pub(crate) fn ensure_python(workspace: &Workspace) -> Result<()> {
    let able = || {
        CommandLine::new("python3").args("-c").arg("import ensurepip, venv").answer(&workspace.root)
    };
    if able().is_some() {
        return Ok(());
    }
    match Machine::look(workspace).apt {
        Some(apt) => apt.install_any(workspace, &["python3", "python3-venv"])?,
        None => bail!("Python cannot make virtual environments here: install python3-venv"),
    }
    able().map(drop).context("python3 still has no venv after its installation")
}

fn ensure_chip(workspace: &Workspace, forced: Option<Toolchain>) -> Result<Chip> {
    let machine = Machine::look(workspace);
    for attempt in machine.found.attempts(forced) {
        let outcome = match attempt {
            Attempt::Use(_) => Ok(()),
            Attempt::AddTarget => add_target(workspace),
            Attempt::InstallDebian => install_debian(workspace, &machine),
        };
        match outcome {
            Ok(()) => return open(workspace, attempt),
            Err(problem) => eprintln!("setup: {problem:#}; trying another way"),
        }
    }
    match forced {
        Some(toolchain) => {
            bail!("toolchain {} is not open on this machine: {}", name(toolchain), hint(toolchain))
        }
        None => bail!("nothing here can compile for the chip: {}", hint(Toolchain::Rustup)),
    }
}

/// Looks again after an attempt, so that only what was really got is used.
fn open(workspace: &Workspace, attempt: Attempt) -> Result<Chip> {
    let (machine, toolchain) = (Machine::look(workspace), attempt.toolchain());
    if !machine.found.attempts(Some(toolchain)).contains(&Attempt::Use(toolchain)) {
        bail!(
            "toolchain {} is still not open after setting it up: {}",
            name(toolchain),
            hint(toolchain)
        );
    }
    Ok(Chip::on(&machine, toolchain))
}

fn add_target(workspace: &Workspace) -> Result<()> {
    eprintln!("setup: the toolchain has no core library for {TARGET}; asking rustup for it");
    CommandLine::new("rustup").args("target add").arg(TARGET).within(RUSTUP_PATIENCE).run(workspace)
}

fn install_debian(workspace: &Workspace, machine: &Machine) -> Result<()> {
    eprintln!("setup: installing Debian's toolchain, which can build the core library itself");
    machine.apt.as_ref().context("there is no apt")?.install_toolchain(workspace)
}

fn missing_lints(workspace: &Workspace) -> Vec<&'static str> {
    let missing = |verb: &str| {
        CommandLine::cargo().arg(verb).arg("--version").answer(&workspace.root).is_none()
    };
    [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(verb, _)| missing(verb))
        .map(|(_, it)| it)
        .collect()
}

/// Tells what is there, one line each, and fails if something is missing.
fn report(workspace: &Workspace, forced: Option<Toolchain>) -> Result<()> {
    let machine = Machine::look(workspace);
    let mut missing = Vec::new();
    let mut row = |what: &'static str, answer: Result<String, String>| {
        println!("{what:<10} {}", answer.as_ref().unwrap_or_else(|problem| problem));
        if answer.is_err() {
            missing.push(what);
        }
    };
    let rust = active_rust(workspace);
    row("Rust", rust.map(|version| format!("{version}, {} or newer", workspace.rust_version)));
    let compiler = match machine.found.attempts(forced).first() {
        Some(Attempt::Use(toolchain)) => Ok(format!("{TARGET} by toolchain {}", name(*toolchain))),
        Some(attempt) => Err(format!(
            "none yet for {TARGET}; setup would take toolchain {}",
            name(attempt.toolchain())
        )),
        None => Err(format!("none for {TARGET}: {}", hint(forced.unwrap_or(Toolchain::Rustup)))),
    };
    row("compiler", compiler);
    row(
        "QEMU",
        qemu::look(workspace)
            .map(|version| version.to_string())
            .map_err(|problem| problem.to_string()),
    );
    let linker = on_path("cc").map(|file| file.display().to_string());
    row(
        "linker",
        linker.ok_or("no cc on this machine: install gcc (Debian: build-essential)".into()),
    );
    let lints = missing_lints(workspace);
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

fn name(toolchain: Toolchain) -> &'static str {
    match toolchain {
        Toolchain::Rustup => "rustup",
        Toolchain::RustSrc => "rust-src",
        Toolchain::Debian => "debian",
    }
}

fn hint(toolchain: Toolchain) -> &'static str {
    match toolchain {
        Toolchain::Rustup => {
            "run `rustup target add thumbv7em-none-eabihf` where there is a network, or `cargo xtask setup` as root on Debian"
        }
        Toolchain::RustSrc => "run `rustup component add rust-src`, and have rust-lld or lld",
        Toolchain::Debian => {
            "it needs apt-get, as root or with sudo, on a Debian with a recent enough rustc"
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{above_floor, hint, name};
    use crate::chip::TARGET;
    use crate::toolchain::{ROUTES, Toolchain};
    use crate::version::Version;

    #[test]
    fn a_route_is_called_the_same_in_messages_as_on_the_command_line() {
        for toolchain in ROUTES {
            assert_eq!(toolchain.to_possible_value().unwrap().get_name(), name(toolchain));
        }
    }

    #[test]
    fn a_compiler_below_the_floor_is_refused_with_both_versions() {
        let floor = Version::new(1, 88);
        let rust =
            |version: &str| above_floor(Some(&format!("rustc {version} (59807616e)")), floor);
        assert_eq!(rust("1.88.0"), Ok(floor));
        assert!(rust("1.96.0-nightly").is_ok());
        assert_eq!(rust("1.87.0"), Err("1.87 is too old: 1.88 or newer is needed".into()));
        assert!(above_floor(None, floor).is_err());
    }

    #[test]
    fn the_hint_names_the_target_we_build_for() {
        assert!(hint(Toolchain::Rustup).contains(TARGET));
    }
}
