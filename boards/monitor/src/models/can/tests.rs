//! The controller's registers: what they hold, and what they refuse.

use super::*;
use crate::testing::recorder::Bench;

/// 500 kbit/s of 80 MHz: 16 quanta, sampled after 11, SJW 4.
pub(super) const BIT_TIMING: u32 = 9 | 9 << 16 | 4 << 20 | 3 << 24;
pub(super) const BIT: Ns = 2_000;
/// An 8-byte frame with 29 bits of identifier.
pub(super) const LONG_FRAME: Ns = 144 * BIT;
pub(super) const INRQ: u32 = 1;
pub(super) const SLEEP: u32 = 2;
pub(super) const TXFP: u32 = 4;
pub(super) const NART: u32 = 1 << 4;
pub(super) const ABOM: u32 = 1 << 6;
pub(super) const INAK: u32 = 1;
pub(super) const SLAK: u32 = 2;

/// A controller on a bench.
pub(super) struct Rig {
    pub bench: Bench,
    pub can: Can,
}

impl Rig {
    pub(crate) fn new() -> Self {
        Self { bench: Bench::new(), can: Can::new() }
    }

    /// On the bus, filters open, requests in order.
    pub(super) fn on_bus() -> Self {
        Self::on_bus_with(TXFP | ABOM)
    }

    pub(super) fn on_bus_with(mcr: u32) -> Self {
        let mut rig = Self::new();
        rig.accept_all();
        rig.write(MCR, INRQ);
        rig.pass(BIT);
        rig.write(BTR, BIT_TIMING);
        rig.write(MCR, mcr);
        rig.pass(11 * BIT);
        assert_eq!(rig.read(MSR) & (INAK | SLAK), 0);
        rig
    }

    pub(super) fn accept_all(&mut self) {
        self.write(filters::FMR, 0x2A1C_0E01);
        self.write(0x20C, 1);
        self.write(0x21C, 1);
        self.write(filters::FMR, 0x2A1C_0E00);
    }

    pub(crate) fn read(&mut self, offset: u32) -> u32 {
        self.can.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    pub(crate) fn write(&mut self, offset: u32, value: u32) {
        self.can.store(offset, Width::Word, value, &mut self.bench.cx()).unwrap();
    }

    pub(crate) fn refusal(&mut self, offset: u32, value: u32) -> &'static str {
        self.can.store(offset, Width::Word, value, &mut self.bench.cx()).unwrap_err().rule
    }

    /// Time passes; what is due happens when it is.
    pub(super) fn pass(&mut self, time: Ns) {
        let end = self.bench.now + time;
        while let Some(due) = self.can.next().filter(|due| *due <= end) {
            self.bench.now = self.bench.now.max(due);
            self.can.advance(&mut self.bench.cx()).unwrap();
        }
        self.bench.now = end;
    }

    /// The hub says something.
    pub(crate) fn receive(&mut self, text: &str) {
        assert_eq!(self.can.receive(text.as_bytes(), &mut self.bench.cx()), text.len());
    }

    /// What the hub has got since the last call.
    pub(super) fn sent(&mut self) -> String {
        String::from_utf8(std::mem::take(&mut self.bench.outside.bus)).unwrap()
    }

    /// Asks for a frame with 29 bits of identifier.
    pub(super) fn ask(&mut self, mailbox: u32, id: u32, data: &[u8]) {
        let at = TI0R + 16 * mailbox;
        let mut bytes = [0; 8];
        bytes[..data.len()].copy_from_slice(data);
        let [a, b, c, d, e, f, g, h] = bytes;
        self.write(at + 4, data.len() as u32);
        self.write(at + 8, u32::from_le_bytes([a, b, c, d]));
        self.write(at + 12, u32::from_le_bytes([e, f, g, h]));
        self.write(at, id << 3 | frame::IDE | 1);
    }

    pub(super) fn is_high(&self, line: Line) -> bool {
        self.bench.lines.is_high(line)
    }
}

#[test]
fn it_resets_as_the_manual_says() {
    let mut rig = Rig::new();
    let reset = [MCR, MSR, TSR, RF0R, RF1R, IER, ESR, BTR, filters::FMR].map(|r| rig.read(r));
    let manual = [0x0001_0002, 0x0000_0C02, 0x1C00_0000, 0, 0, 0, 0, 0x0123_0000, 0x2A1C_0E01];
    assert_eq!(reset, manual);
    assert_eq!(rig.can.next(), None);
    assert!(size_of::<Can>() < 1_024, "{} bytes", size_of::<Can>());
}

