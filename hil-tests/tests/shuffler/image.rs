//! The shuffler's image: pins and motion UART, the mechanical world in step with it.

use croupier::cards::BackColour;
use croupier::protocol::generated::croupier::common::{
    Game, NextStep, ProfileSetRequest, Result as Outcome, Role, Trouble,
};
use croupier::protocol::generated::croupier::shuffler::{Count, CountVerdict, Purpose, Task};
use croupier::shuffler::Model;
use hil_tests::suite::Done;
use hil_tests::world::shuffler::fixture::{Ending, ShufflerFixture};
use hil_tests::world::shuffler::{Fate, pack};
use hil_tests::{Bench as _, BenchError};

/// A single-deck machine with a blue deck in its feed tray.
fn loaded(fate: Fate, cards: usize) -> Result<ShufflerFixture, BenchError> {
    let table = ShufflerFixture::open(Model::SingleDeck, fate, None)?;
    let game = Game::FlopPoker;
    let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
    assert_eq!(table.prepare(&profile, &[BackColour::Blue])?, Outcome::Accepted);
    table.load(pack(cards, BackColour::Blue))?;
    Ok(table)
}

/// SH-06, SH-07, SH-33: the image homes the wheel over its UART, looks that it is empty, shuffles
/// at the first try, and keeps what it certified behind a locked door.
#[test]
fn the_image_shuffles_a_deck_and_certifies_it() -> Done {
    let table = loaded(Fate::kind(1), 52)?;
    assert_eq!(table.shuffle(Role::Dealer)?, Ending::Certified);
    table.world().with(|scene| {
        let places = &scene.mechanism.places;
        places.assert_each_once();
        assert_eq!((places.delivery.len(), places.census().wheel), (52, 0));
        assert!(!places.delivery.iter().is_sorted(), "new-deck order came out");
        assert_eq!(scene.mechanism.damage, 0);
    });
    assert!(table.guest.is_on("door-lock")?, "locked until a dealer asks (SH-33)");
    assert_eq!(table.guest.watchdog_resets(), 0);
    Ok(())
}

/// SH-07, SH-22: the slot beam shows the image a card that was left in its wheel while it was off;
/// it comes out before the order is drawn, and is counted.
#[test]
fn a_card_left_in_the_wheel_is_seen_and_counted() -> Done {
    let table = loaded(Fate::kind(1), 52)?;
    table.world().with(|scene| {
        let places = &mut scene.mechanism.places;
        let left = places.open(pack(1, BackColour::Blue));
        places.table.retain(|card| !left.contains(card));
        places.enter(7, left);
    });
    let Ending::Stopped(reported) = table.shuffle(Role::Dealer)? else { panic!("certified") };
    assert_eq!((reported.trouble, reported.next_step), (Trouble::WrongCount, NextStep::RemoveDeck));
    assert_eq!(reported.detail, 53);
    table.world().with(|scene| assert_eq!(scene.mechanism.places.census().wheel, 0));
    Ok(())
}

/// SH-22: a jammed card stops the image; what is told is "reshuffle", nothing is certified.
#[test]
fn a_jam_stops_the_image_and_asks_for_a_reshuffle() -> Done {
    let table = loaded(Fate::kind(1).with("jam@5".parse().expect("a trouble")), 52)?;
    let Ending::Stopped(received) = table.shuffle(Role::Dealer)? else {
        panic!("it was certified")
    };
    assert_eq!((received.trouble, received.next_step), (Trouble::Jam, NextStep::Reshuffle));
    for motor in ["pick", "throat", "eject"] {
        table.guest.await_pin(motor, false)?;
    }
    Ok(())
}

/// SH-07, SH-08: a deck of 51 is counted and refused.
#[test]
fn a_missing_card_condemns_the_deck() -> Done {
    let table = loaded(Fate::kind(1), 51)?;
    let Ending::Stopped(received) = table.shuffle(Role::Dealer)? else {
        panic!("it was certified")
    };
    assert_eq!((received.trouble, received.next_step), (Trouble::WrongCount, NextStep::RemoveDeck));
    Ok(())
}

/// SH-14: a count-only cycle counts, and the cards come out as they lay.
#[test]
fn a_count_keeps_the_order() -> Done {
    let table = loaded(Fate::kind(1), 52)?;
    let lay: Vec<_> =
        table.world().with(|scene| scene.mechanism.places.tray.iter().copied().collect());
    let mark = table.controller().mark();
    let outcome = table.ask(Task::Start, Purpose::CountOnly, Role::Floorperson)?;
    assert_eq!(outcome, Outcome::Accepted);
    let count = table.until(mark, |received| received.report.event::<Count>())?;
    assert_eq!((count.found, count.verdict), (52, CountVerdict::Right));
    let came: Vec<_> =
        table.world().with(|scene| scene.mechanism.places.delivery.iter().copied().collect());
    assert_eq!(came, lay);
    Ok(())
}
