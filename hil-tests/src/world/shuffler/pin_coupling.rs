//! The mechanism beside a guest or a board: its pins and its motion UART.
//!
//! A thread of its own watches the outputs that drive motors, moves the cards as the
//! mechanism would, and sets the inputs its sensors drive. The wheel is turned by the
//! model of the motion controller at the far end of the UART. A guest goes in step with
//! it, so that both have one time; a board has the time of day.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use croupier::cards::BackColour;
use croupier::shuffler::event::{Action, Axis, Back, Beam, Contact, Effort, Event, Outlet};

use super::chip::{Chip, Inbox};
use super::clock::Clock;
use super::mechanism::Mechanism;
use crate::bench::{Bench, Hand, PATIENCE};
use crate::error::{BenchError, Result, Tail};
use crate::link::Link;
use crate::pins::{Mark, Pins};
use crate::qemu::STEP;
use crate::wait::{Waited, Watched};

/// How long the world waits with a held device before it looks whether it is still wanted.
const GLANCE: Duration = Duration::from_millis(20);
/// Some of the world's time takes a busy host so long.
const LONG: Duration = PATIENCE.saturating_mul(6);
/// Microsteps of a slot.
const SLOT: f64 = 640.0;
/// Less light than this comes through two cards, not through one.
const THIN: u8 = 33;

const BEAMS: [&str; Beam::ALL.len()] =
    ["beam-mouth", "beam-throat", "beam-exit", "beam-draw", "beam-slot"];
const CONTACTS: [&str; 4] = ["lid-open", "door-open", "feed-loaded", "delivery-loaded"];
const EYE: [&str; 3] = ["eye-0", "eye-1", "eye-2"];

/// What the world's thread works on.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The mechanism with its cards.
    pub mechanism: Mechanism,
    /// The motion controller with its wheel.
    pub chip: Chip,
    clock_us: u64,
    /// The device is held when the world's time has come so far.
    until_us: u64,
}

impl Scene {
    /// A mechanism whose wheel stands where the mechanism says.
    pub fn new(mechanism: Mechanism) -> Self {
        let turn = u32::from(mechanism.wheel().slots) * SLOT as u32;
        let chip = Chip::new(turn, SLOT * (f64::from(mechanism.slot()) + 0.5));
        Self { mechanism, chip, clock_us: 0, until_us: u64::MAX }
    }

    /// The world's time, in microseconds.
    pub fn now(&self) -> u64 {
        self.clock_us
    }

    /// Passes `bytes` to the motion controller and returns what it answers.
    fn receive(&mut self, inbox: &mut Inbox, bytes: &[u8]) -> Vec<u8> {
        let datagrams = bytes.iter().filter_map(|byte| inbox.take(*byte));
        datagrams.filter_map(|datagram| self.chip.take(datagram)).flatten().collect()
    }

    /// Lets `passed` microseconds pass; what the mechanism's sensors noticed.
    fn go_on(&mut self, passed: u64) -> Vec<Event> {
        self.clock_us += passed;
        self.chip.advance(self.clock_us);
        let place = self.chip.wheel() / SLOT;
        let stands = !self.chip.is_turning() && (place.fract() - 0.5).abs() < 0.2;
        self.mechanism.follow(stands.then_some(place as u8));
        self.mechanism.see_slots((place * 1000.0) as u32, self.clock_us);
        self.mechanism.advance(self.clock_us);
        std::iter::from_fn(|| self.mechanism.take_noticed()).map(|(_, event)| event).collect()
    }
}

/// A mechanism beside a device. Dropping it ends its thread.
pub struct PinCoupling {
    scene: Arc<Watched<Scene>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<()>>>,
}

impl PinCoupling {
    /// Puts `scene` beside the device on `bench`, which must be powered and held.
    ///
    /// A guest in step with it goes `speed` times as fast as life, or as fast as it can.
    pub fn new(scene: Scene, bench: &mut dyn Bench, speed: Option<f64>) -> Result<Self> {
        let scene = Arc::new(Watched::new(scene));
        let stop = Arc::new(AtomicBool::new(false));
        let clock = Clock::of(bench, speed);
        let works = Works::new(Arc::clone(&scene), bench)?;
        let mut thread = Thread { works, stop: Arc::clone(&stop), clock };
        let thread = std::thread::spawn(move || {
            while !thread.stop.load(Ordering::SeqCst) {
                thread.round()?;
            }
            Ok(())
        });
        Ok(Self { scene, stop, thread: Some(thread) })
    }

    /// Lets `work` see and change the scene; what changes shows at the device's inputs.
    pub fn with<R>(&self, work: impl FnOnce(&mut Scene) -> R) -> R {
        self.scene.change(work)
    }

