//! The random core: the one place where orders and numbers come from.
//!
//! Fails closed: after any fault it has no state left to answer from, and no other
//! source to turn to. There is no fallback.

use core::num::{NonZeroU8, NonZeroU32};

use rand_core::{TryCryptoRng, TryRng};
use zeroize::Zeroize;

use super::conditioner::mark_of;
use super::drbg::HmacDrbg;
use super::error_budget::SeedErrors;
use super::gate::{Gate, Stop};
use super::ledger::{worth_of_one_in, worth_of_order};
use super::order::{Order, OrderBuffer, Unfinished};
use super::request::Request;
use super::sampler::{DrawFault, Refill, Sampler};
use super::state::{Event, State};
use super::{Cause, Memory, NoiseSource, RngFault, RngLatch, self_test};

/// Blocks thrown away at start: 4480 bits, more than the 4096 asked for.
const STARTUP_BLOCKS: usize = 7;

/// Blocks that seed the generator.
const SEED_BLOCKS: usize = 3;

/// The generator of a device: noise `N` in, orders and numbers out, faults kept in `M`.
pub struct RandomCore<N, M> {
    gate: Gate<N>,
    memory: M,
    serial: [u8; 12],
    state: State,
    drbg: Option<HmacDrbg>,
    kept: RngLatch,
    unsaved: bool,
    seed_errors: SeedErrors,
    now_seconds: u32,
    counter: u64,
}

impl<N: NoiseSource, M: Memory> RandomCore<N, M> {
    /// A core that has not started. `serial` keeps two devices from ever being in step.
    pub fn new(noise: N, memory: M, serial: [u8; 12]) -> Self {
        Self {
            gate: Gate::new(noise),
            memory,
            serial,
            state: State::Boot,
            drbg: None,
            kept: RngLatch::new(),
            unsaved: false,
            seed_errors: SeedErrors::new(0),
            now_seconds: 0,
            counter: 0,
        }
    }

    /// What the core is doing.
    pub const fn state(&self) -> State {
        self.state
    }

    /// Starts the core: known answers, settings, start-up noise. Call once after power on.
    pub fn start(&mut self) -> Result<(), RngFault> {
        match self.memory.recall() {
            Ok(kept) => {
                self.seed_errors = SeedErrors::new(kept.seed_errors);
                self.kept = kept;
                self.state = self.state.after(Event::Recalled(kept.latch));
            }
            Err(_) => return Err(self.fail(Cause::Memory)),
        }
        self.stand_trial()
    }

    /// Tries a latched core again. The caller has checked the service authority.
    pub fn service_reset(&mut self) -> Result<(), RngFault> {
        if matches!(self.state, State::Latched(_)) {
            self.gate.restart();
            self.seed_errors = SeedErrors::new(0);
        }
        self.state = self.state.after(Event::ServiceReset);
        self.stand_trial()
    }

