//! A chip's surroundings for tests of the serial models: memory, a film, ports, what was sent.

use crate::clocks::Clocks;
use crate::context::{Context, Ns, Outside, Stream, Width};
use crate::lines::Lines;

/// All buses at 80 MHz, as the images run.
pub const FAST: Clocks =
    Clocks { hclk: 80_000_000, pclk1: 80_000_000, pclk2: 80_000_000, ..Clocks::RESET };

/// Where the test's memory lies.
pub const SRAM: u32 = 0x2000_0000;

/// The surroundings, as far as these models need them.
pub struct World {
    pub memory: Vec<u8>,
    pub sent: Vec<(Stream, u8)>,
    pub film: Vec<u8>,
    /// Twelve registers of each port, A to H.
    pub ports: [[u32; 12]; 8],
}

impl World {
    pub fn new() -> Self {
        let mut ports = [[0; 12]; 8];
        for port in &mut ports {
            port[0] = u32::MAX; // MODER: analog
        }
        Self { memory: vec![0; 4096], sent: Vec::new(), film: Vec::new(), ports }
    }

    /// What was sent, without the stream's name.
    pub fn bytes(&self) -> Vec<u8> {
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
pub struct Bench {
    pub now: Ns,
    pub clocks: Clocks,
    pub lines: Lines,
    pub world: World,
}

impl Bench {
    pub fn new() -> Self {
        Self { now: 0, clocks: FAST, lines: Lines::new(), world: World::new() }
    }

    /// This moment.
    pub fn cx(&mut self) -> Context<'_> {
        let Self { now, clocks, lines, world } = self;
        Context { now: *now, clocks, lines, outside: world }
    }
}
