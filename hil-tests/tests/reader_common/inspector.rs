//! The inspector of a gaming day, who does what each step of the check asks for.

use std::sync::Arc;

use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, Game, Inspected, InspectionRequest, InspectionResponse,
    Result as Outcome, Role,
};
use croupier::reader::recognise::Capture;
use hil_tests::nest::cards::HOUSE;
use hil_tests::{Bench, BenchError, Hand, nest};

use super::{LAMPS, Table};
use crate::wire_common::{self, Done, READER};

/// The keys as the check numbers them.
const KEYS: [&str; 3] = ["ace", "ten", "round-over"];
/// The inspector's number.
pub const NUMBER: u16 = 42;

/// Who inspects, with what in hand, and what is before the eyes.
pub struct Inspector {
    pub role: Role,
    /// The number that the seal bears.
    pub seal_number: u32,
    /// The game on the paper that the table's sign must agree with.
    pub game: Game,
    /// What slides cards past the beams.
    pub hand: Arc<dyn Hand>,
    /// What the window sees of each test card.
    pub cards: fn(u8) -> Capture,
    /// The lamp that glows when this one is lit.
    pub glows: fn(usize) -> usize,
    /// A step whose sight is not as it should be.
    pub denies: Option<CheckStep>,
}

/// Where a check ended: how, and at which step.
pub type Ended = (CheckVerdict, CheckStep, u8);

impl Inspector {
    /// One who finds everything in order at `table`, which is to play `game`.
    pub fn content(table: &Table, role: Role, game: Game) -> Self {
        Self {
            role,
            seal_number: nest::SEAL,
            game,
            hand: table.bench.hand(),
            cards: |item| HOUSE.test_card(item),
            glows: |lamp| lamp,
            denies: None,
        }
    }

    /// Goes through the whole check.
    pub fn inspects(&self, table: &Table) -> Result<Ended, BenchError> {
        let begun = table.controller.mark();
        assert_eq!(self.ask(table, CheckAction::Begin)?.0, Outcome::Accepted);
        let mut last = (CheckStep::None, 0);
        loop {
            let at = self.ask(table, CheckAction::Look)?.1;
            if at.verdict != CheckVerdict::Open {
                return Ok((at.verdict, last.0, last.1));
            }
            last = (at.task, at.item);
            self.does(table, &at, begun)?;
        }
    }

    /// Does what one step asks for, until the device has judged it.
    fn does(&self, table: &Table, at: &InspectionResponse, begun: usize) -> Done {
        match at.task {
            CheckStep::SelfTest => {}
            CheckStep::PressKey => table.tap(KEYS[usize::from(at.item)])?,
            CheckStep::InsertCard => {
                table.lay(&(self.cards)(at.item))?;
                nest::slide_in(&*self.hand, || table.settle())?;
            }
            _ => {
                let fine = self.denies != Some(at.task) && self.sees(table, at)?;
                let action = if fine { CheckAction::Confirm } else { CheckAction::Deny };
                // A malfunction may have ended the check meanwhile: the next look says so.
                return self.ask(table, action).map(drop);
            }
        }
        table.await_event::<Inspected>("the step's end", begun, |told| {
            told.step == at.step || told.step == 0
        })?;
        if at.task == CheckStep::InsertCard { table.empty() } else { Ok(()) }
    }

    /// Whether the eyes see what the step tells.
    fn sees(&self, table: &Table, at: &InspectionResponse) -> Result<bool, BenchError> {
        match at.task {
            CheckStep::SeeLamp => {
                table.settle()?;
                let lit = |lamp: &usize| table.bench.is_on(LAMPS[*lamp]).unwrap_or(false);
                let glowing: Vec<usize> = (0..LAMPS.len()).filter(lit).map(self.glows).collect();
                Ok(glowing == [usize::from(at.item)])
            }
            CheckStep::SeeName => {
                Ok(wire_common::get(&table.controller, READER)?.game == self.game)
            }
            _ => Ok(true),
        }
    }

    /// One word of the inspector's.
    pub fn ask(
        &self,
        table: &Table,
        action: CheckAction,
    ) -> Result<(Outcome, InspectionResponse), BenchError> {
        let begins = action == CheckAction::Begin;
        let (inspector, seal_number) = if begins { (NUMBER, self.seal_number) } else { (0, 0) };
        let asked = InspectionRequest { action, inspector, seal_number, ..Default::default() };
        table.controller.ask(READER, self.role, &asked)
    }
}
