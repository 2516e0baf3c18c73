//! Fingers on a guest's inputs, and eyes on its pins after a reset.
//!
//! A machine reset disconnects every pin in QEMU and makes the monitor forget what it was
//! told, while a real finger stays where it is. So the hand remembers what it holds and
//! takes hold of every input at each start, before the image's first instruction: also of those
//! at rest, since the parts around the chip drive their lines whether on or off.
//!
//! From a reset until that start no image runs, so no output comes on, whatever QEMU says of pins
//! that pull themselves up: the board holds them down.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::bridge::Bridge;
use super::qtest::{ChipPin, PinEvent, Qtest};
use super::step::{self, Count};
use crate::bench::Hand;
use crate::error::{BenchError, Result};
use crate::pins::Pins;
use crate::plan::{Active, Pin, Place, Wiring};

/// The shift registers' inputs that are tied on the mechanism's board.
const MARK: u16 = 0x4000;

/// What an input or output is joined to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Joint {
    Pin(ChipPin, Active),
    Chain(u8),
    Sense(ChipPin),
    Stuck,
    Words(String, Option<String>),
}

#[derive(Debug, Clone)]
struct Wire {
    name: String,
    joint: Joint,
}

#[derive(Default)]
struct Grip {
    qtest: Option<Arc<Qtest>>,
    bridge: Option<Arc<Bridge>>,
    held: BTreeMap<String, bool>,
}

/// The hand of one guest.
pub(super) struct GuestHand {
    wiring: Wiring,
    inputs: Vec<Wire>,
    outputs: Vec<Wire>,
    pins: Arc<Pins>,
    grip: Mutex<Grip>,
    /// Whether no image runs.
    in_reset: AtomicBool,
}

impl GuestHand {
    /// A hand for a device wired so; no guest yet. `panic` is what the words say for it.
    pub(super) fn new(wiring: &Wiring, pins: Arc<Pins>, panic: &str) -> Result<Self> {
        let inputs = wiring.inputs.iter().map(|(name, pin)| wire(wiring, name, pin, panic));
        let outputs = wiring.outputs.iter().map(|(name, pin)| wire(wiring, name, pin, panic));
        Ok(Self {
            wiring: wiring.clone(),
            inputs: inputs.collect::<Result<_>>()?,
            outputs: outputs.collect::<Result<_>>()?,
            pins,
            grip: Mutex::default(),
            in_reset: AtomicBool::new(false),
        })
    }

