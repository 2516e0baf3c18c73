//! NOR flash for host tests, as unkind as the chip's.
//!
//! It keeps the rules of the STM32L4's internal flash (RM0351 3.3.7): pages erase to ones; an
//! 8-byte word is programmed once after an erase, or overwritten with zeros. Power can be
//! cut at any operation (one word programmed, one page erased, or in the middle of that), and
//! what the cut tears reads as anything: the old, the new, a mix, noise, or blank without being
//! erased. A page whose erase was torn may also take new words and lose them in time
//! ([`NorModel::fade`]). While a page is being erased nothing else is answered. All of it comes
//! from a seed, so a failure repeats. Nothing here is linked into an image.

use super::EraseInSteps;
use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash, check_erase, check_read,
    check_write,
};

const WORD: usize = 8;
const BLANK: u8 = 0xFF;
/// An erase is done when it was looked at so often.
const ERASE_LOOKS: u8 = 3;

/// What was asked of the flash since it was made.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Bytes read.
    pub bytes_read: u64,
    /// Words programmed.
    pub words: u64,
    /// Pages erased.
    pub erases: u64,
    /// Looks at an erase that was not done yet.
    pub looks: u64,
}

impl Counts {
    /// Operations a power cut can tear: words, erases, and moments in the middle of one.
    pub fn operations(&self) -> u64 {
        self.words + self.erases + self.looks
    }
}

/// How a page fails when it is worn out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worn {
    /// Programming reports an error.
    WriteFails,
    /// Erasing reports an error.
    EraseFails,
    /// Programming reports success, but one bit stays.
    BitSticks,
}

/// Why the model refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// There is no power, or there was none before the operation was done.
    Dark,
    /// Not a whole word or page, or out of the flash.
    Misuse(NorFlashErrorKind),
    /// The word is not erased and the new value not zero (the chip's PROGERR).
    NotErased,
    /// The page is worn out.
    Worn,
    /// A page is being erased, and the flash does nothing else (the chip's BSY).
    Busy,
}

impl NorFlashError for Refused {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Self::Misuse(kind) => *kind,
            _ => NorFlashErrorKind::Other,
        }
    }
}

/// `PAGES` pages of `PAGE` bytes.
#[derive(Debug, Clone)]
pub struct NorModel<const PAGE: usize, const PAGES: usize> {
    bytes: [[u8; PAGE]; PAGES],
    /// By a word's first byte: whether it may be programmed.
    erased: [[bool; PAGE]; PAGES],
    wear: [u32; PAGES],
    worn: [Option<Worn>; PAGES],
    /// Pages that a torn erase left blank to the eye and to a write, but not for long.
    weak: [bool; PAGES],
    weak_erases: bool,
    counts: Counts,
    /// The page that is being erased, and how often that was looked at.
    erasing: Option<(usize, u8)>,
    /// Whole operations before the one that is torn.
    until_cut: Option<u64>,
    dark: bool,
    noise: u64,
}

