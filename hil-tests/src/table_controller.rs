//! The table controller on the bench: `croupier`'s own, run on a thread.
//!
//! A test asks and awaits; the thread carries transfers between the controller and its
//! one link, a [`Hub`]'s port or a device's serial line, and writes down each notice with
//! its time. Nothing of the wire is decided here: a vendor's controller runs the same code.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use croupier::controller::{Controller, Notice, OBJECT_BYTES, Ticket};
use croupier::protocol::codec::{Object, Request, Sealed};
use croupier::protocol::framing::can::{Frames, Receiver};
use croupier::protocol::framing::serial::{self, Decoder};
use croupier::protocol::generated::croupier::common::{Result as Outcome, Role};
use croupier::protocol::seal::Refusals;
use croupier::protocol::transfer::{NodeId, Transfer};
use croupier::time;

use crate::bench::PATIENCE;
use crate::error::{BenchError, Result, Tail};
use crate::hub::{Hub, Port};
use crate::keys;
use crate::link::Link;
use crate::wait::{Waited, Watched};

pub use report::Report;
pub(crate) use report::{Answer, Sorted, is_reported_whole, sort};

mod report;

/// How often the controller looks whether it has something to say.
const TICK: Duration = Duration::from_millis(2);
/// How long a device may take to answer; its host may be loaded.
const ANSWER: Duration = Duration::from_secs(20);
/// One byte more than fits, so that something longer is noticed.
const ROOM: usize = OBJECT_BYTES + 1;

type Brain = Controller<4, 4, 32>;

/// Something the controller received, and when.
#[derive(Debug, Clone)]
pub struct Received {
    /// When the controller passed it on.
    pub at: Instant,
    /// Which device it is about.
    pub node: NodeId,
    /// What.
    pub report: Report,
}

#[derive(Default)]
struct Collected {
    reports: Vec<Received>,
    answers: Vec<(Ticket, Answer)>,
}

struct Shared {
    brain: Mutex<Brain>,
    collected: Watched<Collected>,
    opened: Instant,
    stop: AtomicBool,
    /// Why no device will answer any more.
    broken: Mutex<Option<String>>,
}

impl Shared {
    fn brain(&self) -> MutexGuard<'_, Brain> {
        self.brain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The link is gone. If that is for good, waiting is over.
    fn ended(&self, error: BenchError) {
        if let BenchError::Breach { words, .. } = error {
            *self.broken.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
            self.collected.give_up(true);
        }
    }

    /// The time as the controller counts it.
    fn now(&self) -> time::Instant {
        let elapsed = self.opened.elapsed().as_millis() as u64; // 584 million years
        time::Instant::from_millis(elapsed)
    }
}

