//! The reader's recognition over real deck artworks and fonts: nothing wrong, little refused.
//!
//! Every run reads 20,000 cards of twelve brands; `CROUPIER_RELEASE_SUITE=1` makes it the whole
//! campaign: 1,000,000 nominal and 300,000 harsh reads of twenty-two.

use hil_tests::faces::catalogue::{Entry, all, sample};
use hil_tests::faces::evaluation::{Plan, evaluate};
use hil_tests::faces::tally::Tally;
use hil_tests::faces::verdict::{CANNOT_READ_HARSH, CANNOT_READ_NOMINAL, bounded};
use hil_tests::faces::{Problem, report};
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
    if std::env::var_os("CROUPIER_RELEASE_SUITE").is_some() {
        Campaign { entries: all(), reads: [875, 263], least: [1_000_000, 300_000] }
    } else {
        Campaign { entries: sample(), reads: [18, 15], least: [11_000, 9_000] }
    }
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
    for entry in &campaign.entries {
        let deck = entry.open()?;
        for (number, level) in levels.iter().enumerate() {
            let plan = Plan { reads: campaign.reads[number], levels: vec![*level], seed: 2026 };
            let finding = evaluate(&plan, &deck, other.as_ref(), &ProgressBar::hidden());
            // The sample's single brands are too few reads for a verdict; together they are not.
            let few = |objection: &String| objection.contains("too few");
            let refused = |objection: &String| objection.contains("cannot be read");
            let told = finding.objections().into_iter().filter(|told| !few(told) && !refused(told));
            objections.extend(told.map(|told| format!("{}: {told}", entry.name())));
            for stage in &finding.stages {
                totals[number] = totals[number].with(&stage.outcome.ours);
                peers[number] = peers[number].with(&stage.outcome.peer);
            }
            if finding.stages.iter().any(|stage| stage.outcome.ours.wrong() > 0) {
                println!("{}", report::text(&finding));
            }
        }
        other = Some(deck);
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
