//! The reader out of service: faults that latch, and the gaming-day check that finds them.

use crate::harness::{MASQUE, NOON, SEAL, Table};
use crate::world::{APPROVED, State as Broken, Thing};
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, ClearRequest, ClockSetRequest, Condition, Game,
    Inspected, InspectionRequest, InspectionResponse, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{Reading, TeachAction, TeachRequest, UpCard};
use croupier::reader::check::STEPS;
use croupier::reader::fault::Sensor;
use croupier::reader::ports::Key;
use croupier::reader::recognise::Window;
use croupier::reader::{Fault, Lit, State};
use croupier::time::{Instant, Millis};

fn clear(trouble: Trouble) -> ClearRequest {
    ClearRequest { trouble, ..ClearRequest::default() }
}

/// Everything that must hold of a reader with this fault, and what brings it back (RD-10).
fn stays_out_of_service(mut table: Table, fault: Fault, mend: impl Fn(&mut Broken)) {
    assert_eq!(table.context.device.state(), State::Faulted(fault));
    for _ in 0..2 {
        let status = table.status();
        assert_eq!(status.condition, Condition::Malfunction);
        assert_eq!((status.next_step, status.cleared_by), (NextStep::StopTable, Role::Service));
        assert_eq!(table.arm(9, UpCard::Ace), Outcome::Malfunction);
        let looks = table.looks();
        let verdicts = table.verdicts().len();
        table.read(Rank::King);
        assert_eq!((table.looks(), table.verdicts().len()), (looks, verdicts), "no answer");
        table = table.power_cycled();
        assert_eq!(table.context.device.fault(), Some(fault), "power cycling clears nothing");
        let event = table.irregularity(fault.trouble()).expect("published again at each start");
        assert_eq!(event.next_step, NextStep::StopTable);
    }
    assert_eq!(table.ask(Role::Service, &clear(fault.trouble())).0, Outcome::OutOfTurn);
    assert_eq!(table.check(Role::Floorperson, CheckAction::Begin).0, Outcome::NotAuthorised);
    mend(&mut table.world.0.borrow_mut());
    assert_eq!(table.inspect(Role::Service), CheckVerdict::Passed);
    assert_eq!(table.ask(Role::Service, &clear(fault.trouble())).0, Outcome::Accepted);
    assert_eq!(table.status().condition, Condition::InService);
    let mut table = table.power_cycled();
    assert_eq!(table.arm(10, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    table.run_for(600);
    assert_eq!(table.verdicts(), [Reading::Blackjack]);
}

/// RD-10: a lamp that stays dark is a malfunction and not an answer.
#[test]
fn a_dead_lamp_stops_the_table_when_it_should_be_lit() {
    let mut table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().dead_lamps = Lit::one(ReaderLamp::Blackjack).bits();
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.read(Rank::King), Lit::NONE);
    assert_eq!(table.verdicts(), [], "what was not shown was not published");
    stays_out_of_service(table, Fault::Lamp(3), |broken| broken.dead_lamps = 0);
}

/// RD-10: a lamp that is lit by itself is noticed before it can be taken for an answer.
#[test]
fn a_stuck_lamp_stops_the_table_at_once() {
    let mut table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().stuck_lamps = Lit::one(ReaderLamp::NoBlackjack).bits();
    table.run_for(10);
    stays_out_of_service(table, Fault::Lamp(4), |broken| broken.stuck_lamps = 0);
}

/// RD-10: a scan head that fails gives no answer, at the time of one.
#[test]
fn a_silent_scan_head_stops_the_table_at_the_verdicts_time() {
    let mut table = Table::in_service(Game::FreeBet);
    let fault = Fault::Sensor(Sensor::ScanHead);
    table.world.0.borrow_mut().scan = Some(fault);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.slide_in(Thing::Card(Rank::King));
    table.run_for(450);
    assert_eq!(table.context.device.fault(), None, "not before its time");
    table.run_for(50);
    table.pull_out();
    stays_out_of_service(table, fault, |broken| broken.scan = None);
}

/// RD-10: a beam that stays interrupted.
#[test]
fn a_stuck_beam_stops_the_table() {
    let mut table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().beams.far = true;
    table.run_for(61_000);
    table.world.0.borrow_mut().beams.far = false;
    table.run_for(300);
    stays_out_of_service(table, Fault::Sensor(Sensor::Far), |_| {});
}

/// RD-10: memory: a brand that is no longer what was taught, in flash or in memory.
#[test]
fn a_damaged_brand_stops_the_table() {
    let mut table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().scan = Some(Fault::Brand);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.read(Rank::King);
    stays_out_of_service(table, Fault::Brand, |broken| broken.scan = None);

    let table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().brand = Err(Fault::Brand);
    let table = table.power_cycled();
    assert_eq!(table.context.device.fault(), Some(Fault::Brand));
}

/// RD-10: memory: what cannot be kept stops the table before the card is looked at.
#[test]
fn a_store_that_fails_stops_the_table_before_the_look() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    let looks = table.looks();
    table.context.store.flash().cut_power_after(0);
    table.slide_in(Thing::Card(Rank::King));
    assert_eq!(table.context.device.fault(), Some(Fault::Store));
    assert_eq!(table.looks(), looks);
    table.context.store.flash().restore_power();
    let Table { mut context, .. } = table;
    // The flash went dark under the store: reopened, as a start would.
    context.store = croupier::store::Store::open(context.store.release()).expect("opens");
    let now = Instant::from_millis(1_000_000);
    context.device.tick(now, &mut context.store);
    use croupier::reader::ReaderStore as _;
    let kept = context.store.load_record().expect("readable").expect("kept");
    assert_eq!(kept.fault, Some(Fault::Store), "kept as soon as it could be");
}

