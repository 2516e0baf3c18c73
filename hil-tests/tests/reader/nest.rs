//! The reader's nest and keys at their pins: what is read, what is not, and what outlives a power cut.

use crate::harness::{LAMPS, Table};
use croupier::cards::{Rank, Suit};
use croupier::protocol::generated::croupier::common::{
    Activity, ClearRequest, Condition, Game, Irregularity, NextStep, Result as Outcome, Role,
    Trouble,
};
use croupier::protocol::generated::croupier::reader::{Insertion, Reading, UpCard, Verdict};
use hil_tests::nest::cards;
use hil_tests::suite::{Done, READER};
use hil_tests::table_controller::Report;
use hil_tests::{Bench, BenchError};

const BEAMS: [&str; 3] = ["hood", "near", "far"];

/// Interrupts these beams and no other, for long enough to be believed.
fn beams(table: &Table, interrupted: &[&str]) -> Done {
    let hand = table.bench.hand();
    BEAMS.iter().try_for_each(|beam| hand.set(beam, interrupted.contains(beam)))?;
    table.settle()
}

/// Whether the table was told of this trouble since `mark`.
fn reported(table: &Table, trouble: Trouble, mark: usize) -> bool {
    let report = table.controller.reports_since(mark);
    let mut troubles = report.iter().filter_map(|reported| reported.report.event::<Irregularity>());
    troubles.any(|reported| reported.trouble == trouble)
}

/// RD-07, RD-14, RD-18: what lies before the mouth, stands half in, comes from behind or brings
/// company is not read, not told and lights nothing; a card that slides in after it is.
#[test]
fn only_a_whole_card_that_slides_in_is_read() -> Done {
    let table = Table::fast(Game::FreeBet, true)?;
    table.lay(&cards::card(Rank::King, Suit::Spades, 5))?;
    assert_eq!(table.arm(1, UpCard::Ace)?, Outcome::Accepted);
    let (mark, dark) = (table.controller.mark(), table.bench.pins().mark());
    for script in [
        &[&["hood"][..]][..],                                      // near the mouth
        &[&["hood"], &["hood", "near"], &["near"]],                // half in
        &[&["hood"], &["hood", "near"], &["hood", "near", "far"]], // the mouth stays occupied
        &[&["far"], &["near", "far"]],                             // from behind
        &[&["near", "far"]],                                       // from above
        &[&["hood"], &["hood", "far"], &["hood", "near", "far"], &["near", "far"]], // far first
    ] {
        script.iter().try_for_each(|interrupted| beams(&table, interrupted))?;
        (0..5).try_for_each(|_| table.settle())?; // longer than home and verdict take
        table.empty()?;
    }
    let report = table.controller.reports_since(mark);
    let quiet = |report: &Report| {
        report.event::<Insertion>().is_none() && report.event::<Verdict>().is_none()
    };
    assert!(report.iter().all(|reported| quiet(&reported.report)), "nothing came home");
    assert_eq!(table.lit_since(dark), Vec::<String>::new());
    let (home, verdict, lit) = table.read()?;
    assert_eq!(
        (home.tries, verdict.reading, lit),
        (1, Reading::Blackjack, vec!["blackjack".into()])
    );
    Ok(())
}

/// RD-12, RD-17: read again and again in one round, the answer is the same; a ten where there are
/// none shows nowhere until the round is over, and then the deck goes.
#[test]
fn a_planted_ten_is_published_after_the_round_and_not_before() -> Done {
    let table = Table::fast(Game::DoubleAttackBlackjack, true)?;
    for (round, hole) in [(1, Rank::King), (2, Rank::Ten)] {
        let mark = table.controller.mark();
        table.lay(&cards::card(hole, Suit::Clubs, 6))?;
        assert_eq!(table.arm(round, UpCard::Ace)?, Outcome::Accepted);
        for tries in 1..=3 {
            let (_, verdict, lit) = table.read()?;
            let said = (verdict.round, verdict.tries, verdict.reading);
            assert_eq!(
                (said, lit),
                ((round, tries, Reading::Blackjack), vec!["blackjack".to_owned()])
            );
        }
        assert_eq!(table.await_status(Condition::InService)?.next_step, NextStep::None);
        assert!(!reported(&table, Trouble::WrongDeck, mark), "not while the round lasts");
        assert_eq!(table.end(round)?, Outcome::Accepted);
        if hole == Rank::Ten {
            let alarm = table.await_trouble(Trouble::WrongDeck, mark)?;
            assert_eq!(alarm.next_step, NextStep::RemoveDeck);
        }
    }
    let clear = ClearRequest { trouble: Trouble::WrongDeck, ..ClearRequest::default() };
    let by = |role| Ok::<_, BenchError>(table.controller.ask(READER, role, &clear)?.0);
    assert_eq!(by(Role::Dealer)?, Outcome::NotAuthorised);
    assert_eq!(by(Role::Floorperson)?, Outcome::Accepted);
    Ok(())
}

