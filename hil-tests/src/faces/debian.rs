//! Artwork and fonts that Debian has, fetched without root into the target folder.
//!
//! Nothing of it is committed: the decks are other people's work under the GPL, and a release
//! of ours must not depend on them. What is installed is used as it is; else the package is
//! downloaded and unpacked, not installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::deck::Deck;
use super::plain::Style;
use super::problem::{Problem, Result};

/// The package with the drawn decks.
const DECKS: &str = "gnome-cards-data";
/// Where it puts them.
const SHEETS: &str = "share/aisleriot/cards";

/// The decks with indices A, 2 to 10, J, Q, K that fit a reader's window when printed on
/// ordinary cards.
pub const LATIN: [&str; 14] = [
    "anglo",
    "anglo_bitmap",
    "anglo_modern",
    "anglo_modern_4_color",
    "anglo_poker",
    "bellot",
    "dondorf",
    "gnomangelo",
    "neoclassical",
    "neoclassical_4_color",
    "orell",
    "paris",
    "plastic",
    "tigullio",
];

/// The other decks of the package, and why no reader of this kind is taught them.
pub const OTHERS: [(&str, &str); 7] = [
    ("ancient_french", "courts V D R, ace 1"),
    ("berlin, lattmann, rheinland, atlasnye_skat", "courts B D K"),
    ("tarocco", "courts F D R"),
    ("slavic_costumes, Атласные", "Cyrillic letters"),
    ("guyenne-classic, swiss-xvii", "courts without indices"),
    ("ornamental, tango, tango_nuevo", "drawn for screens: indices larger than the window"),
    (
        "atlasnye, gnomangelo_bitmap, simplistic",
        "Latin, but nearly the print of others in the list",
    ),
];

/// Debian's packages, unpacked below one folder of our own.
pub struct Debian {
    folder: PathBuf,
}

impl Debian {
    /// Keeps what it fetches below `target/faces` of this workspace.
    pub fn new() -> Self {
        Self { folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/faces") }
    }

    /// One of the drawn decks.
    pub fn deck(&self, name: &str) -> Result<Deck> {
        Deck::sheet(&self.file(DECKS, &format!("{SHEETS}/{name}.svgz"))?)
    }

    /// A plain brand.
    pub fn plain(&self, style: &Style) -> Result<Deck> {
        style.deck(&self.file(style.package, &format!("share/fonts/{}", style.font))?)
    }

    /// A file of a package: the installed one, or from the package as downloaded.
    pub fn file(&self, package: &str, place: &str) -> Result<PathBuf> {
        let installed = Path::new("/usr").join(place);
        if installed.is_file() {
            return Ok(installed);
        }
        let unpacked = self.folder.join(package);
        let file = unpacked.join("usr").join(place);
        if !file.is_file() {
            self.fetch(package, &unpacked)?;
        }
        if file.is_file() {
            return Ok(file);
        }
        Err(Problem::Unavailable { package: package.into(), why: format!("it has no {place}") })
    }

    /// Downloads and unpacks; whole or not at all, though several tests ask at once.
    fn fetch(&self, package: &str, unpacked: &Path) -> Result<()> {
        let unavailable = |why: String| Problem::Unavailable { package: package.into(), why };
        let made = fs::create_dir_all(&self.folder);
        made.map_err(|source| Problem::Unwritable { path: self.folder.clone(), source })?;
        let draft = tempfile::tempdir_in(&self.folder)
            .map_err(|source| Problem::Unwritable { path: self.folder.clone(), source })?;
        let download = |options: &[String]| {
            run(Command::new("apt-get")
                .args(options)
                .args(["download", package])
                .current_dir(draft.path()))
        };
        if let Err(first) = download(&[]) {
            // No lists yet, or stale ones: read them again, in a place that needs no root.
            let lists = self.private_lists()?;
            run(Command::new("apt-get").args(&lists).arg("update"))
                .map_err(|_| unavailable(first))?;
            download(&lists).map_err(&unavailable)?;
        }
        let archive = fs::read_dir(draft.path())
            .ok()
            .and_then(|folder| {
                folder
                    .flatten()
                    .find(|entry| entry.path().extension().is_some_and(|ending| ending == "deb"))
            })
            .ok_or_else(|| unavailable("apt-get left no package".into()))?
            .path();
        let tree = draft.path().join("tree");
        run(Command::new("dpkg-deb").arg("-x").arg(&archive).arg(&tree)).map_err(&unavailable)?;
        // Another test may have been quicker: its tree is as good as ours.
        if fs::rename(&tree, unpacked).is_err() && !unpacked.is_dir() {
            return Err(unavailable(format!("cannot move it to {}", unpacked.display())));
        }
        Ok(())
    }

    fn private_lists(&self) -> Result<Vec<String>> {
        let state = self.folder.join("apt");
        for part in ["lists/partial", "cache/archives/partial"] {
            let path = state.join(part);
            fs::create_dir_all(&path).map_err(|source| Problem::Unwritable { path, source })?;
        }
        let option = |name: &str, part: &str| format!("-o{name}={}", state.join(part).display());
        Ok(vec![
            option("Dir::State::lists", "lists"),
            option("Dir::Cache", "cache"),
            "-oDebug::NoLocking=1".into(),
        ])
    }
}

impl Default for Debian {
    fn default() -> Self {
        Self::new()
    }
}

/// Runs to success, or says the last line of what went wrong.
fn run(command: &mut Command) -> std::result::Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| format!("{name} does not run: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no word");
    Err(format!("{name}: {last}"))
}
