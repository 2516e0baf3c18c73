//! All models of the chip behind one address decoder.
//!
//! An access goes to the model that has the address, after a look whether RCC gives that
//! peripheral its clock. What one model means to another is here and nowhere else: clocks
//! against wait states, resets by RCC, DMA between memory and SPI, pins of the parts on SPI.

use crate::breach::Breach;
use crate::clocks::{Clocks, Gate};
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::{Line, Lines};
use crate::models::can::Can;
use crate::models::dma::{self, Dma};
use crate::models::flash::{Flash, ReadOutcome};
use crate::models::gpio::{Gpio, Pin};
use crate::models::iwdg::Iwdg;
use crate::models::pwr::Pwr;
use crate::models::rcc::{Rcc, ResetFlags};
use crate::models::rng::Rng;
use crate::models::spi::Spi;
use crate::models::timer::Timer;
use crate::models::usart::Usart;
use crate::parts::SpiBus;
use crate::parts::scan_head::ScanHead;
use crate::parts::shift_register::ShiftRegister;

/// A peripheral that is modelled here; those that can have something due come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Tim5,
    Tim7,
    Iwdg,
    Usart3,
    Uart4,
    Can,
    Pwr,
    Spi,
    Usart1,
    Dma,
    Rcc,
    Flash,
    Rng,
    GpioA,
    GpioB,
    GpioC,
}

/// Blocks that can have something due, in the order of their numbers.
const BLOCKS: [Block; 13] = [
    Block::Tim5,
    Block::Tim7,
    Block::Iwdg,
    Block::Usart3,
    Block::Uart4,
    Block::Can,
    Block::Pwr,
    Block::Spi,
    Block::Usart1,
    Block::Dma,
    Block::Rcc,
    Block::Flash,
    Block::Rng,
];

impl Block {
    /// The block at an address, and the offset in it (RM0351 2.2.2).
    fn at(address: u32) -> Option<(Self, u32)> {
        let block = match address & !0x3FF {
            0x4000_0C00 => Self::Tim5,
            0x4000_1400 => Self::Tim7,
            0x4000_3000 => Self::Iwdg,
            0x4000_4800 => Self::Usart3,
            0x4000_4C00 => Self::Uart4,
            0x4000_6400 => Self::Can,
            0x4000_7000 => Self::Pwr,
            0x4001_3000 => Self::Spi,
            0x4001_3800 => Self::Usart1,
            0x4002_0000 => Self::Dma,
            0x4002_1000 => Self::Rcc,
            0x4002_2000 => Self::Flash,
            0x5006_0800 => Self::Rng,
            0x4800_0000 => Self::GpioA,
            0x4800_0400 => Self::GpioB,
            0x4800_0800 => Self::GpioC,
            _ => return None,
        };
        Some((block, address & 0x3FF))
    }

    /// The port, for a GPIO block.
    fn port(self) -> u32 {
        match self {
            Self::GpioB => 1,
            Self::GpioC => 2,
            _ => 0,
        }
    }

    /// What must be on before an access, and the words for when it is not. The watchdog and RCC
    /// need nothing; flash's registers answer without the clock that sleep mode takes from it.
    fn gate(self) -> Option<(Gate, &'static str)> {
        Some(match self {
            Self::Tim5 => (Gate::Tim5, "TIM5"),
            Self::Tim7 => (Gate::Tim7, "TIM7"),
            Self::Usart3 => (Gate::Usart3, "USART3"),
            Self::Uart4 => (Gate::Uart4, "UART4"),
            Self::Can => (Gate::Can1, "CAN1"),
            Self::Pwr => (Gate::Pwr, "PWR"),
            Self::Spi => (Gate::Spi1, "SPI1"),
            Self::Usart1 => (Gate::Usart1, "USART1"),
            Self::Dma => (Gate::Dma1, "DMA1"),
            Self::Rng => (Gate::Rng, "RNG"),
            Self::GpioA => (Gate::Gpio(0), "GPIOA"),
            Self::GpioB => (Gate::Gpio(1), "GPIOB"),
            Self::GpioC => (Gate::Gpio(2), "GPIOC"),
            Self::Iwdg | Self::Rcc | Self::Flash => return None,
        })
    }
}

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

    /// Loads from an address; none when it is nobody's and the bus would refuse it.
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
            Block::Can => self.can = Can::new(),
            Block::Spi => self.spi.reset(),
            Block::Dma => self.dma.reset(),
            Block::Rng => self.rng = Rng::new(),
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

    /// Bytes that a UART has lost because the one before was not read.
    pub fn uart_lost(&self) -> u32 {
        self.usart1.overruns().wrapping_add(self.uart4.overruns())
    }

    /// Interrupt lines that were touched: words to raise and to lower.
    pub fn take_lines(&mut self) -> [(u32, u32); 3] {
        self.lines.take()
    }
}

/// Gives a UART as many bytes as it has room for.
fn feed(usart: &mut Usart, bytes: &[u8], now: Ns) -> usize {
    let taken = bytes.len().min(usart.room());
    usart.receive(bytes.get(..taken).unwrap_or_default(), now);
    taken
}

fn is_peripheral(address: u32) -> bool {
    matches!(address, 0x4000_0000..=0x5FFF_FFFF)
}

fn unmodelled(address: u32) -> Breach {
    Breach::new("a peripheral that no model has", address, "the image must not touch it")
}
