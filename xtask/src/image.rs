//! An image as the linker left it: what it takes of the chip, and that it has no heap.

use std::ops::Range;

use anyhow::{Context, Result, bail};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SectionFlags, elf};
use sha2::{Digest, Sha256};

/// The chip's memories (RM0351, memory map).
const FLASH: Range<u64> = 0x0800_0000..0x0810_0000;
const SRAM2: Range<u64> = 0x1000_0000..0x1000_8000;
const SRAM1: Range<u64> = 0x2000_0000..0x2001_8000;

/// What an image takes, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Footprint {
    /// Written to flash: code, constants and the first values of variables.
    pub flash: u64,
    /// Placed in RAM before any code runs; the stack is what is left.
    pub ram: u64,
}

/// Measures an image.
pub(crate) fn measure(elf: &[u8]) -> Result<Footprint> {
    let file = ElfFile32::<Endianness>::parse(elf).context("it is no 32-bit ELF file")?;
    let endian = file.endian();
    let headers = file
        .elf_header()
        .program_headers(endian, elf)
        .context("its program headers are damaged")?;
    let loaded = headers.iter().filter(|header| header.p_type(endian) == elf::PT_LOAD);
    let in_flash = loaded.filter(|header| FLASH.contains(&u64::from(header.p_paddr(endian))));
    let flash = in_flash.map(|header| u64::from(header.p_filesz(endian))).sum();
    let placed = file.sections().filter(|section| match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.0 & elf::SHF_ALLOC.0 != 0,
        _ => false,
    });
    let in_ram = placed
        .filter(|section| SRAM1.contains(&section.address()) || SRAM2.contains(&section.address()));
    Ok(Footprint { flash, ram: in_ram.map(|section| section.size()).sum() })
}

