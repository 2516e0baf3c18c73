//! All models of the chip behind one address decoder.
//!
//! An access goes to the model that has the address, after a look whether RCC gives that
//! peripheral its clock. What one model means to another is here and nowhere else: clocks
//! against wait states, resets by RCC, DMA between memory and SPI, pins of the parts on SPI.

mod block;
mod outer;
#[cfg(test)]
mod tests;

use block::{BLOCKS, Block, is_peripheral, unmodelled};

use crate::breach::Breach;
use crate::clocks::Clocks;
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::{Line, Lines};
use crate::models::can::Can;
use crate::models::dma::{self, Dma};
use crate::models::flash::{Flash, ReadOutcome};
use crate::models::gpio::Gpio;
use crate::models::iwdg::Iwdg;
use crate::models::pwr::Pwr;
use crate::models::rcc::{Rcc, ResetFlags};
use crate::models::rng::Rng;
use crate::models::spi::Spi;
use crate::models::timer::Timer;
use crate::models::usart::Usart;
use crate::parts::SpiBus;

/// The chip's modelled parts, and the table hardware's on its SPI.
pub struct Chip {
    rcc: Rcc,
    pwr: Pwr,
    /// The flash controller.
    pub flash: Flash,
    /// The random number generator.
    pub rng: Rng,
    /// The bus controller.
    pub can: Can,
    iwdg: Iwdg,
    tim5: Timer,
    tim7: Timer,
    spi: Spi,
    dma: Dma,
    usart1: Usart,
    usart3: Usart,
    uart4: Usart,
    /// Ports A to C.
    pub gpio: Gpio,
    bus: SpiBus,
    uid: [u32; 3],
    clocks: Clocks,
    lines: Lines,
    due: [Ns; BLOCKS.len()],
    next: Ns,
}

impl Chip {
    /// The chip after a reset for this cause.
    pub fn new(uid: [u32; 3], cause: ResetFlags) -> Self {
        let mut rcc = Rcc::new();
        rcc.set_reset_flags(cause);
        Self {
            rcc,
            pwr: Pwr::new(),
            flash: Flash::new(),
            rng: Rng::new(),
            can: Can::new(),
            iwdg: Iwdg::new(),
            tim5: Timer::new(Line::Tim5),
            tim7: Timer::new(Line::Tim7),
            spi: Spi::new(),
            dma: Dma::new(),
            usart1: Usart::new(Line::Usart1, Stream::Link),
            usart3: Usart::new(Line::Usart3, Stream::Display),
            uart4: Usart::one_wire(),
            gpio: Gpio::new(),
            bus: SpiBus::Nothing,
            uid,
            clocks: Clocks::RESET,
            lines: Lines::new(),
            due: [Ns::MAX; BLOCKS.len()],
            next: Ns::MAX,
        }
    }

