//! The store's costs have ceilings: reads at start, operations per change, wear over years.

use croupier::entropy::LATCH_BYTES;
use croupier::store::{
    BYTES, Chore, Counts, Found, Key, LONGEST_VALUE, NorModel, Store, StoreError,
};

const PAGE: usize = 2048;
const PAGES: usize = BYTES / PAGE;
const BANK: u64 = (BYTES / 2) as u64;
const BANK_PAGES: u64 = (PAGES / 2) as u64;
const WORD: u64 = 8;
/// A reservation of sequence numbers is 44 bytes, and its record 56.
const RESERVATION: usize = 44;
const RECORD: u64 = 56;

/// The product's flash.
type Flash = NorModel<PAGE, PAGES>;

/// What every device keeps besides its sequence reservation.
const COMMON: [(Key, usize); 4] =
    [(Key::Profile, 13), (Key::Keys, 193), (Key::RngLatch, LATCH_BYTES), (Key::KeptTime, 8)];
/// What each device keeps besides: the reader, the shuffler, the generator.
const OWN: [&[(Key, usize)]; 3] = [
    &[(Key::Brand, LONGEST_VALUE), (Key::ReaderRecord, 30)],
    &[(Key::ShufflerRecord, 19), (Key::BatchClocks, 66)],
    &[(Key::PaiGowRecord, 78), (Key::EndedRound, 2), (Key::Shuffling, 23)],
];

/// A device with all its values.
fn device(own: &[(Key, usize)]) -> Store<Flash> {
    let mut store = Store::open(Flash::new(1)).expect("blank flash opens");
    for (key, length) in COMMON.iter().chain(own) {
        store.put_bytes(*key, &vec![key.code(); *length]).expect("room for its values");
    }
    store
}

/// The device that keeps most, and more than it does.
fn working_device() -> Store<Flash> {
    let mut store = device(OWN[0]);
    for (key, length) in
        [(Key::BatchClocks, 66), (Key::PaiGowRecord, 78), (Key::ShufflerRecord, 48)]
    {
        store.put_bytes(key, &vec![key.code(); length]).expect("room for the small values");
    }
    store
}

fn reservation(number: u64) -> [u8; RESERVATION] {
    let mut value = [0; RESERVATION];
    value[..8].copy_from_slice(&number.to_le_bytes());
    value
}

fn reserve(store: &mut Store<Flash>, number: u64) {
    store.put_bytes(Key::Sequence, &reservation(number)).expect("a reservation always fits");
}

fn spent(store: &mut Store<Flash>, act: impl FnOnce(&mut Store<Flash>)) -> Counts {
    let before = store.flash().counts();
    act(store);
    let after = store.flash().counts();
    Counts {
        bytes_read: after.bytes_read - before.bytes_read,
        words: after.words - before.words,
        erases: after.erases - before.erases,
        looks: after.looks - before.looks,
    }
}

/// What `act` costs at most, when nothing moved before it.
fn worst_at_rest(store: &mut Store<Flash>, changes: u64) -> Counts {
    let mut worst = Counts::default();
    for number in 0..changes {
        let one = spent(store, |store| reserve(store, number));
        worst.bytes_read = worst.bytes_read.max(one.bytes_read);
        worst.words = worst.words.max(one.words);
        worst.erases = worst.erases.max(one.erases);
        store.do_chores().expect("good flash");
    }
    worst
}

/// CM-13: coming back takes a bounded time, whatever the log holds.
#[test]
fn opening_reads_each_bank_once_and_erases_at_most_the_spare() {
    let mut store = working_device();
    let (mut most_read, mut most_erases) = (0, 0);
    for number in 0..1_600 {
        reserve(&mut store, number);
        let before = store.flash().counts();
        store = Store::open(store.release()).expect("opens");
        let after = store.flash().counts();
        let erases = after.erases - before.erases;
        assert!(after.words <= before.words + 1, "at most: that the spare is erased");
        assert_eq!(erases == 0, store.found() == Found::Clean);
        most_read = most_read.max(after.bytes_read - before.bytes_read);
        most_erases = most_erases.max(erases);
    }
    println!("opening reads at most {most_read} bytes and erases at most {most_erases} pages");
    assert!(most_read <= 2 * BANK + WORD, "two banks, and the spare's header twice");
    assert!((1..=BANK_PAGES).contains(&most_erases));
}

