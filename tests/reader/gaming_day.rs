//! The gaming day: when it begins, and what makes an old check count no longer, whatever the clock says.

use crate::harness::{MASQUE, NOON, Table, record};
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckVerdict, ClockSetRequest, Condition, Game, NextStep, Result as Outcome, Role,
    Trouble,
};
use croupier::protocol::generated::croupier::reader::{
    HouseChanged, HouseRequest, HouseResponse, RoundsBy, UpCard,
};
use croupier::reader::Lit;
use croupier::reader::ports::Key;

const HOUR: u64 = 3_600_000;
/// The midnight after [`NOON`], in UTC.
const MIDNIGHT: u64 = NOON - NOON % (24 * HOUR) + 24 * HOUR;

fn set(table: &mut Table, role: Role, utc_ms: u64, zone_minutes: i16) -> Outcome {
    table.ask(role, &ClockSetRequest { utc_ms, zone_minutes, ..ClockSetRequest::default() }).0
}

fn minutes_left(table: &mut Table) -> u16 {
    table.check(Role::Dealer, CheckAction::Look).1.minutes_left
}

/// A reader that was inspected at 23:00 by UTC.
fn inspected_late(game: Game) -> Table {
    let mut table = Table::in_service(game);
    table.set_clock(MIDNIGHT - HOUR);
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    table
}

fn house(table: &mut Table, role: Role, day_begins: u16) -> (Outcome, HouseResponse) {
    table.ask(role, &HouseRequest { day_begins, ..HouseRequest::default() })
}

/// CM-05: not inspected until the check is passed, and again when the gaming day is over.
#[test]
fn without_todays_check_there_is_no_answer() {
    let mut table = Table::set_up(Game::FreeBet);
    assert_eq!(table.status().condition, Condition::NotInspected);
    assert_eq!(table.irregularity(Trouble::InspectionDue).unwrap().next_step, NextStep::Inspect);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::NotInspected);
    table.tap(Key::Ace);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.looks(), 0);
    assert_eq!(table.troubles(), [Trouble::InspectionDue], "no one did anything wrong");

    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    let left = table.check(Role::Dealer, CheckAction::Look).1.minutes_left;
    assert_eq!(left, 15 * 60 + 47, "from a quarter past two to six");
    assert_eq!(record(&mut table).passed.unwrap().inspector, 42);
    let mut table = table.power_cycled();
    assert_eq!(table.status().condition, Condition::InService, "it outlives a power cut");
    table.set_clock(NOON + 24 * 3_600_000 + 60_000);
    assert_eq!(table.status().condition, Condition::NotInspected, "a day later");
    table.set_clock(NOON - 1_000);
    assert_eq!(table.status().condition, Condition::NotInspected, "a clock set back");
}

/// CM-05, CM-09: a passed check whose age is not known does not count.
#[test]
fn an_unset_clock_means_not_inspected() {
    let table = Table::in_service(Game::FreeBet);
    let Table { context, world, .. } = table;
    let mut table = Table::switched_on(context.store.release(), world, 77);
    assert_eq!(table.status().condition, Condition::NotInspected);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::NotInspected);
}

/// CM-05, 581.2(d): a check at 23:00 is good until 06:00 and does not cover the next day's opening.
#[test]
fn cm_05_a_check_at_23_does_not_cover_the_next_opening() {
    let mut table = inspected_late(Game::FreeBet);
    assert_eq!(minutes_left(&mut table), 7 * 60);
    table.set_clock(MIDNIGHT + 6 * HOUR - 5_000);
    assert_eq!(table.status().condition, Condition::InService);
    let due = |table: &Table| {
        table.troubles().iter().filter(|trouble| **trouble == Trouble::InspectionDue).count()
    };
    let before = due(&table);
    table.run_for(5_000);
    assert_eq!((table.status().condition, due(&table)), (Condition::NotInspected, before + 1));
    assert_eq!((table.arm(1, UpCard::Ace), minutes_left(&mut table)), (Outcome::NotInspected, 0));
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    assert_eq!(minutes_left(&mut table), 24 * 60, "today's");
}

