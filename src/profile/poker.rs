//! The single-deck games, one table each: 583, 587, 588, 589, 592.
//!
//! Written out in full, game by game, so that each can be held against its chapter without
//! looking at another.

use super::{
    Alternation, Batches, Clause, CoverCards, Dealing, Deck, DeckLife, Decks, Drawing, Draws, Game,
    HandCount, IdleBatch, NextStep, Pack, Play, Profile, Relief, RoundRules, ShuffleAfter,
    ShufflerRules, Stack, Start, StartNumbers, StubRule, TwoBatches, WrongCount, by,
};

/// Flop Poker, Pa. 583: the one that burns a card before the flop.
pub static FLOP_POKER: Profile = Profile {
    game: Game::FlopPoker,
    chapter: "583",
    name: "Flop Poker",
    seats: Some(by("583.2(a)", 6)),
    pack: Pack {
        decks: by("583.3(a)", Decks::OneOf(&[1])),
        deck: Deck::Standard,
        deck_clause: Some(Clause("583.5(b)")),
    },
    cover_cards: Some(by("583.3(a)", CoverCards::Exactly(2))),
    batches: Some(Batches {
        two: by("583.3(b)", TwoBatches::Optional),
        equal: Clause("583.3(b)"),
        continuous: None,
        alternation: by("583.3(b)(3)", Alternation::EveryOtherRound),
        unmixed: Clause("583.3(b)(4)"),
    }),
    dealt: by(
        "583.8(a), 583.9(a), 583.10(a)",
        &[Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe],
    ),
    deck_life: Some(by("583.3(c)", DeckLife::HandOrShoe { hand_hours: 4, shoe_hours: 8 })),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("583.5(a)", ShuffleAfter::Round),
        count_shown: Some(Clause("583.5(b)")),
        wrong_count: WrongCount::Said(Clause("583.5(b)")),
        idle_batch: by("583.5(f)", IdleBatch::SpreadAndReshuffle),
        relief: by("583.5(g)", Relief::CutRecutAndIdle),
        jam: by("583.13(d)", NextStep::Reshuffle),
        unusable: by("583.13(f)", NextStep::CoverOrSign),
    }),
    play: Play::Round(RoundRules {
        stacks: by("583.10(b)", &[Stack::EachPlayer(3), Stack::Community(3)]),
        burn: Some(Clause("583.11(c)")),
        draws: None,
        hand_count: by("583.8(e), 583.9(e), 583.10(d)", HandCount::StubEveryFiveRounds),
        wrong_stub: by(
            "583.8(g), 583.9(g), 583.10(f)",
            StubRule::Fork {
                if_whole: true,
                misdealt: NextStep::VoidAndRefund,
                not_misdealt: NextStep::VoidRefundRemoveDeck,
            },
        ),
        wrong_stack: by("583.13(c)", NextStep::VoidRefundReshuffle),
        shoe_jam: by("583.13(e)", NextStep::VoidRefundReshuffle),
        two_face_up: by("583.13(a)", NextStep::VoidRefundReshuffle),
        hand_needs_shuffler: Clause("583.9(a)(1)"),
        start: by("583.10(b)", Start::LeftOfDealer),
        drawing: None,
    }),
};

/// Raise It Up Stud Poker, Pa. 587.
///
/// Its stub clauses speak of two cards for each player where three are dealt (587.10(b)): a
/// drafting slip, and three it is.
pub static RAISE_IT_UP_STUD: Profile = Profile {
    game: Game::RaiseItUpStud,
    chapter: "587",
    name: "Raise It Up Stud Poker",
    seats: Some(by("587.2(a)", 6)),
    pack: Pack {
        decks: by("587.3(a)", Decks::OneOf(&[1])),
        deck: Deck::Standard,
        deck_clause: Some(Clause("587.5(b)")),
    },
    cover_cards: Some(by("587.3(a)", CoverCards::Exactly(1))),
    batches: Some(Batches {
        two: by("587.3(b)", TwoBatches::Optional),
        equal: Clause("587.3(b)"),
        continuous: None,
        alternation: by("587.3(b)(3)", Alternation::EveryOtherRound),
        unmixed: Clause("587.3(b)(4)"),
    }),
    dealt: by(
        "587.8(a), 587.9(a), 587.10(a)",
        &[Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe],
    ),
    deck_life: Some(by("587.3(c)", DeckLife::HandOrShoe { hand_hours: 4, shoe_hours: 8 })),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("587.5(a)", ShuffleAfter::Round),
        count_shown: Some(Clause("587.5(b)")),
        wrong_count: WrongCount::Said(Clause("587.5(b)")),
        idle_batch: by("587.5(f)", IdleBatch::SpreadAndReshuffle),
        relief: by("587.5(g)", Relief::CutRecutAndIdle),
        jam: by("587.13(e)", NextStep::Reshuffle),
        unusable: by("587.13(g)", NextStep::CoverOrSign),
    }),
    play: Play::Round(RoundRules {
        stacks: by("587.10(b)", &[Stack::EachPlayer(3), Stack::Community(3)]),
        burn: None,
        draws: None,
        hand_count: by("587.8(f), 587.9(d), 587.10(d)", HandCount::StubEveryFiveRounds),
        wrong_stub: by(
            "587.8(h), 587.9(f), 587.10(f)",
            StubRule::Fork {
                if_whole: true,
                misdealt: NextStep::VoidAndRefund,
                not_misdealt: NextStep::VoidRefundRemoveDeck,
            },
        ),
        wrong_stack: by("587.13(c)", NextStep::VoidRefundReshuffle),
        shoe_jam: by("587.13(f)", NextStep::VoidRefundReshuffle),
        two_face_up: by("587.13(a)", NextStep::VoidRefundReshuffle),
        hand_needs_shuffler: Clause("587.9(a)(1)"),
        start: by("587.10(b)", Start::LeftOfDealer),
        drawing: None,
    }),
};

