//! A bench's plan: which pin and which link each name of a test stands for.
//!
//! Tests speak of `lamp-test` and `ready`; `rigs/*.toml` says where those are, so
//! the same test runs on QEMU and on any rig someone solders together.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{BenchError, Result};

/// A pin of the plan, or what stands for one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Pin {
    /// Where it is.
    pub place: Place,
    /// The level that means pressed, lit or raised.
    pub active: Active,
    /// Its place in its row, for lamps that a person counts.
    nth: Option<u8>,
    /// Whether the board holds it high while the chip is in reset.
    pulled_up: bool,
}

impl Pin {
    /// Whether the board holds it high while the chip is in reset.
    pub fn is_pulled_up(&self) -> bool {
        self.pulled_up
    }
}

/// Where a pin of the plan is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Port and number of the chip, or channel of the stimulus adapter.
    Pin(String),
    /// An input of the shift registers on the chip's SPI, by its bit.
    Chain(u8),
    /// The sense line of a lamp, which on makes lie.
    Sense(String),
    /// Whether sense lines that lie say lit, not dark.
    Stuck,
    /// Words to the monitor beside the image: for on, and perhaps for off.
    Words(String, Option<String>),
}

/// A pin as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    pin: Option<String>,
    chain: Option<u8>,
    sense: Option<String>,
    stuck: Option<bool>,
    words: Option<String>,
    rest: Option<String>,
    nth: Option<u8>,
    #[serde(default)]
    active: Active,
}

impl TryFrom<Written> for Pin {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { pin, chain, sense, stuck, words, rest, nth, active } = written;
        let stuck = stuck.filter(|stuck| *stuck).map(|_| Place::Stuck);
        let pulled_up = rest.as_deref() == Some("high");
        let words = words.map(|words| Place::Words(words, rest));
        let kinds =
            [pin.map(Place::Pin), chain.map(Place::Chain), sense.map(Place::Sense), stuck, words];
        let mut said = kinds.into_iter().flatten();
        match (said.next(), said.next()) {
            (Some(Place::Chain(bit)), None) if bit > 12 => {
                Err(format!("the chain has no bit {bit}"))
            }
            (Some(place), None) => Ok(Self { place, active, nth, pulled_up }),
            _ => Err("an entry needs one of pin, chain, sense, stuck and words".into()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pin(name) => f.write_str(name),
            Self::Chain(bit) => write!(f, "bit {bit} of the chain"),
            Self::Sense(line) => write!(f, "sense line {line}"),
            Self::Stuck => f.write_str("what lying sense lines say"),
            Self::Words(words, _) => write!(f, "the words `{words}`"),
        }
    }
}

/// The level that means "on".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Active {
    /// On is a high level.
    #[default]
    High,
    /// On is a low level.
    Low,
}

impl Active {
    /// The voltage level for `on`, and the meaning of a level: the same exchange both ways.
    pub fn level(self, on: bool) -> bool {
        on == (self == Self::High)
    }
}

/// What runs the devices of this plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A QEMU guest per device.
    Qemu,
    /// One board behind a probe and a stimulus adapter.
    Hardware,
}

/// The tools of a hardware rig.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hardware {
    /// Whose images are flashed.
    pub board: String,
    /// The chip, as probe-rs spells it.
    pub chip: String,
    /// The probe, as probe-rs lists it.
    pub probe: String,
    /// The stimulus adapter's serial port.
    pub stimulus: String,
    /// The supply switch's channel.
    pub power: u8,
    /// The reset line's channel; low resets.
    pub reset: u8,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    #[serde(default)]
    inputs: BTreeMap<String, Pin>,
    #[serde(default)]
    signals: BTreeMap<String, Pin>,
    #[serde(default)]
    lamps: BTreeMap<String, Pin>,
    /// Lamps and their sense lines, as `PD14:PC5`.
    #[serde(default)]
    couple: Vec<String>,
    /// What is on the chip's SPI: `head:PB2` or `chain:PA7`.
    spi: Option<String>,
}

/// A whole `rigs/*.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The rig's name: its file's name.
    #[serde(skip)]
    pub name: String,
    /// What runs the devices.
    pub kind: Kind,
    /// The tools of a hardware rig.
    pub hardware: Option<Hardware>,
    /// Link name to serial port, or to the monitor's stream.
    #[serde(default)]
    pub links: BTreeMap<String, String>,
    #[serde(default)]
    every: Part,
    #[serde(default)]
    device: BTreeMap<String, Part>,
}

/// The pins of one device.
#[derive(Debug, Clone)]
pub struct Wiring {
    /// The device.
    pub device: String,
    /// What the bench drives.
    pub inputs: BTreeMap<String, Pin>,
    /// What the bench watches: signals and lamps.
    pub outputs: BTreeMap<String, Pin>,
    /// The names of the lamps, in the order of their row or of their pins.
    pub lamps: Vec<String>,
    /// Lamps and their sense lines, as `PD14:PC5`.
    pub couple: Vec<String>,
    /// What is on the chip's SPI.
    pub spi: Option<String>,
}

impl Plan {
    /// The plan `BENCH` names; `qemu` unless said.
    pub fn chosen() -> Result<Self> {
        let name = std::env::var("BENCH").unwrap_or_else(|_| "qemu".into());
        Self::load(&folder(), &name)
    }

    /// Reads the plan `name` in `folder`.
    pub fn load(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(format!("{name}.toml"));
        let Ok(text) = std::fs::read_to_string(&path) else {
            return Err(BenchError::UnknownRig { name: name.into(), known: known(folder) });
        };
        let bad = |why: String| BenchError::BadRig { path: path.clone(), why };
        let mut plan: Self = toml::from_str(&text).map_err(|e| bad(e.to_string()))?;
        plan.name = name.into();
        if plan.kind == Kind::Hardware && plan.hardware.is_none() {
            return Err(bad("a hardware rig needs a [hardware] part".into()));
        }
        Ok(plan)
    }

