//! embassy's bxCAN driver restated over the model, access by access: what the image does passes.
//!
//! The sequences are those of embassy-stm32 0.6.0, `can/bxcan`, as the board's `table_bus` calls
//! them: `Can::new`, a filter, the bit timing, `enable`, then writing and hearing, plain and
//! buffered. Each access takes a microsecond.

use std::collections::VecDeque;

use super::tests::*;
use super::*;

/// What `Can::new` writes to IER.
const IER_OF_NEW: u32 = 0x8F13;
const MICROSECOND: Ns = 1_000;

struct Driver {
    rig: Rig,
    /// Buffered mode: frames to send, and frames received.
    outgoing: VecDeque<(u32, Vec<u8>)>,
    received: Vec<(u32, u32, u64)>,
}

impl Driver {
    fn read(&mut self, offset: u32) -> u32 {
        self.rig.pass(MICROSECOND);
        self.rig.read(offset)
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.rig.pass(MICROSECOND);
        self.rig.write(offset, value);
    }

    fn modify(&mut self, offset: u32, clear: u32, set: u32) {
        let value = self.read(offset);
        self.write(offset, value & !clear | set);
    }

    fn wait(&mut self, acknowledged: u32) {
        for _ in 0..1_000 {
            if self.read(MSR) & (INAK | SLAK) == acknowledged {
                return;
            }
        }
        panic!("MSR never became {acknowledged:#b}");
    }

    fn enter_init_mode(&mut self) {
        self.modify(MCR, SLEEP, INRQ);
        self.wait(INAK);
    }

    fn leave_init_mode(&mut self) {
        self.modify(MCR, INRQ, SLEEP);
        self.wait(SLAK);
    }

    /// `Can::new`: out of sleep for a moment, with FINIT as reset left it, and asleep again.
    fn new() -> Self {
        let mut driver = Self { rig: Rig::new(), outgoing: VecDeque::new(), received: Vec::new() };
        driver.write(IER, IER_OF_NEW);
        driver.write(MCR, 1 << 7);
        driver.rig.pass(20 * MICROSECOND); // pins and interrupt controller
        driver.leave_init_mode();
        driver
    }

    /// `modify_filters().enable_bank(0, Fifo0, Mask32::accept_all())`.
    fn accept_all(&mut self) {
        self.modify(filters::FMR, 0, 1);
        assert_eq!(self.read(filters::FMR) >> 8 & 0x3F, 14, "embassy's number of banks");
        self.modify(0x204, 1, 0);
        self.modify(0x20C, 0, 1);
        self.write(0x240, 0);
        self.write(0x244, 0);
        self.modify(0x214, 1, 0);
        self.modify(0x21C, 0, 1);
        self.modify(filters::FMR, 1, 0);
    }

    /// `table_bus`: filter, bit timing, requests in order.
    fn table_bus() -> Self {
        let mut driver = Self::new();
        driver.accept_all();
        driver.enter_init_mode();
        driver.modify(BTR, 0x037F_03FF, BIT_TIMING);
        driver.leave_init_mode();
        driver.modify(MCR, 0, TXFP);
        driver
    }

    /// `enable().await`, which asks again at every turn of the executor.
    fn enable(&mut self) -> Ns {
        let began = self.rig.bench.now;
        while self.read(MSR) & SLAK != 0 {
            self.modify(MCR, SLEEP, ABOM);
        }
        self.rig.bench.now - began
    }

    /// `Registers::transmit`; false is `WouldBlock`.
    fn transmit(&mut self, id: u32, data: &[u8]) -> bool {
        assert_ne!(self.read(MCR) & TXFP, 0);
        let tsr = self.read(TSR);
        if tsr >> 26 & 7 == 0 {
            return false;
        }
        let mailbox = TI0R + 16 * (tsr >> 24 & 3);
        let mut bytes = [0; 8];
        bytes[..data.len()].copy_from_slice(data);
        let data_word = u64::from_le_bytes(bytes);
        self.write(mailbox + 4, data.len() as u32);
        self.write(mailbox + 8, data_word as u32);
        self.write(mailbox + 12, (data_word >> 32) as u32);
        self.write(mailbox, id << 3 | frame::IDE | 1);
        true
    }

    /// `Registers::receive_fifo(Fifo0)`.
    fn receive_fifo(&mut self) -> Option<(u32, u32, u64)> {
        if self.read(RF0R) & 3 == 0 {
            return None;
        }
        let rir = self.read(RI0R);
        let length = self.read(RI0R + 4) & 0xF;
        let data = u64::from(self.read(RI0R + 8)) | u64::from(self.read(RI0R + 12)) << 32;
        self.modify(RF0R, 0, 1 << 5);
        Some((rir >> 3, length, data))
    }

    /// The handlers of the interrupts that are pending, in buffered mode.
    fn interrupts(&mut self) {
        while self.rig.is_high(Line::CanRx0) {
            while let Some(frame) = self.receive_fifo() {
                self.received.push(frame);
            }
        }
        while self.rig.is_high(Line::CanTx) {
            self.write(TSR, 0x0001_0101);
            self.on_tx();
        }
        if self.rig.is_high(Line::CanSce) {
            assert_ne!(self.read(MSR) & modes::ERRI, 0);
            self.modify(IER, ERRIE, 0);
            assert!(!self.rig.is_high(Line::CanSce));
        }
    }

