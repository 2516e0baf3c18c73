//! Evaluates brands of playing cards for the hole-card reader, from their artwork.

use std::fs;
use std::process::ExitCode;

use anstream::{eprintln, println};
use arguments::{Arguments, Faces, Levels};
use hil_tests::faces::catalogue::{self, Entry};
use hil_tests::faces::debian::{Debian, LATIN, OTHERS};
use hil_tests::faces::evaluation::{Plan, evaluate};
use hil_tests::faces::plain::STYLES;
use hil_tests::faces::trial::Case;
use hil_tests::faces::verdict::Finding;
use hil_tests::faces::{Deck, Problem, pictures, report};
use hil_tests::world::optics::Level;
use indicatif::{ProgressBar, ProgressStyle};

fn main() -> ExitCode {
    match run(&Faces::read()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Faces) -> Result<bool, Problem> {
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

fn entries(options: &Faces) -> Vec<Entry> {
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
    options: &Faces,
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

    #[test]
    fn the_bar_has_its_look() {
        bar(1).finish_and_clear();
    }
}
