use super::*;
use crate::parts::scan_head::ScanHead;
use crate::parts::shift_register::ShiftRegister;
use crate::testing::hardware::{Board, SPI1};

const MASTER: u32 = cr1::MSTR | cr1::SSI | cr1::SSM | cr1::SPE;
/// 80 MHz over 16 and over 128.
const FIVE_MHZ: u32 = 0b011 << cr1::BR_AT;
const SLOW: u32 = 0b110 << cr1::BR_AT;
const MODE_2: u32 = 0b10;

/// `enable_and_init` of embassy-stm32 0.6.0's `spi/mod.rs`.
fn set_up(bus: SpiBus, cr1: u32) -> Result<Board, Breach> {
    let mut board = Board::new(bus);
    board.modify(SPI1 + CR2, cr2::FRXTH | cr2::EIGHT_BITS | cr2::SSOE, cr2::DS);
    let cr1 = board.load(SPI1 + CR1) | cr1;
    board.try_store(SPI1 + CR1, Width::Word, cr1).map(|()| board)
}

fn chain(inputs: u16) -> Board {
    let mut chain = ShiftRegister::new(true);
    chain.set_inputs(inputs);
    set_up(SpiBus::Chain(chain), MASTER | SLOW | MODE_2).unwrap()
}

/// Nothing on the bus: it returns 0xFF.
fn bare() -> Board {
    set_up(SpiBus::Nothing, MASTER | SLOW).unwrap()
}

fn wait_for(board: &mut Board, flag: u32) {
    while board.load(SPI1 + SR) & flag == 0 {}
}

/// `blocking_read`.
fn blocking_read(board: &mut Board, count: usize) -> Vec<u8> {
    board.modify(SPI1 + CR1, cr1::SPE, 0);
    while board.load(SPI1 + SR) & sr::RXNE != 0 {
        board.try_load(SPI1 + DR, Width::Half).unwrap();
    }
    let mut word = || {
        wait_for(board, sr::TXE);
        board.try_store(SPI1 + DR, Width::Byte, 0).unwrap();
        wait_for(board, sr::RXNE);
        board.try_load(SPI1 + DR, Width::Byte).unwrap() as u8
    };
    (0..count).map(|_| word()).collect()
}

#[test]
fn a_blocking_read_of_the_chain_brings_its_word_in_its_time() {
    let mut board = chain(0x1321);
    for _ in 0..3 {
        board.pin(false).unwrap();
        board.pin(true).unwrap();
        let begins = board.bench.now;
        assert_eq!(blocking_read(&mut board, 2), [0x53, 0x21]);
        let took = board.bench.now - begins;
        // Sixteen clocks at 625 kHz are 25.6 us; each access of this test takes 50 ns.
        assert!((25_600..27_000).contains(&took), "{took} ns");
    }
}

#[test]
fn a_clock_faster_than_the_part_stands_is_a_breach() {
    let head = |br: u32| set_up(SpiBus::Head(ScanHead::new()), MASTER | br << cr1::BR_AT);
    assert!(head(0b011).is_ok(), "5 MHz");
    assert_eq!(head(0b010).err().unwrap().value, 10_000_000);
    let chain = |br: u32| {
        set_up(SpiBus::Chain(ShiftRegister::new(true)), MASTER | MODE_2 | br << cr1::BR_AT)
    };
    assert!(chain(0b110).is_ok(), "625 kHz");
    assert_eq!(chain(0b101).err().unwrap().value, 1_250_000);
}

#[test]
fn a_clock_mode_other_than_the_parts_is_a_breach() {
    for mode in 0..4 {
        let head = set_up(SpiBus::Head(ScanHead::new()), MASTER | FIVE_MHZ | mode);
        assert_eq!(head.is_ok(), mode == 0, "head, mode {mode}");
        let chain = set_up(SpiBus::Chain(ShiftRegister::new(true)), MASTER | SLOW | mode);
        assert_eq!(chain.is_ok(), mode == 2, "chain, mode {mode}");
    }
}

