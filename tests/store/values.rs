//! What the store promises its callers: typed values, plain refusals, nothing made up.

use croupier::store::{
    Chore, Found, Key, LONGEST_VALUE, NorModel, Operation, Record, Store, StoreError, Worn,
};

/// Two banks of four pages.
type Flash = NorModel<2048, 8>;

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
struct PaiGowRecord(u8);

impl Record for PaiGowRecord {
    const KEY: Key = Key::PaiGowRecord;
    type Buffer = [u8; 1];
    const BUFFER: [u8; 1] = [0];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        *out.first_mut()? = self.0;
        Some(1)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes {
            &[number @ 1..=7] => Some(Self(number)),
            _ => None,
        }
    }
}

/// An encoder that claims more than its buffer holds.
struct Boaster;

impl Record for Boaster {
    const KEY: Key = Key::Profile;
    type Buffer = [u8; 4];
    const BUFFER: [u8; 4] = [0; 4];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        Some(out.len() + 1)
    }

    fn decode(_: &[u8]) -> Option<Self> {
        Some(Self)
    }
}

fn fresh() -> Store<Flash> {
    Store::open(Flash::new(7)).expect("blank flash opens")
}

fn bytes(store: &mut Store<Flash>, key: Key) -> Option<Vec<u8>> {
    let mut room = vec![0; LONGEST_VALUE];
    store.get_bytes(key, &mut room).expect("readable").map(<[u8]>::to_vec)
}

/// PG-11: the number drawn is still there after the power came back.
#[test]
fn a_value_is_kept_through_a_restart_and_can_be_forgotten() {
    let mut store = fresh();
    assert_eq!((store.found(), store.get::<PaiGowRecord>()), (Found::Fresh, Ok(None)));
    store.put(&PaiGowRecord(3)).expect("stored");
    store.put(&PaiGowRecord(5)).expect("stored");

    let mut store = Store::open(store.release()).expect("opens");
    assert_eq!((store.found(), store.get()), (Found::Clean, Ok(Some(PaiGowRecord(5)))));
    store.forget(Key::PaiGowRecord).expect("forgotten");

    let mut store = Store::open(store.release()).expect("opens");
    assert_eq!(store.get::<PaiGowRecord>(), Ok(None));
}

#[test]
fn storing_the_same_value_again_writes_nothing() {
    let mut store = fresh();
    store.put(&PaiGowRecord(3)).expect("stored");
    let before = store.flash().counts().operations();
    store.put(&PaiGowRecord(3)).expect("stored");
    assert_eq!(store.flash().counts().operations(), before);
}

/// RD-10: never a plausible answer from bytes that are not one.
#[test]
fn whole_bytes_of_the_wrong_shape_are_an_error_not_a_default() {
    let mut store = fresh();
    for wrong in [&[0][..], &[8], &[], &[1, 2]] {
        store.put_bytes(Key::PaiGowRecord, wrong).expect("bytes are bytes");
        let refused = Err(StoreError::Undecodable(Key::PaiGowRecord));
        assert_eq!(store.get::<PaiGowRecord>(), refused);
    }
}

#[test]
fn a_value_too_long_is_refused_and_the_old_one_kept() {
    let mut store = fresh();
    store.put_bytes(Key::Brand, &[1; LONGEST_VALUE]).expect("the longest fits");
    let refused = store.put_bytes(Key::Brand, &[2; LONGEST_VALUE + 1]);
    assert_eq!(refused, Err(StoreError::TooLong));
    assert_eq!(store.put(&Boaster), Err(StoreError::TooLong));
    assert_eq!(bytes(&mut store, Key::Brand), Some(vec![1; LONGEST_VALUE]));
    assert_eq!(store.get_bytes(Key::Brand, &mut [0; 8]), Err(StoreError::TooLong));
}

/// CM-10: a forensic dump shows neither a replaced nor a forgotten secret.
#[test]
fn a_replaced_secret_is_gone_from_the_flash() {
    let shown = |store: &mut Store<Flash>, secret: &[u8]| {
        store.flash().dump().windows(secret.len()).any(|window| window == secret)
    };
    let mut store = fresh();
    let (old, new) = (b"the first key of the dealer role", b"the other key of the dealer role");
    store.put_bytes(Key::Keys, old).expect("stored");
    store.put(&PaiGowRecord(2)).expect("stored");
    assert!(shown(&mut store, old), "the dump sees what is stored");

    store.put_bytes(Key::Keys, new).expect("stored");
    assert_eq!(store.chore(), Some(Chore::Move));
    store.do_chores().expect("good flash");
    assert!(!shown(&mut store, old) && shown(&mut store, new));
    store.forget(Key::Keys).expect("forgotten");
    assert_eq!(store.chore(), Some(Chore::Move));
    store.do_chores().expect("good flash");
    assert!(!shown(&mut store, new));
    assert_eq!(store.get(), Ok(Some(PaiGowRecord(2))), "the others moved along");
}

/// CM-10: if the power goes before the chore is done, the next start does it.
#[test]
fn a_replaced_secret_does_not_outlive_a_start() {
    for forget in [false, true] {
        let mut store = fresh();
        let old = b"the first key of the dealer role";
        store.put_bytes(Key::Keys, old).expect("stored");
        match forget {
            false => store.put_bytes(Key::Keys, &[2; 32]).expect("stored"),
            true => store.forget(Key::Keys).expect("forgotten"),
        }
        let mut store = Store::open(store.release()).expect("opens");
        assert_eq!(store.found(), Found::Recovered);
        assert!(!store.flash().dump().windows(old.len()).any(|window| window == old));
        assert_eq!(bytes(&mut store, Key::Keys), (!forget).then(|| vec![2; 32]));
    }
}

