//! A firmware image on disk: where it is, and what its ELF says.
//!
//! A laboratory compares what runs with what was approved. The bench makes the
//! flat flash image from the ELF by itself, so that the hash a device reports is
//! checked against a second reckoning, not against its own.

use std::path::{Path, PathBuf};

use object::elf::{FileHeader32, PT_LOAD};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol};
use sha2::{Digest, Sha256};

use crate::error::{BenchError, Result};

/// What erased flash reads as, and so what fills the gaps of an image.
const ERASED: u8 = 0xff;
/// Flash of the one chip; RAM segments have no place in a flash image.
const FLASH: std::ops::Range<u64> = 0x0800_0000..0x0810_0000;

/// Functions of `core` that panic and want nothing but a source location.
const PANICS: [&str; 2] = ["6option13unwrap_failed", "panic_const"];

/// A built image.
#[derive(Debug, Clone)]
pub struct Image {
    /// The device, the instrument, or `monitor`.
    pub name: String,
    /// The ELF's place.
    pub path: PathBuf,
    /// The ELF.
    pub elf: Vec<u8>,
}

impl Image {
    /// Finds the image of `name` for `board`.
    pub fn find(board: &str, name: &str) -> Result<Self> {
        Self::read(&folder(board), name)
    }

    /// Reads the image of `name` in `folder`.
    pub fn read(folder: &Path, name: &str) -> Result<Self> {
        Self::at(folder.join(format!("{name}.elf")), name)
    }

    /// Reads the image of `name` that lies at `path`.
    pub fn at(path: PathBuf, name: &str) -> Result<Self> {
        let elf = std::fs::read(&path).map_err(|_| BenchError::MissingImage(path.clone()))?;
        let image = Self { name: name.into(), path, elf };
        image.file()?;
        Ok(image)
    }

    /// The bytes of flash from its first to its last, gaps as erased flash.
    pub fn flash(&self) -> Result<Vec<u8>> {
        let header = FileHeader32::<Endianness>::parse(&*self.elf).map_err(|e| self.bad(e))?;
        let endian = header.endian().map_err(|e| self.bad(e))?;
        let mut flash = Vec::new();
        for segment in header.program_headers(endian, &*self.elf).map_err(|e| self.bad(e))? {
            let place = u64::from(segment.p_paddr(endian));
            if segment.p_type(endian) != PT_LOAD || !FLASH.contains(&place) {
                continue;
            }
            let bytes = segment
                .data(endian, &*self.elf)
                .map_err(|()| self.bad("a segment is cut short"))?;
            // Within 1 MiB, so it fits any host's usize.
            let start = (place - FLASH.start) as usize;
            flash.resize(flash.len().max(start + bytes.len()), ERASED);
            flash[start..start + bytes.len()].copy_from_slice(bytes);
        }
        Ok(flash)
    }

    /// SHA-256 of the flat flash image, as 64 hexadecimal digits.
    pub fn sha256(&self) -> Result<String> {
        Ok(Sha256::digest(self.flash()?).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The address of the symbol `name`.
    pub fn symbol(&self, name: &str) -> Result<Option<u32>> {
        let file = self.file()?;
        let found = file.symbols().find(|symbol| symbol.name() == Ok(name));
        Ok(found.map(|symbol| symbol.address() as u32)) // of a 32-bit ELF
    }

    /// The address of a function that panics, given a source location for its only argument: what
    /// the monitor is told to make the image panic.
    pub fn panic(&self) -> Result<Option<u32>> {
        let file = self.file()?;
        let mut panics = file.symbols().filter(|symbol| {
            symbol.name().is_ok_and(|name| PANICS.iter().any(|part| name.contains(part)))
        });
        Ok(panics.next().map(|symbol| symbol.address() as u32)) // of a 32-bit ELF
    }

    /// The names of all symbols.
    pub fn symbols(&self) -> Result<Vec<String>> {
        let file = self.file()?;
        Ok(file.symbols().filter_map(|symbol| symbol.name().ok()).map(str::to_owned).collect())
    }

    /// The names in its debug information: of types, with what they are made for, and more.
    pub fn types(&self) -> Result<Vec<String>> {
        let file = self.file()?;
        let section = file.section_by_name(".debug_str");
        let section = section.ok_or_else(|| self.bad("it has no debug information"))?;
        let names = section.data().map_err(|e| self.bad(e))?;
        let names = names.split(|byte| *byte == 0);
        Ok(names.map(|name| String::from_utf8_lossy(name).into_owned()).collect())
    }

    /// Where a section begins and how long it is.
    pub fn section(&self, name: &str) -> Result<Option<(u64, u64)>> {
        Ok(self.file()?.section_by_name(name).map(|section| (section.address(), section.size())))
    }

    fn file(&self) -> Result<ElfFile32<'_, Endianness>> {
        ElfFile32::parse(&*self.elf).map_err(|e| self.bad(e))
    }

    fn bad(&self, why: impl ToString) -> BenchError {
        BenchError::BadImage { path: self.path.clone(), why: why.to_string() }
    }
}

/// Where the images of `board` are: `CROUPIER_IMAGES`, or the workspace's `target/images`.
pub fn folder(board: &str) -> PathBuf {
    let built = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/images").join(board);
    let chosen = std::env::var_os("CROUPIER_IMAGES").map_or_else(built, PathBuf::from);
    chosen.canonicalize().unwrap_or(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_image_says_how_to_build_it() {
        let said = Image::read(Path::new("/nowhere"), "reader").unwrap_err().to_string();
        assert_eq!(said, "image /nowhere/reader.elf is missing: run `cargo xtask build`");
    }

    #[test]
    fn a_file_that_is_no_elf_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("reader.elf"), b"ace of spades").unwrap();
        let said = Image::read(folder.path(), "reader").unwrap_err().to_string();
        assert!(said.contains("cannot be used"), "{said}");
    }
}