#[test]
fn configuration_stands_while_the_spi_is_on() {
    for (register, change) in [(CR1, 1), (CR1, cr1::RXONLY), (CR2, 0b1000 << 8), (CR2, cr2::SSOE)] {
        let mut board = bare();
        let value = board.load(SPI1 + register) ^ change;
        assert!(board.try_store(SPI1 + register, Width::Word, value).is_err(), "{change:x}");
    }
    let mut board = bare(); // `set_config`
    board.modify(SPI1 + CR1, 0, cr1::SPE);
    board.modify(SPI1 + CR1, FIVE_MHZ | 0b11, cr1::BR);
    board.modify(SPI1 + CR1, cr1::SPE, 0);
    board.modify(SPI1 + CR2, cr2::RXDMAEN | cr2::TXDMAEN, 0);
}

#[test]
fn a_set_up_that_cannot_work_is_a_breach() {
    let refused = |cr1: u32| set_up(SpiBus::Nothing, cr1).err().unwrap().register;
    assert_eq!(refused(MASTER & !cr1::MSTR), "SPI_CR1");
    assert_eq!(refused(MASTER & !cr1::SSI), "SPI_CR1", "a mode fault");
    assert_eq!(refused(MASTER | cr1::CRCEN), "SPI_CR1");
    assert_eq!(refused(MASTER | cr1::LSBFIRST), "SPI_CR1");
    let mut board = Board::new(SpiBus::Nothing);
    board.store(SPI1 + CR2, cr2::DS);
    let sixteen = board.try_store(SPI1 + CR1, Width::Word, MASTER);
    assert_eq!(sixteen.unwrap_err().register, "SPI_CR2");
}

#[test]
fn the_fifos_hold_four_bytes_and_pack_two() {
    let mut board = Board::new(SpiBus::Nothing);
    board.store(SPI1 + CR2, cr2::FRXTH | cr2::EIGHT_BITS);
    let levels = |board: &mut Board| {
        let status = board.load(SPI1 + SR);
        (status >> sr::FTLVL_AT & 3, status & sr::TXE != 0)
    };
    assert_eq!(levels(&mut board), (0, true));
    board.try_store(SPI1 + DR, Width::Half, 0x0201).unwrap();
    assert_eq!(levels(&mut board), (2, true));
    board.try_store(SPI1 + DR, Width::Byte, 3).unwrap();
    assert_eq!(levels(&mut board), (3, false));
    board.try_store(SPI1 + DR, Width::Byte, 4).unwrap();
    assert_eq!(levels(&mut board), (3, false));
    let lost = board.try_store(SPI1 + DR, Width::Byte, 5).unwrap_err();
    assert_eq!(lost.register, "SPI_DR");
    board.store(SPI1 + CR1, MASTER | SLOW);
    assert_ne!(board.load(SPI1 + SR) & sr::BSY, 0);
    board.bench.now += 4 * 12_800;
    assert_eq!(board.load(SPI1 + SR), 3 << sr::FRLVL_AT | sr::TXE | sr::RXNE);
    assert_eq!(board.try_load(SPI1 + DR, Width::Half), Ok(0xFFFF));
    assert_eq!(board.load(SPI1 + SR) >> sr::FRLVL_AT & 3, 2);
}

#[test]
fn a_byte_is_busy_for_eight_clocks() {
    let mut board = bare();
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    board.bench.now += 12_700;
    assert_eq!(board.load(SPI1 + SR), sr::TXE | sr::BSY);
    board.bench.now += 100;
    assert_eq!(board.load(SPI1 + SR) & (sr::RXNE | sr::BSY), sr::RXNE);
}

#[test]
fn rxne_waits_for_two_bytes_unless_frxth_is_set() {
    let mut board = bare();
    board.modify(SPI1 + CR2, 0, cr2::FRXTH);
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    board.bench.now += 20_000;
    assert_eq!(board.load(SPI1 + SR) & sr::RXNE, 0);
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    board.bench.now += 20_000;
    assert_ne!(board.load(SPI1 + SR) & sr::RXNE, 0);
}

#[test]
fn reading_what_has_not_come_is_a_breach() {
    let mut board = bare();
    assert_eq!(board.try_load(SPI1 + DR, Width::Byte).unwrap_err().register, "SPI_DR");
}

#[test]
fn turning_the_spi_off_in_a_byte_is_a_breach() {
    let mut board = bare();
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    let off = MASTER & !cr1::SPE | SLOW;
    let cut = board.try_store(SPI1 + CR1, Width::Word, off).unwrap_err();
    assert!(cut.rule.contains("while BSY"));
    let mut board = bare();
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    while board.load(SPI1 + SR) & sr::BSY != 0 {}
    board.store(SPI1 + CR1, off);
}