/// SHA-256 of the flash as a programmer leaves it, gaps erased: what the device measures.
pub(crate) fn sha256(elf: &[u8]) -> Result<String> {
    let file = ElfFile32::<Endianness>::parse(elf).context("it is no 32-bit ELF file")?;
    let endian = file.endian();
    let headers = file.elf_header().program_headers(endian, elf);
    let mut flash = Vec::new();
    for header in headers.context("its program headers are damaged")? {
        let place = u64::from(header.p_paddr(endian));
        if header.p_type(endian) != elf::PT_LOAD || !FLASH.contains(&place) {
            continue;
        }
        let bytes = header.data(endian, elf).ok().context("a segment is cut short")?;
        let start = (place - FLASH.start) as usize; // within 1 MiB
        flash.resize(flash.len().max(start + bytes.len()), 0xff);
        flash[start..start + bytes.len()].copy_from_slice(bytes);
    }
    Ok(Sha256::digest(flash).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Fails if anything in the image could allocate.
///
/// The compiler's own hooks are mangled since Rust 1.87, so names are searched for, not compared.
pub(crate) fn has_no_heap(elf: &[u8]) -> Result<()> {
    let file = ElfFile32::<Endianness>::parse(elf).context("it is no 32-bit ELF file")?;
    let mut names = file.symbols().filter_map(|symbol| symbol.name().ok()).peekable();
    if names.peek().is_none() {
        bail!("it has no symbols, so nothing can be said about its heap");
    }
    match names.find(|name| allocates(name)) {
        Some(name) => bail!("it holds the allocator symbol `{name}`"),
        None => Ok(()),
    }
}

fn allocates(symbol: &str) -> bool {
    const HOOKS: [&str; 5] =
        ["__rust_alloc", "__rust_realloc", "__rust_no_alloc_shim", "__rg_alloc", "__rdl_alloc"];
    const CRATE: [&str; 2] = ["_ZN5alloc", "_5alloc"];
    const C: [&str; 5] = ["malloc", "calloc", "realloc", "free", "_sbrk"];
    C.contains(&symbol) || HOOKS.iter().chain(&CRATE).any(|part| symbol.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A segment as (physical address, bytes in the file).
    type Segment = (u32, u32);
    /// A section as (address, size, flags).
    type Section = (u32, u32, u32);

    const ALLOCATED: u32 = elf::SHF_ALLOC.0 as u32;

    /// The smallest ELF file that has these parts; each symbol is absolute.
    fn image(segments: &[Segment], sections: &[Section], symbols: &[&str]) -> Vec<u8> {
        let words =
            |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let halves =
            |halves: &[u16]| halves.iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<u8>>();
        let mut names = vec![0];
        let mut table = vec![0; 16];
        for symbol in symbols {
            table.extend(words(&[names.len() as u32, 0, 0, 0xfff1_0010]));
            names.extend(symbol.bytes().chain([0]));
        }
        let program_at = 52;
        let table_at = program_at + 32 * segments.len() as u32;
        let names_at = table_at + table.len() as u32;
        let sections_at = names_at + names.len() as u32;
        let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
        file.extend(halves(&[2, 40]));
        file.extend(words(&[1, 0, program_at, sections_at, 0]));
        file.extend(halves(&[52, 32, segments.len() as u16, 40, sections.len() as u16 + 3, 2]));
        for (address, size) in segments {
            file.extend(words(&[elf::PT_LOAD.0, 0, *address, *address, *size, *size, 5, 4]));
        }
        file.extend(&table);
        file.extend(&names);
        file.extend([0; 40]);
        file.extend(words(&[
            0,
            elf::SHT_SYMTAB.0,
            0,
            0,
            table_at,
            table.len() as u32,
            2,
            1,
            4,
            16,
        ]));
        file.extend(words(&[0, elf::SHT_STRTAB.0, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0]));
        for (address, size, flags) in sections {
            file.extend(words(&[0, elf::SHT_NOBITS.0, *flags, *address, 0, *size, 0, 0, 1, 0]));
        }
        file
    }

    #[test]
    fn flash_is_what_is_written_there_and_ram_is_what_is_placed_there() {
        let segments = [(0x0800_0000, 1000), (0x0800_1000, 24), (0x2000_0100, 999)];
        let data_bss_survives = [
            (0x2000_0000, 100, ALLOCATED),
            (0x2000_0064, 50, ALLOCATED),
            (0x1000_0000, 8, ALLOCATED),
        ];
        let footprint = measure(&image(&segments, &data_bss_survives, &["main"])).unwrap();
        assert_eq!(footprint, Footprint { flash: 1024, ram: 158 });
    }

    #[test]
    fn the_hash_is_over_flash_as_it_is_after_programming_with_gaps_erased() {
        let elf = image(&[(0x0800_0000, 4), (0x0800_0010, 4), (0x2000_0000, 8)], &[], &["main"]);
        let flash = [b"\x7fELF".as_slice(), &[0xff; 12], b"\x7fELF"].concat();
        let right: String = Sha256::digest(flash).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(sha256(&elf).unwrap(), right);
    }

    #[test]
    fn debug_information_takes_nothing_of_the_chip() {
        let footprint =
            measure(&image(&[], &[(0x2000_0000, 4096, 0), (0, 4096, 0)], &["main"])).unwrap();
        assert_eq!(footprint, Footprint { flash: 0, ram: 0 });
    }

    // Issue 2, "must show": no allocator symbol in any image.
    #[test]
    fn an_allocator_is_found_under_every_name_it_goes_by() {
        for name in [
            "malloc",
            "__rg_alloc",
            "_RNvCs691rhTbG0Ee_7___rustc12___rust_alloc",
            "_ZN5alloc3vec3Vec4push17h0E",
        ] {
            let error = has_no_heap(&image(&[], &[], &["main", name])).unwrap_err().to_string();
            assert_eq!(error, format!("it holds the allocator symbol `{name}`"));
        }
    }

    #[test]
    fn an_image_without_heap_passes_and_one_without_symbols_does_not() {
        has_no_heap(&image(&[], &[], &["main", "free_slot", "allocate_slot"])).unwrap();
        assert!(
            has_no_heap(&image(&[], &[], &[]))
                .unwrap_err()
                .to_string()
                .starts_with("it has no symbols")
        );
    }

    #[test]
    fn what_is_no_image_is_one_sentence() {
        assert!(
            format!("{:#}", measure(b"not an image").unwrap_err())
                .starts_with("it is no 32-bit ELF file")
        );
    }
}
