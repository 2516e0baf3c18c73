//! Guards behind guards: what the store does when flash misleads it once.
//!
//! The model of the flash keeps its rules. Here a shell around it breaks one of them, once.

use croupier::store::{
    Chore, EraseInSteps, Found, Key, NorModel, Operation, Refused, Store, StoreError, Worn,
};
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};

/// Two banks of four pages.
type Flash = NorModel<2048, 8>;
const BANK: usize = 4 * 2048;

/// Flash that misleads once, at an address.
#[derive(Clone)]
struct Moody {
    flash: Flash,
    /// A word here is refused when it is programmed.
    refuses: Option<u32>,
    /// A word here is programmed, and cannot be read back.
    hides: Option<u32>,
    hidden: bool,
}

impl Moody {
    fn new() -> Self {
        Self { flash: Flash::new(3), refuses: None, hides: None, hidden: false }
    }
}

impl ErrorType for Moody {
    type Error = Refused;
}

impl ReadNorFlash for Moody {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Refused> {
        if self.hidden && self.hides.take_if(|at| *at == offset).is_some() {
            return Err(Refused::Busy);
        }
        self.flash.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.flash.capacity()
    }
}

impl NorFlash for Moody {
    const WRITE_SIZE: usize = Flash::WRITE_SIZE;
    const ERASE_SIZE: usize = Flash::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Refused> {
        self.flash.erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Refused> {
        if self.refuses.take_if(|at| *at == offset).is_some() {
            return Err(Refused::NotErased);
        }
        self.hidden |= self.hides == Some(offset);
        self.flash.write(offset, bytes)
    }
}

impl EraseInSteps for Moody {
    fn start_erase(&mut self, at: u32) -> Result<(), Refused> {
        self.flash.start_erase(at)
    }

    fn erase_ended(&mut self) -> Result<bool, Refused> {
        self.flash.erase_ended()
    }
}

fn value<F: NorFlash>(store: &mut Store<F>, key: Key) -> Option<Vec<u8>> {
    let mut room = [0; 64];
    store.get_bytes(key, &mut room).expect("readable").map(<[u8]>::to_vec)
}

/// Changes one value until the log is full and the banks have changed.
fn fill<F: NorFlash>(store: &mut Store<F>) -> Result<(), StoreError> {
    let before = store.stalls();
    for round in 0_u32.. {
        store.put_bytes(Key::Sequence, &round.to_le_bytes())?;
        if store.stalls() > before {
            return Ok(());
        }
    }
    Ok(())
}

/// Changes one value until the log is so full that moving is a chore.
fn fill_to_a_chore<F: NorFlash>(store: &mut Store<F>) {
    let mut round = 0_u32;
    while store.chore() != Some(Chore::Move) {
        store.put_bytes(Key::Sequence, &round.to_le_bytes()).expect("stored");
        round += 1;
    }
}

/// The log says that the spare bank is erased; a bit of it says otherwise.
#[test]
fn a_spare_bank_that_is_blank_no_more_is_erased_at_the_next_start() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    store.put_bytes(Key::Profile, &[6; 16]).expect("stored");
    store.flash().flip_bit(BANK + 800, 3);
    let mut store = Store::open(store.release()).expect("opens");
    assert_eq!(store.found(), Found::Recovered);
    assert!(store.flash().dump()[BANK..].iter().all(|byte| *byte == 0xFF));
    assert_eq!(value(&mut store, Key::Profile), Some(vec![6; 16]));
}

/// SH-22, CM-04: of the two banks the newer is erased last.
#[test]
fn a_power_cut_while_formatting_brings_no_older_value_back() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    store.put_bytes(Key::Profile, b"old").expect("stored");
    fill(&mut store).expect("good flash");
    store.put_bytes(Key::Profile, b"new").expect("stored");
    let flash = store.release();
    let whole = {
        let mut flash = flash.clone();
        let before = flash.counts().operations();
        Store::format(&mut flash).expect("formats");
        flash.counts().operations() - before
    };
    for cut in 0..whole {
        let mut flash = flash.clone();
        flash.cut_power_after(cut);
        let _ = Store::format(&mut flash);
        assert!(flash.is_dark());
        flash.restore_power();
        match Store::open(flash) {
            Ok(mut store) => {
                let left = value(&mut store, Key::Profile);
                assert!(left.is_none_or(|left| left == b"new"), "cut {cut}");
            }
            Err(error) => assert!(
                matches!(error, StoreError::Unrecognised | StoreError::Damaged(_)),
                "cut {cut}: {error:?}"
            ),
        }
    }
}