/// A torn write costs one retirement on top: copy, read back, check, erase.
#[test]
fn recovery_from_a_torn_write_is_bounded_too() {
    let whole = working_device();
    let mut worst = Counts::default();
    for cut in 0..513 {
        let mut store = whole.clone();
        store.flash().reseed(cut);
        store.flash().cut_power_after(cut);
        assert!(store.put_bytes(Key::Brand, &[0xB7; LONGEST_VALUE]).is_err());
        let mut flash = store.release();
        flash.restore_power();
        let before = flash.counts();
        let mut store = Store::open(flash).expect("opens");
        let after = store.flash().counts();
        worst.bytes_read = worst.bytes_read.max(after.bytes_read - before.bytes_read);
        worst.words = worst.words.max(after.words - before.words);
        worst.erases = worst.erases.max(after.erases - before.erases);
    }
    println!("worst recovery: {worst:?}");
    assert!(worst.words > 0, "some cut tore a write");
    assert!(worst.bytes_read <= 5 * BANK && worst.words <= BANK / WORD);
    assert!(worst.erases <= 2 * BANK_PAGES);
}

/// A change programs its own words and nothing else, if the chores are done in time.
#[test]
fn a_change_at_rest_erases_nothing_and_copies_nothing() {
    let mut store = working_device();
    let worst = worst_at_rest(&mut store, 3_000);
    println!("worst reservation: {worst:?}");
    assert_eq!((worst.words, worst.erases, store.stalls()), (RECORD / WORD, 0, 0));
    assert!(store.flash().wear().iter().all(|&erases| erases > 0), "banks were retired");
}

/// Between two rests a device makes its changes into what room there is.
#[test]
fn half_a_page_of_changes_needs_no_rest() {
    let mut store = working_device();
    let records = PAGE as u64 / 2 / RECORD;
    for rest in 0..60 {
        store.do_chores().expect("good flash");
        for number in 0..records {
            let one = spent(&mut store, |store| reserve(store, rest * records + number));
            assert_eq!((one.words, one.erases), (RECORD / WORD, 0));
        }
    }
    assert_eq!(store.stalls(), 0);
    assert!(store.flash().wear().iter().all(|&erases| erases > 0), "banks were retired");
}

/// A step of a chore programs at most eight words and erases nothing; an erase is one page.
#[test]
fn no_step_of_a_chore_programs_more_than_eight_words() {
    let mut store = working_device();
    let (mut moves, mut erases) = (0, 0);
    for number in 0..3_000 {
        reserve(&mut store, number);
        while let Some(chore) = store.chore() {
            match chore {
                Chore::Move => {
                    moves += 1;
                    let step = spent(&mut store, |store| store.move_on().expect("good flash"));
                    assert!(step.words <= 8 && step.erases == 0, "{step:?}");
                    assert!(step.bytes_read <= 3 * 64, "{step:?}");
                }
                Chore::Erase => {
                    erases += 1;
                    let step = spent(&mut store, |store| {
                        store.start_erase().expect("good flash");
                        while !store.erase_ended().expect("good flash") {}
                    });
                    // After the last page the log says that all are erased.
                    assert!(step.words <= 1 && step.erases == 1, "{step:?}");
                }
            }
        }
    }
    assert!(moves > 100 && erases > 8, "{moves} steps, {erases} pages");
}

/// If no chore is done, a change makes its own room, and is counted.
#[test]
fn without_chores_a_change_costs_at_most_one_retirement() {
    let mut store = working_device();
    let mut worst = Counts::default();
    for number in 0..3_000 {
        let one = spent(&mut store, |store| reserve(store, number));
        worst.bytes_read = worst.bytes_read.max(one.bytes_read);
        worst.words = worst.words.max(one.words);
        worst.erases = worst.erases.max(one.erases);
    }
    println!("worst reservation: {worst:?}, {} stalls", store.stalls());
    assert!(worst.words > 3 && store.stalls() > 0, "a bank was retired");
    assert!(worst.words <= BANK / WORD && worst.bytes_read <= 4 * BANK);
    assert!(worst.erases <= BANK_PAGES);
}

