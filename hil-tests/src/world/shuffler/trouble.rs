//! What can go wrong in the mechanism, by rate or at a chosen card.

use std::fmt;
use std::str::FromStr;

use arguments::Fault;
use fastrand::Rng;

/// Something that goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Trouble {
    /// The pick roller slips: no card comes.
    NoPick,
    /// Two cards come at once.
    DoubleFeed,
    /// A card comes askew and takes longer.
    Skew,
    /// A card sticks in the mouth.
    Jam,
    /// A card sticks between throat and slot.
    EntryJam,
    /// A card leaves the throat and slips under the rail, not into the slot.
    UnderTheRail,
    /// A card clings to its slot.
    Cling,
    /// A card sticks in the exit.
    ExitJam,
    /// Two cards leave a slot at once.
    DoubleEject,
    /// The wheel is held fast.
    Stall,
    /// The wheel slips by a slot, not noticed yet.
    Slip,
    /// The pick roller's motor is held fast.
    RollerStall,
    /// The mouth's beam is blind: seems free for ever.
    BlindMouth,
    /// The throat's beam seems blocked for ever.
    DeadThroat,
    /// The exit's beam is blind: seems free for ever.
    BlindExit,
    /// The slot beam is dusty or its lamp is dead: seems blocked for ever.
    DarkSlot,
    /// The slot beam is blind: seems free for ever.
    BlindSlot,
    /// The vane on the wheel's rim is gone.
    NoVane,
    /// Dust: the mouth's light falls by a few per cent, for ever.
    Dust,
    /// The motion controller stops answering.
    Silence,
    /// The lid is opened.
    Lid,
    /// The door of the delivery tray is opened.
    Door,
    /// A hand in the feed: a card is taken away from under the roller.
    Hand,
    /// The power is cut.
    Power,
}

/// Which movement a trouble strikes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// A card is picked.
    Feed,
    /// A card is loaded into its slot.
    Load,
    /// A card is ejected.
    Eject,
    /// The wheel turns.
    Turn,
}

impl Trouble {
    /// Every trouble with its name and its rate in the field, per movement.
    pub const ALL: [(Self, &'static str, f64); 24] = [
        (Self::NoPick, "no-pick", 1e-3),
        (Self::DoubleFeed, "double", 2e-4),
        (Self::Skew, "skew", 2e-4),
        (Self::Jam, "jam", 2e-5),
        (Self::EntryJam, "entry-jam", 2e-5),
        (Self::UnderTheRail, "rail", 1e-6),
        (Self::Cling, "cling", 1e-4),
        (Self::ExitJam, "exit-jam", 2e-5),
        (Self::DoubleEject, "double-eject", 1e-5),
        (Self::Stall, "stall", 1e-4),
        (Self::Slip, "slip", 1e-5),
        (Self::RollerStall, "roller-stall", 1e-5),
        (Self::BlindMouth, "blind-mouth", 1e-7),
        (Self::DeadThroat, "dead-throat", 1e-7),
        (Self::BlindExit, "blind-exit", 1e-7),
        (Self::DarkSlot, "dark-slot", 1e-7),
        (Self::BlindSlot, "blind-slot", 1e-7),
        (Self::NoVane, "no-vane", 1e-7),
        (Self::Dust, "dust", 1e-6),
        (Self::Silence, "silence", 1e-7),
        (Self::Lid, "lid", 1e-7),
        (Self::Door, "door", 1e-7),
        (Self::Hand, "hand", 1e-7),
        (Self::Power, "power", 1e-7),
    ];

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The movement it strikes.
    pub fn moment(self) -> Moment {
        match self {
            Self::EntryJam | Self::UnderTheRail | Self::DeadThroat => Moment::Load,
            Self::Cling | Self::ExitJam | Self::DoubleEject | Self::BlindExit | Self::Door => {
                Moment::Eject
            }
            Self::Stall
            | Self::Slip
            | Self::Silence
            | Self::DarkSlot
            | Self::BlindSlot
            | Self::NoVane => Moment::Turn,
            _ => Moment::Feed,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A trouble at a chosen movement, counted from 1: `jam@23` strikes the 23rd card fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// What.
    pub trouble: Trouble,
    /// At which feed, load, eject or turn.
    pub at: u32,
}

impl From<Fault> for Planned {
    fn from(fault: Fault) -> Self {
        let found = Trouble::ALL.iter().find(|(_, name, _)| *name == fault.trouble);
        let (trouble, ..) = found.expect("every name of a trouble is one: tested below");
        Self { trouble: *trouble, at: fault.at }
    }
}

impl FromStr for Planned {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(text.parse::<Fault>()?.into())
    }
}

/// Draws the troubles of a world: the same for the same seed.
#[derive(Debug, Clone)]
pub struct Fate {
    rng: Rng,
    rates: Vec<(Trouble, f64)>,
    planned: Vec<Planned>,
    counts: [u32; 4],
    /// The troubles that struck, by number.
    pub struck: [u32; Trouble::ALL.len()],
}

impl Fate {
    /// A world in which nothing goes wrong unless planned.
    pub fn kind(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed),
            rates: Vec::new(),
            planned: Vec::new(),
            counts: [0; 4],
            struck: [0; Trouble::ALL.len()],
        }
    }