/// Six-Card Fortune Pai Gow Poker, Pa. 588: one joker, seven hands at every bet, a drawn start.
///
/// It has no clause on a shuffler's count, because the dealer spreads the stub every round.
pub static SIX_CARD_FORTUNE_PAI_GOW: Profile = Profile {
    game: Game::SixCardFortunePaiGow,
    chapter: "588",
    name: "Six-Card Fortune Pai Gow Poker",
    seats: Some(by("588.2(a)", 6)),
    pack: Pack {
        decks: by("588.3(a)", Decks::OneOf(&[1])),
        deck: Deck::WithJoker,
        deck_clause: Some(Clause("588.3(a)")),
    },
    cover_cards: Some(by("588.3(a)", CoverCards::Exactly(2))),
    batches: Some(Batches {
        two: by("588.3(b)", TwoBatches::Optional),
        equal: Clause("588.3(b)"),
        continuous: None,
        alternation: by("588.3(b)(3)", Alternation::EveryOtherRound),
        unmixed: Clause("588.3(b)(4)"),
    }),
    dealt: by(
        "588.8(a), 588.9(a), 588.10(a)",
        &[Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe],
    ),
    deck_life: Some(by("588.3(c)", DeckLife::HandOrShoe { hand_hours: 4, shoe_hours: 8 })),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("588.5(a)", ShuffleAfter::Round),
        count_shown: None,
        wrong_count: WrongCount::ByAnalogy(Clause("583.5(b)")),
        idle_batch: by("588.5(g)(2)", IdleBatch::UsableIfSingleAndSecure),
        relief: by("588.5(h)", Relief::AllButShuffling),
        jam: by("588.13(l)", NextStep::Reshuffle),
        unusable: by("588.13(n)", NextStep::CoverOrSign),
    }),
    play: Play::Round(RoundRules {
        stacks: by("588.10(c)-(d)", &[Stack::AllSeven(6)]),
        burn: None,
        draws: None,
        hand_count: by("588.8(e), 588.9(d), 588.10(d)", HandCount::StubEveryRound),
        wrong_stub: by(
            "588.8(f), 588.9(e), 588.10(e)",
            StubRule::Fork {
                if_whole: false,
                misdealt: NextStep::VoidAndRefund,
                not_misdealt: NextStep::VoidRefundRemoveDeck,
            },
        ),
        wrong_stack: by("588.13(h), 588.13(k)", NextStep::VoidRefundReshuffle),
        shoe_jam: by("588.13(m)", NextStep::VoidRefundReshuffle),
        two_face_up: by("588.13(f)", NextStep::VoidRefundReshuffle),
        hand_needs_shuffler: Clause("588.9(a)(1)"),
        start: by("588.5(i)(2)", Start::Drawn(StartNumbers { first: 1, last: 7 })),
        drawing: Some(Drawing { when: Clause("588.5(b)(1)"), shaker: Clause("588.2(d)(1)") }),
    }),
};

