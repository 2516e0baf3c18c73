//! Rounds of the Pai Gow generator on its image: keys, digit, power cuts, spoilt segments.

mod wire_common;

use std::collections::BTreeSet;
use std::num::NonZeroU8;

use croupier::paigow::Segments;
use croupier::protocol::generated::croupier::common::{
    Condition, Game, Irregularity, NextStep, ProfileSetRequest, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{
    ArmRequest, BlankReason, Blanked, Number, RecallRequest, RoundEndRequest, Signal,
};
use hil_tests::table_controller::{News, TableController};
use hil_tests::{Bench, BenchError, Guest, Setup, plan::Plan};
use wire_common::{Done, ON_LINK, PAIGOW};

const SEGMENTS: [&str; 8] = [
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
struct Table {
    bench: Box<dyn Bench>,
    controller: TableController,
}

impl Table {
    fn open() -> Result<Self, BenchError> {
        let plan = Plan::chosen()?;
        Self::with(Box::new(Guest::open(&plan, Setup::new("paigow"))?))
    }

    fn with(mut bench: Box<dyn Bench>) -> Result<Self, BenchError> {
        let controller = switch_on(&mut *bench)?;
        let game = Game::SixCardFortunePaiGow;
        let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
        let (outcome, _) = controller.ask(PAIGOW, Role::Floorperson, &profile)?;
        assert_eq!(outcome, Outcome::Accepted);
        Ok(Self { bench, controller })
    }

    fn cut_power_and_boot(&mut self) -> Done {
        self.bench.cut_power()?;
        self.controller = switch_on(&mut *self.bench)?;
        Ok(())
    }

    fn tap(&self, key: &str) -> Done {
        self.bench.press(key)?;
        // Debounced by device time; the watchdog's two edges are more of it than that.
        let mark = self.bench.pins().mark();
        let (_, mark) = self.bench.await_edge("watchdog", true, mark)?;
        self.bench.await_edge("watchdog", false, mark)?;
        self.bench.release(key)?;
        let (_, mark) = self.bench.await_edge("watchdog", true, self.bench.pins().mark())?;
        self.bench.await_edge("watchdog", false, mark).map(drop)
    }

    fn arm(&self, round: u16) -> Done {
        for (signal, armed) in [(Signal::ShuffleComplete, false), (Signal::BetsClosed, true)] {
            let request = ArmRequest { round, signal, ..ArmRequest::default() };
            let (outcome, answer) = self.controller.ask(PAIGOW, Role::Controller, &request)?;
            assert_eq!((outcome, answer.armed), (Outcome::Accepted, armed));
        }
        Ok(())
    }

    fn end(&self, round: u16) -> Done {
        let request = RoundEndRequest { round, ..RoundEndRequest::default() };
        assert_eq!(self.controller.ask(PAIGOW, Role::Dealer, &request)?.0, Outcome::Accepted);
        self.bench.await_pins(&SEGMENTS, false)
    }

    /// The number told at or after `mark`.
    fn told(&self, mark: usize) -> Result<(u16, u8), BenchError> {
        self.controller.await_news("the number", mark, |told| {
            told.news.event::<Number>().map(|number| (number.round, number.number))
        })
    }

    /// The number on the digit, once it is `number`.
    fn shows(&self, number: u8) -> Done {
        let look = Segments::digit(NonZeroU8::new(number).expect("1 to 7")).expect("1 to 7");
        for (place, segment) in SEGMENTS.iter().enumerate() {
            self.bench.await_pin(segment, look.bits() & 1 << place != 0)?;
        }
        Ok(())
    }

    /// Every number the digit has shown since the bench opened.
    fn shown(&self) -> BTreeSet<u8> {
        let (mut bits, mut shown) = (0u8, BTreeSet::new());
        for edge in self.bench.pins().edges(Default::default()) {
            if let Some(place) = SEGMENTS.iter().position(|name| *name == edge.pin) {
                bits = bits & !(1 << place) | u8::from(edge.on) << place;
                shown.extend(Segments::from_bits(bits).number().map(NonZeroU8::get));
            }
        }
        shown
    }
}

fn switch_on(bench: &mut dyn Bench) -> Result<TableController, BenchError> {
    bench.power_on_held()?;
    let link = bench.link("table")?;
    bench.go()?;
    bench.await_log("ready after")?;
    let controller = TableController::on_link(link, "link controller", ON_LINK)?;
    controller.await_device(PAIGOW)?;
    Ok(controller)
}

// PG-01, PG-09, PG-10, PG-11, PG-15: a round by sealed commands and one press.
#[test]
fn one_press_draws_one_number_that_is_shown_told_and_recalled() -> Done {
    let table = Table::open()?;
    let mark = table.controller.mark();
    table.tap("draw")?;
    table.controller.await_news("the early press", mark, |told| {
        told.news.event::<Irregularity>().filter(|told| told.trouble == Trouble::EarlyPress)
    })?;
    table.arm(7)?;
    table.tap("draw")?;
    let (round, number) = table.told(mark)?;
    assert_eq!(round, 7);
    table.shows(number)?;
    table.tap("draw")?;
    table.controller.await_news("the second press", mark, |told| {
        told.news.event::<Irregularity>().filter(|told| told.trouble == Trouble::SecondPress)
    })?;
    table.shows(number)?;
    let (_, entry) = table.controller.ask(PAIGOW, Role::Floorperson, &RecallRequest::default())?;
    assert_eq!((entry.round, entry.number, entry.in_play), (7, number, true));
    table.end(7)?;
    table.controller.await_news("the display to go dark", mark, |told| {
        told.news.event::<Blanked>().filter(|told| told.reason == BlankReason::RoundEnded)
    })?;
    assert_eq!(table.bench.watchdog_resets(), 0);
    Ok(())
}

// PG-10: the dealer's keys alone, at a table without a controller.
#[test]
fn the_dealers_keys_do_without_a_controller() -> Done {
    let table = Table::open()?;
    let mark = table.controller.mark();
    for key in ["shuffled", "bets-closed", "draw"] {
        table.tap(key)?;
    }
    let (_, number) = table.told(mark)?;
    table.shows(number)?;
    table.tap("round-end")?;
    table.bench.await_pins(&SEGMENTS, false)
}

// PG-17: power cut at the first light of the press, and again once the number is told.
#[test]
fn a_power_cut_between_select_and_display_gives_the_same_number_after() -> Done {
    let mut table = Table::open()?;
    for round in 1..=6 {
        table.arm(round)?;
        let (mark, dark) = (table.controller.mark(), table.bench.pins().mark());
        table.bench.press("draw")?;
        let told = if round % 2 == 0 {
            Some(table.told(mark)?.1)
        } else {
            // The segments are tried first; the number is drawn, kept and lit right behind.
            table.bench.await_edge("segment-a", true, dark)?;
            None
        };
        table.bench.release("draw")?;
        table.cut_power_and_boot()?;
        let recall = RecallRequest::default();
        let (_, entry) = table.controller.ask(PAIGOW, Role::Service, &recall)?;
        if entry.round != round {
            assert_eq!(told, None, "told, and yet not kept");
            continue;
        }
        assert!(told.is_none_or(|told| told == entry.number));
        assert_eq!(table.told(0)?, (round, entry.number));
        table.shows(entry.number)?;
        table.end(round)?;
    }
    Ok(())
}

// PG-16, PG-20: each segment killed in turn, dead and stuck: dark, never a wrong digit.
#[test]
fn each_spoilt_segment_gives_a_dark_display_and_asks_for_the_shaker() -> Done {
    for (place, name) in ["a", "b", "c", "d", "e", "f", "g", "point"].iter().enumerate() {
        let table = Table::open()?;
        let stuck = place % 2 == 1;
        table.arm(1)?;
        let mark = table.controller.mark();
        table.bench.hand().set("spoilt-stuck", stuck)?;
        table.bench.hand().set(&format!("spoil-{name}"), true)?;
        table.bench.press("draw")?;
        let told = table.controller.await_news("the fault", mark, |told| {
            told.news.event::<Irregularity>().filter(|told| told.trouble == Trouble::LampFault)
        })?;
        assert_eq!((usize::from(told.detail), told.next_step), (place, NextStep::UseShaker));
        table.bench.await_pins(&SEGMENTS, false)?;
        assert_eq!(table.shown(), BTreeSet::new(), "segment {name}");
    }
    Ok(())
}

// PG-16: a noise file that runs dry: dark, and still so after a cut.
#[test]
fn a_dry_source_latches_the_generator_through_a_power_cut() -> Done {
    let plan = Plan::chosen()?;
    let folder = tempfile::tempdir().map_err(BenchError::io("making a folder"))?;
    let file = folder.path().join("noise.bin");
    let noise: Vec<u8> =
        (0..600u32).flat_map(|n| n.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
    std::fs::write(&file, noise).map_err(BenchError::io("writing noise"))?;
    let mut setup = Setup::new("paigow");
    setup.entropy = file;
    let mut table = Table::with(Box::new(Guest::open(&plan, setup)?))?;
    for _ in 0..2 {
        table.controller.await_news("the malfunction", 0, |told| match told.news {
            News::Status(status) => (status.condition == Condition::Malfunction).then_some(()),
            _ => None,
        })?;
        let request =
            ArmRequest { round: 1, signal: Signal::ShuffleComplete, ..ArmRequest::default() };
        let (outcome, _) = table.controller.ask(PAIGOW, Role::Controller, &request)?;
        assert_eq!(outcome, Outcome::Malfunction);
        table.cut_power_and_boot()?;
    }
    assert_eq!(table.shown(), BTreeSet::new());
    Ok(())
}

// PG-07: what a start draws does not come again at the next.
#[test]
fn cold_starts_do_not_repeat_themselves() -> Done {
    const STARTS: u16 = 4;
    const DRAWS: u16 = 6;
    let mut table = Table::open()?;
    let mut sequences = BTreeSet::new();
    for start in 0..STARTS {
        let mut numbers = Vec::new();
        for draw in 1..=DRAWS {
            let (round, mark) = (start * DRAWS + draw, table.controller.mark());
            table.arm(round)?;
            table.tap("draw")?;
            numbers.push(table.told(mark)?.1);
            table.end(round)?;
        }
        sequences.insert(numbers);
        table.cut_power_and_boot()?;
    }
    // Six numbers of seven agree by chance once in 117,649.
    assert_eq!(sequences.len(), usize::from(STARTS));
    Ok(())
}
