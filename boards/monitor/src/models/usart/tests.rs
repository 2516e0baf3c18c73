use super::*;
use crate::testing::hardware::Bench;

/// A driver as embassy-stm32 0.6.0 has it in `usart/buffered.rs`, on its model.
pub(super) struct Buffered {
    pub(super) usart: Usart,
    pub(super) bench: Bench,
    pub(super) reads_back: bool,
    pub(super) outgoing: Vec<u8>,
    pub(super) incoming: Vec<u8>,
    pub(super) idles: u32,
    pub(super) ended: Option<Ns>,
}

pub(super) const BYTE: Ns = 86_805;

impl Buffered {
    pub(crate) fn bare(usart: Usart) -> Self {
        let (bench, outgoing, incoming) = (Bench::new(), Vec::new(), Vec::new());
        Self { usart, bench, reads_back: false, outgoing, incoming, idles: 0, ended: None }
    }

    /// `enable_and_configure` and `configure`, in their order.
    pub(super) fn new(usart: Usart, half: bool) -> Self {
        let mut uart = Self::bare(usart);
        let hdsel = if half { cr3::HDSEL } else { 0 };
        uart.store(CR3, hdsel);
        uart.modify(CR1, 0, cr1::UE);
        uart.store(BRR, 694);
        uart.store(CR2, 0);
        uart.modify(CR3, hdsel, 0);
        uart.store(CR1, cr1::UE | cr1::RE | if half { 0 } else { cr1::TE });
        uart.modify(CR1, cr1::RXNEIE | cr1::IDLEIE, if half { cr1::TE } else { 0 });
        uart
    }

