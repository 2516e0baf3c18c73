//! Fingers on a guest's inputs, and eyes on its pins after a reset.
//!
//! A machine reset disconnects every pin in QEMU, while a real finger stays where
//! it is. So the hand remembers what it holds and takes hold again after a reset
//! and after a power cut.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::qtest::{ChipPin, News, Qtest};
use super::step::{self, Count};
use crate::bench::Hand;
use crate::error::{BenchError, Result};
use crate::pins::Pins;
use crate::plan::{Active, Pin, Wiring};

#[derive(Debug, Clone)]
struct Wire {
    name: String,
    pin: ChipPin,
    active: Active,
}

#[derive(Default)]
struct Grip {
    qtest: Option<Arc<Qtest>>,
    held: BTreeMap<String, bool>,
}

/// The hand of one guest.
pub struct GuestHand {
    wiring: Wiring,
    inputs: Vec<Wire>,
    outputs: Vec<Wire>,
    grip: Mutex<Grip>,
}

impl GuestHand {
    /// A hand for a device wired so; no guest yet.
    pub fn new(wiring: &Wiring) -> Result<Self> {
        let inputs = wiring.inputs.iter().map(|(name, pin)| wire(wiring, name, pin));
        let outputs = wiring.outputs.iter().map(|(name, pin)| wire(wiring, name, pin));
        Ok(Self {
            wiring: wiring.clone(),
            inputs: inputs.collect::<Result<_>>()?,
            outputs: outputs.collect::<Result<_>>()?,
            grip: Mutex::default(),
        })
    }

    /// What to do with news of a chip's pin: note it under the pin's name, or count a step.
    pub fn reporter(
        &self,
        pins: Arc<Pins>,
        steps: Count,
    ) -> impl FnMut(ChipPin, News) + Send + 'static {
        let named = |wire: &Wire| (wire.pin, (wire.name.clone(), wire.active));
        let names: BTreeMap<_, _> = self.inputs.iter().chain(&self.outputs).map(named).collect();
        move |pin, news| match (names.get(&pin), news) {
            (Some((name, active)), News::Edge(level)) => pins.went(name, active.level(level)),
            (Some((name, active)), News::Level(level)) => {
                pins.report(name, active.level(level), None)
            }
            (None, News::Edge(true)) if pin == step::PIN => steps.change(|count| *count += 1),
            (None, _) => {}
        }
    }

    /// Lets a guest that waits for its world go on.
    pub fn let_go_on(&self) -> Result<()> {
        self.qtest()?.pulse(step::INTERRUPT)
    }

    /// Takes hold of a guest before its first instruction.
    pub fn grip(&self, qtest: Arc<Qtest>) -> Result<()> {
        self.lock().qtest = Some(qtest);
        self.hold_again()
    }

    /// Lets go of a guest that is no more.
    pub fn let_go(&self) {
        self.lock().qtest = None;
    }

    /// After a reset: takes hold of everything held, and looks at every output.
    pub fn regrip(&self) -> Result<()> {
        self.hold_again()?;
        let qtest = self.qtest()?;
        let ports: BTreeSet<u8> = self.outputs.iter().map(|wire| wire.pin.port).collect();
        ports.into_iter().try_for_each(|port| qtest.survey(port))
    }

    fn hold_again(&self) -> Result<()> {
        let held = self.lock().held.clone();
        held.iter().try_for_each(|(input, on)| self.drive(input, *on))
    }

    fn drive(&self, input: &str, on: bool) -> Result<()> {
        self.wiring.input(input)?;
        let known = self.inputs.iter().find(|wire| wire.name == input);
        let wire = known.expect("the hand was made from the same wiring");
        self.qtest()?.drive(wire.pin, wire.active.level(on))
    }

    fn qtest(&self) -> Result<Arc<Qtest>> {
        self.lock().qtest.clone().ok_or_else(|| BenchError::Off(self.wiring.device.clone()))
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

fn wire(wiring: &Wiring, name: &str, pin: &Pin) -> Result<Wire> {
    let wrong = || BenchError::Unwired {
        device: wiring.device.clone(),
        kind: "chip pin",
        name: pin.place.clone(),
        known: vec!["PA0 to PH15".into()],
    };
    let place = ChipPin::named(&pin.place).ok_or_else(wrong)?;
    Ok(Wire { name: name.into(), pin: place, active: pin.active })
}
