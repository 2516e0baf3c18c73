//! Whatever moment the power fails, no number is used twice and no command obeyed twice.
//!
//! A script of seals and commands runs whole to count its flash operations, then again with a cut
//! at each of them, and with a second cut in each recovery.

use croupier::node::Guard;
use croupier::protocol::keys::{KeyRing, RoleKey};
use croupier::protocol::seal::{Address, Refusal, Role, SEAL_BYTES, seal};
use croupier::protocol::sequence::{Lane, Sequences};
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, ServiceId};
use croupier::store::{NorModel, Store};

/// Small, so that banks are retired every few reservations.
type Flash = NorModel<64, 6>;
type Command = [u8; SEAL_BYTES];

const ROLES: [Role; 2] = [Role::Floorperson, Role::Controller];

fn node(number: u8) -> NodeId {
    NodeId::new(number).expect("a node number")
}

fn port() -> Port {
    Port::Request(ServiceId::new(300).expect("a service"), node(10))
}

fn header() -> Header {
    Header { priority: Priority::Nominal, port: port(), source: Some(node(1)), transfer_id: 0 }
}

fn command(role: Role, sequence: u64) -> Command {
    let mut payload = [0; SEAL_BYTES];
    let address = Address { source: node(1), port: port() };
    seal(&RoleKey::simulation(role), role, sequence, address, &mut payload).expect("room");
    payload
}

/// Fewer at a time than a device reserves, so that a life reaches the end of many blocks.
const BLOCK: u64 = 1024;
type Numbers = Sequences<BLOCK>;

/// Everything that ever left the device or was obeyed by it, over all its lives.
#[derive(Default, Clone)]
struct History {
    sent: Option<u64>,
    starts: u32,
    obeyed: Vec<(Role, u64)>,
}

/// One life: what the script does until it is through or the power is gone.
fn live(store: &mut Store<Flash>, history: &mut History) {
    let Ok(mut numbers) = Numbers::start(store) else { return };
    assert!(numbers.starts() > history.starts, "two starts with one number");
    history.starts = numbers.starts();
    for round in 0..12 {
        for _ in 0..BLOCK + round {
            let Ok(number) = numbers.take(store) else { break };
            assert!(Some(number) > history.sent, "{number} was used before");
            history.sent = Some(number);
        }
        for role in ROLES {
            let floor = numbers.peek(Lane::of(role).expect("a commanding role"));
            // At the floor, inside the block and beyond it.
            for ahead in [0, 3, BLOCK / 4 * (round % 3)] {
                if numbers.accept(role, floor + ahead, store).is_ok() {
                    history.obeyed.push((role, floor + ahead));
                }
            }
        }
        let _ = numbers.reserve_ahead(store); // fails in the dark, and must do no harm then
    }
}

/// The attacker recorded everything and tries all of it at once after power-up.
fn replay(store: &mut Store<Flash>, history: &History, cut: u64) {
    let mut numbers = Numbers::start(store).expect("power is on");
    for (role, number) in &history.obeyed {
        let again = numbers.accept(*role, *number, store);
        assert_eq!(again, Err(Refusal::Replayed), "obeyed twice, cut at operation {cut}");
    }
}

fn reopen(mut flash: Flash) -> Store<Flash> {
    flash.restore_power();
    Store::open(flash).expect("opens after any cut")
}

/// CM-03: exactly-once survives a cut at every flash operation of many reservations.
#[test]
fn no_number_repeats_and_no_command_is_obeyed_again_after_any_cut() {
    let fresh = Store::open(Flash::new(7)).expect("blank flash opens");
    let mut whole = fresh.clone();
    let start = whole.flash().counts().operations();
    live(&mut whole, &mut History::default());
    let operations = whole.flash().counts().operations() - start;
    assert!(operations > 100, "the script reserves often: {operations}");

    let mut replayed = 0;
    for cut in 0..operations {
        for seed in 0..8 {
            let mut history = History::default();
            let mut store = fresh.clone();
            store.flash().reseed(cut << 8 | seed);
            store.flash().cut_power_after(cut);
            live(&mut store, &mut history);
            // A second life, cut short soon, then a third whose attacker knows it all.
            let mut store = reopen(store.release());
            replay(&mut store, &history, cut);
            store.flash().cut_power_after((cut * 7 + seed) % 40);
            live(&mut store, &mut history);
            let mut store = reopen(store.release());
            replay(&mut store, &history, cut);
            live(&mut store, &mut history);
            replay(&mut store, &history, cut);
            replayed += history.obeyed.len();
        }
    }
    assert!(replayed > 1_000, "{replayed} commands were replayed");
}

/// CM-03: with the store gone, nothing is accepted, because nothing could be remembered.
#[test]
fn a_command_that_cannot_be_remembered_is_refused() {
    let mut store = Store::open(Flash::new(3)).expect("blank flash opens");
    let mut numbers = Numbers::start(&mut store).expect("good flash");
    assert_eq!(numbers.accept(Role::Controller, 1, &mut store), Ok(()));
    store.flash().cut_power_after(0);
    for _ in 0..2 {
        let verdict = numbers.accept(Role::Controller, BLOCK + 1, &mut store);
        assert_eq!(verdict, Err(Refusal::NotKept));
    }
    let (first, payload) = (command(Role::Controller, 1), command(Role::Controller, 2));
    // A guard that could not read its limits at boot stays shut.
    let mut guard = Guard::new(node(10), KeyRing::simulation(), &mut store);
    assert!(!guard.is_open());
    assert_eq!(guard.admit(&header(), &payload, &mut store), Err(Refusal::NotKept));

    // With the power back, the attacker's recording is worthless and a new command is not.
    let mut store = reopen(store.release());
    let mut guard = Guard::new(node(10), KeyRing::simulation(), &mut store);
    assert_eq!(guard.admit(&header(), &first, &mut store), Err(Refusal::Replayed));
    let fresh = command(Role::Controller, guard.next_sequence(Role::Controller).expect("restored"));
    assert!(guard.admit(&header(), &fresh, &mut store).is_ok());
}