#[test]
fn a_secret_that_cannot_be_erased_stays_a_chore() {
    let mut store = fresh();
    store.do_chores().expect("good flash");
    store.put_bytes(Key::Keys, &[1; 32]).expect("stored");
    store.flash().wear_out(0, Some(Worn::EraseFails));
    store.put_bytes(Key::Keys, &[2; 32]).expect("stored");
    for _ in 0..3 {
        assert_eq!(store.do_chores(), Err(StoreError::Flash(Operation::Erase)));
        assert_eq!(store.chore(), Some(Chore::Erase));
    }
    assert_eq!(bytes(&mut store, Key::Keys), Some(vec![2; 32]));
}

/// CM-13: worn flash is an error at once, and the old value still holds.
#[test]
fn worn_flash_is_reported_and_the_old_value_kept() {
    let cases = [
        (Worn::WriteFails, Operation::Write),
        (Worn::BitSticks, Operation::Verify),
        (Worn::EraseFails, Operation::Erase),
    ];
    for (how, operation) in cases {
        let mut store = fresh();
        store.put(&PaiGowRecord(4)).expect("stored");
        (0..8).for_each(|page| store.flash().wear_out(page, Some(how)));
        let refused = loop {
            let brand = [store.flash().counts().words as u8; 1000];
            if let Err(error) = store.put_bytes(Key::Brand, &brand) {
                break error;
            }
        };
        assert_eq!(refused, StoreError::Flash(operation));
        assert_eq!(store.get(), Ok(Some(PaiGowRecord(4))), "{how:?}");

        let mut flash = store.release();
        (0..8).for_each(|page| flash.wear_out(page, None));
        let mut store = Store::open(flash).expect("opens");
        assert_eq!(store.get(), Ok(Some(PaiGowRecord(4))), "{how:?}");
    }
}

#[test]
fn one_worn_page_in_the_log_is_stepped_around() {
    let mut store = fresh();
    store.put(&PaiGowRecord(4)).expect("stored");
    store.flash().wear_out(1, Some(Worn::BitSticks));
    store.put_bytes(Key::Brand, &[9; 3000]).expect("the other bank serves");
    let mut store = Store::open(store.release()).expect("opens");
    assert_eq!(bytes(&mut store, Key::Brand), Some(vec![9; 3000]));
    assert_eq!(store.get(), Ok(Some(PaiGowRecord(4))));
}

/// CM-08: an edited store is noticed, never believed.
#[test]
fn a_flipped_bit_in_a_committed_value_is_damage() {
    for (at, bit) in (16..40).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut store = fresh();
        store.put_bytes(Key::Profile, &[6; 16]).expect("stored");
        store.put(&PaiGowRecord(1)).expect("stored");
        store.flash().flip_bit(at, bit);
        let read = store.get_bytes(Key::Profile, &mut [0; 16]).map(|_| ());
        assert!(matches!(read, Err(StoreError::Damaged(16))), "byte {at} bit {bit}: {read:?}");
        let opened = Store::open(store.release()).map(|_| ());
        assert!(matches!(opened, Err(StoreError::Damaged(_))), "byte {at} bit {bit}: {opened:?}");
    }
}

#[test]
fn flash_that_is_not_ours_is_refused_until_it_is_formatted() {
    let mut flash = Flash::new(1);
    flash.flip_bit(4000, 0);
    assert_eq!(Store::open(&mut flash).err(), Some(StoreError::Unrecognised));
    let mut store = Store::format(flash).expect("formats");
    store.put(&PaiGowRecord(6)).expect("stored");
    let mut store = Store::open(store.release()).expect("opens");
    assert_eq!(store.get(), Ok(Some(PaiGowRecord(6))));
}

#[test]
fn a_destroyed_header_is_an_error_not_an_empty_store() {
    let mut store = fresh();
    store.put(&PaiGowRecord(6)).expect("stored");
    store.flash().flip_bit(0, 0);
    assert_eq!(Store::open(store.release()).err(), Some(StoreError::Unrecognised));
}

#[test]
fn formatting_forgets_everything() {
    let mut store = fresh();
    store.put_bytes(Key::Keys, &[1; 32]).expect("stored");
    let mut store = Store::format(store.release()).expect("formats");
    assert_eq!(store.get_bytes(Key::Keys, &mut [0; 32]), Ok(None));
    assert!(store.flash().dump()[16..].iter().all(|&byte| byte == 0xFF));
}

#[test]
fn flash_too_small_for_two_banks_is_refused() {
    assert_eq!(Store::open(NorModel::<2048, 3>::new(0)).err(), Some(StoreError::Geometry));
}

/// CM-12, CM-13: noise in flash is refused or survived, never a panic or another key's value.
#[test]
fn noise_in_flash_never_panics_and_never_makes_a_value_up() {
    let mut store = fresh();
    for round in 0..60_u8 {
        store.put_bytes(Key::Sequence, &[round; 8]).expect("stored");
        store.put_bytes(Key::Profile, &[round; 20]).expect("stored");
    }
    let mut noise = 1_u64;
    for _ in 0..20_000 {
        let mut flash = store.clone().release();
        for _ in 0..3 {
            noise = noise.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            flash.flip_bit((noise >> 33) as usize % 4096, (noise >> 60) as u8 % 8);
        }
        if let Ok(mut store) = Store::open(flash) {
            for (key, length) in [(Key::Sequence, 8), (Key::Profile, 20)] {
                if let Ok(value) = store.get_bytes(key, &mut [0; 32]) {
                    let value = value.expect("a store that opens still has its values");
                    assert!(value.len() == length && value.iter().all(|&byte| byte == value[0]));
                }
            }
        }
    }
}