impl<const PAGE: usize, const PAGES: usize> NorModel<PAGE, PAGES> {
    /// Erased flash whose tears follow from `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            bytes: [[BLANK; PAGE]; PAGES],
            erased: [[true; PAGE]; PAGES],
            wear: [0; PAGES],
            worn: [None; PAGES],
            weak: [false; PAGES],
            weak_erases: false,
            counts: Counts::default(),
            erasing: None,
            until_cut: None,
            dark: false,
            noise: seed,
        }
    }

    /// Lets `whole` more operations finish and tears the next one.
    pub fn cut_power_after(&mut self, whole: u64) {
        self.until_cut = Some(whole);
    }

    /// Power is back, and stays.
    pub fn restore_power(&mut self) {
        self.until_cut = None;
        self.dark = false;
        self.erasing = None;
    }

    /// Whether a cut has happened.
    pub fn is_dark(&self) -> bool {
        self.dark
    }

    /// Makes the next tears differ.
    pub fn reseed(&mut self, seed: u64) {
        self.noise = seed;
    }

    /// Wears a page out, or heals it.
    pub fn wear_out(&mut self, page: usize, how: Option<Worn>) {
        self.worn[page] = how;
    }

    /// From now on a torn erase leaves its page looking erased in every way, and weak.
    pub fn tear_erases_weakly(&mut self) {
        self.weak_erases = true;
    }

    /// Years go by: what was written to a weak page is not what it was.
    pub fn fade(&mut self) {
        let weak = self.bytes.iter_mut().zip(&self.weak).filter(|(_, weak)| **weak);
        for byte in weak.flat_map(|(page, _)| page).filter(|byte| **byte != BLANK) {
            *byte ^= 0x10;
        }
    }

    /// Flips one bit, as age or a vandal would.
    pub fn flip_bit(&mut self, at: usize, bit: u8) {
        self.bytes[at / PAGE][at % PAGE] ^= 1 << bit;
    }

    /// What was asked so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Erases each page has seen.
    pub fn wear(&self) -> &[u32; PAGES] {
        &self.wear
    }

    /// Everything in flash, as a forensic reader sees it.
    pub fn dump(&self) -> &[u8] {
        self.bytes.as_flattened()
    }

    /// SplitMix64: small, seeded, good enough for noise.
    fn noise(&mut self) -> u64 {
        self.noise = self.noise.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.noise;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Counts an operation; `true` if it is the one to tear.
    fn is_torn(&mut self) -> Result<bool, Refused> {
        if self.dark {
            return Err(Refused::Dark);
        }
        match self.until_cut.as_mut() {
            Some(0) => self.dark = true,
            Some(left) => *left -= 1,
            None => {}
        }
        Ok(self.dark)
    }

    /// What a word reads as when the change from `old` to `new` is torn.
    fn torn(&mut self, old: [u8; WORD], new: [u8; WORD]) -> [u8; WORD] {
        let (old, new) = (u64::from_le_bytes(old), u64::from_le_bytes(new));
        let (style, mask) = (self.noise() % 5, self.noise());
        let word = match style {
            0 => old,
            1 => new,
            2 => (old & mask) | (new & !mask),
            3 => mask,
            _ => u64::MAX,
        };
        word.to_le_bytes()
    }

    fn word(&mut self, page: usize, at: usize) -> &mut [u8; WORD] {
        self.bytes[page][at..].first_chunk_mut().expect("at is a whole word inside the page")
    }

    fn program(&mut self, offset: usize, mut new: [u8; WORD]) -> Result<(), Refused> {
        let (page, at) = (offset / PAGE, offset % PAGE);
        if !self.dark && !self.erased[page][at] && new != [0; WORD] {
            return Err(Refused::NotErased);
        }
        let torn = self.is_torn()?;
        self.counts.words += 1;
        self.erased[page][at] = false;
        match self.worn[page] {
            Some(Worn::WriteFails) => return Err(Refused::Worn),
            Some(Worn::BitSticks) => new[0] ^= 1,
            _ => {}
        }
        if torn {
            let old = *self.word(page, at);
            new = self.torn(old, new);
        }
        *self.word(page, at) = new;
        if torn { Err(Refused::Dark) } else { Ok(()) }
    }

    fn erase_page(&mut self, page: usize) -> Result<(), Refused> {
        let torn = self.is_torn()?;
        self.counts.erases += 1;
        self.wear[page] += 1;
        if self.worn[page] == Some(Worn::EraseFails) {
            return Err(Refused::Worn);
        }
        if torn {
            return Err(self.tear_page(page));
        }
        self.bytes[page] = [BLANK; PAGE];
        self.erased[page] = [true; PAGE];
        self.weak[page] = false;
        Ok(())
    }

    /// What a page is like whose erase the power cut stopped.
    fn tear_page(&mut self, page: usize) -> Refused {
        if self.weak_erases {
            self.bytes[page] = [BLANK; PAGE];
            self.erased[page] = [true; PAGE];
            self.weak[page] = true;
            return Refused::Dark;
        }
        // Some tears leave the whole page looking untouched, some looking blank.
        let whole_page = self.noise() % 4;
        self.erased[page] = [false; PAGE];
        for at in (0..PAGE).step_by(WORD) {
            let old = *self.word(page, at);
            *self.word(page, at) = match whole_page {
                0 => old,
                1 => [BLANK; WORD],
                _ => self.torn(old, [BLANK; WORD]),
            };
        }
        Refused::Dark
    }

    fn is_free(&self) -> Result<(), Refused> {
        if self.erasing.is_some() && !self.dark { Err(Refused::Busy) } else { Ok(()) }
    }
}

impl<const PAGE: usize, const PAGES: usize> ErrorType for NorModel<PAGE, PAGES> {
    type Error = Refused;
}

impl<const PAGE: usize, const PAGES: usize> ReadNorFlash for NorModel<PAGE, PAGES> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Refused> {
        check_read(self, offset, bytes.len()).map_err(Refused::Misuse)?;
        self.is_free()?;
        if self.dark {
            return Err(Refused::Dark);
        }
        self.counts.bytes_read += bytes.len() as u64;
        let from = offset as usize;
        bytes.copy_from_slice(&self.bytes.as_flattened()[from..from + bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        PAGE * PAGES
    }
}

impl<const PAGE: usize, const PAGES: usize> NorFlash for NorModel<PAGE, PAGES> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = PAGE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Refused> {
        check_erase(self, from, to).map_err(Refused::Misuse)?;
        self.is_free()?;
        (from as usize / PAGE..to as usize / PAGE).try_for_each(|page| self.erase_page(page))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Refused> {
        check_write(self, offset, bytes.len()).map_err(Refused::Misuse)?;
        self.is_free()?;
        let (words, _) = bytes.as_chunks::<WORD>();
        (offset as usize..)
            .step_by(WORD)
            .zip(words)
            .try_for_each(|(at, word)| self.program(at, *word))
    }
}

impl<const PAGE: usize, const PAGES: usize> EraseInSteps for NorModel<PAGE, PAGES> {
    fn start_erase(&mut self, at: u32) -> Result<(), Refused> {
        check_erase(self, at, at + PAGE as u32).map_err(Refused::Misuse)?;
        self.is_free()?;
        self.erasing = Some((at as usize / PAGE, 0));
        if self.dark { Err(Refused::Dark) } else { Ok(()) }
    }

    fn erase_ended(&mut self) -> Result<bool, Refused> {
        let Some((page, looks)) = self.erasing else { return Ok(true) };
        if looks == ERASE_LOOKS {
            self.erasing = None;
            return self.erase_page(page).map(|()| true);
        }
        self.erasing = Some((page, looks + 1));
        if self.is_torn()? {
            return Err(self.tear_page(page));
        }
        self.counts.looks += 1;
        Ok(false)
    }
}
