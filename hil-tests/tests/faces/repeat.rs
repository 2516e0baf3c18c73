//! A seed repeats a run, whatever the machine: the evidence can be checked by anybody.

use hil_tests::faces::Problem;
use hil_tests::faces::debian::Debian;
use hil_tests::faces::plain::STYLES;
use hil_tests::faces::trial::{Outcome, read, teach};
use hil_tests::world::optics::Level;
use indicatif::ProgressBar;
use rayon::ThreadPoolBuilder;

/// All that a run found, with the seeds of what went badly.
fn found(outcome: &Outcome) -> String {
    format!("{:?} {:?} {:?}", outcome.ours, outcome.peer, outcome.worst)
}

#[test]
fn a_seed_gives_the_same_counts_and_cases_on_one_core_and_on_three() -> Result<(), Problem> {
    let deck = Debian::new().plain(&STYLES[1])?;
    let run = |threads: usize, seed: u64| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        pool.install(|| {
            let taught = teach(&deck, seed).expect("the brand is taught in every other test");
            found(&read(&deck, &taught, &Level::HARSH, 6, seed, &ProgressBar::hidden()))
        })
    };
    let alone = run(1, 5);
    assert_eq!(alone, run(3, 5));
    assert_ne!(alone, run(3, 6));
    Ok(())
}
