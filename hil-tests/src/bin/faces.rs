//! Evaluates brands of playing cards for the hole-card reader, from their artwork.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::{eprintln, println};
use clap::{Parser, ValueEnum};
use hil_tests::faces::catalogue::{self, Entry};
use hil_tests::faces::debian::{Debian, LATIN, OTHERS};
use hil_tests::faces::evaluation::{Plan, evaluate};
use hil_tests::faces::plain::STYLES;
use hil_tests::faces::trial::Case;
use hil_tests::faces::verdict::Finding;
use hil_tests::faces::{Deck, Problem, pictures, report};
use hil_tests::world::optics::Level;
use indicatif::{ProgressBar, ProgressStyle};

/// Tells whether the reader can be taught a brand of cards, from pictures of its faces.
///
/// Each brand is taught to the firmware's own recognition as a supervisor would do it at a
/// table, proven with 52 cards x 2 ends x 3 repeats, then read thousands of times under seeded
/// disturbances: place, turn, focus, light, glare, lint, ash, wear, noise and more. Wrong
/// answers and refused cards are counted apart, with 95 % bounds, beside a plain correlation
/// matcher in the same run; jokers, backs, half-inserted cards and the like must be refused.
///
/// A brand may be approved if nothing was wrong, strangers got no answer, and at most 0.5 % of
/// the cards were refused at the nominal level and 10 % at the harsh one. The exit code is 0
/// only if every brand may be.
#[derive(Parser)]
#[command(name = "cargo xtask faces", after_long_help = EXAMPLES)]
struct Options {
    /// Folders with one picture a card, or sheets of 13 columns
    #[arg(value_name = "DIR|SHEET", required_unless_present_any = ["debian", "fonts", "list"])]
    brands: Vec<PathBuf>,
    /// The drawn decks with Latin indices of Debian's gnome-cards-data
    #[arg(long)]
    debian: bool,
    /// Plain indices in eight fonts: serif, sans, slab, mono, narrow, thin, small, jumbo
    #[arg(long)]
    fonts: bool,
    /// Only tell which decks and fonts --debian and --fonts mean, and which are left out
    #[arg(long)]
    list: bool,
    /// How often each card is read at each level; at least 58 for a verdict
    #[arg(long, default_value_t = 200, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    reads: u64,
    /// How bad the table is
    #[arg(long, default_value = "both")]
    level: Levels,
    /// The number all chance comes from: the same number repeats the run
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Where the page and the pictures go
    #[arg(long, default_value = "target/faces/report", value_name = "DIR")]
    out: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Levels {
    /// A well-kept table
    Nominal,
    /// The whole play of the nest; cards, lamps and window at the end of their lives
    Harsh,
    /// Both, which a verdict needs
    Both,
}

const EXAMPLES: &str = "Examples:
  cargo xtask faces my-brand/             a folder: AS.png, 10H.svg, king_of_hearts.jpg, ...
  cargo xtask faces sheet.svg             one sheet: ace to king across; clubs, diamonds, hearts, spades down
  cargo xtask faces --debian --fonts      fourteen drawn decks and eight fonts
  cargo xtask faces my-brand/ --reads 2000 --seed 7   a longer run, other chance

Pictures: PNG or JPEG of 130 dpi or more, SVG or SVGZ; upright, cut at the card's edge. Names in any
case: rank A 2-10 T J Q K (or 1, 11-13) or a word, suit C D H S or a word. joker and back are shown as strangers.
docs/reader.md tells what is disturbed, how much, and how to scan a brand.";

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<bool, Problem> {
    if options.list {
        list();
        return Ok(true);
    }
    let levels = match options.level {
        Levels::Nominal => vec![Level::NOMINAL],
        Levels::Harsh => vec![Level::HARSH],
        Levels::Both => vec![Level::NOMINAL, Level::HARSH],
    };
    let unwritable = |source| Problem::Unwritable { path: options.out.clone(), source };
    fs::create_dir_all(&options.out).map_err(unwritable)?;
    let plan = Plan { reads: options.reads, levels, seed: options.seed };
    let entries = entries(options);
    let progress = bar(plan.all_reads() * entries.len() as u64);
    let mut findings = Vec::new();
    let mut cases = Vec::new();
    // One brand at a time in memory, and the one before it to play the stranger.
    let mut other = None;
    for entry in &entries {
        progress.set_message(entry.name());
        let deck = entry.open()?;
        other = other.or_else(stranger);
        let finding = evaluate(&plan, &deck, other.as_ref(), &progress);
        progress.suspend(|| println!("{}", report::text(&finding)));
        let picture = options.out.join(report::seen(findings.len()));
        pictures::save(&pictures::seen(&deck, options.seed), &picture)?;
        cases.extend(worst(&deck, &finding));
        findings.push(finding);
        other = Some(deck);
    }
    progress.finish_and_clear();
    write(options, &findings, cases)?;
    let approved = findings.iter().filter(|finding| finding.approved()).count();
    println!("{approved} of {} may be approved", findings.len());
    Ok(approved == findings.len())
}

fn entries(options: &Options) -> Vec<Entry> {
    let mut entries: Vec<Entry> = options.brands.iter().cloned().map(Entry::Given).collect();
    entries.extend(catalogue::drawn().filter(|_| options.debian));
    entries.extend(catalogue::plain().filter(|_| options.fonts));
    entries
}

/// The first brand's stranger: a plain one, if its font is to be had.
fn stranger() -> Option<Deck> {
    let deck = Debian::new().plain(&STYLES[1]);
    if let Err(problem) = &deck {
        eprintln!("note: no foreign brand is shown to the first: {problem}");
    }
    deck.ok()
}

/// The pictures of a brand's worst cases.
fn worst(deck: &Deck, finding: &Finding) -> Vec<(String, Case, image::GrayImage)> {
    let cases = finding.stages.iter().flat_map(|stage| &stage.outcome.worst);
    cases
        .filter_map(|case| Some((finding.name.clone(), *case, pictures::tile(deck, case)?)))
        .collect()
}

fn write(
    options: &Options,
    findings: &[Finding],
    mut cases: Vec<(String, Case, image::GrayImage)>,
) -> Result<(), Problem> {
    cases.sort_by_key(|(_, case, _)| !case.is_wrong());
    let tiles: Vec<_> = cases.iter().map(|(.., tile)| tile.clone()).collect();
    if !tiles.is_empty() {
        pictures::sheet(&tiles, &options.out.join(report::PICTURES))?;
    }
    let captions: Vec<_> = cases.into_iter().map(|(name, case, _)| (name, case)).collect();
    let page = report::page(&options.out, findings, &captions, pictures::ACROSS, pictures::TILE)?;
    println!("report: {}", page.display());
    Ok(())
}

fn list() {
    println!("--debian: {}", LATIN.join(", "));
    println!("  left out of gnome-cards-data:");
    OTHERS.iter().for_each(|(names, why)| println!("    {names}: {why}"));
    println!("--fonts:");
    for style in STYLES {
        let colours = if style.four_colours { "four" } else { "two" };
        println!("    {:<8} {} mm, {colours} colours, {}", style.name, style.height, style.font);
    }
}

fn bar(reads: u64) -> ProgressBar {
    let look = "{wide_bar} {human_pos}/{human_len} reads, {eta} left, {msg}";
    let style = ProgressStyle::with_template(look).expect("the template is fixed and tested");
    ProgressBar::new(reads).with_style(style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed_and_the_bar_has_its_look() {
        Options::command().debug_assert();
        bar(1).finish_and_clear();
    }
}
