//! The flash controller: latency, caches, keys, programming, erasing, error correction.
//!
//! Errors that silicon reports are flags in `FLASH_SR`, for the driver to see. A breach is what
//! silicon would not report: lost wait states, stale caches, a stalled bus, code erased.

mod cache;
mod operation;
mod registers;
#[cfg(test)]
mod tests;

use crate::breach::Breach;
use crate::context::{Context, Ns, Width};
use crate::lanes::{merge, part};
use crate::lines::Line;
use cache::Access;
use operation::{BANK, Operation, PAGE};
use registers::*;

const WRONG_KEY: &str =
    "a wrong key or order locks FLASH_CR until the next reset (RM0351, unlocking the flash memory)";
const NOT_LOCKED: &str = "keys are for a locked FLASH_CR (RM0351, unlocking the flash memory)";
const LOCKED: &str = "FLASH_CR is locked: its keys come first (RM0351, unlocking the flash memory)";
const BUSY_CR: &str =
    "FLASH_CR is not written while BSY: the bus stalls (RM0351, unlocking the flash memory)";
const BUSY_STORE: &str = "no store into flash while BSY: the bus stalls (RM0351 3.3.5)";
const NO_KIND: &str = "STRT without PER or MER is unpredictable and forbidden (RM0351, FLASH_CR)";
const OUTSIDE: &str = "only the store's pages are programmed or erased: here is code";
const HALF_A_WORD: &str =
    "PG off with half a double word written: the array takes 64 bits at once (RM0351 3.3.7)";
const OPTION_BYTES: &str = "option bytes are not changed: this chip keeps those it came with";
const READ_ONLY: &str = "no such register to write";

/// A part of flash that the image may program, in bytes from the start of flash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
}

/// The store: the last 32 KiB of bank 2.
pub const STORE: Window = Window { start: 0x000F_8000, end: 0x0010_0000 };

/// What a read of flash meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOutcome {
    /// The word as it stands.
    Whole,
    /// A word beyond correction: `FLASH_ECCR` says where, and the processor gets an NMI.
    Torn,
    /// The bank is busy: the bus stalls until then, and the read is to be tried again.
    Stalls(Ns),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keys {
    None,
    First,
}

/// The flash controller.
#[derive(Debug, Clone)]
pub struct Flash {
    windows: &'static [Window],
    access: Access,
    /// Flags of FLASH_SR; BSY follows the operation.
    sr: u32,
    cr: u32,
    eccr: u32,
    keys: Keys,
    option_keys: Keys,
    /// The lower half of a double word, waiting for the upper.
    half: Option<(u32, u32)>,
    operation: Option<Operation>,
    words_programmed: u32,
    pages_erased: u32,
}

impl Default for Flash {
    fn default() -> Self {
        Self::new()
    }
}

impl Flash {
    /// As after reset: locked, caches on, no wait states; the image may program the store.
    pub const fn new() -> Self {
        Self::with_windows(&[STORE])
    }

    /// The same with other parts of flash that the image may program.
    pub const fn with_windows(windows: &'static [Window]) -> Self {
        Self {
            windows,
            access: Access::new(),
            sr: 0,
            cr: cr::LOCK | cr::OPTLOCK,
            eccr: 0,
            keys: Keys::None,
            option_keys: Keys::None,
            half: None,
            operation: None,
            words_programmed: 0,
            pages_erased: 0,
        }
    }

    /// Whether the wait states suffice for `hclk` in voltage range 1; `register` and `value` are
    /// what has set the clock.
    pub fn check_clock(&self, hclk: u32, register: &'static str, value: u32) -> Result<(), Breach> {
        self.access.check_clock(hclk, register, value)
    }

    /// Wait states as set.
    pub fn wait_states(&self) -> u32 {
        self.access.wait_states()
    }

    /// Whether error correction holds the NMI line: ECCD is set.
    pub fn nmi(&self) -> bool {
        self.eccr & eccr::ECCD != 0
    }

    /// Double words programmed since reset.
    pub fn words_programmed(&self) -> u32 {
        self.words_programmed
    }

    /// Pages erased since reset.
    pub fn pages_erased(&self) -> u32 {
        self.pages_erased
    }

    /// Reads a register.
    pub fn load(&mut self, offset: u32, width: Width, cx: &mut Context<'_>) -> Result<u32, Breach> {
        self.advance(cx)?;
        let busy = self.operation.is_some();
        let word = match offset & !3 {
            ACR => self.access.read(),
            PDKEYR | KEYR | OPTKEYR => 0,
            SR => self.sr | if busy { sr::BSY } else { 0 },
            CR => self.cr | if self.is_erasing() { cr::STRT } else { 0 },
            ECCR => self.eccr,
            at => option(at).ok_or(Breach::new("FLASH", offset, "no such register"))?,
        };
        Ok(part(word, offset, width))
    }

