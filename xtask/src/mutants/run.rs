//! One run of a test program: what it prints is read along, and the first failure ends it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::copy::Program;
use super::graft::{NOTES, VARIABLE};
use super::hints::Test;

/// What became of a slip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// This test failed.
    Failed(Test),
    /// This test did not end.
    Endless(Test),
    /// The program died in this test.
    Died(Test),
    /// Every test passed that comes by the slip.
    Survived,
    /// No test comes by the slip.
    Unreached,
}

impl Verdict {
    /// Whether some test noticed the slip.
    pub(super) fn is_noticed(&self) -> bool {
        !matches!(self, Self::Survived | Self::Unreached)
    }
}

/// One test program at work.
pub(super) struct Run {
    child: Child,
    program: String,
    output: Receiver<Vec<u8>>,
    /// How long each test took that has ended.
    pub times: BTreeMap<String, Duration>,
}

impl Run {
    /// Runs all tests as they are, one after the other.
    pub(super) fn alone(root: &Path, program: &Program) -> Result<Self> {
        Self::start(program, command(root, program, 1))
    }

    /// Runs all tests as they are, each in a thread of its own that notes what it comes by.
    pub(super) fn noting(root: &Path, program: &Program, notes: &Path) -> Result<Self> {
        let mut command = command(root, program, 2);
        command.env(NOTES, notes);
        Self::start(program, command)
    }

    /// Runs these tests with a slip.
    pub(super) fn of(
        root: &Path,
        program: &Program,
        mutant: usize,
        tests: &[String],
    ) -> Result<Self> {
        let mut command = command(root, program, 1);
        command.arg("--exact").args(tests).env(VARIABLE, mutant.to_string());
        Self::start(program, command)
    }

    fn start(program: &Program, mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.file.display()))?;
        let mut stdout = child.stdout.take().context("its output is a pipe")?;
        let (tell, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = stdout.read(&mut bytes) {
                if tell.send(bytes[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, program: program.name.clone(), output, times: BTreeMap::new() })
    }

    /// Fails if a test does, with no slip on.
    pub(super) fn must_pass(&mut self, how: &str) -> Result<()> {
        let (test, what) = match self.follow(|_| Duration::MAX) {
            Verdict::Survived | Verdict::Unreached => return Ok(()),
            Verdict::Failed(test) => (test, "fails"),
            Verdict::Endless(test) => (test, "does not end"),
            Verdict::Died(test) => (test, "kills its program"),
        };
        bail!("with no slip on and tests run {how}, this one {what}: {test}; mend it first")
    }

    /// Reads along until a test fails or takes longer than `patience` allows, or all is over.
    pub(super) fn follow(&mut self, patience: impl Fn(&str) -> Duration) -> Verdict {
        let mut lines = Lines::default();
        let mut began = Instant::now();
        loop {
            let test = lines.running().to_owned();
            let left = patience(&test).saturating_sub(began.elapsed());
            match self.output.recv_timeout(left.min(Duration::from_secs(3600))) {
                Ok(bytes) => {
                    for (test, passed) in lines.read(&bytes) {
                        self.times.insert(test.clone(), began.elapsed());
                        began = Instant::now();
                        if !passed {
                            self.end();
                            return Verdict::Failed(self.path(&test));
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.end();
                    return Verdict::Endless(self.path(&test));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let passed = self.child.wait().is_ok_and(|status| status.success());
                    return if passed {
                        Verdict::Survived
                    } else {
                        Verdict::Died(self.path(&test))
                    };
                }
            }
        }
    }

    fn path(&self, test: &str) -> Test {
        Test::new(&self.program, test)
    }

    /// Ends the program, which was started here.
    fn end(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn command(root: &Path, program: &Program, threads: u8) -> Command {
    let mut command = Command::new(&program.file);
    command
        .current_dir(root)
        .arg(format!("--test-threads={threads}"))
        // The long campaigns belong to the tests themselves.
        .env_remove("CROUPIER_RELEASE_SUITE")
        .env_remove(VARIABLE)
        .env_remove(NOTES)
        .env("RUST_BACKTRACE", "0");
    command
}

/// What a test program prints: `test some::name ... ` when it starts a test, then `ok` or
/// `FAILED` and the end of the line.
#[derive(Default)]
struct Lines {
    unfinished: String,
}

impl Lines {
    /// The tests that ended with these bytes, and whether they passed.
    fn read(&mut self, bytes: &[u8]) -> Vec<(String, bool)> {
        self.unfinished += &String::from_utf8_lossy(bytes);
        let Some(end) = self.unfinished.rfind('\n') else { return Vec::new() };
        let whole: String = self.unfinished.drain(..=end).collect();
        whole
            .lines()
            .filter_map(|line| {
                let (name, outcome) = line.strip_prefix("test ")?.split_once(" ... ")?;
                Some((name.to_owned(), outcome == "ok"))
            })
            .collect()
    }

    /// The test that has begun and not ended.
    fn running(&self) -> &str {
        let name =
            self.unfinished.strip_prefix("test ").and_then(|line| line.split(" ... ").next());
        name.unwrap_or("its start or end")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Verdict {
        let program = Program { name: "sh".into(), file: "sh".into() };
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Run::start(&program, command).unwrap().follow(|_| Duration::from_millis(500))
    }

    #[test]
    fn a_run_ends_at_the_first_test_that_fails_hangs_or_dies() {
        assert_eq!(shell("echo 'test a ... ok'"), Verdict::Survived);
        let failed = shell("echo 'test a ... ok'; echo 'test b ... FAILED'; sleep 60");
        assert_eq!(failed, Verdict::Failed(Test::new("sh", "b")));
        let endless = shell("echo 'test a ... ok'; printf 'test b ... '; exec sleep 60");
        assert_eq!(endless, Verdict::Endless(Test::new("sh", "b")));
        assert_eq!(shell("printf 'test c ... '; exit 3"), Verdict::Died(Test::new("sh", "c")));
    }
}