/// CM-05, CM-09: by local time; daylight saving moves it, and no other zone makes a check good.
#[test]
fn cm_05_the_gaming_day_follows_the_zone() {
    let mut table = Table::set_up(Game::FreeBet);
    assert_eq!(set(&mut table, Role::Service, NOON, 120), Outcome::Accepted);
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    let night = MIDNIGHT + 4 * HOUR - 60_000; // 05:59 in summer
    assert_eq!(set(&mut table, Role::Service, night, 120), Outcome::Accepted);
    assert_eq!(minutes_left(&mut table), 1);
    assert_eq!(set(&mut table, Role::Controller, night, 60), Outcome::Accepted);
    assert_eq!(minutes_left(&mut table), 61, "04:59 in winter");
    assert_eq!(set(&mut table, Role::Controller, night, -840), Outcome::Accepted);
    assert_eq!(minutes_left(&mut table), 61);
    assert_eq!(set(&mut table, Role::Controller, night, 180), Outcome::Accepted);
    assert_eq!(table.status().condition, Condition::NotInspected);
}

/// CM-05: a day that begins in a round: that round is played to its end, and no other begins.
#[test]
fn cm_05_a_day_that_begins_in_a_round_waits_for_its_end() {
    let mut table = inspected_late(Game::FreeBet);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.set_clock(MIDNIGHT + 6 * HOUR);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
    assert_eq!(table.status().condition, Condition::InService);
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::NotInspected);
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.status().condition, Condition::NotInspected);
    assert_eq!(table.arm(2, UpCard::Ace), Outcome::NotInspected);
    // In a Masque the card itself opens the round.
    let mut table = inspected_late(MASQUE);
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    table.set_clock(MIDNIGHT + 6 * HOUR);
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Medium));
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.read(Rank::Nine), Lit::one(ReaderLamp::Notice));
}

/// CM-05, CM-09: a clock set back does not make yesterday's check good again, not even by service.
#[test]
fn cm_05_a_clock_set_back_ends_the_check() {
    let mut table = Table::in_service(Game::FreeBet);
    let passed = record(&mut table).passed.unwrap().at.utc_ms;
    table.set_clock(MIDNIGHT + 7 * HOUR);
    assert_eq!(table.status().condition, Condition::NotInspected);
    for role in [Role::Controller, Role::Floorperson] {
        assert_eq!(set(&mut table, role, passed + 1_000, 0), Outcome::NotAuthorised);
    }
    table.set_clock(passed + 1_000);
    assert_eq!(table.status().condition, Condition::NotInspected, "nor when that time comes again");
    assert_eq!(table.power_cycled().status().condition, Condition::NotInspected);
}

/// CM-09: a trim ends no check.
#[test]
fn cm_09_a_trim_leaves_the_check_as_it_is() {
    let mut table = Table::in_service(Game::FreeBet);
    table.run_for(10_000);
    let now = record(&mut table).passed.unwrap().at.utc_ms + 10_000;
    assert_eq!(set(&mut table, Role::Controller, now - 1_000, 0), Outcome::Accepted);
    assert_eq!(table.status().condition, Condition::InService);
}