    /// Writes a register.
    pub fn store(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        self.advance(cx)?;
        let alone = merge(0, offset, width, value);
        match offset & !3 {
            ACR => {
                let value = merge(self.access.read(), offset, width, value);
                self.access.write(value, cx.clocks.hclk, self.operation.is_some())?;
            }
            KEYR => self.key(alone)?,
            OPTKEYR => self.option_key(alone)?,
            SR => self.sr &= !(alone & sr::FLAGS),
            CR => self.store_cr(merge(self.cr, offset, width, value), cx)?,
            ECCR => {
                let interrupt = merge(self.eccr, offset, width, value) & eccr::ECCIE;
                let left = self.eccr & !(alone & eccr::ECCD) & !eccr::ECCIE;
                // With its flag the address goes too.
                self.eccr = interrupt | if left & eccr::ECCD != 0 { left } else { 0 };
            }
            PDKEYR => return Err(Breach::new("FLASH_PDKEYR", value, cache::POWER_DOWN)),
            at if option(at).is_some() => {
                return Err(Breach::new("FLASH_OPTR", value, OPTION_BYTES));
            }
            _ => return Err(Breach::new("FLASH", offset, READ_ONLY)),
        }
        self.set_line(cx);
        Ok(())
    }

    /// A store into the memory itself, `offset` from the start of flash.
    pub fn program(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        self.advance(cx)?;
        if self.operation.is_some() {
            return Err(Breach::new("FLASH_SR", self.sr | sr::BSY, BUSY_STORE));
        }
        if !self.may_change(offset, 1) {
            return Err(Breach::new("flash memory", offset, OUTSIDE));
        }
        if let Err(flag) = self.accept(offset, width) {
            self.half = None;
            self.fail(flag, cx);
            return Ok(());
        }
        match self.half.take() {
            None => self.half = Some((offset, value)),
            Some((lower, low)) => self.program_word(lower, low, value, cx)?,
        }
        Ok(())
    }

    /// A read of the memory itself, before it is carried out.
    pub fn read_check(&mut self, offset: u32, cx: &mut Context<'_>) -> ReadOutcome {
        // An advance cannot fail; were it to, the next register access would say so.
        let _ = self.advance(cx);
        if let Some(operation) = self.operation.filter(|it| it.bank() == offset / BANK) {
            return ReadOutcome::Stalls(operation.end());
        }
        if !self.may_change(offset, 1) || !cx.outside.is_torn(offset & !7) {
            return ReadOutcome::Whole;
        }
        // The first error's address stays until its flag is cleared (RM0351 3.3.2).
        if !self.nmi() {
            let bank = if offset / BANK == 1 { eccr::BK_ECC } else { 0 };
            let address = (offset & !7) % BANK;
            self.eccr = self.eccr & eccr::ECCIE | eccr::ECCD | bank | address;
        }
        ReadOutcome::Torn
    }

    /// Goes on with the operation under way.
    pub fn advance(&mut self, cx: &mut Context<'_>) -> Result<(), Breach> {
        while let Some(operation) = self.operation.filter(|it| it.next() <= cx.now) {
            self.operation = operation.step(cx.outside);
            if self.operation.is_none() {
                self.end(operation.is_erase(), cx);
            }
        }
        Ok(())
    }

    /// When the operation under way takes its next step.
    pub fn next(&self) -> Option<Ns> {
        self.operation.map(|it| it.next())
    }

    fn is_erasing(&self) -> bool {
        self.operation.is_some_and(|it| it.is_erase())
    }

    fn may_change(&self, offset: u32, bytes: u32) -> bool {
        let end = offset.saturating_add(bytes);
        self.windows.iter().any(|window| window.start <= offset && end <= window.end)
    }

    fn set_line(&self, cx: &mut Context<'_>) {
        let end = self.sr & sr::EOP != 0 && self.cr & cr::EOPIE != 0;
        let error = self.sr & sr::OPERR != 0 && self.cr & cr::ERRIE != 0;
        cx.lines.set(Line::Flash, end || error);
    }

    /// An operation is over; EOP is set only with its interrupt on (RM0351, FLASH_SR).
    fn end(&mut self, erased: bool, cx: &mut Context<'_>) {
        let count = if erased { &mut self.pages_erased } else { &mut self.words_programmed };
        *count = count.saturating_add(1);
        if self.cr & cr::EOPIE != 0 {
            self.sr |= sr::EOP;
        }
        self.set_line(cx);
    }

    /// An operation is refused; OPERR is set only with its interrupt on (RM0351, FLASH_SR).
    fn fail(&mut self, flag: u32, cx: &mut Context<'_>) {
        self.sr |= flag;
        if self.cr & cr::ERRIE != 0 {
            self.sr |= sr::OPERR;
        }
        self.set_line(cx);
    }