    pub(crate) fn load(&mut self, offset: u32) -> u32 {
        self.usart.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    pub(crate) fn try_store(&mut self, offset: u32, value: u32) -> Result<(), Breach> {
        self.usart.store(offset, Width::Word, value, &mut self.bench.cx())
    }

    pub(super) fn store(&mut self, offset: u32, value: u32) {
        self.try_store(offset, value).unwrap();
    }

    pub(super) fn modify(&mut self, offset: u32, set: u32, clear: u32) {
        let value = self.load(offset) & !clear | set;
        self.store(offset, value);
    }

    pub(crate) fn send_byte(&mut self, byte: u8) -> Result<(), Breach> {
        self.usart.store(TDR, Width::Byte, byte.into(), &mut self.bench.cx())
    }

    /// `on_interrupt`.
    pub(super) fn interrupt(&mut self) {
        let status = self.load(ISR);
        let data = (status & isr::RXNE != 0).then(|| self.load(RDR) as u8);
        self.store(ICR, status);
        self.incoming.extend(data);
        self.idles += u32::from(status & isr::IDLE != 0);
        if status & isr::TC != 0 && self.load(CR1) & cr1::TCIE != 0 {
            self.modify(CR1, cr1::RE, cr1::TCIE);
            self.ended = Some(self.bench.now);
        }
        if self.load(ISR) & isr::TXE == 0 {
            return;
        }
        if self.outgoing.is_empty() {
            self.modify(CR1, 0, cr1::TXEIE);
            return;
        }
        self.modify(CR1, cr1::TXEIE, 0);
        if self.outgoing.len() == 1 {
            self.modify(CR1, cr1::TCIE, 0);
        }
        if self.load(CR3) & cr3::HDSEL != 0 {
            let re = if self.reads_back { cr1::RE } else { 0 };
            let cr1 = self.load(CR1) & !cr1::RE | cr1::TE | re;
            self.store(CR1, cr1);
        }
        let byte = self.outgoing.remove(0);
        self.send_byte(byte).unwrap();
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        self.outgoing.extend(bytes);
        self.interrupt(); // pended
    }

    pub(super) fn run(&mut self, until: Ns) {
        while let Some(due) = self.usart.next().filter(|due| *due <= until) {
            self.bench.now = due.max(self.bench.now);
            self.usart.advance(&mut self.bench.cx()).unwrap();
            while self.bench.lines.is_high(self.usart.line) {
                self.interrupt();
            }
        }
        self.bench.now = until;
    }
}

pub(super) fn link() -> Usart {
    Usart::new(Line::Usart1, Stream::Link)
}

#[test]
fn a_buffered_uart_sends_and_receives_at_the_pace_of_the_line() {
    let mut uart = Buffered::new(link(), false);
    uart.run(BYTE); // the idle frame
    let begins = uart.bench.now;
    uart.write(b"hello");
    uart.usart.receive(b"world", begins);
    uart.run(begins + 4 * BYTE - 1000);
    assert_eq!((uart.bench.world.bytes().len(), uart.incoming.len()), (3, 3));
    uart.run(begins + 20 * BYTE);
    assert_eq!(uart.bench.world.bytes(), b"hello");
    assert!(uart.bench.world.sent.iter().all(|(stream, _)| *stream == Stream::Link));
    assert_eq!(uart.incoming, b"world", "and nothing of its own");
    assert_eq!((uart.idles, uart.usart.overruns()), (1, 0));
    let took = uart.ended.unwrap() - begins;
    assert!(took.abs_diff(5 * BYTE) < 5 * 200, "five bytes took {took} ns");
}

#[test]
fn half_duplex_without_reading_back_never_sees_its_echo() {
    let mut uart = Buffered::new(Usart::one_wire(), true);
    uart.write(&[5, 0, 2, 0x8F]);
    uart.usart.receive(&[5, 0xFF, 2], 1000);
    uart.run(5 * BYTE + 15 * 8680);
    assert_eq!(uart.bench.world.bytes(), [5, 0, 2, 0x8F]);
    assert_eq!(uart.incoming, [], "the far end waits until we have ended");
    uart.run(20 * BYTE);
    assert_eq!(uart.incoming, [5, 0xFF, 2]);
    assert_eq!((uart.idles, uart.usart.overruns()), (1, 0));
}

#[test]
fn half_duplex_with_reading_back_sees_its_echo_before_the_answer() {
    let mut uart = Buffered::new(Usart::one_wire(), true);
    uart.reads_back = true;
    uart.write(&[5, 0, 2, 0x8F]);
    uart.usart.receive(&[5, 0xFF], 0);
    uart.run(20 * BYTE);
    assert_eq!(uart.incoming, [5, 0, 2, 0x8F, 5, 0xFF]);
    assert_eq!(uart.usart.overruns(), 0);
}

#[test]
fn a_two_wire_driver_on_the_one_wire_line_is_a_breach_and_hears_itself() {
    let mut uart = Buffered::bare(Usart::one_wire());
    uart.store(BRR, 694);
    let breach = uart.try_store(CR1, cr1::UE | cr1::RE | cr1::TE).unwrap_err();
    assert!(breach.rule.ends_with("driven as two wires: CR3.HDSEL is off"), "{breach:?}");
    uart.bench.now = BYTE;
    uart.send_byte(0x55).unwrap();
    uart.bench.now = 2 * BYTE;
    assert_ne!(uart.load(ISR) & isr::RXNE, 0);
    assert_eq!(uart.load(RDR), 0x55);
}

#[test]
fn a_byte_that_comes_before_the_last_was_read_is_lost_and_counted() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1, 2, 3], 0);
    uart.bench.now = BYTE;
    assert_eq!(uart.load(ISR) & (isr::RXNE | isr::ORE), isr::RXNE);
    uart.bench.now = 2 * BYTE;
    assert_eq!(uart.load(ISR) & (isr::RXNE | isr::ORE), isr::RXNE | isr::ORE);
    assert_eq!((uart.load(RDR), uart.usart.overruns()), (1, 1), "the first stays");
    uart.bench.now = 3 * BYTE;
    assert_eq!(uart.load(RDR), 3);
    assert_ne!(uart.load(ISR) & isr::ORE, 0, "until it is cleared");
    uart.store(ICR, u32::MAX);
    assert_eq!(uart.load(ISR) & isr::ORE, 0);
}

#[test]
fn a_byte_waits_for_the_one_before_it_as_long_as_patience_goes_and_is_lost_then() {
    for (late, lost) in [(3 * BYTE, 0), (6 * BYTE, 1)] {
        let mut uart = Buffered::new(link(), false);
        uart.usart.set_patience(4 * BYTE);
        uart.usart.receive(&[1, 2], 0);
        uart.bench.now = BYTE;
        assert_eq!(uart.load(ISR) & (isr::RXNE | isr::ORE), isr::RXNE);
        uart.bench.now += late;
        assert_eq!(uart.load(ISR) & isr::IDLE, 0, "the second has begun");
        assert_eq!((uart.load(RDR), uart.usart.overruns()), (1, lost), "{late} ns late");
        assert_eq!(uart.load(RDR), if lost == 0 { 2 } else { 1 }, "{late} ns late");
    }
}

