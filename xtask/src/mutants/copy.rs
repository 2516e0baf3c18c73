//! A copy of the rules and their tests, with all slips in it, and its test programs.
//!
//! It is a workspace of its own below `target`: the boards and the bench stay out, and cargo
//! builds it beside the others. Files that did not change keep their time, so a second run builds
//! little.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

use super::rows::Mutant;
use super::{constant, graft};
use crate::command::CommandLine;
use crate::workspace::Workspace;

/// What the tests of the rules need: source, tests, and the texts they compare with.
const FOLDERS: [&str; 4] = ["src", "tests", "docs", "dsdl"];

/// Where everything of this command is kept, from the root.
const PLACE: &str = "target/mutants";

/// The copy.
pub(super) struct Copy {
    /// Its root.
    pub root: PathBuf,
}

/// One test program.
#[derive(Debug)]
pub(super) struct Program {
    /// Its name; the tests beside the code are `croupier`.
    pub name: String,
    /// The file to run.
    pub file: PathBuf,
}

/// Copies what is needed and puts the rows in.
pub(super) fn make(workspace: &Workspace, rows: &[Mutant]) -> Result<Copy> {
    let root = workspace.root.join(PLACE).join("croupier");
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&workspace.root, &workspace.root.join(folder), &mut files)?;
    }
    if let Some(row) = rows.iter().find(|row| !files.contains(&row.file)) {
        return Err(row.fault("no such file among the rules"));
    }
    let (source, others): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.starts_with("src") && is_rust(file));
    let mut kept = BTreeSet::new();
    for file in others {
        write(&root.join(&file), &fs::read(workspace.root.join(&file))?)?;
        kept.insert(root.join(file));
    }
    let mut texts = BTreeMap::new();
    for file in source {
        let inside: Vec<&Mutant> = rows.iter().filter(|row| row.file == file).collect();
        let text = fs::read_to_string(workspace.root.join(&file))?;
        texts.insert(file, graft::graft(&text, &inside)?);
    }
    constant::release(&mut texts);
    let made = [
        ("src/mutants.rs", graft::SWITCHES.to_owned()),
        ("Cargo.toml", manifest(&fs::read_to_string(workspace.root.join("Cargo.toml"))?)?),
        ("Cargo.lock", fs::read_to_string(workspace.root.join("Cargo.lock"))?),
    ];
    texts.extend(made.map(|(file, text)| (file.into(), text)));
    for (file, text) in texts {
        let text = if file == Path::new("src/lib.rs") { with_switches(&text) } else { text };
        write(&root.join(&file), text.as_bytes())?;
        kept.insert(root.join(file));
    }
    remove_all_but(&root, &kept)?;
    Ok(Copy { root })
}

impl Copy {
    /// Builds the test programs and says where they are.
    pub(super) fn build(&self, workspace: &Workspace) -> Result<Vec<Program>> {
        let line = CommandLine::cargo()
            .args("test --no-run --lib --tests --manifest-path")
            .arg(format!("{PLACE}/croupier/Cargo.toml"))
            .arg("--target-dir")
            .arg(format!("{PLACE}/build"));
        line.run(workspace)?;
        let messages = line.arg("--message-format=json").answer(&workspace.root);
        let messages = messages.context("cargo does not say what it has built")?;
        let artefacts =
            messages.lines().filter_map(|line| serde_json::from_str::<Artefact>(line).ok());
        let program = |artefact: Artefact| {
            Some(Program { name: artefact.target.name, file: artefact.executable? })
        };
        Ok(artefacts.filter_map(program).collect())
    }
}

/// What cargo tells of a thing it has built.
#[derive(Deserialize)]
struct Artefact {
    target: Target,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// The root manifest, of a workspace with the rules alone.
fn manifest(text: &str) -> Result<String> {
    let mut manifest: toml::Table = toml::from_str(text).context("cannot read Cargo.toml")?;
    if let Some(toml::Value::Table(workspace)) = manifest.get_mut("workspace") {
        workspace.retain(|key, _| key == "package" || key == "resolver");
    }
    // A slip may be ugly.
    manifest.remove("lints");
    if let Some(toml::Value::Table(profiles)) = manifest.get_mut("profile") {
        for profile in profiles.iter_mut().filter_map(|(_, profile)| profile.as_table_mut()) {
            profile.remove("package");
        }
    }
    Ok(toml::to_string(&manifest)?)
}

/// The root of the rules, with the switches in it.
fn with_switches(text: &str) -> String {
    text.replacen("#![no_std]", "#![no_std]\n#![allow(warnings)]", 1) + "\nmod mutants;\n"
}

fn is_rust(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "rs")
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path.strip_prefix(root)?.into());
        }
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    if fs::read(file).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = file.parent().context("a file has a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(file, bytes).with_context(|| format!("cannot write {}", file.display()))
}

/// What was there before and is no more.
fn remove_all_but(root: &Path, kept: &BTreeSet<PathBuf>) -> Result<()> {
    let mut files = Vec::new();
    collect(root, root, &mut files)?;
    for file in files.iter().map(|file| root.join(file)).filter(|file| !kept.contains(file)) {
        fs::remove_file(&file).with_context(|| format!("cannot remove {}", file.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_copy_is_a_workspace_of_its_own() {
        let root = crate::workspace::root();
        let text = manifest(&fs::read_to_string(root.join("Cargo.toml")).unwrap()).unwrap();
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        assert!(manifest["workspace"].get("members").is_none());
        assert_eq!(manifest["package"]["name"].as_str(), Some("croupier"));
        assert_eq!(manifest["profile"]["dev"]["opt-level"].as_integer(), Some(2));
    }

    #[test]
    fn the_root_of_the_rules_takes_the_switches() {
        let root = crate::workspace::root();
        let text = fs::read_to_string(root.join("src/lib.rs")).unwrap();
        let text = with_switches(&text);
        assert!(text.contains("#![allow(warnings)]") && text.ends_with("\nmod mutants;\n"));
    }
}
