//! The store's costs have ceilings: reads at start, operations per change, wear over years.

use croupier::store::{BYTES, Counts, Found, Key, LONGEST_VALUE, NorModel, Store, StoreError};

const PAGE: usize = 2048;
const PAGES: usize = BYTES / PAGE;
const BANK: u64 = (BYTES / 2) as u64;
const BANK_PAGES: u64 = (PAGES / 2) as u64;
const WORD: u64 = 8;

/// The product's flash.
type Flash = NorModel<PAGE, PAGES>;

/// The small values a working device keeps, besides its sequence reservation.
const SMALL: [(Key, usize); 6] = [
    (Key::Profile, 32),
    (Key::BatchClocks, 32),
    (Key::Certificates, 48),
    (Key::LastNumber, 16),
    (Key::LockOut, 16),
    (Key::Keys, 160),
];

fn working_device() -> Store<Flash> {
    let mut store = Store::open(Flash::new(1)).expect("blank flash opens");
    store.put_bytes(Key::Brand, &[0x5B; LONGEST_VALUE]).expect("room for a brand");
    for (key, length) in SMALL {
        store.put_bytes(key, &vec![key.code(); length]).expect("room for the small values");
    }
    store
}

fn reserve(store: &mut Store<Flash>, number: u64) {
    store.put_bytes(Key::Sequence, &number.to_le_bytes()).expect("a reservation always fits");
}

fn spent(store: &mut Store<Flash>, act: impl FnOnce(&mut Store<Flash>)) -> Counts {
    let before = store.flash().counts();
    act(store);
    let after = store.flash().counts();
    Counts {
        bytes_read: after.bytes_read - before.bytes_read,
        words: after.words - before.words,
        erases: after.erases - before.erases,
    }
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

/// A change never stalls the table: copying one bank is the worst it can meet.
#[test]
fn a_change_costs_at_most_one_retirement() {
    let mut store = working_device();
    let mut worst = Counts::default();
    for number in 0..3_000 {
        let one = spent(&mut store, |store| reserve(store, number));
        worst.bytes_read = worst.bytes_read.max(one.bytes_read);
        worst.words = worst.words.max(one.words);
        worst.erases = worst.erases.max(one.erases);
    }
    println!("worst reservation: {worst:?}");
    assert!(worst.words > 3, "a bank was retired");
    assert!(worst.words <= BANK / WORD && worst.bytes_read <= 4 * BANK);
    assert!(worst.erases <= 1, "the retired bank is erased a page at a time");
}

/// The arithmetic of the module's documentation, counted.
#[test]
fn ten_thousand_reservations_wear_each_page_seven_times() {
    let mut store = working_device();
    let before = *store.flash().wear();
    (0..10_000).for_each(|number| reserve(&mut store, number));
    let after = *store.flash().wear();
    let wear: Vec<u32> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    let (least, most) = (wear.iter().min().copied(), wear.iter().max().copied());
    println!("erases per page: {wear:?}, {} in all", wear.iter().sum::<u32>());
    assert!(most <= Some(8), "10,000 erases are 12 million reservations or more");
    assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1), "the wear is even");
}

/// The case that stalls a store which searches its pages: big values everywhere, one hot small key.
#[test]
fn a_full_store_still_takes_a_hot_small_key() {
    let mut store = working_device();
    reserve(&mut store, 0);
    // Fill it until it refuses, word by word.
    let mut filled = 0;
    for key in [Key::BatchClocks, Key::Certificates, Key::LockOut] {
        for length in (8..=LONGEST_VALUE).rev().step_by(8) {
            match store.put_bytes(key, &vec![0xC3; length]) {
                Ok(()) => break,
                Err(error) => assert_eq!(error, StoreError::Full),
            }
        }
        filled += 1;
    }
    assert_eq!(filled, 3);
    let refused = store.put_bytes(Key::CrashCount, &[1; 64]);
    assert_eq!(refused, Err(StoreError::Full));

    let cost = spent(&mut store, |store| (1..=10_000).for_each(|number| reserve(store, number)));
    let mut number = [0; 8];
    assert_eq!(
        store.get_bytes(Key::Sequence, &mut number),
        Ok(Some(&10_000_u64.to_le_bytes()[..]))
    );
    println!("10,000 reservations in a full store: {cost:?}");
    // One page stays free: 128 reservations for each retirement, at least.
    assert!(cost.erases <= (10_000 / 127 + 1) * BANK_PAGES);
}