/// CM-05, CM-09: after a power cut the first setting may not make an old check count: the device knows
/// a time that has been. By service it may be early, and then the check has ended.
#[test]
fn cm_05_the_first_setting_after_a_power_cut_renews_no_old_check() {
    for role in [Role::Controller, Role::Floorperson, Role::Service] {
        let mut table = Table::in_service(Game::FreeBet);
        let passed = record(&mut table).passed.unwrap().at.utc_ms;
        table.set_clock(MIDNIGHT + 7 * HOUR);
        let Table { context, world, .. } = table;
        let mut table = Table::switched_on(context.store.release(), world, 78);
        assert_eq!(table.status().condition, Condition::NotInspected, "the clock is not set");
        for utc_ms in [passed + 1_000, MIDNIGHT + 7 * HOUR - 60_000] {
            let by_service = role == Role::Service;
            let wanted = if by_service { Outcome::Accepted } else { Outcome::NotAuthorised };
            assert_eq!(set(&mut table, role, utc_ms, 0), wanted, "{role:?}");
            assert_eq!(table.status().condition, Condition::NotInspected);
            assert_eq!(table.arm(1, UpCard::Ace), Outcome::NotInspected);
        }
        assert_eq!(set(&mut table, role, MIDNIGHT + 8 * HOUR, 0), Outcome::Accepted);
        assert_eq!(table.status().condition, Condition::NotInspected, "a new day");
    }
}

/// CM-05, CM-09: the time of a pass is a time that has been, though nothing else was kept since.
#[test]
fn cm_09_no_first_setting_lies_before_the_last_pass() {
    let mut table = Table::in_service(Game::FreeBet);
    table.run_for(120_000);
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    let passed = record(&mut table).passed.unwrap().at.utc_ms;
    assert!(passed > NOON + 120_000);
    let Table { context, world, .. } = table;
    let mut table = Table::switched_on(context.store.release(), world, 79);
    assert_eq!(set(&mut table, Role::Controller, passed - 1, 0), Outcome::NotAuthorised);
    assert_eq!(set(&mut table, Role::Controller, passed, 0), Outcome::Accepted);
    assert_eq!(table.status().condition, Condition::InService);
}

/// CM-05, CM-07: a floorperson says when it begins, between rounds; kept, published, 06:00 at first.
#[test]
fn cm_07_only_a_floorperson_says_when_the_gaming_day_begins() {
    let mut table = Table::in_service(Game::FreeBet);
    for role in [Role::Dealer, Role::Service, Role::Controller] {
        assert_eq!(house(&mut table, role, 540).0, Outcome::NotAuthorised);
        let (outcome, at) = house(&mut table, role, 0);
        assert_eq!((outcome, at.day_begins), (Outcome::Accepted, 360), "all may ask");
    }
    let before = table.events::<HouseChanged>().len();
    for minutes in [1441, u16::MAX] {
        let both = HouseRequest {
            rounds_by: RoundsBy::Dealer,
            day_begins: minutes,
            ..HouseRequest::default()
        };
        assert_eq!(table.ask(Role::Floorperson, &both).0, Outcome::OutOfRange);
    }
    assert_eq!(table.arm(1, UpCard::Ace), Outcome::Accepted);
    assert_eq!(house(&mut table, Role::Floorperson, 540).0, Outcome::InRound);
    assert_eq!(table.end(1), Outcome::Accepted);
    assert_eq!(table.events::<HouseChanged>().len(), before);
    let (outcome, at) = house(&mut table, Role::Floorperson, 1440);
    assert_eq!((outcome, at.day_begins), (Outcome::Accepted, 1440));
    assert_eq!(at.rounds_by, RoundsBy::Controller, "as it was");
    let event = *table.events::<HouseChanged>().last().unwrap();
    assert_eq!((event.day_begins, event.rounds_by), (1440, RoundsBy::Controller));
    assert_eq!(minutes_left(&mut table), 9 * 60 + 47, "midnight");
    let mut table = table.power_cycled();
    assert_eq!(house(&mut table, Role::Dealer, 0).1.day_begins, 1440);
    table.rounds_by(RoundsBy::Dealer);
    assert_eq!(house(&mut table, Role::Dealer, 0).1.day_begins, 1440, "as it was");
    assert_eq!(house(&mut table, Role::Floorperson, 780).0, Outcome::Accepted);
    assert!(minutes_left(&mut table) <= 9 * 60 + 47, "another beginning prolongs no check");
    assert_eq!(table.inspect(Role::Floorperson), CheckVerdict::Passed);
    assert!(minutes_left(&mut table) > 22 * 60, "13:00");
}