/// RD-10: the device's own time may not run backwards.
#[test]
fn a_clock_that_runs_backwards_stops_the_table() {
    let mut table = Table::in_service(Game::FreeBet);
    let earlier = table.now - Millis::new(1_000);
    table.context.device.tick(earlier, &mut table.context.store);
    table.run_for(100);
    stays_out_of_service(table, Fault::Clock, |_| {});
}

/// RD-10, RD-02: out of service looks like nothing else: the notice blinks.
#[test]
fn a_malfunction_blinks_and_no_answer_does() {
    let mut table = Table::in_service(MASQUE);
    let now = table.now;
    table.context.device.fail(Fault::Store, now, &mut table.context.store);
    let mut seen = Vec::new();
    for _ in 0..8 {
        table.run_for(250);
        seen.push(table.world.lit());
    }
    let lit = seen.iter().filter(|lit| **lit == Lit::one(ReaderLamp::Notice)).count();
    assert!(lit == 4 && seen.iter().filter(|lit| **lit == Lit::NONE).count() == 4, "{seen:?}");
}

/// CM-05: a check that was begun and not passed leaves the reader not inspected.
#[test]
fn a_check_broken_off_ends_the_one_before() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.check(Role::Dealer, CheckAction::Begin).0, Outcome::NotAuthorised);
    let (outcome, at) = table.check(Role::Floorperson, CheckAction::Begin);
    assert_eq!((outcome, at.step, at.steps), (Outcome::Accepted, 1, STEPS));
    assert_eq!(table.status().condition, Condition::Checking);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::OutOfTurn);
    assert_eq!(table.check(Role::Floorperson, CheckAction::Leave).0, Outcome::Accepted);
    assert_eq!(table.status().condition, Condition::NotInspected);
    assert_eq!(table.power_cycled().status().condition, Condition::NotInspected);
}

/// No check in a round (CM-07).
#[test]
fn no_check_begins_in_a_round() {
    let mut table = Table::in_service(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(table.check(Role::Floorperson, CheckAction::Begin).0, Outcome::InRound);
}

/// RD-09: no check begins in a lesson or a lamp test, nor in another check.
#[test]
fn no_check_begins_in_a_lesson_or_a_lamp_test() {
    let begin = |table: &mut Table| table.check(Role::Floorperson, CheckAction::Begin).0;
    let mut table = Table::in_service(Game::FreeBet);
    let action = TeachAction::Begin;
    let teach = TeachRequest { action, brand: 9, ..TeachRequest::default() };
    assert_eq!(table.ask(Role::Floorperson, &teach).0, Outcome::Accepted);
    assert_eq!(begin(&mut table), Outcome::OutOfTurn);
    let teach = TeachRequest { action: TeachAction::Leave, ..teach };
    assert_eq!(table.ask(Role::Floorperson, &teach).0, Outcome::Accepted);
    table.hold(Key::LampTest, true);
    assert_eq!(begin(&mut table), Outcome::OutOfTurn);
    table.hold(Key::LampTest, false);
    table.run_for(5_000);
    assert_eq!(begin(&mut table), Outcome::Accepted);
    assert_eq!(begin(&mut table), Outcome::OutOfTurn);
}

/// A reader set up with something wrong, inspected by somebody who looks; where the check failed.
fn fails_at(spoil: impl Fn(&mut Broken)) -> CheckStep {
    let mut table = Table::set_up(Game::FreeBet);
    spoil(&mut table.world.0.borrow_mut());
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Failed);
    failed_step(&mut table)
}

