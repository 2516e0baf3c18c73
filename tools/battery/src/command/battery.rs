//! `battery`: judge a file or live output by the decision rule.

use super::{examine, firmware_commit, fresh_seed, progress};
use anyhow::{Context, Result, bail};
use arguments::{Battery, Live};
use battery::calibrate::{GATE_52, GATE_416, GATE_NUMBERS};
use battery::evidence::{EvidenceFile, Kind, NoiseOrigin};
use battery::ideal::Ideal;
use battery::production::Production;
use battery::report::{Part, Report, outcome_table, page};
use battery::run::{FRESH_STREAMS, Size, count_numbers, count_orders};
use battery::supply::Supply;
use battery::verdict::{Limits, SECOND_LOOK, Verdict};
use battery::wheel::Wheel;
use std::path::Path;
use std::process::ExitCode;

/// What one invocation tests, in order.
struct Job {
    kind: Kind,
    cards: usize,
    count: u64,
}

/// Runs the command; anything but a pass is a failure.
pub(crate) fn run(arguments: &Battery) -> Result<ExitCode> {
    let seed = arguments.seed.map_or_else(fresh_seed, Ok)?;
    if arguments.calibrate {
        return examine::calibrate(arguments.quick, seed);
    }
    if let Some(runs) = arguments.uniformity {
        return examine::uniformity(runs, seed);
    }
    let report = match (&arguments.file, arguments.live) {
        (Some(path), _) => judge_file(path)?,
        (None, Some(live)) => judge_live(live, arguments.release_size, seed)?,
        (None, None) => bail!("name a file, or ask for --live"),
    };
    println!("{}", outcome_table(&report));
    write_page(&arguments.html, &report)?;
    println!(
        "{}; {}; {} tests; page: {}",
        report.supply,
        report.replay,
        report.tests,
        arguments.html.display()
    );
    println!("{}", report.verdict.word());
    Ok(if report.verdict == Verdict::Pass { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn judge_live(live: Live, release_size: bool, seed: u64) -> Result<Report> {
    let (supply, name): (Box<dyn Supply>, _) = match live {
        Live::Production => (Box::new(Production(Some(seed))), "production"),
        Live::Ideal => (Box::new(Ideal(seed)), "ideal"),
        Live::Wheel => (Box::new(Wheel(seed)), "wheel"),
    };
    let flag = if release_size { " --release-size" } else { "" };
    // A wheel draws no numbers, and to move cards takes longer than to draw them.
    let moves_cards = matches!(live, Live::Wheel);
    let (deck, shoe) = match (moves_cards, release_size) {
        (true, true) => (1 << 20, 1 << 18),
        (true, false) => (1 << 15, 1 << 12),
        (false, true) => (1 << 25, 1 << 22),
        (false, false) => (GATE_52, GATE_416),
    };
    let mut jobs = vec![
        Job { kind: Kind::Orders, cards: 52, count: deck },
        Job { kind: Kind::Orders, cards: 416, count: shoe },
    ];
    if !moves_cards {
        jobs.push(Job { kind: Kind::Numbers, cards: 7, count: GATE_NUMBERS });
    }
    let replay = format!("battery --live {name}{flag} --seed {seed}");
    judge(supply.as_ref(), &jobs, replay, firmware_commit(), true)
}

fn judge_file(path: &Path) -> Result<Report> {
    let file = EvidenceFile::open(path)?;
    let header = &file.header;
    let jobs = [Job { kind: header.kind, cards: header.cards.into(), count: header.count }];
    if header.kind == Kind::Raw {
        bail!("{} holds raw output: ask the judges about it", path.display());
    }
    let replay = match header.noise {
        NoiseOrigin::Seeded(seed) => format!("collected with --seed {seed}"),
        NoiseOrigin::Physical => format!("battery {}", path.display()),
    };
    judge(&file, &jobs, replay, header.commit.clone(), false)
}

/// Runs all jobs; a live supply in the grey zone gets its second look.
fn judge(
    supply: &dyn Supply,
    jobs: &[Job],
    replay: String,
    commit: String,
    live: bool,
) -> Result<Report> {
    let mut parts = jobs.iter().map(|job| part(supply, job, false)).collect::<Result<Vec<_>>>()?;
    let tests = parts.iter().map(|part| part.outcomes.len()).sum();
    let limits = Limits::for_tests(tests);
    let mut verdict = worst_of(&parts, limits);
    if verdict == Verdict::Grey && live {
        let grey: Vec<usize> = (0..parts.len())
            .filter(|&index| worst_of(&parts[index..=index], limits) == Verdict::Grey)
            .collect();
        let mut second = Vec::new();
        for index in grey {
            let job = &jobs[index];
            second.push(part(supply, &Job { count: job.count * SECOND_LOOK, ..*job }, true)?);
        }
        // Only the second look decides, and it knows no grey.
        verdict = if worst_of(&second, limits) == Verdict::Reject {
            Verdict::Reject
        } else {
            Verdict::Pass
        };
        parts.extend(second);
    }
    Ok(Report { supply: supply.name(), replay, commit, parts, tests, verdict })
}

fn worst_of(parts: &[Part], limits: Limits) -> Verdict {
    let verdicts: Vec<Verdict> = parts
        .iter()
        .flat_map(|part| &part.outcomes)
        .map(|outcome| limits.of(outcome.ln_p()))
        .collect();
    [Verdict::Reject, Verdict::Grey]
        .into_iter()
        .find(|verdict| verdicts.contains(verdict))
        .unwrap_or(Verdict::Pass)
}

fn part(supply: &dyn Supply, job: &Job, second_look: bool) -> Result<Part> {
    let size = Size {
        cards: job.cards,
        count: job.count,
        first_stream: if second_look { FRESH_STREAMS } else { 0 },
    };
    let bar = progress(job.count, job.kind.word());
    let part = if job.kind == Kind::Numbers {
        let mut tally = count_numbers(supply, size, &bar)?;
        let title = format!("numbers from 1 to {}", job.cards);
        Part {
            title,
            count: job.count,
            second_look,
            outcomes: tally.judge(),
            counts: None,
            numbers: tally.counts,
        }
    } else {
        let mut counts = count_orders(supply, size, &bar)?;
        let title = format!("orders of {} cards", job.cards);
        Part {
            title,
            count: job.count,
            second_look,
            outcomes: counts.judge(),
            counts: Some(counts),
            numbers: Vec::new(),
        }
    };
    bar.finish_and_clear();
    Ok(part)
}

fn write_page(path: &Path, report: &Report) -> Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, page(report))
        .with_context(|| format!("{} cannot be written", path.display()))
}
