//! The teaching of a brand as the reader goes through it: old brand or new, never half.

use super::Teaching;
use crate::node::Refused;
use crate::protocol::generated::croupier::common::Role;
use crate::protocol::generated::croupier::reader::{
    Lesson, Taught, TeachAction, TeachRequest, TeachResponse,
};
use crate::reader::device::Reader;
use crate::reader::{DeviceEvent, Fault, Label};

impl Reader {
    /// Obeys a supervisor who teaches.
    pub(in crate::reader) fn teach(
        &mut self,
        asked: &TeachRequest,
        by: Role,
    ) -> Result<(), Refused> {
        match asked.action {
            TeachAction::Look => Ok(()),
            _ if !matches!(by, Role::Floorperson | Role::Service) => Err(Refused::NotAuthorised),
            TeachAction::Begin => self.begin_lesson(asked.brand, by),
            TeachAction::Next => self.next_card(),
            TeachAction::Leave if self.teaching.is_some() => {
                self.end_lesson(Lesson::Left);
                Ok(())
            }
            TeachAction::Leave => Err(Refused::OutOfTurn),
        }
    }

    fn begin_lesson(&mut self, brand: u32, by: Role) -> Result<(), Refused> {
        let Some(brand) = u16::try_from(brand).ok().filter(|brand| *brand != 0) else {
            return Err(Refused::OutOfRange);
        };
        match self.fault() {
            // A lost brand is mended by teaching one; then the check clears the fault.
            Some(Fault::Brand) if by == Role::Service => {}
            Some(_) => return Err(Refused::Malfunction),
            None => {}
        }
        if self.machine.in_round() {
            return Err(Refused::InRound);
        }
        if self.check.is_some() || self.teaching.is_some() || self.services.lamp_test {
            return Err(Refused::OutOfTurn);
        }
        self.teaching = Some(Teaching::begin(brand));
        self.fresh_card = false;
        self.busy_in_round();
        self.publish_lesson();
        Ok(())
    }

    fn next_card(&mut self) -> Result<(), Refused> {
        let home = self.fresh_card;
        let taken = self.teaching.as_mut().is_some_and(|teaching| home && teaching.next());
        if taken { Ok(()) } else { Err(Refused::OutOfTurn) }
    }

    /// The card was looked at, to be learnt or proven.
    pub(in crate::reader) fn looked(&mut self, fine: bool) {
        // A look that a lesson before this one had asked for says nothing.
        let Some(teaching) = self.teaching.filter(Teaching::wants_look) else { return };
        match teaching.looked(fine) {
            Some(teaching) => {
                self.teaching = Some(teaching);
                self.publish_lesson();
            }
            None => self.end_lesson_as_failed(),
        }
    }

    /// Whether a brand could be made of what was learnt.
    pub(in crate::reader) fn made(&mut self, fine: bool) {
        match self.teaching {
            Some(teaching) if fine => {
                self.teaching = Some(teaching.made());
                self.publish_lesson();
            }
            _ => self.end_lesson_as_failed(),
        }
    }

    /// The proven brand is kept. It is inspected before it answers.
    pub(in crate::reader) fn use_brand(&mut self, brand: Label) {
        self.brand = Some(brand);
        self.end_lesson(Lesson::InUse);
    }

    pub(in crate::reader) fn end_lesson_as_failed(&mut self) {
        if self.teaching.is_some() {
            self.end_lesson(Lesson::Failed);
        }
    }

    fn end_lesson(&mut self, how: Lesson) {
        self.teaching = None;
        self.last_lesson = how;
        self.busy_in_round();
        self.publish_lesson();
    }

    fn lesson(&self) -> (Lesson, u16, u16) {
        self.teaching.map_or((self.last_lesson, 0, 0), |teaching| teaching.progress())
    }

    fn publish_lesson(&mut self) {
        let (lesson, shown, wanted) = self.lesson();
        self.publish(DeviceEvent::Taught(Taught { lesson, shown, wanted, ..Taught::default() }));
    }

    /// What `Teach` answers.
    pub(in crate::reader) fn lesson_response(&self) -> TeachResponse {
        let (lesson, shown, wanted) = self.lesson();
        TeachResponse {
            lesson,
            shown,
            wanted,
            brand: self.brand.map_or(0, |label| label.id.into()),
            brand_hash: self.brand.map_or([0; 32], |label| label.hash),
            ..TeachResponse::default()
        }
    }
}
