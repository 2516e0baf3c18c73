//! 'Shuffled' by the shuffler's sealed certificate (PG-10): what arms, what does not, and who decides which.

use crate::linked::{GENERATOR, Linked};
use croupier::paigow::ports::Key;
use croupier::paigow::{Fault, ROUND_AT_LEAST, State};
use croupier::protocol::codec::{Message, Object};
use croupier::protocol::generated::croupier::common::{
    Game, Irregularity, NextStep, ProfileSetRequest, Result as Outcome, Role, Stamp, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{
    HouseChanged, HouseRequest, ShuffledBy, ShuffledRequest, Signal, Source, Step, Stepped,
};
use croupier::protocol::generated::croupier::shuffler::{
    Batch, Certificate, CertificateReason as Reason, CertificateState,
};
use croupier::protocol::keys::{KeyHolder, KeyPolicy, KeyRing, RoleKey};
use croupier::protocol::seal::{Address, seal};
use croupier::protocol::transfer::{NodeId, Port};

pub const SHUFFLER: u8 = 11;
pub const KEY: [u8; 32] = *b"the shuffler's own key, 32 bytes";

/// How a certificate is sealed.
#[derive(Clone, Copy)]
pub struct Maker {
    pub key: [u8; 32],
    pub role: Role,
    pub source: u8,
    pub subject: croupier::protocol::transfer::SubjectId,
}

pub const GENUINE: Maker =
    Maker { key: KEY, role: Role::Device, source: SHUFFLER, subject: Certificate::SUBJECT };

impl Maker {
    pub fn seal(self, sequence: u64, certificate: Certificate) -> Certificate {
        let mut bytes = [0; Certificate::LONGEST];
        certificate.encode(&mut bytes).expect("room");
        let source = NodeId::new(self.source).expect("a node");
        let address = Address { source, port: Port::Message(self.subject) };
        seal(&RoleKey::new(self.key), self.role, sequence, address, &mut bytes).expect("sealed");
        Certificate::decode(&bytes).expect("decodes")
    }
}

pub fn said(number: u32, state: CertificateState, reason: Reason, batch: Batch) -> Certificate {
    let stamp = Stamp { start: 3, number, time_ms: 1_000 };
    let cards = if state == CertificateState::Revoked { 0 } else { 53 };
    Certificate { stamp, state, reason, batch, cards, ..Certificate::default() }
}

/// The release of the first batch, as the event of this number.
pub fn release(number: u32) -> Certificate {
    said(number, CertificateState::None, Reason::Released, Batch::First)
}

pub fn released(number: u32) -> Certificate {
    GENUINE.seal(100 + u64::from(number), release(number))
}

pub fn revoked(number: u32, batch: Batch) -> Certificate {
    let certificate = said(number, CertificateState::Revoked, Reason::Lid, batch);
    GENUINE.seal(100 + u64::from(number), certificate)
}

/// The generator's ring in flash gets the shuffler's key, as service gives it.
pub fn provision(linked: &mut Linked, key: [u8; 32]) {
    let store = &mut linked.table.context.store;
    let mut keys = KeyRing::load(store, KeyPolicy::Simulation).expect("readable");
    let key = RoleKey::new(key);
    keys.provision(Role::Service, true, KeyHolder::Shuffler, key, store).expect("taken");
}

pub fn house(linked: &mut Linked, role: Role, shuffled_by: ShuffledBy) -> (Outcome, ShuffledBy) {
    let (outcome, answer) =
        linked.ask(role, &HouseRequest { shuffled_by, ..HouseRequest::default() });
    (outcome, answer.shuffled_by)
}

/// A generator that takes certificates, with the key to check them.
pub fn certified() -> Linked {
    let mut linked = Linked::new();
    provision(&mut linked, KEY);
    let mut linked = linked.power_cycled();
    let game = Game::SixCardFortunePaiGow;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
    assert_eq!(linked.ask(Role::Floorperson, &profile).0, Outcome::Accepted);
    let set = house(&mut linked, Role::Floorperson, ShuffledBy::Certificate);
    assert_eq!(set, (Outcome::Accepted, ShuffledBy::Certificate));
    linked
}

pub fn forward_by(
    linked: &mut Linked,
    role: Role,
    round: u16,
    certificate: Certificate,
) -> Outcome {
    let request =
        ShuffledRequest { round, node: SHUFFLER, certificate, ..ShuffledRequest::default() };
    let (outcome, answer) = linked.ask(role, &request);
    let open = matches!(linked.table.context.device.state(), State::WaitingBets(_));
    assert!(outcome != Outcome::Accepted || answer.open == open);
    outcome
}

pub fn forward(linked: &mut Linked, round: u16, certificate: Certificate) -> Outcome {
    forward_by(linked, Role::Controller, round, certificate)
}

pub fn state(linked: &Linked) -> State {
    linked.table.context.device.state()
}

pub fn close_bets(linked: &mut Linked, round: u16) -> Outcome {
    linked.signal(round, Signal::BetsClosed).0
}

/// It is not armed, says why, and takes no number.
pub fn is_doubted(linked: &mut Linked, certificate: Certificate, detail: u16) {
    let before = state(linked);
    assert_eq!(forward(linked, 1, certificate), Outcome::NotCertified, "detail {detail}");
    assert_eq!(state(linked), before);
    assert_eq!(linked.last_trouble(), Some((Trouble::CertificateRefused, detail)));
    let next_step = linked.events::<Irregularity>().last().map(|told| told.next_step);
    assert_eq!(next_step, Some(NextStep::ForwardCertificate));
}

// PG-10: a round by certificate: bets open, the step is published with the batch, and the rest as ever.
#[test]
fn a_released_deck_opens_the_bets_of_its_round() {
    let mut linked = certified();
    assert_eq!(forward(&mut linked, 7, released(4)), Outcome::Accepted);
    assert_eq!(state(&linked), State::WaitingBets(7));
    linked.tap(Key::BetsClosed);
    linked.tap(Key::Draw);
    assert_eq!(linked.table.display.number(), Some(1));
    let steps = linked.events::<Stepped>();
    let steps: Vec<_> = steps.iter().map(|s| (s.round, s.step, s.source, s.by, s.batch)).collect();
    let (by, batch) = (Role::Controller, Batch::First);
    assert_eq!(
        steps,
        [
            (7, Step::Shuffled, Source::Certificate, by, batch),
            (7, Step::BetsClosed, Source::Key, Role::Dealer, Batch::None),
        ]
    );
    // The next deck is released while this round stands: refused, and taken when it is over.
    assert_eq!(forward(&mut linked, 8, released(5)), Outcome::OutOfTurn);
    linked.deal();
    assert_eq!(linked.end(7), Outcome::Accepted);
    assert_eq!(forward(&mut linked, 8, released(5)), Outcome::Accepted);
    assert_eq!(state(&linked), State::WaitingBets(8));
}

// PG-10: each bit of the certificate is the shuffler's, or it is none.
#[test]
fn no_bit_of_a_certificate_can_be_forged() {
    let mut linked = certified();
    let mut bytes = [0; Certificate::LONGEST];
    released(4).encode(&mut bytes).expect("room");
    for bit in 0..bytes.len() * 8 {
        let mut bent = bytes;
        bent[bit / 8] ^= 1 << (bit % 8);
        // A value that is none cannot be written by this controller; the judge's own tests have those.
        let Ok(certificate) = Certificate::decode(&bent) else { continue };
        assert_eq!(forward(&mut linked, 1, certificate), Outcome::NotCertified, "bit {bit}");
        assert_eq!(state(&linked), State::Idle, "bit {bit}");
    }
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
}

// PG-10: sealed with another key, by another role, from another node, for another subject: forged.
#[test]
fn only_the_shufflers_own_seal_counts() {
    let generators_own = *b"croupier SIMULATION key: device.";
    let controllers = *b"croupier SIMULATION key: control";
    let makers = [
        Maker { key: [9; 32], ..GENUINE },
        Maker { key: generators_own, ..GENUINE },
        Maker { key: generators_own, source: GENERATOR.get(), ..GENUINE },
        Maker { key: controllers, role: Role::Controller, ..GENUINE },
        Maker { role: Role::Controller, ..GENUINE },
        Maker { role: Role::Service, ..GENUINE },
        Maker { source: 12, ..GENUINE },
        Maker { subject: HouseChanged::SUBJECT, ..GENUINE },
    ];
    for (number, maker) in makers.into_iter().enumerate() {
        let mut linked = certified();
        is_doubted(&mut linked, maker.seal(104, release(4)), 2);
        assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted, "maker {number}");
    }
    let mut linked = certified();
    let elsewhere =
        ShuffledRequest { round: 1, node: 10, certificate: released(4), ..Default::default() };
    assert_eq!(linked.ask(Role::Controller, &elsewhere).0, Outcome::NotCertified);
    let nowhere = ShuffledRequest { node: 200, ..elsewhere };
    assert_eq!(linked.ask(Role::Controller, &nowhere).0, Outcome::NotCertified);
    assert_eq!(state(&linked), State::Idle);
}

