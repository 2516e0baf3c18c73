//! What this machine has: looked up each time, remembered nowhere.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::apt::Apt;
use crate::chip::TARGET;
use crate::command::CommandLine;
use crate::toolchain::Found;
use crate::version::Version;
use crate::workspace::Workspace;

/// The distribution's tools, by full path: rustup's come first on `PATH`.
pub(crate) const DEBIAN_CARGO: &str = "/usr/bin/cargo";
/// See [`DEBIAN_CARGO`].
pub(crate) const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
/// See [`DEBIAN_CARGO`]; called directly, as cargo would look in rustup's folder first.
pub(crate) const DEBIAN_CLIPPY: &str = "/usr/bin/cargo-clippy";
/// See [`DEBIAN_CARGO`].
pub(crate) const DEBIAN_RUSTDOC: &str = "/usr/bin/rustdoc";

/// The answer to every question the toolchains ask.
pub(crate) struct Machine {
    /// What the choice of toolchain depends on.
    pub found: Found,
    /// The active toolchain has a linker of its own for the chip.
    pub rust_lld: bool,
    /// A linker for the chip on `PATH`, for toolchains without one.
    pub lld: Option<String>,
    /// The packet manager, where there is one we may use.
    pub apt: Option<Apt>,
}

impl Machine {
    /// Looks around.
    pub(crate) fn look(workspace: &Workspace) -> Self {
        let sysroot = sysroot_of("rustc", &workspace.root);
        let rust_lld = sysroot.as_deref().is_some_and(|sysroot| rust_lld_folder(sysroot).is_some());
        let lld = ["ld.lld-19", "ld.lld"]
            .into_iter()
            .find(|name| on_path(name).is_some())
            .map(String::from);
        let apt = Apt::find(workspace);
        let found = Found {
            target: sysroot.as_deref().is_some_and(has_target),
            rustup: on_path("rustup").is_some(),
            source: sysroot.as_deref().is_some_and(has_source) && (rust_lld || lld.is_some()),
            debian: lld.is_some() && has_debian_toolchain(workspace),
            apt: apt.is_some(),
        };
        Self { found, rust_lld, lld, apt }
    }
}

/// The first program of this name on `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// The folder that holds a toolchain's own `rust-lld`, if it has one.
pub(crate) fn rust_lld_folder(sysroot: &Path) -> Option<PathBuf> {
    let hosts = fs::read_dir(sysroot.join("lib/rustlib")).ok()?;
    let mut folders = hosts.flatten().map(|host| host.path().join("bin"));
    folders.find(|folder| folder.join("rust-lld").is_file())
}

fn sysroot_of(rustc: &str, root: &Path) -> Option<PathBuf> {
    CommandLine::new(rustc).args("--print sysroot").answer(root).map(PathBuf::from)
}

fn has_target(sysroot: &Path) -> bool {
    let libraries = fs::read_dir(sysroot.join("lib/rustlib").join(TARGET).join("lib"));
    libraries.is_ok_and(|files| {
        files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("libcore-"))
    })
}

fn has_source(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib/src/rust/library/core/Cargo.toml").is_file()
}

fn has_debian_toolchain(workspace: &Workspace) -> bool {
    let tools = [DEBIAN_CARGO, DEBIAN_RUSTC, DEBIAN_CLIPPY, DEBIAN_RUSTDOC];
    // rustup can be installed as /usr/bin links too; those are no toolchain of Debian's.
    let ours =
        |tool: &&str| Path::new(tool).canonicalize().is_ok_and(|file| !file.ends_with("rustup"));
    let greeting = CommandLine::new(DEBIAN_RUSTC).args("--version").answer(&workspace.root);
    tools.iter().all(ours)
        && greeting.and_then(|greeting| Version::in_greeting(&greeting))
            >= Some(workspace.rust_version)
        && sysroot_of(DEBIAN_RUSTC, &workspace.root).as_deref().is_some_and(has_source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_on_the_path_or_not_at_all() {
        assert!(on_path("sh").is_some());
        assert_eq!(on_path("no-such-program"), None);
    }

    #[test]
    fn an_empty_toolchain_has_neither_target_nor_source_nor_linker() {
        let empty = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(!has_target(empty) && !has_source(empty));
        assert_eq!(rust_lld_folder(empty), None);
    }
}
