//! `test`: everything CI checks, in one plan that stops at the first failure.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use crate::chip::Chip;
use crate::command::CommandLine;
use crate::workspace::{Board, Workspace};
use crate::{build, documents, house_rules, setup, size};

/// Check everything: format, lints, house rules, tests, images, QEMU, docs
///
/// Readies the machine, then runs a numbered plan and stops at the first failure with
/// the line that repeats it. CI runs exactly this. No hardware is needed.
///
/// --release-suite makes the long campaigns whole: the tests see CROUPIER_RELEASE_SUITE=1
/// and run at the sizes the release evidence asks for. No test is ever skipped without it;
/// there are no ignored tests. It also tries every row of `cargo xtask mutants`.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Run the long campaigns at full length too
    #[arg(long)]
    release_suite: bool,
    /// Only the steps whose name has this in it, such as qemu
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask test                         what CI runs
  cargo xtask test --only 'house rules'    one step again
  cargo xtask test --only clippy           every clippy step
  cargo xtask test --release-suite         before a release";

/// One step of the plan.
struct Step {
    name: String,
    work: Work,
}

enum Work {
    /// Output only on failure.
    Quiet(CommandLine),
    /// Output in plain sight: cargo's own verdicts belong in the log.
    Seen(CommandLine),
    /// Our own code.
    Own(fn(&Workspace, &Chip) -> Result<()>),
}

impl Step {
    fn new(name: impl Into<String>, work: Work) -> Self {
        Self { name: name.into(), work }
    }

    /// The same step with its line changed.
    fn map(self, change: impl Fn(CommandLine) -> CommandLine) -> Self {
        let work = match self.work {
            Work::Quiet(line) => Work::Quiet(change(line)),
            Work::Seen(line) => Work::Seen(change(line)),
            own @ Work::Own(_) => own,
        };
        Self { work, ..self }
    }

    fn run(&self, workspace: &Workspace, chip: &Chip) -> Result<()> {
        match &self.work {
            Work::Quiet(line) => line.run(workspace),
            Work::Seen(line) => line.stream(workspace),
            Work::Own(work) => work(workspace, chip),
        }
    }

    /// One sentence: which step, why, and the line that repeats it.
    fn failure(&self, number: usize, of: usize, problem: &anyhow::Error) -> anyhow::Error {
        let why = match &self.work {
            Work::Own(_) => format!(": {problem:#}"),
            Work::Quiet(_) | Work::Seen(_) => String::new(),
        };
        anyhow!(
            "step {number} of {of}, {}, failed{why}; repeat it with: {}",
            self.name,
            self.again()
        )
    }

    /// The line that repeats the step.
    fn again(&self) -> String {
        match &self.work {
            Work::Quiet(line) | Work::Seen(line) => line.text(),
            Work::Own(_) => format!("cargo xtask test --only '{}'", self.name),
        }
    }
}

/// Runs the command.
pub(crate) fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    let chip = setup::chip(workspace)?;
    let qemu = setup::ensure_qemu(workspace)?;
    setup::ensure_lints(workspace)?;
    setup::ensure_python(workspace)?;
    let wanted =
        |step: &Step| args.only.as_ref().is_none_or(|text| step.name.contains(text.as_str()));
    let plan: Vec<Step> =
        plan(workspace, &chip, args.release_suite).into_iter().filter(wanted).collect();
    if plan.is_empty() {
        bail!("no step has '{}' in its name", args.only.as_deref().unwrap_or_default());
    }
    println!("The plan, with QEMU {qemu}:");
    for (number, step) in plan.iter().enumerate() {
        println!("{:>4}. {}", number + 1, step.name);
    }
    follow(workspace, &chip, &plan)
}

/// Runs the steps in order; prints the times, and at a failure how to repeat it.
fn follow(workspace: &Workspace, chip: &Chip, plan: &[Step]) -> Result<()> {
    let mut times = Vec::new();
    for (number, step) in plan.iter().enumerate() {
        println!("\n[{}/{}] {}", number + 1, plan.len(), step.name);
        let started = Instant::now();
        let outcome = step.run(workspace, chip);
        times.push(started.elapsed());
        if let Err(problem) = outcome {
            summarise(plan, &times, false);
            return Err(step.failure(number + 1, plan.len(), &problem));
        }
    }
    summarise(plan, &times, true);
    Ok(())
}

fn summarise(plan: &[Step], times: &[Duration], passed: bool) {
    println!("\nstep                                    time");
    for (number, step) in plan.iter().enumerate() {
        let verdict = match times.get(number) {
            Some(time) if passed || number + 1 < times.len() => {
                format!("{:>6.1} s  ok", time.as_secs_f32())
            }
            Some(time) => format!("{:>6.1} s  FAILED", time.as_secs_f32()),
            None => "     -    not run".into(),
        };
        println!("{:>2}. {:<32} {verdict}", number + 1, step.name);
    }
    println!("    {:<32} {:>6.1} s", "all", times.iter().sum::<Duration>().as_secs_f32());
}

/// What is written: the source, and what the documents say of it.
fn house_rules_and_documents(workspace: &Workspace, _: &Chip) -> Result<()> {
    house_rules::check(&workspace.root)?;
    documents::check(workspace)
}

