//! The runs: every program once without a slip, then for each slip until a test fails.
//!
//! Two slips are tried side by side, each program with one thread, so that its output says which
//! test is running. How long a test takes is learned in the first run: quick tests come before slow
//! ones, and a test that takes many times as long as it should has noticed the slip as well. First
//! of all comes the test that noticed the slip the last time.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};

use super::copy::Program;
use super::graft::VARIABLE;
use super::hints::{Hints, Test};
use super::rows::Mutant;

/// Slips tried side by side.
const AT_ONCE: usize = 2;

/// A test may take this many times what it takes without a slip, and this much more.
const SLOWER: u32 = 20;
const LONGER: Duration = Duration::from_secs(15);

/// Tests that take longer are asked last.
const SLOW: Duration = Duration::from_millis(300);

/// Which test program has the tests of a room; those beside the code are always asked first.
const SUBJECTS: [(&str, &str); 12] = [
    ("src/shuffler", "shuffler"),
    ("src/reader", "reader"),
    ("src/paigow", "paigow"),
    ("src/store", "store"),
    ("src/entropy", "entropy"),
    ("src/protocol/framing", "framing"),
    ("src/protocol", "seal"),
    ("src/hash", "seal"),
    ("src/node", "controller"),
    ("src/controller", "controller"),
    ("src/services", "context"),
    ("src/context", "context"),
];

/// A program that passes, and how long each of its tests takes.
pub struct Proven {
    program: Program,
    times: BTreeMap<String, Duration>,
}

impl Proven {
    fn time(&self) -> Duration {
        self.times.values().sum()
    }

    /// The arguments that choose the quick tests.
    fn quick(&self) -> Vec<String> {
        let skip = |test: &String| ["--skip".to_owned(), test.clone()];
        self.slow().iter().flat_map(skip).collect()
    }

    /// The tests that take long, as arguments that choose them.
    fn slow(&self) -> Vec<String> {
        let slow = self.times.iter().filter(|(_, time)| **time > SLOW);
        slow.map(|(test, _)| test.clone()).collect()
    }

    fn patience(&self, test: &str) -> Duration {
        self.times.get(test).copied().unwrap_or_default() * SLOWER + LONGER
    }
}

/// What became of a slip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// This test failed.
    Failed(Test),
    /// This test did not end.
    Endless(Test),
    /// The program died in this test.
    Died(Test),
    /// Every test passed.
    Survived,
}

/// A slip and what became of it.
pub struct Trial<'a> {
    /// The slip.
    pub mutant: &'a Mutant,
    /// What became of it.
    pub verdict: Verdict,
}

/// Every program must pass as it is.
pub fn without_a_slip(root: &Path, programs: Vec<Program>) -> Result<Vec<Proven>> {
    let mut proven = Vec::new();
    for program in programs {
        let mut run = Run::start(root, &program, 0, &[])?;
        let verdict = run.follow(|_| Duration::MAX);
        if verdict != Verdict::Survived {
            bail!("{} fails without a slip: {verdict:?}; `cargo test` first", program.name);
        }
        proven.push(Proven { program, times: run.times });
    }
    // A slip that nobody notices costs every program: the quick ones first.
    proven.sort_by_key(Proven::time);
    Ok(proven)
}

/// Tries every slip; they come back in the order of the table.
pub fn all<'a>(
    root: &Path,
    programs: &[Proven],
    mutants: &[&'a Mutant],
    hints: &Hints,
) -> Vec<Trial<'a>> {
    let progress = Progress::start(mutants.len());
    let next = Mutex::new(mutants.iter());
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some(mutant) = next.lock().ok().and_then(|mut next| next.next()) {
            let verdict = one(root, programs, mutant, hints.of(mutant));
            progress.tell(mutant, &verdict);
            if let Ok(mut done) = done.lock() {
                done.push(Trial { mutant, verdict });
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(work);
        }
    });
    progress.bar.finish_and_clear();
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|trial| trial.mutant.number);
    done
}

