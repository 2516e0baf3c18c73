//! One command line: shown as you would type it, then run.
//!
//! A quiet line keeps its output in a log that is shown only when it fails, and
//! turns a spinner meanwhile; without a terminal there are plain lines only.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};

use crate::workspace::Workspace;

/// A program with its arguments and the environment it needs.
#[derive(Debug, Clone)]
pub(crate) struct CommandLine {
    program: OsString,
    shown_as: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
    hidden: Vec<String>,
    patience: Option<Duration>,
}

impl CommandLine {
    /// A line that starts with `program`.
    pub(crate) fn new(program: &str) -> Self {
        Self {
            program: program.into(),
            shown_as: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            hidden: Vec::new(),
            patience: None,
        }
    }

    /// The cargo that runs us, so that a child never meets another toolchain.
    pub(crate) fn cargo() -> Self {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self { program, ..Self::new("cargo") }
    }

    /// Adds arguments, split at spaces as a shell would.
    pub(crate) fn args(self, words: &str) -> Self {
        words.split_whitespace().fold(self, |line, word| line.arg(word))
    }

    /// Adds one argument as it is.
    pub(crate) fn arg(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets a variable, visibly.
    pub(crate) fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Keeps a variable of ours from the child.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.hidden.push(name.into());
        self
    }

    /// Gives up after this long.
    pub(crate) fn within(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// The line as a shell would take it.
    pub(crate) fn text(&self) -> String {
        let settings =
            self.environment.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let words = std::iter::once(&self.shown_as).chain(&self.arguments).map(|word| quoted(word));
        settings.chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Runs the line; shows its output only if it fails.
    pub(crate) fn run(&self, workspace: &Workspace) -> Result<()> {
        if workspace.verbose {
            return self.stream(workspace);
        }
        self.announce();
        let log = workspace.log_file()?;
        let mut command = self.command(&workspace.root);
        command
            .stdin(Stdio::null())
            .stdout(File::create(&log)?)
            .stderr(File::options().append(true).open(&log)?);
        if io::stderr().is_terminal() {
            command.env("CARGO_TERM_COLOR", "always");
        }
        let outcome =
            self.supervise(self.start(&mut command)?).and_then(|status| self.judge(status));
        if outcome.is_err() {
            eprint!("{}", String::from_utf8_lossy(&fs::read(&log)?));
        }
        fs::remove_file(&log)?;
        outcome
    }

    /// Runs the line with its output in plain sight.
    pub(crate) fn stream(&self, workspace: &Workspace) -> Result<()> {
        self.announce();
        let mut command = self.command(&workspace.root);
        let mut child = self.start(&mut command)?;
        self.judge(child.wait()?)
    }

    /// Becomes the line: signals and the exit code are then its own, and no
    /// process of ours is left to orphan it.
    pub(crate) fn replace(&self, workspace: &Workspace) -> Result<()> {
        self.announce();
        let error = self.command(&workspace.root).exec();
        Err(anyhow!("cannot start {}: {error}", self.shown_as))
    }

    /// What the line prints, if it succeeds: for looking, so it is not shown.
    pub(crate) fn answer(&self, root: &Path) -> Option<String> {
        let output = self.command(root).stdin(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().into())
    }

    fn announce(&self) {
        eprintln!("$ {}", self.text());
    }

    fn start(&self, command: &mut Command) -> Result<Child> {
        command.spawn().with_context(|| format!("cannot start {}", self.shown_as))
    }

    fn judge(&self, status: ExitStatus) -> Result<()> {
        if status.success() { Ok(()) } else { bail!("`{}` failed ({status})", self.text()) }
    }

    /// Waits with a spinner, and no longer than our patience.
    fn supervise(&self, mut child: Child) -> Result<ExitStatus> {
        let started = Instant::now();
        let mut spinner = None;
        loop {
            if let Some(status) = child.try_wait()? {
                drop(spinner);
                if status.success() && started.elapsed() >= SHORT {
                    eprintln!("  done in {:.1} s", started.elapsed().as_secs_f32());
                }
                return Ok(status);
            }
            if let Some(patience) = self.patience.filter(|patience| started.elapsed() > *patience) {
                child.kill()?;
                child.wait()?;
                bail!("`{}` gave no answer in {} s", self.text(), patience.as_secs());
            }
            if started.elapsed() > SHORT / 2 {
                spinner.get_or_insert_with(|| Spinner::start(started.elapsed())).0.tick();
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// What cargo told us about ourselves is no business of a child.
    fn command(&self, root: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(root).args(&self.arguments);
        let ours = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_NAME", "CARGO_CRATE_NAME"];
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| ours.iter().any(|own| name.starts_with(own))) {
                command.env_remove(&name);
            }
        }
        for name in &self.hidden {
            command.env_remove(name);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Something that takes less time than this needs no spinner.
const SHORT: Duration = Duration::from_secs(2);

/// A spinner that wipes itself away, whatever ends it.
struct Spinner(ProgressBar);

impl Spinner {
    fn start(already: Duration) -> Self {
        let style = ProgressStyle::with_template("  {spinner} {elapsed}")
            .expect("the template is a constant");
        Self(ProgressBar::new_spinner().with_style(style).with_elapsed(already))
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A word as a shell would need it written.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_as_a_shell_would_take_it() {
        let line = CommandLine::new("cargo")
            .args("test --test")
            .arg("*")
            .env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(line.text(), "RUSTDOCFLAGS='-D warnings' cargo test --test '*'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }

    #[test]
    fn a_failure_names_the_line() {
        let workspace = Workspace::open(false).unwrap();
        let error = CommandLine::new("false").run(&workspace).unwrap_err().to_string();
        assert!(error.starts_with("`false` failed"), "{error}");
    }

    #[test]
    fn a_line_that_never_ends_is_ended() {
        let workspace = Workspace::open(false).unwrap();
        let error = CommandLine::new("tail")
            .args("-f /dev/null")
            .within(Duration::ZERO)
            .run(&workspace)
            .unwrap_err();
        assert!(error.to_string().contains("gave no answer"), "{error}");
    }

    #[test]
    fn a_missing_program_is_one_sentence() {
        let workspace = Workspace::open(false).unwrap();
        let error = CommandLine::new("no-such-program").run(&workspace).unwrap_err();
        assert!(format!("{error:#}").starts_with("cannot start no-such-program: "), "{error:#}");
    }
}