    /// An order of `count` cards, drawn whole, laid out in `buffer`.
    pub fn order<'buffer>(
        &mut self,
        count: usize,
        buffer: &'buffer mut OrderBuffer,
    ) -> Result<Order<'buffer>, RngFault> {
        self.order_with(Sampler::new(), count, buffer)
    }

    /// A number from 1 to `most`, all equally likely (PG-03, PG-04).
    pub fn number(&mut self, most: NonZeroU8) -> Result<NonZeroU8, RngFault> {
        let outcomes = NonZeroU32::from(most);
        let drawn = self.request(worth_of_one_in(outcomes.get()), |request| {
            Sampler::new().draw(outcomes, request).map_err(stop)
        })?;
        let number = u8::try_from(drawn).ok().and_then(|drawn| NonZeroU8::MIN.checked_add(drawn));
        number.ok_or(RngFault::OutOfRange)
    }

    /// Work between games: cycles the generator with fresh noise, so that the health tests
    /// run and the state changes between games (PG-08). Every 100 ms.
    pub fn cycle(&mut self, now_seconds: u32) -> Result<(), RngFault> {
        self.now_seconds = now_seconds;
        if self.seed_errors.age(now_seconds) {
            self.kept.seed_errors = self.seed_errors.count();
            self.unsaved = true;
        }
        if self.unsaved {
            self.save();
        }
        self.request(0, |_| Ok(()))
    }

    pub(super) fn order_with<'buffer>(
        &mut self,
        mut sampler: Sampler,
        count: usize,
        buffer: &'buffer mut OrderBuffer,
    ) -> Result<Order<'buffer>, RngFault> {
        let worth = worth_of_order(count).ok_or(RngFault::OutOfRange)?;
        let mut order = Unfinished::lay_out(buffer, count).ok_or(RngFault::OutOfRange)?;
        self.request(worth, |request| order.draw(&mut sampler, request).map_err(stop))?;
        Ok(order.finish())
    }

    /// Answers one request whose outcome is worth this number of bits, or nothing of it.
    pub(super) fn request<T>(
        &mut self,
        worth_bits: u32,
        work: impl FnOnce(&mut Request<'_, N>) -> Result<T, Stop>,
    ) -> Result<T, RngFault> {
        let drbg = match (self.state, &mut self.drbg) {
            (State::Latched(cause), _) => return Err(RngFault::Latched(cause)),
            (State::Ready, Some(drbg)) => drbg,
            _ => return Err(RngFault::NotStarted),
        };
        let outcome =
            Request::begin(&mut self.gate, drbg, &mut self.counter).and_then(|mut request| {
                let answer = work(&mut request)?;
                request.end(worth_bits)?;
                Ok(answer)
            });
        match outcome {
            Ok(answer) => {
                self.seed_errors.pass(self.gate.take_words_passed());
                Ok(answer)
            }
            Err(Stop::Failed(cause)) => Err(self.fail(cause)),
            Err(Stop::SeedError) => {
                self.recover_from_seed_error()?;
                self.start_up()?;
                Err(RngFault::Void(Cause::SeedError))
            }
        }
    }

    /// From the known answers to `Ready`, or to the latch.
    fn stand_trial(&mut self) -> Result<(), RngFault> {
        if let State::Latched(cause) = self.state {
            return Err(RngFault::Latched(cause));
        }
        if self.state != State::SelfTest {
            return Ok(());
        }
        if !self_test::passes() {
            return Err(self.fail(Cause::SelfTest));
        }
        self.state = self.state.after(Event::Passed);
        if let Err(fault) = self.gate.noise().configure() {
            return Err(self.fail(fault.into()));
        }
        self.state = self.state.after(Event::Passed);
        self.start_up()
    }

    fn start_up(&mut self) -> Result<(), RngFault> {
        // A second seed error so soon is not tolerated, so this ends.
        loop {
            match self.try_start_up() {
                Ok(()) => return Ok(()),
                Err(Stop::Failed(cause)) => return Err(self.fail(cause)),
                Err(Stop::SeedError) => self.recover_from_seed_error()?,
            }
        }
    }

    fn try_start_up(&mut self) -> Result<(), Stop> {
        let mark = mark_of(self.gate.block()?.bytes());
        if self.kept.knows(mark) {
            return Err(Stop::Failed(Cause::KnownStart));
        }
        for _ in 1..STARTUP_BLOCKS {
            self.gate.block()?;
        }
        let seed: [_; SEED_BLOCKS] = [self.gate.block()?, self.gate.block()?, self.gate.block()?];
        self.kept.count_start(mark);
        self.kept.latch = None;
        self.memory.keep(&self.kept).map_err(|_| Stop::Failed(Cause::Memory))?;
        let [first, second, third] = &seed;
        self.drbg = Some(HmacDrbg::instantiate(&[
            first.bytes(),
            second.bytes(),
            third.bytes(),
            b"croupier: random core",
            &self.serial,
            &self.kept.starts.to_le_bytes(),
        ]));
        self.state = self.state.after(Event::Passed);
        Ok(())
    }

    /// Recovers from a seed error, unless there were too many.
    fn recover_from_seed_error(&mut self) -> Result<(), RngFault> {
        self.drbg = None;
        self.seed_errors.pass(self.gate.take_words_passed());
        let tolerated = self.seed_errors.tolerates(self.now_seconds);
        self.kept.seed_errors = self.seed_errors.count();
        if !tolerated {
            return Err(self.fail(Cause::SeedError));
        }
        self.save();
        if let Err(fault) = self.gate.noise().recover() {
            return Err(self.fail(fault.into()));
        }
        self.state = self.state.after(Event::SeedError);
        Ok(())
    }

    /// Latches: wipes everything that could be drawn from, and remembers why.
    fn fail(&mut self, cause: Cause) -> RngFault {
        self.state = self.state.after(Event::Failed(cause));
        self.drbg = None;
        self.counter = 0;
        self.gate.wipe();
        self.kept.latch = Some(cause);
        self.save();
        RngFault::Latched(cause)
    }

    /// Keeps what must outlive a reset; if that fails, `cycle` tries again.
    fn save(&mut self) {
        self.unsaved = self.memory.keep(&self.kept).is_err();
    }
}

fn stop(fault: DrawFault<Stop>) -> Stop {
    match fault {
        DrawFault::Refill(stop) => stop,
        DrawFault::Broken => Stop::Failed(Cause::SamplerBroken),
        DrawFault::Retries => Stop::Failed(Cause::SamplerRetries),
    }
}

/// The raw output before scaling, for the laboratory (PG-21) and for keys.
impl<N: NoiseSource, M: Memory> TryRng for RandomCore<N, M> {
    type Error = RngFault;

    fn try_next_u32(&mut self) -> Result<u32, RngFault> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, RngFault> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngFault> {
        let worth = u32::try_from(out.len()).ok().and_then(|bytes| bytes.checked_mul(8));
        let filled = self.request(worth.ok_or(RngFault::OutOfRange)?, |request| {
            for pair in out.chunks_mut(2) {
                for (byte, fresh) in pair.iter_mut().zip(request.refill()?.to_le_bytes()) {
                    *byte = fresh;
                }
            }
            Ok(())
        });
        if filled.is_err() {
            out.zeroize();
        }
        filled
    }
}

impl<N: NoiseSource, M: Memory> TryCryptoRng for RandomCore<N, M> {}
