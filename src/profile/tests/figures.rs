//! What a profile says, in the words of `regulations.txt`.
//!
//! A number comes from what the profile answers when a device asks it, not from how it is written
//! down: the lawful decks are those of 0 to 255 that `batch_total` takes.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::*;

/// One thing a rule says: the clause, what it is about, what it says.
pub(super) type Figure = (String, &'static str, String);

/// Everything a profile says.
pub(super) fn of(profile: &Profile) -> Vec<Figure> {
    let mut figures = cards(profile);
    figures.extend(profile.batches.iter().flat_map(batches));
    figures.extend(profile.shuffler.iter().flat_map(|rules| shuffler(profile, rules)));
    match &profile.play {
        Play::Shoe(rules) => {
            figures.extend(rules.reader.iter().flat_map(reader));
            figures.extend(shoe(rules));
        }
        Play::Round(rules) => figures.extend(round(profile, rules)),
    }
    figures
}

fn figure(clause: Clause, about: &'static str, says: impl ToString) -> Figure {
    (clause.to_string(), about, says.to_string())
}

fn ruled<T: Copy, S: ToString>(rule: Ruled<T>, about: &'static str, says: fn(T) -> S) -> Figure {
    figure(rule.clause, about, says(rule.rule))
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

fn numbers(lawful: impl Fn(u8) -> bool) -> String {
    let all: Vec<u8> = (0..=u8::MAX).filter(|number| lawful(*number)).collect();
    if all == Vec::from_iter(1..=u8::MAX) { "1 or more".into() } else { list(all) }
}

fn ranks(chosen: impl Fn(Rank) -> bool) -> String {
    let names = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
    let chosen = Rank::ALL.into_iter().zip(names).filter(|(rank, _)| chosen(*rank));
    chosen.map(|(_, name)| name).collect::<Vec<_>>().join(" ")
}

fn cards(profile: &Profile) -> Vec<Figure> {
    let Profile { seats, pack, cover_cards, deck_life, .. } = profile;
    let deck = pack.deck_clause.unwrap_or(Clause("-"));
    let decks = numbers(|decks| profile.batch_total(decks).is_some());
    let totals: Vec<u16> = (0..=u8::MAX).filter_map(|decks| profile.batch_total(decks)).collect();
    let all_decks = (1..=u16::from(u8::MAX)).map(|decks| decks * 52);
    let total =
        if all_decks.eq(totals.iter().copied()) { "52 a deck".into() } else { list(totals) };
    let mut found = Vec::from([
        figure(pack.decks.clause, "decks", decks),
        figure(deck, "cards in a deck", pack.deck.cards()),
        figure(pack.decks.clause, "cards in a batch", total),
    ]);
    found.extend(seats.map(|seats| ruled(seats, "seats", |seats| seats)));
    if pack.deck.jokers() > 0 {
        found.push(figure(deck, "jokers in a deck", pack.deck.jokers()));
    }
    let without = ranks(|rank| !pack.deck.has(rank));
    if !without.is_empty() {
        found.push(figure(deck, "ranks left out", without));
    }
    found.extend(cover_cards.map(|cards| {
        ruled(cards, "cover cards", |cards| match cards {
            CoverCards::Exactly(cards) => cards.to_string(),
            CoverCards::AtLeast(cards) => format!("{cards} or more"),
        })
    }));
    found.extend(deck_life.map(|life| ruled(life, "hours a deck is used", hours)));
    found.push(ruled(profile.dealt, "dealt", |ways| {
        list(ways.iter().map(|way| match way {
            Dealing::Hand => "by hand",
            Dealing::ManualShoe => "manual shoe",
            Dealing::AutomatedShoe => "automated shoe",
        }))
    }));
    found
}

fn hours(life: DeckLife) -> String {
    let hours = |dealing| life.limit(dealing).as_secs() as f64 / 3600.0;
    let [hand, manual, automated] =
        [Dealing::Hand, Dealing::ManualShoe, Dealing::AutomatedShoe].map(hours);
    assert_eq!(manual, automated, "no chapter tells the two shoes apart");
    if hand == manual { hand.to_string() } else { format!("{hand} by hand, {manual} from a shoe") }
}

fn batches(rules: &Batches) -> Vec<Figure> {
    let lawful = |kind| numbers(|batches| rules.allows(kind, batches));
    let stored = lawful(ShufflerKind::Batch).replace(", ", " or ");
    let mut found = Vec::from([
        figure(rules.two.clause, "batches, batch shuffler", stored),
        ruled(rules.alternation, "each batch plays", |turns| match turns {
            Alternation::EveryOtherShoe => "every other shoe",
            Alternation::EveryOtherRound => "every other round",
        }),
        figure(rules.unmixed, "in the discard rack", "one batch"),
        figure(rules.equal, "decks in the two batches", "as many in each"),
    ]);
    let circulating = lawful(ShufflerKind::Continuous);
    found.extend(
        rules.continuous.map(|clause| figure(clause, "batches, continuous shuffler", circulating)),
    );
    found
}

fn shuffler(profile: &Profile, rules: &ShufflerRules) -> Vec<Figure> {
    let wrong = rules.wrong_count.next_step().words();
    let shown = rules.count_shown.map(|clause| {
        figure(clause, "count shown", profile.batch_total(1).expect("one deck is lawful"))
    });
    let mut found = Vec::from([
        ruled(rules.shuffle_after, "shuffled after", |after| match after {
            ShuffleAfter::Shoe => "each shoe",
            ShuffleAfter::Round => "each round",
        }),
        match rules.wrong_count {
            WrongCount::Said(clause) => figure(clause, "wrong count", wrong),
            WrongCount::ByAnalogy(clause) => {
                (format!("{clause}, by analogy"), "wrong count", wrong.into())
            }
        },
        ruled(rules.idle_batch, "idle, batch inside", |idle| match idle {
            IdleBatch::SpreadAndReshuffle => "spread and shuffled",
            IdleBatch::UsableIfSingleAndSecure => "dealt as it is, if single and secure",
        }),
        ruled(rules.relief, "a counting device waives", Relief::subsections),
        ruled(rules.jam, "shuffler jam", NextStep::words),
        ruled(rules.unusable, "shuffler unusable", NextStep::words),
    ]);
    found.extend(shown);
    found
}

fn reader(rules: &ReaderRules) -> Vec<Figure> {
    let read = match ranks(|up_card| rules.kind.reads_under(up_card)) {
        all if all == ranks(|_| true) => "every card".into(),
        some => some,
    };
    let mut found = Vec::from([
        figure(rules.inspection, "reader looked at", "each gaming day"),
        ruled(rules.before_read, "before the read", |order| list(order.iter().map(settled))),
        ruled(rules.malfunction, "reader broken", NextStep::words),
    ]);
    match rules.kind {
        ReaderKind::Peek { definition, up_cards, wrong_up_card } => found.extend([
            figure(definition, "reader answers", "Blackjack or not"),
            figure(up_cards.clause, "read under", read),
            ruled(wrong_up_card, "read under another card", NextStep::words),
        ]),
        ReaderKind::Masque { ranges, every_up_card, wrong_light } => {
            let range = |size| ranks(|rank| rank.size() == size);
            let [small, medium, large] = [Size::Small, Size::Medium, Size::Large].map(range);
            let lights = format!("small {small}, medium {medium}, large {large}");
            found.extend([
                figure(ranges, "lights", lights),
                figure(every_up_card, "read under", read),
                ruled(wrong_light, "wrong light", NextStep::words),
            ]);
        }
    }
    found
}

fn settled(step: &BeforeRead) -> &'static str {
    match step {
        BeforeRead::DoubleAttack => "Double Attack",
        BeforeRead::MatchTheDealer => "Match-the-Dealer",
        BeforeRead::PlayerBlackjacks => "players' Blackjacks",
        BeforeRead::Insurance => "insurance",
        BeforeRead::InsuranceOrEvenMoney => "insurance or even money",
    }
}

fn shoe(rules: &ShoeRules) -> Vec<Figure> {
    let mut found = Vec::from([ruled(rules.surrender, "surrender", |surrender| match surrender {
        Surrender::MayReadAgain => "read again",
        Surrender::AfterRead => "settled after the read",
        Surrender::NotLate => "not late",
        Surrender::NotOffered => "not offered",
    })]);
    found.extend(rules.match_the_dealer.map(|decks| {
        ruled(decks, "decks for Match-the-Dealer", |decks| numbers(|number| decks.allows(number)))
    }));
    found.extend(rules.at_cover_card.map(|cover| {
        ruled(cover, "at the cover card", |cover| match cover {
            AtCoverCard::Reshuffle => "reshuffle",
            AtCoverCard::GatherAllAndReshuffle => "gather all, reshuffle",
        })
    }));
    found.extend(rules.burn.map(|clause| figure(clause, "burned, batch or dealer", 1)));
    found.extend(rules.face_up.map(|goes| {
        ruled(goes, "card face up", |goes| match goes {
            FaceUpCard::Rack => "rack",
            FaceUpCard::RackOrDoubleShoe => "rack or double shoe",
        })
    }));
    let short = "discards shuffled, 1 burned";
    found.extend(rules.short_shoe.map(|clause| figure(clause, "shoe runs out", short)));
    found.extend(rules.preshuffled.map(|opening| {
        ruled(opening, "preshuffled, still to do", |left| match left {
            Preshuffled::NothingLeft => "nothing",
            Preshuffled::TensStillRemoved => "tens out",
            Preshuffled::StillSpreadFaceUp => "spread face up",
        })
    }));
    found
}

fn round(profile: &Profile, rules: &RoundRules) -> Vec<Figure> {
    let wrong_stub = |misdealt, whole, about| {
        let StubStep { step, by_analogy } = rules.wrong_stub.rule.next_step(misdealt, whole)?;
        let analogy = if by_analogy { ", by analogy" } else { "" };
        let clause = format!("{}{analogy}", rules.wrong_stub.clause);
        Some((clause, about, step.words().into()))
    };
    let stub = profile.stub(1, Dealing::AutomatedShoe).expect("one player is enough");
    let counts = match rules.hand_count.rule {
        HandCount::StubEveryFiveRounds => "stub, every 5 rounds".into(),
        HandCount::StubEveryRound => format!("stub, every round, {stub} cards"),
        HandCount::AllCardsEveryFiveRounds => "all cards, every 5 rounds".into(),
    };
    let mut found = Vec::from([
        ruled(rules.stacks, "stacks", |stacks| list(stacks.iter().map(stack))),
        figure(rules.hand_count.clause, "dealer counts", counts),
        ruled(rules.wrong_stack, "wrong stack", NextStep::words),
        ruled(rules.shoe_jam, "shoe jam", NextStep::words),
        ruled(rules.two_face_up, "two cards face up", NextStep::words),
        figure(rules.hand_needs_shuffler, "by hand", "only with a shuffler"),
        ruled(rules.start, "first to", |start| match start {
            Start::LeftOfDealer => "farthest left".into(),
            Start::CommunityThenLeft => "community, then farthest left".into(),
            Start::Drawn(StartNumbers { first, last }) => {
                format!("a number drawn, {first} to {last}")
            }
        }),
    ]);
    found.extend(wrong_stub(true, true, "stub, misdealt, deck whole"));
    found.extend(wrong_stub(true, false, "stub, misdealt, deck short"));
    found.extend(wrong_stub(false, false, "stub, deck short"));
    found.extend(rules.burn.map(|clause| figure(clause, "burned, unless the shoe deals", 1)));
    found.extend(rules.drawing.iter().flat_map(|drawing| {
        let Drawing { when, shaker } = *drawing;
        [
            figure(when, "drawn", "when the cards are shuffled"),
            figure(shaker, "instead of a generator", "shaker"),
        ]
    }));
    found.extend(rules.draws.map(|draws| {
        ruled(draws, "drawn, at most", |Draws { each_player, dealer }| {
            format!("{each_player} by each player, {dealer} by the dealer")
        })
    }));
    found
}

fn stack(stack: &Stack) -> String {
    match stack {
        Stack::EachPlayer(cards) => format!("{cards} to each player"),
        Stack::Community(cards) => format!("{cards} to the community"),
        Stack::Dealer(cards) => format!("{cards} to the dealer"),
        Stack::AllSeven(cards) => format!("{cards} to each of 7 places"),
    }
}
