//! Rules of the chip's models seen to fire: boards with one mistake, and the words it gives.
//!
//! A model that forgives finds nothing, and looks the same as a board without mistakes. So the
//! code of the board is spoilt, one mistake at a time, built as what is flashed is built, and
//! run beside the monitor. That takes minutes: only with `CROUPIER_RELEASE_SUITE=1`. Every run
//! checks that each mistake still has its place in the code and its row in the docs.

mod copy;
mod table;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use copy::{Copy, root, spoil};
use croupier::time::Millis;
use hil_tests::lockstep::{Lockstep, Traffic, node};
use hil_tests::plan::Plan;
use hil_tests::suite::is_release;
use hil_tests::wait::Waited;
use hil_tests::{Bench, BenchError, Guest, Hub, Setup};
use table::{BITES, LOST, MUTANTS, Mutant, NOTHING, Until};

/// How long a start may take, and how long the device runs after it.
const START: Duration = Duration::from_secs(20);
const RUN: Duration = Duration::from_secs(2);

const FIRST: &str = "| mistake in the board's code | seen |\n|---|---|\n";

/// Waits, unless the run is over before.
fn pass(guest: &Guest, words: &str, time: Duration) -> bool {
    matches!(guest.log().next(words, time), Waited::Came(_))
}

/// Runs an image, and tells what was seen: the breach, what was lost, or nothing.
fn seen(device: &str, elf: &Path, until: Until) -> Result<String, BenchError> {
    let setup = Setup::new(device).elf(elf);
    let setup = match until {
        Until::Flooded => return seen_in_a_flood(device, setup),
        Until::Counted => setup.icount(5),
        Until::Noiseless => Setup { entropy: "missing.bin".into(), ..setup },
        Until::Ready => setup,
    };
    let mut guest = Guest::open(&Plan::chosen()?, setup)?;
    let hub = Hub::open()?;
    guest.power_on_held()?;
    hub.attach(device, guest.link("can")?)?;
    guest.go()?;
    let ready = pass(&guest, "ready after", START);
    pass(&guest, "what is never said", RUN);
    what_it_did(&guest, ready)
}

/// In step: a host that is too slow for a full bus must not look like a device that is.
fn seen_in_a_flood(device: &str, setup: Setup) -> Result<String, BenchError> {
    let mut table = Lockstep::open(setup, |_| Ok(()))?;
    let ready = table.until_known().is_ok();
    table.load_bus(Traffic::new(node(device), 90, 1));
    let ran = ready && table.run(Millis::new(RUN.as_millis() as u64)).is_ok();
    what_it_did(&table.guest, ran)
}

fn what_it_did(guest: &Guest, ready: bool) -> Result<String, BenchError> {
    if let Some(words) = guest.breach() {
        return Ok(words);
    }
    let tally = guest.tally()?;
    Ok(match (guest.watchdog_resets(), tally.frames_lost, ready) {
        (1.., _, _) => BITES.into(),
        (_, 1.., _) => LOST.into(),
        (0, 0, true) => NOTHING.into(),
        (0, 0, false) => format!("no start: {}", guest.log().last(3).join("; ")),
    })
}

/// The words without where in the code it was: that changes with every build.
fn without_place(words: &str) -> String {
    let (what, rest) = words.split_once(" at pc ").unwrap_or((words, ""));
    let rule = rest.split_once(": ").map_or(String::new(), |(_, rule)| format!(": {rule}"));
    format!("{what}{rule}")
}

/// The mistakes that are asked for: all, or those with one of these words in their name.
fn chosen() -> impl Iterator<Item = &'static Mutant> {
    let words = std::env::var("CROUPIER_MUTANT").unwrap_or_default();
    MUTANTS.iter().filter(move |mutant| words.split(',').any(|word| mutant.name.contains(word)))
}

#[test]
fn each_mistake_has_its_place_in_the_code_and_its_row_in_the_docs() {
    let docs = fs::read_to_string(root().join("docs/simulation.md")).unwrap();
    for Mutant { name, file, right, wrong, gives, .. } in MUTANTS {
        spoil(file, right, wrong).unwrap();
        assert!(!file.contains("monitor"), "{name}: models are not to be spoilt");
        let row = docs.lines().find(|line| line.starts_with(&format!("| {name} |")));
        assert!(row.is_some_and(|row| row.contains(gives)), "{name}: {row:?}");
    }
}

/// These rules are seen to fire, so a run without a breach means something.
#[test]
fn each_mistake_in_a_board_is_seen() {
    if !is_release() {
        return println!("only with CROUPIER_RELEASE_SUITE=1");
    }
    let copy = Copy::make();
    let (mut rows, mut wrong) = (String::from(FIRST), Vec::new());
    for mutant in chosen() {
        let text = spoil(mutant.file, mutant.right, mutant.wrong).unwrap();
        let image = copy.build(mutant.device, mutant.file, &text);
        let seen = image.and_then(|elf| {
            seen(mutant.device, &elf, mutant.until).map_err(|error| error.to_string())
        });
        let words = seen.unwrap_or_else(|error| error);
        println!("{}: {words}", mutant.name);
        writeln!(rows, "| {} | {} |", mutant.name, without_place(&words)).unwrap();
        if !words.contains(mutant.gives) {
            wrong.push(format!("{}: wanted `{}`, seen `{words}`", mutant.name, mutant.gives));
        }
    }
    fs::write(root().join("target/board-mutants.md"), rows).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_board_without_a_mistake_breaks_no_rule() {
    if !is_release() {
        return println!("only with CROUPIER_RELEASE_SUITE=1");
    }
    let copy = Copy::make();
    let file = MUTANTS[0].file;
    let text = fs::read_to_string(root().join(file)).unwrap();
    let runs = [
        ("reader", Until::Ready),
        ("shuffler", Until::Ready),
        ("shuffler", Until::Counted),
        ("paigow", Until::Ready),
        ("paigow", Until::Flooded),
        ("paigow", Until::Noiseless),
    ];
    for (device, until) in runs {
        let elf = copy.build(device, file, &text).unwrap();
        let words = seen(device, &elf, until).unwrap();
        println!("{device}, {until:?}: {words}");
        assert_eq!(words, NOTHING, "{device}, {until:?}");
    }
}