// PG-10: the shuffler said it, but not that this deck is in play: issued, no batch, another count.
#[test]
fn only_the_release_of_the_whole_deck_arms() {
    let issued = said(4, CertificateState::Issued, Reason::WholeCycle, Batch::First);
    let none = said(4, CertificateState::None, Reason::None, Batch::First);
    let no_batch = said(4, CertificateState::None, Reason::Released, Batch::None);
    for (certificate, detail) in [
        (issued, 3),
        (none, 3),
        (no_batch, 3),
        (Certificate { cards: 52, ..release(4) }, 4),
        (Certificate { cards: 54, ..release(4) }, 4),
    ] {
        let mut linked = certified();
        is_doubted(&mut linked, GENUINE.seal(104, certificate), detail);
        // The genuine one is not used up by it.
        assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    }
}

// PG-10: taken once: in its round, after it, after a power cut before the draw, after one behind it; and no older
// one after a newer. A repeat with a new seal is the same certificate.
#[test]
fn a_certificate_arms_once() {
    let mut linked = certified();
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    is_doubted(&mut linked, released(4), 5);
    let mut linked = linked.power_cycled();
    is_doubted(&mut linked, released(4), 5);
    is_doubted_again(&mut linked, GENUINE.seal(900, release(4)));
    is_doubted_again(&mut linked, GENUINE.seal(901, release(3)));
    let stamp = Stamp { start: 2, number: 40, time_ms: 1_000 };
    let older = Certificate { stamp, ..release(40) };
    is_doubted_again(&mut linked, GENUINE.seal(99, older));
    assert_eq!(forward(&mut linked, 1, released(5)), Outcome::Accepted);
    assert_eq!(close_bets(&mut linked, 1), Outcome::Accepted);
    linked.tap(Key::Draw);
    linked.deal();
    assert_eq!(linked.end(1), Outcome::Accepted);
    is_doubted(&mut linked, released(5), 5);
    let mut linked = linked.power_cycled();
    linked.run_for(ROUND_AT_LEAST.get());
    is_doubted(&mut linked, released(5), 5);
    is_doubted_again(&mut linked, released(4));
    assert_eq!(forward(&mut linked, 2, released(6)), Outcome::Accepted);
}