/// RD-23, CM-07: another game only between rounds, by a floorperson, and only one with a reader;
/// then with its own lamps.
#[test]
fn the_game_changes_between_rounds_and_with_it_the_lamps() -> Done {
    let table = Table::fast(Game::FreeBet, true)?;
    let set = |role, game| -> Result<Outcome, BenchError> {
        let asked = hil_tests::suite::profile(6);
        let asked =
            croupier::protocol::generated::croupier::common::ProfileSetRequest { game, ..asked };
        Ok(table.controller.ask(READER, role, &asked)?.0)
    };
    let masque = Game::DownUnderBlackjack;
    table.lay(&cards::card(Rank::King, Suit::Spades, 5))?;
    assert_eq!(table.arm(1, UpCard::Ace)?, Outcome::Accepted);
    assert_eq!(set(Role::Floorperson, masque)?, Outcome::InRound);
    table.slide_in()?;
    assert_eq!(set(Role::Floorperson, masque)?, Outcome::InRound);
    table.bench.await_pin("blackjack", true)?;
    table.pull_out()?;
    assert_eq!(table.end(1)?, Outcome::Accepted);
    assert_eq!(set(Role::Dealer, masque)?, Outcome::NotAuthorised);
    assert_eq!(set(Role::Floorperson, Game::RaiseItUpStud)?, Outcome::OutOfRange);
    assert_eq!(set(Role::Floorperson, masque)?, Outcome::Accepted);
    let (_, verdict, lit) = table.read()?;
    assert_eq!((verdict.reading, lit), (Reading::Large, vec!["large".to_owned()]));
    Ok(())
}

/// CM-12, RD-06: both up-card keys together ask nothing; a key that was down at power on is no press,
/// and one that stays down is told.
#[test]
fn several_keys_at_once_and_a_stuck_one_do_no_harm() -> Done {
    let mut table = Table::fast(Game::FreeBet, true)?.with_keys()?;
    table.lay(&cards::card(Rank::King, Suit::Spades, 5))?;
    table.bench.press("ace")?;
    table.bench.press("ten")?;
    table.settle()?;
    assert_eq!(table.read()?.1.reading, Reading::Notice);
    table.bench.release("ten")?;
    table.cut_power_and_boot()?;
    table.await_trouble(Trouble::KeyStuck, 0)?;
    let status = table.await_status(Condition::InService)?;
    assert_eq!(status.activity, Activity::Idle, "nobody pressed it");
    for key in ["ten", "round-over", "lamp-test", "ace"].iter().cycle().take(12) {
        table.bench.press(key)?;
        table.settle()?;
        table.bench.release(key)?;
    }
    table.settle()?;
    table.bench.await_pins(&LAMPS, false)?;
    table.tap("round-over")?;
    table.tap("ace")?;
    assert_eq!(table.read()?.1.reading, Reading::Blackjack);
    assert_eq!(table.bench.watchdog_resets(), 0);
    Ok(())
}

/// RD-05, RD-10, RD-14: the power goes between verdict and removal, and the card is left lying for more than
/// a minute: no malfunction, no second look, the floor told; then the same question, and no other.
#[test]
fn a_card_left_in_the_nest_through_a_power_cut_is_no_malfunction() -> Done {
    let mut table = Table::fast(Game::FreeBet, true)?;
    table.lay(&cards::card(Rank::Five, Suit::Hearts, 5))?;
    assert_eq!(table.arm(7, UpCard::Ace)?, Outcome::Accepted);
    let mark = table.slide_in()?;
    table.await_event::<Verdict>("the verdict", mark, |_| true)?;
    table.cut_power_and_boot()?;
    let dark = table.bench.pins().mark();
    table.await_trouble(Trouble::CardLeft, 0)?;
    table.await_status(Condition::InService)?;
    assert_eq!(table.lit_since(dark), Vec::<String>::new(), "not read again by itself");
    table.empty()?;
    assert_eq!(table.read()?.1.reading, Reading::NoBlackjack, "the same question");
    assert_eq!(table.arm(7, UpCard::TenValue)?, Outcome::OutOfTurn, "and no other");
    Ok(())
}
