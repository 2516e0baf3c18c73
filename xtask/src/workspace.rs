//! The workspace as the commands see it: its boards, their binaries, its root.
//!
//! Boards and binaries are asked of cargo, so that adding one needs no list here.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use crate::command::CommandLine;
use crate::version::Version;

/// The crate of the measuring images.
pub(crate) const INSTRUMENTS: &str = "instruments";
/// The crate of what runs beside an image in QEMU.
pub(crate) const MONITOR: &str = "monitor";

/// Where we are and what there is to build.
pub(crate) struct Workspace {
    /// The repository.
    pub root: PathBuf,
    /// Show the output of every line.
    pub verbose: bool,
    /// The oldest compiler the workspace takes.
    pub rust_version: Version,
    /// Every crate with images for the chip: boards first, then what is never flashed.
    pub boards: Vec<Board>,
}

/// One crate under `boards/` that makes images for the chip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    /// Its name on the command line: the board's, or `instruments`, or `monitor`.
    pub name: String,
    /// The binaries it makes.
    pub binaries: Vec<String>,
}

impl Board {
    /// The crate's name.
    pub(crate) fn package(&self) -> String {
        if self.is_board() { format!("board-{}", self.name) } else { self.name.clone() }
    }

    /// A board makes every device, and its images can be flashed. Instruments and the monitor
    /// are no board.
    pub(crate) fn is_board(&self) -> bool {
        ![INSTRUMENTS, MONITOR].contains(&self.name.as_str())
    }

    /// Checks that the board has this binary.
    pub(crate) fn binary(&self, name: &str) -> Result<()> {
        if self.binaries.iter().any(|binary| binary == name) {
            return Ok(());
        }
        match self.binaries.join(", ") {
            none if none.is_empty() => bail!("'{}' has no binaries yet", self.name),
            known => bail!("unknown image '{name}': '{}' has {known}", self.name),
        }
    }
}

/// The repository this program was built from.
pub(crate) fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

impl Workspace {
    /// Asks cargo what the workspace holds.
    pub(crate) fn open(verbose: bool) -> Result<Self> {
        let root = root();
        let answer = CommandLine::cargo()
            .args("metadata --no-deps --format-version 1")
            .answer(root)
            .ok_or_else(|| {
                anyhow!("cargo cannot read the workspace: run `cargo metadata` to see why")
            })?;
        let metadata: Metadata =
            serde_json::from_str(&answer).context("cargo metadata is not as expected")?;
        let rust_version = metadata
            .packages
            .iter()
            .find_map(|package| Version::parse(package.rust_version.as_deref()?))
            .context("the workspace names no rust-version")?;
        Ok(Self { root: root.into(), verbose, rust_version, boards: metadata.boards() })
    }

    /// The boards asked for: one by name, or all.
    pub(crate) fn boards_named(&self, name: Option<&str>) -> Result<Vec<&Board>> {
        let Some(name) = name else { return Ok(self.boards.iter().collect()) };
        let known =
            || self.boards.iter().map(|board| board.name.as_str()).collect::<Vec<_>>().join(", ");
        let board = self.boards.iter().find(|board| board.name == name);
        Ok(vec![board.ok_or_else(|| anyhow!("unknown board '{name}': boards are {}", known()))?])
    }

    /// The boards that can be flashed: one by name, or all.
    pub(crate) fn flashable_named(&self, name: Option<&str>) -> Result<Vec<&Board>> {
        let boards = self.boards_named(name)?;
        let flashable: Vec<_> = boards.into_iter().filter(|board| board.is_board()).collect();
        match (flashable.is_empty(), name) {
            (true, Some(name)) => bail!("the images of '{name}' run in QEMU and are never flashed"),
            (true, None) => bail!("there is no board"),
            (false, _) => Ok(flashable),
        }
    }

    /// Where a built image is kept, whichever toolchain built it.
    pub(crate) fn image(&self, board: &Board, binary: &str) -> PathBuf {
        self.root.join("target/images").join(&board.name).join(format!("{binary}.elf"))
    }

