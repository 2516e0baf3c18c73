//! What the reader lights and publishes because of an action of its machine.

use super::device::Reader;
use super::lamps::Lit;
use super::machine::Action;
use super::{DeviceEvent, Fault};
use crate::node::Refused;
use crate::panel::LampTest;
use crate::protocol::generated::croupier::common::{Role, Trouble};
use crate::protocol::generated::croupier::reader::Reading;

impl Reader {
    /// Lights and publishes what `action` says.
    pub(super) fn act(&mut self, action: Action) -> Result<(), Refused> {
        match action {
            Action::None | Action::Save(_) => {}
            Action::Refuse(why) => return Err(why),
            Action::Armed(round, up_card, by) => self.publish_armed(round, up_card, by),
            Action::Inserted(quick) => {
                self.lit = Lit::NONE;
                self.publish_insertion(true);
                if let Some(since) = quick {
                    self.publish_quick_repeat(since);
                }
            }
            Action::TooSoon => {
                self.lit = Lit::says(Reading::Notice);
                return Err(Refused::OutOfTurn);
            }
            Action::Removed => self.publish_insertion(false),
            Action::Light(word) => self.lit = Lit::says(word),
            Action::CallFloor => self.lit = Lit::says(Reading::CannotRead),
            Action::Publish(word, trouble) => self.publish_verdict(word, trouble),
            Action::Closed(round, by) => {
                self.lit = Lit::NONE;
                self.publish_closed(&round, by);
            }
            Action::SecondQuestion(by) => {
                if by == Role::Device {
                    self.lit = Lit::says(Reading::Notice);
                }
                self.publish_floor(Trouble::SecondQuestion, 0);
                return Err(Refused::OutOfTurn);
            }
            Action::Stop(fault, _) => self.stop(fault),
            Action::Resume(fault) => self.publish_repaired(fault),
        }
        Ok(())
    }

    /// Dark and latched.
    fn stop(&mut self, fault: Fault) {
        self.repaired = None;
        self.lit = Lit::NONE;
        self.test = LampTest::new();
        self.services.lamp_test = false;
        self.publish(DeviceEvent::Irregularity(fault.irregularity()));
        self.end_check_and_lesson();
    }
}
