//! How long shuffles take on the mechanism, beside its floor, for the bench's table.

use croupier::profile::Game;
use croupier::protocol::generated::croupier::common::Role;
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Pace, Plan, TIMINGS, Wheel};

use super::simulation::{Simulation, is_certified};
use super::trouble::Fate;
use crate::report::{Peer, Row};

/// Shuffles whose mean is printed.
const SHUFFLES: u64 = 20;

/// A row for each size of batch: the whole cycle beside the mechanism's floor, what the
/// firmware adds to the chosen moves, and the same cycle without a thought for the way. Then a
/// deck from a cold wheel, beside a warm one.
pub fn rows() -> Result<Vec<Row>, String> {
    let sizes = [
        (Game::FlopPoker, 1),
        (Game::DownUnderBlackjack, 4),
        (Game::FreeBet, 6),
        (Game::FreeBet, 8),
    ];
    let mut rows = Vec::new();
    for (game, decks) in sizes {
        let cards = game.profile().batch_total(decks).unwrap_or(0);
        let single = cards <= u16::from(Wheel::SINGLE_DECK.slots);
        let (wheel, passes) = if single { (Wheel::SINGLE_DECK, 1) } else { (Wheel::MULTI_DECK, 2) };
        let pace = Pace::new(&wheel);
        let floor = f64::from(pace.floor_us(cards, passes)) / 1e6;
        let whole = mean_seconds(game, decks, true)?;
        let moves = mean_seconds(game, decks, false)?;
        let thoughtless = thoughtless_seconds(&wheel, cards);
        rows.push(row(format!("shuffle of {cards} cards, all in"), whole, "floor", floor));
        let name = format!("shuffle of {cards} cards, slots by place");
        rows.push(row(name, thoughtless, "floor", floor));
        rows.push(row(format!("firmware in {cards} cards"), whole, "chosen moves", moves));
    }
    let warm = rows.first().map_or(0.0, |row| row.value);
    rows.push(row("shuffle of 52 cards, from power-on".into(), cold_seconds()?, "warm", warm));
    Ok(rows)
}

fn row(name: String, value: f64, peer: &str, beside: f64) -> Row {
    let peer = Peer { name: peer.into(), value: beside, ratio: value / beside };
    Row { name, value, unit: "s".into(), peer: Some(peer) }
}

/// The mean of some cycles, from the start to the open door, the wheel known to be empty.
fn mean_seconds(game: Game, decks: u8, firmware: bool) -> Result<f64, String> {
    let mut sum = 0;
    for seed in 0..SHUFFLES {
        let mut table = Simulation::loaded(game, decks, Fate::kind(seed), seed)?;
        if !firmware {
            table = table.without_reaction();
        }
        _ = table.ask(Task::Empty, Purpose::None, Role::Floorperson);
        let begun = table.now();
        _ = table.ask(Task::Start, Purpose::FullBatch, Role::Dealer);
        if !is_certified(&table.shuffler) {
            return Err(format!("{game:?} was not certified: {:?}", table.shuffler.state()));
        }
        sum += table.now() - begun + TIMINGS.door.get() * 1000;
    }
    Ok(sum as f64 / 1e6 / SHUFFLES as f64)
}

/// The mean of some first cycles: power-on, home, look, shuffle, look, count, certificate.
fn cold_seconds() -> Result<f64, String> {
    let mut sum = 0;
    for seed in 0..SHUFFLES {
        let mut table = Simulation::loaded(Game::FlopPoker, 1, Fate::kind(seed), seed)?;
        if !table.shuffle(Role::Dealer) {
            return Err(format!("a first deck was not certified: {:?}", table.shuffler.state()));
        }
        sum += table.now();
    }
    Ok(sum as f64 / 1e6 / SHUFFLES as f64)
}

fn thoughtless_seconds(wheel: &Wheel, cards: u16) -> f64 {
    let mut random = fastrand::Rng::with_seed(1);
    let mut order: Vec<u16> = (0..cards).collect();
    let mut sum = 0.0;
    for _ in 0..SHUFFLES {
        random.shuffle(&mut order);
        let plan = Plan::thoughtless(*wheel, &order).ok();
        sum += plan.map_or(f64::NAN, |plan| f64::from(Pace::new(wheel).cycle_us(plan, 0)) / 1e6);
    }
    sum / SHUFFLES as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The firmware adds at most 3 % to the chosen moves, at every size.
    #[test]
    fn planning_pays_and_the_firmware_costs_next_to_nothing() {
        let rows = rows().unwrap();
        for three in rows.chunks_exact(3) {
            let ratio = |row: &Row| row.peer.as_ref().unwrap().ratio;
            assert!(ratio(&three[0]) < ratio(&three[1]), "{three:?}");
            assert!(ratio(&three[0]) > 1.0 && ratio(&three[2]) <= 1.03, "{three:?}");
        }
        // With the look at the end; 416 cards took 298.0 s when there was none.
        for (name, most) in [
            ("shuffle of 52 cards, all in", 20.9),
            ("shuffle of 52 cards, from power-on", 23.0),
            ("shuffle of 416 cards, all in", 298.0),
        ] {
            let row = rows.iter().find(|row| row.name == name).unwrap();
            println!("{name}: {:.2} s", row.value);
            assert!(row.value <= most, "{row:?}");
        }
    }
}
