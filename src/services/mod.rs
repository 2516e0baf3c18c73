//! Common services: what every device does, whatever its game.
//!
//! It knows which game is in force and who said so (CM-07), what time of day it is and
//! how far that can be trusted (CM-09), and proves which image runs (CM-02, CM-03). A
//! device with a game of its own hands on what is not the game's.

mod attestation;
mod clock;
mod latch_memory;
mod profile;
mod store_handle;

pub use attestation::{Attestation, Measured};
pub use clock::{DayClock, KeptTime};
pub use profile::{Chosen, ProfileStore};
pub use store_handle::StoreHandle;

use crate::identity::DeviceKind;
use crate::node::{Command, Device, Refused, Reply, StatusSummary};
use crate::profile::Basis;
use crate::protocol::codec::Request;
use crate::protocol::generated::croupier::common::{
    Activity, AttestationRequest, AttestationResponse, ClockGetRequest, ClockSetRequest, Condition,
    Irregularity, NextStep, ProfileChanged, ProfileGetRequest, ProfileSetRequest,
    ProfileSetResponse, Role, Setting, SettingChanged,
};
use crate::time::Instant;

/// The common services of one device.
#[derive(Debug)]
pub struct CommonServices {
    kind: DeviceKind,
    /// The game in force.
    pub chosen: Option<Chosen>,
    /// The day clock.
    pub clock: DayClock,
    /// The proof of the image.
    pub attestation: Attestation,
    /// Whether a round is in play: no other game may be set then.
    pub in_round: bool,
    /// Whether the service switch inside the housing is closed.
    pub service_switch: bool,
    /// Whether a lamp test is going on: no lamp means anything then.
    pub lamp_test: bool,
    /// Low byte of the count of starts, as in every event's stamp.
    pub start: u8,
    changed: Option<(Option<Chosen>, Chosen)>,
    set: Option<SettingChanged>,
}

impl CommonServices {
    /// The services of a device of this kind, with the game the store kept.
    pub fn new(kind: DeviceKind, chosen: Option<Chosen>) -> Self {
        let mut clock = DayClock::new();
        clock.not_before(chosen.map_or(0, |chosen| chosen.at_ms));
        Self {
            kind,
            chosen,
            clock,
            attestation: Attestation::new(),
            in_round: false,
            service_switch: false,
            lamp_test: false,
            start: 0,
            changed: None,
            set: None,
        }
    }

    /// A change of game that has not been published yet.
    pub fn take_change(&mut self) -> Option<ProfileChanged> {
        let (before, now) = self.changed.take()?;
        Some(ProfileChanged {
            from_game: before.map(|chosen| chosen.game).into(),
            to_game: Some(now.game).into(),
            decks: now.decks,
            dealing: now.dealing,
            by: now.by,
            ..ProfileChanged::default()
        })
    }

    /// A setting of the clock that has not been published yet.
    pub fn take_setting(&mut self) -> Option<SettingChanged> {
        self.set.take()
    }

    /// The same irregularity with the clause of the game in force; none without a game.
    pub fn with_clause(&self, told: Irregularity) -> Irregularity {
        let basis = self.chosen.and_then(|chosen| {
            let profile = chosen.game.profile();
            profile.basis(self.kind, told.trouble, told.next_step, chosen.dealing)
        });
        Irregularity { clause: Basis::code(basis), ..told }
    }

    fn set_profile(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ProfileStore,
    ) -> Result<(), Refused> {
        if self.in_round {
            return Err(Refused::InRound);
        }
        let at = self.clock.utc_ms(command.now).unwrap_or(0);
        let asked: ProfileSetRequest = command.decode()?;
        let chosen = Chosen::check(self.kind, &asked, command.role, at);
        let chosen = chosen.map_err(|field| reply.blame(field))?;
        store.keep_profile(&chosen).map_err(|_| Refused::StoreFailed)?;
        self.changed = Some((self.chosen.replace(chosen), chosen));
        reply.say(&ProfileSetResponse::default())
    }

