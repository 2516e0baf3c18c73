//! The moment of a press says nothing about its number (PG-19), with noise of this computer.
//!
//! The random core is cycled every 100 ms. Presses come at a fixed phase of that cycle, so that whatever the
//! cycle did to the numbers would show. 5 phases of 1,400 presses in every run; with
//! `CROUPIER_RELEASE_SUITE=1` of 20,000, which makes 10^5. Each of the nine tests fails a good generator
//! once in a hundred million runs (p < 10^-8).

use crate::harness::{Ram, Table};
use croupier::entropy::{Lost, Memory, NoiseFault, NoiseSource, RandomCore, RngLatch};
use croupier::paigow::ports::Key;
use rand::TryRng;
use rand::rngs::SysRng;

/// The operating system's noise: of another kind than the chip's, and as little to be foreseen.
struct Noise;

impl NoiseSource for Noise {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        Ok(SysRng.try_next_u32().expect("the system has noise"))
    }
}

#[derive(Default)]
struct Note(RngLatch);

impl Memory for Note {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        Ok(self.0)
    }

    fn keep(&mut self, kept: &RngLatch) -> Result<(), Lost> {
        self.0 = *kept;
        Ok(())
    }
}

/// Milliseconds by which the press comes later in the cycle of the core.
const PHASES: [u64; 5] = [0, 20, 40, 60, 80];
const LEAST: f64 = 1e-8;

fn presses_each() -> u32 {
    let whole = std::env::var_os("CROUPIER_RELEASE_SUITE").is_some_and(|on| on == "1");
    if whole { 20_000 } else { 1_400 }
}

/// The chance of a chi-square at least so large. For an even number of degrees of freedom the sum is exact.
fn chance(chi_square: f64, freedom: usize) -> f64 {
    assert!(freedom.is_multiple_of(2));
    let half = chi_square / 2.0;
    let terms = (1..freedom / 2).scan(1.0, |term, i| {
        *term *= half / i as f64;
        Some(*term)
    });
    (-half).exp() * (1.0 + terms.sum::<f64>())
}

fn chi_square(counts: impl IntoIterator<Item = (u32, f64)>) -> f64 {
    counts.into_iter().map(|(n, expected)| (f64::from(n) - expected).powi(2) / expected).sum()
}

// PG-03, PG-05, PG-19: seven equal chances at each phase, the same ones at all phases, and none that hangs
// on the number before.
#[test]
fn numbers_do_not_depend_on_the_phase_of_the_press_or_on_the_number_before() {
    let each = presses_each();
    let core = RandomCore::new(Noise, Note::default(), [7; 12]);
    let mut table = Table::with(Ram::default(), core);
    let mut counts = [[0u32; 7]; PHASES.len()];
    let mut pairs = [[0u32; 7]; 7];
    for (phase, counts) in PHASES.into_iter().zip(&mut counts) {
        let mut before = None;
        for _ in 0..each {
            // The loop goes round once after the skip, and the core is cycled then: phase 0 is fixed by it.
            table.arm();
            table.run_for(phase);
            table.tap(Key::Draw);
            let number = usize::from(table.display.number().expect("a number")) - 1;
            table.end_round();
            counts[number] += 1;
            if let Some(before) = before.replace(number) {
                let row: &mut [u32; 7] = &mut pairs[before];
                row[number] += 1;
            }
        }
    }
    let mut found = Vec::new();
    for (phase, counts) in PHASES.iter().zip(&counts) {
        let equal = chi_square(counts.iter().map(|&n| (n, f64::from(each) / 7.0)));
        found.push((format!("phase {phase} ms"), chance(equal, 6)));
    }
    let column = |n: usize| counts.iter().map(|row| row[n]).sum::<u32>();
    let all = f64::from(each) * PHASES.len() as f64;
    let sums = chi_square((0..7).map(|n| (column(n), all / 7.0)));
    found.push(("all phases".into(), chance(sums, 6)));
    let shares = |n: usize| f64::from(column(n)) / PHASES.len() as f64;
    let alike = chi_square(counts.iter().flat_map(|row| (0..7).map(|n| (row[n], shares(n)))));
    found.push(("one phase against another".into(), chance(alike, 24)));
    let of = pairs.as_flattened().iter().sum::<u32>();
    let uniform = chi_square(pairs.as_flattened().iter().map(|&n| (n, f64::from(of) / 49.0)));
    found.push(("pairs".into(), chance(uniform, 48)));
    let row = |n: usize| f64::from(pairs[n].iter().sum::<u32>());
    let next = |n: usize| f64::from(pairs.iter().map(|row| row[n]).sum::<u32>());
    let expected = |i: usize, j: usize| row(i) * next(j) / f64::from(of);
    let cells = (0..7).flat_map(|i| (0..7).map(move |j| (i, j)));
    let independent = chi_square(cells.map(|(i, j)| (pairs[i][j], expected(i, j))));
    found.push(("the number before".into(), chance(independent, 36)));
    for (what, p) in &found {
        println!("{what}: p = {p:.4}");
    }
    assert!(found.iter().all(|(_, p)| *p > LEAST), "{found:?}\n{counts:?}\n{pairs:?}");
}

// The measure itself: figures of a table of the chi-square distribution.
#[test]
fn the_chance_of_a_chi_square_is_that_of_the_tables() {
    for (chi_square, freedom, p) in [
        (12.592, 6, 0.05),
        (16.812, 6, 0.01),
        (36.415, 24, 0.05),
        (50.998, 36, 0.05),
        (65.171, 48, 0.05),
    ] {
        assert!((chance(chi_square, freedom) - p).abs() < 1e-4, "{freedom}");
    }
}
