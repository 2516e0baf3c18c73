//! What a fault, a lamp or a lesson must not let through, seen close: one slip in a rule each.

use crate::harness::{Flash, MASQUE, Table};
use crate::world::{Thing, World};
use croupier::cards::Rank;
use croupier::node::Refused;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, ClearRequest, Condition, Game, Inspected,
    Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    Lesson, Reading, TeachAction, TeachRequest, TeachResponse, UpCard,
};
use croupier::reader::inputs::Done;
use croupier::reader::ports::Key;
use croupier::reader::{Action, Event, Fault, Lit, Machine, Mode, Record as Stored};
use croupier::store::{Key as StoreKey, Record, Store};
use croupier::time::Instant;

const BLACKJACK: Lit = Lit::one(ReaderLamp::Blackjack);
const NOTICE: Lit = Lit::one(ReaderLamp::Notice);

fn teach(table: &mut Table, action: TeachAction) -> (Outcome, TeachResponse) {
    table.ask(Role::Floorperson, &TeachRequest { action, brand: 9, ..TeachRequest::default() })
}

/// A reader that shows blackjack of the card that lies in it.
fn answering() -> Table {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    table.run_for(550);
    assert_eq!(table.world.lit(), BLACKJACK);
    table
}

/// Bytes where the reader's record is kept, and no record.
struct NoRecord;

impl Record for NoRecord {
    const KEY: StoreKey = StoreKey::ReaderRecord;
    type Buffer = [u8; 3];
    const BUFFER: [u8; 3] = [0; 3];

    fn encode(&self, out: &mut [u8]) -> Option<usize> {
        out.get_mut(..3)?.fill(0xA5);
        Some(3)
    }

    fn decode(_: &[u8]) -> Option<Self> {
        None
    }
}

/// RD-10: a record that is there and cannot be read may have held a fault: out of service.
#[test]
fn rd10_a_record_that_cannot_be_read_is_a_fault() {
    let mut store = Store::open(Flash::new(3)).expect("opens");
    store.put(&NoRecord).expect("kept");
    let mut table = Table::switched_on(store.release(), World::default(), 0);
    assert_eq!(table.context.device.fault(), Some(Fault::Store));
    assert_eq!(table.status().condition, Condition::Malfunction);
    assert!(table.troubles().contains(&Trouble::StoreFault));
}

/// RD-10: a fault puts the answer out: the notice blinks, and between its blinks all is dark.
#[test]
fn rd10_a_fault_puts_the_answer_out() {
    let mut table = answering();
    let now = table.now;
    table.context.device.fail(Fault::Clock, now, &mut table.context.store);
    for _ in 0..16 {
        table.run_for(100);
        let lit = table.world.lit();
        assert!(lit == Lit::NONE || lit == NOTICE, "{lit:?}");
    }
}

/// RD-10: service clears no fault that was not there.
#[test]
fn rd10_a_fault_that_was_not_there_is_not_cleared() {
    let mut table = Table::in_service(Game::FreeBet);
    let clear = |table: &mut Table, trouble| {
        table.ask(Role::Service, &ClearRequest { trouble, ..ClearRequest::default() }).0
    };
    assert_eq!(clear(&mut table, Trouble::StoreFault), Outcome::NotFound);
    let now = table.now;
    table.context.device.fail(Fault::Clock, now, &mut table.context.store);
    assert_eq!(table.inspect(Role::Service), CheckVerdict::Passed);
    assert_eq!(clear(&mut table, Trouble::StoreFault), Outcome::NotFound);
    assert_eq!(clear(&mut table, Trouble::ClockFault), Outcome::Accepted);
}

/// RD-09: a lamp that does not follow fails service's check of a reader with a fault, whatever the
/// inspector says.
#[test]
fn rd09_a_dead_lamp_fails_the_check_of_a_reader_with_a_fault() {
    let mut table = Table::in_service(Game::FreeBet);
    let now = table.now;
    table.context.device.fail(Fault::Clock, now, &mut table.context.store);
    table.world.0.borrow_mut().dead_lamps = Lit::one(ReaderLamp::Large).bits();
    assert_eq!(table.inspect_seeing(Role::Service, |_| true), CheckVerdict::Failed);
    assert_eq!(table.context.device.fault(), Some(Fault::Clock));
    let steps = table.events::<Inspected>();
    let failed = steps.iter().rfind(|at| at.step > 0).expect("published");
    assert_eq!(failed.verdict, CheckVerdict::Failed);
    assert!((3..=8).contains(&failed.step), "at a lamp, not at step {}", failed.step);
}

/// RD-02: what is shown is published when its own lamp is lit, not the lamps of a lamp test.
#[test]
fn rd02_a_lamp_test_is_no_verdict() {
    let mut table = Table::in_service(Game::FreeBet);
    table.hold(Key::LampTest, true);
    table.slide_in(Thing::Card(Rank::King));
    for _ in 0..10 {
        table.run_for(100);
        assert!(table.world.lit() == Lit::ALL || table.world.lit() == Lit::NONE);
        assert_eq!(table.verdicts(), [], "not while the test rules the lamps");
    }
    table.hold(Key::LampTest, false);
    table.run_for(50);
    assert_eq!(table.world.lit(), NOTICE);
    assert_eq!(table.verdicts(), [Reading::Notice]);
}

