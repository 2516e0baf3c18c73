use super::channel::*;
use super::*;
use crate::parts::SpiBus;
use crate::parts::scan_head::ScanHead;
use crate::testing::hardware::{Board, DMA1, SPI1, SRAM, USART3};

const EN: u32 = 1;
const TCIE: u32 = 1 << 1;
const HTIE: u32 = 1 << 2;
const TEIE: u32 = 1 << 3;
const FROM_MEMORY: u32 = 1 << 4;
const CIRC: u32 = 1 << 5;
const PINC: u32 = 1 << 6;
const MINC: u32 = 1 << 7;

const SPI_DR: u32 = SPI1 + 0x0C;
const SPE: u32 = 1 << 6;
/// Master at 5 MHz, mode 0.
const SPI_CR1: u32 = 1 << 2 | 0b011 << 3 | 1 << 8 | 1 << 9 | SPE;
const RXDMAEN: u32 = 1;
const TXDMAEN: u32 = 2;
const BYTE_NS: u64 = 1_600;

/// A register of a channel, counted from 1 as the manual does.
fn at(channel: u32, register: u32) -> u32 {
    DMA1 + CCR1 + (channel - 1) * STRIDE + register
}

/// A transfer as `Channel::configure` of embassy-stm32 0.6.0 sets it up.
#[derive(Clone, Copy)]
struct Transfer {
    channel: u32,
    request: u32,
    peripheral: u32,
    memory: u32,
    count: u32,
    ccr: u32,
}

const READ: Transfer =
    Transfer { channel: 2, request: 1, peripheral: SPI_DR, memory: SRAM, count: 8, ccr: MINC };
const WRITE: Transfer = Transfer { channel: 3, ccr: MINC | FROM_MEMORY, ..READ };
const TEXT: Transfer = Transfer {
    channel: 2,
    request: 2,
    peripheral: USART3 + 0x28,
    memory: SRAM,
    count: 5,
    ccr: MINC | FROM_MEMORY,
};

impl Transfer {
    fn configure(self, board: &mut Board) {
        let nibble = 4 * (self.channel - 1);
        board.modify(DMA1 + CSELR, self.request << nibble, 0xF << nibble);
        board.store(DMA1 + IFCR, 0b1110 << nibble);
        board.store(at(self.channel, CPAR), self.peripheral);
        board.store(at(self.channel, CMAR), self.memory);
        board.store(at(self.channel, CNDTR), self.count);
        board.store(at(self.channel, CCR), self.ccr | TEIE | TCIE);
    }

    fn start(self, board: &mut Board) -> Result<(), Breach> {
        self.configure(board);
        let ccr = board.load(at(self.channel, CCR)) | EN;
        board.try_store(at(self.channel, CCR), Width::Word, ccr)
    }

    fn line(self) -> Line {
        LINES[self.channel as usize - 1]
    }

    /// Waits for the interrupt, and ends as `on_irq` and `Transfer::drop` do.
    fn finish(self, board: &mut Board) -> u32 {
        let events = board.wait_for(self.line()).unwrap();
        let nibble = 4 * (self.channel - 1);
        let status = board.load(DMA1 + ISR) >> nibble & 0xF;
        assert_eq!(status & 0b1010, 0b0010, "complete, and no error");
        board.store(DMA1 + IFCR, 0b10 << nibble);
        assert!(!board.bench.lines.is_high(self.line()));
        board.store(at(self.channel, CCR), TEIE | TCIE);
        events
    }
}

/// embassy's `Spi` with DMA: bytes to send lie at 2048, received ones at 0.
struct Driver(Board);

impl Driver {
    fn new(bus: SpiBus) -> Self {
        let mut board = Board::new(bus);
        board.modify(SPI1 + 4, 1 << 12 | 0b0111 << 8 | 1 << 2, 0xF << 8);
        board.store(SPI1, SPI_CR1);
        Self(board)
    }

    fn finish_dma(&mut self) {
        while self.0.load(SPI1 + 8) >> 11 & 3 > 0 {}
        while self.0.load(SPI1 + 8) & 1 << 7 != 0 {}
        self.0.modify(SPI1, 0, SPE);
        self.0.modify(SPI1 + 4, 0, TXDMAEN | RXDMAEN);
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.modify(SPI1, 0, SPE);
        self.0.bench.world.memory[2048..2048 + bytes.len()].copy_from_slice(bytes);
        let sending = Transfer { memory: SRAM + 2048, count: bytes.len() as u32, ..WRITE };
        sending.start(&mut self.0).unwrap();
        self.0.modify(SPI1 + 4, TXDMAEN, 0);
        self.0.modify(SPI1, SPE, 0);
        sending.finish(&mut self.0);
        self.finish_dma();
    }

