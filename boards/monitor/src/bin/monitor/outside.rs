//! What lies outside the models: memory, QEMU's own ports, and the host's files.

use core::fmt;

use monitor::{Outside, Stream, Width};

use crate::arguments::{Arguments, hex};
use crate::processor::{self, Allowed, load, store};
use crate::semihosting::{File, Mode, exit};

const FLASH: u32 = 0x0800_0000;
const GPIO: u32 = 0x4800_0000;
/// The store's window, from the start of flash.
pub(crate) const WINDOW: u32 = 0x000F_8000;
/// Bytes of the window.
pub(crate) const WINDOW_BYTES: u32 = 0x8000;
/// The region of the memory protection unit that guards the window.
const WINDOW_REGION: u32 = 6;
const WORDS: u32 = WINDOW_BYTES / 8;
/// A run that broke a rule of the manual ends with this.
pub(crate) const BREACH_EXIT: u32 = 70;
/// A monitor that cannot go on ends with this.
pub(crate) const LOST_EXIT: u32 = 71;

/// The host's files, and the channel to the bench.
pub(crate) struct Host {
    out: Option<File>,
    log: Option<File>,
    nor: Option<File>,
    torn: Option<File>,
    noise: Option<File>,
    film: Option<File>,
    arguments: Arguments,
    rtt: Option<u32>,
    pending: [u8; 768],
    filled: usize,
    marks: [u32; WORDS as usize / 32],
    marked: u32,
    reads_trap: bool,
    /// Flash steps until the power is gone.
    pub cut: Option<u32>,
}

impl Host {
    /// Opens what the command line names. Into a place of its own: it is large.
    pub(crate) fn open() -> Self {
        let arguments = Arguments::ask();
        let open = |key, mode| arguments.path(key).and_then(|path| File::open(path, mode));
        let changeable = |key| open(key, Mode::Change).or_else(|| open(key, Mode::Create));
        let (out, nor, torn) = (open("out", Mode::Write), changeable("nor"), changeable("torn"));
        let noise = open("entropy", Mode::Read);
        let rtt = arguments.value("rtt").and_then(hex);
        Self {
            out,
            log: File::open(b":tt\0", Mode::Write),
            nor,
            torn,
            noise,
            film: None,
            rtt,
            arguments,
            pending: [0; 768],
            filled: 0,
            marks: [0; WORDS as usize / 32],
            marked: 0,
            reads_trap: false,
            cut: None,
        }
    }

    /// What the bench has said.
    pub(crate) fn arguments(&self) -> &Arguments {
        &self.arguments
    }

    /// Brings the store's file into flash, made whole if it is new or short.
    pub(crate) fn fill_flash(&mut self) {
        let Some(nor) = self.nor else { return };
        let (erased, mut at) = ([0xFF; 256], nor.length() & !255);
        nor.seek(at);
        while at < WINDOW_BYTES {
            nor.write(&erased);
            at += 256;
        }
        nor.seek(0);
        nor.read_to(FLASH + WINDOW, WINDOW_BYTES);
        if let Some(torn) = self.torn {
            self.read_marks(torn);
        }
        self.reads_trap = self.marked > 0;
        self.guard_window();
    }

    fn read_marks(&mut self, torn: File) {
        let (none, mut at) = ([0; 256], torn.length() & !255);
        torn.seek(at);
        while at < WORDS {
            torn.write(&none);
            at += 256;
        }
        torn.seek(0);
        let mut block = [0; 256];
        for first in (0..WORDS).step_by(256) {
            torn.read(&mut block);
            for (word, _) in (first..).zip(block).filter(|(_, mark)| *mark != 0) {
                self.mark(word, true);
            }
        }
    }

    fn mark(&mut self, word: u32, torn: bool) -> bool {
        let Some(bits) = self.marks.get_mut(word as usize / 32) else { return false };
        let bit = 1 << (word % 32);
        let changed = (*bits & bit != 0) != torn;
        if changed {
            *bits ^= bit;
            self.marked = if torn { self.marked + 1 } else { self.marked.saturating_sub(1) };
        }
        changed
    }

    /// Reads of the window trap only when it holds a torn word: the rest reads at full speed.
    fn guard_window(&self) {
        let allowed = if self.reads_trap { Allowed::Nothing } else { Allowed::Reading };
        processor::close(WINDOW_REGION, FLASH + WINDOW, WINDOW_BYTES, 0, allowed);
    }

    /// Says something to the bench, in words.
    pub(crate) fn say(&mut self, words: fmt::Arguments<'_>) {
        let mut text = Text { bytes: [0; 240], length: 0 };
        let _ = fmt::write(&mut text, words); // what does not fit is cut
        let said = text.bytes.get(..text.length).unwrap_or_default();
        self.send(Stream::Words, said);
    }

    /// Hands everything that is pending to the bench.
    pub(crate) fn flush(&mut self) {
        if self.filled > 0 {
            if let Some(out) = self.out {
                out.write(self.pending.get(..self.filled).unwrap_or_default());
            }
            self.filled = 0;
        }
        self.drain_log();
    }

