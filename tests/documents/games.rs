//! `docs/games.md`: decks, seats, cards and devices of each game, written from `src/profile`.
//!
//! `CROUPIER_WRITE_DOCUMENTS=1 cargo test --test documents` writes the page; without it the
//! page is compared.

use std::fmt::Write;
use std::path::Path;

use croupier::profile::{
    Alternation, CoverCards, Dealing, Deck, DeckLife, Decks, Game, IdleBatch, Profile, ReaderKind,
    ShuffleAfter, ShufflerKind, Stack, Start, TwoBatches, UpCards,
};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/games.md");

const HEAD: &str = "\
# Games

What the rules of each game ask of cards and devices. Written from [`src/profile`](../src/profile) by a test: change it there, then run
`CROUPIER_WRITE_DOCUMENTS=1 cargo test --test documents`. Every value has its clause in the source. A dash means that the rule says nothing, or that the game has no such thing.

The code is what travels as `croupier.common.Game`. `ProfileSet` takes a game, decks, dealing and seats of these tables and answers `OUT_OF_RANGE` to others.
A reader takes games with a reader only. The Pai Gow generator takes games whose start is drawn, with six seats. The shuffler takes every game,
its continuous model those with one circulating batch.
";

const BELOW: &str = "
A batch is what one full shuffle counts. Deck life is counted from opening. *Shown* means that the rule wants the count shown after each
shuffle; the shuffler counts and shows it in every game.
";

/// A column: its title, and what a game has there.
type Column = (&'static str, fn(&Profile) -> String);

const CARDS: [Column; 8] = [
    ("game", |game| game.name.to_owned()),
    ("code", |game| game.game.code().to_string()),
    ("rule", |game| game.chapter.to_owned()),
    ("seats, at most", |game| or_dash(game.seats.map(|seats| seats.rule))),
    ("decks", |game| decks(game.pack.decks.rule)),
    ("cards a deck", |game| deck(game.pack.deck)),
    ("cards a batch", batches_of),
    ("cover cards", |game| or_dash(game.cover_cards.map(|cover| cover_cards(cover.rule)))),
];

const DEVICES: [Column; 10] = [
    ("game", |game| game.name.to_owned()),
    ("reader", reader),
    ("two batches", |game| or_dash(game.batches.map(|batches| two(batches.two.rule)))),
    ("one batch circulates", |game| yes(game.takes(ShufflerKind::Continuous), "may").to_owned()),
    ("they alternate", |game| or_dash(game.batches.map(|b| alternation(b.alternation.rule)))),
    ("shuffle after", |game| or_dash(game.shuffler.map(|s| after(s.shuffle_after.rule)))),
    ("count", |game| or_dash(game.shuffler.map(|s| yes(s.count_shown.is_some(), "shown")))),
    ("stored batch dealt unspread", |game| or_dash(game.shuffler.map(|s| idle(s.idle_batch.rule)))),
    ("dealt", |game| dealt(game.dealt.rule)),
    ("deck life", |game| or_dash(game.deck_life.map(|life| hours(life.rule)))),
];

const ROUNDS: [Column; 6] = [
    ("game", |game| game.name.to_owned()),
    ("stacks of an automated shoe", stacks),
    ("stub, all seats dealt to", |game| stub(game, Dealing::AutomatedShoe)),
    ("the same by hand or manual shoe", |game| stub(game, Dealing::ManualShoe)),
    ("worst draws lack", |game| or_dash(seats(game).and_then(|n| game.worst_shortage(n)))),
    ("starts at", start),
];

#[test]
fn the_table_of_games_is_what_the_profiles_say() {
    let wanted = page();
    if std::env::var_os("CROUPIER_WRITE_DOCUMENTS").is_some() {
        std::fs::write(PAGE, &wanted).expect("docs can be written");
    }
    let found = std::fs::read_to_string(Path::new(PAGE)).expect("docs/games.md is there");
    let differs = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(
        found == wanted,
        "docs/games.md differs from src/profile, first here: {differs:?}; write it with \
         CROUPIER_WRITE_DOCUMENTS=1 cargo test --test documents"
    );
}

fn dealt(ways: &[Dealing]) -> String {
    let words = ways.iter().map(|way| match way {
        Dealing::Hand => "by hand",
        Dealing::ManualShoe => "manual shoe",
        Dealing::AutomatedShoe => "automated shoe",
    });
    words.collect::<Vec<_>>().join(", ")
}

fn page() -> String {
    let games = Game::ALL.map(Game::profile);
    let rounds: Vec<&Profile> = games.into_iter().filter(|game| game.round().is_some()).collect();
    let mut page = HEAD.to_owned();
    table(&mut page, "Cards", &CARDS, &games);
    table(&mut page, "Devices", &DEVICES, &games);
    page += BELOW;
    table(&mut page, "Single-deck games", &ROUNDS, &rounds);
    page
}

fn table(page: &mut String, title: &str, columns: &[Column], games: &[&Profile]) {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let titles = columns.iter().map(|(title, _)| (*title).to_owned()).collect();
    let _ = writeln!(page, "\n## {title}\n\n{}", row(titles));
    let _ = writeln!(page, "|{}", "---|".repeat(columns.len()));
    for game in games {
        let _ = writeln!(page, "{}", row(columns.iter().map(|(_, cell)| cell(game)).collect()));
    }
}

fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

fn yes(condition: bool, word: &'static str) -> &'static str {
    if condition { word } else { "-" }
}

fn seats(game: &Profile) -> Option<u8> {
    game.seats.map(|seats| seats.rule)
}

fn listed(numbers: &[impl ToString]) -> String {
    let words: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

fn decks(decks: Decks) -> String {
    match decks {
        Decks::OneOf(numbers) => listed(numbers),
        Decks::AtLeastOne => "1 or more".into(),
    }
}

fn deck(deck: Deck) -> String {
    let note = match deck {
        Deck::Standard => "",
        Deck::WithoutTens => ", no tens",
        Deck::WithJoker => ", one joker",
    };
    format!("{}{note}", deck.cards())
}

fn batches_of(game: &Profile) -> String {
    match game.pack.decks.rule {
        Decks::OneOf(numbers) => {
            let totals: Vec<u16> = numbers.iter().filter_map(|n| game.batch_total(*n)).collect();
            listed(&totals)
        }
        Decks::AtLeastOne => format!("{} times the decks", game.pack.deck.cards()),
    }
}

fn cover_cards(cards: CoverCards) -> String {
    match cards {
        CoverCards::Exactly(number) => number.to_string(),
        CoverCards::AtLeast(number) => format!("{number} or more"),
    }
}

fn reader(game: &Profile) -> String {
    or_dash(game.reader().map(|reader| match reader.kind {
        ReaderKind::Peek { up_cards, .. } => match up_cards.rule {
            UpCards::AceOrFace => "peek under A, K, Q, J",
            UpCards::AceOrTenValue => "peek under A, K, Q, J, 10",
        },
        ReaderKind::Masque { .. } => "Masque, in every round",
    }))
}

fn two(two: TwoBatches) -> &'static str {
    match two {
        TwoBatches::Mandatory => "must, unless continuous",
        TwoBatches::Optional => "may",
    }
}

fn alternation(alternation: Alternation) -> &'static str {
    match alternation {
        Alternation::EveryOtherShoe => "every other shoe",
        Alternation::EveryOtherRound => "every other round",
    }
}

fn after(after: ShuffleAfter) -> &'static str {
    match after {
        ShuffleAfter::Shoe => "each shoe",
        ShuffleAfter::Round => "each round",
    }
}

