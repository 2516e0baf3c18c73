//! How a device from the factory, which has no keys, gets its first ones.

use crate::table::{CONTROLLER, Flash, Puppet, READER, Reader, identity, node};
use croupier::node::{ANSWER_BYTES, Guard};
use croupier::protocol::codec::{Object, Request};
use croupier::protocol::generated::croupier::common::{
    KeyHolder, ProvisionKeyRequest, ProvisionKeyResponse, ResetCause, Result as Outcome, Role, Seal,
};
use croupier::protocol::keys::{KeyPolicy, KeyRing, RoleKey};
use croupier::protocol::seal::{Address, Refusal, seal};
use croupier::protocol::transfer::{Header, Port, Priority, Transfer};
use croupier::store::Store;
use croupier::time::Instant;

/// The time does not matter here.
const NOW: Instant = Instant::from_millis(1);
const SERVICE: [u8; 32] = [0x51; 32];
const OWN: [u8; 32] = [0xD0; 32];

struct Factory {
    reader: Reader,
    device: Puppet,
    store: Store<Flash>,
    sequence: u64,
}

impl Factory {
    fn new() -> Self {
        let mut store = Store::open(Flash::new(1)).expect("blank flash opens");
        let keys = KeyRing::load(&mut store, KeyPolicy::Silicon).expect("readable");
        let guard = Guard::new(node(READER), keys, &mut store);
        let reader = Reader::new(identity(), guard, ResetCause::PowerOn, 0);
        Self { reader, device: Puppet::default(), store, sequence: 0 }
    }

    /// Offers a key, sealed as service with `with`, and returns the outcome if one was answered.
    fn offer(
        &mut self,
        holder: impl Into<KeyHolder>,
        key: [u8; 32],
        with: [u8; 32],
    ) -> Option<Outcome> {
        let port = Port::Request(ProvisionKeyRequest::SERVICE, node(READER));
        let source = node(CONTROLLER);
        let mut payload = [0; ProvisionKeyRequest::LONGEST];
        let holder = holder.into();
        let request = ProvisionKeyRequest { holder, key, seal: Seal::default() };
        request.encode(&mut payload).expect("room");
        self.sequence += 1;
        let address = Address { source, port };
        let with = RoleKey::new(with);
        seal(&with, Role::Service, self.sequence, address, &mut payload).expect("room");
        let header =
            Header { priority: Priority::Nominal, port, source: Some(source), transfer_id: 0 };
        let transfer = Transfer { header, payload: &payload };
        self.reader.receive(0, &transfer, NOW, &mut self.device, &mut self.store);
        self.answer()
    }

    fn answer(&mut self) -> Option<Outcome> {
        let mut room = [0; ANSWER_BYTES];
        while let Some(sent) = self.reader.next(0, NOW, &self.device, &mut self.store, &mut room) {
            if matches!(sent.header.port, Port::Response(..)) {
                let said = ProvisionKeyResponse::decode(sent.payload).expect("a response");
                return Some(said.answer.result);
            }
        }
        None
    }

    fn holds(&mut self, role: Role) -> bool {
        let keys = KeyRing::load(&mut self.store, KeyPolicy::Silicon).expect("readable");
        keys.get(role).is_some()
    }
}

/// CM-03: the switch inside the housing is the first authority; then the service key is.
#[test]
fn a_factory_fresh_device_takes_its_first_service_key_by_the_switch_alone() {
    let mut factory = Factory::new();
    assert_eq!(factory.offer(Role::Service, SERVICE, SERVICE), None);
    assert!(!factory.holds(Role::Service), "the switch is open");

    factory.device.switch = true;
    assert_eq!(factory.offer(Role::Service, SERVICE, OWN), None);
    assert!(!factory.holds(Role::Service), "sealed with another key than it brings");
    assert_eq!(factory.offer(Role::Dealer, SERVICE, SERVICE), None);
    assert!(!factory.holds(Role::Dealer), "the service key comes first");

    // Nothing can be sealed before the device has a key of its own, so it does not answer yet.
    assert_eq!(factory.offer(Role::Service, SERVICE, SERVICE), None);
    assert!(factory.holds(Role::Service));
    assert_eq!(factory.offer(Role::Device, OWN, SERVICE), Some(Outcome::Accepted));
    assert!(factory.reader.guard().is_open());

    // From now on a stranger's service key is a forgery, switch or no switch.
    let forged = factory.reader.guard().refusals().of(Refusal::BadMac);
    assert_eq!(factory.offer(Role::Service, [9; 32], [9; 32]), None);
    assert_eq!(factory.reader.guard().refusals().of(Refusal::BadMac), forged + 1);
}

/// CM-03, CM-08: a first key counts once, also if it was not taken the first time.
#[test]
fn a_first_key_that_comes_again_is_a_replay() {
    let mut factory = Factory::new();
    factory.device.switch = true;
    let blank = [0; 32];
    let replays = |factory: &Factory| factory.reader.guard().refusals().of(Refusal::Replayed);
    assert_eq!(factory.offer(Role::Service, blank, blank), None);
    assert_eq!((factory.holds(Role::Service), replays(&factory)), (false, 0), "no key");
    factory.sequence -= 1;
    assert_eq!(factory.offer(Role::Service, SERVICE, SERVICE), None);
    assert_eq!((factory.holds(Role::Service), replays(&factory)), (false, 1), "its number is used");
    assert_eq!(factory.offer(Role::Service, SERVICE, SERVICE), None);
    assert!(factory.holds(Role::Service));
}

/// The simulation's keys, blank keys and another role's key do not become a device's.
#[test]
fn keys_that_are_none_are_refused_with_the_reason() {
    let mut factory = Factory::new();
    factory.device.switch = true;
    factory.offer(Role::Service, SERVICE, SERVICE);
    factory.offer(Role::Device, OWN, SERVICE);
    let simulation = *b"croupier SIMULATION key: dealer.";
    for key in [simulation, [0; 32], [0xFF; 32], SERVICE] {
        assert_eq!(factory.offer(Role::Dealer, key, SERVICE), Some(Outcome::RefusedKey));
    }
    assert!(!factory.holds(Role::Dealer));
    // A reader is forwarded nothing that a shuffler sealed.
    let peer = factory.offer(KeyHolder::Shuffler, [3; 32], SERVICE);
    assert_eq!(peer, Some(Outcome::OutOfRange));
    factory.device.switch = false;
    let off = factory.offer(Role::Dealer, [3; 32], SERVICE);
    assert_eq!(off, Some(Outcome::ServiceSwitchOff));
}
