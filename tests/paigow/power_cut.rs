//! Whatever moment the power fails, the number the table saw is the number it sees again.
//!
//! A round runs whole to count its flash operations, then again with a cut at each of them.

use crate::harness::{Plain, Source, Table};
use croupier::paigow::ports::Key;
use croupier::paigow::{Fault, ROUND_AT_LEAST, Record, State};
use croupier::store::{NorModel, Store};
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};

/// Small, so that banks are retired every few rounds and cuts fall there too.
type Flash = NorModel<128, 6>;
type Seat = Table<Store<Flash>, Source>;

/// Rounds played before the one that is cut: the store is at another place each time.
const WARM_UP: u8 = 12;

fn open(flash: Flash) -> Store<Flash> {
    Store::open(flash).expect("opens after any cut")
}

fn seated(rounds: u8) -> Seat {
    let mut table = Table::with(open(Flash::new(u64::from(rounds))), Source::default());
    for _ in 0..rounds {
        table.draw().expect("a number");
        table.end_round();
    }
    table.display.0.borrow_mut().numbers.clear();
    table
}

fn operations(table: &mut Seat) -> u64 {
    table.context.store.flash().counts().operations()
}

/// The device again, from what is in flash. Its source would draw something else.
fn power_back(mut table: Seat) -> Seat {
    table.context.store.flash().restore_power();
    let (source, spare) = (Source::default(), open(Flash::new(0)));
    source.0.borrow_mut().draws = 99;
    let store = open(core::mem::replace(&mut table.context.store, spare).release());
    let mut table = Table::with(store, source);
    table.run_for(25);
    table
}

// PG-17, PG-11: a cut anywhere between the press and the display.
#[test]
fn a_cut_between_select_and_display_gives_the_same_number_or_none_was_seen() {
    let (mut cuts, mut came_back) = (0, 0);
    for rounds in 0..WARM_UP {
        let mut whole = seated(rounds);
        whole.arm();
        let before = operations(&mut whole);
        whole.tap(Key::Draw);
        let drawn = whole.display.number();
        for cut in 0..operations(&mut whole) - before {
            let mut table = seated(rounds);
            table.arm();
            table.context.store.flash().cut_power_after(cut);
            table.tap(Key::Draw);
            assert!(table.context.store.flash().is_dark());
            // The last operations may tidy up behind a number that is whole already.
            let seen = table.display.0.borrow().numbers.first().copied();
            let again = power_back(table);
            match again.display.number() {
                None => {
                    assert_eq!(seen, None, "seen before it was kept");
                    assert_eq!(again.context.device.state(), State::Idle);
                }
                number => {
                    assert_eq!(number, drawn);
                    came_back += 1;
                }
            }
            cuts += 1;
        }
        // The cut after the last operation: kept, and perhaps seen.
        assert_eq!(power_back(whole).display.number(), drawn);
    }
    assert!(cuts > u64::from(WARM_UP) * 5, "{cuts} cuts");
    assert!(came_back < cuts, "some cuts come before the number is whole");
}

// PG-10, PG-17: a cut anywhere while the round is closed: the number stands or is gone.
#[test]
fn a_cut_while_the_round_is_closed_never_leaves_another_number() {
    for rounds in 0..WARM_UP {
        let mut whole = seated(rounds);
        let drawn = whole.draw();
        whole.skip(ROUND_AT_LEAST);
        let before = operations(&mut whole);
        whole.tap(Key::RoundEnd);
        for cut in 0..operations(&mut whole) - before {
            let mut table = seated(rounds);
            table.draw();
            table.skip(ROUND_AT_LEAST);
            table.context.store.flash().cut_power_after(cut);
            table.tap(Key::RoundEnd);
            let again = power_back(table);
            let number = again.display.number();
            assert!(number.is_none() || number == drawn);
            let last = again.context.device.record().last().map(|entry| entry.number.get());
            assert_eq!(last, drawn, "the record stays");
        }
        assert_eq!(power_back(whole).display.number(), None);
    }
}

/// Flash that at some moment begins to report errors: it either does what it is asked all
/// the same, or nothing any more. Ends with the power.
struct Failing {
    flash: Flash,
    works_for: u64,
    obeys: bool,
}

