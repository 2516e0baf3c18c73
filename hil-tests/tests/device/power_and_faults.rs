//! Power cuts at any operation of the flash, torn words, and how soon outputs are safe.
//!
//! In step, so that a time is the device's own. Ten cuts a device with
//! `CROUPIER_RELEASE_SUITE=1`, one in every run.

use croupier::paigow::ROUND_AT_LEAST;
use croupier::protocol::generated::croupier::common::{Game, ProfileSetRequest, Role};
use croupier::protocol::generated::croupier::paigow;
use croupier::time::Millis;
use hil_tests::lockstep::Lockstep;
use hil_tests::qemu::{NOR, TORN};
use hil_tests::suite::{Done, sized};
use hil_tests::{Bench, BenchError};

const DEVICES: [&str; 3] = ["reader", "shuffler", "paigow"];
/// Outputs are safe within this time.
const SAFE_WITHIN: Millis = Millis::new(10);
const BOOT: Millis = Millis::from_secs(5);

fn log_says(table: &Lockstep, from: usize, words: &str) -> Option<String> {
    let log = table.guest.log().all();
    log.into_iter().skip(from).map(|line| line.message).find(|line| line.contains(words))
}

/// Goes on until the log says `words`, in a line at or after `from`.
fn await_words(table: &mut Lockstep, from: usize, words: &str) -> Result<String, BenchError> {
    table.until(words, BOOT, |table| log_says(table, from, words))
}

/// Has the device keep something again and again until the power goes: games, or rounds. `round`
/// is the one that the cut before came in.
fn write_until_the_cut(table: &mut Lockstep, device: &str, round: &mut u16) -> Done {
    if device == "paigow" {
        // Its number may still be in play; refused if it is not. A round's time counts from the start.
        let end = paigow::RoundEndRequest { round: *round, ..Default::default() };
        match table.run(ROUND_AT_LEAST).and_then(|()| table.ask(Role::Dealer, &end)) {
            Err(BenchError::Off(_)) => return Ok(()),
            other => other?,
        };
    }
    for number in 0..200u8 {
        let done = if device == "paigow" {
            *round += 1;
            table.set_game(Game::SixCardFortunePaiGow).and_then(|()| table.draw(*round))
        } else {
            let decks = 6 + number % 2 * 2;
            let game = Game::FreeBet;
            let profile = ProfileSetRequest { game, decks, seats: 6, ..Default::default() };
            table.ask(Role::Floorperson, &profile).map(drop)
        };
        match done {
            Err(BenchError::Off(_)) => return Ok(()),
            other => other?,
        }
    }
    panic!("{device}: no cut in two hundred writes");
}

// CM-08: the power may go at any operation of the flash.
#[test]
fn a_cut_at_any_flash_operation_leaves_a_store_that_opens() -> Done {
    for device in DEVICES {
        let mut random = fastrand::Rng::with_seed(4);
        let mut table = Lockstep::usual(device)?;
        let (cuts, mut torn, mut round) = (sized(1, 10), 0, 0);
        for cut in 1..=cuts {
            table.until_known()?;
            let operation = random.u32(1..60);
            table.guest.command_monitor(&format!("cut {operation}"))?;
            write_until_the_cut(&mut table, device, &mut round)?;
            table.guest.cut_power()?;
            if device == "paigow" {
                // The cut may come while the key is down, and a key held from power-on draws nothing.
                table.guest.hand().set("draw", false)?;
            }
            let from = table.guest.log().all().len();
            table.boot_again()?;
            let said = await_words(&mut table, from, "reset: ")?;
            assert!(said.starts_with("reset: power on"), "{device}, cut {cut}: {said}");
            await_words(&mut table, from, "ready after")?;
            torn += u32::from(log_says(&table, from, "a power cut tore").is_some());
            assert_eq!(table.guest.breach(), None, "{device}, cut {cut}");
        }
        table.until_known()?;
        println!("{device}: {cuts} of {cuts} cuts survived, {torn} starts met torn words");
    }
    Ok(())
}

/// A word that cannot be corrected raises the NMI when the store reads it.
#[test]
fn a_torn_word_is_met_at_the_start_and_reported() -> Done {
    for device in DEVICES {
        let mut table = Lockstep::usual(device)?;
        table.until_known()?;
        table.guest.cut_power()?;
        let (nor, torn) = (table.guest.folder().join(NOR), table.guest.folder().join(TORN));
        let read = |file| std::fs::read(file).map_err(BenchError::io("reading the store"));
        let (bytes, mut marks) = (read(&nor)?, read(&torn)?);
        // Where the next word would have been written: what a cut in the middle of it leaves.
        let pages = bytes.chunks(2048).enumerate();
        let next = pages.filter_map(|(page, bytes)| {
            let written = bytes.chunks(8).rposition(|word| word != [0xFF; 8])?;
            (written + 1 < 256).then_some(page * 256 + written + 1)
        });
        let last = next.max().expect("a page in use");
        marks[last] = 1;
        std::fs::write(&torn, marks).map_err(BenchError::io("tearing a word"))?;
        let from = table.guest.log().all().len();
        table.boot_again()?;
        await_words(&mut table, from, "ready after")?;
        let said = log_says(&table, from, "a power cut tore");
        println!("{device}: word {last} torn, the log says {said:?}");
        assert!(said.is_some(), "{device}: nothing said of a torn word");
        assert_eq!(table.guest.breach(), None, "{device}");
    }
    Ok(())
}

/// Has every lamp lit; so there is something to make safe.
fn lit(device: &str) -> Result<Lockstep, BenchError> {
    let mut table = Lockstep::usual(device)?;
    table.until_known()?;
    table.guest.hand().trip("lamp-test")?;
    let lamps = table.guest.wiring().lamps.clone();
    table.until("its lamps", Millis::from_secs(1), |table| {
        lamps.iter().all(|lamp| table.guest.pins().is_on(lamp)).then_some(())
    })?;
    Ok(table)
}

/// How long until no lamp is lit; then the device comes back and says why.
fn crash(device: &str, fault: &str, why: &str) -> Result<Millis, BenchError> {
    let mut table = lit(device)?;
    let (from, begun) = (table.guest.log().all().len(), table.now);
    table.guest.command_monitor(fault)?;
    table.step()?;
    let lamps = table.guest.wiring().lamps.clone();
    table.until("its lamps to be dark", BOOT, |table| {
        lamps.iter().all(|lamp| !table.guest.pins().is_on(lamp)).then_some(())
    })?;
    let took = table.now.since(begun);
    let said = await_words(&mut table, from, "reset: ")?;
    assert!(said.starts_with(&format!("reset: {why}")), "{device}, {fault}: {said}");
    await_words(&mut table, from, "ready after")?;
    println!("{device}, {fault}: dark within {} ms, then `{said}`", took.get());
    Ok(took)
}

#[test]
fn outputs_are_safe_within_ten_milliseconds_of_a_fall() -> Done {
    let faults = [("fault stack", "hard fault at "), ("fault stray 60", "stray interrupt")];
    for device in DEVICES {
        for (fault, why) in faults {
            assert!(crash(device, fault, why)? <= SAFE_WITHIN, "{device}, {fault}");
        }
    }
    Ok(())
}
