//! The shoe games, one table each: 581, 590, 672a, South Dakota's, 591, 685a.
//!
//! Written out in full, game by game, so that each can be held against its chapter without
//! looking at another. None has a clause on a shuffler's wrong count, hence the analogy.

use super::{
    Alternation, AtCoverCard, Batches, BeforeRead, Clause, CoverCards, Dealing, Deck, DeckLife,
    Decks, FaceUpCard, Game, IdleBatch, NextStep, Pack, Play, Preshuffled, Profile, ReaderKind,
    ReaderRules, Relief, ShoeRules, ShuffleAfter, ShufflerRules, Surrender, TwoBatches, UpCards,
    WrongCount, by,
};

/// Double Attack Blackjack, Pa. 581: eight decks without tens.
pub static DOUBLE_ATTACK: Profile = Profile {
    game: Game::DoubleAttackBlackjack,
    chapter: "581",
    name: "Double Attack Blackjack",
    seats: Some(by("581.2(a)", 6)),
    pack: Pack {
        decks: by("581.3(a)", Decks::OneOf(&[8])),
        deck: Deck::WithoutTens,
        deck_clause: Some(Clause("581.3(a)")),
    },
    cover_cards: Some(by("581.3(a)", CoverCards::AtLeast(1))),
    batches: Some(Batches {
        two: by("581.3(b)", TwoBatches::Mandatory),
        equal: Clause("581.3(b)(1)"),
        continuous: Some(Clause("581.3(b)")),
        alternation: by("581.3(b)(4)", Alternation::EveryOtherShoe),
        unmixed: Clause("581.3(b)(5)"),
    }),
    dealt: by("581.7(a)", &[Dealing::ManualShoe]),
    deck_life: Some(by("581.3(c)", DeckLife::Hours(24))),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("581.5(a)", ShuffleAfter::Shoe),
        count_shown: None,
        wrong_count: WrongCount::ByAnalogy(Clause("583.5(b)")),
        idle_batch: by("581.5(g)", IdleBatch::SpreadAndReshuffle),
        relief: by("581.5(h)", Relief::AllButShuffling),
        jam: by("581.13(j)", NextStep::Reshuffle),
        unusable: by("581.13(k)", NextStep::CoverOrSign),
    }),
    play: Play::Shoe(ShoeRules {
        reader: Some(ReaderRules {
            kind: ReaderKind::Peek {
                definition: Clause("581.1"),
                up_cards: by("581.7(g)", UpCards::AceOrFace),
                wrong_up_card: by("581.13(h)", NextStep::TellFloorAndContinueIfSilent),
            },
            inspection: Clause("581.2(d)"),
            before_read: by("581.7(e)-(g)", &[BeforeRead::DoubleAttack, BeforeRead::Insurance]),
            malfunction: by("581.13(i)", NextStep::StopTable),
        }),
        surrender: by("581.9(b)(2)", Surrender::MayReadAgain),
        match_the_dealer: None,
        at_cover_card: Some(by("581.7(d)", AtCoverCard::Reshuffle)),
        burn: Some(Clause("581.7(c)")),
        face_up: Some(by("581.13(a)", FaceUpCard::Rack)),
        short_shoe: Some(Clause("581.13(e)")),
        preshuffled: Some(by("581.4(f)", Preshuffled::TensStillRemoved)),
    }),
};

/// Free Bet Blackjack, the temporary rule, Pa. 590: any number of decks.
pub static FREE_BET_TEMPORARY: Profile = Profile {
    game: Game::FreeBetTemporary,
    chapter: "590",
    name: "Free Bet Blackjack (temporary)",
    seats: Some(by("590.2(a)", 6)),
    pack: Pack {
        decks: by("590.3(a)", Decks::AtLeastOne),
        deck: Deck::Standard,
        deck_clause: Some(Clause("590.3(d)")),
    },
    cover_cards: Some(by("590.3(a)", CoverCards::AtLeast(1))),
    batches: Some(Batches {
        two: by("590.3(b)", TwoBatches::Mandatory),
        equal: Clause("590.3(b)(1)"),
        continuous: Some(Clause("590.3(b)")),
        alternation: by("590.3(b)(4)", Alternation::EveryOtherShoe),
        unmixed: Clause("590.3(b)(5)"),
    }),
    dealt: by("590.7(a)", &[Dealing::ManualShoe]),
    deck_life: Some(by("590.3(c)", DeckLife::Hours(24))),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("590.5(a)", ShuffleAfter::Shoe),
        count_shown: None,
        wrong_count: WrongCount::ByAnalogy(Clause("583.5(b)")),
        idle_batch: by("590.5(g)(2)", IdleBatch::UsableIfSingleAndSecure),
        relief: by("590.5(h)", Relief::AllButShuffling),
        jam: by("590.13(k)", NextStep::Reshuffle),
        unusable: by("590.13(l)", NextStep::CoverOrSign),
    }),
    play: Play::Shoe(ShoeRules {
        reader: Some(ReaderRules {
            kind: ReaderKind::Peek {
                definition: Clause("590.1"),
                up_cards: by("590.7(g)", UpCards::AceOrTenValue),
                wrong_up_card: by("590.13(i)", NextStep::TellFloorAndContinue),
            },
            inspection: Clause("590.2(d)"),
            before_read: by("590.7(f)-(g)", &[BeforeRead::Insurance]),
            malfunction: by("590.13(j)", NextStep::StopTable),
        }),
        surrender: by("590.9(a)(2)", Surrender::AfterRead),
        match_the_dealer: None,
        at_cover_card: Some(by("590.7(d)(1)", AtCoverCard::GatherAllAndReshuffle)),
        burn: Some(Clause("590.7(c)")),
        face_up: Some(by("590.13(a)", FaceUpCard::RackOrDoubleShoe)),
        short_shoe: Some(Clause("590.13(f)")),
        preshuffled: Some(by("590.4(e)", Preshuffled::NothingLeft)),
    }),
};

