//! The host programs that a command becomes: bench, battery, monitor.
//!
//! Their arguments are read here first, from the same definition, so that a wrong one is
//! refused before anything is built.

use std::ffi::OsString;

use anyhow::{Result, anyhow};

use crate::command::CommandLine;
use crate::workspace::Workspace;
use crate::{build, setup};

/// A host program: its package, its binary, and what stands before its arguments.
pub(crate) struct HostProgram {
    package: &'static str,
    binary: &'static str,
    command: Option<&'static str>,
}

impl HostProgram {
    /// A program of the bench.
    pub(crate) const fn bench(binary: &'static str) -> Self {
        Self { package: "hil-tests", binary, command: None }
    }

    /// A command of the battery.
    pub(crate) const fn battery(command: &'static str) -> Self {
        Self { package: "battery", binary: "battery", command: Some(command) }
    }

    /// Builds the program, then becomes it; `words` are its arguments.
    pub(crate) fn run(&self, workspace: &Workspace, words: Vec<String>) -> Result<()> {
        // Compiled on its own first, where a spinner and a log can show it.
        self.cargo("build").run(workspace)?;
        let words: Vec<_> = self.command.map(String::from).into_iter().chain(words).collect();
        let line = self.cargo("run --quiet");
        let line = if words.is_empty() { line } else { line.arg("--") };
        words.into_iter().fold(line, CommandLine::arg).replace(workspace)
    }

    /// The same, with the machine, QEMU and all images readied before.
    pub(crate) fn run_with_images(&self, workspace: &Workspace, words: Vec<String>) -> Result<()> {
        let chip = setup::chip(workspace)?;
        setup::ensure_qemu(workspace)?;
        build::all(workspace, &chip)?;
        self.run(workspace, words)
    }

    /// Cargo with the profile of the host programs.
    fn cargo(&self, verb: &str) -> CommandLine {
        let line = CommandLine::cargo().args(verb).args("--profile host -p").arg(self.package);
        line.arg("--bin").arg(self.binary)
    }
}

/// The words behind the command on our own command line, without our own `--verbose`.
pub(crate) fn words() -> Result<Vec<String>> {
    behind_the_command(std::env::args_os().skip(1))
}

fn behind_the_command(words: impl Iterator<Item = OsString>) -> Result<Vec<String>> {
    let is_verbose = |word: &String| word == "--verbose" || word == "-v";
    let text = |word: OsString| {
        word.into_string().map_err(|word| anyhow!("{} is no UTF-8", word.display()))
    };
    let words = words.map(text).collect::<Result<Vec<String>>>()?;
    let behind = words.into_iter().skip_while(|word| word.starts_with('-')).skip(1);
    Ok(behind.filter(|word| !is_verbose(word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_its_own_words_and_not_ours() {
        for (line, own) in [
            ("-v shuffle --speed 3", vec!["--speed", "3"]),
            ("collect orders -v --out=a.ev", vec!["orders", "--out=a.ev"]),
            ("table", vec![]),
        ] {
            let words = line.split_whitespace().map(OsString::from);
            assert_eq!(behind_the_command(words).unwrap(), own, "{line}");
        }
    }

    #[test]
    fn a_program_is_built_for_the_host() {
        let line = HostProgram::bench("faces").cargo("build").text();
        assert_eq!(line, "cargo build --profile host -p hil-tests --bin faces");
        let line = HostProgram::battery("collect").cargo("run --quiet").text();
        assert_eq!(line, "cargo run --quiet --profile host -p battery --bin battery");
    }
}
