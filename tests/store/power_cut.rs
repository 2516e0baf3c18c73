//! Whatever moment the power fails, a stored value is the old one or the new one.
//!
//! Every flash operation of 10,000 random sequences of changes is torn once: the sequence
//! runs whole to count its operations, then again with a cut at each of them. Between the
//! changes some steps of chores are done, so that changes also come into the middle of a move.
//! Pages are tiny, so that values cross pages and a bank is retired every few changes.

use crate::dice::Dice;
use croupier::store::{Chore, Key, NorModel, Operation, Store, StoreError};

/// Two banks of three pages of 64 bytes.
type Flash = NorModel<64, 6>;

const KEYS: [Key; 4] = [Key::Sequence, Key::Profile, Key::Brand, Key::Keys];
const SEQUENCES: u64 = 10_000;
const CHANGES: u64 = 30;

type Value = Option<Vec<u8>>;
type Values = [Value; KEYS.len()];

impl Dice {
    fn value(&mut self, key: Key) -> Value {
        let length = match key {
            Key::Sequence => 8,
            Key::Brand => 40 + self.roll(33), // longer than a page, at times
            Key::Keys => 16,
            _ => self.roll(25),
        };
        let value = (0..length).map(|_| self.roll(256) as u8).collect();
        if self.roll(8) == 0 { None } else { Some(value) }
    }
}

/// What is done to the store.
#[derive(Clone)]
enum Act {
    Change(Key, Value),
    /// This number of steps of chores.
    Chores(u64),
}

impl Act {
    fn done_to(&self, store: &mut Store<Flash>) -> Result<(), StoreError> {
        match self {
            Self::Change(key, Some(bytes)) => store.put_bytes(*key, bytes),
            Self::Change(key, None) => store.forget(*key),
            Self::Chores(steps) => (0..*steps).try_for_each(|_| chore(store)),
        }
    }
}

fn chore(store: &mut Store<Flash>) -> Result<(), StoreError> {
    match store.chore() {
        None => Ok(()),
        Some(Chore::Move) => store.move_on(),
        Some(Chore::Erase) => {
            store.start_erase()?;
            while !store.erase_ended()? {}
            Ok(())
        }
    }
}

fn read(store: &mut Store<Flash>) -> Values {
    KEYS.map(|key| {
        let mut room = [0; 80];
        store.get_bytes(key, &mut room).expect("readable").map(<[u8]>::to_vec)
    })
}

fn operations(store: &mut Store<Flash>) -> u64 {
    store.flash().counts().operations()
}

/// Opens torn flash, after a second cut at `again` operations into the recovery.
fn reopen(mut flash: Flash, again: Option<u64>) -> Store<Flash> {
    if let Some(whole) = again {
        flash.cut_power_after(whole);
        let _ = Store::open(&mut flash);
        assert!(flash.is_dark(), "the recovery has that many operations");
        flash.restore_power();
    }
    Store::open(flash).expect("opens after any cut")
}

struct Case {
    sequence: u64,
    old: Values,
    new: Values,
    act: Act,
    secrets: Vec<Vec<u8>>,
    recoveries: u64,
    cuts: u64,
}

impl Case {
    /// Tears operation `cut` of the change and checks what every recovery finds.
    fn tear(&mut self, before: &Store<Flash>, cut: u64, dice: &mut Dice) -> Store<Flash> {
        let mut store = before.clone();
        store.flash().reseed(dice.roll(u64::MAX));
        store.flash().cut_power_after(cut);
        let outcome = self.act.done_to(&mut store);
        let mut flash = store.release();
        assert!(flash.is_dark());
        flash.restore_power();
        // Told that the change is done, the caller may rely on it.
        let done = outcome.is_ok();

        let start = flash.counts().operations();
        let mut store = reopen(flash.clone(), None);
        let steps = operations(&mut store) - start;
        self.check(&mut store, cut, done);
        let every = dice.roll(32) == 0;
        for again in 0..steps {
            if every || again == steps - 1 || dice.roll(8) == 0 {
                self.check(&mut reopen(flash.clone(), Some(again)), cut, done);
            }
        }
        store
    }

    fn check(&mut self, store: &mut Store<Flash>, cut: u64, done: bool) {
        self.recoveries += 1;
        let found = read(store);
        let name = format!("sequence {}, cut at operation {cut}", self.sequence);
        for (at, value) in found.iter().enumerate() {
            let old = !done && *value == self.old[at];
            assert!(old || *value == self.new[at], "{name}: {:?} is a third value", KEYS[at]);
        }
        let dump = store.flash().dump();
        for secret in self.secrets.iter().filter(|secret| Some(*secret) != found[3].as_ref()) {
            for word in secret.chunks(8) {
                assert!(dump.chunks(8).all(|other| other != word), "{name}: a secret is legible");
            }
        }
        if self.recoveries.is_multiple_of(16) {
            let taken = store.put_bytes(Key::EndedRound, &[1]);
            assert!(matches!(taken, Ok(()) | Err(StoreError::Full)), "{name}: {taken:?}");
            assert_eq!(read(store), found, "{name}: a later change disturbed another key");
        }
    }
}