#[test]
fn joining_the_bus_takes_eleven_recessive_bits() {
    let mut rig = Rig::new();
    rig.accept_all();
    rig.write(MCR, INRQ);
    assert_eq!(rig.read(MSR) & 3, SLAK, "not at once");
    rig.pass(BIT);
    assert_eq!(rig.read(MSR) & 3, INAK);
    rig.write(BTR, BIT_TIMING);
    rig.write(MCR, 0);
    rig.pass(22_000 - 1);
    assert_eq!(rig.read(MSR) & 3, INAK);
    // Asked again meanwhile, as embassy does, it does not restart.
    rig.write(MCR, 0);
    rig.pass(1);
    assert_eq!(rig.read(MSR) & 3, 0);
}

#[test]
fn a_sleeper_that_is_not_let_go_stays_asleep() {
    let mut rig = Rig::new();
    rig.write(MCR, 0x80);
    rig.pass(10 * BIT);
    rig.write(MCR, 0x80 | SLEEP);
    rig.pass(100 * BIT);
    assert_eq!(rig.read(MSR) & 3, SLAK);
    rig.write(MCR, INRQ | SLEEP);
    rig.pass(100 * BIT);
    assert_eq!(rig.read(MSR) & 3, SLAK, "SLEEP must be cleared to go anywhere");
}

#[test]
fn sleep_waits_for_the_frame_on_the_wire_and_tells() {
    let mut rig = Rig::on_bus();
    rig.write(IER, SLKIE);
    rig.receive("T000000018FFFFFFFFFFFFFFFF\r");
    rig.pass(BIT);
    assert_eq!(rig.read(MSR) >> 8 & 3, 0b10, "RXM");
    rig.write(MCR, SLEEP);
    rig.pass(LONG_FRAME - 2 * BIT);
    assert_eq!(rig.read(MSR) & SLAK, 0);
    rig.pass(2 * BIT);
    assert_eq!(rig.read(MSR) & (SLAK | modes::SLAKI), SLAK | modes::SLAKI);
    assert!(rig.is_high(Line::CanSce));
    assert_eq!(rig.can.received(), 1);
    rig.write(MSR, modes::SLAKI);
    assert!(!rig.is_high(Line::CanSce));
    // A frame on the bus leaves a mark, and ends sleep if AWUM is set.
    rig.write(MCR, SLEEP | 1 << 5);
    rig.receive("T000000018FFFFFFFFFFFFFFFF\r");
    rig.pass(LONG_FRAME + 11 * BIT);
    assert_eq!(rig.read(MSR) & (SLAK | modes::WKUI), modes::WKUI);
    assert_eq!(rig.read(MCR) & SLEEP, 0);
}

#[test]
fn bit_timing_is_written_in_initialization_mode_only() {
    let mut rig = Rig::new();
    assert!(rig.refusal(BTR, BIT_TIMING).contains("outside initialization"));
    let mut rig = Rig::on_bus();
    assert!(rig.refusal(BTR, BIT_TIMING).contains("outside initialization"));
}

/// What BTR says to this prescaler, these segments and this jump width.
fn timing(prescaler: u32, seg1: u32, seg2: u32, jump: u32) -> Result<(), &'static str> {
    let mut rig = Rig::new();
    rig.write(MCR, INRQ);
    rig.pass(BIT);
    let btr = (prescaler - 1) | (seg1 - 1) << 16 | (seg2 - 1) << 20 | (jump - 1) << 24;
    let result = rig.can.store(BTR, Width::Word, btr, &mut rig.bench.cx());
    result.map_err(|breach| breach.rule)
}

#[test]
fn a_bit_rate_other_than_500_kbit_is_a_breach() {
    assert_eq!(timing(10, 10, 5, 4), Ok(()));
    for (prescaler, seg1) in [(5, 10), (20, 10), (10, 11), (9, 10)] {
        let rule = timing(prescaler, seg1, 5, 4).unwrap_err();
        assert!(rule.contains("500 kbit/s"), "{prescaler} {seg1}: {rule}");
    }
}

#[test]
fn a_bit_timing_that_does_not_bear_1_percent_is_a_breach() {
    // SJW 1 bears 0.31 %, a second segment of 4 bears 0.98 %.
    for (seg1, seg2, jump) in [(13, 2, 1), (13, 2, 2), (11, 4, 4), (10, 5, 3), (11, 4, 1)] {
        let rule = timing(10, seg1, seg2, jump).unwrap_err();
        assert!(rule.contains("HSI16"), "{seg1} {seg2} {jump}: {rule}");
    }
    assert_eq!(timing(10, 9, 6, 4), Ok(()));
    assert_eq!(timing(20, 4, 3, 2), Ok(()));
}

#[test]
fn loop_back_and_silent_mode_are_refused() {
    let mut rig = Rig::new();
    rig.write(MCR, INRQ);
    rig.pass(BIT);
    assert!(rig.refusal(BTR, BIT_TIMING | 1 << 30).contains("not modelled"));
    assert!(rig.refusal(BTR, BIT_TIMING | 1 << 31).contains("not modelled"));
}