/// A controller at work; dropping it ends its thread and leaves the link.
pub struct TableController {
    name: String,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl TableController {
    /// A controller with the bench's keys on the table bus.
    pub fn on_bus(hub: &Hub, name: &str, node: NodeId) -> Result<Self> {
        let (port, receiver) = (hub.join(name), Box::new(Receiver::for_node(node)));
        Self::start(name, node, Medium::Bus { port, receiver })
    }

    /// A controller with the bench's keys on one device's serial link.
    pub fn on_link(link: Link, name: &str, node: NodeId) -> Result<Self> {
        Self::start(name, node, Medium::Line { link, decoder: Box::new(Decoder::for_node(node)) })
    }

    fn start(name: &str, node: NodeId, mut medium: Medium) -> Result<Self> {
        // Microseconds of the epoch: no other controller began with this number.
        let nonce =
            SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros() as u64;
        let shared = Arc::new(Shared {
            brain: Mutex::new(Controller::new(node, keys::ring(), nonce)),
            collected: Watched::default(),
            opened: Instant::now(),
            stop: AtomicBool::new(false),
            broken: Mutex::default(),
        });
        let working = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
            // A link that is gone ends the work; a caller that still waits reports it.
            while !working.stop.load(Ordering::Relaxed) {
                if let Err(error) = medium.round(&working) {
                    working.ended(error);
                    break;
                }
            }
        });
        let thread = thread.map_err(BenchError::io(format!("starting {name}")))?;
        Ok(Self { name: name.into(), shared, thread: Some(thread) })
    }

    /// Asks and waits for the answer: what became of it, and all it says.
    ///
    /// Once more if none came: another controller with the same key may have used our
    /// number, so that the device refused it, and asking again begins with its floor.
    pub fn ask<R: Request + Sealed>(
        &self,
        node: NodeId,
        role: Role,
        request: &R,
    ) -> Result<(Outcome, R::Response)> {
        self.ask_once(node, role, request).or_else(|_| self.ask_once(node, role, request))
    }

    fn ask_once<R: Request + Sealed>(
        &self,
        node: NodeId,
        role: Role,
        request: &R,
    ) -> Result<(Outcome, R::Response)> {
        let what = || format!("an answer of node {} to {}", node.get(), R::NAME);
        let patience = time::Millis::new(ANSWER.as_millis() as u64);
        let now = self.shared.now();
        let asked = self.shared.brain().ask(node, role, request, now, patience);
        let ticket = asked.map_err(|why| BenchError::Refused {
            tool: "controller",
            asked: R::NAME.into(),
            answer: format!("{why:?}"),
        })?;
        let waited = self.shared.collected.wait(2 * ANSWER, |collected| {
            let place = collected.answers.iter().position(|(of, _)| *of == ticket)?;
            Some(collected.answers.swap_remove(place).1)
        });
        let answer = self.ended(waited, what, 2 * ANSWER)?;
        let (outcome, payload) =
            self.ended(answer.map_or(Waited::RanOut, Waited::Came), what, ANSWER)?;
        match R::Response::decode(&payload) {
            Ok(response) => Ok((outcome, response)),
            Err(_) => self.ended(Waited::RanOut, || format!("{} that can be read", what()), ANSWER),
        }
    }

    /// How many reports there are so far.
    pub fn mark(&self) -> usize {
        self.shared.collected.look(|collected| collected.reports.len())
    }

    /// Its reports since `mark`.
    pub fn reports_since(&self, mark: usize) -> Vec<Received> {
        self.shared
            .collected
            .look(|collected| collected.reports.iter().skip(mark).cloned().collect())
    }

    /// Waits until there is a report that `find` looks for, at or after `mark`.
    pub fn await_report<T>(
        &self,
        what: &str,
        mark: usize,
        mut find: impl FnMut(&Received) -> Option<T>,
    ) -> Result<T> {
        let waited = self
            .shared
            .collected
            .wait(PATIENCE, |collected| collected.reports.iter().skip(mark).find_map(&mut find));
        self.ended(waited, || what.into(), PATIENCE)
    }

    /// Waits until the device at `node` is known, proven fresh, has published its status, and all that
    /// happened before that: what is published from then on is new.
    pub fn await_device(&self, node: NodeId) -> Result<()> {
        let what = || format!("node {} to tell its status and all before it", node.get());
        let waited = self.shared.collected.wait(PATIENCE, |collected| {
            let of_node = collected.reports.iter().filter(|one| one.node == node);
            is_reported_whole(of_node.map(|one| &one.report)).then_some(())
        });
        self.ended(waited, what, PATIENCE)
    }

    /// What it received and did not believe.
    pub fn refusals(&self) -> Refusals {
        *self.shared.brain().refusals()
    }

    fn ended<T>(
        &self,
        waited: Waited<T>,
        what: impl FnOnce() -> String,
        within: Duration,
    ) -> Result<T> {
        match waited {
            Waited::Came(it) => Ok(it),
            Waited::Interrupted => Err(BenchError::Interrupted),
            Waited::RanOut => {
                let reports = self.reports_since(self.mark().saturating_sub(12));
                let lines =
                    reports.iter().map(|one| format!("{} {:?}", one.node.get(), one.report));
                let tail = Tail { lines: lines.collect(), kept: None };
                let broken = self.shared.broken.lock().unwrap_or_else(PoisonError::into_inner);
                let device = self.name.clone();
                Err(match broken.clone() {
                    Some(words) => BenchError::Breach { device, words, tail },
                    None => BenchError::TimedOut { device, what: what(), waited: within, tail },
                })
            }
        }
    }
}

impl Drop for TableController {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it has nothing left to say
        }
    }
}

/// What joins the controller to devices.
enum Medium {
    Bus { port: Port, receiver: Box<Receiver<32, ROOM>> },
    Line { link: Link, decoder: Box<Decoder<ROOM>> },
}

impl Medium {
    /// Sends what is due, receives for a tick, and reports what came of it.
    fn round(&mut self, shared: &Shared) -> Result<()> {
        let mut room = [0; OBJECT_BYTES];
        loop {
            let mut brain = shared.brain();
            let Some(transfer) = brain.next(shared.now(), &mut room) else { break };
            drop(brain);
            self.send(&transfer)?;
        }
        self.receive(shared)?;
        while let Some(notice) = shared.brain().poll(shared.now(), &mut room) {
            shared.collected.change(|collected| note(collected, &notice));
        }
        Ok(())
    }

    fn send(&mut self, transfer: &Transfer<'_>) -> Result<()> {
        let unsendable = "a controller sends only what its link can carry";
        match self {
            Self::Bus { port, .. } => {
                Frames::of(transfer).expect(unsendable).try_for_each(|frame| port.send(frame))
            }
            Self::Line { link, .. } => {
                let mut text = [0; serial::most_bytes(OBJECT_BYTES)];
                link.send(serial::encode(transfer, &mut text).expect(unsendable))
            }
        }
    }

    fn receive(&mut self, shared: &Shared) -> Result<()> {
        match self {
            Self::Bus { port, receiver } => {
                let mut patience = TICK;
                while let Waited::Came(frame) = port.receive(patience) {
                    let (now, mut brain) = (shared.now(), shared.brain());
                    if let Some(transfer) = receiver.accept(&frame, now, &*brain) {
                        brain.receive(&transfer, now);
                        return Ok(());
                    }
                    patience = Duration::ZERO;
                }
            }
            Self::Line { link, decoder } => {
                let mut bytes = [0; 512];
                let count = link.some(&mut bytes, TICK)?;
                let (now, mut brain) = (shared.now(), shared.brain());
                for byte in &bytes[..count] {
                    if let Some(transfer) = decoder.accept(*byte, &*brain) {
                        brain.receive(&transfer, now);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Writes a notice down where those who wait for it look.
fn note(collected: &mut Collected, notice: &Notice<'_>) {
    match sort(notice) {
        Sorted::Answer(ticket, answer) => collected.answers.push((ticket, answer)),
        Sorted::Report(node, report) => {
            collected.reports.push(Received { at: Instant::now(), node, report })
        }
    }
}

#[cfg(test)]
mod tests;
