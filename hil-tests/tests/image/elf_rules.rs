//! What every image's ELF must obey, read from the file that is flashed.

use std::collections::BTreeSet;

use hil_tests::BenchError;
use hil_tests::image::Image;
use object::{Object, ObjectSection, ObjectSymbol};

/// The board whose images are flashed, and run in QEMU as they are.
const SILICON: &str = "b-l475e-iot01a";
/// Its devices, which make nothing random but by the random core.
const DEVICES: [&str; 3] = ["reader", "shuffler", "paigow"];
/// The images that measure the rules.
const INSTRUMENTS: (&str, [&str; 3]) = ("instruments", ["measure", "collect", "silence"]);

/// Every image with its board.
fn images() -> impl Iterator<Item = (&'static str, &'static str)> {
    let devices = DEVICES.into_iter().map(|name| (SILICON, name));
    devices.chain(INSTRUMENTS.1.into_iter().map(|name| (INSTRUMENTS.0, name)))
}

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
    for (board, name) in images() {
        let symbols = Image::find(board, name)?.symbols()?;
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
fn the_crash_record_lives_in_the_ram_that_survives_a_reset() -> Result<(), BenchError> {
    for name in DEVICES {
        let (start, size) = Image::find(SILICON, name)?.section(".survives")?.expect(name);
        assert!(size > 0, "{name} keeps no crash record");
        assert!(SRAM2.contains(&start) && start + size <= SRAM2.end, "{name}: {start:#x} + {size}");
    }
    Ok(())
}

#[test]
fn every_image_begins_with_its_vector_table_at_the_start_of_flash() -> Result<(), BenchError> {
    for (board, name) in images() {
        let flash = Image::find(board, name)?.flash()?;
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

/// The one source of noise that a device may have.
const SOURCE: &str = "croupier::entropy::driver::Driver<adapters::trng::Registers>";

/// randomness 6.2: no device can make a number but from its one source of noise.
#[test]
fn no_device_links_a_generator_that_only_looks_random() -> Result<(), BenchError> {
    for name in DEVICES {
        let found = pseudorandom(&Image::find(SILICON, name)?)?;
        assert_eq!(found, Vec::<String>::new(), "{name}");
    }
    let peers = pseudorandom(&Image::find(INSTRUMENTS.0, "measure")?)?;
    assert!(!peers.is_empty(), "the image measures such a one: it should be found");
    Ok(())
}

/// randomness 6.2: a random core reads one kind of source, and there is no second.
#[test]
fn an_image_with_a_random_core_has_exactly_one_source_of_noise() -> Result<(), BenchError> {
    let one = |source: &str| BTreeSet::from([source.to_owned()]);
    for name in DEVICES {
        let sources = noise_sources(&Image::find(SILICON, name)?)?;
        // The reader has no use for random numbers and need have no core.
        let draws = name != "reader";
        assert!(sources == one(SOURCE) || !draws && sources.is_empty(), "{name}: {sources:?}");
    }
    let measure = noise_sources(&Image::find(INSTRUMENTS.0, "measure")?)?;
    let registers = "croupier::entropy::driver::Driver<measure::random::Ready>";
    assert_eq!(measure, one(registers), "its own source should be found");
    let collect = noise_sources(&Image::find(INSTRUMENTS.0, "collect")?)?;
    assert_eq!(collect, one("instruments::noise::NoiseFile"), "the collector's source is a file");
    Ok(())
}

/// An instruction of two halfwords (ARMv7-M A5.1).
fn is_wide(first: u16) -> bool {
    first >> 11 >= 0b11101
}

/// An instruction of coprocessor 10 or 11, which is the floating-point unit (ARMv7-M A5.3.18).
fn is_float(first: u16, second: u16) -> bool {
    is_wide(first) && first & 0xEC00 == 0xEC00 && matches!(second >> 8 & 0xF, 0xA | 0xB)
}

#[test]
fn floating_point_instructions_are_told_from_others() {
    // vmov.f32 s0, s1; vpush {d8}; vldr s0, [r0]; vmrs APSR_nzcv, fpscr
    let float = [(0xEEB0, 0x0A60), (0xED2D, 0x8B02), (0xED90, 0x0A00), (0xEEF1, 0xFA10)];
    // ldr.w; mcr p15; bl; ldrd; a load and an add of sixteen bits
    let other =
        [(0xF8D1, 0x0A00), (0xEE07, 0x0F10), (0xF000, 0xFA0B), (0xE9D0, 0x0A02), (0x6808, 0xEEB0)];
    assert!(float.iter().all(|&(first, second)| is_float(first, second)));
    assert!(other.iter().all(|&(first, second)| !is_float(first, second)));
}

/// Where an image's code has floating-point instructions.
fn float_instructions(image: &Image) -> Vec<u64> {
    let file = object::File::parse(&*image.elf).unwrap();
    // The linker marks where code ($t) and constants ($d) begin.
    let mut marks: Vec<(u64, bool)> = file
        .symbols()
        .filter_map(|symbol| match symbol.name().ok()?.get(..2)? {
            "$t" => Some((symbol.address() & !1, true)),
            "$d" => Some((symbol.address(), false)),
            _ => None,
        })
        .collect();
    marks.sort_unstable();
    let text = file.section_by_name(".text").unwrap();
    let (start, bytes) = (text.address(), text.data().unwrap());
    let end = start + bytes.len() as u64;
    let half = |at: u64| {
        let at = (at - start) as usize;
        bytes.get(at..at + 2).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]))
    };
    let mut found = Vec::new();
    for (number, &(mut at, code)) in marks.iter().enumerate() {
        let until = marks.get(number + 1).map_or(end, |next| next.0).min(end);
        while code && (start..until).contains(&at) {
            let (first, second) = (half(at), half(at + 2));
            if is_float(first, second) {
                found.push(at);
            }
            at += if is_wide(first) { 4 } else { 2 };
        }
    }
    found
}

/// The monitor leaves the floating-point registers alone, so a trap need not save them.
#[test]
fn the_monitor_has_no_floating_point_instruction() -> Result<(), BenchError> {
    let found = float_instructions(&Image::find("monitor", "monitor")?);
    assert_eq!(found, Vec::<u64>::new(), "addresses of floating-point instructions");
    Ok(())
}
