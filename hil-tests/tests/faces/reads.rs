//! The reader's recognition over real deck artworks and fonts: nothing wrong, little refused.
//!
//! Every run reads 20,000 cards of twelve brands, and shows some readers the cards of a brand they were
//! not taught. The whole campaign, 1,000,000 nominal and 300,000 harsh reads of twenty-two brands, and
//! each of them shown all the others, is built for speed and tells on stderr how far it is:
//!
//! ```text
//! CROUPIER_RELEASE_SUITE=1 cargo test --profile host -p hil-tests --test faces reads::
//! ```

use std::io::{Write, stderr};
use std::time::{Duration, Instant};

use hil_tests::faces::catalogue::{Entry, all, sample};
use hil_tests::faces::evaluation::{Plan, evaluate};
use hil_tests::faces::tally::Tally;
use hil_tests::faces::trial::{foreign, mix, teach};
use hil_tests::faces::verdict::{CANNOT_READ_HARSH, CANNOT_READ_NOMINAL, bounded};
use hil_tests::faces::{Problem, report};
use hil_tests::suite::is_release;
use hil_tests::world::optics::Level;
use indicatif::ProgressBar;

struct Campaign {
    entries: Vec<Entry>,
    /// Reads of each card at the nominal level, and at the harsh one.
    reads: [u64; 2],
    /// What must be reached at least.
    least: [u64; 2],
}

fn campaign() -> Campaign {
    if is_release() {
        Campaign { entries: all(), reads: [875, 263], least: [1_000_000, 300_000] }
    } else {
        Campaign { entries: sample(), reads: [18, 15], least: [11_000, 9_000] }
    }
}

/// How far the campaign is. Written past the test harness, which would keep it to the end.
struct Progress {
    begun: Instant,
    brands: usize,
    done: usize,
    reads: u64,
}

impl Progress {
    fn new(brands: usize) -> Self {
        Self { begun: Instant::now(), brands, done: 0, reads: 0 }
    }

    /// One more brand is read; `found` is what each level found.
    fn brand(&mut self, name: &str, reads: u64, found: &[String]) -> std::io::Result<()> {
        self.done += 1;
        self.reads += reads;
        let gone = self.begun.elapsed();
        let rate = self.reads as f64 / gone.as_secs_f64().max(0.001);
        let left = gone * (self.brands - self.done) as u32 / self.done as u32;
        writeln!(
            stderr(),
            "{}/{} {name:<20} {} | {rate:.0} reads/s, {} gone, {} left",
            self.done,
            self.brands,
            found.join(", "),
            minutes(gone),
            minutes(left),
        )
    }
}

fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// What a brand did at one level, in few words.
fn summary(level: &Level, tally: &Tally) -> String {
    let refused = tally.cannot_read() as f64 * 100.0 / tally.reads().max(1) as f64;
    format!("{} {} wrong {refused:.2} % refused", level.name, tally.wrong())
}

