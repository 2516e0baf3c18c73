//! Storms: keys, cards and commands in any order leave the reader honest.

use crate::harness::{MASQUE, Table, up_card};
use crate::world::Thing;
use croupier::cards::Rank;
use croupier::panel::lamps::ReaderLamp;
use croupier::protocol::generated::croupier::common::{ClearRequest, Game, Role, Trouble};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, Armed, Reading, UpCard, Verdict,
};
use croupier::reader::ports::Key;
use croupier::reader::{Lit, State};

/// A small generator of its own: the storm must be the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % sides
    }
}

/// CM-12: several keys at once, in any order, with cards going in and out.
#[test]
fn a_key_storm_is_harmless() {
    let mut table = Table::with_keys(Game::FreeBet);
    let mut dice = Dice(7);
    for _ in 0..400 {
        let key = Key::ALL[dice.roll(4) as usize];
        table.world.0.borrow_mut().keys[key as usize] = dice.roll(2) == 0;
        table.run_for(dice.roll(60));
        if dice.roll(8) == 0 {
            table.read(Rank::Five); // another card in its place would be a contradiction
        }
        let lit = table.world.lit();
        assert!(lit.bits().count_ones() <= 1 || lit == Lit::ALL, "one lamp, or the lamp test");
        assert!(!matches!(table.context.device.state(), State::Faulted(_)));
    }
    table.world.0.borrow_mut().keys = [false; 4];
    table.run_for(11_000);
    table.tap(Key::RoundOver);
    table.tap(Key::Ace);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Blackjack));
}

/// CM-12, RD-06: both up-card keys together are two up-cards, and that is no question.
#[test]
fn both_keys_at_once_ask_nothing() {
    let mut table = Table::in_service(Game::FreeBet);
    for key in [Key::Ace, Key::TenValue] {
        table.world.0.borrow_mut().keys[key as usize] = true;
    }
    table.run_for(30);
    assert_eq!(table.read(Rank::King), Lit::one(ReaderLamp::Notice));
    assert_eq!(table.looks(), 9, "the nine test cards of the check, and nothing since");
}

/// RD-01, RD-11: whatever happened before, an answer is the right one for its round.
#[test]
fn a_storm_of_rounds_never_gives_a_wrong_answer() {
    for game in [Game::FreeBet, MASQUE] {
        let mut table = Table::in_service(game);
        let (mut dice, mut published, mut answers) = (Dice(11), 0, 0);
        let mut number = 0;
        for _ in 0..800 {
            match dice.roll(7) {
                0 | 1 => {
                    number = dice.roll(3) as u16;
                    let up = up_card(Rank::ALL[dice.roll(13) as usize]);
                    let arm = ArmRequest { round: number, up_card: up, ..ArmRequest::default() };
                    table.ask(Role::Controller, &arm);
                }
                2 => _ = table.end(number),
                3 => table.tap(Key::ALL[dice.roll(3) as usize]),
                4 => {
                    table.slide_in(Thing::Unreadable);
                    table.pull_out();
                }
                5 => {
                    let trouble = Trouble::CannotRead;
                    table.ask(Role::Floorperson, &ClearRequest { trouble, ..Default::default() });
                }
                _ => {
                    let hole = hole_of(&table);
                    let lit = table.read(hole);
                    let verdicts = table.events::<Verdict>();
                    let last = verdicts.last().expect("published");
                    assert_eq!(Lit::says(last.reading), lit);
                    answers += usize::from(right(game, hole, last, &table));
                }
            }
            let now = table.verdicts().len();
            assert!(now >= published);
            published = now;
        }
        assert!(answers > 15, "{game:?}: {answers} answers");
    }
}

/// The hole card of the round: another one only after the last was over.
fn hole_of(table: &Table) -> Rank {
    let over =
        table.events::<Armed>().iter().filter(|event| event.up_card == UpCard::Unsaid).count();
    Rank::ALL[over * 5 % 13]
}

/// Whether the verdict is an answer; it must then be the right one for the round's up-card.
fn right(game: Game, hole: Rank, event: &Verdict, table: &Table) -> bool {
    let up = table.events::<Armed>();
    let up = up.iter().rfind(|armed| armed.round == event.round).map(|armed| armed.up_card);
    let wanted = match (event.reading, up) {
        (Reading::Notice | Reading::CannotRead, _) => return false,
        _ if game == MASQUE => {
            [Reading::Small, Reading::Medium, Reading::Large][hole.size() as usize]
        }
        (_, Some(UpCard::Ace)) if hole.is_ten_value() => Reading::Blackjack,
        (_, Some(UpCard::TenValue)) if hole.is_ace() => Reading::Blackjack,
        _ => Reading::NoBlackjack,
    };
    assert_eq!(event.reading, wanted);
    true
}