    fn set_clock(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut impl ProfileStore,
    ) -> Result<(), Refused> {
        let asked: ClockSetRequest = command.decode()?;
        let (mut clock, by, now) = (self.clock, command.role, command.now);
        let response = clock.set(&asked, by, now)?;
        if let Some(time) = clock.to_keep(now) {
            store.keep_time(&time).map_err(|_| Refused::StoreFailed)?;
            clock.kept(time);
        }
        self.clock = clock;
        let seconds = (response.correction_ms / 1_000).clamp(-0x7FFF, 0x7FFF) as i16;
        let setting = Setting::Clock;
        self.set = Some(SettingChanged { setting, by, seconds, ..SettingChanged::default() });
        reply.say(&response)
    }

    /// Keeps the time of day, about once an hour. What flash does not take is tried in an hour.
    pub fn keep_time(&mut self, now: Instant, store: &mut impl ProfileStore) {
        if let Some(time) = self.clock.to_keep(now) {
            _ = store.keep_time(&time);
            self.clock.kept(time);
        }
    }

    fn attest(&mut self, command: &Command<'_>, reply: &mut Reply) -> Result<(), Refused> {
        let asked: AttestationRequest = command.decode()?;
        let measured = self.attestation.ask(asked.nonce).ok_or(Refused::Busy)?;
        let Measured { length, digest } = measured;
        reply.say(&AttestationResponse {
            image_length: length,
            digest,
            ..AttestationResponse::default()
        })
    }
}

impl<S: ProfileStore> Device<S> for CommonServices {
    fn status_summary(&self) -> StatusSummary {
        StatusSummary {
            game: self.chosen.map(|chosen| chosen.game).into(),
            decks: self.chosen.map_or(0, |chosen| chosen.decks),
            condition: match self.chosen {
                _ if self.lamp_test => Condition::Checking,
                None => Condition::NoProfile,
                Some(_) => Condition::NotInspected,
            },
            activity: Activity::Idle,
            next_step: NextStep::default(),
            cleared_by: Role::Device,
        }
    }

    fn service_switch_closed(&self) -> bool {
        self.service_switch
    }

    fn obey(
        &mut self,
        command: &Command<'_>,
        reply: &mut Reply,
        store: &mut S,
    ) -> Result<(), Refused> {
        match command.service {
            ProfileSetRequest::SERVICE => self.set_profile(command, reply, store),
            ProfileGetRequest::SERVICE => {
                reply.say(&self.chosen.map_or_else(Default::default, |chosen| chosen.answer()))
            }
            ClockSetRequest::SERVICE => self.set_clock(command, reply, store),
            ClockGetRequest::SERVICE => reply.say(&self.clock.answer(self.start, command.now)),
            AttestationRequest::SERVICE => self.attest(command, reply),
            _ => Err(Refused::OutOfTurn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::codec::Object;
    use crate::protocol::generated::croupier::common::Game;
    use crate::store::StoreError;

    struct FullStore;

    impl ProfileStore for FullStore {
        fn keep_profile(&mut self, _: &Chosen) -> Result<(), StoreError> {
            Err(StoreError::Full)
        }

        fn keep_time(&mut self, _: &KeptTime) -> Result<(), StoreError> {
            Err(StoreError::Full)
        }
    }

    /// CM-07: a game that flash did not take is not in force and not published.
    #[test]
    fn cm_07_a_game_that_flash_did_not_take_is_not_in_force() {
        let mut services = CommonServices::new(DeviceKind::Reader, None);
        let (game, decks, seats) = (Game::FreeBet, 6, 6);
        let asked = ProfileSetRequest { game, decks, seats, ..ProfileSetRequest::default() };
        let mut payload = [0; ProfileSetRequest::LONGEST];
        asked.encode(&mut payload).expect("room");
        let (role, service) = (Role::Floorperson, ProfileSetRequest::SERVICE);
        let command = Command::new(role, service, &payload, Instant::START);
        let mut reply = Reply::EMPTY;
        assert_eq!(services.obey(&command, &mut reply, &mut FullStore), Err(Refused::StoreFailed));
        assert_eq!(services.chosen, None);
        assert_eq!(services.take_change(), None);
    }
}
