//! The mechanism beside a guest or a board: its pins, its motion UART, in real time.
//!
//! A thread of its own watches the outputs that drive motors, moves the cards as the
//! mechanism would, and sets the inputs its sensors drive. The wheel is turned by the
//! model of the motion controller at the far end of the UART.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use croupier::cards::BackColour;
use croupier::shuffler::event::{Action, Axis, Back, Beam, Contact, Effort, Event, Outlet};

use super::chip::{Chip, Inbox};
use super::mechanism::Mechanism;
use crate::bench::{Bench, Hand};
use crate::error::Result;
use crate::link::Link;
use crate::pins::{Mark, Pins};

/// The device looks at its inputs every millisecond; so does the world at its outputs.
const ROUND: Duration = Duration::from_millis(1);
/// The most the world's clock goes on in one round.
const LONGEST: Duration = Duration::from_millis(4);
/// Microsteps of a slot.
const SLOT: f64 = 640.0;
/// Less light than this comes through two cards, not through one.
const THIN: u8 = 33;

const BEAMS: [&str; 4] = ["beam-mouth", "beam-throat", "beam-exit", "beam-draw"];
const CONTACTS: [&str; 4] = ["lid-open", "door-open", "feed-loaded", "delivery-loaded"];
const EYE: [&str; 3] = ["eye-0", "eye-1", "eye-2"];

/// What the world's thread works on.
#[derive(Debug)]
pub struct Scene {
    /// The mechanism with its cards.
    pub mechanism: Mechanism,
    /// The motion controller with its wheel.
    pub chip: Chip,
    looked: Instant,
    clock_us: u64,
    slow: u32,
}

impl Scene {
    /// The world's time, in microseconds.
    pub fn now(&self) -> u64 {
        self.clock_us
    }

    /// Lets time pass, but never jump: a world that had to wait for its host goes on slower,
    /// so that no card seems to fly.
    fn tick(&mut self) -> u64 {
        let passed = self.looked.elapsed();
        self.looked += passed;
        self.clock_us += (passed / self.slow).min(LONGEST).as_micros() as u64;
        self.clock_us
    }
}

/// A mechanism beside a device. Dropping it ends its thread.
pub struct Beside {
    scene: Arc<Mutex<Scene>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl Beside {
    /// Puts `mechanism` beside the device on `bench`, which must be powered. Both clocks run
    /// `slow` times slower than life.
    pub fn new(mechanism: Mechanism, bench: &mut dyn Bench, slow: u8) -> Result<Self> {
        let turn = u32::from(mechanism.wheel().slots) * SLOT as u32;
        let chip = Chip::new(turn, SLOT * 7.5);
        let (looked, slow) = (Instant::now(), u32::from(slow.max(1)));
        let scene = Scene { mechanism, chip, looked, clock_us: 0, slow };
        let scene = Arc::new(Mutex::new(scene));
        let stop = Arc::new(AtomicBool::new(false));
        let mut thread = Thread {
            scene: Arc::clone(&scene),
            hand: bench.hand(),
            pins: Arc::clone(bench.pins()),
            mark: bench.pins().mark(),
            line: bench.link("motion")?,
            inbox: Inbox::default(),
        };
        thread.show_all()?;
        let ended = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            while !ended.load(Ordering::SeqCst) {
                thread.round()?;
            }
            Ok(())
        });
        Ok(Self { scene, stop, thread: Some(thread) })
    }

    /// Lets `work` see and change the scene; what changes shows at the device's inputs.
    pub fn with<R>(&self, work: impl FnOnce(&mut Scene) -> R) -> R {
        work(&mut lock(&self.scene))
    }

    /// Ends the thread and gives the mechanism back, for the device after a power cut.
    pub fn into_mechanism(mut self) -> Mechanism {
        self.end();
        lock(&self.scene).mechanism.clone()
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it fails only when the device is gone, which is what ends it
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.end();
    }
}

struct Thread {
    scene: Arc<Mutex<Scene>>,
    hand: Arc<dyn Hand>,
    pins: Arc<Pins>,
    mark: Mark,
    line: Link,
    inbox: Inbox,
}

