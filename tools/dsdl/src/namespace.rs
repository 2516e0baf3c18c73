//! Where the DSDL is: ours in the tree, the standard's in the front end's own package.
//!
//! The standard namespace is not copied into this repository; the package that parses it carries
//! it for its tests, and cargo has fetched that package anyway.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use canadensis_dsdl_frontend::Package;
use canadensis_dsdl_frontend::compiled::package::CompiledPackage;
use serde_json::Value;

/// The repository, seen from this crate.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this crate is two folders below the root").to_owned()
}

/// Our namespace's parent, as tools for DSDL want it.
pub fn ours(repository: &Path) -> PathBuf {
    repository.join("dsdl")
}

/// The standard namespace's parent, from the front end's package.
pub fn standard(repository: &Path) -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(repository)
        .output()
        .context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let front_end = packages
        .iter()
        .find(|package| package["name"] == "canadensis_dsdl_frontend")
        .and_then(|package| package["manifest_path"].as_str())
        .context("canadensis_dsdl_frontend is no dependency")?;
    let folder = Path::new(front_end).with_file_name("tests/public_regulated_data_types");
    if !folder.join("uavcan").is_dir() {
        bail!("{} has no standard namespace", folder.display());
    }
    Ok(folder)
}

/// Everything compiled: ours and the standard's.
pub fn compile(repository: &Path) -> Result<CompiledPackage> {
    let mut package = Package::new();
    package.add_files(ours(repository)).context("our DSDL")?;
    package.add_files(standard(repository)?).context("the standard's DSDL")?;
    package.compile().context("DSDL")
}