    fn read(&mut self, count: usize) -> Vec<u8> {
        self.start_read(count);
        READ.finish(&mut self.0);
        self.0.store(at(3, CCR), TEIE | TCIE);
        self.finish_dma();
        self.0.bench.world.memory[..count].to_vec()
    }

    fn start_read(&mut self, count: usize) {
        self.0.modify(SPI1, 0, SPE);
        while self.0.load(SPI1 + 8) & 1 != 0 {
            self.0.try_load(SPI_DR, Width::Half).unwrap();
        }
        self.0.modify(SPI1 + 4, RXDMAEN, 0);
        let count = count as u32;
        Transfer { count, ..READ }.start(&mut self.0).unwrap();
        let clock = Transfer { count, memory: SRAM + 4000, ccr: FROM_MEMORY, ..WRITE };
        clock.start(&mut self.0).unwrap();
        self.0.modify(SPI1 + 4, TXDMAEN, 0);
        self.0.modify(SPI1, SPE, 0);
    }

    fn transaction(&mut self, bytes: &[u8], answers: &[usize]) -> Vec<u8> {
        self.0.pin(false).unwrap();
        self.write(bytes);
        let answer = answers.iter().flat_map(|count| self.read(*count)).collect();
        self.0.pin(true).unwrap();
        answer
    }
}

fn head() -> Driver {
    let mut driver = Driver::new(SpiBus::Head(ScanHead::new()));
    driver.0.bench.world.film = (0..9 * 1539).map(|place: u32| (place * 13 / 4) as u8).collect();
    driver
}

#[test]
fn captures_come_through_dma_as_the_driver_takes_them() {
    let mut driver = head();
    for _ in 0..2 {
        driver.transaction(&[2, 1], &[]);
        driver.0.bench.now += 2_000_000;
        assert_eq!(driver.transaction(&[1], &[2]), [0xC5, 1]);
        for frame in 0..9 {
            driver.transaction(&[0x10, frame % 3, 128], &[]);
            driver.0.bench.now += 3_000_000;
            assert_eq!(driver.transaction(&[0x20], &[1]), [1]);
            let sent = driver.transaction(&[0x30], &[1536, 3, 2]);
            let from = usize::from(frame) * 1539;
            assert_eq!(sent[..1539], driver.0.bench.world.film[from..from + 1539], "{frame}");
        }
        driver.transaction(&[2, 0], &[]);
    }
}

#[test]
fn the_part_sees_each_byte_at_its_own_time() {
    let mut driver = head();
    driver.transaction(&[2, 1], &[]);
    driver.0.bench.now += 2_000_000;
    driver.0.pin(false).unwrap();
    driver.0.modify(SPI1, 0, SPE);
    driver.0.bench.world.memory[..3].copy_from_slice(&[0x10, 0, 0]);
    Transfer { count: 3, ..WRITE }.start(&mut driver.0).unwrap();
    driver.0.modify(SPI1 + 4, TXDMAEN, 0);
    driver.0.modify(SPI1, SPE, 0);
    driver.0.bench.now += 3_100_000; // the monitor is late
    WRITE.finish(&mut driver.0);
    driver.finish_dma();
    driver.0.pin(true).unwrap();
    assert_eq!(driver.transaction(&[0x20], &[1]), [1], "the exposure began in time");
}

#[test]
fn a_long_read_ends_at_its_true_time_after_few_events() {
    let mut driver = Driver::new(SpiBus::Nothing);
    driver.start_read(1536);
    let began = driver.0.bench.now;
    let events = driver.0.wait_for(READ.line()).unwrap();
    assert!((24..=30).contains(&events), "{events} events");
    let took = driver.0.bench.now - began;
    assert!(took.abs_diff(1536 * BYTE_NS) <= 50, "{took} ns");
    assert_eq!(driver.0.load(at(2, CNDTR)), 0);
    assert!(driver.0.bench.world.memory[..1536].iter().all(|byte| *byte == 0xFF));
    assert_eq!(driver.0.bench.world.memory[1536], 0);
}

#[test]
fn the_transmitting_channel_is_done_before_the_last_byte_has_left() {
    let mut driver = Driver::new(SpiBus::Nothing);
    driver.start_read(20);
    let began = driver.0.bench.now;
    driver.0.wait_for(WRITE.line()).unwrap();
    let took = (driver.0.bench.now - began) / BYTE_NS;
    assert!((15..=17).contains(&took), "four bytes are in FIFO and shift register: {took}");
    assert_ne!(driver.0.load(SPI1 + 8) & 1 << 7, 0, "BSY");
}

