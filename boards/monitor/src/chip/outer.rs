//! The chip's outer side: what the bench attaches, sends, breaks and asks.

use super::Chip;
use super::block::Block;
use crate::breach::Breach;
use crate::context::{Context, Ns, Outside, Stream};
use crate::models::gpio::Pin;
use crate::models::usart::Usart;
use crate::parts::SpiBus;
use crate::parts::scan_head::ScanHead;
use crate::parts::shift_register::ShiftRegister;

impl Chip {
    /// Puts a scan head on SPI1, selected by `select`.
    pub fn attach_head(&mut self, select: Pin) {
        self.bus = SpiBus::Head(ScanHead::new());
        self.gpio.watch(select);
    }

    /// Puts the chain of shift registers on SPI1, loaded by `load`; `exact` when time goes with
    /// instructions.
    pub fn attach_chain(&mut self, load: Pin, exact: bool) {
        self.bus = SpiBus::Chain(ShiftRegister::new(exact));
        self.gpio.watch(load);
    }

    /// How late the image may be to read a byte or a frame: not at all when time goes with
    /// instructions. Where time is the host's, whatever the host did meanwhile is against the
    /// image.
    pub fn set_patience(&mut self, exact: bool) {
        let patience = if exact { 0 } else { 50_000_000 };
        self.usart1.set_patience(patience);
        self.uart4.set_patience(patience);
        self.can.set_patient(!exact);
    }

    /// Sets the shift registers' inputs; false when there are none.
    pub fn set_chain(&mut self, inputs: u16) -> bool {
        let SpiBus::Chain(chain) = &mut self.bus else { return false };
        chain.set_inputs(inputs);
        true
    }

    /// Lets a peripheral never finish what it does; false when there is no such.
    pub fn hold(&mut self, name: &[u8]) -> bool {
        match name {
            b"spi" => self.spi.set_held(true),
            b"uart4" => self.uart4.set_held(true),
            b"can" => self.can.set_held(true),
            _ => return false,
        }
        true
    }

    /// Bytes from the bench for a link; how many it took.
    pub fn receive(
        &mut self,
        stream: Stream,
        bytes: &[u8],
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Result<usize, Breach> {
        let (taken, block) = match stream {
            Stream::Link => (feed(&mut self.usart1, bytes, now), Block::Usart1),
            Stream::Motion => (feed(&mut self.uart4, bytes, now), Block::Uart4),
            _ => {
                let (clocks, lines) = (&self.clocks, &mut self.lines);
                let cx = &mut Context { now, clocks, lines, outside };
                (self.can.receive(bytes, cx), Block::Can)
            }
        };
        self.settle(block, now, outside)?;
        Ok(taken)
    }

    /// Whether the watchdog has run out.
    pub fn watchdog_bites(&self, now: Ns) -> bool {
        self.iwdg.bites(now)
    }

    /// How often the watchdog was fed.
    pub fn feeds(&self) -> u32 {
        self.iwdg.feeds()
    }

    /// The longest time that a byte of the table link waited to be read.
    pub fn link_wait(&self) -> Ns {
        self.usart1.longest_wait()
    }

    /// Bytes that a UART has lost because the one before was not read.
    pub fn uart_lost(&self) -> u32 {
        self.usart1.overruns().wrapping_add(self.uart4.overruns())
    }
}

/// Gives a UART as many bytes as it has room for.
fn feed(usart: &mut Usart, bytes: &[u8], now: Ns) -> usize {
    let taken = bytes.len().min(usart.room());
    usart.receive(bytes.get(..taken).unwrap_or_default(), now);
    taken
}
