//! In step, a run is the same every time: pins, log and every byte of every link.
//!
//! Each device plays a short script with two busy threads beside it, twice in every run; with
//! `CROUPIER_RELEASE_SUITE=1` twenty times.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use croupier::protocol::generated::croupier::common::Game;
use croupier::time::Millis;
use hil_tests::hub::frame::extended;
use hil_tests::lockstep::{Lockstep, Record, first_difference};
use hil_tests::nest;
use hil_tests::suite::{Done, sized};
use hil_tests::{BenchError, Setup};

/// What the noise file is made from.
const SEED: u64 = 0x5EED;
const NOISE_BYTES: usize = 1 << 22;

/// Noise that is the same every time.
fn write_noise(file: &Path) -> Done {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut bytes = vec![0; NOISE_BYTES];
    random.fill(&mut bytes);
    std::fs::write(file, bytes).map_err(BenchError::io("writing noise"))
}

/// One run of the script; all that the device did.
fn run(device: &str, noise: &Path) -> Result<Record, BenchError> {
    let setup = if device == "reader" { nest::setup(device) } else { Setup::new(device) };
    let setup = Setup { entropy: noise.to_owned(), ..setup };
    let mut table = Lockstep::open(setup, |guest| match device {
        "reader" => nest::write_flash(guest.folder(), Game::FreeBet, true),
        _ => Ok(()),
    })?;
    table.record();
    table.until_known()?;
    // A key, foreign frames, bytes that mean nothing.
    table.tap("lamp-test")?;
    for number in 0..20u8 {
        let frame = extended(0x1060_7D50 + u32::from(number), &[number; 8]).expect("a frame");
        table.say_on_bus(&frame)?;
        table.say_on_link(&[number, 0x00, 0xFF, b'x'])?;
        table.run(Millis::new(7))?;
    }
    table.set_up(device)?;
    match device {
        "shuffler" => {
            table.start_shuffle()?;
            table.run(Millis::new(1_500))?;
        }
        _ => table.work(device, 1)?,
    }
    table.into_record()
}

/// Runs `work` while two threads keep the host busy.
fn on_a_busy_host<T>(work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let ends = Ends(&stop);
        let done = work();
        drop(ends);
        done
    })
}

/// Ends the busy threads, also when the work has failed.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn repeats(device: &str) -> Done {
    let folder = tempfile::tempdir().map_err(BenchError::io("making a folder"))?;
    let noise = folder.path().join("noise.bin");
    write_noise(&noise)?;
    on_a_busy_host(|| {
        let first = run(device, &noise)?;
        let runs = sized(2, 20);
        for number in 2..=runs {
            let again = run(device, &noise)?;
            if let Some(difference) = first_difference(&first, &again) {
                panic!("{device}: run {number} differs from the first in {difference}");
            }
        }
        let bytes: usize = first.lines.iter().map(String::len).sum();
        println!(
            "{device}: {runs} of {runs} runs alike, {} lines, {bytes} bytes each",
            first.lines.len()
        );
        Ok(())
    })
}

#[test]
fn reader_does_the_same_in_every_run() -> Done {
    repeats("reader")
}

#[test]
fn shuffler_does_the_same_in_every_run() -> Done {
    repeats("shuffler")
}

#[test]
fn paigow_does_the_same_in_every_run() -> Done {
    repeats("paigow")
}
