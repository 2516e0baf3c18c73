//! What the reader publishes names the clause of the game in force.

use crate::harness::{MASQUE, PEEK_GAMES, Table};
use crate::world::Thing;
use croupier::cards::Rank;
use croupier::profile::Basis;
use croupier::protocol::generated::croupier::common::{Game, Result as Outcome, Role, Trouble};
use croupier::protocol::generated::croupier::reader::{UpCard, WrongLightRequest};

/// The clause of the last that was published about `trouble`, in words.
fn clause(table: &Table, trouble: Trouble) -> String {
    let told = table.irregularity(trouble).unwrap_or_else(|| panic!("no {trouble:?}"));
    Basis::of(told.clause).map_or("none".into(), |basis| basis.to_string())
}

/// RD-04, RD-05, RD-09, CM-06: chapter by chapter, for what happens before and in a round.
#[test]
fn cm_06_each_game_names_its_own_clauses() {
    for game in PEEK_GAMES {
        let (chapter, inspected, read, wrong) = match game {
            Game::DoubleAttackBlackjack => ("581", "2(d)", "7(g)", "13(h)"),
            Game::FreeBetTemporary => ("590", "2(d)", "7(g)", "13(i)"),
            Game::DoubleBackJack => ("591", "2(d)", "7(h)", "13(i)"),
            _ => ("672a", "2(d)", "7(g)", "12(i)"),
        };
        let of = |clause: &str| format!("Pa. {chapter}.{clause}");
        let mut table = Table::in_service(game);
        assert_eq!(clause(&table, Trouble::InspectionDue), of(inspected));
        table.read(Rank::Ace);
        assert_eq!(clause(&table, Trouble::NoUpCard), of(read));
        assert_eq!(table.arm(1, UpCard::Other), Outcome::Accepted);
        table.read(Rank::Ace);
        assert_eq!(clause(&table, Trouble::WrongUpCard), of(wrong));
    }
}

/// RD-10, RD-11, CM-06: a card that cannot be read, a wrong light, and a malfunction, which is
/// published with its clause again at each start.
#[test]
fn cm_06_the_masque_and_a_malfunction_name_their_clauses() {
    let mut table = Table::in_service(MASQUE);
    assert_eq!(table.arm(3, UpCard::TenValue), Outcome::Accepted);
    table.read(Rank::Two);
    let report = WrongLightRequest { round: 3, ..WrongLightRequest::default() };
    assert_eq!(table.ask(Role::Floorperson, &report).0, Outcome::Accepted);
    assert_eq!(clause(&table, Trouble::WrongLight), "Pa. 685a.12(h)");
    table.slide_in(Thing::Card(Rank::Nine));
    table.run_for(550);
    assert_eq!(clause(&table, Trouble::Contradiction), "Pa. 685a.12(i)");
    table.pull_out();
    let table = table.power_cycled();
    assert_eq!(clause(&table, Trouble::Contradiction), "Pa. 685a.12(i)");

    let mut table = Table::in_service(MASQUE);
    for _ in 0..3 {
        table.read_thing(Thing::Unreadable);
    }
    assert_eq!(clause(&table, Trouble::CannotRead), "Pa. 685a.7(h)");
}
