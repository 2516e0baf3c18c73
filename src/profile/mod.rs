//! The game profiles: what each regulation asks of a device, as data with its clause.
//!
//! A device holds no rule of a game in its code. It is set to a [`Game`] and asks the game's
//! [`Profile`]; what it then publishes to a floorperson can name the clause it rests on, because
//! every rule here is a [`Ruled`] value or a bare [`Clause`]. Where a regulation is silent the
//! field is `None`: silence is never filled in here.
//!
//! Read [`blackjack`] and [`poker`] first: they are the tables. The other files say what their words mean.

mod basis;
pub mod blackjack;
pub mod clauses;
mod dealing;
mod next_step;
mod pack;
pub mod poker;
mod reader;
mod shuffler;

pub use clauses::Basis;
pub use dealing::{
    AtCoverCard, Dealing, Drawing, Draws, FaceUpCard, HandCount, Preshuffled, RoundRules,
    ShoeRules, Stack, Start, StartNumbers, StubRule, StubStep,
};
pub use next_step::NextStep;
pub use pack::{Alternation, Batches, CoverCards, Deck, DeckLife, Decks, Pack, TwoBatches};
pub use reader::{BeforeRead, ReaderKind, ReaderRules, Surrender, UpCards};
pub use shuffler::{IdleBatch, Relief, ShuffleAfter, ShufflerKind, ShufflerRules, WrongCount};

use core::fmt;
use core::iter::repeat_n;

/// Where a rule is written: a section of 58 Pa. Code, or South Dakota's full rule number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Clause(pub &'static str);

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A rule, and where it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Ruled<T> {
    /// What the clause asks.
    pub rule: T,
    /// The clause that asks it.
    pub clause: Clause,
}

/// Joins a rule to its clause; short, because the tables say it on every line.
const fn by<T: Copy>(clause: &'static str, rule: T) -> Ruled<T> {
    Ruled { rule, clause: Clause(clause) }
}

/// A game with a profile.
///
/// The number is stored and sent: append new ones, never renumber. Neither 0 nor 0xFF will ever
/// be a game, so that cleared and erased memory are no profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Game {
    /// Pa. 581.
    DoubleAttackBlackjack = 1,
    /// Pa. 590, temporary.
    FreeBetTemporary = 2,
    /// Pa. 672a, permanent.
    FreeBet = 3,
    /// South Dakota 20:18:15:30.14.
    FreeBetSouthDakota = 4,
    /// Pa. 591.
    DoubleBackJack = 5,
    /// Pa. 685a.
    DownUnderBlackjack = 6,
    /// Pa. 583.
    FlopPoker = 7,
    /// Pa. 587.
    RaiseItUpStud = 8,
    /// Pa. 588.
    SixCardFortunePaiGow = 9,
    /// Pa. 589.
    LunarPoker = 10,
    /// Pa. 592.
    CrissCrossPoker = 11,
}

impl Game {
    /// Every game.
    pub const ALL: [Self; 11] = [
        Self::DoubleAttackBlackjack,
        Self::FreeBetTemporary,
        Self::FreeBet,
        Self::FreeBetSouthDakota,
        Self::DoubleBackJack,
        Self::DownUnderBlackjack,
        Self::FlopPoker,
        Self::RaiseItUpStud,
        Self::SixCardFortunePaiGow,
        Self::LunarPoker,
        Self::CrissCrossPoker,
    ];

    /// The number stored and sent.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The game that `code` stands for.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.code() == code)
    }

    /// The game of a chapter, such as `588`, `672a` or `20:18:15:30.14`.
    pub fn from_chapter(chapter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.profile().chapter == chapter)
    }

    /// The rules of this game.
    pub const fn profile(self) -> &'static Profile {
        match self {
            Self::DoubleAttackBlackjack => &blackjack::DOUBLE_ATTACK,
            Self::FreeBetTemporary => &blackjack::FREE_BET_TEMPORARY,
            Self::FreeBet => &blackjack::FREE_BET,
            Self::FreeBetSouthDakota => &blackjack::FREE_BET_SOUTH_DAKOTA,
            Self::DoubleBackJack => &blackjack::DOUBLE_BACK_JACK,
            Self::DownUnderBlackjack => &blackjack::DOWN_UNDER,
            Self::FlopPoker => &poker::FLOP_POKER,
            Self::RaiseItUpStud => &poker::RAISE_IT_UP_STUD,
            Self::SixCardFortunePaiGow => &poker::SIX_CARD_FORTUNE_PAI_GOW,
            Self::LunarPoker => &poker::LUNAR_POKER,
            Self::CrissCrossPoker => &poker::CRISS_CROSS_POKER,
        }
    }
}