    /// A file of our own for what must be on disk for a moment.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf> {
        let folder = self.root.join("target/xtask");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(folder.join(name))
    }

    /// A log no other command, nor another thread of this one, writes to.
    pub(crate) fn log_file(&self) -> Result<PathBuf> {
        self.scratch(&format!("{}-{:?}.log", std::process::id(), std::thread::current().id()))
    }
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    rust_version: Option<String>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

impl Metadata {
    fn boards(&self) -> Vec<Board> {
        let mut boards: Vec<Board> = self.packages.iter().filter_map(Package::board).collect();
        boards.sort_by_key(|board| (!board.is_board(), board.name.clone()));
        boards
    }
}

impl Package {
    fn board(&self) -> Option<Board> {
        let is_binary = |target: &&Target| target.kind.iter().any(|kind| kind == "bin");
        let binaries = self.targets.iter().filter(is_binary).map(|target| target.name.clone());
        let name = match self.name.strip_prefix("board-") {
            Some(board) => board,
            None if [INSTRUMENTS, MONITOR].contains(&self.name.as_str()) => &self.name,
            None => return None,
        };
        Some(Board { name: name.into(), binaries: binaries.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METADATA: &str = r#"{"packages": [
        {"name": "croupier", "rust_version": "1.88", "targets": [{"name": "croupier", "kind": ["lib"]}]},
        {"name": "board-b-l475e-iot01a", "rust_version": null, "targets": [
            {"name": "reader", "kind": ["bin"]}, {"name": "build-script-build", "kind": ["custom-build"]}]},
        {"name": "instruments", "rust_version": null, "targets": [{"name": "measure", "kind": ["bin"]}]},
        {"name": "monitor", "rust_version": null, "targets": [
            {"name": "monitor", "kind": ["lib"]}, {"name": "monitor", "kind": ["bin"]}]}]}"#;

    fn workspace() -> Workspace {
        let boards = serde_json::from_str::<Metadata>(METADATA).unwrap().boards();
        Workspace { root: "/".into(), verbose: false, rust_version: Version::new(1, 88), boards }
    }

    #[test]
    fn boards_and_binaries_come_from_cargo() {
        let boards = workspace().boards;
        assert_eq!(boards[0].package(), "board-b-l475e-iot01a");
        assert_eq!(boards[0].name, "b-l475e-iot01a");
        assert_eq!(boards[0].binaries, ["reader"]);
    }

    #[test]
    fn instruments_and_the_monitor_are_built_but_are_no_boards_and_never_flashed() {
        let workspace = workspace();
        let beside: Vec<_> = workspace.boards.iter().filter(|board| !board.is_board()).collect();
        let packages: Vec<_> = beside.iter().map(|board| board.package()).collect();
        assert_eq!(packages, ["instruments", "monitor"]);
        assert_eq!(beside[1].binaries, ["monitor"]);
        let flashable = workspace.flashable_named(None).unwrap();
        assert_eq!(
            flashable.iter().map(|board| &board.name).collect::<Vec<_>>(),
            ["b-l475e-iot01a"]
        );
        let error = workspace.flashable_named(Some("instruments")).unwrap_err().to_string();
        assert_eq!(error, "the images of 'instruments' run in QEMU and are never flashed");
    }

    #[test]
    fn an_unknown_board_is_one_sentence_with_the_known_ones() {
        let error = workspace().boards_named(Some("foo")).unwrap_err().to_string();
        assert_eq!(error, "unknown board 'foo': boards are b-l475e-iot01a, instruments, monitor");
    }

    #[test]
    fn an_unknown_device_is_one_sentence_with_the_known_ones() {
        let workspace = workspace();
        let error = workspace.boards[0].binary("dealer").unwrap_err().to_string();
        assert_eq!(error, "unknown image 'dealer': 'b-l475e-iot01a' has reader");
    }

    #[test]
    fn this_workspace_opens_and_has_its_board_instruments_and_monitor() {
        let names: Vec<_> =
            Workspace::open(false).unwrap().boards.into_iter().map(|board| board.name).collect();
        assert_eq!(names, ["b-l475e-iot01a", INSTRUMENTS, MONITOR]);
    }
}