/// The arithmetic of the module's documentation, counted.
#[test]
fn ten_thousand_reservations_wear_each_page_twenty_six_times() {
    let mut store = working_device();
    let before = *store.flash().wear();
    worst_at_rest(&mut store, 10_000);
    let after = *store.flash().wear();
    let wear: Vec<u32> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    let (least, most) = (wear.iter().min().copied(), wear.iter().max().copied());
    println!("erases per page: {wear:?}, {} in all", wear.iter().sum::<u32>());
    assert!(most <= Some(27), "10,000 erases are 3.7 million reservations or more");
    assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "the wear is even");
}

/// How often this may happen until a page was erased 10,000 times.
fn life(mut store: Store<Flash>, mut act: impl FnMut(&mut Store<Flash>, u64)) -> u64 {
    const TIMES: u64 = 10_000;
    let before = *store.flash().wear();
    for number in 0..TIMES {
        act(&mut store, number);
        store.do_chores().expect("good flash");
    }
    let after = *store.flash().wear();
    let most = before.iter().zip(after).map(|(before, after)| after - before).max();
    TIMES * 10_000 / u64::from(most.expect("pages"))
}

fn put(store: &mut Store<Flash>, (key, length): (Key, usize), number: u64) {
    let mut value = vec![key.code(); length];
    value.iter_mut().zip(number.to_le_bytes()).for_each(|(byte, new)| *byte = new);
    store.put_bytes(key, &value).expect("room");
}

/// CM-03: what `docs/protocol.md` reckons with, for each device with all that it keeps.
#[test]
fn cm_03_no_device_wears_out_before_3_700_000_changes() {
    for own in OWN {
        let changes = life(device(own), reserve);
        println!("{own:?}: {changes} changes");
        assert!(changes >= 3_700_000);
    }
}

/// The figures of the records' modules.
#[test]
fn a_round_costs_the_flash_no_more_than_the_records_say() {
    let [reader, _, generator] = OWN;
    let peeks = life(device(reader), |store, round| {
        put(store, reader[1], 2 * round);
        put(store, reader[1], 2 * round + 1);
    });
    let rounds = life(device(generator), |store, round| {
        put(store, generator[0], round);
        put(store, generator[1], round);
    });
    println!("{peeks} peek rounds, {rounds} drawn rounds");
    assert!(peeks >= 2_700_000 && rounds >= 2_800_000);
}

/// The case that stalls a store which searches its pages: big values everywhere, one hot small key.
#[test]
fn a_full_store_still_takes_a_hot_small_key() {
    let mut store = working_device();
    reserve(&mut store, 0);
    // Fill it until it refuses, word by word.
    let mut filled = 0;
    for key in [Key::BatchClocks, Key::ShufflerRecord, Key::ReaderRecord] {
        for length in (8..=LONGEST_VALUE).rev().step_by(8) {
            match store.put_bytes(key, &vec![0xC3; length]) {
                Ok(()) => break,
                Err(error) => assert_eq!(error, StoreError::Full),
            }
        }
        filled += 1;
    }
    assert_eq!(filled, 3);
    let refused = store.put_bytes(Key::EndedRound, &[1; 64]);
    assert_eq!(refused, Err(StoreError::Full));

    let cost = spent(&mut store, |store| {
        for number in 1..=10_000 {
            reserve(store, number);
            store.do_chores().expect("good flash");
        }
    });
    let mut number = [0; RESERVATION];
    let last = reservation(10_000);
    assert_eq!(store.get_bytes(Key::Sequence, &mut number), Ok(Some(&last[..])));
    println!("10,000 reservations in a full store: {cost:?}");
    // One page stays free, half of it for what comes between two rests: 18 reservations for
    // each retirement, at least.
    assert_eq!(store.stalls(), 0);
    assert!(cost.erases <= (10_000 / 18 + 2) * BANK_PAGES);
}
