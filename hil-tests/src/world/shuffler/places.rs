//! Where every card is. Cards move from place to place; none is made, lost or doubled.

use std::collections::VecDeque;

use super::card::{Card, CardId};

/// All cards of a world by place. Stacks have their first card in front.
#[derive(Debug, Clone, Default)]
pub struct Places {
    cards: Vec<Card>,
    /// In the feed tray; the front is picked next.
    pub tray: VecDeque<CardId>,
    /// In the mouth, or between mouth and throat.
    pub mouth: Vec<CardId>,
    /// Staged, with an edge in the throat.
    pub throat: Vec<CardId>,
    /// In the wheel, by slot; the front comes out first.
    pub slots: Vec<VecDeque<CardId>>,
    /// On the way out.
    pub exit: Vec<CardId>,
    /// Delivered, or in the chute; the front came first.
    pub delivery: VecDeque<CardId>,
    /// Under the rail, where no beam looks.
    pub rail: Vec<CardId>,
    /// On the table and in people's hands.
    pub table: Vec<CardId>,
    inside: usize,
}

/// How many cards are where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Census {
    /// In the feed tray.
    pub feed: usize,
    /// In the wheel.
    pub wheel: usize,
    /// Delivered, or in the chute.
    pub delivery: usize,
    /// In mouth, throat or exit, or under the rail.
    pub path: usize,
    /// On the table.
    pub table: usize,
}

impl Census {
    /// All of them.
    pub fn total(&self) -> usize {
        self.feed + self.wheel + self.delivery + self.path + self.table
    }
}

impl Places {
    /// No cards yet, and an empty wheel.
    pub fn new(slots: u8) -> Self {
        Self { slots: vec![VecDeque::new(); slots.into()], ..Self::default() }
    }

    /// Puts new cards on the table.
    pub fn open(&mut self, cards: impl IntoIterator<Item = Card>) -> Vec<CardId> {
        let first = self.cards.len();
        self.cards.extend(cards);
        let opened: Vec<CardId> = (first..self.cards.len()).map(|id| id as CardId).collect();
        self.table.extend(&opened);
        opened
    }

    /// A card.
    pub fn card(&self, id: CardId) -> &Card {
        &self.cards[usize::from(id)]
    }

    /// A card, to turn it over or to wear it down.
    pub fn card_mut(&mut self, id: CardId) -> &mut Card {
        &mut self.cards[usize::from(id)]
    }

    /// Puts cards into a slot.
    pub fn enter(&mut self, slot: u8, cards: impl IntoIterator<Item = CardId>) {
        let before = self.slots[usize::from(slot)].len();
        self.slots[usize::from(slot)].extend(cards);
        self.inside += self.slots[usize::from(slot)].len() - before;
    }

    /// Takes the first card out of a slot.
    pub fn leave(&mut self, slot: u8) -> Option<CardId> {
        let card = self.slots[usize::from(slot)].pop_front()?;
        self.inside -= 1;
        Some(card)
    }

    /// How many cards are where.
    pub fn census(&self) -> Census {
        Census {
            feed: self.tray.len(),
            wheel: self.inside,
            delivery: self.delivery.len(),
            path: self.mouth.len() + self.throat.len() + self.exit.len() + self.rail.len(),
            table: self.table.len(),
        }
    }

    /// No card was made or lost by the last movement. Cheap, so it is asked at every step.
    pub fn assert_none_missing(&self) {
        let census = self.census();
        assert_eq!(census.total(), self.cards.len(), "the world lost count: {census:?}");
    }

    /// Every card is in exactly one place. Looks at each.
    pub fn assert_each_once(&self) {
        let mut seen = vec![0u8; self.cards.len()];
        let wheel = self.slots.iter().flatten();
        let stacks = self.tray.iter().chain(&self.delivery).chain(wheel);
        let others = [&self.mouth, &self.throat, &self.exit, &self.rail, &self.table];
        for id in stacks.chain(others.into_iter().flatten()) {
            seen[usize::from(*id)] += 1;
        }
        let wrong = seen.iter().position(|count| *count != 1);
        assert_eq!(wrong, None, "a card is in no place, or in two");
        assert_eq!(self.inside, self.slots.iter().map(VecDeque::len).sum::<usize>());
    }
}
