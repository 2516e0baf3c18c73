//! A Pai Gow table in QEMU: the generator, its dealer, and a controller on its link.

use std::collections::BTreeSet;
use std::num::NonZeroU8;
use std::time::Duration;

use croupier::paigow::{ROUND_AT_LEAST, Segments};
use croupier::protocol::generated::croupier::common::{
    ClearRequest, Condition, Game, Irregularity, NextStep, ProfileSetRequest, Result as Outcome,
    Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{
    ArmRequest, Number, RecallRequest, RecallResponse, RoundEndRequest, Signal,
};
use hil_tests::nest::SETTLING;
use hil_tests::suite::{Done, PAIGOW, switch_on};
use hil_tests::table_controller::{Report, TableController};
use hil_tests::{Bench, BenchError, Guest, Mark, Setup, plan::Plan};

pub const SEGMENTS: [&str; 8] = [
    "segment-a",
    "segment-b",
    "segment-c",
    "segment-d",
    "segment-e",
    "segment-f",
    "segment-g",
    "point",
];

/// A generator with the game set, and a controller on its serial link.
pub struct Table {
    pub bench: Guest,
    pub controller: TableController,
}

impl Table {
    /// The usual generator.
    pub fn open() -> Result<Self, BenchError> {
        Self::with(Setup::new("paigow"))
    }

    /// A generator set up so.
    pub fn with(setup: Setup) -> Result<Self, BenchError> {
        let mut bench = Guest::open(&Plan::chosen()?, setup)?;
        let controller = switch_on(&mut bench, PAIGOW)?;
        let game = Game::SixCardFortunePaiGow;
        let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
        let (outcome, _) = controller.ask(PAIGOW, Role::Floorperson, &profile)?;
        assert_eq!(outcome, Outcome::Accepted);
        Ok(Self { bench, controller })
    }

    /// Kills the machine in the middle of whatever it does, and starts it again.
    pub fn cut_power_and_boot(&mut self) -> Done {
        self.bench.cut_power()?;
        self.controller = switch_on(&mut self.bench, PAIGOW)?;
        Ok(())
    }

    /// Presses a key for long enough, and lets it go for long enough.
    pub fn tap(&self, key: &str) -> Done {
        self.bench.press(key)?;
        self.await_debounced()?;
        self.bench.release(key)?;
        self.await_debounced()
    }

    /// Keys are debounced by device time; this is more of it than that.
    pub fn await_debounced(&self) -> Done {
        self.bench.let_pass(SETTLING)
    }

    /// What the generator says to a signal.
    pub fn signal(&self, round: u16, signal: Signal) -> Result<(Outcome, bool), BenchError> {
        let request = ArmRequest { round, signal, ..ArmRequest::default() };
        let (outcome, answer) = self.controller.ask(PAIGOW, Role::Controller, &request)?;
        Ok((outcome, answer.armed))
    }

    /// Cards shuffled, bets closed. A generator that drew before its start waits for that.
    pub fn arm(&self, round: u16) -> Done {
        self.once_a_deal_is_over(|| Ok(self.signal(round, Signal::ShuffleComplete)?.0))?;
        assert_eq!(self.signal(round, Signal::BetsClosed)?, (Outcome::Accepted, true));
        Ok(())
    }

    /// A whole draw; its number, once it is told and shown.
    pub fn draw(&self, round: u16) -> Result<u8, BenchError> {
        let mark = self.controller.mark();
        self.arm(round)?;
        self.tap("draw")?;
        let (received, number) = self.received(mark)?;
        assert_eq!(received, round);
        self.shows(number)?;
        Ok(number)
    }

    /// Asks again each second, as long as the round before may be too short (PG-11).
    fn once_a_deal_is_over(&self, mut ask: impl FnMut() -> Result<Outcome, BenchError>) -> Done {
        for _ in 0..=ROUND_AT_LEAST.as_secs() {
            match ask()? {
                Outcome::OutOfTurn => self.bench.let_pass(Duration::from_secs(1))?,
                outcome => {
                    assert_eq!(outcome, Outcome::Accepted);
                    return Ok(());
                }
            }
        }
        panic!("refused though a deal is over");
    }

    /// The round is over.
    pub fn end(&self, round: u16) -> Done {
        let request = RoundEndRequest { round, ..RoundEndRequest::default() };
        self.once_a_deal_is_over(|| Ok(self.controller.ask(PAIGOW, Role::Dealer, &request)?.0))?;
        self.is_dark()
    }

    /// The round and number told at or after `mark`.
    pub fn received(&self, mark: usize) -> Result<(u16, u8), BenchError> {
        self.controller.await_report("the number", mark, |received| {
            received.report.event::<Number>().map(|number| (number.round, number.number))
        })
    }

    /// The last number in the book, if there is one.
    pub fn recall(&self) -> Result<Option<RecallResponse>, BenchError> {
        let asked = RecallRequest::default();
        let (outcome, entry) = self.controller.ask(PAIGOW, Role::Floorperson, &asked)?;
        Ok((outcome == Outcome::Accepted).then_some(entry))
    }

    /// Waits until the digit is `number`.
    pub fn shows(&self, number: u8) -> Done {
        for (place, segment) in SEGMENTS.iter().enumerate() {
            self.bench.await_pin(segment, look(number).bits() & 1 << place != 0)?;
        }
        Ok(())
    }

    /// Waits until the digit is dark.
    pub fn is_dark(&self) -> Done {
        self.bench.await_pins(&SEGMENTS, false)
    }

    /// Every picture since `mark` in which a player would read a number, if spoilt segments
    /// look so.
    pub fn shown(&self, mark: Mark, spoilt: impl Fn(u8) -> u8) -> BTreeSet<u8> {
        let place = |name: &str| SEGMENTS.iter().position(|segment| *segment == name);
        let lit = self.bench.pins().on_at(mark);
        let mut bits: u8 = lit.iter().filter_map(|pin| place(pin)).map(|place| 1 << place).sum();
        let mut shown = BTreeSet::new();
        for edge in self.bench.pins().edges(mark) {
            if let Some(place) = place(&edge.pin) {
                bits = bits & !(1 << place) | u8::from(edge.on) << place;
                let seen = Segments::from_bits(spoilt(bits));
                shown.extend(seen.number().map(NonZeroU8::get));
            }
        }
        shown
    }

    /// Waits until the generator says what is wrong and asks for the shaker; the detail.
    pub fn await_fault(&self, trouble: Trouble, mark: usize) -> Result<u8, BenchError> {
        let received = self.controller.await_report("the fault", mark, |received| {
            received.report.event::<Irregularity>().filter(|received| received.trouble == trouble)
        })?;
        assert_eq!((received.next_step, received.cleared_by), (NextStep::UseShaker, Role::Service));
        Ok(received.detail.try_into().unwrap())
    }

    /// It is out of use: it says so, takes no signal, and a press shows nothing.
    pub fn is_out_of_use(&self) -> Done {
        let mark = self.bench.pins().mark();
        self.controller.await_report("the malfunction", 0, |received| match received.report {
            Report::Status(status) => (status.condition == Condition::Malfunction).then_some(()),
            _ => None,
        })?;
        for signal in [Signal::ShuffleComplete, Signal::BetsClosed] {
            assert_eq!(self.signal(9, signal)?, (Outcome::Malfunction, false));
        }
        self.tap("draw")?;
        self.is_dark()?;
        assert_eq!(self.shown(mark, |bits| bits), BTreeSet::new());
        Ok(())
    }

    /// Asks to clear a fault, and once more when the check has been made.
    pub fn clear(&self, trouble: Trouble, role: Role) -> Result<Outcome, BenchError> {
        let request = ClearRequest { trouble, ..ClearRequest::default() };
        loop {
            match self.controller.ask(PAIGOW, role, &request)?.0 {
                Outcome::Busy => self.await_debounced()?,
                outcome => return Ok(outcome),
            }
        }
    }
}

/// The picture of a number.
pub fn look(number: u8) -> Segments {
    Segments::digit(NonZeroU8::new(number).expect("1 to 7")).expect("1 to 7")
}
