//! The shuffler in five scenes, for a person who sees it the first time.
//!
//! Each scene says what people do, then what the device shows and what it publishes to the table
//! controller; a scene that does not end as it must is an error.

use std::time::Instant;

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, NextStep, ProfileSetRequest, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{
    BatchChanged, Certificate, Count, Inventory, Purpose, Task,
};
use croupier::shuffler::{DeviceEvent, Model};

use super::card::{CardId, pack};
use super::fixture::{Ending, ShufflerFixture};
use super::trouble::Fate;
use super::view;
use crate::bench::Bench as _;
use crate::error::{BenchError, Result};
use crate::table_controller::Received;

/// What the continuous machine plays with, and what a round of it takes.
const SHOE: usize = 312;
const ROUND: usize = 18;
/// How often a slow answer is asked for again, and how far apart, in the device's time.
const LOOKS: u32 = 600;
const LOOK_US: u64 = 500_000;
/// The progress is printed after this many looks: five seconds of the device's time.
const LOOKS_A_WORD: u32 = 10;

/// Plays all five scenes; `say` is given each line.
pub fn demonstrate(say: &mut dyn FnMut(&str)) -> Result<()> {
    let table = ShufflerFixture::open(Model::SingleDeck, Fate::kind(1), None)?;
    let mut demonstration = Demonstration { table, say };
    demonstration.prepare()?;
    let blue = demonstration.certify()?;
    demonstration.play_the_same_again(&blue)?;
    demonstration.miss_a_card()?;
    demonstration.jam()?;
    let table = ShufflerFixture::open(Model::Continuous, Fate::kind(1), None)?;
    Demonstration { table, say: demonstration.say }.go_round()
}

struct Demonstration<'a> {
    table: ShufflerFixture,
    say: &'a mut dyn FnMut(&str),
}