#[test]
fn a_late_monitor_makes_no_burst() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1, 2, 3], 0);
    uart.run(0);
    uart.bench.now = 50 * BYTE; // the host was away
    uart.usart.advance(&mut uart.bench.cx()).unwrap();
    assert_eq!(uart.usart.overruns(), 0, "one byte came, not three");
    assert_eq!(uart.load(RDR), 1);
    assert_eq!(uart.usart.comes, Some(51 * BYTE), "the next is a byte's time away");
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1], 0);
    uart.bench.now = 50 * BYTE;
    uart.usart.advance(&mut uart.bench.cx()).unwrap();
    uart.usart.receive(&[2], 49 * BYTE); // by the bench's older clock
    assert_eq!(uart.usart.comes, Some(51 * BYTE));
}

#[test]
fn the_line_is_idle_a_frame_after_the_last_byte_and_once() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1, 2], 0);
    uart.run(3 * BYTE - 1);
    assert_eq!((uart.incoming.len(), uart.idles), (2, 0));
    uart.run(3 * BYTE);
    assert_eq!(uart.idles, 1);
    uart.run(30 * BYTE);
    assert_eq!(uart.idles, 1);
    uart.usart.receive(&[3], 30 * BYTE);
    uart.run(31 * BYTE + 10);
    uart.usart.receive(&[4], 31 * BYTE + 10);
    uart.run(33 * BYTE);
    assert_eq!((uart.incoming.len(), uart.idles), (4, 1), "a start bit came in time");
}

#[test]
fn bytes_are_lost_while_the_receiver_is_off() {
    let mut uart = Buffered::new(link(), false);
    uart.modify(CR1, 0, cr1::RE);
    uart.usart.receive(&[1], 0);
    uart.run(BYTE);
    uart.modify(CR1, cr1::RE, 0);
    uart.usart.receive(&[2], BYTE);
    uart.run(4 * BYTE);
    assert_eq!(uart.incoming, [2]);
}

#[test]
fn the_ring_holds_256_bytes_and_says_what_fits() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[7; 200], 0);
    assert_eq!(uart.usart.room(), 56);
    uart.usart.receive(&[8; 57], 0);
    assert_eq!((uart.usart.room(), uart.usart.overruns()), (0, 1));
    uart.run(300 * BYTE);
    assert_eq!((uart.incoming.len(), uart.usart.room()), (256, 256));
    assert_eq!(uart.incoming[199..201], [7, 8]);
}

#[test]
fn txe_is_free_while_a_byte_shifts_and_tc_comes_at_the_end() {
    let mut uart = Buffered::new(link(), false);
    uart.modify(CR1, 0, cr1::RXNEIE | cr1::IDLEIE);
    uart.run(BYTE);
    uart.send_byte(1).unwrap();
    assert_eq!(uart.load(ISR) & (isr::TXE | isr::TC), isr::TXE);
    uart.send_byte(2).unwrap();
    assert_eq!(uart.load(ISR) & (isr::TXE | isr::TC), 0);
    uart.run(2 * BYTE + 1000);
    assert_eq!(uart.load(ISR) & (isr::TXE | isr::TC), isr::TXE);
    uart.run(3 * BYTE + 1000);
    assert_eq!(uart.load(ISR) & (isr::TXE | isr::TC), isr::TXE | isr::TC);
    assert_eq!(uart.bench.world.bytes(), [1, 2]);
    assert_eq!(uart.load(ISR) & (isr::TEACK | isr::REACK), isr::TEACK | isr::REACK);
}

#[test]
fn a_byte_follows_the_idle_frame_of_a_transmitter_just_enabled() {
    let mut uart = Buffered::new(link(), false);
    uart.send_byte(9).unwrap();
    assert_eq!(uart.load(ISR) & isr::TXE, 0, "it waits in TDR");
    uart.run(2 * BYTE - 1000);
    assert!(uart.bench.world.sent.is_empty());
    uart.run(2 * BYTE);
    assert_eq!(uart.bench.world.bytes(), [9]);
    let mut uart = Buffered::new(link(), false);
    uart.store(ICR, isr::TC);
    uart.run(2 * BYTE);
    assert_eq!(uart.load(ISR) & isr::TC, 0, "an idle frame completes nothing");
}