#[test]
fn an_overrun_counts_where_somebody_listens() {
    let mut board = bare();
    for _ in 0..5 {
        wait_for(&mut board, sr::TXE);
        board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    }
    while board.load(SPI1 + SR) & sr::BSY != 0 {}
    assert_ne!(board.load(SPI1 + SR) & sr::OVR, 0, "a transfer that only sends");
    // `flush_rx_fifo` reads DR and SR by turns, and that clears it.
    while board.load(SPI1 + SR) & sr::RXNE != 0 {
        board.try_load(SPI1 + DR, Width::Half).unwrap();
    }
    assert_eq!(board.load(SPI1 + SR), sr::TXE);
    let mut board = bare();
    board.modify(SPI1 + CR2, cr2::RXNEIE, 0);
    board.try_store(SPI1 + DR, Width::Half, 1).unwrap();
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    board.bench.now += 30_000;
    board.serve().unwrap();
    board.try_store(SPI1 + DR, Width::Half, 1).unwrap();
    board.bench.now += 60_000;
    assert!(board.serve().unwrap_err().rule.starts_with("OVR"));
}

#[test]
fn in_receive_only_mode_the_clock_runs_until_the_spi_is_off() {
    let mut board = set_up(SpiBus::Nothing, MASTER | SLOW | cr1::RXONLY).unwrap();
    for _ in 0..3 {
        wait_for(&mut board, sr::RXNE);
        assert_eq!(board.try_load(SPI1 + DR, Width::Byte), Ok(0xFF));
    }
    board.modify(SPI1 + CR1, 0, cr1::SPE);
    assert_ne!(board.load(SPI1 + SR) & sr::BSY, 0, "the frame under way ends");
    wait_for(&mut board, sr::RXNE);
    assert_eq!(board.load(SPI1 + SR) & sr::BSY, 0);
    board.modify(SPI1 + CR1, cr1::SPE, 0);
    board.bench.now += 6 * 12_800;
    assert!(board.serve().unwrap_err().rule.starts_with("OVR"), "no one read");
}

#[test]
fn a_bidirectional_bus_that_sends_receives_nothing() {
    let mut board = set_up(SpiBus::Nothing, MASTER | SLOW | cr1::BIDIMODE | cr1::BIDIOE).unwrap();
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    board.bench.now += 20_000;
    assert_eq!(board.load(SPI1 + SR), sr::TXE);
}

#[test]
fn a_held_spi_never_finishes() {
    let mut board = bare();
    board.spi.set_held(true);
    board.modify(SPI1 + CR2, cr2::RXNEIE, 0);
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    board.bench.now += 1_000_000;
    assert_eq!(board.load(SPI1 + SR) & (sr::BSY | sr::RXNE), sr::BSY);
    assert_eq!(board.next(), None);
}

#[test]
fn its_interrupt_follows_its_flags() {
    let mut board = bare();
    board.modify(SPI1 + CR2, cr2::RXNEIE, 0);
    board.try_store(SPI1 + DR, Width::Byte, 1).unwrap();
    assert!(!board.bench.lines.is_high(Line::Spi1));
    assert_eq!(board.wait_for(Line::Spi1), Ok(1));
    board.try_load(SPI1 + DR, Width::Byte).unwrap();
    assert!(!board.bench.lines.is_high(Line::Spi1));
    board.modify(SPI1 + CR2, cr2::TXEIE, 0);
    assert!(board.bench.lines.is_high(Line::Spi1));
}

#[test]
fn what_is_no_register_is_a_breach() {
    let mut board = bare();
    assert_eq!(board.try_load(SPI1 + 0x1C, Width::Word).unwrap_err().rule, "no such register");
    assert!(board.try_store(SPI1 + 0x1C, Width::Word, 0).is_err());
    assert!(board.try_store(SPI1 + CR1, Width::Byte, 0).is_err());
    board.spi.reset();
    assert_eq!((board.load(SPI1 + CR1), board.load(SPI1 + CR2)), (0, 0x700));
    assert_eq!((board.load(SPI1 + SR), board.load(SPI1 + CRCPR)), (sr::TXE, 7));
}