    /// A world as in the field, `times` as bad.
    pub fn field(seed: u64, times: f64) -> Self {
        let rates =
            Trouble::ALL.iter().map(|(trouble, _, rate)| (*trouble, rate * times)).collect();
        Self { rates, ..Self::kind(seed) }
    }

    /// Also plans a trouble.
    pub fn with(mut self, planned: Planned) -> Self {
        self.planned.push(planned);
        self
    }

    /// The planned troubles whose movement has not come.
    pub fn missed(&self) -> Vec<Planned> {
        let came =
            |planned: &&Planned| planned.at <= self.counts[planned.trouble.moment() as usize];
        self.planned.iter().filter(|planned| !came(planned)).copied().collect()
    }

    /// What strikes the next movement of this kind, if anything.
    pub fn strike(&mut self, moment: Moment) -> Option<Trouble> {
        let count = &mut self.counts[moment as usize];
        *count += 1;
        let planned = self
            .planned
            .iter()
            .find(|planned| planned.trouble.moment() == moment && planned.at == *count);
        let struck = planned.map(|planned| planned.trouble).or_else(|| self.draw(moment))?;
        self.struck[struck as usize] += 1;
        Some(struck)
    }

    fn draw(&mut self, moment: Moment) -> Option<Trouble> {
        if self.rates.is_empty() {
            return None;
        }
        let mut lot = self.rng.f64();
        let of_moment = self.rates.iter().filter(|(trouble, _)| trouble.moment() == moment);
        for (trouble, rate) in of_moment {
            if lot < *rate {
                return Some(*trouble);
            }
            lot -= rate;
        }
        None
    }

    /// Whether something that happens with this chance happens.
    pub fn happens(&mut self, chance: f64) -> bool {
        self.rng.f64() < chance
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        self.rng.u64(low..=high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trouble_is_read_back_from_its_name_and_bad_ones_are_explained() {
        for (number, (trouble, name, _)) in Trouble::ALL.iter().enumerate() {
            assert_eq!(*trouble as usize, number);
            let planned: Planned = format!("{name}@7").parse().unwrap();
            assert_eq!(planned, Planned { trouble: *trouble, at: 7 });
        }
        for (bad, word) in [("jam", "jam@23"), ("jam@0", "from 1"), ("ham@3", "known: no-pick")] {
            let error = bad.parse::<Planned>().unwrap_err();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn the_command_line_takes_every_trouble_and_no_other() {
        assert_eq!(arguments::TROUBLES, Trouble::ALL.map(|(_, name, _)| name));
    }

    #[test]
    fn a_planned_trouble_strikes_once_and_rates_are_kept() {
        let mut fate = Fate::kind(1).with("jam@3".parse().unwrap());
        let struck: Vec<_> = (0..5).map(|_| fate.strike(Moment::Feed)).collect();
        assert_eq!(struck, [None, None, Some(Trouble::Jam), None, None]);

        let mut fate = Fate::field(2, 1.0);
        let struck = (0..1_000_000).filter(|_| fate.strike(Moment::Turn).is_some()).count();
        assert!((80..140).contains(&struck), "{struck} in a million, 110 expected");
    }
}
