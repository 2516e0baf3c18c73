//! The monitor's runs: in SysTick, and when the bench has something to say.
//!
//! Each run brings the models up to now, moves interrupt lines, hands the bench what came out,
//! and arms SysTick for what is due next.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

use monitor::chip::Chip;
use monitor::time::{Counter as _, Time};
use monitor::{Breach, Ns};

use crate::fault::{Fault, Frame};
use crate::hold::Holds;
use crate::outside::{BREACH_EXIT, Host};
use crate::processor::{self, SysTick};
use crate::shared::{self, Word};

/// What guest and world go on by.
const STEP: Ns = 1_000_000;
/// The bench sees PD15 rise at the end of a step, and PE9 turn over at a feed of the watchdog.
const STEP_PORT: u32 = 0x4800_0C18;
const STEP_PIN: u32 = 15;
const FEED_PORT: u32 = 0x4800_1018;
const FEED_PIN: u32 = 9;

/// Everything the monitor has.
pub(crate) struct State {
    /// The device's clock.
    pub time: Time<SysTick>,
    /// The models.
    pub chip: Chip,
    /// The host.
    pub host: Host,
    /// How long the executor ran.
    pub holds: Holds,
    /// What the bench wants to go wrong in the image, next.
    pub fault: Option<Fault>,
    /// When the device next waits for its world.
    pub step: Option<Ns>,
    /// The world has let it go on.
    pub go: bool,
    /// Bytes of the inbox's first record that its link has taken.
    pub taken: usize,
    /// Feeds that were shown.
    fed: u32,
}

struct Place(UnsafeCell<MaybeUninit<State>>);

// SAFETY: one core, and every user runs at the priority of a hard fault: never two at once.
unsafe impl Sync for Place {}

static STATE: Place = Place(UnsafeCell::new(MaybeUninit::uninit()));

impl State {
    /// Puts the parts where the handlers find them.
    pub(crate) fn install(time: Time<SysTick>, chip: Chip, host: Host, in_step: bool) {
        let step = in_step.then_some(STEP);
        let holds = Holds::new();
        let state =
            Self { time, chip, host, holds, fault: None, step, go: false, taken: 0, fed: 0 };
        // SAFETY: before the first handler runs.
        unsafe { (*STATE.0.get()).write(state) };
    }