fn run(sequence: u64) -> (u64, u64) {
    let mut dice = Dice(sequence << 20);
    let mut case = Case {
        sequence,
        old: Values::default(),
        new: Values::default(),
        act: Act::Chores(0),
        secrets: Vec::new(),
        recoveries: 0,
        cuts: 0,
    };
    let mut store = Store::open(Flash::new(sequence)).expect("blank flash opens");
    for _ in 0..CHANGES {
        let key = dice.roll(KEYS.len() as u64) as usize;
        case.act = if dice.roll(3) == 0 {
            Act::Chores(1 + dice.roll(12))
        } else {
            case.new[key] = dice.value(KEYS[key]);
            Act::Change(KEYS[key], case.new[key].clone())
        };
        let before = store.clone();
        let start = operations(&mut store);
        match case.act.done_to(&mut store) {
            Ok(()) => {}
            // A move that found no room, or flash that looked blank after a torn erase, begins
            // again with an erase.
            Err(StoreError::Full | StoreError::Flash(Operation::Write))
                if matches!(case.act, Act::Chores(_)) =>
            {
                assert_eq!(store.chore(), Some(Chore::Erase), "sequence {sequence}");
            }
            Err(StoreError::Full) => {
                case.new = case.old.clone();
                assert_eq!(read(&mut store), case.old, "a refused value leaves the old one");
            }
            Err(error) => panic!("sequence {sequence}: {error:?}"),
        }
        let whole = operations(&mut store) - start;
        // At times life goes on after the cut, so that tears meet older tears.
        let lived = if dice.roll(3) == 0 { dice.roll(whole.max(1)) } else { whole };
        for cut in 0..whole {
            case.cuts += 1;
            let torn = case.tear(&before, cut, &mut dice);
            if cut == lived {
                store = torn;
            }
        }
        if let Act::Change(Key::Keys, Some(secret)) = &case.act {
            case.secrets.push(secret.clone());
        }
        let now = read(&mut store);
        case.new = now.clone();
        case.old = now;
    }
    (case.cuts, case.recoveries)
}

/// RD-10, SH-22, SH-40, PG-11: what must survive power loss survives it; CM-10: old secrets do not.
#[test]
fn every_cut_of_ten_thousand_sequences_leaves_the_old_or_the_new_value() {
    let (mut cuts, mut recoveries) = (0, 0);
    for sequence in 0..SEQUENCES {
        let (more_cuts, more_recoveries) = run(sequence);
        cuts += more_cuts;
        recoveries += more_recoveries;
    }
    println!("{SEQUENCES} sequences, {cuts} cuts, {recoveries} recoveries checked");
    assert!(cuts > 50 * SEQUENCES && recoveries > cuts);
}

/// The first words ever written and the first erases can be torn too; the flash is then still
/// as good as new.
#[test]
fn a_cut_at_the_very_first_opening_leaves_an_empty_store() {
    let first = operations(&mut Store::open(Flash::new(0)).expect("opens"));
    for seed in 0..1_000 {
        let mut flash = Flash::new(seed);
        flash.cut_power_after(seed % first);
        assert_eq!(
            Store::open(&mut flash).err().is_some(),
            flash.is_dark() && seed % first + 1 < first
        );
        assert!(flash.is_dark());
        flash.restore_power();
        let mut store = Store::open(flash).expect("opens");
        for round in 0..40_u64 {
            store.put_bytes(Key::Sequence, &round.to_le_bytes()).expect("takes values");
        }
        assert_eq!(read(&mut store)[0], Some(39_u64.to_le_bytes().to_vec()));
    }
}

/// A page whose erase was cut short can look erased and take words, and lose them in time. No
/// value may ever lie in one: it is erased again before its first use.
#[test]
fn no_value_is_written_to_a_page_whose_erase_was_cut_short() {
    let mut torn_erases = 0;
    for sequence in 0..200 {
        let mut dice = Dice(sequence << 20);
        let mut flash = Flash::new(sequence);
        flash.tear_erases_weakly();
        let mut store = Store::open(flash).expect("blank flash opens");
        for _ in 0..60 {
            let key = dice.roll(3) as usize;
            let value = dice.value(KEYS[key]);
            store.flash().cut_power_after(dice.roll(24));
            let _ = Act::Change(KEYS[key], value).done_to(&mut store);
            let _ = Act::Chores(dice.roll(12)).done_to(&mut store);
            if !store.flash().is_dark() {
                continue;
            }
            let mut flash = store.release();
            flash.restore_power();
            // The recovery is cut at times too, and its own erases are torn then.
            let erases = flash.counts().erases;
            if dice.roll(2) == 0 {
                flash.cut_power_after(dice.roll(8));
                let _ = Store::open(&mut flash);
                torn_erases += u64::from(flash.is_dark() && flash.counts().erases > erases);
                flash.restore_power();
            }
            store = Store::open(flash).expect("opens after any cut");
            let now = read(&mut store);
            let mut later = store.clone().release();
            later.fade();
            let mut later = Store::open(later).expect("opens after years");
            assert_eq!(read(&mut later), now, "sequence {sequence}: a value has faded");
        }
    }
    assert!(torn_erases > 500, "{torn_erases}");
}