/// Quick checks first, so that a small slip shows in seconds.
fn plan(workspace: &Workspace, chip: &Chip, release_suite: bool) -> Vec<Step> {
    let suite = |line: CommandLine| {
        if release_suite { line.env("CROUPIER_RELEASE_SUITE", "1") } else { line }
    };
    let host = "-p croupier -p arguments -p battery -p dsdl -p hil-tests -p xtask";
    let deny = |line: CommandLine| line.args("-- -D warnings");
    let documented = |line: CommandLine| line.env("RUSTDOCFLAGS", "-D warnings").arg("--no-deps");
    let cargo = |words: &str| CommandLine::cargo().args(words);
    // One at a time, as they are built. A board is looked at with the adapters it links.
    let each = |name: &str, line: &dyn Fn() -> CommandLine| -> Vec<Step> {
        let step = |board: &Board| {
            let line = if board.is_board() { line().args("-p adapters") } else { line() };
            let package = board.package();
            Step::new(format!("{name} {package}"), Work::Quiet(line.arg("-p").arg(&package)))
        };
        workspace.boards.iter().map(step).collect()
    };

    let mut plan = vec![
        Step::new("format", Work::Quiet(cargo("fmt --all --check"))),
        Step::new("house rules", Work::Own(house_rules_and_documents)),
        Step::new(
            "clippy on the host",
            Work::Quiet(deny(cargo("clippy --all-targets").args(host))),
        ),
    ];
    plan.push(Step::new(
        "clippy on the chip's models",
        Work::Quiet(deny(cargo("clippy -p monitor --lib --tests"))),
    ));
    let lints = each("clippy", &|| chip.cargo("clippy"));
    plan.extend(lints.into_iter().map(|step| step.map(deny)));
    plan.push(Step::new(
        "host tests",
        Work::Seen(suite(cargo("test -p croupier -p arguments -p battery -p dsdl -p xtask"))),
    ));
    if release_suite {
        plan.push(Step::new("mutants", Work::Seen(suite(cargo("xtask mutants")))));
    }
    plan.extend([
        Step::new("chip model tests", Work::Seen(suite(cargo("test -p monitor --lib")))),
        Step::new("bench unit tests", Work::Seen(suite(cargo("test -p hil-tests --lib --bins")))),
        Step::new(
            "Rust in the bench's README",
            Work::Seen(suite(cargo("test -p hil-tests --doc"))),
        ),
        Step::new("rules for the chip", Work::Quiet(chip.cargo("check").args("-p croupier"))),
        Step::new("images", Work::Own(build::all)),
        Step::new("size", Work::Own(|workspace, _| size::weigh(workspace))),
        Step::new("QEMU tests", Work::Seen(suite(cargo("test -p hil-tests --test").arg("*")))),
    ]);
    if release_suite {
        let line = cargo("xtask measure --against docs/figures.json");
        plan.push(Step::new("measured figures", Work::Seen(suite(line))));
    }
    plan.extend([Step::new("docs on the host", Work::Quiet(documented(cargo("doc").args(host))))]);
    plan.extend(each("docs", &|| documented(chip.cargo("doc")).arg("--lib")));
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Machine;
    use crate::toolchain::Toolchain;

    fn with_plan(release_suite: bool, examine: impl Fn(&[Step])) {
        let workspace = Workspace::open(false).unwrap();
        let chip = Chip::on(&Machine::look(&workspace), Toolchain::Rustup);
        examine(&plan(&workspace, &chip, release_suite));
    }

    #[test]
    fn every_board_is_linted_for_the_chip_and_no_warning_passes() {
        with_plan(false, |plan| {
            let clippy: Vec<_> =
                plan.iter().filter(|step| step.name.starts_with("clippy")).collect();
            assert_eq!(clippy.len(), 2 + Workspace::open(false).unwrap().boards.len());
            assert!(clippy.iter().all(|step| step.again().ends_with("-- -D warnings")));
            assert!(
                clippy[2..]
                    .iter()
                    .all(|step| step.again().contains("--target thumbv7em-none-eabihf"))
            );
        });
    }

    #[test]
    fn the_release_suite_reaches_every_test_and_nothing_else() {
        with_plan(true, |plan| {
            for step in plan {
                let release = step.again().contains("CROUPIER_RELEASE_SUITE=1");
                assert_eq!(release, matches!(step.work, Work::Seen(_)), "{}", step.name);
            }
        });
        with_plan(false, |plan| {
            assert!(plan.iter().all(|step| !step.again().contains("RELEASE_SUITE")));
            let long = ["mutants", "measured figures"];
            assert!(plan.iter().all(|step| !long.contains(&step.name.as_str())));
        });
    }

    #[test]
    fn a_failure_stops_the_plan_and_says_how_to_repeat_the_step() {
        let workspace = Workspace::open(false).unwrap();
        let chip = Chip::on(&Machine::look(&workspace), Toolchain::Rustup);
        let never: fn(&Workspace, &Chip) -> Result<()> =
            |_, _| panic!("a step after the failure was run");
        let plan = [
            Step::new("bad", Work::Quiet(CommandLine::new("false"))),
            Step::new("next", Work::Own(never)),
        ];
        let error = follow(&workspace, &chip, &plan).unwrap_err().to_string();
        assert_eq!(error, "step 1 of 2, bad, failed; repeat it with: false");
    }
}
