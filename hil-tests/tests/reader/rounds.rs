//! Rounds of the hole-card reader on its image: cards in, one lamp out, at its time.

use std::time::Duration;

use crate::harness::{LAMPS, Table};
use croupier::cards::{Rank, Suit};
use croupier::protocol::generated::croupier::common::{
    ClearRequest, Condition, Game, NextStep, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::reader::{Armed, Reading, UpCard, Verdict};
use croupier::reader::machine::{ROUND_AT_LEAST, VERDICT_AFTER};
use croupier::time::Millis;
use hil_tests::Bench;
use hil_tests::nest::cards;
use hil_tests::suite::{Done, READER};

/// Both stamps are whole milliseconds; and the lamp comes with the next look at the clock.
const LATE: Millis = Millis::new(3);

/// RD-01, RD-06, RD-13, RD-21: yes and no, each with one lamp, at the fixed time.
#[test]
fn a_peek_says_blackjack_or_not_with_one_lamp() -> Done {
    // With counted instructions: its time is fixed, whatever the host's load is.
    let table = Table::fast(Game::FreeBet, true)?;
    let rounds = [
        (UpCard::Ace, Rank::King, Reading::Blackjack, "blackjack"),
        (UpCard::Ace, Rank::Ten, Reading::Blackjack, "blackjack"),
        (UpCard::Ace, Rank::Ace, Reading::NoBlackjack, "no-blackjack"),
        (UpCard::TenValue, Rank::Ace, Reading::Blackjack, "blackjack"),
        (UpCard::TenValue, Rank::Queen, Reading::NoBlackjack, "no-blackjack"),
    ];
    for (round, (up_card, hole, word, lamp)) in (1..).zip(rounds) {
        assert_eq!(table.arm(round, up_card)?, Outcome::Accepted);
        table.lay(&cards::card(hole, Suit::Hearts, 7))?;
        let (home, verdict, lit) = table.read()?;
        assert_eq!((verdict.round, verdict.reading, verdict.tries), (round, word, 1));
        assert_eq!(lit, [lamp], "one lamp, and no flash of another");
        let took = Millis::new(verdict.stamp.time_ms - home.stamp.time_ms);
        // Both stamps are whole milliseconds, so their difference may be one less.
        let soonest = VERDICT_AFTER - Millis::new(1);
        assert!((soonest..VERDICT_AFTER + LATE).contains(&took), "{took:?}");
        assert_eq!(table.end(round)?, Outcome::Accepted);
    }
    assert_eq!(table.bench.watchdog_resets(), 0);
    Ok(())
}

/// RD-02, RD-03, RD-15: three ranges, with no word about the up-card.
#[test]
fn a_masque_shows_three_ranges() -> Done {
    let table = Table::open(Game::DownUnderBlackjack)?;
    for (hole, lamp) in [
        (Rank::Two, "small"),
        (Rank::Five, "small"),
        (Rank::Six, "medium"),
        (Rank::Nine, "medium"),
        (Rank::Ten, "large"),
        (Rank::Ace, "large"),
    ] {
        table.lay(&cards::card(hole, Suit::Spades, 8))?;
        let (_, verdict, lit) = table.read()?;
        assert_eq!(lit, [lamp]);
        assert!(!verdict.expose && !matches!(verdict.reading, Reading::Blackjack));
    }
    assert_eq!(table.arm(90, UpCard::TenValue)?, Outcome::Accepted);
    table.lay(&cards::card(Rank::Ace, Suit::Clubs, 8))?;
    assert!(table.read()?.1.expose, "both are known to be large");
    Ok(())
}

/// RD-05: the notice, the floor told, and no look at the card: there is no scan head to look with.
#[test]
fn a_wrong_up_card_gets_the_notice_without_a_look() -> Done {
    let table = Table::open(Game::DoubleBackJack)?;
    table.unplug_head()?;
    let mark = table.controller.mark();
    assert_eq!(table.arm(1, UpCard::Other)?, Outcome::Accepted);
    let (_, verdict, lit) = table.read()?;
    assert_eq!((verdict.reading, lit), (Reading::Notice, vec!["notice".to_owned()]));
    let received = table.await_trouble(Trouble::WrongUpCard, mark)?;
    assert_eq!(received.next_step, NextStep::TellFloorAndContinue);
    // A second question is refused and reported; the first one stands.
    table.lay(&cards::card(Rank::Five, Suit::Clubs, 9))?;
    assert_eq!(table.arm(2, UpCard::Ace)?, Outcome::Accepted);
    assert_eq!(table.read()?.1.reading, Reading::NoBlackjack);
    assert_eq!(table.arm(2, UpCard::TenValue)?, Outcome::OutOfTurn);
    table.await_trouble(Trouble::SecondQuestion, mark)?;
    table.bench.await_pins(&LAMPS, false)?;
    assert_eq!(table.read()?.1.reading, Reading::NoBlackjack);
    table.await_status(Condition::InService).map(drop)
}

/// RD-11, RD-18: a blank card three times, then a floorperson.
#[test]
fn a_blank_card_is_refused_three_times_and_calls_the_floorperson() -> Done {
    let table = Table::open(Game::FreeBetTemporary)?;
    table.lay(&cards::blank())?;
    let mark = table.controller.mark();
    assert_eq!(table.arm(4, UpCard::Ace)?, Outcome::Accepted);
    for _ in 0..3 {
        let (_, verdict, lit) = table.read()?;
        assert_eq!((verdict.reading, lit), (Reading::CannotRead, vec!["notice".to_owned()]));
    }
    let received = table.await_trouble(Trouble::CannotRead, mark)?;
    assert_eq!((received.next_step, received.detail), (NextStep::CallFloor, 3));
    assert_eq!(table.end(4)?, Outcome::Accepted);
    assert_eq!(table.arm(5, UpCard::Ace)?, Outcome::OutOfTurn);
    let clear = ClearRequest { trouble: Trouble::CannotRead, ..ClearRequest::default() };
    let cleared = table.controller.ask(READER, Role::Floorperson, &clear)?.0;
    assert_eq!(cleared, Outcome::Accepted);
    assert_eq!(table.arm(5, UpCard::Ace)?, Outcome::Accepted);
    Ok(())
}

/// RD-10: a lamp that does not follow, through a power cut.
#[test]
fn a_dead_lamp_latches_through_a_power_cut() -> Done {
    let mut table = Table::open(Game::FreeBet)?;
    table.lay(&cards::card(Rank::King, Suit::Spades, 9))?;
    assert_eq!(table.arm(1, UpCard::Ace)?, Outcome::Accepted);
    table.bench.hand().set("spoil-blackjack", true)?;
    let mark = table.slide_in()?;
    let received = table.await_trouble(Trouble::LampFault, mark)?;
    assert_eq!((received.detail, received.next_step), (3, NextStep::StopTable));
    let verdicts = table.controller.reports_since(mark);
    assert!(
        verdicts.iter().all(|received| received.report.event::<Verdict>().is_none()),
        "no answer"
    );
    table.pull_out()?;
    table.bench.hand().set("spoil-blackjack", false)?;
    for _ in 0..2 {
        table.await_status(Condition::Malfunction)?;
        assert_eq!(table.arm(2, UpCard::Ace)?, Outcome::Malfunction);
        table.cut_power_and_boot()?;
    }
    Ok(())
}

/// RD-10: a scan head that is gone gives no answer.
#[test]
fn an_absent_scan_head_stops_the_table() -> Done {
    let table = Table::open(Game::DownUnderBlackjack)?;
    table.unplug_head()?;
    let mark = table.slide_in()?;
    let received = table.await_trouble(Trouble::SensorFault, mark)?;
    assert_eq!((received.detail, received.next_step), (3, NextStep::StopTable));
    table.await_status(Condition::Malfunction).map(drop)
}

/// RD-04: the dealer's keys alone.
#[test]
fn the_dealers_keys_do_without_a_controller() -> Done {
    let table = Table::open(Game::DoubleAttackBlackjack)?.with_keys()?;
    let mark = table.controller.mark();
    table.lay(&cards::card(Rank::Jack, Suit::Diamonds, 10))?;
    table.tap("ace")?;
    assert_eq!(table.await_event::<Armed>("the arming", mark, |_| true)?.up_card, UpCard::Ace);
    assert_eq!(table.read()?.1.reading, Reading::Blackjack);
    let mark = table.controller.mark();
    table.bench.let_pass(Duration::from_millis(ROUND_AT_LEAST.get()))?;
    table.tap("round-over")?;
    let over = table.await_event::<Armed>("the end", mark, |_| true)?;
    assert_eq!(over.up_card, UpCard::Unsaid);
    table.tap("ten")?;
    assert_eq!(table.read()?.1.reading, Reading::NoBlackjack);
    Ok(())
}
