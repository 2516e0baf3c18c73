//! Whatever flash operation the power fails in, no deck is shuffled that was not.
//!
//! Whole games run to count their flash operations, then again with a cut at each of them.

use crate::harness::{Rig, cards, services};
use croupier::cards::BackColour::{Blue, Red};
use croupier::protocol::generated::croupier::common::{Game, Role};
use croupier::protocol::generated::croupier::shuffler::{Purpose, Task};
use croupier::shuffler::{Batches, Model, Shuffler};
use croupier::store::{NorModel, Store};

/// Small, so that banks are retired every few games and cuts fall there too.
type Flash = NorModel<128, 6>;
type Table = Rig<Store<Flash>>;

fn seated(seed: u64) -> Table {
    let store = Store::open(Flash::new(seed)).expect("blank flash opens");
    Rig::with(store, Model::SingleDeck, Game::FlopPoker, 1)
}

/// Shuffles and plays two decks in turn, as long as power lasts: what the machine knew of its
/// batches, one thing after the other.
fn play(table: &mut Table) -> Vec<Batches> {
    let mut known = vec![*table.shuffler.batches()];
    for colour in [Red, Blue, Red] {
        if table.store.flash().is_dark() {
            break;
        }
        table.put_in(cards(52, colour));
        let _ = table.start();
        table.run();
        let _ = table.command(Task::Release, Purpose::None, Role::Dealer);
        known.push(*table.shuffler.batches());
        if table.shown().door_locked || table.world.delivery.is_empty() {
            break;
        }
        table.take_stack();
        let _ = table.command(Task::Dealt, Purpose::None, Role::Dealer);
        known.push(*table.shuffler.batches());
    }
    known.dedup();
    known
}

/// SH-22, SH-17: after the cut nothing is certified, the record is readable, and the flash knows
/// of the batches what the machine knew, or what it was about to write, and nothing else.
#[test]
fn a_cut_in_any_flash_operation_never_leaves_a_certificate() {
    let mut whole = seated(1);
    let known = play(&mut whole);
    assert_eq!(known.len(), 7, "three releases and three ends: {known:?}");
    assert_eq!(whole.shuffler.batches().last_played, Some(Red));
    let operations = whole.store.flash().counts().operations();
    assert!(operations > 60, "{operations}");
    for cut in 0..operations {
        let mut table = seated(1);
        table.store.flash().cut_power_after(cut);
        let before = play(&mut table).len() - 1;
        assert_eq!(table.shuffler.batches(), &known[before], "cut {cut}");
        table.store.flash().restore_power();
        let spare = Store::open(Flash::new(0)).unwrap();
        let flash = std::mem::replace(&mut table.store, spare).release();
        let mut store = Store::open(flash).expect("opens after any cut");
        let again = Shuffler::new(services(table.chosen), table.model, &mut store);
        assert_eq!(again.record().certificate.certified(), None, "cut {cut}");
        assert!(again.cycle().is_none(), "cut {cut}");
        let (kept, after) = (again.batches(), known.get(before + 1));
        assert!(*kept == known[before] || Some(kept) == after, "cut {cut}: {kept:?}");
        assert_eq!(again.services.in_round, kept.in_play, "cut {cut}");
    }
}
