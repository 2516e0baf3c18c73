//! Cargo for the chip: one line per verb, right for the toolchain that is open.

use std::env;
use std::path::{Path, PathBuf};

use crate::command::CommandLine;
use crate::machine::{DEBIAN_CARGO, DEBIAN_CLIPPY, DEBIAN_RUSTC, DEBIAN_RUSTDOC, Machine};
use crate::toolchain::Toolchain;
use crate::workspace::Board;

/// The one target: Cortex-M4 with its floating-point unit.
pub(crate) const TARGET: &str = "thumbv7em-none-eabihf";

const FLAGS: &str = "CARGO_TARGET_THUMBV7EM_NONE_EABIHF_RUSTFLAGS";
const LINKER: &str = "CARGO_TARGET_THUMBV7EM_NONE_EABIHF_LINKER";

/// A machine that can compile for the chip.
#[derive(Debug, Clone)]
pub(crate) struct Chip {
    /// How.
    pub toolchain: Toolchain,
    /// The linker to name, when the toolchain has none of its own.
    linker: Option<String>,
}

impl Chip {
    /// The toolchain as it is open on this machine.
    pub(crate) fn on(machine: &Machine, toolchain: Toolchain) -> Self {
        let own = toolchain != Toolchain::Debian && machine.rust_lld;
        Self { toolchain, linker: machine.lld.clone().filter(|_| !own) }
    }

    /// Each cargo has its own folder: another cargo would build everything again.
    fn target_folder(&self) -> &'static str {
        match self.toolchain {
            Toolchain::Debian => "target/firmware-debian",
            _ => "target/firmware",
        }
    }

    /// Where cargo leaves a binary.
    pub(crate) fn output(&self, root: &Path, binary: &str) -> PathBuf {
        root.join(self.target_folder()).join(TARGET).join("release").join(binary)
    }

    /// `cargo <verb>` for the chip: build, check, clippy or doc.
    pub(crate) fn cargo(&self, verb: &str) -> CommandLine {
        let line = self.cargo_in(verb, self.target_folder());
        self.linker.iter().fold(line, |line, linker| line.env(LINKER, linker))
    }

    fn cargo_in(&self, verb: &str, folder: &str) -> CommandLine {
        let line = match self.toolchain {
            Toolchain::Rustup => CommandLine::cargo().arg(verb),
            Toolchain::RustSrc => build_std(CommandLine::cargo().arg(verb)),
            Toolchain::Debian => build_std(debian(verb)),
        };
        let line = line.args("--release --target").arg(TARGET).arg("--target-dir").arg(folder);
        let line = line.env(FLAGS, short_paths(&sources()));
        if env::var_os("DEFMT_LOG").is_some() { line } else { line.env("DEFMT_LOG", "info") }
    }

    /// `cargo build` of a board. The linker script puts the stack below all data, so that no
    /// tool is needed for it, and the image does not depend on which tools a machine has.
    pub(crate) fn build(&self, board: &Board) -> CommandLine {
        self.cargo("build").arg("-p").arg(board.package())
    }
}

/// Flags that name each crate's files from the crate on. Panics keep file names in flash: whole
/// paths would take some KiB of it, and make each machine's image another.
fn short_paths(folders: &[PathBuf]) -> String {
    let plain = folders.iter().filter_map(|folder| folder.to_str());
    // The flags are parted at spaces; a folder that has one is left as it is.
    let flags = plain.filter(|folder| !folder.contains(' '));
    flags.map(|folder| format!("--remap-path-prefix={folder}/=")).collect::<Vec<_>>().join(" ")
}

/// Where cargo unpacks the crates it fetches, a folder for each registry.
fn sources() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let registries = home.and_then(|home| home.join("registry/src").read_dir().ok());
    let mut folders: Vec<_> = registries
        .into_iter()
        .flat_map(|folders| folders.flatten().map(|folder| folder.path()))
        .collect();
    folders.sort();
    folders
}

fn build_std(line: CommandLine) -> CommandLine {
    line.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core")
}

/// Debian's cargo, kept from everything rustup's cargo told us.
fn debian(verb: &str) -> CommandLine {
    let line = match verb {
        "clippy" => CommandLine::new(DEBIAN_CLIPPY).env("CARGO", DEBIAN_CARGO),
        _ => CommandLine::new(DEBIAN_CARGO).without("CARGO"),
    };
    let line = line.arg(verb).env("RUSTC", DEBIAN_RUSTC).env("RUSTDOC", DEBIAN_RUSTDOC);
    line.without("RUSTUP_TOOLCHAIN").without("LD_LIBRARY_PATH")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chip(toolchain: Toolchain, linker: Option<&str>) -> Chip {
        Chip { toolchain, linker: linker.map(String::from) }
    }

    #[test]
    fn with_the_target_installed_cargo_needs_nothing_more() {
        let line = chip(Toolchain::Rustup, None).cargo("build").text();
        assert!(line.ends_with(
            "cargo build --release --target thumbv7em-none-eabihf --target-dir target/firmware"
        ));
        assert!(!line.contains("RUSTC_BOOTSTRAP") && !line.contains("LINKER"));
    }

    #[test]
    fn crates_are_named_without_the_folder_they_lie_in() {
        let folders = ["/home/dealer/.cargo/registry/src/index-1", "/a folder/src"];
        let flags = short_paths(&folders.map(PathBuf::from));
        assert_eq!(flags, "--remap-path-prefix=/home/dealer/.cargo/registry/src/index-1/=");
    }

    #[test]
    fn from_source_the_core_library_is_built_too() {
        let line = chip(Toolchain::RustSrc, None).cargo("check").text();
        assert!(line.contains("RUSTC_BOOTSTRAP=1") && line.contains("-Zbuild-std=core"), "{line}");
    }

    #[test]
    fn on_debian_no_tool_of_rustup_is_called() {
        let debian = chip(Toolchain::Debian, Some("ld.lld-19"));
        for (verb, program) in
            [("build", "/usr/bin/cargo build"), ("clippy", "/usr/bin/cargo-clippy clippy")]
        {
            let line = debian.cargo(verb).text();
            assert!(line.contains(program) && line.contains("RUSTC=/usr/bin/rustc"), "{line}");
            assert!(
                line.contains("LINKER=ld.lld-19") && line.contains("target/firmware-debian"),
                "{line}"
            );
        }
    }

    /// The image's hash must not depend on what else a machine has installed.
    #[test]
    fn with_the_target_installed_no_board_is_linked_by_another_tool() {
        for name in ["instruments", "monitor", "b-l475e-iot01a"] {
            let board = Board { name: name.into(), binaries: Vec::new() };
            let line = chip(Toolchain::Rustup, None).build(&board).text();
            assert!(line.ends_with(&format!("-p {}", board.package())), "{line}");
            assert!(!line.contains("LINKER"), "{line}");
        }
    }
}
