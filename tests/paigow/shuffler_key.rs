//! The shuffler's key in the generator: provisioned by service, checks certificates, commands nothing.

use crate::certificate::*;
use crate::linked::{GENERATOR, Linked};
use croupier::node::Guard;
use croupier::protocol::codec::Object;
use croupier::protocol::generated::croupier::common::{
    ProvisionKeyRequest, Result as Outcome, Role, SettingChanged,
};
use croupier::protocol::generated::croupier::paigow::{HouseRequest, ShuffledBy};
use croupier::protocol::keys::{KeyHolder, KeyRing, RoleKey};
use croupier::protocol::seal::{Address, seal};
use croupier::protocol::transfer::{NodeId, Port};

// CM-03, PG-10: service gives the shuffler's key over the wire, with the switch closed, and it counts at once.
#[test]
fn service_provisions_the_shufflers_key() {
    let mut linked = Linked::new();
    house(&mut linked, Role::Floorperson, ShuffledBy::Certificate);
    let request =
        ProvisionKeyRequest { holder: KeyHolder::Shuffler, key: KEY, ..Default::default() };
    assert_eq!(linked.ask(Role::Service, &request).0, Outcome::ServiceSwitchOff);
    linked.table.context.device.services.service_switch = true;
    assert_eq!(linked.ask(Role::Floorperson, &request).0, Outcome::NotAuthorised);
    let (outcome, answer) = linked.ask(Role::Service, &request);
    assert_eq!((outcome, answer.check), (Outcome::Accepted, RoleKey::new(KEY).check()));
    assert_ne!(answer.check, KEY[..8], "nothing of the key comes back");
    let changed = linked.events::<SettingChanged>();
    assert_eq!(changed.last().map(|changed| changed.of), Some(KeyHolder::Shuffler));
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    let mut linked = linked.power_cycled();
    assert_eq!(forward(&mut linked, 1, released(5)), Outcome::Accepted);
}

// PG-10: without a shuffler's key nothing can be checked, so nothing arms.
#[test]
fn without_the_shufflers_key_no_certificate_counts() {
    let mut linked = Linked::new();
    house(&mut linked, Role::Floorperson, ShuffledBy::Certificate);
    is_doubted(&mut linked, released(4), 1);
}

// PG-10: a new shuffler has a new key, and its numbers begin again.
#[test]
fn a_new_shuffler_counts_for_itself() {
    let mut linked = certified();
    assert_eq!(forward(&mut linked, 1, released(40)), Outcome::Accepted);
    let new_key = [0x77; 32];
    provision(&mut linked, new_key);
    let mut linked = linked.power_cycled();
    is_doubted(&mut linked, released(41), 2);
    let first = Maker { key: new_key, ..GENUINE }.seal(5, release(2));
    assert_eq!(forward(&mut linked, 1, first), Outcome::Accepted);
    is_doubted(&mut linked, first, 5);
}

// CM-03: the shuffler's key only checks. It is no role's key, and seals no command.
#[test]
fn the_shufflers_key_commands_nothing_and_is_nobody_elses() {
    use croupier::protocol::keys::KeyRefused;
    use croupier::protocol::seal::{Refusal, verify};
    let mut ring = KeyRing::simulation();
    assert!(ring.peer().is_none());
    for role in Role::ALL {
        let taken = ring.insert(KeyHolder::Shuffler, RoleKey::simulation(role));
        assert_eq!(taken, Err(KeyRefused::InUse), "{role:?}");
    }
    assert_eq!(ring.insert(KeyHolder::Shuffler, RoleKey::new(KEY)), Ok(()));
    for role in Role::ALL {
        assert_eq!(ring.insert(role, RoleKey::new(KEY)), Err(KeyRefused::InUse), "{role:?}");
    }
    let source = NodeId::new(1).expect("a node");
    let port =
        Port::Request(<HouseRequest as croupier::protocol::codec::Request>::SERVICE, GENERATOR);
    let address = Address { source, port };
    for role in Role::ALL {
        let mut bytes = [0; HouseRequest::LONGEST];
        seal(&RoleKey::new(KEY), role, 1 << 40, address, &mut bytes).expect("sealed");
        assert_eq!(verify(&ring, address, &bytes), Err(Refusal::BadMac), "{role:?}");
        bytes[HouseRequest::LONGEST - 17] = KeyHolder::Shuffler.code();
        assert_eq!(verify(&ring, address, &bytes), Err(Refusal::UnknownRole));
    }
    let mut store = croupier::store::Store::open(crate::linked::Flash::new(8)).expect("opens");
    assert_eq!(Guard::new(GENERATOR, ring, &mut store).next_sequence(Role::Device), None);
}