/// RD-01, RD-02, RD-11, RD-18, RD-19, RD-22: ordinary cards of many brands, under all that a table
/// does to them, get the right class or none; what is not a card gets none.
#[test]
fn no_card_of_any_brand_gets_a_wrong_class_and_few_get_none() -> Result<(), Problem> {
    let campaign = campaign();
    let levels = [Level::NOMINAL, Level::HARSH];
    let mut totals = [Tally::default(); 2];
    let mut peers = [Tally::default(); 2];
    let mut objections = Vec::new();
    let mut other = None;
    let mut progress = Progress::new(campaign.entries.len());
    for entry in &campaign.entries {
        let deck = entry.open()?;
        let (mut reads, mut lines) = (0, Vec::new());
        for (number, level) in levels.iter().enumerate() {
            let plan = Plan { reads: campaign.reads[number], levels: vec![*level], seed: 2026 };
            let finding = evaluate(&plan, &deck, other.as_ref(), &ProgressBar::hidden());
            // The sample's single brands are too few reads for a verdict; together they are not.
            let few = |objection: &String| objection.contains("too few");
            let refused = |objection: &String| objection.contains("cannot be read");
            let found =
                finding.objections().into_iter().filter(|found| !few(found) && !refused(found));
            objections.extend(found.map(|found| format!("{}: {found}", entry.name())));
            for stage in &finding.stages {
                totals[number] = totals[number].with(&stage.outcome.ours);
                peers[number] = peers[number].with(&stage.outcome.peer);
                reads += stage.outcome.ours.reads();
                lines.push(summary(level, &stage.outcome.ours));
            }
            if let Some(lesson) = finding.taught.as_ref().ok().map(|taught| taught.lesson)
                && lesson > 1
            {
                lines.push(format!("lesson {lesson}"));
            }
            if finding.stages.iter().any(|stage| stage.outcome.ours.wrong() > 0) {
                println!("{}", report::text(&finding));
            }
        }
        other = Some(deck);
        progress.brand(&entry.name(), reads, &lines).expect("stderr takes a line");
    }
    for (number, level) in levels.iter().enumerate() {
        let (ours, peer) = (&totals[number], &peers[number]);
        println!("{}: {} reads of {} brands", level.name, ours.reads(), campaign.entries.len());
        for (who, tally) in [("ours", ours), ("plain correlation", peer)] {
            let (wrong, refused) = (
                bounded(tally.wrong(), tally.reads()),
                bounded(tally.cannot_read(), tally.reads()),
            );
            println!("  {who}: wrong {wrong}, cannot read {refused}");
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    for (number, most) in [CANNOT_READ_NOMINAL, CANNOT_READ_HARSH].into_iter().enumerate() {
        let ours = &totals[number];
        assert!(ours.reads() >= campaign.least[number], "only {} reads", ours.reads());
        assert_eq!(ours.wrong(), 0);
        let refused = ours.cannot_read() as f64 / ours.reads() as f64;
        assert!(refused <= most, "{} of {}", ours.cannot_read(), ours.reads());
    }
    Ok(())
}

/// Brands, and another whose cards come close to a wrong rank of theirs: its index is bigger, so that
/// its 9 is a queen without a tail, its 6 another, or a stroke of its 2 a jack.
const MISTAKABLE: [(&str, &str); 8] = [
    ("slab", "neoclassical"),
    ("slab", "jumbo"),
    ("sans", "anglo_poker"),
    ("sans", "jumbo"),
    ("small", "thin"),
    ("mono", "anglo_modern"),
    ("bookish", "bellot"),
    ("serif", "bellot"),
];

/// RD-11, RD-19: cards of a brand that was not taught are refused, or get the right class by
/// chance of looking alike; never a wrong one.
#[test]
fn no_card_of_another_brand_gets_a_wrong_class() -> Result<(), Problem> {
    let (shows, all) = if is_release() { (8 * 52, all()) } else { (3 * 52, all()) };
    let meets = |taught: &str, shown: &str| {
        taught != shown && (is_release() || MISTAKABLE.contains(&(taught, shown)))
    };
    let mut decks = Vec::new();
    for entry in &all {
        let named = |(one, other): &(&str, &str)| [*one, *other].contains(&&*entry.name());
        if is_release() || MISTAKABLE.iter().any(named) {
            decks.push(entry.open()?);
        }
    }
    let (mut wrong, mut answered, mut shown) = (Vec::new(), 0, 0);
    for (number, deck) in decks.iter().enumerate() {
        if !decks.iter().any(|other| meets(&deck.name, &other.name)) {
            continue;
        }
        let taught = teach(deck, mix(2026, 6, number as u64)).expect("the brand can be taught");
        for (met, other) in decks.iter().enumerate().filter(|(_, o)| meets(&deck.name, &o.name)) {
            for level in [Level::NOMINAL, Level::HARSH] {
                let seed = mix(2026, 7, (number * decks.len() + met) as u64);
                let tally = foreign(other, &taught.brand, &level, shows, seed);
                shown += tally.reads();
                answered += tally.reads() - tally.cannot_read();
                if tally.wrong() > 0 {
                    let (count, level) = (tally.wrong(), level.name);
                    wrong.push(format!("{} shown {}, {level}: {count}", deck.name, other.name));
                }
            }
        }
        writeln!(stderr(), "{} has met the others", deck.name).expect("stderr takes a line");
    }
    println!(
        "{shown} cards of other brands: {answered} got an answer, {} a wrong one",
        wrong.len()
    );
    assert!(wrong.is_empty(), "wrong answers to cards of other brands:\n{}", wrong.join("\n"));
    Ok(())
}