#[test]
fn counts_are_right_in_the_middle_of_a_transfer() {
    let mut driver = Driver::new(SpiBus::Nothing);
    driver.start_read(100);
    driver.0.bench.now += 10 * BYTE_NS;
    assert_eq!(driver.0.load(at(2, CNDTR)), 90);
    driver.0.store(at(2, CCR), TEIE | TCIE);
    driver.0.store(at(3, CCR), TEIE | TCIE);
    assert_eq!(driver.0.load(at(2, CNDTR)), 90, "a channel that is off moves nothing");
}

#[test]
fn a_text_goes_out_by_dma_at_the_pace_of_the_line() {
    let mut board = Board::new(SpiBus::Nothing);
    board.bench.world.memory[..5].copy_from_slice(b"hello");
    board.store(USART3 + 0x0C, 8333);
    board.store(USART3, 1 | 1 << 3);
    board.modify(USART3 + 8, 1 << 7, 0);
    TEXT.start(&mut board).unwrap();
    TEXT.finish(&mut board);
    assert_eq!(board.bench.world.bytes(), b"hel", "the fourth leaves, the fifth waits in TDR");
    assert_eq!(board.load(USART3 + 0x1C) & 1 << 6, 0, "TC");
    while let Some(next) = board.next() {
        board.bench.now = next;
        board.serve().unwrap();
    }
    assert_eq!(board.bench.world.bytes(), b"hello");
    let frames = board.bench.now / 1_041_625;
    assert_eq!(frames, 6, "an idle frame and five bytes");
    assert_ne!(board.load(USART3 + 0x1C) & 1 << 6, 0);
}

#[test]
fn half_a_transfer_interrupts_where_it_is_asked_to() {
    let mut driver = Driver::new(SpiBus::Nothing);
    let half = Transfer { count: 200, ccr: MINC | HTIE, ..READ };
    driver.0.modify(SPI1, 0, SPE);
    driver.0.modify(SPI1 + 4, RXDMAEN | TXDMAEN, 0);
    half.start(&mut driver.0).unwrap();
    Transfer { count: 200, ..WRITE }.start(&mut driver.0).unwrap();
    driver.0.modify(SPI1, SPE, 0);
    driver.0.wait_for(half.line()).unwrap();
    assert_eq!(driver.0.load(at(2, CNDTR)), 100);
    assert_eq!(driver.0.load(DMA1 + ISR) >> 4 & 0xF, 0b0101);
    driver.0.store(DMA1 + IFCR, 1 << 4);
    assert_eq!(driver.0.load(DMA1 + ISR) >> 4 & 0xF, 0, "CGIF clears all of a channel");
    driver.0.wait_for(half.line()).unwrap();
    assert_eq!(driver.0.load(DMA1 + ISR) >> 4 & 0xF, 0b0011);
}

#[test]
fn a_circular_channel_begins_again() {
    let mut board = Board::new(SpiBus::Nothing);
    board.bench.world.memory[..2].copy_from_slice(b"ab");
    board.store(USART3 + 0x0C, 8333);
    board.store(USART3, 1 | 1 << 3);
    board.modify(USART3 + 8, 1 << 7, 0);
    Transfer { count: 2, ccr: TEXT.ccr | CIRC, ..TEXT }.start(&mut board).unwrap();
    while board.bench.world.sent.len() < 5 {
        board.bench.now = board.next().unwrap();
        board.serve().unwrap();
    }
    assert_eq!(board.bench.world.bytes(), b"ababa");
}

#[test]
fn halves_and_words_of_memory_go_as_their_sizes_say() {
    let mut driver = Driver::new(SpiBus::Nothing);
    driver.0.modify(SPI1, 0, SPE);
    driver.0.modify(SPI1 + 4, RXDMAEN | TXDMAEN, 0);
    let wide = Transfer { count: 2, ccr: MINC | 1 << 10, ..READ };
    wide.start(&mut driver.0).unwrap();
    Transfer { count: 2, memory: SRAM + 100, ..WRITE }.start(&mut driver.0).unwrap();
    driver.0.modify(SPI1, SPE, 0);
    wide.finish(&mut driver.0);
    assert_eq!(driver.0.bench.world.memory[..5], [0xFF, 0, 0xFF, 0, 0]);
}

