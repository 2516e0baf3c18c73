//! What every image's ELF must obey, read from the file that is flashed.

#![allow(clippy::unwrap_used)] // helpers of a test may do what a test may

use std::collections::BTreeSet;

use hil_tests::BenchError;
use hil_tests::image::Image;

const IMAGES: [&str; 6] = ["reader", "shuffler", "paigow", "bench", "checks", "collect"];
/// Those that are devices, and make nothing random but by the random core.
const DEVICES: [&str; 3] = ["reader", "shuffler", "paigow"];

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

/// Crates that make numbers which only look random.
const CRATES: [&str; 12] = [
    "rand",
    "rand_chacha",
    "rand_hc",
    "rand_pcg",
    "rand_xorshift",
    "rand_xoshiro",
    "chacha20",
    "fastrand",
    "nanorand",
    "oorandom",
    "tinyrand",
    "wyrand",
];

/// What such generators are called, in any crate.
const GENERATORS: [&str; 9] =
    ["chacha", "lfsr", "mersenne", "pcg32", "pcg64", "smallrng", "splitmix", "xorshift", "xoshiro"];

/// What an image could make such numbers with, by the names in it.
fn pseudorandom(image: &Image) -> Result<Vec<String>, BenchError> {
    let is_generator = |name: &String| {
        let mut words = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let lower = name.to_lowercase();
        // Whole words for crates: a brand is no `rand`.
        words.any(|word| CRATES.contains(&word))
            || GENERATORS.iter().any(|kind| lower.contains(kind))
    };
    Ok(image.symbols()?.into_iter().chain(image.types()?).filter(is_generator).collect())
}

/// The noise sources that the random core of an image is made for.
fn noise_sources(image: &Image) -> Result<BTreeSet<String>, BenchError> {
    let types = image.types()?.into_iter();
    let source = |name: String| Some(name.strip_prefix("Gate<")?.strip_suffix('>')?.to_owned());
    Ok(types.filter_map(source).collect())
}

/// Each board, and the one source of noise that its devices may have.
const BOARDS: [(&str, &str); 2] = [
    ("qemu", "board_qemu::noise::NoiseFile"),
    ("b-l475e-iot01a", "croupier::entropy::driver::Driver<adapters::trng::Registers>"),
];

/// The boards whose images are here: all that is built, or those of one chosen folder.
fn boards() -> &'static [(&'static str, &'static str)] {
    if std::env::var_os("CROUPIER_IMAGES").is_some() { &BOARDS[..1] } else { &BOARDS }
}

/// randomness 6.2: no device can make a number but from its one source of noise.
#[test]
fn no_device_links_a_generator_that_only_looks_random() -> Result<(), BenchError> {
    for (board, _) in boards() {
        for name in DEVICES {
            let found = pseudorandom(&Image::find(board, name)?)?;
            assert_eq!(found, Vec::<String>::new(), "{board} {name}");
        }
    }
    let peers = pseudorandom(&Image::find("qemu", "bench")?)?;
    assert!(!peers.is_empty(), "the bench measures such a one: it should have been found");
    Ok(())
}

/// randomness 6.2: a random core reads one kind of source, and there is no second.
#[test]
fn an_image_with_a_random_core_has_exactly_one_source_of_noise() -> Result<(), BenchError> {
    for (board, source) in boards() {
        let one = BTreeSet::from([(*source).to_owned()]);
        for name in DEVICES {
            let sources = noise_sources(&Image::find(board, name)?)?;
            // A device that has no use for random numbers need have no core.
            let draws = name == "paigow";
            assert!(sources == one || !draws && sources.is_empty(), "{board} {name}: {sources:?}");
        }
    }
    let registers = "croupier::entropy::driver::Driver<bench::random::Ready>".to_owned();
    let bench = noise_sources(&Image::find("qemu", "bench")?)?;
    assert_eq!(bench, BTreeSet::from([registers]), "the bench's own source should be found");
    let collect = noise_sources(&Image::find("qemu", "collect")?)?;
    assert_eq!(collect, BTreeSet::from([BOARDS[0].1.to_owned()]), "not what the devices have");
    Ok(())
}