impl Demonstration<'_> {
    /// The floorperson sets the game, the time, and which decks are in use.
    fn prepare(&mut self) -> Result<()> {
        self.set(Game::FlopPoker, 1, &[BackColour::Red, BackColour::Blue])
    }

    fn set(&mut self, game: Game, decks: u8, opened: &[BackColour]) -> Result<()> {
        let profile = ProfileSetRequest { game, decks, seats: 6, ..Default::default() };
        let outcome = self.table.prepare(&profile, opened)?;
        must(outcome == Outcome::Accepted, "the game", || format!("{outcome:?}"))
    }

    fn certify(&mut self) -> Result<Vec<CardId>> {
        self.scene("1 A blue deck of 52 goes in, and the dealer presses START.");
        self.scene("  The wheel finds its home and turns once to show that it is empty; then each card gets its drawn slot.");
        self.table.load(pack(52, BackColour::Blue))?;
        let ending = self.shuffle(Role::Dealer)?;
        must(ending == Ending::Certified, "a good deck", || format!("{ending:?}"))?;
        self.scene("  The dealer asks for the stack and takes it; later the round is over.");
        self.table.ask(Task::Release, Purpose::None, Role::Dealer)?;
        let blue = self.table.take_stack()?;
        self.table.ask(Task::Dealt, Purpose::None, Role::Dealer)?;
        Ok(blue)
    }

    fn play_the_same_again(&mut self, blue: &[CardId]) -> Result<()> {
        self.scene("2 The blue deck comes again, though it is the red one's turn.");
        self.table.put_back(blue)?;
        self.must_stop(Role::Dealer, Trouble::SameBatchAgain, NextStep::TellFloorAndContinue)?;
        self.scene("  The floorperson has every blue card brought out.");
        self.bring_all_out()
    }

    fn miss_a_card(&mut self) -> Result<()> {
        self.scene("3 The red deck goes in, but one card is still on the floor: 51.");
        self.table.load(pack(51, BackColour::Red))?;
        self.must_stop(Role::Dealer, Trouble::WrongCount, NextStep::RemoveDeck)?;
        self.scene("  The deck is removed from the table.");
        self.bring_all_out()
    }

    fn jam(&mut self) -> Result<()> {
        self.scene("4 A new red deck of 52 is opened and goes in; its fifth card gets stuck.");
        let opened = self.table.open_batch(BackColour::Red, 1)?;
        must(opened == Outcome::Accepted, "a new deck", || format!("{opened:?}"))?;
        let jam = "jam@5".parse().expect("a trouble's name");
        self.table.world().with(|scene| scene.mechanism.fate = Fate::kind(1).with(jam));
        self.table.load(pack(52, BackColour::Red))?;
        self.must_stop(Role::Dealer, Trouble::Jam, NextStep::Reshuffle)?;
        self.scene("  The lid is opened, the card freed, all of them go in again.");
        self.hands_back_all()?;
        let ending = self.shuffle(Role::Floorperson)?;
        must(ending == Ending::Certified, "the freed deck", || format!("{ending:?}"))
    }

    /// What is loose and red; the other decks stay on the side table.
    fn hands_back_all(&mut self) -> Result<()> {
        let before = self.table.world().with(|scene| scene.mechanism.places.table.clone());
        self.table.clear()?;
        let now = self.table.world().with(|scene| scene.mechanism.places.table.clone());
        let freed: Vec<CardId> = now.into_iter().filter(|card| !before.contains(card)).collect();
        self.table.put_back(&freed)
    }

    fn go_round(&mut self) -> Result<()> {
        self.scene("5 A continuous machine: six decks go in and circulate.");
        self.set(Game::FreeBet, 6, &[BackColour::Blue])?;
        self.table.load(pack(SHOE, BackColour::Blue))?;
        let (mark, begun) = (self.table.controller().mark(), self.clocks());
        let outcome = self.table.ask(Task::Start, Purpose::Continuous, Role::Dealer)?;
        must(outcome == Outcome::Accepted, "six decks", || format!("{outcome:?}"))?;
        self.await_inside(SHOE)?;
        self.scene("  All are inside. The dealer draws a round of 18, and puts the discards back.");
        let mut round = Vec::new();
        while round.len() < ROUND {
            let drawn = self.table.hands(|mechanism, now| mechanism.draw(now))?;
            round.extend(drawn);
            self.table.world().pass(LOOK_US)?;
        }
        self.table.put_back(&round)?;
        self.await_inside(SHOE)?;
        self.scene("  The next round begins: the last one, kept in order until now, is mixed in.");
        let outcome = self.table.ask(Task::NextRound, Purpose::None, Role::Dealer)?;
        must(outcome == Outcome::Accepted, "a round", || format!("{outcome:?}"))?;
        let received = self.table.until(mark, |received| received.report.event::<Inventory>())?;
        self.print(mark, begun);
        let parts = [usize::from(received.inside), received.chute.into(), received.out.into()];
        let whole =
            parts.iter().sum::<usize>() == SHOE && usize::from(received.last_round) == ROUND;
        must(whole, "the inventory", || format!("{received:?}"))?;
        self.await_inside(SHOE)
    }

    /// Waits until this number of cards is in the machine, the one in its chute among them.
    fn await_inside(&mut self, cards: usize) -> Result<()> {
        let Self { table, say } = self;
        let look = || {
            let said = table.inventory()?;
            let inside = usize::from(said.inside + said.chute);
            let done = inside == cards && said.chute == 1;
            if !done {
                table.world().pass(LOOK_US)?;
            }
            Ok((inside, done))
        };
        let inside = look_until_done(look, &mut |inside| {
            say(&format!("      inside   {inside} of {cards}"));
        })?;
        must(inside.is_none(), "all cards to be inside", || format!("{inside:?} are"))
    }

    /// Shuffles, and prints how it went.
    fn shuffle(&mut self, by: Role) -> Result<Ending> {
        let (mark, begun) = (self.table.controller().mark(), self.clocks());
        let ending = self.table.shuffle(by)?;
        self.print(mark, begun);
        Ok(ending)
    }

    fn must_stop(&mut self, by: Role, trouble: Trouble, next_step: NextStep) -> Result<()> {
        let ending = self.shuffle(by)?;
        let right = matches!(&ending, Ending::Stopped(Irregularity { trouble: received, next_step: step, .. })
            if (*received, *step) == (trouble, next_step));
        must(right, "what is wrong", || format!("{ending:?}"))
    }

    /// Takes all cards away: those that are loose, then those the wheel brings out.
    fn bring_all_out(&mut self) -> Result<()> {
        self.table.clear()?;
        let outcome = self.table.ask(Task::Empty, Purpose::None, Role::Floorperson)?;
        must(outcome == Outcome::Accepted, "to bring all out", || format!("{outcome:?}"))?;
        for _ in 0..LOOKS {
            let said = self.table.inventory()?;
            if said.certain && said.inside == 0 {
                break;
            }
            self.table.world().pass(LOOK_US)?;
        }
        self.table.ask(Task::Release, Purpose::None, Role::Dealer)?;
        self.table.take_stack().map(drop)
    }

    fn scene(&mut self, words: &str) {
        (self.say)(words);
    }

    fn clocks(&self) -> (Instant, u64) {
        (Instant::now(), self.table.world().with(|scene| scene.now()))
    }

    /// Says which events the controller received, what the display shows, and how long it took.
    fn print(&mut self, mark: usize, (here, there): (Instant, u64)) {
        for received in self.table.controller().reports_since(mark) {
            if let Some(words) = words(&received) {
                (self.say)(&format!("      event    {words}"));
            }
        }
        let log = self.table.guest.log().all();
        let shown = log.iter().rev().find_map(|line| line.message.strip_prefix("display: "));
        if let Some(shown) = shown {
            (self.say)(&format!("      display  {}", shown.replace(" | ", " / ")));
        }
        let took = (self.clocks().1 - there) as f64 / 1e6;
        let watched = here.elapsed().as_secs_f64();
        (self.say)(&format!("      time     {took:.1} s of the device's, {watched:.1} s of yours"));
    }
}