/// Where the check failed that has just ended, which opened no table.
fn failed_step(table: &mut Table) -> CheckStep {
    assert_ne!(table.status().condition, Condition::InService);
    assert_ne!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    let steps = table.events::<Inspected>();
    let ends: Vec<_> =
        steps.iter().filter(|event| event.step == 0).map(|event| event.verdict).collect();
    assert_eq!(ends, [CheckVerdict::Failed], "the end of the check is published once");
    let failed =
        steps.iter().filter(|event| event.verdict == CheckVerdict::Failed && event.step > 0);
    let step = failed.map(|event| event.step).next_back().expect("published");
    let event = table.irregularity(Trouble::InspectionFailed).expect("the floor is informed");
    assert_eq!((event.next_step, event.detail), (NextStep::Inspect, step.into()));
    task(step)
}

/// What a step of the check asks for, by its number.
fn task(step: u8) -> CheckStep {
    match step {
        1 => CheckStep::SeeSeal,
        2 => CheckStep::SelfTest,
        3..=8 => CheckStep::SeeLamp,
        9..=11 => CheckStep::PressKey,
        12..=20 => CheckStep::InsertCard,
        21 => CheckStep::SeeName,
        22 => CheckStep::SeeClock,
        _ => CheckStep::SeeImage,
    }
}

/// RD-09, fault 1 of 10.
#[test]
fn the_check_finds_a_dirty_window() {
    assert_eq!(fails_at(|broken| broken.window = Window::Dirty), CheckStep::SelfTest);
}

/// RD-09, fault 2 of 10: each lamp.
#[test]
fn the_check_finds_a_dead_lamp() {
    for lamp in 0..6 {
        let mut table = Table::set_up(Game::FreeBet);
        table.world.0.borrow_mut().dead_lamps = 1 << lamp;
        assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Failed);
        assert_eq!(table.context.device.fault(), Some(Fault::Lamp(lamp)));
    }
}

/// RD-09, fault 3 of 10: each sensor.
#[test]
fn the_check_finds_a_dead_sensor() {
    for beam in 0..3 {
        let found = fails_at(|broken| broken.dead_beam = Some(beam));
        assert_eq!(found, CheckStep::InsertCard, "beam {beam}");
    }
    let scan = Some(Fault::Sensor(Sensor::ScanHead));
    assert_eq!(fails_at(|broken| broken.scan = scan), CheckStep::SelfTest);
}

/// RD-09, fault 4 of 10: each two lamps that are swapped. The read-back is content, the inspector is not.
#[test]
fn the_check_lets_the_inspector_see_swapped_lamps() {
    for (a, b) in (0..6).flat_map(|b| (0..b).map(move |a| (a, b))) {
        assert_eq!(fails_at(|broken| broken.swapped = Some((a, b))), CheckStep::SeeLamp);
    }
    let lit = std::cell::RefCell::new(Vec::new());
    let mut table = Table::set_up(Game::FreeBet);
    let world = table.world.clone();
    let verdict = table.inspect_seeing(Role::Floorperson, |step| {
        lit.borrow_mut().extend((step.task == CheckStep::SeeLamp).then(|| world.lit()));
        true
    });
    assert_eq!(verdict, CheckVerdict::Passed);
    let one_by_one: Vec<_> = (0..6).map(Lit::place).collect();
    assert_eq!(*lit.borrow(), one_by_one, "each lamp alone, in its order");
}

/// RD-09, fault 5 of 10: a key that is always down, or never.
#[test]
fn the_check_finds_a_stuck_key() {
    for key in Key::TABLE {
        let found = fails_at(|broken| broken.keys[key as usize] = true);
        assert_eq!(found, CheckStep::SelfTest);
    }
    let mut table = Table::set_up(Game::FreeBet);
    assert_eq!(table.check(Role::Floorperson, CheckAction::Begin).0, Outcome::Accepted);
    table.check(Role::Floorperson, CheckAction::Confirm);
    table.run_for(100);
    for _ in 0..6 {
        table.check(Role::Floorperson, CheckAction::Confirm);
    }
    let at = table.check(Role::Floorperson, CheckAction::Look).1;
    assert_eq!((at.task, at.item), (CheckStep::PressKey, 0));
    let waved = table.check(Role::Floorperson, CheckAction::Confirm).0;
    assert_eq!(waved, Outcome::OutOfTurn, "the device decides");
    table.run_for(121_000); // pressed and pressed, and nothing comes
    assert_eq!(table.check(Role::Dealer, CheckAction::Look).1.verdict, CheckVerdict::Failed);
}