fn idle(idle: IdleBatch) -> &'static str {
    match idle {
        IdleBatch::SpreadAndReshuffle => "never",
        IdleBatch::UsableIfSingleAndSecure => "if single and secure",
    }
}

fn hours(life: DeckLife) -> String {
    match life {
        DeckLife::Hours(hours) => format!("{hours} h"),
        DeckLife::HandOrShoe { hand_hours, shoe_hours } => {
            format!("{hand_hours} h by hand, {shoe_hours} h from a shoe")
        }
    }
}

fn stacks(game: &Profile) -> String {
    let stack = |stack: &Stack| match stack {
        Stack::EachPlayer(cards) => format!("{cards} to each player"),
        Stack::Community(cards) => format!("{cards} to the community area"),
        Stack::Dealer(cards) => format!("{cards} to the dealer"),
        Stack::AllSeven(cards) => format!("{cards} to each of seven places"),
    };
    let stacks = game.round().map_or(&[][..], |round| round.stacks.rule);
    stacks.iter().map(stack).collect::<Vec<_>>().join(", then ")
}

fn stub(game: &Profile, dealing: Dealing) -> String {
    or_dash(seats(game).and_then(|seats| game.stub(seats, dealing)))
}

fn start(game: &Profile) -> String {
    or_dash(game.round().map(|round| match round.start.rule {
        Start::LeftOfDealer => "the dealer's left".to_owned(),
        Start::CommunityThenLeft => "the community area, then the dealer's left".to_owned(),
        Start::Drawn(numbers) => {
            format!(
                "the number drawn, {} to {}: Pai Gow generator or dice",
                numbers.first, numbers.last
            )
        }
    }))
}