#[test]
fn forgetting_what_is_not_there_writes_nothing() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    store.put_bytes(Key::Profile, &[1]).expect("stored");
    store.forget(Key::Profile).expect("forgotten");
    let before = store.flash().counts().words;
    store.forget(Key::Profile).expect("nothing to do");
    store.forget(Key::Brand).expect("never stored");
    assert_eq!(store.flash().counts().words, before);
}

/// CM-08: the check of a record has 32 bits; two values of one length can have the same.
#[test]
fn two_values_with_one_check_are_two_values() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    let one = [1, 2, 3, 4, 5, 6, 7, 8];
    // The check's polynomial, a bit to the left of nothing: it does not change the check.
    let other = [1 ^ 0xF1, 2 ^ 0x76, 3 ^ 0xEC, 4 ^ 0x05, 5 ^ 0x01, 6, 7, 8];
    store.put_bytes(Key::Profile, &one).expect("stored");
    store.put_bytes(Key::Profile, &other).expect("stored");
    assert_eq!(value(&mut store, Key::Profile), Some(other.to_vec()));
}

/// Blank to the eye is not always ready to program: the second attempt erases first.
#[test]
fn a_word_that_is_refused_once_does_not_stop_a_change_of_banks() {
    let mut store = Store::open(Moody::new()).expect("blank flash opens");
    store.put_bytes(Key::Profile, &[6; 16]).expect("stored");
    // Behind the header of the other bank goes the first value that moves.
    store.flash().refuses = Some(BANK as u32 + 8);
    fill(&mut store).expect("at the second attempt");
    assert_eq!(store.flash().refuses, None, "it was refused");
    assert_eq!(value(&mut store, Key::Profile), Some(vec![6; 16]));
}

/// CM-08: what is damaged is not copied on, and its half copy does not stay.
#[test]
fn a_damaged_value_stops_the_change_of_banks_and_leaves_the_other_bank_erased() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    store.put_bytes(Key::Profile, &[6; 16]).expect("stored");
    store.flash().flip_bit(24, 0);
    assert!(matches!(fill(&mut store), Err(StoreError::Damaged(_))));
    assert!(store.flash().dump()[BANK..].iter().all(|byte| *byte == 0xFF));
}

/// CM-08: nor is it moved as a chore.
#[test]
fn a_damaged_value_is_not_moved_in_steps_either() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    store.put_bytes(Key::Profile, &[6; 16]).expect("stored");
    fill_to_a_chore(&mut store);
    store.flash().flip_bit(24, 0);
    assert!(matches!(store.do_chores(), Err(StoreError::Damaged(_))));
}

/// A tail that took no word is left as soon as there is time, and not when the log is full.
#[test]
fn a_worn_tail_is_a_chore_at_once() {
    let mut store = Store::open(Flash::new(7)).expect("blank flash opens");
    store.put_bytes(Key::Profile, &[6; 16]).expect("stored");
    (0..8).for_each(|page| store.flash().wear_out(page, Some(Worn::WriteFails)));
    let refused = store.put_bytes(Key::Profile, &[7; 16]);
    assert_eq!(refused, Err(StoreError::Flash(Operation::Write)));
    (0..8).for_each(|page| store.flash().wear_out(page, None));
    assert_eq!(store.chore(), Some(Chore::Move));
    store.do_chores().expect("good flash again");
    assert_eq!(value(&mut store, Key::Profile), Some(vec![6; 16]));
}

/// The header of the other bank is in flash, though the store was told otherwise: from then on
/// nothing may be stored in the old bank, which the next start will not open.
#[test]
fn a_bank_that_was_opened_unknown_to_the_store_hides_no_later_value() {
    let mut store = Store::open(Moody::new()).expect("blank flash opens");
    store.put_bytes(Key::Profile, b"old").expect("stored");
    fill_to_a_chore(&mut store);
    store.flash().hides = Some(BANK as u32);
    assert_eq!(store.do_chores(), Err(StoreError::Flash(Operation::Read)));
    store.put_bytes(Key::Profile, b"new").expect("stored");
    let mut store = Store::open(store.release()).expect("opens");
    assert_eq!(value(&mut store, Key::Profile), Some(b"new".to_vec()));
}
