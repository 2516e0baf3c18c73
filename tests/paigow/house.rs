//! Whether keys or a certificate say that the cards are shuffled is the house's to decide.

use crate::certificate::*;
use crate::linked::Linked;
use croupier::paigow::State;
use croupier::paigow::ports::Key;
use croupier::protocol::generated::croupier::common::{
    Irregularity, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::paigow::{HouseChanged, ShuffledBy, Signal};
use croupier::protocol::generated::croupier::shuffler::Batch;

// PG-10, CM-07: with certificates the key and the plain signal are refused by name; bets and round end are not.
#[test]
fn keys_and_signals_do_not_say_shuffled_where_a_certificate_does() {
    let mut linked = certified();
    linked.tap(Key::Shuffled);
    assert_eq!(linked.last_trouble(), Some((Trouble::NotByKey, 0)));
    for key in [Key::BetsClosed, Key::Draw] {
        linked.tap(key);
    }
    assert!(linked.table.display.is_dark());
    let mut linked = certified();
    assert_eq!(linked.signal(1, Signal::ShuffleComplete).0, Outcome::NotCertified);
    assert_eq!(linked.last_trouble(), Some((Trouble::NotByKey, 0)));
    assert_eq!(state(&linked), State::Idle);
    // Nor do they open the bets of a certified round again.
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::Accepted);
    assert_eq!(close_bets(&mut linked, 1), Outcome::Accepted);
    assert_eq!(linked.signal(1, Signal::ShuffleComplete).0, Outcome::NotCertified);
    linked.tap(Key::Shuffled);
    assert_eq!(state(&linked), State::Armed(1));
}

// CM-07: keys work in the other mode, and a certificate does not.
#[test]
fn keys_say_shuffled_where_no_certificate_does() {
    let mut linked = certified();
    let keys = house(&mut linked, Role::Floorperson, ShuffledBy::Keys);
    assert_eq!(keys, (Outcome::Accepted, ShuffledBy::Keys));
    assert_eq!(forward(&mut linked, 1, released(4)), Outcome::OutOfTurn);
    assert_eq!(forward(&mut linked, 1, revoked(5, Batch::First)), Outcome::OutOfTurn);
    linked.tap(Key::Shuffled);
    assert_eq!(state(&linked), State::WaitingBets(1));
    let none = linked.events::<Irregularity>();
    assert_eq!(none, []);
}

// CM-07: the floorperson alone, between rounds, kept, and published; the default is keys.
#[test]
fn what_the_house_decides_is_the_floorpersons_between_rounds_and_kept() {
    let mut linked = Linked::new();
    let unsaid = ShuffledBy::Unsaid;
    for role in [Role::Dealer, Role::Floorperson, Role::Service, Role::Controller] {
        assert_eq!(house(&mut linked, role, unsaid), (Outcome::Accepted, ShuffledBy::Keys));
    }
    for role in [Role::Dealer, Role::Service, Role::Controller] {
        let (outcome, _) = house(&mut linked, role, ShuffledBy::Certificate);
        assert_eq!(outcome, Outcome::NotAuthorised, "{role:?}");
    }
    linked.tap(Key::Shuffled);
    let (outcome, _) = house(&mut linked, Role::Floorperson, ShuffledBy::Certificate);
    assert_eq!(outcome, Outcome::InRound);
    linked.tap(Key::RoundEnd);
    assert_eq!(house(&mut linked, Role::Dealer, unsaid), (Outcome::Accepted, ShuffledBy::Keys));
    assert_eq!(linked.events::<HouseChanged>(), []);
    let (outcome, _) = house(&mut linked, Role::Floorperson, ShuffledBy::Certificate);
    assert_eq!(outcome, Outcome::Accepted);
    let changed = linked.events::<HouseChanged>();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0].shuffled_by, ShuffledBy::Certificate);
    let mut linked = linked.power_cycled();
    let kept = house(&mut linked, Role::Controller, unsaid);
    assert_eq!(kept, (Outcome::Accepted, ShuffledBy::Certificate));
}