    /// The pins of `device`; a device the plan does not list has what every device has.
    pub fn wiring(&self, device: &str) -> Wiring {
        let own = self.device.get(device).cloned().unwrap_or_default();
        let mut lamps: Vec<(&String, &Pin)> = self.every.lamps.iter().chain(&own.lamps).collect();
        // "PD9" before "PD10", channel 9 before channel 10.
        lamps.sort_by_key(|(_, pin)| {
            let place = pin.place.to_string();
            (pin.nth, place.len(), place)
        });
        let lamps = lamps.into_iter().map(|(name, _)| name.clone()).collect();
        let all = |parts: [&BTreeMap<String, Pin>; 2]| {
            parts.into_iter().flatten().map(|(name, pin)| (name.clone(), pin.clone())).collect()
        };
        let mut outputs: BTreeMap<_, _> = all([&self.every.signals, &own.signals]);
        outputs.extend(all([&self.every.lamps, &own.lamps]));
        Wiring {
            device: device.into(),
            inputs: all([&self.every.inputs, &own.inputs]),
            outputs,
            lamps,
            couple: own.couple.clone(),
            spi: own.spi.clone(),
        }
    }

    /// The serial port, or the stream, behind a link of `device`.
    pub fn link(&self, device: &str, name: &str) -> Result<&str> {
        self.links.get(name).map(String::as_str).ok_or_else(|| BenchError::Unwired {
            device: device.into(),
            kind: "link",
            name: name.into(),
            known: self.links.keys().cloned().collect(),
        })
    }
}

impl Wiring {
    /// The input `name`.
    pub fn input(&self, name: &str) -> Result<&Pin> {
        self.inputs.get(name).ok_or_else(|| self.unwired("input", name, self.inputs.keys()))
    }

    /// Checks that the bench watches or drives `name`.
    pub fn known(&self, name: &str) -> Result<()> {
        if self.inputs.contains_key(name) || self.outputs.contains_key(name) {
            return Ok(());
        }
        Err(self.unwired("pin", name, self.inputs.keys().chain(self.outputs.keys())))
    }

    fn unwired<'a>(
        &self,
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a String>,
    ) -> BenchError {
        let known = known.cloned().collect();
        BenchError::Unwired { device: self.device.clone(), kind, name: name.into(), known }
    }
}

/// Where the plans are: `CROUPIER_RIGS`, or `rigs/` beside this crate.
pub fn folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("rigs");
    std::env::var_os("CROUPIER_RIGS").map_or_else(beside, PathBuf::from)
}

fn known(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_plan_in_the_tree_can_be_read_and_wires_the_three_devices() {
        for name in known(&folder()) {
            let plan = Plan::load(&folder(), &name).unwrap();
            for (device, lamps) in [("reader", 6), ("shuffler", 3), ("paigow", 8)] {
                let wiring = plan.wiring(device);
                assert_eq!(wiring.lamps.len(), lamps, "{name} {device}");
                assert!(wiring.input("lamp-test").is_ok(), "{name} {device}");
                assert!(wiring.known("ready").is_ok(), "{name} {device}");
            }
        }
    }

    #[test]
    fn lamps_come_in_the_order_of_their_pins() {
        let wiring = Plan::load(&folder(), "qemu").unwrap().wiring("reader");
        assert_eq!(
            wiring.lamps,
            ["small", "medium", "large", "blackjack", "no-blackjack", "notice"]
        );
    }

    #[test]
    fn an_unknown_name_is_a_sentence_with_the_names_there_are() {
        let plan = Plan::load(&folder(), "qemu").unwrap();
        let said = plan.wiring("reader").input("lamp-tset").unwrap_err().to_string();
        assert!(said.starts_with("reader has no input `lamp-tset`: known are "), "{said}");
        assert!(said.contains(" lamp-test,"), "{said}");
        assert!(plan.link("reader", "usb").unwrap_err().to_string().contains("can, motion, table"));
    }

    #[test]
    fn an_entry_is_one_thing() {
        let read = |text: &str| toml::from_str::<BTreeMap<String, Pin>>(text);
        assert_eq!(read("a = { chain = 3 }").unwrap()["a"].place, Place::Chain(3));
        let words = read("a = { words = 'can off', rest = 'can on' }").unwrap();
        assert_eq!(words["a"].place, Place::Words("can off".into(), Some("can on".into())));
        for wrong in ["a = {}", "a = { pin = 'PC1', chain = 1 }", "a = { chain = 13 }"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_lamp_with_a_read_back_has_one_sense_line() {
        let plan = Plan::load(&folder(), "qemu").unwrap();
        for (device, lamps) in [("reader", 6), ("paigow", 8), ("shuffler", 0)] {
            let wiring = plan.wiring(device);
            let coupled = wiring.couple.iter().map(|pair| pair.split_once(':').unwrap());
            let mut lines: Vec<_> = coupled.clone().map(|(_, line)| line).collect();
            lines.sort_unstable();
            lines.dedup();
            assert_eq!(lines.len(), lamps, "{device}");
            let pins = wiring.lamps.iter().map(|lamp| wiring.outputs[lamp].place.to_string());
            if lamps > 0 {
                assert!(coupled.map(|(lamp, _)| lamp.to_owned()).eq(pins), "{device}");
            }
        }
    }

    #[test]
    fn a_low_active_key_is_pressed_by_a_low_level() {
        assert!(!Active::Low.level(true) && Active::Low.level(false));
        assert!(Active::High.level(true) && !Active::High.level(false));
    }
}
