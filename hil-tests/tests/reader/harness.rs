//! A reader in QEMU: its nest, its dealer, a controller on its link, cards to slide in.

use croupier::protocol::codec::Event;
use croupier::protocol::generated::croupier::common::{
    ClockSetRequest, Condition, Game, Irregularity, Result as Outcome, Role, Status, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, HouseRequest, Insertion, NestChange, RoundEndRequest, RoundsBy, UpCard, Verdict,
};
use croupier::reader::recognise::Capture;
use hil_tests::nest;
use hil_tests::suite::{Done, READER, switch_on};
use hil_tests::table_controller::{Report, TableController};
use hil_tests::{Bench, BenchError, Guest, Mark, Setup, plan::Plan};

pub const LAMPS: [&str; 6] = ["small", "medium", "large", "blackjack", "no-blackjack", "notice"];

/// Nanoseconds of an instruction where idle time is skipped, as a power of two.
pub const FAST: u8 = 5;

/// A reader that knows its game and its cards, and a controller on its serial link.
pub struct Table {
    pub bench: Guest,
    pub controller: TableController,
    /// How often its power was cut.
    cuts: u64,
}

impl Table {
    /// A reader in service.
    pub fn open(game: Game) -> Result<Self, BenchError> {
        Self::with(game, true)
    }

    /// A reader that is, or is not, inspected.
    pub fn with(game: Game, inspected: bool) -> Result<Self, BenchError> {
        Self::set_up(nest::setup("reader"), game, inspected)
    }

    /// The same with a guest that skips idle time: for hundreds of cards, and for waits of minutes.
    pub fn fast(game: Game, inspected: bool) -> Result<Self, BenchError> {
        Self::set_up(nest::setup("reader").icount(FAST).without_watchdog(), game, inspected)
    }

    /// A reader in a guest of one's own.
    pub fn set_up(setup: Setup, game: Game, inspected: bool) -> Result<Self, BenchError> {
        let mut bench = Guest::open(&Plan::chosen()?, setup)?;
        nest::write_flash(bench.folder(), game, inspected)?;
        let controller = switch_on(&mut bench, READER)?;
        set_clock(&controller, 0)?;
        Ok(Self { bench, controller, cuts: 0 })
    }

    /// Kills the machine in the middle of whatever it does, and starts it again.
    pub fn cut_power_and_boot(&mut self) -> Done {
        self.cut_power_and_boot_clockless()?;
        set_clock(&self.controller, self.cuts)
    }

    /// The same, and nobody tells it the time.
    pub fn cut_power_and_boot_clockless(&mut self) -> Done {
        self.bench.cut_power()?;
        self.controller = switch_on(&mut self.bench, READER)?;
        self.cuts += 1;
        Ok(())
    }

    /// Lays a card under the window, as the optical world sees it.
    pub fn lay(&self, capture: &Capture) -> Done {
        nest::lay(self.bench.folder(), capture)
    }

    /// Takes the scan head away.
    pub fn unplug_head(&self) -> Done {
        nest::unplug_head(self.bench.folder())
    }

    /// More of the device's time than keys and beams need to settle.
    pub fn settle(&self) -> Done {
        nest::settle(&self.bench)
    }

    /// Slides in what was laid under the window, until it is home; the moment before.
    pub fn slide_in(&self) -> Result<usize, BenchError> {
        let mark = self.controller.mark();
        nest::slide_in(&*self.bench.hand(), || self.settle())?;
        Ok(mark)
    }

    pub fn pull_out(&self) -> Done {
        let mark = self.controller.mark();
        nest::pull_out(&*self.bench.hand())?;
        self.await_event::<Insertion>("the removal", mark, |received| {
            received.change == NestChange::Removed
        })
        .map(drop)
    }

    /// Takes out what is told to nobody: a card of a check or a lesson.
    pub fn empty(&self) -> Done {
        nest::pull_out(&*self.bench.hand())?;
        self.settle()?;
        self.settle()
    }

    /// Slides it in, waits for the verdict, takes it out: what was told, and which lamps were lit.
    pub fn read(&self) -> Result<(Insertion, Verdict, Vec<String>), BenchError> {
        let dark = self.bench.pins().mark();
        let mark = self.slide_in()?;
        let home = self.await_event::<Insertion>("the insertion", mark, |_| true)?;
        let verdict = self.await_event::<Verdict>("the verdict", mark, |_| true)?;
        self.pull_out()?;
        self.bench.await_pins(&LAMPS, false)?;
        Ok((home, verdict, self.lit_since(dark)))
    }

    /// The lamps that came on since `mark`, in their order.
    pub fn lit_since(&self, mark: Mark) -> Vec<String> {
        let edges = self.bench.pins().edges(mark).into_iter();
        let lamps = edges.filter(|edge| edge.on && LAMPS.contains(&edge.pin.as_str()));
        lamps.map(|edge| edge.pin).collect()
    }

    pub fn await_event<E: Event>(
        &self,
        what: &str,
        mark: usize,
        wanted: impl Fn(&E) -> bool,
    ) -> Result<E, BenchError> {
        self.controller
            .await_report(what, mark, |received| received.report.event::<E>().filter(&wanted))
    }

    pub fn await_trouble(&self, trouble: Trouble, mark: usize) -> Result<Irregularity, BenchError> {
        self.await_event("the irregularity", mark, |received: &Irregularity| {
            received.trouble == trouble
        })
    }

    pub fn await_status(&self, wanted: Condition) -> Result<Status, BenchError> {
        let mark = self.controller.mark();
        self.controller.await_report("the status", mark, |received| match received.report {
            Report::Status(status) => (status.condition == wanted).then_some(status),
            _ => None,
        })
    }

    pub fn arm(&self, round: u16, up_card: UpCard) -> Result<Outcome, BenchError> {
        let request = ArmRequest { round, up_card, ..ArmRequest::default() };
        Ok(self.controller.ask(READER, Role::Controller, &request)?.0)
    }

    pub fn end(&self, round: u16) -> Result<Outcome, BenchError> {
        let request = RoundEndRequest { round, ..RoundEndRequest::default() };
        Ok(self.controller.ask(READER, Role::Controller, &request)?.0)
    }

    /// Has the dealer end rounds, who does it with the keys.
    pub fn with_keys(self) -> Result<Self, BenchError> {
        let house = HouseRequest { rounds_by: RoundsBy::Dealer, ..HouseRequest::default() };
        let set = self.controller.ask(READER, Role::Floorperson, &house)?.0;
        assert_eq!(set, Outcome::Accepted);
        Ok(self)
    }

    /// Presses a key for long enough, and lets it go for long enough.
    pub fn tap(&self, key: &str) -> Done {
        self.bench.press(key)?;
        self.settle()?;
        self.bench.release(key)?;
        self.settle()
    }
}

/// An hour later after each power cut: a guest that skips idle time may have lived for many
/// minutes, and a clock that is set back ends a check.
fn set_clock(controller: &TableController, cuts: u64) -> Done {
    let utc_ms = nest::INSPECTED_MS + 60_000 + cuts * 3_600_000;
    let clock = ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
    assert_eq!(controller.ask(READER, Role::Service, &clock)?.0, Outcome::Accepted);
    Ok(())
}
