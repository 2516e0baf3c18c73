//! The supervisor who teaches a brand, card by card.

use croupier::protocol::generated::croupier::common::{Result as Outcome, Role};
use croupier::protocol::generated::croupier::reader::{
    Lesson, Taught, TeachAction, TeachRequest, TeachResponse,
};
use hil_tests::BenchError;
use hil_tests::nest::cards::Deck;

use crate::harness::Table;
use hil_tests::suite::READER;

/// Cards of a lesson that are learnt, and those that prove it.
pub const LEARNT: u16 = 52;
pub const PROVEN: u16 = 52 * 2 * 3;

impl Table {
    /// One word of a lesson.
    pub fn teach(
        &self,
        role: Role,
        action: TeachAction,
        brand: u16,
    ) -> Result<(Outcome, TeachResponse), BenchError> {
        let brand = brand.into();
        let asked = TeachRequest { action, brand, ..TeachRequest::default() };
        self.controller.ask(READER, role, &asked)
    }

    /// Where the lesson is, and which brand is in force.
    pub fn lesson(&self) -> Result<TeachResponse, BenchError> {
        Ok(self.teach(Role::Dealer, TeachAction::Look, 0)?.1)
    }

    /// Shows cards of the deck, from the one at `first` on, as the supervisor does; what
    /// the reader told after the last one.
    pub fn show(&self, deck: &Deck, first: u16, count: u16) -> Result<Taught, BenchError> {
        let mut taught = Taught::default();
        for place in first..first + count {
            taught = self.show_one(deck, place)?;
            self.empty()?;
        }
        Ok(taught)
    }

    /// Shows one card and leaves it in the nest; what the reader told of it.
    pub fn show_one(&self, deck: &Deck, place: u16) -> Result<Taught, BenchError> {
        self.lay(&deck.card(place.into()))?;
        let mark = self.slide_in()?;
        self.settle()?;
        let (outcome, _) = self.teach(Role::Floorperson, TeachAction::Next, 0)?;
        assert_eq!(outcome, Outcome::Accepted, "card {place} is home");
        // The last card of a part is told twice: as shown, and as the next part's beginning.
        let ends = [LEARNT - 1, LEARNT + PROVEN - 1].contains(&place);
        self.await_event::<Taught>("the lesson's next step", mark, |taught| {
            !ends || taught.shown == 0 || !matches!(taught.lesson, Lesson::Learn | Lesson::Prove)
        })
    }
}
