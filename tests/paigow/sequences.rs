//! Every sequence of events up to six: never a number too early, never two in a round.

use std::num::NonZeroU8;

use crate::harness::{Plain, Ram, Source, Table};
use croupier::paigow::ports::Key;
use croupier::paigow::{Action, Event, Fault, Machine, ROUND_AT_LEAST, Refusal, State};
use croupier::time::{Instant, Millis};

const LENGTH: u32 = 6;

/// All sequences of `LENGTH` out of `choices`, by number.
fn sequences(choices: usize) -> impl Iterator<Item = Vec<usize>> {
    let all = choices.pow(LENGTH);
    (0..all).map(move |mut number| {
        let digits = core::iter::repeat_with(|| {
            let digit = number % choices;
            number /= choices;
            digit
        });
        digits.take(LENGTH as usize).collect()
    })
}

const TWO: NonZeroU8 = NonZeroU8::new(2).unwrap();
const FIVE: NonZeroU8 = NonZeroU8::new(5).unwrap();

const EVENTS: [Event; 14] = [
    Event::Shuffled(1),
    Event::Shuffled(2),
    Event::BetsClosed(1),
    Event::BetsClosed(2),
    Event::Press,
    Event::Drawn(TWO),
    Event::Drawn(FIVE),
    Event::Saved,
    Event::Lit,
    Event::RoundEnded(1),
    Event::RoundEnded(2),
    Event::Revoked,
    Event::Failed(Fault::Store),
    Event::Checked,
];

/// What must have happened, in this order, before a number of `round` may be lit.
fn path_to_number(round: u16, number: NonZeroU8) -> [Event; 5] {
    [
        Event::Shuffled(round),
        Event::BetsClosed(round),
        Event::Press,
        Event::Drawn(number),
        Event::Saved,
    ]
}

fn contains_in_order(events: &[Event], path: &[Event]) -> bool {
    let mut rest = events.iter();
    path.iter().all(|wanted| rest.any(|event| event == wanted))
}

// PG-10, PG-11, PG-16, PG-17: 14^6 sequences of the bare machine, from power on and from a
// number that stood when power failed.
#[test]
fn no_sequence_lights_a_number_without_its_whole_path_or_a_second_one() {
    let mut lit = 0u32;
    for sequence in sequences(EVENTS.len()) {
        let events: Vec<Event> = sequence.iter().map(|digit| EVENTS[*digit]).collect();
        let mut machine = Machine::resume(None, None, None);
        let mut last_draw = None;
        let mut number = None;
        let mut now = Instant::START;
        for (at, event) in events.iter().enumerate() {
            let before = machine;
            now += ROUND_AT_LEAST;
            let (after, action) = machine.after(*event, now);
            machine = after;
            if action == Action::Draw {
                assert_ne!(last_draw, machine.round(), "two draws in a round: {events:?}");
                assert!(matches!(before.state(), State::Armed(_)));
                last_draw = machine.round();
            }
            match (machine.number(), machine.round()) {
                (Some(shown), Some(round)) => {
                    let path = path_to_number(round, shown);
                    assert!(contains_in_order(&events[..=at], &path), "{events:?}");
                    assert!(number.is_none_or(|n| n == (round, shown)), "changed: {events:?}");
                    number = Some((round, shown));
                    lit += 1;
                }
                _ => number = None,
            }
            if matches!(action, Action::Refuse(_)) {
                assert_eq!(machine, before, "a refusal changes nothing");
            }
            if matches!(event, Event::Failed(_)) {
                assert!(matches!(machine.state(), State::Faulted(_)) && machine.number().is_none());
            }
            if matches!(event, Event::Revoked) {
                let armed = matches!(machine.state(), State::WaitingBets(_) | State::Armed(_));
                assert!(!armed, "armed without a shuffle: {events:?}");
                assert_eq!(before.number(), machine.number(), "a number is not taken back");
            }
        }
    }
    assert!(lit > 0, "some sequence must reach a number");
}