#[test]
fn joining_the_bus_with_filters_in_setup_is_a_breach() {
    let mut rig = Rig::new();
    rig.write(MCR, INRQ);
    rig.pass(BIT);
    rig.write(BTR, BIT_TIMING);
    assert!(rig.refusal(MCR, 0).contains("FINIT"));
    let mut rig = Rig::new();
    rig.write(MCR, INRQ);
    rig.pass(BIT);
    rig.write(BTR, BIT_TIMING);
    rig.write(MCR, SLEEP);
    rig.pass(BIT);
    rig.accept_all();
    rig.write(MCR, 0); // set up meanwhile: right
}

#[test]
fn filters_change_only_in_setup_or_while_inactive() {
    let mut rig = Rig::on_bus();
    for register in [0x204, 0x20C, 0x214] {
        assert!(rig.refusal(register, 0).contains("FINIT"), "{register:#x}");
    }
    assert!(rig.refusal(0x240, 0).contains("while inactive"));
    rig.write(0x248, 5); // bank 1 is inactive
    rig.write(0x21C, 0);
    rig.write(0x240, 7);
    assert_eq!((rig.read(0x240), rig.read(0x248)), (7, 5));
    rig.write(filters::FMR, 0x2A1C_0E01);
    rig.write(0x21C, 1);
    rig.write(0x244, 9);
    assert_eq!(rig.read(0x244), 9);
    assert!(rig.refusal(filters::FMR, 0x2A1C_1C01).contains("CAN2SB"));
    assert_eq!(rig.refusal(0x240 + 8 * 14, 0), "no such register");
}

#[test]
fn a_mailbox_is_written_only_when_empty() {
    let mut rig = Rig::on_bus();
    rig.ask(0, 0x100, &[1]);
    for word in 0..4 {
        assert!(rig.refusal(TI0R + 4 * word, 0).contains("TME"));
    }
    rig.pass(LONG_FRAME);
    rig.receive("Z\r");
    rig.ask(0, 0x101, &[2]);
    assert_eq!(rig.read(TSR) & 0xFF, 0, "a new request clears the last one's outcome");
}

#[test]
fn a_request_off_the_bus_is_a_breach() {
    let mut rig = Rig::new();
    assert!(rig.refusal(TI0R, 1).contains("sleep mode"));
    let mut rig = Rig::new();
    rig.write(MCR, INRQ);
    rig.pass(BIT);
    assert!(rig.refusal(TI0R, 1).contains("sleep mode"));
    let mut rig = Rig::new();
    rig.write(MCR, 0);
    rig.pass(11 * BIT);
    assert!(rig.refusal(TI0R, 1).contains("bit timing of reset"));
}

#[test]
fn reading_a_receive_mailbox_without_a_frame_is_a_breach() {
    let mut rig = Rig::on_bus();
    for offset in [RI0R, RI0R + 12, RI0R + 16] {
        let breach = rig.can.load(offset, Width::Word, &mut rig.bench.cx()).unwrap_err();
        assert!(breach.rule.contains("FMP is 0"));
    }
    rig.receive("t1230\r");
    rig.pass(LONG_FRAME);
    assert_eq!(rig.read(RI0R), 0x123 << 21);
    rig.write(RF0R, 1 << 5);
    assert!(rig.can.load(RI0R, Width::Word, &mut rig.bench.cx()).is_err(), "released");
    assert!(rig.refusal(RI0R, 0).contains("write protected"));
}

#[test]
fn only_words_of_what_is_there() {
    let mut rig = Rig::new();
    let cx = &mut rig.bench.cx();
    assert!(rig.can.load(MCR, Width::Byte, cx).unwrap_err().rule.contains("words only"));
    assert!(rig.can.store(MCR, Width::Half, 0, cx).unwrap_err().rule.contains("words only"));
    for offset in [0x20, 0x17C, 0x1D0, 0x208, 0x300] {
        assert_eq!(rig.can.load(offset, Width::Word, cx).unwrap_err().rule, "no such register");
    }
}

#[test]
fn a_master_reset_puts_it_to_sleep() {
    let mut rig = Rig::on_bus();
    rig.receive("t1230\r");
    rig.pass(LONG_FRAME);
    rig.ask(0, 1, &[]);
    rig.write(MCR, 1 << 15);
    assert_eq!(rig.read(MCR), 0x0001_0002);
    assert_eq!((rig.read(MSR) & 3, rig.read(RF0R)), (SLAK, 0));
    assert_eq!(rig.read(TSR), 0x1C00_0000);
    rig.pass(LONG_FRAME * 3);
    assert_eq!(rig.sent(), "");
}
