//! The report: one text file per step, and all of them in one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::steps::{STEPS, Step};
use crate::command::CommandLine;

/// How a step went.
pub(super) enum Verdict {
    /// As expected, with what was found.
    Passed(Vec<String>),
    /// Not as expected, and why.
    Failed(String),
    /// Not done, and what it lacks.
    Skipped(&'static str),
}

impl Verdict {
    /// In words.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Passed(findings) => {
                let rows = findings.iter().map(|finding| format!("\n  {finding}"));
                format!("  passed{}", rows.collect::<String>())
            }
            Self::Failed(why) => format!("  FAILED: {why}"),
            Self::Skipped(why) => format!("  skipped: {why}"),
        }
    }
}

/// Where results are kept.
pub(super) struct Report {
    folder: PathBuf,
    date: String,
}

impl Report {
    /// Under the repository's `target/silicon-check`.
    pub(super) fn open(root: &Path) -> Result<Self> {
        let folder = root.join("target/silicon-check");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let date =
            CommandLine::new("date").args("-u +%Y-%m-%dT%H:%MZ").answer(root).unwrap_or_default();
        Ok(Self { folder, date })
    }

    /// The whole report.
    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("report.txt")
    }

    /// Writes a step down, with all that the board said, and joins the whole report again.
    pub(super) fn write(
        &self,
        step: &Step,
        verdict: &Verdict,
        transcript: &[String],
    ) -> Result<()> {
        let mut text =
            format!("{}, {}\n{}\n{}\n", step.name, self.date, step.describe(), verdict.text());
        if !step.measure.is_empty() && matches!(verdict, Verdict::Passed(_)) {
            text += "  measured by hand: ____________________\n";
        }
        text.extend(transcript.iter().map(|line| format!("    {line}\n")));
        let file = self.folder.join(format!("{}.txt", step.name));
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        let files = STEPS.iter().map(|step| self.folder.join(format!("{}.txt", step.name)));
        let all: Vec<String> = files.filter_map(|file| fs::read_to_string(file).ok()).collect();
        fs::write(self.path(), all.join("\n")).context("cannot write the report")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::tests::folder;

    #[test]
    fn the_report_joins_the_steps_in_their_order_and_keeps_what_the_board_said() {
        let root = folder("report");
        let _ = fs::remove_dir_all(root.join("target"));
        let report = Report::open(&root).unwrap();
        let step = |name: &str| STEPS.iter().find(|step| step.name == name).unwrap();
        report
            .write(step("stack"), &Verdict::Failed("locked up".into()), &["reset".into()])
            .unwrap();
        report.write(step("clocks"), &Verdict::Passed(vec!["latency 4".into()]), &[]).unwrap();
        report.write(step("can"), &Verdict::Skipped("give --can"), &[]).unwrap();
        let text = fs::read_to_string(report.path()).unwrap();
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        assert!(place("latency 4") < place("measured by hand"));
        assert!(place("measured by hand") < place("FAILED: locked up"));
        assert!(place("    reset\n") < place("skipped: give --can"));
    }
}