#[test]
fn an_enabled_channel_is_not_changed() {
    for register in [CNDTR, CPAR, CMAR] {
        let mut board = Board::new(SpiBus::Nothing);
        READ.start(&mut board).unwrap();
        let kept = board.load(at(2, register));
        let breach = board.try_store(at(2, register), Width::Word, kept).unwrap_err();
        assert!(breach.rule.starts_with("written while EN"), "{breach:?}");
        board.store(at(3, register), 1);
    }
    let mut board = Board::new(SpiBus::Nothing);
    READ.start(&mut board).unwrap();
    board.modify(at(2, CCR), HTIE, 0);
    let ccr = board.load(at(2, CCR));
    assert!(board.try_store(at(2, CCR), Width::Word, ccr ^ MINC).is_err());
    let mut board = Board::new(SpiBus::Nothing);
    READ.start(&mut board).unwrap();
    board.modify(DMA1 + CSELR, 1 << 8, 0); // the other channel's
    assert!(board.try_store(DMA1 + CSELR, Width::Word, 0x20).is_err());
}

#[test]
fn a_channel_without_a_request_is_a_breach() {
    let refused =
        |transfer: Transfer| transfer.start(&mut Board::new(SpiBus::Nothing)).unwrap_err().register;
    assert_eq!(refused(Transfer { request: 0, ..READ }), "DMA_CCR");
    assert_eq!(refused(Transfer { request: 3, ..READ }), "DMA_CCR");
    assert_eq!(refused(Transfer { channel: 4, ..READ }), "DMA_CCR");
    assert_eq!(refused(Transfer { request: 2, ..WRITE }), "DMA_CCR", "USART3_RX is not used");
    assert_eq!(refused(Transfer { ccr: MINC | 1 << 14, ..READ }), "DMA_CCR", "memory to memory");
    assert_eq!(refused(Transfer { ccr: MINC | FROM_MEMORY, ..READ }), "DMA_CCR", "direction");
    assert_eq!(refused(Transfer { ccr: MINC, ..WRITE }), "DMA_CCR", "direction");
    assert_eq!(refused(Transfer { peripheral: SPI1 + 8, ..READ }), "DMA_CPAR");
    assert_eq!(refused(Transfer { ccr: MINC | PINC, ..READ }), "DMA_CPAR");
}

#[test]
fn dma_reaches_sram_and_reads_flash() {
    let start = |transfer: Transfer| transfer.start(&mut Board::new(SpiBus::Nothing));
    let last = 0x2001_8000 - 8;
    for memory in [0x2000_0000, last, 0x1000_0000, 0x1000_7FF8] {
        assert_eq!(start(Transfer { memory, ..READ }), Ok(()), "{memory:x}");
    }
    for memory in [0x0800_0000, 0x080F_FFF8] {
        assert_eq!(start(Transfer { memory, ..WRITE }), Ok(()), "{memory:x}");
        assert_eq!(start(Transfer { memory, ..READ }).unwrap_err().register, "DMA_CMAR");
    }
    for memory in [0, last + 1, 0x1FFF_FFFC, 0x1000_7FF9, 0x0810_0000, 0x4001_3000, 0xFFFF_FFFF] {
        assert!(start(Transfer { memory, ..READ }).is_err(), "{memory:x}");
        assert!(start(Transfer { memory, ..WRITE }).is_err(), "{memory:x}");
    }
    assert!(start(Transfer { memory: last + 4, ccr: MINC | 1 << 10, count: 2, ..READ }).is_ok());
    assert!(start(Transfer { memory: last + 4, ccr: MINC | 1 << 10, count: 3, ..READ }).is_err());
    assert!(start(Transfer { memory: last + 7, ccr: FROM_MEMORY, ..WRITE }).is_ok(), "one byte");
}

#[test]
fn the_requests_are_those_of_the_manuals_table() {
    let select = |channel: usize, code: u32| Request::of(channel - 1, code << (4 * (channel - 1)));
    assert_eq!(select(2, 1), Some(Request::SpiRx));
    assert_eq!(select(2, 2), Some(Request::Usart3Tx));
    assert_eq!(select(3, 1), Some(Request::SpiTx));
    let known = (1..8).flat_map(|channel| (0..16).map(move |code| (channel, code)));
    assert_eq!(known.filter(|(channel, code)| select(*channel, *code).is_some()).count(), 3);
}

#[test]
fn what_is_no_register_is_a_breach() {
    let mut board = Board::new(SpiBus::Nothing);
    for offset in [at(1, 16) - DMA1, at(8, 0) - DMA1, 0x98, 0xAC] {
        assert!(board.try_load(DMA1 + offset, Width::Word).is_err(), "{offset:x}");
        assert!(board.try_store(DMA1 + offset, Width::Word, 0).is_err(), "{offset:x}");
    }
    assert!(board.try_store(DMA1 + ISR, Width::Word, 0).is_err());
    assert!(board.try_store(at(2, CNDTR), Width::Half, 0).is_err());
    board.store(at(7, CMAR), 0x2000_0040);
    assert_eq!(board.load(at(7, CMAR)), 0x2000_0040);
    board.dma.reset();
    assert_eq!(board.load(at(7, CMAR)), 0);
}