    /// `TxMode::on_interrupt`; the sender pends it, too.
    fn on_tx(&mut self) {
        while self.read(TSR) >> 26 & 7 != 0 {
            let Some((id, data)) = self.outgoing.pop_front() else { return };
            assert!(self.transmit(id, &data));
        }
    }
}

#[test]
fn the_boards_start_up_passes_and_joins_after_eleven_bits() {
    let mut driver = Driver::table_bus();
    assert_eq!(driver.read(BTR), BIT_TIMING);
    assert_eq!(driver.read(MCR), 1 << 7 | TXFP | SLEEP);
    let took = driver.enable();
    assert!((22_000..27_000).contains(&took), "{took} ns");
    assert_eq!(driver.read(MSR) & 3, 0);
}

#[test]
fn a_plain_write_waits_for_its_mailbox_and_a_plain_read_for_its_frame() {
    let mut driver = Driver::table_bus();
    driver.enable();
    for id in 1..=4 {
        assert!(driver.transmit(id, &[id as u8]));
        driver.rig.pass(LONG_FRAME);
        assert_eq!(driver.rig.sent(), format!("T{id:08X}1{id:02X}\r"));
        assert_eq!(driver.read(TSR) >> 26 & 1, 0, "flush waits");
        driver.rig.receive("Z\r");
        assert!(driver.rig.is_high(Line::CanTx));
        driver.write(TSR, 0x0001_0101);
        assert_eq!(driver.read(TSR) >> 26 & 7, 7);
    }
    driver.rig.receive("T107D552A80102030405060708\r");
    driver.rig.pass(LONG_FRAME);
    assert!(driver.rig.is_high(Line::CanRx0));
    driver.modify(IER, 1 << 1, 0); // the handler, until a task reads
    assert!(!driver.rig.is_high(Line::CanRx0));
    assert_eq!(driver.receive_fifo(), Some((0x107D_552A, 8, 0x0807_0605_0403_0201)));
    driver.modify(IER, 0, 1 << 1);
    assert!(!driver.rig.is_high(Line::CanRx0));
    assert_eq!(driver.receive_fifo(), None);
}

#[test]
fn buffered_frames_keep_their_order_both_ways_and_none_is_lost() {
    let mut driver = Driver::table_bus();
    driver.enable();
    let mut sent = String::new();
    let mut incoming = (0..200u32).map(|id| format!("T{id:08X}8{id:016X}\r"));
    let mut inbox: VecDeque<u8> = VecDeque::new();
    driver.outgoing = (0..100).map(|id| (0x1000 + id, vec![id as u8; 8])).collect();
    driver.on_tx();
    for _ in 0..10_000 {
        driver.rig.pass(20 * MICROSECOND);
        // The hub is faster than the bus: the inbox backs up.
        inbox.extend(incoming.next().unwrap_or_default().bytes());
        let text = driver.rig.sent();
        if !text.is_empty() {
            inbox.extend(b"Z\r");
            sent += &text;
        }
        let bytes = inbox.make_contiguous();
        let taken = driver.rig.can.receive(bytes, &mut driver.rig.bench.cx());
        inbox.drain(..taken);
        driver.interrupts();
    }
    let ids: Vec<u32> = driver.received.iter().map(|frame| frame.0).collect();
    assert_eq!(ids, (0..200).collect::<Vec<_>>());
    let wanted: String = (0..100u32)
        .map(|id| format!("T{:08X}8{}\r", 0x1000 + id, format!("{id:02X}").repeat(8)))
        .collect();
    assert_eq!(sent, wanted);
    let can = &driver.rig.can;
    assert_eq!((can.received(), can.sent(), can.lost()), (200, 100, 0));
}

#[test]
fn an_image_that_is_busy_for_a_millisecond_loses_what_the_fifo_cannot_hold() {
    let mut driver = Driver::table_bus();
    driver.enable();
    for id in 0..20 {
        driver.rig.receive(&format!("T{id:08X}8{id:016X}\r"));
    }
    driver.rig.pass(5 * LONG_FRAME);
    driver.interrupts();
    for _ in 0..20 {
        driver.rig.pass(LONG_FRAME);
        driver.interrupts();
    }
    assert_eq!((driver.rig.can.lost(), driver.received.len()), (2, 18));
    assert_eq!(driver.read(RF0R), 0, "and the driver's RFOM has cleared FOVR unseen");
}

#[test]
fn an_error_interrupts_once_until_the_reader_takes_it() {
    let mut driver = Driver::table_bus();
    driver.enable();
    driver.rig.can.set_alone(true);
    assert!(driver.transmit(1, &[]));
    driver.rig.pass(LONG_FRAME);
    assert!(driver.rig.is_high(Line::CanSce));
    driver.interrupts();
    driver.rig.pass(10 * LONG_FRAME);
    assert!(!driver.rig.is_high(Line::CanSce), "masked until then");
    // `curr_error`.
    driver.modify(MSR, 0, modes::ERRI);
    driver.modify(IER, 0, ERRIE);
    assert_eq!(driver.read(ESR) >> 4 & 7, 3, "acknowledge");
    assert!(!driver.rig.is_high(Line::CanSce));
    driver.rig.pass(2 * LONG_FRAME);
    assert!(driver.rig.is_high(Line::CanSce), "the next attempt");
}
