//! Where the crate's own words become the wire's.
//!
//! Rules speak of their own types; only here are they translated, so that a code that is missing on
//! either side is a compile error or a failing test, never a wrong word at the table.

use crate::identity::DeviceKind;
use crate::profile::{Game, NextStep};
use crate::protocol::generated::croupier::common as wire;
use crate::safety::{CrashReason, ResetCause};

impl From<DeviceKind> for wire::DeviceKind {
    fn from(kind: DeviceKind) -> Self {
        match kind {
            DeviceKind::Reader => Self::Reader,
            DeviceKind::Shuffler => Self::Shuffler,
            DeviceKind::PaiGow => Self::Paigow,
        }
    }
}

impl From<Option<Game>> for wire::Game {
    fn from(game: Option<Game>) -> Self {
        match game {
            None => Self::None,
            Some(Game::DoubleAttackBlackjack) => Self::DoubleAttackBlackjack,
            Some(Game::FreeBetTemporary) => Self::FreeBetTemporary,
            Some(Game::FreeBet) => Self::FreeBet,
            Some(Game::FreeBetSouthDakota) => Self::FreeBetSouthDakota,
            Some(Game::DoubleBackJack) => Self::DoubleBackJack,
            Some(Game::DownUnderBlackjack) => Self::DownUnderBlackjack,
            Some(Game::FlopPoker) => Self::FlopPoker,
            Some(Game::RaiseItUpStud) => Self::RaiseItUpStud,
            Some(Game::SixCardFortunePaiGow) => Self::SixCardFortunePaiGow,
            Some(Game::LunarPoker) => Self::LunarPoker,
            Some(Game::CrissCrossPoker) => Self::CrissCrossPoker,
        }
    }
}

impl From<wire::Game> for Option<Game> {
    fn from(game: wire::Game) -> Self {
        Game::from_code(game.code())
    }
}

impl From<NextStep> for wire::NextStep {
    fn from(step: NextStep) -> Self {
        match step {
            NextStep::Reshuffle => Self::Reshuffle,
            NextStep::RemoveDeck => Self::RemoveDeck,
            NextStep::VoidAndRefund => Self::VoidAndRefund,
            NextStep::VoidRefundReshuffle => Self::VoidRefundReshuffle,
            NextStep::VoidRefundRemoveDeck => Self::VoidRefundRemoveDeck,
            NextStep::StopTable => Self::StopTable,
            NextStep::CountStub => Self::CountStub,
            NextStep::CountCards => Self::CountCards,
            NextStep::CoverOrSign => Self::CoverOrSign,
            NextStep::TellFloorAndContinue => Self::TellFloorAndContinue,
            NextStep::TellFloorAndContinueIfSilent => Self::TellFloorAndContinueIfSilent,
            NextStep::PlayOnOrDeadHandsWithRefund => Self::PlayOnOrDeadHandsWithRefund,
        }
    }
}

impl From<ResetCause> for wire::ResetCause {
    fn from(cause: ResetCause) -> Self {
        match cause {
            ResetCause::PowerOn => Self::PowerOn,
            ResetCause::Crashed(CrashReason::Panic(_)) => Self::Panic,
            ResetCause::Crashed(CrashReason::HardFault { .. } | CrashReason::Stray(_)) => {
                Self::HardFault
            }
            ResetCause::Crashed(CrashReason::Hung(_)) => Self::Hung,
            ResetCause::Watchdog => Self::Watchdog,
            ResetCause::ResetLine => Self::ResetLine,
            ResetCause::Restart => Self::Restart,
            ResetCause::Outside => Self::Outside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_kinds_and_games_have_the_same_numbers_on_the_wire_as_in_store() {
        assert_eq!(wire::DeviceKind::ALL.len(), DeviceKind::ALL.len());
        for kind in DeviceKind::ALL {
            assert_eq!(wire::DeviceKind::from(kind).code(), kind.code());
        }
        assert_eq!(wire::Game::ALL.len(), Game::ALL.len() + 1);
        for game in Game::ALL {
            let sent = wire::Game::from(Some(game));
            assert_eq!((sent.code(), Option::from(sent)), (game.code(), Some(game)));
        }
        assert_eq!(Option::<Game>::from(wire::Game::None), None);
    }
}
