//! What a model sees of the rest while it carries out one access.

use crate::clocks::Clocks;
use crate::lines::Lines;

/// Nanoseconds of the device's time since its reset.
pub type Ns = u64;

/// How much of a register an access takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// 8 bits.
    Byte,
    /// 16 bits.
    Half,
    /// 32 bits.
    Word,
}

/// A stream of bytes between the chip and the bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Stream {
    /// Words: control from the bench, complaints to it.
    Words = 0,
    /// USART1: the table link.
    Link = 1,
    /// The CAN bus, as slcan text.
    Bus = 2,
    /// USART3: the text display.
    Display = 3,
    /// UART4: the motion controller.
    Motion = 4,
}

/// What lies outside the models: the rest of the chip, its memory, and the bench.
pub trait Outside {
    /// Reads the chip's memory, for DMA.
    fn read_memory(&mut self, address: u32, bytes: &mut [u8]);
    /// Writes the chip's memory, for DMA.
    fn write_memory(&mut self, address: u32, bytes: &[u8]);
    /// The next word of noise; none when the source has fallen silent.
    fn noise(&mut self) -> Option<u32>;
    /// Sends bytes to the bench.
    fn send(&mut self, stream: Stream, bytes: &[u8]);
    /// Reads what the scan head sees, from `offset` of its film; false when it sees nothing.
    fn film(&mut self, offset: u32, bytes: &mut [u8]) -> bool;
    /// A register of a GPIO port that QEMU models; 0 is port A.
    fn gpio_load(&mut self, port: u8, offset: u32) -> u32;
    /// Writes a register of a GPIO port that QEMU models.
    fn gpio_store(&mut self, port: u8, offset: u32, width: Width, value: u32);
    /// Eight bytes of flash, at `offset` from the start of flash, as they read.
    fn flash_word(&mut self, offset: u32) -> [u8; 8];
    /// Puts bytes into flash, where they outlast a power cut; within the store's window.
    fn put_flash(&mut self, offset: u32, bytes: &[u8]);
    /// Whether the word at `offset` has an error that its correction cannot mend.
    fn is_torn(&mut self, offset: u32) -> bool;
    /// Marks the word at `offset` as torn, or as whole; outlasts a power cut.
    fn set_torn(&mut self, offset: u32, torn: bool);
    /// A flash operation goes one step on: where a bench may cut the power.
    fn flash_step(&mut self);
}

/// One moment of one model's work.
pub struct Context<'a> {
    /// The device's time.
    pub now: Ns,
    /// The clocks as RCC has set them.
    pub clocks: &'a Clocks,
    /// The interrupt lines into the processor.
    pub lines: &'a mut Lines,
    /// Everything else.
    pub outside: &'a mut dyn Outside,
}