    /// What to do with event of a chip's pin: note it under the pin's name, or end a step.
    pub(super) fn reporter(
        self: &Arc<Self>,
        pins: Arc<Pins>,
        steps: Count,
    ) -> impl FnMut(ChipPin, PinEvent) + Send + 'static {
        let named = |wire: &Wire, is_output| match &wire.joint {
            Joint::Pin(pin, active) => Some((*pin, (wire.name.clone(), *active, is_output))),
            _ => None,
        };
        let inputs = self.inputs.iter().filter_map(|wire| named(wire, false));
        let outputs = self.outputs.iter().filter_map(|wire| named(wire, true));
        let names: BTreeMap<_, _> = inputs.chain(outputs).collect();
        let hand = Arc::clone(self);
        move |pin, event| match (names.get(&pin), event) {
            (_, PinEvent::Reset) => hand.fell_back(),
            (Some((_, active, true)), PinEvent::Edge(level))
                if hand.is_in_reset() && active.level(level) => {}
            (Some((name, active, _)), PinEvent::Edge(level)) => {
                pins.report(name, active.level(level), None)
            }
            (None, PinEvent::Edge(true)) if pin == step::PIN => {
                // First what the device said in this step, then that the step is over.
                if let Some(bridge) = hand.bridge() {
                    bridge.step_ended();
                }
                steps.change(|count| *count += 1)
            }
            (None, _) => {}
        }
    }

    /// Lets a guest that waits for its world go on.
    pub(super) fn let_go_on(&self) -> Result<()> {
        self.bridge().ok_or_else(|| self.off())?.go_on()
    }

    /// Says something to the guest's monitor.
    pub(super) fn say(&self, words: &str) -> Result<()> {
        self.bridge().ok_or_else(|| self.off())?.say(words)
    }

    /// Takes hold of a guest before its first instruction.
    pub(super) fn grip(&self, qtest: Arc<Qtest>) -> Result<()> {
        self.lock().qtest = Some(qtest);
        self.in_reset.store(false, Ordering::SeqCst);
        self.hold_pins()
    }

    /// Its monitor can be spoken to, and will say when it has started.
    pub(super) fn join(&self, bridge: Arc<Bridge>) {
        self.in_reset.store(true, Ordering::SeqCst);
        self.lock().bridge = Some(bridge);
    }

    fn is_in_reset(&self) -> bool {
        self.in_reset.load(Ordering::SeqCst)
    }

    /// The guest was reset: all outputs fall back, but for those that the board pulls up.
    fn fell_back(&self) {
        self.in_reset.store(true, Ordering::SeqCst);
        let Wiring { outputs, lamps, .. } = &self.wiring;
        let fallen = outputs.iter().filter(|(_, pin)| !pin.is_pulled_up()).map(|(name, _)| name);
        // All at once, but written down one by one: lamps last, so that none seems dark before.
        let (lamps, others): (Vec<_>, Vec<_>) = fallen.partition(|name| lamps.contains(name));
        others.into_iter().chain(lamps).for_each(|name| self.pins.report(name, false, None));
    }

    /// Lets go of a guest that is no more.
    pub(super) fn let_go(&self) {
        let mut grip = self.lock();
        (grip.qtest, grip.bridge) = (None, None);
    }

    /// The monitor has started and the image has not: everything is as it is held, then it may.
    pub(super) fn begin(&self) -> Result<()> {
        self.hold_pins()?;
        self.watch_outputs()?;
        self.in_reset.store(false, Ordering::SeqCst);
        let bridge = self.bridge().ok_or_else(|| self.off())?;
        let held = self.lock().held.clone();
        let is_held = |wire: &&Wire| held.get(&wire.name).is_some_and(|on| *on);
        if self.inputs.iter().any(|wire| matches!(wire.joint, Joint::Chain(_))) {
            bridge.say(&self.chain())?;
        }
        for wire in self.inputs.iter().filter(is_held) {
            match &wire.joint {
                Joint::Sense(line) => bridge.say(&self.sense(*line, true))?,
                Joint::Words(words, _) => bridge.say(words)?,
                _ => {}
            }
        }
        bridge.begin()
    }

    /// Makes QEMU report every output from now on, and the next reset. It reports only what
    /// differs from its last report, and pins that a reset has dropped it did not report: so each
    /// is raised and lowered from outside, where a resistor holds it until the image drives it.
    fn watch_outputs(&self) -> Result<()> {
        let qtest = self.qtest()?;
        for wire in &self.outputs {
            if let Joint::Pin(pin, _) = wire.joint {
                qtest.drive(pin, true)?;
                qtest.drive(pin, false)?;
            }
        }
        qtest.expect_reset()
    }

    /// The guest's memory and pins, while it is on.
    pub(super) fn qtest(&self) -> Result<Arc<Qtest>> {
        self.lock().qtest.clone().ok_or_else(|| self.off())
    }

    fn hold_pins(&self) -> Result<()> {
        let qtest = self.qtest()?;
        let held = self.lock().held.clone();
        self.inputs.iter().try_for_each(|wire| match wire.joint {
            Joint::Pin(pin, active) => {
                let on = held.get(&wire.name).copied().unwrap_or(false);
                qtest.drive(pin, active.level(on))
            }
            _ => Ok(()),
        })
    }

    fn drive(&self, input: &str, on: bool) -> Result<()> {
        self.wiring.input(input)?;
        let known = self.inputs.iter().find(|wire| wire.name == input);
        let wire = known.expect("the hand was made from the same wiring");
        if let Joint::Pin(pin, active) = wire.joint {
            return self.qtest()?.drive(pin, active.level(on));
        }
        self.pins.report(input, on, None);
        match &wire.joint {
            Joint::Pin(..) => Ok(()),
            Joint::Chain(_) => self.say(&self.chain()),
            Joint::Sense(line) => self.say(&self.sense(*line, on)),
            Joint::Stuck => self.spoilt().try_for_each(|line| self.say(&self.sense(line, true))),
            Joint::Words(words, _) if on => self.say(words),
            Joint::Words(_, rest) => rest.iter().try_for_each(|words| self.say(words)),
        }
    }

    fn is_held(&self, wanted: impl Fn(&Joint) -> bool) -> impl Iterator<Item = &Joint> {
        let held = self.lock().held.clone();
        let wires = self.inputs.iter().filter(move |wire| wanted(&wire.joint));
        wires.filter(move |wire| held.get(&wire.name) == Some(&true)).map(|wire| &wire.joint)
    }

    fn spoilt(&self) -> impl Iterator<Item = ChipPin> {
        self.is_held(|joint| matches!(joint, Joint::Sense(_))).filter_map(|joint| match joint {
            Joint::Sense(line) => Some(*line),
            _ => None,
        })
    }

    fn sense(&self, line: ChipPin, spoilt: bool) -> String {
        let stuck = self.is_held(|joint| *joint == Joint::Stuck).next().is_some();
        let level = match (spoilt, stuck) {
            (false, _) => "follow",
            (true, true) => "high",
            (true, false) => "low",
        };
        format!("sense {line} {level}")
    }

    fn chain(&self) -> String {
        let bits =
            self.is_held(|joint| matches!(joint, Joint::Chain(_))).map(|joint| match joint {
                Joint::Chain(bit) => 1 << bit,
                _ => 0,
            });
        format!("chain {:#06x}", MARK | bits.sum::<u16>())
    }

    fn bridge(&self) -> Option<Arc<Bridge>> {
        self.lock().bridge.clone()
    }

    fn off(&self) -> BenchError {
        BenchError::Off(self.wiring.device.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Grip> {
        self.grip.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hand for GuestHand {
    fn set(&self, input: &str, on: bool) -> Result<()> {
        self.wiring.input(input)?;
        self.lock().held.insert(input.into(), on);
        match self.drive(input, on) {
            // A key may be held while the power is off: it counts from power-on.
            Err(BenchError::Off(_)) => Ok(()),
            other => other,
        }
    }

    fn trip(&self, input: &str) -> Result<()> {
        self.lock().held.remove(input);
        self.drive(input, true)
    }
}

fn wire(wiring: &Wiring, name: &str, pin: &Pin, panic: &str) -> Result<Wire> {
    let chip_pin = |place: &str| {
        ChipPin::named(place).ok_or_else(|| BenchError::Unwired {
            device: wiring.device.clone(),
            kind: "chip pin",
            name: place.into(),
            known: vec!["PA0 to PH15".into()],
        })
    };
    let joint = match &pin.place {
        Place::Pin(place) => Joint::Pin(chip_pin(place)?, pin.active),
        Place::Sense(place) => Joint::Sense(chip_pin(place)?),
        Place::Chain(bit) => Joint::Chain(*bit),
        Place::Stuck => Joint::Stuck,
        Place::Words(words, rest) => Joint::Words(words.replace("{panic}", panic), rest.clone()),
    };
    Ok(Wire { name: name.into(), joint })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Plan, folder};

    fn hand(device: &str) -> GuestHand {
        let wiring = Plan::load(&folder(), "qemu").unwrap().wiring(device);
        GuestHand::new(&wiring, Arc::new(Pins::new([])), "08001234").unwrap()
    }

    #[test]
    fn sensors_make_one_word_with_the_mark() {
        let shuffler = hand("shuffler");
        assert_eq!(shuffler.chain(), "chain 0x4000");
        for (input, on) in [("beam-mouth", true), ("eye-light", true), ("lid-open", true)] {
            shuffler.set(input, on).unwrap();
        }
        assert_eq!(shuffler.chain(), "chain 0x4811");
        shuffler.set("beam-mouth", false).unwrap();
        assert_eq!(shuffler.chain(), "chain 0x4810");
    }

    #[test]
    fn a_spoilt_lamp_is_dead_or_stuck_and_follows_when_whole() {
        let paigow = hand("paigow");
        let line = ChipPin::named("PA5").unwrap();
        assert_eq!(paigow.sense(line, false), "sense PA5 follow");
        paigow.set("spoil-point", true).unwrap();
        assert_eq!(paigow.sense(line, true), "sense PA5 low");
        paigow.set("spoilt-stuck", true).unwrap();
        assert_eq!(paigow.sense(line, true), "sense PA5 high");
        assert!(paigow.spoilt().eq([line]));
    }

    #[test]
    fn the_words_for_a_panic_name_its_place() {
        let reader = hand("reader");
        let words = |wire: &&Wire| wire.name == "fault-panic";
        let Joint::Words(words, None) = &reader.inputs.iter().find(words).unwrap().joint else {
            panic!("no words")
        };
        assert_eq!(words, "fault panic 08001234");
    }
}
