//! Counts by hand: when the dealer must count the stub, and what a wrong one asks for.
//!
//! A machine whose count is valid spares the dealer the count by hand (583.8(e) and its like,
//! SH-09). Rounds that were dealt without such a count are told with `DEALT`; after five of them
//! the stub is asked for, in 589 all cards. In 588 the stub is counted in every round, whatever the
//! machine counts (SH-10).

use crate::node::Refused;
use crate::profile::{HandCount, Profile, RoundRules, StubStep};
use crate::protocol::generated::croupier::common::{Irregularity, NextStep, Role, Trouble};
use crate::protocol::generated::croupier::shuffler::StubResult;
use crate::services::Chosen;
use crate::shuffler::commit::Awaited;
use crate::shuffler::events::DeviceEvent;
use crate::shuffler::machine::{Machine, Moment};

/// Rounds without a valid count before the stub is counted.
const MOST_ROUNDS: u8 = 5;

/// A count by hand, as it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StubCount {
    /// Cards in the whole deck: the stub with all that was dealt and burned.
    pub found: u8,
    /// A hand or the community area has more or fewer cards than it should.
    pub misdealt: bool,
    /// Whose authority told it.
    pub by: Role,
}

impl StubCount {
    /// What the game in force asks for; refused where it has no stub.
    pub fn result(self, chosen: Option<Chosen>) -> Result<StubResult, Refused> {
        let Self { found, misdealt, by } = self;
        let chosen = chosen.ok_or(Refused::WrongProfile)?;
        let profile = chosen.game.profile();
        let round = profile.round().ok_or(Refused::WrongProfile)?;
        let whole = profile.batch_total(chosen.decks) == Some(found.into());
        let asked = round.wrong_stub.rule.next_step(misdealt, whole);
        let (next_step, by_analogy) = match asked {
            Some(StubStep { step, by_analogy }) => (step.into(), by_analogy),
            None => (NextStep::None, false),
        };
        Ok(StubResult { found, misdealt, by_analogy, next_step, by, ..StubResult::default() })
    }
}

impl Machine {
    /// A round was dealt from cards that this machine did not count: by hand, or while it stood.
    pub(super) fn dealt_uncounted(&mut self, moment: &Moment) -> Result<(), Refused> {
        let round = moment.profile().and_then(Profile::round);
        let round = round.filter(|_| !self.state.is_busy()).ok_or(Refused::OutOfTurn)?;
        self.record.uncounted = self.record.uncounted.saturating_add(1);
        self.save();
        if let Some(step) = self.stub_due(round) {
            self.ask_for_stub(step);
        }
        Ok(())
    }

    /// A batch was released: in 588 its stub is counted, as in every round.
    pub(in crate::shuffler) fn ask_each_round(&mut self, moment: &Moment) {
        let round = moment.profile().and_then(Profile::round);
        if round.is_some_and(|round| round.hand_count.rule == HandCount::StubEveryRound) {
            self.ask_for_stub(NextStep::CountStub);
        }
    }

    /// What must be counted by hand now, if anything.
    pub(in crate::shuffler) fn stub_due(&self, round: &RoundRules) -> Option<NextStep> {
        let rounds = self.record.uncounted;
        match round.hand_count.rule {
            HandCount::StubEveryRound if rounds > 0 => Some(NextStep::CountStub),
            HandCount::StubEveryFiveRounds if rounds >= MOST_ROUNDS => Some(NextStep::CountStub),
            HandCount::AllCardsEveryFiveRounds if rounds >= MOST_ROUNDS => {
                Some(NextStep::CountCards)
            }
            _ => None,
        }
    }

    fn ask_for_stub(&mut self, next_step: NextStep) {
        self.publish(DeviceEvent::Irregularity(Irregularity {
            trouble: Trouble::StubDue,
            next_step,
            cleared_by: Role::Device,
            detail: self.record.uncounted.into(),
            ..Irregularity::default()
        }));
    }

    /// The stub was counted; what that asks for is published once flash knows of it.
    pub(in crate::shuffler) fn stub_counted(
        &mut self,
        count: StubCount,
        moment: &Moment,
    ) -> Result<(), Refused> {
        let told = count.result(moment.chosen)?;
        let before = self.record;
        self.record.uncounted = 0;
        self.commit_record(Awaited::Stub { told, before });
        Ok(())
    }
}
