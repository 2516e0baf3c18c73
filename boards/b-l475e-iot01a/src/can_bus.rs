//! The table bus on bxCAN.
//!
//! The controller sends a frame again until a node acknowledges it, and comes back from
//! bus-off by itself. Its acceptance filter passes requests to this node and nothing else. Its
//! three places for received frames are full after 0.8 ms, so frames go to a queue of 64 in
//! their interrupt, and the listener sorts them without waiting for the node: a command may have
//! to wait for a page erase of 22 ms, and a bus that is never silent brings 86 frames in that
//! time, if all of them were for this node. What is lost in spite of that is counted.

use core::cell::RefCell;
use core::num::{NonZeroU8, NonZeroU16};

use critical_section::Mutex;
use croupier::context::ports::{CanReceive, CanTransmit};
use croupier::ports::CheckIn;
use croupier::protocol::framing::can::{Address, Backlog, Frame};
use croupier::protocol::transfer::NodeId;
use embassy_futures::poll_once;
use embassy_stm32::can::util::NominalBitTiming;
use embassy_stm32::can::{self, BufferedCanRx, BufferedCanTx, Can, RxBuf, TxBuf};
use embassy_stm32::interrupt::typelevel;
use embassy_stm32::pac::gpio::vals::Pupdr;
use embassy_stm32::{Peri, pac, peripherals};
use embassy_time::{Duration, Instant, Timer};

use crate::Irqs;
use crate::spare::Spare;

/// Received frames that wait for the node.
const RX_DEPTH: usize = 64;
/// Frames that wait for the bus.
const TX_DEPTH: usize = 8;

#[unsafe(link_section = ".survives.rx")]
static RX_FRAMES: Spare<RxBuf<RX_DEPTH>> = Spare::new();
#[unsafe(link_section = ".survives.tx")]
static TX_FRAMES: Spare<TxBuf<TX_DEPTH>> = Spare::new();
static BACKLOG: Mutex<RefCell<Backlog<{ RX_DEPTH as u32 }>>> =
    Mutex::new(RefCell::new(Backlog::new()));