/// All that a regulation asks of a device in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// The game.
    pub game: Game,
    /// The chapter that rules it.
    pub chapter: &'static str,
    /// Its name, as the display shows it.
    pub name: &'static str,
    /// Betting positions, at most.
    pub seats: Option<Ruled<u8>>,
    /// The decks it is played with.
    pub pack: Pack,
    /// The cover cards on the table.
    pub cover_cards: Option<Ruled<CoverCards>>,
    /// Two batches with two back colours.
    pub batches: Option<Batches>,
    /// The ways its cards may be dealt (581.7(a), 583.8(a) to 583.10(a) and their like).
    pub dealt: Ruled<&'static [Dealing]>,
    /// How soon decks must be changed.
    pub deck_life: Option<Ruled<DeckLife>>,
    /// What binds a shuffler.
    pub shuffler: Option<ShufflerRules>,
    /// The rest, which is different in kind for the two families of games.
    pub play: Play,
}

/// The two families of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Play {
    /// Blackjack: a shoe of several decks, perhaps a reader, no stack-dealing shoe.
    Shoe(ShoeRules),
    /// Poker: one deck a round, dealt in stacks, no reader.
    Round(RoundRules),
}

impl Profile {
    /// The cards in a full batch of `decks` decks; `None` if the game is not played with that many.
    pub const fn batch_total(&self, decks: u8) -> Option<u16> {
        self.pack.total(decks)
    }

    /// Whether its cards may be dealt in this way.
    pub fn may_be_dealt(&self, dealing: Dealing) -> bool {
        self.dealt.rule.contains(&dealing)
    }

    /// Whether a machine of this kind may serve the game (SH-19): a continuous one only where a
    /// clause speaks of it.
    pub fn takes(&self, kind: ShufflerKind) -> bool {
        let circulates = self.batches.is_some_and(|batches| batches.continuous.is_some());
        kind == ShufflerKind::Batch || circulates
    }

    /// What binds a hole-card reader; `None` where the game has none.
    pub const fn reader(&self) -> Option<&ReaderRules> {
        match &self.play {
            Play::Shoe(shoe) => shoe.reader.as_ref(),
            Play::Round(_) => None,
        }
    }

    /// What binds an automated shoe that deals stacks; `None` where no clause provides for one.
    pub const fn round(&self) -> Option<&RoundRules> {
        match &self.play {
            Play::Shoe(_) => None,
            Play::Round(round) => Some(round),
        }
    }

    /// Whether Match-the-Dealer may be offered with batches of `decks` decks (SH-43).
    pub fn offers_match_the_dealer(&self, decks: u8) -> bool {
        match &self.play {
            Play::Shoe(ShoeRules { match_the_dealer: Some(offer), .. }) => offer.rule.allows(decks),
            _ => false,
        }
    }

    /// The numbers a starting-position generator may draw; `None` where nothing is drawn.
    pub const fn start_numbers(&self) -> Option<Ruled<StartNumbers>> {
        match self.round() {
            Some(RoundRules { start: Ruled { rule: Start::Drawn(numbers), clause }, .. }) => {
                Some(Ruled { rule: *numbers, clause: *clause })
            }
            _ => None,
        }
    }

    /// The stacks of an automated shoe when `players` have bet, in order, each by its size (SH-31).
    ///
    /// `None` if the game deals no stacks or has no such number of players.
    pub fn stack_sizes(&self, players: u8) -> Option<impl Iterator<Item = u8> + use<>> {
        let stacks = self.round_of(players)?.stacks.rule;
        let sizes = move |stack: &Stack| repeat_n(stack.cards(), stack.number(players).into());
        Some(stacks.iter().flat_map(sizes))
    }

    /// The cards that must be left when `players` have been dealt to (SH-36).
    ///
    /// `None` if the game deals no stacks or has no such number of players.
    pub const fn stub(&self, players: u8, dealing: Dealing) -> Option<u8> {
        match self.round_of(players) {
            Some(round) => self.pack.deck.cards().checked_sub(round.cards_dealt(players, dealing)),
            None => None,
        }
    }

    /// The cards an automated shoe lacks if every draw is taken; 0 where there are enough (SH-38).
    ///
    /// No clause says what happens when the pack runs out, so the dealer is warned before draws begin.
    pub const fn worst_shortage(&self, players: u8) -> Option<u8> {
        match (self.round_of(players), self.stub(players, Dealing::AutomatedShoe)) {
            (Some(round), Some(stub)) => Some(round.most_draws(players).saturating_sub(stub)),
            _ => None,
        }
    }

    /// The stack rules, if the game has them and this number of players can play it.
    const fn round_of(&self, players: u8) -> Option<&RoundRules> {
        match self.seats {
            Some(seats) if players >= 1 && players <= seats.rule => self.round(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