    /// Loads from an address; none where nothing is mapped and the bus would refuse it.
    pub fn load(
        &mut self,
        address: u32,
        width: Width,
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Option<Result<u32, Breach>> {
        match address {
            0x1FFF_7590..=0x1FFF_759B => {
                return self.uid.get((address as usize - 0x1FFF_7590) / 4).copied().map(Ok);
            }
            0x1FFF_75E0 => return Some(Ok(1024)), // flash size in KiB (RM0351 49.2)
            _ => {}
        }
        let Some((block, offset)) = Block::at(address) else {
            return is_peripheral(address).then(|| Err(unmodelled(address)));
        };
        Some(self.gated_load(block, offset, width, now, outside))
    }

    /// Stores to an address; none as for [`Chip::load`].
    pub fn store(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Option<Result<(), Breach>> {
        let Some((block, offset)) = Block::at(address) else {
            return is_peripheral(address).then(|| Err(unmodelled(address)));
        };
        Some(self.gated_store(block, offset, width, value, now, outside))
    }

    fn check_gate(&self, block: Block) -> Result<(), Breach> {
        match block.gate() {
            Some((gate, name)) if !self.clocks.has(gate) => {
                let rule = "accessed while RCC gives it no clock (RM0351, peripheral clock enable)";
                Err(Breach::new(name, 0, rule))
            }
            _ => Ok(()),
        }
    }

    fn gated_load(
        &mut self,
        block: Block,
        offset: u32,
        width: Width,
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Result<u32, Breach> {
        self.check_gate(block)?;
        if matches!(block, Block::Spi | Block::Dma | Block::Usart3) {
            self.serve_dma(now, outside)?;
        }
        let (clocks, lines) = (&self.clocks, &mut self.lines);
        let cx = &mut Context { now, clocks, lines, outside };
        let value = match block {
            Block::Tim5 => self.tim5.load(offset, width, cx),
            Block::Tim7 => self.tim7.load(offset, width, cx),
            Block::Iwdg => self.iwdg.load(offset, width, cx),
            Block::Usart3 => self.usart3.load(offset, width, cx),
            Block::Uart4 => self.uart4.load(offset, width, cx),
            Block::Can => self.can.load(offset, width, cx),
            Block::Pwr => self.pwr.load(offset, width, cx),
            Block::Spi => self.spi.load(offset, width, cx),
            Block::Usart1 => self.usart1.load(offset, width, cx),
            Block::Dma => self.dma.load(offset, width, cx),
            Block::Rcc => self.rcc.load(offset, width, cx),
            Block::Flash => self.flash.load(offset, width, cx),
            Block::Rng => self.rng.load(offset, width, cx),
            Block::GpioA | Block::GpioB | Block::GpioC => {
                self.gpio.load(0x400 * block.port() + offset, width, cx)
            }
        }?;
        self.settle(block, now, outside)?;
        Ok(value)
    }

    fn gated_store(
        &mut self,
        block: Block,
        offset: u32,
        width: Width,
        value: u32,
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Result<(), Breach> {
        self.check_gate(block)?;
        if matches!(block, Block::Spi | Block::Dma | Block::Usart3) {
            self.serve_dma(now, outside)?;
        }
        let (clocks, lines) = (&self.clocks, &mut self.lines);
        let cx = &mut Context { now, clocks, lines, outside };
        match block {
            Block::Tim5 => self.tim5.store(offset, width, value, cx),
            Block::Tim7 => self.tim7.store(offset, width, value, cx),
            Block::Iwdg => self.iwdg.store(offset, width, value, cx),
            Block::Usart3 => self.usart3.store(offset, width, value, cx),
            Block::Uart4 => self.uart4.store(offset, width, value, cx),
            Block::Can => self.can.store(offset, width, value, cx),
            Block::Pwr => self.pwr.store(offset, width, value, cx),
            Block::Spi => self.spi.store(offset, width, value, cx),
            Block::Usart1 => self.usart1.store(offset, width, value, cx),
            Block::Dma => self.dma.store(offset, width, value, cx),
            Block::Rcc => self.rcc.store(offset, width, value, cx),
            Block::Flash => self.flash.store(offset, width, value, cx),
            Block::Rng => self.rng.store(offset, width, value, cx),
            Block::GpioA | Block::GpioB | Block::GpioC => {
                self.gpio.store(0x400 * block.port() + offset, width, value, cx)
            }
        }?;
        match block {
            Block::Rcc => self.follow_clocks(value)?,
            Block::Pwr => self.rcc.backup_unlocked = self.pwr.is_backup_unlocked(),
            Block::GpioA | Block::GpioB | Block::GpioC => self.follow_pins(now, outside)?,
            _ => {}
        }
        self.settle(block, now, outside)
    }

    /// After a change of RCC: clocks against wait states and voltage, and what was reset.
    fn follow_clocks(&mut self, value: u32) -> Result<(), Breach> {
        let clocks = self.rcc.clocks();
        if clocks != self.clocks {
            if clocks.hclk > self.clocks.hclk {
                self.flash.check_clock(clocks.hclk, "RCC", value)?;
                let states = self.flash.wait_states();
                self.pwr.check_clock(clocks.hclk, states, "RCC", value)?;
            }
            self.clocks = clocks;
        }
        let Some(reset) = self.rcc.take_resets() else { return Ok(()) };
        for block in BLOCKS {
            if block.gate().is_some_and(|(gate, _)| reset.has(gate)) {
                self.reset(block);
            }
        }
        Ok(())
    }

    fn reset(&mut self, block: Block) {
        match block {
            Block::Tim5 => self.tim5 = Timer::new(Line::Tim5),
            Block::Tim7 => self.tim7 = Timer::new(Line::Tim7),
            Block::Usart1 => self.usart1.reset(),
            Block::Usart3 => self.usart3.reset(),
            Block::Uart4 => self.uart4.reset(),
            Block::Can => self.can.reset(),
            Block::Spi => self.spi.reset(),
            Block::Dma => self.dma.reset(),
            Block::Rng => self.rng.reset(),
            _ => return,
        }
        if let Some(due) = self.due.get_mut(block as usize) {
            *due = Ns::MAX;
        }
    }

    /// Pins that the parts on SPI1 watch.
    fn follow_pins(&mut self, now: Ns, outside: &mut dyn Outside) -> Result<(), Breach> {
        while let Some((_, high)) = self.gpio.take_edge() {
            self.serve_dma(now, outside)?; // what was clocked before the edge
            let (clocks, lines) = (&self.clocks, &mut self.lines);
            self.bus.pin(high, &mut Context { now, clocks, lines, outside })?;
        }
        Ok(())
    }

    /// After an access: DMA, and when the block has something due.
    fn settle(&mut self, block: Block, now: Ns, outside: &mut dyn Outside) -> Result<(), Breach> {
        match block {
            Block::Spi | Block::Dma | Block::Usart3 => self.serve_dma(now, outside)?,
            Block::GpioA | Block::GpioB | Block::GpioC => return Ok(()),
            _ => self.note(block),
        }
        self.next = self.due.iter().copied().min().unwrap_or(Ns::MAX);
        Ok(())
    }

    fn serve_dma(&mut self, now: Ns, outside: &mut dyn Outside) -> Result<(), Breach> {
        let (clocks, lines) = (&self.clocks, &mut self.lines);
        let cx = &mut Context { now, clocks, lines, outside };
        dma::serve(&mut self.dma, &mut self.spi, &mut self.usart3, &mut self.bus, cx)?;
        [Block::Spi, Block::Dma, Block::Usart3].into_iter().for_each(|block| self.note(block));
        Ok(())
    }

    fn note(&mut self, block: Block) {
        let next = match block {
            Block::Tim5 => self.tim5.next(),
            Block::Tim7 => self.tim7.next(),
            Block::Iwdg => self.iwdg.next(),
            Block::Usart3 => self.usart3.next(),
            Block::Uart4 => self.uart4.next(),
            Block::Can => self.can.next(),
            Block::Pwr => self.pwr.next(),
            Block::Spi => self.spi.next(),
            Block::Usart1 => self.usart1.next(),
            Block::Dma => self.dma.next(),
            Block::Rcc => self.rcc.next(),
            Block::Flash => self.flash.next(),
            Block::Rng => self.rng.next(),
            Block::GpioA | Block::GpioB | Block::GpioC => None,
        };
        if let Some(due) = self.due.get_mut(block as usize) {
            *due = next.unwrap_or(Ns::MAX);
        }
    }

    /// Does everything that is due.
    pub fn advance(&mut self, now: Ns, outside: &mut dyn Outside) -> Result<(), Breach> {
        if self.next > now {
            return Ok(());
        }
        for block in BLOCKS {
            if self.due.get(block as usize).is_some_and(|due| *due <= now) {
                self.advance_one(block, now, outside)?;
            }
        }
        Ok(())
    }

    fn advance_one(
        &mut self,
        block: Block,
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Result<(), Breach> {
        let (clocks, lines) = (&self.clocks, &mut self.lines);
        let cx = &mut Context { now, clocks, lines, outside };
        match block {
            Block::Tim5 => self.tim5.advance(cx),
            Block::Tim7 => self.tim7.advance(cx),
            Block::Iwdg => self.iwdg.advance(cx),
            Block::Usart3 => self.usart3.advance(cx),
            Block::Uart4 => self.uart4.advance(cx),
            Block::Can => self.can.advance(cx),
            Block::Pwr => self.pwr.advance(cx),
            Block::Spi => self.spi.advance(cx),
            Block::Usart1 => self.usart1.advance(cx),
            Block::Dma => self.dma.advance(cx),
            Block::Rcc => self.rcc.advance(cx),
            Block::Flash => self.flash.advance(cx),
            Block::Rng => self.rng.advance(cx),
            Block::GpioA | Block::GpioB | Block::GpioC => Ok(()),
        }?;
        if block == Block::Rcc {
            self.follow_clocks(0)?;
        }
        self.settle(block, now, outside)
    }

    /// When something is due next; the end of time when nothing is.
    pub fn next(&self) -> Ns {
        self.next
    }

    /// A store into flash memory, `offset` from its start.
    pub fn program(
        &mut self,
        offset: u32,
        width: Width,
        value: u32,
        now: Ns,
        outside: &mut dyn Outside,
    ) -> Result<(), Breach> {
        let (clocks, lines) = (&self.clocks, &mut self.lines);
        let cx = &mut Context { now, clocks, lines, outside };
        self.flash.program(offset, width, value, cx)?;
        self.settle(Block::Flash, now, outside)
    }

    /// A read of the store's window; whether it met a torn word.
    pub fn read_flash(&mut self, offset: u32, now: Ns, outside: &mut dyn Outside) -> bool {
        let (clocks, lines) = (&self.clocks, &mut self.lines);
        let cx = &mut Context { now, clocks, lines, outside };
        matches!(self.flash.read_check(offset, cx), ReadOutcome::Torn)
    }

    /// Interrupt lines that were touched: words to raise and to lower.
    pub fn take_lines(&mut self) -> [(u32, u32); 3] {
        self.lines.take()
    }
}