/// RD-09, fault 6 of 10; CM-04: seen broken, or another number than the last check found.
#[test]
fn the_check_finds_a_broken_or_changed_seal() {
    let mut table = Table::set_up(Game::FreeBet);
    let whole = |step: &InspectionResponse| step.task != CheckStep::SeeSeal;
    assert_eq!(table.inspect_seeing(Role::Floorperson, whole), CheckVerdict::Failed);
    assert_eq!(failed_step(&mut table), CheckStep::SeeSeal);

    let mut table = Table::in_service(Game::FreeBet);
    let other = |role, seal_number, table: &mut Table| {
        let (action, inspector) = (CheckAction::Begin, 1);
        let begin = InspectionRequest { action, inspector, seal_number, ..Default::default() };
        assert_eq!(table.ask(role, &begin).0, Outcome::Accepted);
        let after = table.check(role, CheckAction::Confirm).1;
        table.check(role, CheckAction::Leave);
        after.verdict
    };
    let verdict = other(Role::Floorperson, SEAL + 1, &mut table);
    assert_eq!(verdict, CheckVerdict::Failed, "nobody but service puts on a new seal");
    assert_eq!(other(Role::Floorperson, SEAL, &mut table), CheckVerdict::Open);
    assert_eq!(other(Role::Service, SEAL + 1, &mut table), CheckVerdict::Open);
}

/// RD-09, fault 7 of 10: something with an index on it stuck over the lens.
#[test]
fn the_check_finds_an_overlay_on_the_lens() {
    for printed in [Rank::Ace, Rank::Ten, Rank::Three] {
        let found = fails_at(|broken| broken.overlay = Some(printed));
        assert_eq!(found, CheckStep::InsertCard);
    }
}

/// RD-09, fault 8 of 10: an image with one bit changed, or one byte more: its proof over a fresh number
/// is not the approved one's (CM-03).
#[test]
fn the_check_shows_an_altered_image() {
    for at in [0, APPROVED.len() / 2, APPROVED.len() - 1] {
        assert_eq!(fails_at(|broken| broken.image[at] ^= 1), CheckStep::SeeImage);
    }
    assert_eq!(fails_at(|broken| broken.image.push(0x5A)), CheckStep::SeeImage);
}

/// RD-09, fault 9 of 10: the reader is set to another game than the table's.
#[test]
fn the_check_shows_a_wrong_profile() {
    for game in [MASQUE, Game::DoubleBackJack] {
        assert_eq!(fails_at(|broken| broken.sign = game), CheckStep::SeeName);
    }
}

/// RD-09, fault 10 of 10; CM-09: a clock that is set, and wrong.
#[test]
fn the_check_shows_a_wrong_clock() {
    for wrong in [NOON + 3_600_000, NOON - 3_600_000, NOON + 180_000] {
        let mut table = Table::set_up(Game::FreeBet);
        let clock = ClockSetRequest { utc_ms: wrong, ..ClockSetRequest::default() };
        assert_eq!(table.ask(Role::Service, &clock).0, Outcome::Accepted);
        assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Failed);
        assert_eq!(failed_step(&mut table), CheckStep::SeeClock);
    }
}

/// RD-09, fault 10 of 10: a clock that was never set is not waved through.
#[test]
fn a_check_without_a_clock_fails() {
    let mut table = Table::blank();
    let game = crate::harness::profile(Game::FreeBet);
    assert_eq!(table.ask(Role::Floorperson, &game).0, Outcome::Accepted);
    assert_eq!(table.inspect_seeing(Role::Floorperson, |_| true), CheckVerdict::Failed);
    assert_eq!(failed_step(&mut table), CheckStep::SeeClock);
}

/// CM-12: a held key is published once, and is no press at power on.
#[test]
fn a_key_that_sticks_is_published_and_does_nothing() {
    let table = Table::in_service(Game::FreeBet);
    table.world.0.borrow_mut().keys[Key::Ace as usize] = true;
    let mut table = table.power_cycled();
    assert_eq!(table.context.device.state(), State::Waiting);
    assert_eq!(table.status().activity.code(), 0, "idle: nobody pressed it");
    table.run_for(20_000);
    let events: Vec<_> = table.troubles();
    assert_eq!(events.iter().filter(|event| **event == Trouble::KeyStuck).count(), 1);
}