/// Looks until all is done, and says every few looks how far it is. Returns the last count if it
/// is not done after [`LOOKS`].
fn look_until_done(
    mut look: impl FnMut() -> Result<(usize, bool)>,
    say: &mut dyn FnMut(usize),
) -> Result<Option<usize>> {
    let mut count = 0;
    for number in 1..=LOOKS {
        let (now, done) = look()?;
        if done {
            return Ok(None);
        }
        if number % LOOKS_A_WORD == 0 {
            say(now);
        }
        count = now;
    }
    Ok(Some(count))
}

fn words(received: &Received) -> Option<String> {
    let report = &received.report;
    let certificate = || report.event::<Certificate>().map(DeviceEvent::Certificate);
    let irregularity = || report.event::<Irregularity>().map(DeviceEvent::Irregularity);
    let inventory = || report.event::<Inventory>().map(DeviceEvent::Inventory);
    let count = report.event::<Count>().map(DeviceEvent::Count);
    let batch = || report.event::<BatchChanged>().map(DeviceEvent::Batch);
    let event = count.or_else(certificate).or_else(irregularity).or_else(inventory).or_else(batch);
    event.and_then(|event| view::words(&event))
}

fn must(right: bool, what: &str, found: impl FnOnce() -> String) -> Result<()> {
    if right {
        return Ok(());
    }
    Err(BenchError::Refused { tool: "the shuffler", asked: what.into(), answer: found() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_viewer_of_a_shoe_is_told_every_five_seconds_how_far_it_is() {
        let (mut looks, mut said) = (0, Vec::new());
        let look = || {
            looks += 1;
            Ok((looks * 3, looks == 104))
        };
        let left = look_until_done(look, &mut |inside| said.push(inside)).unwrap();
        assert_eq!(left, None);
        assert_eq!(said, [30, 60, 90, 120, 150, 180, 210, 240, 270, 300]);
        assert!(u64::from(LOOKS_A_WORD) * LOOK_US <= 5_000_000);
    }

    #[test]
    fn a_shoe_that_never_gets_inside_is_not_waited_for_for_ever() {
        let left = look_until_done(|| Ok((311, false)), &mut |_| ()).unwrap();
        assert_eq!(left, Some(311));
    }
}