/// The same doubt as before: not published twice.
fn is_doubted_again(linked: &mut Linked, certificate: Certificate) {
    let before = state(linked);
    assert_eq!(forward(linked, 1, certificate), Outcome::NotCertified);
    assert_eq!(state(linked), before);
}

// PG-10: revoked before the draw: not armed any more, published, and the release does not come back, also not
// after a power cut. With bets open and with bets closed.
#[test]
fn a_revoked_certificate_disarms_until_the_draw() {
    for closed in [false, true] {
        for batch in [Batch::None, Batch::First] {
            let mut linked = certified();
            assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
            if closed {
                assert_eq!(close_bets(&mut linked, 1), Outcome::Accepted);
            }
            assert_eq!(forward(&mut linked, 1, revoked(5, batch)), Outcome::Accepted);
            assert_eq!(state(&linked), State::Idle);
            assert_eq!(linked.last_trouble(), Some((Trouble::CertificateRevoked, 0)));
            let step = linked.events::<Stepped>().last().map(|step| (step.round, step.step));
            assert_eq!(step, Some((1, Step::Revoked)));
            linked.tap(Key::Draw);
            assert!(linked.table.display.is_dark());
            is_doubted(&mut linked, released(4), 5);
            let mut linked = linked.power_cycled();
            is_doubted(&mut linked, released(4), 5);
            assert_eq!(forward(&mut linked, 1, released(6)), Outcome::Accepted);
        }
    }
    // Another batch is another deck.
    let mut linked = certified();
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    assert_eq!(forward(&mut linked, 1, revoked(5, Batch::Second)), Outcome::Accepted);
    assert_eq!(state(&linked), State::WaitingBets(1));
    // Behind the draw it comes too late.
    assert_eq!(close_bets(&mut linked, 1), Outcome::Accepted);
    linked.tap(Key::Draw);
    assert_eq!(forward(&mut linked, 1, revoked(6, Batch::First)), Outcome::Accepted);
    assert_eq!(linked.table.display.number(), Some(1));
}

