//! The inspector of a gaming day, who does what each step of the check asks for.

use std::sync::Arc;

use croupier::protocol::generated::croupier::common::{
    CheckAction, CheckStep, CheckVerdict, Game, Inspected, InspectionRequest, InspectionResponse,
    Result as Outcome, Role,
};
use croupier::reader::check::STEPS;
use croupier::reader::recognise::Capture;
use hil_tests::nest::cards::HOUSE;
use hil_tests::{Bench, BenchError, Hand, nest};

use crate::harness::{LAMPS, Table};
use hil_tests::suite::{Done, READER};

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

/// How a check ended, and how many steps were passed before.
pub type Ended = (CheckVerdict, u8);

/// A check without a fault.
pub const PASSED: Ended = (CheckVerdict::Passed, STEPS);

/// One that failed at a step.
pub const fn failed_at(step: CheckStep, item: u8) -> Ended {
    let passed = match step {
        CheckStep::SelfTest => 1,
        CheckStep::SeeLamp => 2 + item,
        CheckStep::PressKey => 8 + item,
        CheckStep::InsertCard => 11 + item,
        CheckStep::SeeName => 20,
        CheckStep::SeeClock => 21,
        CheckStep::SeeImage => 22,
        _ => 0, // the seal comes first
    };
    (CheckVerdict::Failed, passed)
}

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
        loop {
            let at = self.ask(table, CheckAction::Look)?.1;
            if at.verdict == CheckVerdict::Open {
                self.does(table, &at, begun)?;
                continue;
            }
            table.await_event::<Inspected>("the check's end", begun, |received| {
                received.step == 0
            })?;
            let received = table.controller.reports_since(begun);
            let received =
                received.iter().filter_map(|received| received.report.event::<Inspected>());
            let passed = received.filter(|received| received.verdict == CheckVerdict::Passed);
            return Ok((at.verdict, passed.map(|received| received.step).max().unwrap_or(0)));
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
                table.settle()?;
                table.settle()?; // by now it was looked at, or will not be
                table.empty()?;
            }
            _ => {
                let fine = self.denies != Some(at.task) && self.sees(table, at)?;
                let action = if fine { CheckAction::Confirm } else { CheckAction::Deny };
                // A malfunction may have ended the check meanwhile: the next look says so.
                return self.ask(table, action).map(drop);
            }
        }
        let judged = |received: &Inspected| received.step == at.step || received.step == 0;
        table.await_event("the step's end", begun, judged).map(drop)
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
                Ok(hil_tests::suite::get(&table.controller, READER)?.game == self.game)
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