/// Free Bet Blackjack, the permanent rule, Pa. 672a: six or eight decks.
pub static FREE_BET: Profile = Profile {
    game: Game::FreeBet,
    chapter: "672a",
    name: "Free Bet Blackjack",
    seats: Some(by("672a.2(a)", 6)),
    pack: Pack {
        decks: by("672a.3(a)", Decks::OneOf(&[6, 8])),
        deck: Deck::Standard,
        deck_clause: Some(Clause("672a.3(d)")),
    },
    cover_cards: Some(by("672a.3(a)", CoverCards::AtLeast(1))),
    batches: Some(Batches {
        two: by("672a.3(b)", TwoBatches::Mandatory),
        equal: Clause("672a.3(b)(1)"),
        continuous: Some(Clause("672a.3(b)")),
        alternation: by("672a.3(b)(4)", Alternation::EveryOtherShoe),
        unmixed: Clause("672a.3(b)(5)"),
    }),
    dealt: by("672a.7(a)", &[Dealing::ManualShoe]),
    deck_life: Some(by("672a.3(c)", DeckLife::Hours(24))),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("672a.5(a)", ShuffleAfter::Shoe),
        count_shown: None,
        wrong_count: WrongCount::ByAnalogy(Clause("583.5(b)")),
        idle_batch: by("672a.5(g)(2)", IdleBatch::UsableIfSingleAndSecure),
        relief: by("672a.5(h)", Relief::AllButShuffling),
        jam: by("672a.12(k)", NextStep::Reshuffle),
        unusable: by("672a.12(l)", NextStep::CoverOrSign),
    }),
    play: Play::Shoe(ShoeRules {
        reader: Some(ReaderRules {
            kind: ReaderKind::Peek {
                definition: Clause("672a.1"),
                up_cards: by("672a.7(g)", UpCards::AceOrTenValue),
                wrong_up_card: by("672a.12(i)", NextStep::TellFloorAndContinue),
            },
            inspection: Clause("672a.2(d)"),
            before_read: by("672a.7(f)-(g)", &[BeforeRead::InsuranceOrEvenMoney]),
            malfunction: by("672a.12(j)", NextStep::StopTable),
        }),
        surrender: by("672a.7(h)(2)", Surrender::NotOffered),
        match_the_dealer: None,
        at_cover_card: Some(by("672a.7(d)(1)", AtCoverCard::GatherAllAndReshuffle)),
        burn: Some(Clause("672a.7(c)")),
        face_up: Some(by("672a.12(a)", FaceUpCard::RackOrDoubleShoe)),
        short_shoe: Some(Clause("672a.12(f)")),
        preshuffled: Some(by("672a.4(e)", Preshuffled::NothingLeft)),
    }),
};

/// Free Bet blackjack, South Dakota: six or eight decks, and not a word on any device.
pub static FREE_BET_SOUTH_DAKOTA: Profile = Profile {
    game: Game::FreeBetSouthDakota,
    chapter: "20:18:15:30.14",
    name: "Free Bet blackjack (South Dakota)",
    seats: None,
    pack: Pack {
        decks: by("20:18:15:30.14(1)(j)", Decks::OneOf(&[6, 8])),
        deck: Deck::Standard,
        deck_clause: None,
    },
    cover_cards: None,
    batches: None,
    dealt: by("20:18:15:30.14(1)(j)", &[Dealing::ManualShoe]),
    deck_life: None,
    shuffler: None,
    play: Play::Shoe(ShoeRules {
        reader: None,
        surrender: by("20:18:15:30.14(1)(k)", Surrender::NotLate),
        match_the_dealer: None,
        at_cover_card: None,
        burn: None,
        face_up: None,
        short_shoe: None,
        preshuffled: None,
    }),
};

