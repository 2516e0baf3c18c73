//! What every image's ELF must obey, read from the file that is flashed.

#![allow(clippy::unwrap_used)] // helpers of a test may do what a test may

use hil_tests::BenchError;
use hil_tests::image::Image;

const IMAGES: [&str; 5] = ["reader", "shuffler", "paigow", "bench", "checks"];

/// The second RAM of the chip: no start-up code clears it, no stack grows into it.
const SRAM2: std::ops::Range<u64> = 0x1000_0000..0x1000_8000;

/// What a heap would leave behind, in Rust's words and in C's.
const HEAP: [&str; 7] = [
    "__rust_alloc",
    "__rust_realloc",
    "__rg_alloc",
    "__rdl_alloc",
    "alloc::alloc",
    "malloc",
    "_sbrk",
];

#[test]
fn no_image_has_a_heap() -> Result<(), BenchError> {
    for name in IMAGES {
        let symbols = Image::find("qemu", name)?.symbols()?;
        assert!(
            symbols.iter().any(|symbol| symbol == "main"),
            "{name} was stripped: nothing can be told"
        );
        let heap = symbols.iter().find(|symbol| HEAP.iter().any(|word| symbol.contains(word)));
        assert_eq!(heap, None, "{name}");
    }
    Ok(())
}

#[test]
fn last_words_of_a_crash_live_in_the_ram_that_survives_a_reset() -> Result<(), BenchError> {
    for name in IMAGES {
        let (start, size) = Image::find("qemu", name)?.section(".survives")?.expect(name);
        assert!(size > 0, "{name} keeps no last words");
        assert!(SRAM2.contains(&start) && start + size <= SRAM2.end, "{name}: {start:#x} + {size}");
    }
    Ok(())
}

#[test]
fn every_image_begins_with_its_vector_table_at_the_start_of_flash() -> Result<(), BenchError> {
    for name in IMAGES {
        let flash = Image::find("qemu", name)?.flash()?;
        let word = |at: usize| u32::from_le_bytes(flash[at..at + 4].try_into().unwrap());
        let (stack, reset) = (word(0), word(4));
        assert!((0x2000_0000..=0x2001_8000).contains(&stack), "{name}: stack at {stack:#x}");
        assert!(
            (0x0800_0000..0x0808_0000).contains(&reset) && reset % 2 == 1,
            "{name}: starts at {reset:#x}"
        );
    }
    Ok(())
}
