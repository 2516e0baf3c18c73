//! How cards leave the shoe or the hand, and what must be left over.
//!
//! The stub is arithmetic, not data: the pack less what was dealt and burned. So a stack's size
//! and the stub can never disagree.

use super::{Clause, Decks, NextStep, ReaderRules, Ruled, Surrender};

/// The ways cards are dealt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Dealing {
    /// From the dealer's hand, which needs a shuffler (SH-24).
    Hand,
    /// One card at a time from a shoe.
    ManualShoe,
    /// In stacks from a machine.
    AutomatedShoe,
}

/// The rules of a shoe game beyond its cards and its shuffler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShoeRules {
    /// The reader; South Dakota names none.
    pub reader: Option<ReaderRules>,
    /// Whether hands may be surrendered.
    pub surrender: Ruled<Surrender>,
    /// The decks with which Match-the-Dealer may be offered; `None` where the game has no such bet.
    pub match_the_dealer: Option<Ruled<Decks>>,
    /// What happens when the cover card comes.
    pub at_cover_card: Option<Ruled<AtCoverCard>>,
    /// One card is burned for each full batch and one for each new dealer.
    pub burn: Option<Clause>,
    /// Where a card found face up goes.
    pub face_up: Option<Ruled<FaceUpCard>>,
    /// A shoe that runs out in mid-round: discards are shuffled, one card burned, play goes on (SH-28).
    pub short_shoe: Option<Clause>,
    /// What opening with preshuffled packs waives.
    pub preshuffled: Option<Ruled<Preshuffled>>,
}

/// What happens when the cover card comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum AtCoverCard {
    /// Collect and reshuffle.
    Reshuffle,
    /// Gather the rest of the shoe too, so that no card is missing; the next count proves it (SH-27).
    GatherAllAndReshuffle,
}

/// Where a card found face up in the shoe goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FaceUpCard {
    /// To the discard rack.
    Rack,
    /// To the discard rack, or to the double shoe's separate area.
    RackOrDoubleShoe,
}

/// What opening a table with inspected, preshuffled packs still asks (SH-14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Preshuffled {
    /// Nothing: (a) to (d) are waived.
    NothingLeft,
    /// The tens are still taken out: (a) and (c) to (e) are waived.
    TensStillRemoved,
    /// The cards are still spread face up: (a) and (c) to (e) are waived.
    StillSpreadFaceUp,
}

/// The rules of a single-deck game beyond its cards and its shuffler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundRules {
    /// The stacks of an automated shoe, in the order they leave it (SH-30).
    pub stacks: Ruled<&'static [Stack]>,
    /// A card burned before the community cards, unless an automated shoe supplies those (SH-39).
    pub burn: Option<Clause>,
    /// Single cards drawn after the deal.
    pub draws: Option<Ruled<Draws>>,
    /// What the dealer counts when no counting shuffler is used.
    pub hand_count: Ruled<HandCount>,
    /// What a wrong stub demands.
    pub wrong_stub: Ruled<StubRule>,
    /// What a stack of the wrong size demands.
    pub wrong_stack: Ruled<NextStep>,
    /// What a jam of the automated shoe demands.
    pub shoe_jam: Ruled<NextStep>,
    /// What a second card found face up demands.
    pub two_face_up: Ruled<NextStep>,
    /// Dealing from the hand is allowed only with a shuffler (SH-24).
    pub hand_needs_shuffler: Clause,
    /// Who is dealt to first.
    pub start: Ruled<Start>,
    /// How the number is drawn, where one is.
    pub drawing: Option<Drawing>,
}

/// How the number of the starting position is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Drawing {
    /// When: the cards are shuffled, and not yet dealt (PG-10).
    pub when: Clause,
    /// The three-dice shaker, which takes a generator's place (PG-16).
    pub shaker: Clause,
}

impl RoundRules {
    /// The cards gone from the pack when all have been dealt to, the burned one included.
    pub(super) const fn cards_dealt(&self, players: u8, dealing: Dealing) -> u8 {
        let stacks = self.stacks.rule;
        let mut cards = match (self.burn, dealing) {
            (Some(_), Dealing::Hand | Dealing::ManualShoe) => 1,
            _ => 0,
        };
        let mut at = 0;
        while at < stacks.len() {
            cards += stacks[at].cards() * stacks[at].number(players);
            at += 1;
        }
        cards
    }