    /// Lets `us` microseconds of the world's time pass.
    pub fn pass(&self, us: u64) -> Result<()> {
        let due = self.scene.look(|scene| scene.now().saturating_add(us));
        self.reach(due)
    }

    /// Lets `us` pass and holds the device there, for a test that acts on it at
    /// that very moment.
    pub fn pass_and_hold(&self, us: u64) -> Result<()> {
        let due = self.scene.change(|scene| {
            scene.until_us = scene.now().saturating_add(us);
            scene.until_us
        });
        self.reach(due)
    }

    fn reach(&self, due: u64) -> Result<()> {
        match self.scene.wait(LONG, |scene| (scene.now() >= due).then_some(())) {
            Waited::Came(()) => Ok(()),
            Waited::Interrupted => Err(BenchError::Interrupted),
            Waited::RanOut => Err(BenchError::TimedOut {
                device: "the mechanism".into(),
                what: "its time to pass".into(),
                waited: LONG,
                tail: Tail { lines: Vec::new(), kept: None },
            }),
        }
    }

    /// Ends the thread and gives a copy of the scene, for the device after a power cut: cards
    /// and wheel stay where they are, and the motion controller has lost its memory too.
    pub fn into_scene(mut self) -> Scene {
        self.end();
        let mut scene = self.scene.look(Scene::clone);
        scene.chip.cut_supply();
        scene.until_us = u64::MAX;
        scene
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // it fails only when the device is gone, which is what ends it
        }
    }
}

impl Drop for PinCoupling {
    fn drop(&mut self) {
        self.end();
    }
}

struct Thread {
    works: Works,
    stop: Arc<AtomicBool>,
    clock: Clock,
}

impl Thread {
    fn round(&mut self) -> Result<()> {
        let mut bytes = [0; 256];
        let Some((passed, count)) = self.clock.pass(&mut self.works.line, &mut bytes)? else {
            return Ok(());
        };
        self.works.work(passed, &bytes[..count])?;
        while !self.stop.load(Ordering::SeqCst) {
            let free = |scene: &mut Scene| (scene.now() < scene.until_us).then_some(());
            if self.works.scene.wait(GLANCE, free) == Waited::Came(()) {
                return self.clock.go_on();
            }
        }
        Ok(())
    }
}

/// The mechanism at a device's pins and at the far end of its motion UART: one round of its
/// work at a time, for the caller that keeps the time.
pub struct Works {
    scene: Arc<Watched<Scene>>,
    hand: Arc<dyn Hand>,
    pins: Arc<Pins>,
    mark: Mark,
    line: Link,
    inbox: Inbox,
}

impl Works {
    /// Puts `scene` beside the device on `bench`, which must be powered and held.
    pub fn new(scene: Arc<Watched<Scene>>, bench: &mut dyn Bench) -> Result<Self> {
        let mut works = Self {
            scene,
            hand: bench.hand(),
            pins: Arc::clone(bench.pins()),
            mark: bench.pins().mark(),
            line: bench.link("motion")?,
            inbox: Inbox::default(),
        };
        works.show_all()?;
        Ok(works)
    }

    /// A step of a guest is over: takes what it sent, moves on, shows it what came of it. What it
    /// sent.
    pub fn step(&mut self) -> Result<Vec<u8>> {
        let mut bytes = [0; 256];
        let count = self.line.at_hand(&mut bytes)?;
        self.work(STEP.as_micros() as u64, &bytes[..count])?;
        Ok(bytes[..count].to_vec())
    }

    /// Takes what the device sent and did since the last round, at the time it was then, lets time
    /// pass, and shows the device what came of it.
    fn work(&mut self, passed: u64, sent: &[u8]) -> Result<()> {
        let answers = self.scene.change(|scene| scene.receive(&mut self.inbox, sent));
        if !answers.is_empty() {
            self.line.send(&answers)?;
        }
        self.obey();
        let noticed = self.scene.change(|scene| scene.go_on(passed));
        noticed.into_iter().try_for_each(|event| self.show(event))
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
        self.scene.change(|scene| {
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
        });
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
        let look = self.scene.look(|scene| scene.mechanism.eye());
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
        let (contacts, beams) = self.scene.change(|scene| {
            let now = scene.now();
            scene.mechanism.power_on(now);
            while scene.mechanism.take_noticed().is_some() {}
            let mechanism = &scene.mechanism;
            (
                Contact::ALL.map(|contact| mechanism.contacts[contact as usize]),
                Beam::ALL.map(|beam| mechanism.shows(beam)),
            )
        });
        for (name, on) in CONTACTS.iter().zip(contacts).chain(BEAMS.iter().zip(beams)) {
            self.hand.set(name, on)?;
        }
        Ok(())
    }
}