#[test]
fn a_line_on_which_we_transmit_is_not_idle() {
    let mut uart = Buffered::new(Usart::one_wire(), true);
    uart.usart.receive(&[1], 0);
    uart.run(2 * BYTE);
    assert_eq!(uart.incoming, [1]);
    uart.write(&[5, 6]);
    uart.run(20 * BYTE);
    assert_eq!((uart.bench.world.bytes(), uart.idles), (vec![5, 6], 0));
}

#[test]
fn turning_the_uart_off_drops_what_it_does() {
    let mut uart = Buffered::new(link(), false);
    uart.run(BYTE);
    uart.send_byte(1).unwrap();
    uart.send_byte(2).unwrap();
    uart.modify(CR1, 0, cr1::UE);
    assert_eq!(uart.load(ISR), isr::DEFAULT);
    uart.run(9 * BYTE);
    assert!(uart.bench.world.sent.is_empty());
}

#[test]
fn a_held_uart_never_finishes() {
    let mut uart = Buffered::new(link(), false);
    uart.run(BYTE);
    uart.usart.set_held(true);
    uart.send_byte(1).unwrap();
    uart.usart.receive(&[1], BYTE);
    uart.run(90 * BYTE);
    assert_eq!((uart.usart.next(), uart.load(ISR) & isr::TC), (None, 0));
    assert!(uart.bench.world.sent.is_empty() && uart.incoming.is_empty());
}

#[test]
fn the_receiver_is_busy_while_a_byte_comes() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1], 100);
    assert_eq!(uart.load(ISR) & isr::BUSY, 0);
    uart.bench.now = 200;
    assert_ne!(uart.load(ISR) & isr::BUSY, 0);
    uart.bench.now = 100 + BYTE;
    assert_eq!(uart.load(ISR) & isr::BUSY, 0);
}

#[test]
fn a_flush_request_discards_the_byte_in_rdr() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1], 0);
    uart.bench.now = BYTE;
    assert_ne!(uart.load(ISR) & isr::RXNE, 0);
    uart.store(RQR, rqr::RXFRQ);
    assert_eq!(uart.load(ISR) & isr::RXNE, 0);
}

#[test]
fn icr_clears_only_what_it_can() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1], 0);
    uart.run(0);
    uart.bench.now = BYTE;
    uart.store(ICR, u32::MAX);
    assert_eq!(uart.load(ISR) & (isr::RXNE | isr::TXE | isr::TC), isr::RXNE | isr::TXE);
}

#[test]
fn dma_is_asked_for_a_byte_while_tdr_is_free() {
    let mut uart = Buffered::new(link(), false);
    assert!(!uart.usart.tx_request());
    uart.modify(CR3, cr3::DMAT | cr3::DMAR, 0);
    assert!(uart.usart.tx_request() && !uart.usart.rx_request());
    uart.send_byte(1).unwrap();
    assert!(!uart.usart.tx_request(), "it waits for the idle frame to end");
    uart.usart.receive(&[1], 0);
    uart.bench.now = BYTE;
    uart.usart.advance(&mut uart.bench.cx()).unwrap();
    assert!(uart.usart.rx_request());
}

#[test]
fn a_reset_by_rcc_leaves_the_far_ends_bytes_on_the_wire() {
    let mut uart = Buffered::new(link(), false);
    uart.usart.receive(&[1, 2], 0);
    uart.bench.now = BYTE;
    uart.usart.advance(&mut uart.bench.cx()).unwrap();
    uart.usart.reset();
    assert_eq!((uart.load(CR1), uart.load(BRR), uart.load(ISR)), (0, 0, isr::DEFAULT));
    assert_eq!(uart.usart.room(), 255);
}

#[test]
fn what_is_no_register_is_a_breach() {
    let mut uart = Buffered::new(link(), false);
    assert!(uart.try_store(0x2C, 0).is_err());
    assert!(uart.try_store(ISR, 0).is_err());
    let mut cx = uart.bench.cx();
    assert_eq!(uart.usart.load(0x2C, Width::Word, &mut cx).unwrap_err().rule, "no such register");
    assert!(uart.usart.store(CR1, Width::Byte, 1, &mut cx).is_err());
    assert_eq!(uart.usart.load(BRR, Width::Byte, &mut cx), Ok(694 & 0xFF));
    assert_eq!(uart.usart.load(BRR + 1, Width::Byte, &mut cx), Ok(694 >> 8));
}
