//! A picture of a shuffler at one moment, and its words.
//!
//! It shows how many cards are where, never which.

use croupier::shuffler::DeviceEvent;

use super::mechanism::Mechanism;
use super::places::Census;
use crate::monitor::clause_words;

/// A shuffler at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Cards in each slot.
    pub slots: Vec<usize>,
    /// The most a slot takes.
    pub capacity: usize,
    /// The slot at the feed.
    pub at: u8,
    /// How many cards are where.
    pub census: Census,
    /// What it is doing.
    pub state: String,
    /// The pass over the cards, cards done and cards to do.
    pub progress: (u8, u16, u16),
    /// Seconds since the start.
    pub seconds: f64,
    /// Seconds below which no plan could be.
    pub floor: f64,
}

impl Picture {
    /// The wheel and its cards; the caller knows the rest.
    pub fn of(mechanism: &Mechanism, state: String, progress: (u8, u16, u16)) -> Self {
        Self {
            slots: mechanism.places.slots.iter().map(std::collections::VecDeque::len).collect(),
            capacity: mechanism.wheel().capacity.into(),
            at: mechanism.slot(),
            census: mechanism.places.census(),
            state,
            progress,
            seconds: 0.0,
            floor: 0.0,
        }
    }

    /// The wheel unrolled, the slot at the feed in brackets.
    pub fn strip(&self) -> String {
        let slot = |(number, held): (usize, &usize)| {
            let mark = self.mark(*held);
            if number == usize::from(self.at) { format!("[{mark}]") } else { mark.to_string() }
        };
        self.slots.iter().enumerate().map(slot).collect()
    }

    /// How full a slot is: empty, a number of cards, or full.
    pub fn mark(&self, held: usize) -> char {
        match held {
            0 => '·',
            held if held == self.capacity => '█',
            held => char::from_digit(held as u32, 36).unwrap_or('+'),
        }
    }

    /// One line of text.
    pub fn line(&self) -> String {
        let (pass, done, total) = self.progress;
        let Census { feed, wheel, delivery, path, .. } = self.census;
        format!(
            "{:7.2} s  {:<10} pass {pass} {done:>3}/{total:<3}  feed {feed:>3}  wheel {wheel:>3}  \
             out {delivery:>3}  path {path}  {}",
            self.seconds,
            self.state,
            self.strip()
        )
    }
}

/// What a piece of event says, if it is worth a line.
pub fn words(event: &DeviceEvent) -> Option<String> {
    match event {
        DeviceEvent::Count(count) => {
            let expected = match count.expected {
                0 => "any number will do".into(),
                expected => format!("{expected} expected"),
            };
            Some(format!("count: {} found, {expected}: {}", count.found, plain(&count.verdict)))
        }
        DeviceEvent::Certificate(event) => {
            Some(format!("certificate: {} ({})", plain(&event.state), plain(&event.reason)))
        }
        DeviceEvent::Batch(event) => Some(format!(
            "batch {}: {} by {}",
            plain(&event.batch),
            plain(&event.change),
            plain(&event.by)
        )),
        DeviceEvent::Inventory(event) => Some(format!(
            "inventory: {} inside, {} in the chute, {} out",
            event.inside, event.chute, event.out
        )),
        DeviceEvent::Stub(event) => Some(format!(
            "counted by hand: {} in the deck{}: {}{}",
            event.found,
            if event.misdealt { ", misdealt" } else { "" },
            plain(&event.next_step),
            if event.by_analogy { ", by analogy" } else { "" }
        )),
        DeviceEvent::Irregularity(event) => Some(format!(
            "{}: {} ({} clears it; {})",
            plain(&event.trouble),
            plain(&event.next_step),
            plain(&event.cleared_by),
            clause_words(event.clause)
        )),
        DeviceEvent::Cleared(event) => {
            Some(format!("{}: cleared by {}", plain(&event.trouble), plain(&event.by)))
        }
    }
}

/// `RemoveDeck` as people say it: `remove deck`.
pub fn plain(name: &impl std::fmt::Debug) -> String {
    let mut words = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_how_many_and_not_which() {
        let picture = Picture {
            slots: vec![0, 12, 3, 0],
            capacity: 12,
            at: 1,
            census: Census { feed: 4, wheel: 15, ..Census::default() },
            state: "feeding".into(),
            progress: (1, 15, 19),
            seconds: 2.5,
            floor: 2.0,
        };
        assert_eq!(picture.strip(), "·[█]3·");
        assert!(picture.line().contains("pass 1  15/19"), "{}", picture.line());
        assert_eq!(plain(&croupier::shuffler::Effort::Boosted), "boosted");
    }
}