/// Runs programs until one notices.
fn one(root: &Path, programs: &[Proven], mutant: &Mutant, hint: Option<&Test>) -> Verdict {
    let order = in_order(programs, mutant);
    let hinted = hint.into_iter().flat_map(|hint| {
        let here = order.iter().filter(|proven| proven.program.name == hint.program);
        here.map(|proven| (*proven, vec![hint.test.clone()])).collect::<Vec<_>>()
    });
    let quick = order.iter().map(|proven| (*proven, proven.quick()));
    let slow = order.iter().map(|proven| (*proven, proven.slow()));
    let slow = slow.filter(|(_, tests)| !tests.is_empty());
    for (proven, choice) in hinted.chain(quick).chain(slow) {
        let verdict = match Run::start(root, &proven.program, mutant.number, &choice) {
            Ok(mut run) => run.follow(|test| proven.patience(test)),
            Err(error) => Verdict::Died(Test::new(&proven.program.name, &format!("{error:#}"))),
        };
        if verdict != Verdict::Survived {
            return verdict;
        }
    }
    Verdict::Survived
}

/// The tests beside the code, the subject's own program, then the others.
fn in_order<'a>(programs: &'a [Proven], mutant: &Mutant) -> Vec<&'a Proven> {
    let subject = SUBJECTS.iter().find(|(room, _)| mutant.file.starts_with(room));
    let subject = subject.map_or("", |(_, program)| program);
    let mut order: Vec<&Proven> = programs.iter().collect();
    order.sort_by_key(|proven| match proven.program.name.as_str() {
        "croupier" => 0,
        name if name == subject => 1,
        _ => 2,
    });
    order
}

/// One test program at work.
struct Run {
    child: std::process::Child,
    program: String,
    output: mpsc::Receiver<Vec<u8>>,
    /// How long each test took that has ended.
    times: BTreeMap<String, Duration>,
}

impl Run {
    fn start(root: &Path, program: &Program, mutant: usize, choice: &[String]) -> Result<Self> {
        let mut child = Command::new(&program.file)
            .current_dir(root)
            .args(["--test-threads=1", "--exact"])
            .args(choice)
            .env(VARIABLE, mutant.to_string())
            // The long campaigns belong to the tests themselves.
            .env_remove("CROUPIER_RELEASE_SUITE")
            .env("RUST_BACKTRACE", "0")
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

    /// Reads along until a test fails or takes longer than `patience` allows, or all is over.
    fn follow(&mut self, patience: impl Fn(&str) -> Duration) -> Verdict {
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

/// What is shown meanwhile: a bar on a terminal, else a line now and then.
struct Progress {
    bar: ProgressBar,
    of: usize,
}

impl Progress {
    fn start(of: usize) -> Self {
        let style = ProgressStyle::with_template("  {bar:30} {pos}/{len} {elapsed} {msg}")
            .expect("the template is a constant");
        Self { bar: ProgressBar::new(of as u64).with_style(style), of }
    }

    fn tell(&self, mutant: &Mutant, verdict: &Verdict) {
        self.bar.inc(1);
        self.bar.set_message(mutant.name.clone());
        if *verdict == Verdict::Survived && mutant.survives.is_none() {
            let line = format!("  NOT NOTICED: {}", mutant.name);
            self.bar.suspend(|| println!("{line}"));
        }
        let done = self.bar.position() as usize;
        if !std::io::stderr().is_terminal() && done.is_multiple_of(self.of.div_ceil(10)) {
            println!("  {done} of {}", self.of);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::row;
    use super::*;

    fn shell(script: &str) -> Verdict {
        let name = "sh".to_owned();
        let child = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (tell, output) = mpsc::channel();
        thread::spawn(move || {
            let mut bytes = [0; 64];
            while let Ok(length @ 1..) = stdout.read(&mut bytes) {
                tell.send(bytes[..length].to_vec()).unwrap();
            }
        });
        let mut run = Run { child, program: name, output, times: BTreeMap::new() };
        run.follow(|_| Duration::from_millis(500))
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

    #[test]
    fn the_tests_beside_the_code_and_of_the_subject_come_first() {
        let proven = |name: &str| Proven {
            program: Program { name: name.into(), file: name.into() },
            times: BTreeMap::new(),
        };
        let programs = ["store", "reader", "croupier", "shuffler"].map(proven);
        let mut mutant = row(1, "a", "b");
        mutant.file = "src/shuffler/machine.rs".into();
        let order: Vec<_> =
            in_order(&programs, &mutant).iter().map(|proven| proven.program.name.clone()).collect();
        assert_eq!(order, ["croupier", "shuffler", "store", "reader"]);
    }

    #[test]
    fn every_subject_is_a_test_program() {
        let root = crate::workspace::root();
        for (room, program) in SUBJECTS {
            assert!(root.join(room).is_dir(), "{room}");
            assert!(root.join("tests").join(program).join("main.rs").is_file(), "{program}");
        }
    }
}
