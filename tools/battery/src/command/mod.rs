//! One file for each command.

pub(crate) mod battery;
pub(crate) mod collect;
pub(crate) mod examine;
pub(crate) mod judges;

use indicatif::{ProgressBar, ProgressStyle};
use std::process::Command;

/// A progress bar over `length` things called `unit`; silent when the output is no terminal.
pub(crate) fn progress(length: u64, unit: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{human_pos}}/{{human_len}} {unit} {{eta}} {{msg}}"
    ))
    .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// The firmware commit as git names it; "unknown" outside a checkout.
pub(crate) fn firmware_commit() -> String {
    Command::new("git")
        .args(["describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"])
        .output()
        .ok()
        .filter(|output| output.status.success())
        .map_or_else(
            || "unknown".into(),
            |output| String::from_utf8_lossy(&output.stdout).trim().to_string(),
        )
}

/// A random seed.
pub(crate) fn fresh_seed() -> anyhow::Result<u64> {
    getrandom::u64()
        .map_err(|error| anyhow::anyhow!("the operating system gives no random seed: {error}"))
}