/// Lunar Poker, Pa. 589: five seats, and single cards drawn after the deal.
pub static LUNAR_POKER: Profile = Profile {
    game: Game::LunarPoker,
    chapter: "589",
    name: "Lunar Poker",
    seats: Some(by("589.2(a)", 5)),
    pack: Pack {
        decks: by("589.3(a)", Decks::OneOf(&[1])),
        deck: Deck::Standard,
        deck_clause: Some(Clause("589.5(b)")),
    },
    cover_cards: Some(by("589.3(a)", CoverCards::Exactly(1))),
    batches: Some(Batches {
        two: by("589.3(b)", TwoBatches::Optional),
        equal: Clause("589.3(b)"),
        continuous: None,
        alternation: by("589.3(b)(3)", Alternation::EveryOtherRound),
        unmixed: Clause("589.3(b)(4)"),
    }),
    dealt: by(
        "589.8(a), 589.9(a), 589.10(a)",
        &[Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe],
    ),
    deck_life: Some(by("589.3(c)", DeckLife::HandOrShoe { hand_hours: 4, shoe_hours: 8 })),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("589.5(a)", ShuffleAfter::Round),
        count_shown: Some(Clause("589.5(b)")),
        wrong_count: WrongCount::Said(Clause("589.5(b)")),
        idle_batch: by("589.5(f)", IdleBatch::SpreadAndReshuffle),
        relief: by("589.5(g)", Relief::CutRecutAndIdle),
        jam: by("589.13(e)", NextStep::Reshuffle),
        unusable: by("589.13(g)", NextStep::CoverOrSign),
    }),
    play: Play::Round(RoundRules {
        stacks: by("589.10(b)", &[Stack::EachPlayer(5), Stack::Dealer(5)]),
        burn: None,
        draws: Some(by("589.11(d)(2), 589.11(e)(2)(ii)", Draws { each_player: 5, dealer: 1 })),
        hand_count: by("589.11(g)", HandCount::AllCardsEveryFiveRounds),
        wrong_stub: by("589.11(g)(2)", StubRule::Always(NextStep::RemoveDeck)),
        wrong_stack: by("589.13(c)", NextStep::VoidRefundReshuffle),
        shoe_jam: by("589.13(f)", NextStep::VoidRefundReshuffle),
        two_face_up: by("589.13(a)", NextStep::VoidRefundReshuffle),
        hand_needs_shuffler: Clause("589.9(a)(1)"),
        start: by("589.10(b)", Start::LeftOfDealer),
        drawing: None,
    }),
};

/// Criss-Cross Poker, Pa. 592: the community stack comes first.
pub static CRISS_CROSS_POKER: Profile = Profile {
    game: Game::CrissCrossPoker,
    chapter: "592",
    name: "Criss-Cross Poker",
    seats: Some(by("592.2(a)", 6)),
    pack: Pack {
        decks: by("592.3(a)", Decks::OneOf(&[1])),
        deck: Deck::Standard,
        deck_clause: Some(Clause("592.5(b)")),
    },
    cover_cards: Some(by("592.3(a)", CoverCards::Exactly(1))),
    batches: Some(Batches {
        two: by("592.3(b)", TwoBatches::Optional),
        equal: Clause("592.3(b)"),
        continuous: None,
        alternation: by("592.3(b)(3)", Alternation::EveryOtherRound),
        unmixed: Clause("592.3(b)(4)"),
    }),
    dealt: by(
        "592.8(a), 592.9(a), 592.10(a)",
        &[Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe],
    ),
    deck_life: Some(by("592.3(c)", DeckLife::HandOrShoe { hand_hours: 4, shoe_hours: 8 })),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("592.5(a)", ShuffleAfter::Round),
        count_shown: Some(Clause("592.5(b)")),
        wrong_count: WrongCount::Said(Clause("592.5(b)")),
        idle_batch: by("592.5(f)", IdleBatch::SpreadAndReshuffle),
        relief: by("592.5(g)", Relief::CutRecutAndIdle),
        jam: by("592.13(e)", NextStep::Reshuffle),
        unusable: by("592.13(g)", NextStep::CoverOrSign),
    }),
    play: Play::Round(RoundRules {
        stacks: by("592.10(b)", &[Stack::Community(5), Stack::EachPlayer(2)]),
        burn: None,
        draws: None,
        hand_count: by("592.8(f), 592.9(d), 592.10(d)", HandCount::StubEveryFiveRounds),
        wrong_stub: by(
            "592.8(h), 592.9(f), 592.10(f)",
            StubRule::Fork {
                if_whole: true,
                misdealt: NextStep::VoidAndRefund,
                not_misdealt: NextStep::VoidRefundRemoveDeck,
            },
        ),
        wrong_stack: by("592.13(c)", NextStep::VoidRefundReshuffle),
        shoe_jam: by("592.13(f)", NextStep::VoidRefundReshuffle),
        two_face_up: by("592.13(a)", NextStep::VoidRefundReshuffle),
        hand_needs_shuffler: Clause("592.9(a)(1)"),
        start: by("592.10(b)", Start::CommunityThenLeft),
        drawing: None,
    }),
};
