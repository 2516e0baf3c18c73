//! What can be wrong with artwork, each in one sentence that says what to do.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// What every call here returns.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// Why a brand could not be evaluated.
#[derive(thiserror::Error)]
pub enum Problem {
    /// A file or folder that cannot be read.
    #[error("cannot read {}: {why}", path.display())]
    Unreadable {
        /// Its place.
        path: PathBuf,
        /// What the system or the decoder said.
        why: String,
    },
    /// A folder without any picture.
    #[error("{} holds no PNG, JPEG or SVG file: name them by rank and suit, such as AS.png or 10H.svg", .0.display())]
    NoPictures(PathBuf),
    /// A folder that is not a whole deck.
    #[error("{} is not a whole deck: missing {}{}", path.display(), missing.join(" "), strange(.strangers))]
    Incomplete {
        /// The folder.
        path: PathBuf,
        /// The cards that no file is named for.
        missing: Vec<String>,
        /// The files whose names say no card.
        strangers: Vec<String>,
    },
    /// Two files for one card.
    #[error("{card} is there twice: {first} and {second}; keep one")]
    Twice {
        /// The card.
        card: String,
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
    /// A single picture that is not a sheet.
    #[error("{} is no sheet of 13 columns: cells of {cell} would not be cards; give a folder of single cards instead", path.display())]
    NoSheet {
        /// The picture.
        path: PathBuf,
        /// What a cell would measure.
        cell: String,
    },
    /// A picture too coarse to tell anything.
    #[error("{} is too coarse: {found:.1} pixels for each mm of the card, at least {least} are needed; scan at 200 dpi or more", path.display())]
    Coarse {
        /// The picture.
        path: PathBuf,
        /// Its resolution.
        found: f32,
        /// The least.
        least: f32,
    },
    /// Something Debian has could not be had.
    #[error(
        "{package} is neither installed nor to be fetched: {why}; install it, or give a folder of your own"
    )]
    Unavailable {
        /// The package.
        package: String,
        /// What apt said.
        why: String,
    },
    /// Writing failed.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Problem {
    /// Wraps a reader's error with the file's name.
    pub fn unreadable(path: impl Into<PathBuf>, why: impl fmt::Display) -> Self {
        Self::Unreadable { path: path.into(), why: why.to_string() }
    }
}

fn strange(strangers: &[String]) -> String {
    match strangers {
        [] => String::new(),
        some => format!("; not understood: {}", some.join(", ")),
    }
}

// A test that returns an error has it printed with `Debug`: let it be the sentence.
impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