impl Failing {
    fn fails(&mut self) -> bool {
        self.works_for = self.works_for.saturating_sub(1);
        self.works_for == 0
    }
}

impl ErrorType for Failing {
    type Error = <Flash as ErrorType>::Error;
}

impl ReadNorFlash for Failing {
    const READ_SIZE: usize = Flash::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.flash.read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.flash.capacity()
    }
}

impl NorFlash for Failing {
    const WRITE_SIZE: usize = Flash::WRITE_SIZE;
    const ERASE_SIZE: usize = Flash::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        let fails = self.fails();
        if !fails || self.obeys {
            self.flash.erase(from, to)?;
        }
        if fails { Err(croupier::store::Refused::Worn) } else { Ok(()) }
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        let fails = self.fails();
        if !fails || self.obeys {
            self.flash.write(offset, bytes)?;
        }
        if fails { Err(croupier::store::Refused::Worn) } else { Ok(()) }
    }
}

/// A table whose flash fails at its `works_for`th change from the press on.
fn failing_at(rounds: u8, works_for: u64, obeys: bool) -> Table<Store<Failing>, Source> {
    let flash = Failing { flash: Flash::new(u64::from(rounds)), works_for: u64::MAX, obeys };
    let store = Store::open(flash).expect("blank flash opens");
    let mut table = Table::with(store, Source::default());
    for _ in 0..rounds {
        table.draw().expect("a number");
        table.end_round();
    }
    table.display.0.borrow_mut().numbers.clear();
    table.arm();
    table.context.store.flash().works_for = works_for;
    table.tap(Key::Draw);
    table
}

// PG-16, PG-17: the flash fails while the number is kept, and then the power is lost. What
// was published must be what it finds: a number that stands, or darkness and the shaker.
#[test]
fn flash_that_fails_while_a_number_is_kept_never_brings_back_a_number_called_void() {
    let (mut stood, mut void) = (0, 0);
    for (rounds, obeys) in (0..WARM_UP).flat_map(|rounds| [(rounds, true), (rounds, false)]) {
        for works_for in 1..40 {
            let table = failing_at(rounds, works_for, obeys);
            let published = table.display.number();
            let faulted = matches!(table.context.device.state(), State::Faulted(Fault::Store));
            assert!(published.is_some() != faulted, "a number or a fault");
            let flash = table.context.store.release().flash;
            let source = Source::default();
            source.0.borrow_mut().draws = 99;
            let mut again = Table::with(open(flash), source);
            again.run_for(25);
            assert_eq!(again.display.number(), published, "{rounds} {obeys} {works_for}");
            *if faulted { &mut void } else { &mut stood } += 1;
        }
    }
    assert!(stood > 0 && void > 0, "{stood} stood, {void} void");
}

// PG-11, PG-16: it fails once and works again: the fault is kept in the number's place, the
// power changes nothing, and the round gets no other number.
#[test]
fn flash_that_fails_once_leaves_a_fault_that_outlives_the_power_and_no_second_number() {
    let mut table = Plain::new();
    table.arm();
    table.context.store.broken = true;
    table.tap(Key::Draw);
    table.context.store.broken = false;
    table.run_for(200);
    let mut again = table.power_cycled();
    assert_eq!(again.context.device.state(), State::Faulted(Fault::Store));
    again.draw();
    assert!(again.display.0.borrow().numbers.is_empty(), "a number was seen");
    assert_eq!(again.context.device.record().last(), None);
}

// What `Record` says of the flash's life.
#[test]
fn a_page_is_erased_once_in_a_hundred_and_eighty_rounds() {
    const ROUNDS: u32 = 2_000;
    type Product = NorModel<2048, 16>;
    let store = Store::open(Product::new(1)).expect("blank flash opens");
    let mut table = Table::with(store, Source::default());
    for _ in 0..ROUNDS {
        table.draw().expect("a number");
        table.end_round();
    }
    let worst = *table.context.store.flash().wear().iter().max().expect("pages");
    assert!(ROUNDS / worst >= 180, "{worst} erases");
    let record: Record = table.context.store.get().expect("readable").expect("kept");
    assert_eq!(record.last().map(|entry| entry.round), Some(ROUNDS as u16));
}