    /// The state, for a handler.
    pub(crate) fn get() -> &'static mut Self {
        // SAFETY: installed before any handler runs, and handlers exclude each other.
        unsafe { (*STATE.0.get()).assume_init_mut() }
    }

    /// Ends the run in words when a rule was broken.
    pub(crate) fn check(&mut self, pc: u32, result: Result<(), Breach>) {
        if let Err(Breach { register, value, rule }) = result {
            self.host
                .say(format_args!("breach: {register} {value:#010x} at pc {pc:#010x}: {rule}"));
            self.host.end(BREACH_EXIT);
        }
    }

    /// Brings the models up to `now`.
    pub(crate) fn advance(&mut self, now: Ns, pc: u32) {
        let result = self.chip.advance(now, &mut self.host);
        self.check(pc, result);
        if self.chip.watchdog_bites(now) {
            self.host.say(format_args!("the watchdog bites"));
            self.host.flush();
            shared::note_watchdog();
            processor::reset();
        }
    }

    /// The end of every run: lines out, bytes out, the next alarm.
    pub(crate) fn finish(&mut self, now: Ns) {
        processor::set_lines(self.chip.take_lines());
        if self.chip.feeds() != self.fed {
            self.fed = self.chip.feeds();
            let level = if self.fed & 1 == 1 { FEED_PIN } else { FEED_PIN + 16 };
            processor::store(FEED_PORT, 1 << level);
            shared::put(Word::Feeds, self.fed);
        }
        // In step the world receives nothing before the step's end; each word to it costs the host.
        if self.step.is_none() {
            self.host.flush();
        }
        let next = self.step.unwrap_or(Ns::MAX).min(self.chip.next());
        self.time.leave(next.max(now));
    }

    /// Sends the bench the state.
    pub(crate) fn publish(&mut self, now: Ns) {
        let us = now / 1_000;
        shared::put(Word::NowLow, us as u32);
        shared::put(Word::NowHigh, (us >> 32) as u32);
        shared::put(Word::CanLost, self.chip.can.lost());
        shared::put(Word::CanReceived, self.chip.can.received());
        shared::put(Word::CanSent, self.chip.can.sent());
        shared::put(Word::UartLost, self.chip.uart_lost());
        shared::put(Word::LinkWait, self.chip.link_wait() as u32);
        shared::put(Word::FlashWords, self.chip.flash.words_programmed());
        shared::put(Word::FlashErases, self.chip.flash.pages_erased());
    }

    /// The end of a step: reports to the bench, and waits for its go. The clock is held already.
    fn wait_for_world(&mut self) {
        self.host.flush();
        shared::put(Word::Steps, shared::get(Word::Steps).wrapping_add(1));
        shared::put(Word::Held, 1);
        // From the pin on, the bench may ring; what it rang before was for the step before.
        self.listen();
        // A pulse, not an edge: QEMU forgets a pin's level in a reset and does not say so.
        processor::store(STEP_PORT, 1 << STEP_PIN);
        processor::store(STEP_PORT, 1 << (STEP_PIN + 16));
        self.sleep_until_notified(true);
        shared::put(Word::Held, 0);
    }

    /// Before the image: says that the monitor runs, and takes words until the bench lets the
    /// image begin. So sense lines and sensors are as they are from its first instruction. No
    /// handler runs until then: they use the stack that this runs on.
    pub(crate) fn wait_for_begin(&mut self) {
        processor::shut_out();
        self.time.counter().stop();
        self.listen();
        self.host.say(format_args!("start"));
        self.host.flush();
        self.sleep_until_notified(false);
        self.time.counter().run();
    }

    fn listen(&mut self) {
        self.go = false;
        processor::unpend(processor::BENCH_INTERRUPT);
    }

    /// Sleeps until the bench says go or begin; or, if `rings_suffice`, rings without a word.
    fn sleep_until_notified(&mut self, rings_suffice: bool) {
        loop {
            processor::sleep_until_bench();
            processor::unpend(processor::BENCH_INTERRUPT);
            let empty = crate::inbox::is_empty();
            crate::inbox::take(self);
            if self.go || empty && rings_suffice {
                return;
            }
        }
    }
}

/// SysTick: something is due.
///
/// # Safety
///
/// Called by its handler only, with the frame that the processor has stacked.
#[unsafe(no_mangle)]
unsafe extern "C" fn ticked(frame: *mut Frame) -> *mut Frame {
    let state = State::get();
    state.time.rang();
    let now = state.time.enter();
    // SAFETY: the processor has just stacked it.
    let pc = unsafe { (*frame).pc };
    state.advance(now, pc);
    if let Some(step) = state.step.filter(|step| now >= *step) {
        state.step = Some(step + STEP);
        state.publish(now);
        state.wait_for_world();
        state.advance(now, pc);
    } else {
        crate::inbox::take(state);
        state.publish(now);
    }
    let frame = crate::fault::inject(state, frame);
    state.finish(now);
    frame
}

/// The bench's interrupt: there is something in the inbox.
///
/// # Safety
///
/// As for [`ticked`].
#[unsafe(no_mangle)]
unsafe extern "C" fn notified(frame: *mut Frame) -> *mut Frame {
    let state = State::get();
    let now = state.time.enter();
    // SAFETY: the processor has just stacked it.
    state.advance(now, unsafe { (*frame).pc });
    crate::inbox::take(state);
    state.publish(now);
    let frame = crate::fault::inject(state, frame);
    state.finish(now);
    frame
}
