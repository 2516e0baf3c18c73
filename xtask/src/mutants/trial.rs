//! The trials: each slip on the tests that come by it, until one fails.
//!
//! Two slips are tried side by side, each test program with one thread, so that its output says
//! which test is running. Quick tests come before slow ones, and first of all the test that noticed
//! the slip the last time. A test that takes many times as long as it should has noticed as well.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use super::copy::Program;
use super::hints::{Hints, Test};
use super::proven::Proven;
use super::rows::Mutant;
use super::run::{Run, Verdict};

/// Slips tried side by side.
const AT_ONCE: usize = 2;

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

/// A slip and what became of it.
pub(super) struct Trial<'a> {
    /// The slip.
    pub mutant: &'a Mutant,
    /// What became of it.
    pub verdict: Verdict,
}

/// Every program must pass as it is.
pub(super) fn without_a_slip(root: &Path, programs: Vec<Program>) -> Result<Vec<Proven>> {
    let proven = programs.into_iter().map(|program| Proven::of(root, program));
    let mut proven = proven.collect::<Result<Vec<_>>>()?;
    // A slip that is not noticed costs every program: the quick ones first.
    proven.sort_by_key(Proven::time);
    Ok(proven)
}

/// Tries every slip; they come back in the order of the table.
pub(super) fn all<'a>(
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
            progress.step(mutant, &verdict);
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

/// Runs tests until one notices.
fn one(root: &Path, programs: &[Proven], mutant: &Mutant, hint: Option<&Test>) -> Verdict {
    let choices = choices(programs, mutant, hint);
    for (proven, tests) in &choices {
        let verdict = match Run::of(root, &proven.program, mutant.number, tests) {
            Ok(mut run) => run.follow(|test| proven.patience(test)),
            Err(error) => Verdict::Died(Test::new(&proven.program.name, &format!("{error:#}"))),
        };
        if verdict != Verdict::Survived {
            return verdict;
        }
    }
    if choices.is_empty() { Verdict::Unreached } else { Verdict::Survived }
}

/// The tests to ask, in this order.
fn choices<'a>(
    programs: &'a [Proven],
    mutant: &Mutant,
    hint: Option<&Test>,
) -> Vec<(&'a Proven, Vec<String>)> {
    let (mut first, mut quick, mut slow) = (Vec::new(), Vec::new(), Vec::new());
    for proven in in_order(programs, mutant) {
        let [short, long] = proven.comers(mutant.number);
        let here = hint.filter(|hint| hint.program == proven.program.name);
        let here = here.filter(|hint| short.contains(&hint.test) || long.contains(&hint.test));
        first.extend(here.map(|hint| (proven, vec![hint.test.clone()])));
        quick.push((proven, short));
        slow.push((proven, long));
    }
    let all = first.into_iter().chain(quick).chain(slow);
    all.filter(|(_, tests)| !tests.is_empty()).collect()
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

    fn step(&self, mutant: &Mutant, verdict: &Verdict) {
        self.bar.inc(1);
        self.bar.set_message(mutant.name.clone());
        if !verdict.is_noticed() && mutant.survives.is_none() {
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

    #[test]
    fn the_tests_beside_the_code_and_of_the_subject_come_first() {
        let programs = ["store", "reader", "croupier", "shuffler"].map(Proven::named);
        let mut mutant = row(1, "a", "b");
        mutant.file = "src/shuffler/machine.rs".into();
        let names = |hint| {
            let choices = choices(&programs, &mutant, hint);
            choices.iter().map(|(proven, _)| proven.program.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(None), ["croupier", "shuffler", "store", "reader"]);
        let hint = Test::new("reader", "a");
        assert_eq!(names(Some(&hint)), ["reader", "croupier", "shuffler", "store", "reader"]);
        mutant.number = 2;
        assert!(choices(&programs, &mutant, None).is_empty(), "no test comes by");
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
