//! Many shuffles instead of one to watch: soaks in parallel, and what they came to.

use anstream::println;
use croupier::cards::BackColour;
use hil_tests::wait;
use hil_tests::world::shuffler::{Croupier, Fate, Simulation, Soak, Trouble};
use rayon::prelude::*;

use arguments::Shuffle;

/// Shuffles of one soak: each has a seed of its own, so any can be repeated alone.
const SHUFFLES: u64 = 1_000;

/// Plays `count` shuffles and prints the figures; whether nothing was wrong.
pub fn play(options: &Shuffle, count: u64) -> Result<bool, String> {
    let (chosen, ..) = crate::options::game(options)?;
    let seed = options.seed.unwrap_or(1);
    let soaks: Vec<u64> = (0..count.div_ceil(SHUFFLES)).collect();
    let played: Vec<(Soak, Vec<u32>)> = soaks
        .into_par_iter()
        .filter(|_| !wait::interrupted())
        .map(|number| {
            let seed = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let fate = options.field.map_or_else(|| Fate::kind(seed), |it| Fate::field(seed, it));
            let mut table = Simulation::loaded(chosen.game, chosen.decks, fate, seed)?;
            let batch: Vec<_> = table.mechanism.places.tray.iter().copied().collect();
            let shuffles = SHUFFLES.min(count - number * SHUFFLES);
            let croupier = Croupier::new(batch, BackColour::Blue);
            let soak = croupier.play(&mut table, shuffles, |_, _| ());
            Ok((soak, table.mechanism.fate.struck.to_vec()))
        })
        .collect::<Result<_, String>>()?;
    let mut sum = Soak::default();
    let mut struck = [0u64; Trouble::ALL.len()];
    for (soak, strikes) in played {
        sum.add(soak);
        struck.iter_mut().zip(strikes).for_each(|(sum, count)| *sum += u64::from(count));
    }
    show(&sum, &struck);
    Ok(sum.wrongly_certified == 0 && sum.falsely_removed == 0)
}

fn show(sum: &Soak, struck: &[u64]) {
    println!("{:>12} cycles started", sum.started);
    println!("{:>12} certified: {:.4} % needed no one", sum.certified, 100.0 * sum.availability());
    println!("{:>12} certified wrongly", sum.wrongly_certified);
    println!("{:>12} right decks condemned", sum.falsely_removed);
    println!("{:>12} wrong decks condemned", sum.rightly_removed);
    for (why, count) in &sum.stopped {
        println!("{count:>12} stopped: {why}");
    }
    let mean = sum.shuffling_us as f64 / 1e6 / sum.certified.max(1) as f64;
    println!("{mean:>12.3} s a certified shuffle, {:.1} h in all", sum.us as f64 / 3.6e9);
    let strikes = Trouble::ALL.iter().zip(struck).filter(|(_, count)| **count > 0);
    let strikes: Vec<String> =
        strikes.map(|((_, name, _), count)| format!("{name} {count}")).collect();
    println!(
        "{:>12} {}",
        "troubles:",
        if strikes.is_empty() { "none".into() } else { strikes.join(", ") }
    );
}