// PG-10: a revocation that comes first is taken too: the release before it is void.
#[test]
fn a_release_older_than_a_revocation_does_not_arm() {
    let mut linked = certified();
    assert_eq!(forward(&mut linked, 1, revoked(5, Batch::First)), Outcome::Accepted);
    is_doubted(&mut linked, released(4), 5);
}

// PG-10, CM-07: the controller alone forwards.
#[test]
fn only_the_controller_forwards_a_certificate() {
    let mut linked = certified();
    for role in [Role::Dealer, Role::Floorperson, Role::Service] {
        assert_eq!(forward_by(&mut linked, role, 1, released(4)), Outcome::NotAuthorised);
    }
    assert_eq!(state(&linked), State::Idle);
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
}

// PG-10, CM-07: what flash does not take is not done; a revocation is done, and is a fault besides.
#[test]
fn a_certificate_that_cannot_be_kept_does_not_arm_and_a_revocation_still_disarms() {
    let mut linked = certified();
    linked.table.context.store.flash().cut_power_after(0);
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::StoreFailed);
    assert_eq!(state(&linked), State::Idle);
    let (outcome, _) = house(&mut linked, Role::Floorperson, ShuffledBy::Keys);
    assert_eq!(outcome, Outcome::StoreFailed);
    let unsaid = house(&mut linked, Role::Floorperson, ShuffledBy::Unsaid);
    assert_eq!(unsaid, (Outcome::Accepted, ShuffledBy::Certificate));

    let mut linked = certified();
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    linked.table.context.store.flash().cut_power_after(0);
    assert_eq!(forward(&mut linked, 1, revoked(5, Batch::None)), Outcome::StoreFailed);
    assert_eq!(state(&linked), State::Faulted(Fault::Store));
}

// PG-16: out of service it says so, whatever it is asked.
#[test]
fn a_generator_out_of_service_asks_for_no_certificate() {
    let mut linked = certified();
    linked.source.0.borrow_mut().fault = Some(Fault::Random(9));
    linked.run_for(200);
    assert_eq!(linked.signal(1, Signal::ShuffleComplete).0, Outcome::Malfunction);
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Malfunction);
}

// PG-16: a record of certificates that cannot be read is a fault, and no empty one.
#[test]
fn a_damaged_record_of_certificates_is_a_fault() {
    let mut linked = certified();
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    let store = &mut linked.table.context.store;
    store.put_bytes(croupier::store::Key::Shuffling, &[1, 1, 7]).expect("room");
    let linked = linked.power_cycled();
    assert_eq!(state(&linked), State::Faulted(Fault::Store));
}