/// Double Back Jack, Pa. 591: any number of decks.
pub static DOUBLE_BACK_JACK: Profile = Profile {
    game: Game::DoubleBackJack,
    chapter: "591",
    name: "Double Back Jack",
    seats: Some(by("591.2(a)", 6)),
    pack: Pack {
        decks: by("591.3(a)", Decks::AtLeastOne),
        deck: Deck::Standard,
        deck_clause: Some(Clause("591.3(d)")),
    },
    cover_cards: Some(by("591.3(a)", CoverCards::AtLeast(1))),
    batches: Some(Batches {
        two: by("591.3(b)", TwoBatches::Mandatory),
        equal: Clause("591.3(b)(1)"),
        continuous: Some(Clause("591.3(b)")),
        alternation: by("591.3(b)(4)", Alternation::EveryOtherShoe),
        unmixed: Clause("591.3(b)(5)"),
    }),
    dealt: by("591.7(a)", &[Dealing::ManualShoe]),
    deck_life: Some(by("591.3(c)", DeckLife::Hours(24))),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("591.5(a)", ShuffleAfter::Shoe),
        count_shown: None,
        wrong_count: WrongCount::ByAnalogy(Clause("583.5(b)")),
        idle_batch: by("591.5(g)(2)", IdleBatch::UsableIfSingleAndSecure),
        relief: by("591.5(h)", Relief::AllButShuffling),
        jam: by("591.13(k)", NextStep::Reshuffle),
        unusable: by("591.13(l)", NextStep::CoverOrSign),
    }),
    play: Play::Shoe(ShoeRules {
        reader: Some(ReaderRules {
            kind: ReaderKind::Peek {
                definition: Clause("591.1"),
                up_cards: by("591.7(h)", UpCards::AceOrTenValue),
                wrong_up_card: by("591.13(i)", NextStep::TellFloorAndContinue),
            },
            inspection: Clause("591.2(d)"),
            before_read: by("591.7(f)-(h)", &[BeforeRead::PlayerBlackjacks, BeforeRead::Insurance]),
            malfunction: by("591.13(j)", NextStep::StopTable),
        }),
        surrender: by("591.9(a)(2)", Surrender::AfterRead),
        match_the_dealer: None,
        at_cover_card: Some(by("591.7(d)(1)", AtCoverCard::GatherAllAndReshuffle)),
        burn: Some(Clause("591.7(c)")),
        face_up: Some(by("591.13(a)", FaceUpCard::RackOrDoubleShoe)),
        short_shoe: Some(Clause("591.13(f)")),
        preshuffled: Some(by("591.4(e)", Preshuffled::NothingLeft)),
    }),
};

/// Down Under Blackjack, Pa. 685a: the Masque reader, four to eight decks but not seven.
pub static DOWN_UNDER: Profile = Profile {
    game: Game::DownUnderBlackjack,
    chapter: "685a",
    name: "Down Under Blackjack",
    seats: Some(by("685a.2(a)", 6)),
    pack: Pack {
        decks: by("685a.3(a)", Decks::OneOf(&[4, 5, 6, 8])),
        deck: Deck::Standard,
        deck_clause: Some(Clause("685a.3(a)")),
    },
    cover_cards: Some(by("685a.3(a)", CoverCards::AtLeast(1))),
    batches: Some(Batches {
        two: by("685a.3(b)", TwoBatches::Mandatory),
        equal: Clause("685a.3(b)(1)"),
        continuous: Some(Clause("685a.3(b)")),
        alternation: by("685a.3(b)(4)", Alternation::EveryOtherShoe),
        unmixed: Clause("685a.3(b)(5)"),
    }),
    dealt: by("685a.7(a)", &[Dealing::ManualShoe]),
    deck_life: Some(by("685a.3(c)", DeckLife::Hours(24))),
    shuffler: Some(ShufflerRules {
        shuffle_after: by("685a.5(a)", ShuffleAfter::Shoe),
        count_shown: None,
        wrong_count: WrongCount::ByAnalogy(Clause("583.5(b)")),
        idle_batch: by("685a.5(g)", IdleBatch::SpreadAndReshuffle),
        relief: by("685a.5(h)", Relief::AllButShuffling),
        jam: by("685a.12(j)", NextStep::Reshuffle),
        unusable: by("685a.12(k)", NextStep::CoverOrSign),
    }),
    play: Play::Shoe(ShoeRules {
        reader: Some(ReaderRules {
            kind: ReaderKind::Masque {
                ranges: Clause("685a.3(d)(1)-(3)"),
                every_up_card: Clause("685a.7(h)"),
                wrong_light: by("685a.12(h)", NextStep::PlayOnOrDeadHandsWithRefund),
            },
            inspection: Clause("685a.2(d)"),
            before_read: by(
                "685a.7(f)-(h)",
                &[BeforeRead::MatchTheDealer, BeforeRead::InsuranceOrEvenMoney],
            ),
            malfunction: by("685a.12(i)", NextStep::StopTable),
        }),
        surrender: by("685a.7(i)(2)", Surrender::NotOffered),
        match_the_dealer: Some(by("685a.6(e)", Decks::OneOf(&[6, 8]))),
        at_cover_card: Some(by("685a.7(d)(1)", AtCoverCard::GatherAllAndReshuffle)),
        burn: Some(Clause("685a.7(c)")),
        face_up: Some(by("685a.12(a)", FaceUpCard::Rack)),
        short_shoe: Some(Clause("685a.12(e)")),
        preshuffled: Some(by("685a.4(e)", Preshuffled::StillSpreadFaceUp)),
    }),
};