    /// The most that may be drawn after the deal.
    pub(super) const fn most_draws(&self, players: u8) -> u8 {
        match self.draws {
            Some(Ruled { rule: Draws { each_player, dealer }, .. }) => {
                each_player * players + dealer
            }
            None => 0,
        }
    }
}

/// Stacks of one size, and whose they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Stack {
    /// One stack of this number of cards to each player who bet.
    EachPlayer(u8),
    /// One stack of this number of cards to the community area.
    Community(u8),
    /// One stack of this number of cards to the dealer.
    Dealer(u8),
    /// One stack of this number of cards to each of six positions and the dealer, bet or not.
    AllSeven(u8),
}

impl Stack {
    /// The cards in each.
    pub const fn cards(self) -> u8 {
        match self {
            Self::EachPlayer(cards)
            | Self::Community(cards)
            | Self::Dealer(cards)
            | Self::AllSeven(cards) => cards,
        }
    }

    /// How many there are when `players` have bet.
    pub const fn number(self, players: u8) -> u8 {
        match self {
            Self::EachPlayer(_) => players,
            Self::Community(_) | Self::Dealer(_) => 1,
            Self::AllSeven(_) => 7,
        }
    }
}

/// The most single cards drawn after the deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Draws {
    /// By each player.
    pub each_player: u8,
    /// By the dealer.
    pub dealer: u8,
}

/// What the dealer counts by hand without a counting shuffler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum HandCount {
    /// The stub, at least once in five rounds.
    StubEveryFiveRounds,
    /// The stub, every round, whatever the shuffler.
    StubEveryRound,
    /// All cards, at least once in five rounds, after the round.
    AllCardsEveryFiveRounds,
}

/// What a wrong stub demands (SH-37).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StubRule {
    /// It depends on whether the cards were misdealt.
    Fork {
        /// Whether the clause speaks of a misdealt pack only where it is whole (583.8(g)).
        if_whole: bool,
        /// They were.
        misdealt: NextStep,
        /// They were not.
        not_misdealt: NextStep,
    },
    /// The same in every case.
    Always(NextStep),
}

/// What a wrong stub asks for, and on what that rests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StubStep {
    /// What the table does next.
    pub step: NextStep,
    /// No clause says so: the pack was misdealt and is short. Void as one, removed as the other.
    pub by_analogy: bool,
}

impl StubRule {
    /// What the table does next after a stub count; `None` if nothing is wrong.
    pub const fn next_step(self, misdealt: bool, whole: bool) -> Option<StubStep> {
        let (step, by_analogy) = match (self, misdealt) {
            (Self::Fork { .. }, false) | (Self::Always(_), _) if whole => return None,
            (Self::Fork { misdealt, if_whole, .. }, true) if whole || !if_whole => {
                (misdealt, false)
            }
            (Self::Fork { not_misdealt, .. }, misdealt) => (not_misdealt, misdealt),
            (Self::Always(step), _) => (step, false),
        };
        Some(StubStep { step, by_analogy })
    }
}

/// Who gets the first card or stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Start {
    /// The player farthest to the dealer's left.
    LeftOfDealer,
    /// The community area, then the player farthest to the dealer's left.
    CommunityThenLeft,
    /// The position whose number a generator, or the three-dice shaker, gives.
    Drawn(StartNumbers),
}

/// The numbers a starting-position generator draws from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StartNumbers {
    /// The lowest; it is the dealer.
    pub first: u8,
    /// The highest.
    pub last: u8,
}

impl StartNumbers {
    /// Whether `number` may be drawn.
    pub const fn contains(self, number: u8) -> bool {
        self.first <= number && number <= self.last
    }

    /// Whether a table with this number of betting positions gives each number one place (PG-13).
    ///
    /// The range is fixed by the rule, the seats are not: at a smaller table the count would wrap
    /// and favour some. A generator must refuse such a table.
    pub const fn fits(self, seats: u8) -> bool {
        self.last - self.first == seats
    }
}