    /// Passes on what the image has written to its RTT buffer, as a probe would.
    fn drain_log(&mut self) {
        const ID: u32 = u32::from_le_bytes(*b"SEGG");
        let (Some(block), Some(log)) = (self.rtt, self.log) else { return };
        let up = block + 24; // the first up channel: name, buffer, size, written, read, flags
        let (written, read) = (load(up + 12), load(up + 16));
        if written == read || load(block) != ID {
            return;
        }
        let (buffer, size) = (load(up + 4), load(up + 8));
        let end = buffer.saturating_add(size);
        let in_sram1 = buffer >= 0x2000_0000 && end <= 0x2001_8000;
        let in_sram2 = buffer >= 0x1000_0000 && end <= 0x1000_1FF0;
        if !(in_sram1 || in_sram2) || written >= size || read >= size {
            return;
        }
        if written > read {
            write_memory_to(log, buffer + read, written - read);
        } else {
            write_memory_to(log, buffer + read, size - read);
            write_memory_to(log, buffer, written);
        }
        store(up + 16, written);
    }

    /// Ends the run.
    pub(crate) fn end(&mut self, code: u32) -> ! {
        self.flush();
        exit(code)
    }
}

fn write_memory_to(file: File, address: u32, length: u32) {
    if length > 0 {
        // SAFETY: within the chip's RAM, as the caller has checked; the image does not run.
        file.write(unsafe { core::slice::from_raw_parts(address as *const u8, length as usize) });
    }
}

struct Text {
    bytes: [u8; 240],
    length: usize,
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            *self.bytes.get_mut(self.length).ok_or(fmt::Error)? = byte;
            self.length += 1;
        }
        Ok(())
    }
}

impl Outside for Host {
    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) {
        for (at, byte) in (address..).zip(bytes) {
            // SAFETY: the DMA model keeps to RAM and flash.
            *byte = unsafe { (at as *const u8).read_volatile() };
        }
    }

    fn write_memory(&mut self, address: u32, bytes: &[u8]) {
        for (at, byte) in (address..).zip(bytes) {
            // SAFETY: the DMA model keeps to RAM; the image gave the buffer to DMA.
            unsafe { (at as *mut u8).write_volatile(*byte) };
        }
    }

    fn noise(&mut self) -> Option<u32> {
        // Word by word, so that a test's tape is used up exactly; its end is a silent source.
        let mut word = [0; 4];
        self.noise?.read(&mut word).then(|| u32::from_le_bytes(word))
    }

    fn send(&mut self, stream: Stream, bytes: &[u8]) {
        if self.filled + bytes.len() + 3 > self.pending.len() {
            self.flush();
        }
        let [low, high, ..] = (bytes.len() as u32).to_le_bytes();
        for byte in [stream as u8, low, high].into_iter().chain(bytes.iter().copied()) {
            if let Some(place) = self.pending.get_mut(self.filled) {
                *place = byte;
                self.filled += 1;
            }
        }
    }

    fn film(&mut self, offset: u32, bytes: &mut [u8]) -> bool {
        if offset == 0 || self.film.is_none() {
            if let Some(old) = self.film.take() {
                old.close();
            }
            let path = self.arguments.path("film");
            self.film = path.and_then(|path| File::open(path, Mode::Read));
        }
        self.film.is_some_and(|film| film.seek(offset) && film.read(bytes))
    }

    fn gpio_load(&mut self, port: u8, offset: u32) -> u32 {
        load(GPIO + 0x400 * u32::from(port) + offset)
    }

    fn gpio_store(&mut self, port: u8, offset: u32, width: Width, value: u32) {
        let address = GPIO + 0x400 * u32::from(port) + offset;
        match width {
            Width::Word => store(address, value),
            // SAFETY: a register of a port that QEMU models.
            Width::Half => unsafe { (address as *mut u16).write_volatile(value as u16) },
            // SAFETY: the same.
            Width::Byte => unsafe { (address as *mut u8).write_volatile(value as u8) },
        }
    }

    fn flash_word(&mut self, offset: u32) -> [u8; 8] {
        let at = FLASH + (offset & !7);
        let (low, high) = (u64::from(load(at)), u64::from(load(at + 4)));
        (high << 32 | low).to_le_bytes()
    }

    fn put_flash(&mut self, offset: u32, bytes: &[u8]) {
        let Some(nor) = self.nor else { return };
        let place = offset.saturating_sub(WINDOW);
        nor.seek(place);
        nor.write(bytes);
        nor.seek(place);
        nor.read_to(FLASH + offset, bytes.len() as u32);
    }

    fn is_torn(&mut self, offset: u32) -> bool {
        let word = offset.saturating_sub(WINDOW) / 8;
        self.marks.get(word as usize / 32).is_some_and(|bits| bits >> (word % 32) & 1 == 1)
    }

    fn set_torn(&mut self, offset: u32, torn: bool) {
        let word = offset.saturating_sub(WINDOW) / 8;
        if !self.mark(word, torn) {
            return;
        }
        if let Some(file) = self.torn {
            file.seek(word);
            file.write(&[u8::from(torn)]);
        }
        if self.marked == 0 && self.reads_trap {
            self.reads_trap = false;
            self.guard_window();
        }
    }

    fn flash_step(&mut self) {
        match self.cut {
            Some(0 | 1) => self.end(0),
            Some(left) => self.cut = Some(left - 1),
            None => {}
        }
    }
}