/// Lost frames are reported at most this often.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// The bus as it is before eleven recessive bits.
pub struct TableBus(Can<'static>);

impl TableBus {
    /// The table bus at 500 kbit/s.
    pub fn new(
        peripheral: Peri<'static, peripherals::CAN1>,
        rx: Peri<'static, peripherals::PB8>,
        tx: Peri<'static, peripherals::PB9>,
    ) -> Self {
        let mut bus = Can::new(peripheral, rx, tx, Irqs);
        // Without a transceiver the line would float, and a bus that is never quiet never starts.
        pac::GPIOB.pupdr().modify(|pull| pull.set_pupdr(8, Pupdr::PULL_UP));
        bus.modify_config().set_bit_timing(half_a_megabit());
        // First in, first out, so that the frames of a transfer stay in order.
        bus.set_tx_fifo_scheduling(true);
        Self(bus)
    }

    /// Listens for requests to `node`, divides the bus, and waits for it to be quiet. A bus that is never quiet, such as a short
    /// between its wires, leaves this device without it but alive: it checks in.
    pub async fn start(self, node: NodeId, check_in: &mut impl CheckIn) -> (CanTx, CanRx) {
        let mut bus = self.0;
        filter_requests(node);
        let (out, into) = bus.split();
        // SAFETY: there is one CAN1, and this takes it.
        let (tx, rx) = unsafe { (TX_FRAMES.fill(TxBuf::new()), RX_FRAMES.fill(RxBuf::new())) };
        // Before the bus is joined: a frame that finds no queue makes embassy's handler switch its
        // interrupt off until the frame is read, and a queue is never read that way. The device
        // would receive nothing until its next start.
        let (out, frames) = (out.buffered(tx), into.buffered(rx));
        // The future of embassy asks again without a pause; asked once, it leaves nothing behind.
        while poll_once(bus.enable()).is_pending() {
            check_in.check_in();
            Timer::after_millis(1).await;
        }
        core::mem::forget(bus); // dropping it would reset the controller
        (CanTx(out), CanRx { frames, reported: 0, report_at: Instant::MIN })
    }
}

/// One filter of 32 bits into the first FIFO: an identifier of 29 bits, then the flag for that
/// length, then that it brings data (RM0351 42.7.4).
///
/// Not by embassy, which reads from CAN_FMR how many filters there are: a field that this chip,
/// with one controller, reserves (RM0351 42.9.5).
fn filter_requests(node: NodeId) {
    const IDENTIFIER: u32 = 3;
    const EXTENDED: u32 = 1 << 2;
    const REMOTE: u32 = 1 << 1;
    let (bits, counts) = Address::requests_to(node);
    pac::CAN1.fmr().modify(|fmr| fmr.set_finit(true));
    pac::CAN1.fa1r().modify(|active| active.set_fact(0, false));
    pac::CAN1.fm1r().modify(|list| list.set_fbm(0, false));
    pac::CAN1.fs1r().modify(|wide| wide.set_fsc(0, true));
    pac::CAN1.ffa1r().modify(|second| second.set_ffa(0, false));
    pac::CAN1.fb(0).fr1().write(|id| id.0 = bits << IDENTIFIER | EXTENDED);
    pac::CAN1.fb(0).fr2().write(|mask| mask.0 = counts << IDENTIFIER | EXTENDED | REMOTE);
    pac::CAN1.fa1r().modify(|active| active.set_fact(0, true));
    pac::CAN1.fmr().modify(|fmr| fmr.set_finit(false));
}

/// 500 kbit/s of the peripheral's 80 MHz: sixteen quanta a bit, sampled after eleven, with jumps
/// of four. Reckoned here, because to reckon it on the chip takes a kilobyte of flash.
///
/// Each node's clock may then be off by 1.23 %: the lesser of 4 / (2 x 10 x 16), ten bits to the
/// next edge, and 5 / (2 x (13 x 16 - 5)), an error flag. With jumps of one it was 0.31 %; sampled
/// after twelve it would be 0.98 %. HSI16 is given as within 1 % from 0 to 85 degrees (L475
/// datasheet), and against a node with a crystal a device has twice that. MSI locked to the
/// board's 32 kHz crystal would be far better than either; it is an option for later, with a
/// bounded wait for the crystal.
const fn half_a_megabit() -> NominalBitTiming {
    const QUANTA: u32 = 80_000_000 / 500_000;
    const { assert!(QUANTA == 10 * (1 + 10 + 5)) };
    NominalBitTiming {
        prescaler: NonZeroU16::new(10).expect("ten"),
        seg1: NonZeroU8::new(10).expect("ten"),
        seg2: NonZeroU8::new(5).expect("five"),
        sync_jump_width: NonZeroU8::new(4).expect("four"),
    }
}

/// Counts frames on their way from the controller to the queue; runs before embassy's handler,
/// which moves them and drops in silence those that find the queue full.
pub struct Count;

impl typelevel::Handler<typelevel::CAN1_RX0> for Count {
    unsafe fn on_interrupt() {
        let fifo = pac::CAN1.rfr(0).read();
        if fifo.fovr() {
            pac::CAN1.rfr(0).write(|clear| clear.set_fovr(true)); // written one clears it
        }
        critical_section::with(|cs| {
            BACKLOG.borrow_ref_mut(cs).arrive(fifo.fmp().into(), fifo.fovr());
        });
    }
}

/// The bus's incoming frames.
pub struct CanRx {
    frames: BufferedCanRx<'static, RX_DEPTH>,
    reported: u32,
    report_at: Instant,
}

impl CanRx {
    fn next(&mut self) -> Option<Frame> {
        loop {
            let envelope = critical_section::with(|cs| {
                let mut backlog = BACKLOG.borrow_ref_mut(cs);
                // Errors of the bus are the controller's to count and to recover from.
                let read = self.frames.try_read().ok();
                if read.is_some() {
                    backlog.take()
                } else {
                    backlog.is_empty_now()
                }
                read
            })?;
            let received = &envelope.frame;
            if let Some(frame) = Frame::new(*received.id(), received.data()) {
                return Some(frame);
            }
        }
    }

    fn report_lost(&mut self) {
        let lost = self.lost();
        let now = Instant::now();
        if lost != self.reported && now >= self.report_at {
            defmt::warn!("{} frames of the table bus lost since start", lost);
            (self.reported, self.report_at) = (lost, now + REPORT_EVERY);
        }
    }
}

impl CanReceive for CanRx {
    async fn frame(&mut self) -> Frame {
        loop {
            self.report_lost();
            match self.next() {
                Some(frame) => return frame,
                None => self.frames.wait_not_empty().await,
            }
        }
    }

    fn lost(&self) -> u32 {
        critical_section::with(|cs| BACKLOG.borrow_ref(cs).lost())
    }
}

/// The bus's outgoing frames.
pub struct CanTx(BufferedCanTx<'static, TX_DEPTH>);

impl CanTransmit for CanTx {
    async fn put(&mut self, frame: &Frame) {
        if let Ok(frame) = can::Frame::new_data(frame.id(), frame.data()) {
            self.0.write(&frame).await;
        }
    }
}
