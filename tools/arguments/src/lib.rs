//! The arguments of the host programs, one definition of each.
//!
//! `cargo xtask` reads them before it builds anything, the program reads them again when it
//! starts. So a wrong argument is refused in a moment, in the same words, and this crate
//! depends on clap alone.

mod battery;
mod collect;
mod faces;
mod judges;
mod measure;
mod monitor;
mod shuffle;
mod table;

use std::ffi::OsString;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, Error, Parser};

pub use self::battery::{Battery, Live};
pub use self::collect::{Collect, From, MOST_CARDS, WHEEL_CARDS, What};
pub use self::faces::{Faces, Levels};
pub use self::judges::Judges;
pub use self::measure::Measure;
pub use self::monitor::{Framing, Keys, LinkName, Monitor, Place};
pub use self::shuffle::{Bench, Fault, Machine, Shuffle, TROUBLES};
pub use self::table::Table;

/// The arguments of one program.
pub trait Arguments: Parser + CommandFactory {
    /// Refuses what clap cannot: arguments that contradict each other, files that are not there.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Reads a command line, the program's name first.
    fn try_read<T: Into<OsString> + Clone>(
        words: impl IntoIterator<Item = T>,
    ) -> Result<Self, Error> {
        let arguments = Self::try_parse_from(words)?;
        arguments.check().map_err(|why| refusal::<Self>(&why))?;
        Ok(arguments)
    }

    /// Reads this program's command line; ends the program if it is wrong.
    fn read() -> Self {
        let arguments = Self::parse();
        if let Err(why) = arguments.check() {
            eprintln!("{}: {why}", Self::command().get_name());
            std::process::exit(2);
        }
        arguments
    }
}

/// A refusal in clap's form, with the usage of the command.
pub fn refusal<T: CommandFactory>(why: &str) -> Error {
    T::command().error(ErrorKind::ValueValidation, why)
}

/// Refuses a file or folder that is not there.
fn must_exist(path: &Path) -> Result<(), String> {
    if path.exists() {
        Ok(())
    } else {
        Err(format!("cannot read {}: it is not there", path.display()))
    }
}

/// Refuses a place for a new file if its folder is not there.
fn must_have_folder(path: &Path) -> Result<(), String> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("{} cannot be written: its folder is not there", path.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