// PG-11: whatever comes within the time that a deal takes, with any round's name, with a fault that service
// clears, with a power cut: nothing is drawn again, and no number goes but by a fault.
#[test]
fn no_sequence_draws_again_before_a_deal_can_be_over() {
    let press = Instant::from_millis(5_000);
    let drawn = [Event::Shuffled(1), Event::BetsClosed(1), Event::Press]
        .into_iter()
        .fold(Machine::resume(None, None, None), |machine, event| machine.after(event, press).0);
    let one = Millis::new(1);
    let cases = [
        (drawn, press + ROUND_AT_LEAST - one),
        (Machine::resume(Some(1), Some(FIVE), None), Instant::START + ROUND_AT_LEAST - one),
        (Machine::resume(Some(1), None, None), Instant::START + ROUND_AT_LEAST - one),
        (Machine::resume(None, None, Some(Fault::Store)), Instant::START + ROUND_AT_LEAST - one),
    ];
    let mut refused = 0u32;
    for (begin, now) in cases {
        for sequence in sequences(EVENTS.len()) {
            let mut machine = begin;
            for event in sequence.iter().map(|digit| EVENTS[*digit]) {
                let (after, action) = machine.after(event, now);
                assert_ne!(action, Action::Draw, "{sequence:?}");
                let gone = machine.number().is_some() && after.number().is_none();
                assert!(!gone || matches!(event, Event::Failed(_)), "{sequence:?}");
                refused += u32::from(matches!(action, Action::Refuse(Refusal::TooSoon(_))));
                machine = after;
            }
        }
    }
    assert!(refused > 0, "some events come too soon");
}

// PG-17: whatever comes after power on, a standing number is that number until its round ends.
#[test]
fn a_number_that_stood_when_power_failed_stays_until_its_round_ends() {
    for sequence in sequences(EVENTS.len()) {
        let mut machine = Machine::resume(Some(1), Some(FIVE), None);
        for event in sequence.into_iter().map(|digit| EVENTS[digit]) {
            let was_shown = matches!(machine.state(), State::Shown(..));
            let (after, action) = machine.after(event, Instant::START + ROUND_AT_LEAST);
            machine = after;
            assert_ne!(action, Action::Draw, "round 1 has had its number; nothing else is armed");
            let over = matches!(event, Event::RoundEnded(1)) && was_shown;
            if over || matches!(event, Event::Failed(_)) {
                break;
            }
            assert_eq!(machine.number(), Some(FIVE));
        }
    }
}

/// What a hand can do to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hand {
    Tap(Key),
    Hold(Key),
    Release(Key),
    CutPower,
}

const HANDS: [Hand; 7] = [
    Hand::Tap(Key::Shuffled),
    Hand::Tap(Key::BetsClosed),
    Hand::Tap(Key::Draw),
    Hand::Tap(Key::RoundEnd),
    Hand::Hold(Key::LampTest),
    Hand::Release(Key::LampTest),
    Hand::CutPower,
];

/// The rule in a dealer's words, for comparison.
#[derive(Default)]
struct Dealer {
    shuffled: bool,
    closed: bool,
    testing: bool,
    /// How many numbers there have been, and whether the last still stands.
    numbers: u8,
    stands: bool,
}

impl Dealer {
    fn sees(&mut self, hand: Hand) {
        match hand {
            Hand::Tap(Key::Shuffled) if !self.stands => {
                (self.shuffled, self.closed) = (true, false);
            }
            Hand::Tap(Key::BetsClosed) => self.closed |= self.shuffled,
            Hand::Tap(Key::Draw) if self.closed && !self.testing => {
                (self.shuffled, self.closed) = (false, false);
                (self.numbers, self.stands) = (self.numbers + 1, true);
            }
            Hand::Tap(Key::RoundEnd) => {
                (self.shuffled, self.closed, self.stands) = (false, false, false);
            }
            Hand::Hold(_) if !self.stands => self.testing = true,
            Hand::Release(_) => self.testing = false,
            Hand::CutPower => (self.shuffled, self.closed, self.testing) = (false, false, false),
            _ => {}
        }
    }
}

// PG-10, PG-11, PG-17, PG-20: 7^6 sequences on the whole device, power cuts among them.
#[test]
fn every_sequence_of_keys_and_power_cuts_shows_what_a_dealer_expects() {
    for sequence in sequences(HANDS.len()) {
        let hands: Vec<Hand> = sequence.iter().map(|digit| HANDS[*digit]).collect();
        let source = Source::default();
        let mut table: Plain = Table::with(Ram::default(), source.clone());
        let mut dealer = Dealer::default();
        for hand in &hands {
            dealer.sees(*hand);
            match *hand {
                Hand::Tap(Key::RoundEnd) => table.end_round(),
                Hand::Tap(key) => table.tap(key),
                Hand::Hold(key) if !table.fingers.0[key as usize] => table.hold(key),
                Hand::Hold(_) => {}
                Hand::Release(key) => table.release(key),
                Hand::CutPower => {
                    table = table.power_cycled_with(source.clone());
                    table.run_for(25);
                    table.skip(ROUND_AT_LEAST);
                }
            }
            let expected = dealer.stands.then_some(dealer.numbers);
            assert_eq!(table.display.number(), expected, "{hands:?}");
        }
        assert_eq!(source.0.borrow().draws, dealer.numbers, "{hands:?}");
        let seen = &table.display.0.borrow().numbers;
        assert!(seen.iter().all(|number| *number <= dealer.numbers), "{hands:?}");
    }
}
