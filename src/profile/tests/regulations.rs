//! The profiles against `regulations.txt`, which was read from the chapters.
//!
//! Every row must be what the profile says, with its clause; and what a profile says must have a
//! row. What follows from several rows, as the stub does, is worked out from the rows.

use std::string::String;

use super::*;

/// One row: clause, what it is about, what it says.
type Row = (&'static str, &'static str, &'static str);

/// The rows of a chapter, and the name its section has.
fn section(chapter: &str) -> (&'static str, Vec<Row>) {
    let whole = include_str!("regulations.txt");
    let mut sections = whole.split("\n[").skip(1);
    let section = sections.find(|section| section.starts_with(&std::format!("{chapter} ")));
    let (head, rows) = section.expect("every game has a section").split_once("]\n").unwrap();
    let row = |line: &'static str| {
        let mut cells = line.split('|').map(str::trim);
        (cells.next().unwrap(), cells.next().expect(line), cells.next().expect(line))
    };
    let rows = rows.lines().filter(|line| !line.is_empty()).map(row).collect();
    (head.split_once(' ').unwrap().1, rows)
}

/// What the chapter says about this, if anything.
fn says(chapter: &str, about: &str) -> Option<&'static str> {
    let (_, rows) = section(chapter);
    rows.into_iter().find(|row| row.1 == about).map(|row| row.2)
}

/// The number of cards the chapter gives to `whom`.
fn number(chapter: &str, about: &str, whom: &str) -> Option<u8> {
    let part = says(chapter, about)?.split(", ").find(|part| part.contains(whom))?;
    Some(part.split_once(' ').map_or(part, |(number, _)| number).parse().unwrap())
}

// SH-05 to SH-40, RD-02 to RD-15, PG-01: one row for each figure.
#[test]
fn every_game_says_what_its_chapter_says_and_nothing_else() {
    let mut faults = String::new();
    for profile in Game::ALL.map(Game::profile) {
        let (name, rows) = section(profile.chapter);
        assert_eq!(profile.name, name);
        let told = figures::of(profile);
        let same = |figure: &figures::Figure, row: &Row| {
            (figure.0.as_str(), figure.1, figure.2.as_str()) == *row
        };
        for row in rows.iter().filter(|row| !told.iter().any(|figure| same(figure, row))) {
            faults += &std::format!("{}: chapter only: {row:?}\n", profile.chapter);
        }
        for figure in told.iter().filter(|figure| !rows.iter().any(|row| same(figure, row))) {
            faults += &std::format!("{}: profile only: {figure:?}\n", profile.chapter);
        }
        if faults.is_empty() && told.len() != rows.len() {
            faults += &std::format!("{}: a row twice\n", profile.chapter);
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

// SH-30, SH-31: who gets a stack, for every number that may sit there.
#[test]
fn stacks_leave_the_shoe_in_the_chapters_order() {
    for chapter in SINGLE {
        let [game] = games([chapter]);
        for players in 1..=says(chapter, "seats").unwrap().parse().unwrap() {
            let mut expected = Vec::new();
            for part in says(chapter, "stacks").unwrap().split(", ") {
                let (cards, whom) = part.split_once(" to ").unwrap();
                let stacks = match whom {
                    "each player" => players,
                    "each of 7 places" => 7,
                    _ => 1,
                };
                expected.extend((0..stacks).map(|_| cards.parse::<u8>().unwrap()));
            }
            let found: Vec<u8> = game.stack_sizes(players).unwrap().collect();
            assert_eq!(found, expected, "{chapter}, {players} players");
        }
    }
}

// SH-36, SH-39: the deck, less what each gets, less the card burned by the dealer's own hand.
#[test]
fn stub_is_the_deck_less_what_the_chapter_deals() {
    for chapter in SINGLE {
        let [game] = games([chapter]);
        let deck: u8 = says(chapter, "cards in a deck").unwrap().parse().unwrap();
        let to = |whom| number(chapter, "stacks", whom).unwrap_or(0);
        let burned = says(chapter, "burned, unless the shoe deals").map_or(0, |_| 1);
        for players in 1..=says(chapter, "seats").unwrap().parse().unwrap() {
            let each = to("player") * players + to("places") * 7;
            let left = deck - each - to("community") - to("dealer");
            assert_eq!(game.stub(players, Dealing::AutomatedShoe), Some(left), "{chapter}");
            for dealing in [Dealing::ManualShoe, Dealing::Hand] {
                assert_eq!(game.stub(players, dealing), Some(left - burned), "{chapter}");
            }
            let drawn = |whom| number(chapter, "drawn, at most", whom).unwrap_or(0);
            let short = (drawn("player") * players + drawn("dealer")).saturating_sub(left);
            assert_eq!(game.worst_shortage(players), Some(short), "{chapter}, {players} players");
        }
    }
}

// SH-36 to SH-38: three figures to see that the tests above can see.
#[test]
fn stubs_that_the_chapters_or_a_pencil_give() {
    let [flop, fortune, lunar] = games(["583", "588", "589"]);
    assert_eq!(fortune.stub(2, Dealing::Hand), Some(11), "588.8(e) says so itself");
    assert_eq!(flop.stub(6, Dealing::Hand), Some(52 - 6 * 3 - 3 - 1));
    assert_eq!(lunar.worst_shortage(5), Some(5 * 5 + 5 + 5 * 5 + 1 - 52));
}