    /// Whether a store into the memory fits the sequence; else its error flag (RM0351 3.3.7).
    fn accept(&self, offset: u32, width: Width) -> Result<(), u32> {
        let is_ready = self.cr & cr::LOCK == 0 && self.sr & sr::ERRORS == 0;
        let modes = cr::PG | cr::PER | cr::MER1 | cr::MER2 | cr::FSTPG;
        // Fast programming needs its bank erased whole, which no image here may do.
        if !is_ready || self.cr & modes != cr::PG {
            return Err(sr::PGSERR);
        }
        if width != Width::Word {
            return Err(sr::SIZERR);
        }
        let expected = match self.half {
            None => offset & !7,
            Some((lower, _)) => lower | 4,
        };
        if offset == expected { Ok(()) } else { Err(sr::PGAERR) }
    }

    fn program_word(
        &mut self,
        offset: u32,
        low: u32,
        high: u32,
        cx: &mut Context<'_>,
    ) -> Result<(), Breach> {
        // A torn word that reads blank is not: its correction bits are spent.
        let is_erased = cx.outside.flash_word(offset) == [0xFF; 8] && !cx.outside.is_torn(offset);
        if !is_erased && (low, high) != (0, 0) {
            self.fail(sr::PROGERR, cx);
            return Ok(());
        }
        self.access.start("flash memory", offset)?;
        let data = (u64::from(high) << 32 | u64::from(low)).to_le_bytes();
        self.operation = Some(Operation::program(offset, data, cx.now, cx.outside));
        Ok(())
    }

    fn key(&mut self, value: u32) -> Result<(), Breach> {
        if self.cr & cr::LOCK == 0 {
            return Err(Breach::new("FLASH_KEYR", value, NOT_LOCKED));
        }
        match (self.keys, value) {
            (Keys::None, 0x4567_0123) => self.keys = Keys::First,
            (Keys::First, 0xCDEF_89AB) => {
                self.keys = Keys::None;
                self.cr &= !cr::LOCK;
            }
            _ => return Err(Breach::new("FLASH_KEYR", value, WRONG_KEY)),
        }
        Ok(())
    }

    fn option_key(&mut self, value: u32) -> Result<(), Breach> {
        let is_due = self.cr & cr::LOCK == 0 && self.cr & cr::OPTLOCK != 0;
        match (self.option_keys, value) {
            (Keys::None, 0x0819_2A3B) if is_due => self.option_keys = Keys::First,
            (Keys::First, 0x4C5D_6E7F) if is_due => {
                self.option_keys = Keys::None;
                self.cr &= !cr::OPTLOCK;
            }
            _ => return Err(Breach::new("FLASH_OPTKEYR", value, WRONG_KEY)),
        }
        Ok(())
    }

    fn store_cr(&mut self, value: u32, cx: &mut Context<'_>) -> Result<(), Breach> {
        let breach = |rule| Err(Breach::new("FLASH_CR", value, rule));
        if self.operation.is_some() {
            return breach(BUSY_CR);
        }
        if self.cr & cr::LOCK != 0 {
            return breach(LOCKED);
        }
        if value & (cr::OPTSTRT | cr::OBL_LAUNCH) != 0 {
            return breach(OPTION_BYTES);
        }
        if self.half.is_some() && value & cr::PG == 0 {
            return breach(HALF_A_WORD);
        }
        // The locks are set here and cleared by key alone.
        let locks = (self.cr | value) & cr::OPTLOCK | value & cr::LOCK;
        self.cr = value & cr::KEPT | locks;
        let programs = value & (cr::PG | cr::FSTPG) != 0;
        if programs && value & (cr::PER | cr::MER1 | cr::MER2) != 0 {
            self.fail(sr::PGSERR, cx);
        }
        if value & cr::STRT != 0 { self.erase(value, cx) } else { Ok(()) }
    }

    fn erase(&mut self, value: u32, cx: &mut Context<'_>) -> Result<(), Breach> {
        let all = value & (cr::MER1 | cr::MER2) != 0;
        if value & cr::PER == 0 && !all {
            return Err(Breach::new("FLASH_CR", value, NO_KIND));
        }
        if self.sr & sr::ERRORS != 0 {
            self.fail(sr::PGSERR, cx);
            return Ok(());
        }
        let bank = if value & cr::BKER != 0 { BANK } else { 0 };
        let page = bank + (value >> cr::PNB_SHIFT & 0xFF) * PAGE;
        if all || !self.may_change(page, PAGE) {
            return Err(Breach::new("FLASH_CR", value, OUTSIDE));
        }
        self.access.start("FLASH_CR", value)?;
        self.operation = Some(Operation::erase(page, cx.now, cx.outside));
        Ok(())
    }
}
