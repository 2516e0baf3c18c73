//! Puts what was written into the tree, or says where the tree differs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::model::Model;
use crate::{namespace, rust, table};

/// Every file that comes from the DSDL, ready, by its place in the repository.
pub fn files(repository: &Path) -> Result<BTreeMap<PathBuf, String>> {
    let model = Model::new(&namespace::compile(repository)?)?;
    let mut files = formatted(repository, rust::files(&model)?)?;
    files.insert(table::PLACE.into(), table::text(&model)?);
    Ok(files)
}

/// Where the tree differs from `files`: changed, missing, or left over.
pub fn differences(repository: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>> {
    let differs = |place: &&PathBuf| {
        fs::read_to_string(repository.join(place)).ok().as_ref() != files.get(*place)
    };
    let mut differences: Vec<PathBuf> = files.keys().filter(differs).cloned().collect();
    let mut there = Vec::new();
    list(repository, Path::new(rust::FOLDER), &mut there)?;
    differences.extend(there.into_iter().filter(|place| !files.contains_key(place)));
    Ok(differences)
}

/// Makes the tree agree with `files`, and says what changed.
pub fn write(repository: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>> {
    let differences = differences(repository, files)?;
    for place in &differences {
        let path = repository.join(place);
        match files.get(place) {
            Some(text) => {
                fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
                fs::write(path, text)?;
            }
            None => fs::remove_file(path)?,
        }
    }
    Ok(differences)
}

fn list(repository: &Path, folder: &Path, there: &mut Vec<PathBuf>) -> Result<()> {
    let Ok(entries) = fs::read_dir(repository.join(folder)) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let place = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            list(repository, &place, there)?;
        } else {
            there.push(place);
        }
    }
    Ok(())
}

/// The files as rustfmt leaves them: all at once, in a folder of their own, as it takes long to start.
fn formatted(
    repository: &Path,
    mut files: BTreeMap<PathBuf, String>,
) -> Result<BTreeMap<PathBuf, String>> {
    let folder = tempfile::tempdir()?;
    for (place, text) in &files {
        let path = folder.path().join(place);
        fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        fs::write(path, text)?;
    }
    let status = Command::new("rustfmt")
        .args(["--edition=2024", "--config-path"])
        .arg(repository.join("rustfmt.toml"))
        .arg(folder.path().join(rust::FOLDER).join("mod.rs"))
        .status()
        .context("rustfmt")?;
    if !status.success() {
        bail!("rustfmt does not understand what was written");
    }
    for (place, text) in &mut files {
        *text = fs::read_to_string(folder.path().join(place))?;
    }
    Ok(files)
}
