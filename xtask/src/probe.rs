//! probe-rs: the program that reaches a real board through its ST-LINK.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::command::CommandLine;
use crate::machine::on_path;
use crate::workspace::Workspace;

/// The part on the board, as `probe-rs chip list` spells it.
pub(crate) const PART: &str = "STM32L475VGTx";

/// What to do when it is not here.
const INSTALL: &str = "probe-rs is not installed. Get it with one of
  cargo install probe-rs-tools --locked      (Debian: apt-get install libudev-dev pkg-config first)
  curl -LsSf https://github.com/probe-rs/probe-rs/releases/latest/download/probe-rs-tools-installer.sh | sh
and let your user reach the ST-LINK: https://probe.rs/docs/getting-started/probe-setup/";

/// probe-rs, and which probe it is to use.
pub(crate) struct Probe {
    program: PathBuf,
    selector: Option<String>,
}

impl Probe {
    /// Finds probe-rs on the path; without it, says how to get it.
    pub(crate) fn find(selector: Option<&str>) -> Result<Self> {
        match on_path("probe-rs") {
            Some(program) => Ok(Self { program, selector: selector.map(Into::into) }),
            None => bail!("{INSTALL}"),
        }
    }

    /// Fails when no board is connected.
    pub(crate) fn connected(&self, workspace: &Workspace) -> Result<()> {
        let program = self.program.display().to_string();
        let listed =
            CommandLine::new(&program).arg("list").answer(&workspace.root).unwrap_or_default();
        if listed.is_empty() || listed.contains("No debug probes") {
            bail!("no debug probe was found: connect the board's ST-LINK USB port");
        }
        Ok(())
    }

    /// `probe-rs <verb>` for this chip and probe.
    pub(crate) fn line(&self, verb: &str) -> CommandLine {
        let line = CommandLine::new("probe-rs").arg(verb).arg("--chip").arg(PART);
        self.selector.iter().fold(line, |line, probe| line.arg("--probe").arg(probe))
    }

    /// Flashes an image, starts it and reads its log.
    pub(crate) fn run_image(&self, image: &str) -> Result<Listening> {
        let mut command = Command::new(&self.program);
        command.args(["run", "--chip", PART]);
        command.args(self.selector.iter().flat_map(|probe| ["--probe", probe]));
        command.arg(image).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Listening::start(command)
    }
}

/// A program that writes lines until it is told to stop.
pub(crate) struct Listening {
    child: Child,
    lines: Receiver<String>,
    /// Every line so far, for the report.
    pub transcript: Vec<String>,
}

impl Listening {
    /// Starts it; its output and its complaints are one stream of lines.
    pub(crate) fn start(mut command: Command) -> Result<Self> {
        let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
        let (sender, lines) = channel();
        let output =
            child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn std::io::Read + Send>);
        let complaints =
            child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn std::io::Read + Send>);
        for pipe in [output, complaints].into_iter().flatten() {
            let sender = sender.clone();
            thread::spawn(move || {
                let lines = BufReader::new(pipe).lines().map_while(Result::ok);
                lines.for_each(|line| _ = sender.send(line)); // unread lines are dropped
            });
        }
        Ok(Self { child, lines, transcript: Vec::new() })
    }

    /// Waits for a line that has all of `words` in it.
    pub(crate) fn await_line(&mut self, words: &[&str], within: Duration) -> Result<String> {
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    let found = words.iter().all(|word| line.contains(word));
                    self.transcript.push(line.clone());
                    if found {
                        return Ok(line);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    bail!("no line with '{}' in {} s", words.join(" ... "), within.as_secs())
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let last = self.transcript.last().map_or("nothing", String::as_str);
                    bail!(
                        "it ended without a line with '{}'; last came: {last}",
                        words.join(" ... ")
                    )
                }
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill(); // already gone is as good
        let _ = self.child.wait();
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::*;

    /// A probe-rs that is a shell script.
    pub(crate) fn fake(folder: &Path, script: &str) -> Probe {
        let program = folder.join("probe-rs");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Probe { program, selector: Some("0483:374b".into()) }
    }

    /// A folder of this test's own.
    pub(crate) fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/xtask/tests").join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    const SOON: Duration = Duration::from_secs(5);

    #[test]
    fn an_image_is_flashed_on_the_chosen_probe_and_its_log_is_read() {
        let probe = fake(
            &folder("log"),
            "echo \"$@\"; echo complaint >&2; echo ready after 5 us; sleep 60",
        );
        let mut log = probe.run_image("reader.elf").unwrap();
        let asked = log.await_line(&["run"], SOON).unwrap();
        assert_eq!(asked, "run --chip STM32L475VGTx --probe 0483:374b reader.elf");
        log.await_line(&["ready after", "us"], SOON).unwrap();
    }

    #[test]
    fn a_log_without_the_line_ends_at_the_deadline_and_one_that_ends_says_what_came_last() {
        let probe = fake(&folder("silent"), "sleep 60");
        let mut log = probe.run_image("reader.elf").unwrap();
        let error = log.await_line(&["ready"], Duration::ZERO).unwrap_err().to_string();
        assert_eq!(error, "no line with 'ready' in 0 s");
        let probe = fake(&folder("ended"), "echo no such chip >&2");
        let mut log = probe.run_image("reader.elf").unwrap();
        let error = log.await_line(&["ready"], SOON).unwrap_err().to_string();
        assert_eq!(error, "it ended without a line with 'ready'; last came: no such chip");
    }

    #[test]
    fn no_probe_on_usb_is_one_sentence() {
        let workspace = Workspace::open(false).unwrap();
        let probe = fake(&folder("list"), "echo No debug probes were found.");
        let error = probe.connected(&workspace).unwrap_err().to_string();
        assert_eq!(error, "no debug probe was found: connect the board's ST-LINK USB port");
        let probe = fake(&folder("listed"), "echo '[0]: STLink V2-1 -- 0483:374b:066D'");
        probe.connected(&workspace).unwrap();
    }
}