impl Thread {
    fn round(&mut self) -> Result<()> {
        let mut bytes = [0; 64];
        let count = self.line.some(&mut bytes, ROUND)?;
        let answers = self.turn(&bytes[..count]);
        if !answers.is_empty() {
            self.line.send(&answers)?;
        }
        self.obey();
        let noticed: Vec<Event> = {
            let mut scene = lock(&self.scene);
            let now = scene.now();
            scene.mechanism.advance(now);
            std::iter::from_fn(|| scene.mechanism.take_noticed()).map(|(_, it)| it).collect()
        };
        noticed.into_iter().try_for_each(|event| self.show(event))
    }

    /// Lets the controller hear `bytes`, and the wheel turn.
    fn turn(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut scene = lock(&self.scene);
        let now = scene.tick();
        scene.chip.advance(now);
        let mut answers = Vec::new();
        for byte in bytes {
            let answer = self.inbox.take(*byte).and_then(|datagram| scene.chip.take(datagram));
            answers.extend(answer.into_iter().flatten());
        }
        let place = scene.chip.wheel() / SLOT;
        let stands = !scene.chip.is_turning() && (place.fract() - 0.5).abs() < 0.2;
        scene.mechanism.follow(stands.then_some(place as u8));
        answers
    }

    /// Does what the outputs have said since the last round.
    fn obey(&mut self) {
        let edges = self.pins.edges(self.mark);
        self.mark = self.mark.after(edges.len());
        let on = |pin: &str| self.pins.is_on(pin);
        let effort = match (on("gentle"), on("boosted")) {
            (true, _) => Effort::Gentle,
            (_, true) => Effort::Boosted,
            _ => Effort::Normal,
        };
        let (reverse, picks) = (on("reverse"), on("pick"));
        let mut scene = lock(&self.scene);
        let now = scene.now();
        for edge in edges {
            let mechanism = &mut scene.mechanism;
            match (edge.pin.as_str(), edge.on) {
                // A roller that runs already turns round without an edge of its own.
                ("reverse", true) => mechanism.act(Action::BackUp, now),
                ("reverse", false) if picks => mechanism.act(Action::Feed(effort), now),
                ("pick" | "throat", true) if reverse => {}
                ("pick", true) => mechanism.act(Action::Feed(effort), now),
                ("throat", true) => mechanism.act(Action::Load(effort), now),
                ("eject", true) => mechanism.act(Action::Eject(effort), now),
                ("pick", false) => mechanism.halt(Axis::Pick),
                ("throat", false) => mechanism.halt(Axis::Throat),
                ("eject", false) => mechanism.halt(Axis::Eject),
                ("return", true) => mechanism.act(Action::Divert(Outlet::Return), now),
                ("return", false) => mechanism.act(Action::Divert(Outlet::Delivery), now),
                _ => {}
            }
        }
    }

    /// Sets the inputs an event drives; the wheel's events travel on the UART.
    fn show(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Beam(Beam::Mouth, true) => {
                self.show_eye()?;
                self.hand.set(BEAMS[0], true)
            }
            Event::Beam(beam, blocked) => self.hand.set(BEAMS[beam as usize], blocked),
            Event::Contact(contact, on) => self.hand.set(CONTACTS[contact as usize], on),
            _ => Ok(()),
        }
    }

    fn show_eye(&mut self) -> Result<()> {
        let look = lock(&self.scene).mechanism.eye();
        let code = match look.back {
            Back::Colour(BackColour::Red) => 1,
            Back::Colour(BackColour::Blue) => 2,
            Back::Cover => 3,
            Back::FaceUp => 4,
            Back::Unknown => 0,
        };
        for (bit, line) in EYE.iter().enumerate() {
            self.hand.set(line, code >> bit & 1 == 1)?;
        }
        self.hand.set("eye-light", look.light > THIN)
    }

    fn show_all(&mut self) -> Result<()> {
        let (contacts, beams) = {
            let mut scene = lock(&self.scene);
            scene.mechanism.power_on(0);
            while scene.mechanism.take_noticed().is_some() {}
            let mechanism = &scene.mechanism;
            (
                Contact::ALL.map(|contact| mechanism.contacts[contact as usize]),
                Beam::ALL.map(|beam| mechanism.shows(beam)),
            )
        };
        for (name, on) in CONTACTS.iter().zip(contacts).chain(BEAMS.iter().zip(beams)) {
            self.hand.set(name, on)?;
        }
        Ok(())
    }
}

fn lock(scene: &Mutex<Scene>) -> MutexGuard<'_, Scene> {
    scene.lock().unwrap_or_else(PoisonError::into_inner)
}
