//! Which card a file's name means, and the other way.
//!
//! Understood, in any case and with any of `-`, `_`, space or dot between: `AS`, `10H`, `TH`,
//! `KD`, `S-Q`, `12h`, `ace_of_spades`, `queen hearts`, `2_of_clubs`, and `joker`, `joker_red`, `back`.

use croupier::cards::{Rank, Suit};

/// What a picture in a folder shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A card.
    Card(Rank, Suit),
    /// A joker.
    Joker,
    /// A back.
    Back,
}

const RANKS: [(&str, &str); 13] = [
    ("A", "ACE"),
    ("2", "TWO"),
    ("3", "THREE"),
    ("4", "FOUR"),
    ("5", "FIVE"),
    ("6", "SIX"),
    ("7", "SEVEN"),
    ("8", "EIGHT"),
    ("9", "NINE"),
    ("10", "TEN"),
    ("J", "JACK"),
    ("Q", "QUEEN"),
    ("K", "KING"),
];

const SUITS: [(&str, &str); 4] =
    [("C", "CLUBS"), ("D", "DIAMONDS"), ("H", "HEARTS"), ("S", "SPADES")];

/// The short name of a rank, as on the card.
pub fn rank_name(rank: Rank) -> &'static str {
    RANKS[rank as usize].0
}

/// The short name of a card, such as `10H`.
pub fn card_name(rank: Rank, suit: Suit) -> String {
    format!("{}{}", rank_name(rank), SUITS[suit as usize].0)
}

/// What a file of that name (without its ending) shows, if it is clear.
pub fn subject(name: &str) -> Option<Subject> {
    let upper = name.to_uppercase();
    let words: Vec<&str> = upper
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
        [first, ..] if first.starts_with("JOKER") => Some(Subject::Joker),
        [.., last] if last.starts_with("JOKER") => Some(Subject::Joker),
        [first, ..] if *first == "BACK" => Some(Subject::Back),
        [.., last] if *last == "BACK" => Some(Subject::Back),
        [word] => joined(word),
        [one, other] | [one, "OF", other] => parts(one, other).or_else(|| parts(other, one)),
        _ => None,
    }
}

fn parts(rank_word: &str, suit_word: &str) -> Option<Subject> {
    Some(Subject::Card(rank(rank_word)?, suit(suit_word)?))
}

/// One word: `AS`, `10H`, or suit first, `SA`.
fn joined(word: &str) -> Option<Subject> {
    if !word.is_ascii() || word.len() < 2 {
        return None;
    }
    let (head, last) = word.split_at(word.len() - 1);
    let (first, tail) = word.split_at(1);
    parts(head, last).or_else(|| parts(tail, first))
}

fn rank(word: &str) -> Option<Rank> {
    let number = match word {
        "T" => 9,
        "1" | "01" => 0,
        "11" => 10,
        "12" => 11,
        "13" => 12,
        _ => {
            let word = word.strip_prefix('0').unwrap_or(word);
            RANKS.iter().position(|(short, long)| word == *short || word == *long)?
        }
    };
    Rank::ALL.get(number).copied()
}

fn suit(word: &str) -> Option<Suit> {
    let singular = |long: &'static str| long.strip_suffix('S').unwrap_or(long);
    let number = SUITS
        .iter()
        .position(|(short, long)| word == *short || word == *long || word == singular(long))?;
    Suit::ALL.get(number).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_understood_by_the_name_we_give_it() {
        for rank in Rank::ALL {
            for suit in Suit::ALL {
                assert_eq!(subject(&card_name(rank, suit)), Some(Subject::Card(rank, suit)));
            }
        }
    }

    #[test]
    fn other_peoples_names_are_understood() {
        let ace = Some(Subject::Card(Rank::Ace, Suit::Spades));
        for name in ["as", "AS", "a_s", "ace_of_spades", "Ace-Spade", "spades_ace", "SA", "1s"] {
            assert_eq!(subject(name), ace, "{name}");
        }
        let ten = Some(Subject::Card(Rank::Ten, Suit::Hearts));
        for name in ["10h", "TH", "ten of hearts", "10_of_hearts", "hearts-10", "h10"] {
            assert_eq!(subject(name), ten, "{name}");
        }
        let queen = Some(Subject::Card(Rank::Queen, Suit::Hearts));
        for name in ["qh", "12h", "hearts_12", "Queen of Hearts"] {
            assert_eq!(subject(name), queen, "{name}");
        }
        assert_eq!(subject("joker_red"), Some(Subject::Joker));
        assert_eq!(subject("red joker"), Some(Subject::Joker));
        assert_eq!(subject("back"), Some(Subject::Back));
    }

    #[test]
    fn names_that_say_no_card_are_no_card() {
        for name in ["", "scan001", "14h", "kx", "ace", "queen_of_hearts_and_spades", "ö", "as2"] {
            assert_eq!(subject(name), None, "{name}");
        }
    }
}
