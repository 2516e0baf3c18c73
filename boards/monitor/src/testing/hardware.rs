//! A chip's surroundings for tests of the serial models: memory, a film, ports, what was sent.

use crate::breach::Breach;
use crate::clocks::Clocks;
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::{Line, Lines};
use crate::models::dma::{Dma, serve};
use crate::models::spi::Spi;
use crate::models::usart::Usart;
use crate::parts::SpiBus;

/// All buses at 80 MHz, as the images run.
pub(crate) const FAST: Clocks =
    Clocks { hclk: 80_000_000, pclk1: 80_000_000, pclk2: 80_000_000, ..Clocks::RESET };

/// Where the test's memory lies.
pub(crate) const SRAM: u32 = 0x2000_0000;

/// The surroundings, as far as these models need them.
pub(crate) struct World {
    pub memory: Vec<u8>,
    pub sent: Vec<(Stream, u8)>,
    pub film: Vec<u8>,
    /// Twelve registers of each port, A to H.
    pub ports: [[u32; 12]; 8],
}

impl World {
    pub(crate) fn new() -> Self {
        let mut ports = [[0; 12]; 8];
        for port in &mut ports {
            port[0] = u32::MAX; // MODER: analog
        }
        Self { memory: vec![0; 4096], sent: Vec::new(), film: Vec::new(), ports }
    }

    /// What was sent, without the stream's name.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.sent.iter().map(|(_, byte)| *byte).collect()
    }

    fn place(address: u32) -> usize {
        (address - SRAM) as usize
    }
}

impl Outside for World {
    fn read_memory(&mut self, address: u32, bytes: &mut [u8]) {
        let from = Self::place(address);
        bytes.copy_from_slice(&self.memory[from..from + bytes.len()]);
    }
    fn write_memory(&mut self, address: u32, bytes: &[u8]) {
        let from = Self::place(address);
        self.memory[from..from + bytes.len()].copy_from_slice(bytes);
    }
    fn noise(&mut self) -> Option<u32> {
        None
    }
    fn send(&mut self, stream: Stream, bytes: &[u8]) {
        self.sent.extend(bytes.iter().map(|byte| (stream, *byte)));
    }
    fn film(&mut self, offset: u32, bytes: &mut [u8]) -> bool {
        let from = offset as usize;
        match self.film.get(from..from + bytes.len()) {
            Some(seen) => bytes.copy_from_slice(seen),
            None => return false,
        }
        true
    }
    fn gpio_load(&mut self, port: u8, offset: u32) -> u32 {
        self.ports[usize::from(port)][offset as usize / 4]
    }
    fn gpio_store(&mut self, port: u8, offset: u32, width: Width, value: u32) {
        let port = &mut self.ports[usize::from(port)];
        match (offset, width) {
            (0x18, Width::Word) => port[5] = port[5] & !(value >> 16) | value & 0xFFFF,
            (0x28, _) => port[5] &= !value,
            (_, Width::Word) => port[offset as usize / 4] = value,
            _ => panic!("an access the test does not make"),
        }
    }
    fn flash_word(&mut self, _: u32) -> [u8; 8] {
        [0xFF; 8]
    }
    fn put_flash(&mut self, _: u32, _: &[u8]) {}
    fn is_torn(&mut self, _: u32) -> bool {
        false
    }
    fn set_torn(&mut self, _: u32, _: bool) {}
    fn flash_step(&mut self) {}
}

/// The surroundings with their time and lines.
pub(crate) struct Bench {
    pub now: Ns,
    pub clocks: Clocks,
    pub lines: Lines,
    pub world: World,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { now: 0, clocks: FAST, lines: Lines::new(), world: World::new() }
    }

    /// This moment.
    pub(crate) fn cx(&mut self) -> Context<'_> {
        let Self { now, clocks, lines, world } = self;
        Context { now: *now, clocks, lines, outside: world }
    }
}

/// Where the blocks lie.
pub(crate) const DMA1: u32 = 0x4002_0000;
pub(crate) const SPI1: u32 = 0x4001_3000;
pub(crate) const USART3: u32 = 0x4000_4800;

/// DMA1 with the peripherals it serves, behind their addresses.
pub(crate) struct Board {
    pub dma: Dma,
    pub spi: Spi,
    pub usart3: Usart,
    pub bus: SpiBus,
    pub bench: Bench,
}

impl Board {
    pub(crate) fn new(bus: SpiBus) -> Self {
        let usart3 = Usart::new(Line::Usart3, Stream::Display);
        Self { dma: Dma::new(), spi: Spi::new(), usart3, bus, bench: Bench::new() }
    }

    pub(crate) fn serve(&mut self) -> Result<(), Breach> {
        let Self { dma, spi, usart3, bus, bench } = self;
        serve(dma, spi, usart3, bus, &mut bench.cx())
    }

    /// An access takes this long, so that loops end.
    fn pass(&mut self) -> Result<(), Breach> {
        self.bench.now += 50;
        self.serve()
    }

    pub(crate) fn try_load(&mut self, address: u32, width: Width) -> Result<u32, Breach> {
        self.pass()?;
        let (offset, cx) = (address & 0x3FF, &mut self.bench.cx());
        let value = match address & !0x3FF {
            DMA1 => self.dma.load(offset, width, cx),
            SPI1 => self.spi.load(offset, width, cx),
            _ => self.usart3.load(offset, width, cx),
        }?;
        self.serve()?;
        Ok(value)
    }

    pub(crate) fn try_store(
        &mut self,
        address: u32,
        width: Width,
        value: u32,
    ) -> Result<(), Breach> {
        self.pass()?;
        let (offset, cx) = (address & 0x3FF, &mut self.bench.cx());
        match address & !0x3FF {
            DMA1 => self.dma.store(offset, width, value, cx),
            SPI1 => self.spi.store(offset, width, value, cx),
            _ => self.usart3.store(offset, width, value, cx),
        }?;
        self.serve()
    }

    pub(crate) fn load(&mut self, address: u32) -> u32 {
        self.try_load(address, Width::Word).unwrap()
    }

    pub(crate) fn store(&mut self, address: u32, value: u32) {
        self.try_store(address, Width::Word, value).unwrap();
    }

    pub(crate) fn modify(&mut self, address: u32, set: u32, clear: u32) {
        let value = self.load(address) & !clear | set;
        self.store(address, value);
    }

    /// The part's select or load pin, some instructions later.
    pub(crate) fn pin(&mut self, high: bool) -> Result<(), Breach> {
        self.bench.now += 2_000;
        self.serve()?;
        self.bus.pin(high, &mut self.bench.cx())
    }

    /// When something is due.
    pub(crate) fn next(&self) -> Option<Ns> {
        [self.spi.next(), self.usart3.next()].into_iter().flatten().min()
    }

    /// Lets the time pass until a line is high. How many events that took.
    pub(crate) fn wait_for(&mut self, line: Line) -> Result<u32, Breach> {
        let mut events = 0;
        while !self.bench.lines.is_high(line) {
            self.bench.now = self.next().expect("something is under way").max(self.bench.now);
            self.serve()?;
            events += 1;
        }
        Ok(events)
    }
}