/// RD-21: a card that comes home puts the last answer out; its own comes at its time.
#[test]
fn rd21_a_card_put_in_puts_the_last_answer_out() {
    let mut table = answering();
    table.pull_out();
    assert_eq!(table.world.lit(), BLACKJACK, "lit for a second at least");
    table.slide_in(Thing::Card(Rank::King));
    assert_eq!(table.world.lit(), Lit::NONE);
    table.run_for(550);
    assert_eq!(table.world.lit(), BLACKJACK);
}

/// RD-09: without a brand nothing can be read: not in service, though the check still counts.
#[test]
fn rd09_a_reader_without_a_brand_is_not_in_service() {
    let table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().brand = Ok(None);
    let mut table = table.power_cycled();
    assert_ne!(table.check(Role::Dealer, CheckAction::Look).1.minutes_left, 0);
    assert_eq!(table.status().condition, Condition::NotInspected);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::NotInspected);
}

/// RD-09: no lesson begins in a round, in a check, in a lesson or in a lamp test.
#[test]
fn rd09_no_lesson_begins_in_a_round_or_a_check() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::InRound);
    assert_eq!(table.end(1), Outcome::Accepted);
    table.hold(Key::LampTest, true);
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::OutOfTurn);
    table.hold(Key::LampTest, false);
    assert_eq!(table.check(Role::Floorperson, CheckAction::Begin).0, Outcome::Accepted);
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::OutOfTurn);
    assert_eq!(teach(&mut table, TeachAction::Look).1.lesson, Lesson::None);
    let at = table.check(Role::Floorperson, CheckAction::Look).1;
    assert_eq!((at.verdict, at.task), (CheckVerdict::Open, CheckStep::SeeSeal));
    assert_eq!(table.check(Role::Floorperson, CheckAction::Leave).0, Outcome::Accepted);
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::Accepted);
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::OutOfTurn);
}

/// RD-19: a look that a lesson before this one had asked for counts as none of this one's cards.
#[test]
fn rd19_a_look_of_the_lesson_before_does_not_count() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(teach(&mut table, TeachAction::Begin).0, Outcome::Accepted);
    let now = table.now;
    table.context.device.done(Done::Looked(Ok(true)), now, &mut table.context.store);
    let at = teach(&mut table, TeachAction::Look).1;
    assert_eq!((at.lesson, at.shown), (Lesson::Learn, 0));
}

/// RD-10: with a lamp at fault the lamp test lights none.
#[test]
fn rd10_no_lamp_test_with_a_broken_lamp() {
    let mut table = Table::in_service(Game::FreeBet);
    let now = table.now;
    table.context.device.fail(Fault::Lamp(3), now, &mut table.context.store);
    table.hold(Key::LampTest, true);
    for _ in 0..8 {
        assert_eq!(table.world.lit(), Lit::NONE);
        table.run_for(100);
    }
    table.hold(Key::LampTest, false);
}

/// RD-21: a card that was gone before its time leaves the notice for a second and not for five.
#[test]
fn rd21_the_notice_of_a_card_that_was_gone_is_short() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    table.pull_out();
    table.run_for(250);
    assert_eq!(table.world.lit(), NOTICE);
    table.run_for(1_100);
    assert_eq!(table.world.lit(), Lit::NONE);
}

/// RD-10: the machine of a closed reader takes no up-card.
#[test]
fn rd10_a_closed_machine_takes_no_up_card() {
    let machine = Machine::resume(&Stored::default(), None);
    let asked = Event::UpCard(1, UpCard::Ace, Role::Controller);
    let (closed, actions) = machine.after(asked, Mode::Closed, Instant::START);
    assert_eq!(actions, [Action::None, Action::Refuse(Refused::OutOfTurn)]);
    assert_eq!(closed, machine);
    let (open, _) = machine.after(asked, Mode::Peek, Instant::START);
    assert!(open.in_round());
}

/// RD-02: no lamp test in a round: its lamps are for answers.
#[test]
fn rd02_no_lamp_test_in_a_round() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.hold(Key::LampTest, true);
    assert_eq!(table.world.lit(), Lit::NONE);
    table.hold(Key::LampTest, false);
    assert_eq!(table.read(Rank::King), BLACKJACK);
}

/// RD-03: a Masque round that a controller opened is the controller's to end, also when given up.
#[test]
fn rd03_a_round_of_the_controller_does_not_end_with_the_next_card() {
    let mut table = Table::in_service(MASQUE);
    assert_eq!(table.arm(5, UpCard::Ace), Outcome::Accepted);
    for _ in 0..3 {
        table.read_thing(Thing::Unreadable);
    }
    let clear = ClearRequest { trouble: Trouble::CannotRead, ..ClearRequest::default() };
    assert_eq!(table.ask(Role::Floorperson, &clear).0, Outcome::Accepted);
    assert_eq!(table.read(Rank::Five), NOTICE, "given up");
    assert_eq!(table.end(5), Outcome::Accepted);
}
