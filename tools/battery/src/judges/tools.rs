//! Judges that are programs: ent, dieharder, and NIST's entropy assessment.

use super::{Opinion, Ruling};
use anyhow::{Context, Result};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

/// One dieharder test of the stated subset.
pub(super) struct Dieharder {
    pub(super) name: &'static str,
    number: &'static str,
    /// Smaller samples than usual, where the usual ones would not fit into 100 MB; 0 for the
    /// usual. Always a hundred of them: with ten, dieharder's own Kolmogorov-Smirnov test is off.
    sample_size: &'static str,
}

const fn test(name: &'static str, number: &'static str, sample_size: &'static str) -> Dieharder {
    Dieharder { name, number, sample_size }
}

/// The subset: tests without known false alarms, each within 100 MB of input.
pub(super) const DIEHARDER: &[Dieharder] = &[
    test("birthdays", "0", "0"),
    test("32x32 ranks", "2", "4000"),
    test("6x8 ranks", "3", "20000"),
    test("parking lot", "10", "0"),
    test("minimum distance, plane", "11", "0"),
    test("minimum distance, space", "12", "0"),
    test("squeeze", "13", "10000"),
    test("runs", "15", "0"),
    test("craps", "16", "20000"),
    test("monobit", "100", "0"),
    test("sts runs", "101", "0"),
    test("serial", "102", "0"),
];

/// Runs one program with `raw` as its input and keeps what it prints. `None` if it is not installed.
fn run(
    program: &str,
    arguments: &[&str],
    raw: Option<&Path>,
    kept: &Path,
) -> Result<Option<(bool, String)>> {
    let input = match raw {
        Some(path) => Stdio::from(
            File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?,
        ),
        None => Stdio::null(),
    };
    let output = match Command::new(program).args(arguments).stdin(input).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.with_context(|| format!("{program} could not be started"))?,
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    fs::write(kept, &text).with_context(|| format!("{} cannot be written", kept.display()))?;
    Ok(Some((output.status.success(), text)))
}

fn absent(judge: impl Into<String>, how: &str) -> Opinion {
    Opinion { judge: judge.into(), ruling: Ruling::Absent, words: how.into() }
}

/// `ent`: entropy per byte and chi-square over byte values.
pub(super) fn ent(raw: &Path, folder: &Path) -> Result<Opinion> {
    let Some((_, text)) = run("ent", &["-t"], Some(raw), &folder.join("ent.txt"))? else {
        return Ok(absent("ent", "ent is not installed: apt-get install ent"));
    };
    // Terse lines: names, then "1,bytes,entropy,chi-square,mean,pi,correlation".
    let fields: Vec<f64> =
        text.lines().nth(1).unwrap_or_default().split(',').flat_map(str::parse).collect();
    let [_, bytes, entropy, chi_square, mean, _, correlation] = fields[..] else {
        return Ok(Opinion {
            judge: "ent".into(),
            ruling: Ruling::Fail,
            words: format!("printed something unexpected: {text:?}"),
        });
    };
    let p = crate::tail::chi_square(chi_square, 255.0).two_sided();
    let correlated = (correlation * bytes.sqrt()).abs() > 5.5;
    let ruling = if p < 1e-6f64.ln() || correlated { Ruling::Fail } else { Ruling::Pass };
    let p = crate::outcome::print_p(p);
    let words = format!(
        "{entropy:.6} bits a byte, chi-square {chi_square:.1} (p {p}), mean {mean:.3}, serial correlation {correlation:.1e}"
    );
    Ok(Opinion { judge: "ent".into(), ruling, words })
}

/// One dieharder test, fed through its input: its own reader of files rewinds short ones.
pub(super) fn dieharder(test: &Dieharder, raw: &Path, folder: &Path) -> Result<Opinion> {
    let judge = format!("dieharder {}", test.name);
    let kept = folder.join(format!("dieharder-{}.txt", test.number));
    let arguments = [
        ["-g", "200"],
        ["-d", test.number],
        ["-t", test.sample_size],
        ["-p", "100"],
        ["-D", "test_name"],
        ["-D", "ntuple"],
        ["-D", "pvalues"],
        ["-D", "assessment"],
    ];
    let Some((ended_well, text)) = run("dieharder", arguments.as_flattened(), Some(raw), &kept)?
    else {
        return Ok(absent(judge, "dieharder is not installed: apt-get install dieharder"));
    };
    let results: Vec<&str> = text
        .lines()
        .filter(|line| ["PASSED", "WEAK", "FAILED"].iter().any(|word| line.contains(word)))
        .collect();
    if results.is_empty() || !ended_well {
        return Ok(absent(judge, "too little data: collect at least 100,000,000 raw bytes"));
    }
    let p_values: Vec<&str> =
        results.iter().filter_map(|line| line.split('|').nth(2).map(str::trim)).collect();
    let failed = results.iter().any(|line| line.contains("FAILED"));
    let weak = results.iter().filter(|line| line.contains("WEAK")).count();
    let some = p_values.iter().take(4).copied().collect::<Vec<_>>().join(", ");
    let words = format!(
        "{} p-values ({some}{}), {weak} weak",
        results.len(),
        if p_values.len() > 4 { ", ..." } else { "" }
    );
    Ok(Opinion { judge, ruling: if failed { Ruling::Fail } else { Ruling::Pass }, words })
}

/// NIST's SP 800-90B estimator, on the first million bytes. The estimators are
/// conservative: ideal bytes score about 7.2 of 8.
pub(super) fn entropy_assessment(raw: &Path, folder: &Path) -> Result<Opinion> {
    let judge = "SP 800-90B non-IID estimate";
    let sample = folder.join("first-million.bin");
    let bytes = fs::read(raw)?;
    fs::write(&sample, &bytes[..bytes.len().min(1_000_000)])?;
    let path = sample.to_string_lossy().into_owned();
    let Some((_, text)) =
        run("ea_non_iid", &["-i", "-a", &path, "8"], None, &folder.join("sp800-90b.txt"))?
    else {
        return Ok(absent(
            judge,
            "ea_non_iid is not on the path: apt-get install sp800-90b-entropy-assessment (Debian 13 or newer), or build usnistgov/SP800-90B_EntropyAssessment",
        ));
    };
    let estimate = text
        .lines()
        .filter(|line| line.contains("min(") || line.contains("H_original"))
        .filter_map(|line| {
            line.rsplit(|c: char| c == ':' || c.is_whitespace())
                .find_map(|word| word.parse::<f64>().ok())
        })
        .reduce(f64::min);
    let Some(bits) = estimate else {
        return Ok(Opinion {
            judge: judge.into(),
            ruling: Ruling::Fail,
            words: "printed no estimate; see sp800-90b.txt".into(),
        });
    };
    let ruling = if bits < 6.8 { Ruling::Fail } else { Ruling::Pass };
    Ok(Opinion {
        judge: judge.into(),
        ruling,
        words: format!("{bits:.3} bits of min-entropy a byte"),
    })
}
