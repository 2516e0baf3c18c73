//! Cold starts of the random core in QEMU: none repeats another.
//!
//! The noise is the host's random device, read through the noise file, so this shows
//! what the firmware makes of good noise; what a chip's noise is worth, silicon must show.

use std::collections::HashSet;
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::thread;

use croupier::entropy::{Lost, Memory, NoiseFault, NoiseSource, OrderBuffer, RandomCore, RngLatch};
use hil_tests::noise::{START_WORDS, Tape, good};
use hil_tests::suite::{Done, sized};
use hil_tests::{Collected, Collector, Records};

const SERIAL: [u8; 12] = *b"cold start 1";
const DECK: Records = Records::Orders(52);
/// Guests at the same time.
const GUESTS: u32 = 2;

fn is_an_order(cards: &[u8]) -> bool {
    let seen: HashSet<u8> = cards.iter().copied().collect();
    cards.len() == 52 && seen.len() == 52 && seen.iter().all(|card| *card < 52)
}

/// PG-07: devices alike to the last bit, each switched on for the first time: only the
/// noise can tell their first orders apart.
#[test]
fn cold_starts_give_as_many_different_first_orders() -> Done {
    let starts = sized(40, 1000);
    let device = move || {
        let mut device = Collector::open(DECK, 1, SERIAL, PathBuf::from("/dev/urandom"))?;
        let mut orders = Vec::new();
        for _ in 0..starts / GUESTS {
            device.forget()?;
            orders.push(device.run()?);
        }
        Ok(orders)
    };
    let devices: Vec<_> = (0..GUESTS).map(|_| thread::spawn(device)).collect();
    let mut firsts = HashSet::new();
    for device in devices {
        for Collected { records, ended } in device.join().expect("no assertion in there")? {
            assert_eq!(ended, None);
            assert!(is_an_order(&records));
            assert!(firsts.insert(records), "an order came twice");
        }
    }
    assert_eq!(firsts.len(), starts as usize);
    Ok(())
}

/// PG-07: the same noise at the next start is found before anything is drawn from it,
/// and so it stays until service clears it: good noise alone does not help.
#[test]
fn a_start_with_the_noise_of_an_earlier_one_is_caught_and_latched() -> Done {
    let tape = Tape::good(1);
    let mut device = Collector::open(DECK, 1, SERIAL, tape.path())?;
    assert_eq!(device.run()?.ended, None);
    for noise in [1, 2] {
        tape.mend(noise);
        let Collected { records, ended } = device.run()?;
        assert_eq!(ended.as_deref(), Some("Core(Latched(KnownStart))"));
        assert!(records.is_empty(), "drawn from noise that was used before");
    }
    Ok(())
}

/// PG-07: the last eight starts are known by their noise. One from before them is not,
/// but the number of the start goes into the seed, so its order does not come again.
#[test]
fn noise_is_known_for_eight_starts_and_its_order_never_comes_again() -> Done {
    let tape = Tape::good(0);
    let mut device = Collector::open(DECK, 1, SERIAL, tape.path())?;
    let first = device.run()?;
    for noise in 1..9 {
        tape.mend(noise);
        assert_eq!(device.run()?.ended, None, "start {noise}");
    }
    tape.mend(0);
    let again = device.run()?;
    assert_eq!(again.ended, None);
    assert!(is_an_order(&again.records) && again.records != first.records);
    tape.mend(2);
    assert_eq!(device.run()?.ended.as_deref(), Some("Core(Latched(KnownStart))"));
    Ok(())
}

/// PG-21: the chip's code and this computer's make the same of the same noise, so what
/// the battery says of one holds for the other. It also says what cold starts rest on:
/// a new device with noise that was heard before deals what was dealt before.
#[test]
fn the_same_noise_gives_the_same_orders_and_numbers_in_qemu_and_on_the_host() -> Done {
    let tape = Tape::good(3);
    let mut core = RandomCore::new(Words(Box::new(good(3))), Forgetful, SERIAL);
    core.start().expect("good noise");
    let (mut orders, mut tray) = (Vec::new(), OrderBuffer::new());
    for _ in 0..20 {
        let order = core.order(416, &mut tray).expect("good noise");
        orders.extend(order.cards().iter().flat_map(|card| card.to_le_bytes()));
    }
    let mut device = Collector::open(Records::Orders(416), 20, SERIAL, tape.path())?;
    assert_eq!(device.run()?, Collected { records: orders, ended: None });

    let mut core = RandomCore::new(Words(Box::new(good(3))), Forgetful, SERIAL);
    core.start().expect("good noise");
    let seven = NonZeroU8::new(7).expect("seven is not zero");
    let numbers = (0..200).map(|_| core.number(seven).expect("good noise").get()).collect();
    let mut device = Collector::open(Records::Numbers(7), 200, SERIAL, tape.path())?;
    assert_eq!(device.run()?, Collected { records: numbers, ended: None });
    Ok(())
}

/// PG-21: a request the image does not understand is refused, not guessed at; one the
/// core refuses leaves no record.
#[test]
fn a_collection_that_cannot_be_is_refused() -> Done {
    let urandom = || PathBuf::from("/dev/urandom");
    let refused = Collector::open(Records::Numbers(0), 1, SERIAL, urandom())?.run();
    let said = refused.expect_err("there is no number from 1 to 0").to_string();
    assert!(said.contains("Argument"), "{said}");
    for cards in [0, 425] {
        let made = Collector::open(Records::Orders(cards), 1, SERIAL, urandom())?.run()?;
        let ended = Some("Core(OutOfRange)".into());
        assert_eq!(made, Collected { records: Vec::new(), ended }, "{cards} cards");
    }
    let short = Tape::of(good(4).take(START_WORDS - 1));
    let made = Collector::open(DECK, 1, SERIAL, short.path())?.run()?;
    assert_eq!(made.ended.as_deref(), Some("Core(Latched(Silent))"));
    Ok(())
}

struct Words(Box<dyn Iterator<Item = u32>>);

impl NoiseSource for Words {
    fn word(&mut self) -> Result<u32, NoiseFault> {
        self.0.next().ok_or(NoiseFault::Silent)
    }
}

struct Forgetful;

impl Memory for Forgetful {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        Ok(RngLatch::new())
    }

    fn keep(&mut self, _: &RngLatch) -> Result<(), Lost> {
        Ok(())
    }
}
