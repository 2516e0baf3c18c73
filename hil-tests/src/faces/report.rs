//! What was found, as text for the terminal and as a page for the laboratory.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use croupier::reader::recognise::{Answer, Question};

use super::naming::card_name;
use super::problem::{Problem, Result};
use super::tally::{ANSWERS, Tally};
use super::trial::Case;
use super::verdict::{Finding, Stage, bounded};

/// The report's page.
pub const PAGE: &str = "report.html";
/// What the reader sees of a brand, by its number in the report.
pub fn seen(number: usize) -> String {
    format!("seen-{number}.png")
}

/// The worst cases, as pictures.
pub const PICTURES: &str = "worst.png";

/// The finding in plain text.
pub fn text(finding: &Finding) -> String {
    let mut text = format!("{}\n", finding.name);
    for note in &finding.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    if let Ok(taught) = &finding.taught {
        let (lesson, failed) = (taught.lesson, taught.unproven);
        let _ = writeln!(text, "  taught in lesson {lesson}; proof 52 x 2 x 3: {failed} failed");
    }
    for stage in &finding.stages {
        stage_text(&mut text, stage);
    }
    let objections = finding.objections();
    match objections.as_slice() {
        [] => text.push_str("  MAY BE APPROVED\n"),
        some => {
            text.push_str("  MAY NOT BE APPROVED\n");
            for objection in some {
                let _ = writeln!(text, "    - {objection}");
            }
        }
    }
    text
}

fn stage_text(text: &mut String, stage: &Stage) {
    let ours = &stage.outcome.ours;
    let _ = writeln!(text, "  {}: {} reads", stage.level, ours.reads());
    let _ = writeln!(text, "    wrong        {}", bounded(ours.wrong(), ours.reads()));
    let _ = writeln!(text, "    cannot read  {}", bounded(ours.cannot_read(), ours.reads()));
    let peer = &stage.outcome.peer;
    let _ = writeln!(
        text,
        "    plain correlation in the same run: wrong {}, cannot read {}",
        bounded(peer.wrong(), peer.reads()),
        bounded(peer.cannot_read(), peer.reads())
    );
    confusion(text, ours);
    for refused in stage.refused.iter().filter(|refused| refused.answered > 0) {
        let _ = writeln!(
            text,
            "    {}: {} shown, {} answered",
            refused.name, refused.shown, refused.answered
        );
    }
    let silent: Vec<_> = stage.refused.iter().filter(|refused| refused.answered == 0).collect();
    let shown: u64 = silent.iter().map(|refused| refused.shown).sum();
    let names: Vec<_> = silent.iter().map(|refused| refused.name).collect();
    let _ = writeln!(text, "    {}: {shown} shown, none answered", names.join(", "));
    if let Some((name, tally)) = &stage.foreign {
        let right = tally.reads() - tally.wrong() - tally.cannot_read();
        let _ = writeln!(
            text,
            "    cards of {name}: {} shown, {} refused, {right} right by likeness, {} wrong",
            tally.reads(),
            tally.cannot_read(),
            tally.wrong()
        );
    }
}

fn confusion(text: &mut String, tally: &Tally) {
    let _ = write!(text, "    {:<22}", "asked, truth");
    ANSWERS.iter().for_each(|answer| {
        let _ = write!(text, "{:>12}", word(*answer));
    });
    text.push('\n');
    for row in tally.rows() {
        let _ = write!(text, "    {:<22}", format!("{}, {}", asked(row.question), word(row.truth)));
        for count in row.answers {
            let _ = write!(text, "{:>12}", if count == 0 { "-".into() } else { count.to_string() });
        }
        text.push('\n');
    }
}

/// A question's words.
pub const fn asked(question: Question) -> &'static str {
    match question {
        Question::Ace => "ace?",
        Question::TenValue => "ten-value?",
        Question::Range => "which range?",
    }
}

/// An answer's word.
pub const fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Small => "small",
        Answer::Medium => "medium",
        Answer::Large => "large",
        Answer::CannotRead => "cannot read",
    }
}

/// Writes the page below `folder`, with a picture for each of `cases`; the sheet has `across` tiles of
/// `tile` pixels in a row.
pub fn page(
    folder: &Path,
    findings: &[Finding],
    cases: &[(String, Case)],
    across: usize,
    tile: (u32, u32),
) -> Result<PathBuf> {
    let mut page = String::from(HEAD);
    for (number, finding) in findings.iter().enumerate() {
        let class = if finding.approved() { "good" } else { "bad" };
        let _ = write!(
            page,
            "<pre class={class}>{}</pre><img src={} alt=\"what the reader sees\">",
            escaped(&text(finding)),
            seen(number)
        );
    }
    if !cases.is_empty() {
        page.push_str("<h2>Worst cases</h2><p>Left bank and right bank of the first set. Wrong answers first.</p><div class=tiles>");
    }
    for (place, (brand, case)) in cases.iter().enumerate() {
        let (x, y) = ((place % across) as u32 * tile.0, (place / across) as u32 * tile.1);
        let class = if case.is_wrong() { "wrong" } else { "refused" };
        let _ = write!(
            page,
            "<figure class={class}><div style=\"background:url({PICTURES}) -{x}px -{y}px;width:{}px;height:{}px\"></div><figcaption>{} {} end {}<br>{} seed {:#x}<br>{} {}</figcaption></figure>",
            tile.0,
            tile.1,
            escaped(brand),
            card_name(case.rank, case.suit),
            case.end + 1,
            case.level,
            case.seed,
            asked(case.question),
            word(case.answer),
        );
    }
    page.push_str("</div></html>\n");
    let path = folder.join(PAGE);
    fs::write(&path, page).map_err(|source| Problem::Unwritable { path: path.clone(), source })?;
    Ok(path)
}

const HEAD: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>Card faces</title><style>
body{font-family:sans-serif;margin:2em}pre{padding:1em;border-left:.5em solid}
img{max-width:100%}.good{border-color:#2a7}.bad{border-color:#c33}.tiles{display:flex;flex-wrap:wrap;gap:1em}
figure{margin:0;border:2px solid #999}.wrong{border-color:#c33}figcaption{font-size:.7em;padding:.3em}
</style><h1>Card faces</h1><p>Seeded simulation of the reader's optics. It shows whether a brand can be told apart
by this reader; approval on a table also needs the proof with real cards on the real device.</p>";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
