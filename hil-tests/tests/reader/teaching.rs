//! Teaching a brand to the reader's image: 52 cards to learn, 312 to prove, over the wire.
//!
//! A lesson takes a supervisor twenty minutes. Here nobody fumbles for the next card; all
//! that is looked at is looked at, frame by frame. Every run learns the whole deck and proves
//! part of it; with `CROUPIER_RELEASE_SUITE=1` the proof is whole, seven minutes long.

use crate::harness::Table;
use crate::inspector::{Inspector, PASSED};
use crate::teacher::{LEARNT, PROVEN};
use croupier::cards::{Rank, Suit};
use croupier::protocol::generated::croupier::common::{Condition, Game, Result as Outcome, Role};
use croupier::protocol::generated::croupier::reader::{
    Lesson, Reading, TeachAction, TeachResponse, UpCard,
};
use hil_tests::nest::cards::{BRAND, Deck, HOUSE, ITALIC, Print};
use hil_tests::suite::{Done, is_release};
use hil_tests::{Bench, BenchError, nest};

const GAME: Game = Game::FreeBet;
/// A reader to be taught.
fn classroom() -> Result<Table, BenchError> {
    Table::set_up(nest::setup("reader"), GAME, true)
}

fn begin(table: &Table) -> Done {
    let (outcome, at) = table.teach(Role::Floorperson, TeachAction::Begin, ITALIC.id)?;
    assert_eq!((outcome, at.lesson, at.wanted), (Outcome::Accepted, Lesson::Learn, LEARNT));
    Ok(())
}

/// The reader answers rightly about cards of `print`: an ace up, a king and a five in the hole.
fn reads(table: &Table, print: &Print, first: u16) -> Done {
    for (round, hole, word) in
        [(first, Rank::King, Reading::Blackjack), (first + 1, Rank::Five, Reading::NoBlackjack)]
    {
        assert_eq!(table.arm(round, UpCard::Ace)?, Outcome::Accepted);
        table.lay(&print.card(hole, Suit::Hearts, 70))?;
        assert_eq!(table.read()?.1.reading, word, "brand {}", print.id);
        assert_eq!(table.end(round)?, Outcome::Accepted);
    }
    Ok(())
}

/// The brand in force, and its hash.
fn in_force(taught: &TeachResponse) -> (u32, [u8; 32]) {
    (taught.brand, taught.brand_hash)
}

/// RD-19, RD-20: learnt, proven, in force: with a supervisor's authority and with nobody else's; inspected
/// again with its own test cards, and then right about them, also after a power cut. Killed while
/// it proves it has the old brand, whole.
#[test]
fn a_brand_is_learnt_proven_inspected_and_read() -> Done {
    let mut table = classroom()?;
    let deck = Deck::new(&ITALIC);
    let old = table.lesson()?;
    assert_eq!((old.lesson, old.brand), (Lesson::None, BRAND.into()));
    for role in [Role::Dealer, Role::Controller] {
        let refused = table.teach(role, TeachAction::Begin, ITALIC.id)?.0;
        assert_eq!(refused, Outcome::NotAuthorised);
    }
    begin(&table)?;
    table.await_status(Condition::Checking)?;
    let unasked = table.teach(Role::Floorperson, TeachAction::Next, 0)?.0;
    assert_eq!(unasked, Outcome::OutOfTurn, "no card is home");

    let learnt = table.show(&deck, 0, LEARNT)?;
    assert_eq!((learnt.lesson, learnt.shown, learnt.wanted), (Lesson::Prove, 0, PROVEN));
    assert_eq!(in_force(&table.lesson()?), in_force(&old), "the old one until it is proven");
    if !is_release() {
        let part = table.show(&deck, LEARNT, 6)?;
        assert_eq!((part.lesson, part.shown), (Lesson::Prove, 6));
        assert_eq!(table.bench.watchdog_resets(), 0, "no check-in was missed in the making");
        table.cut_power_and_boot()?;
        assert_eq!(in_force(&table.lesson()?), in_force(&old), "what is not proven is not kept");
        table.await_status(Condition::InService)?;
        return reads(&table, &HOUSE, 1);
    }
    let proven = table.show(&deck, LEARNT, PROVEN)?;
    assert_eq!(proven.lesson, Lesson::InUse);
    let new = table.lesson()?;
    assert_eq!(new.brand, u32::from(ITALIC.id));
    assert_ne!(new.brand_hash, old.brand_hash);

    table.await_status(Condition::NotInspected)?;
    assert_eq!(table.arm(1, UpCard::Ace)?, Outcome::NotInspected);
    let content = Inspector::content(&table, Role::Floorperson, GAME);
    let inspector = Inspector { cards: |item| ITALIC.test_card(item), ..content };
    assert_eq!(inspector.inspects(&table)?, PASSED);
    reads(&table, &ITALIC, 1)?;
    table.cut_power_and_boot()?;
    assert_eq!(in_force(&table.lesson()?), in_force(&new));
    reads(&table, &ITALIC, 3)?;
    assert_eq!(table.bench.watchdog_resets(), 0);
    Ok(())
}

/// RD-10, RD-11: a lesson that is left, the machine killed while it learns, and one wrong card in the
/// proof: the old brand, whole, inspected and right about its cards.
#[test]
fn a_lesson_that_is_left_or_cut_or_fails_leaves_the_old_brand() -> Done {
    let mut table = classroom()?;
    let deck = Deck::new(&ITALIC);
    let old = table.lesson()?;
    let stays = |table: &Table, first| -> Done {
        assert_eq!(in_force(&table.lesson()?), in_force(&old));
        table.await_status(Condition::InService)?;
        reads(table, &HOUSE, first)
    };
    begin(&table)?;
    table.show(&deck, 0, 2)?;
    assert_eq!(table.teach(Role::Floorperson, TeachAction::Leave, 0)?.0, Outcome::Accepted);
    stays(&table, 1)?;

    begin(&table)?;
    table.show(&deck, 0, 5)?;
    table.show_one(&deck, 5)?;
    table.cut_power_and_boot()?;
    table.empty()?;
    assert_eq!(table.lesson()?.lesson, Lesson::None, "the lesson is forgotten");
    stays(&table, 3)?;

    begin(&table)?;
    table.show(&deck, 0, LEARNT + 3)?;
    // The fourth card of the proof is not the four but the six: of another class.
    let taught = table.show_one(&deck, LEARNT + 5)?;
    assert_eq!(taught.lesson, Lesson::Failed);
    table.empty()?;
    stays(&table, 5)
}
