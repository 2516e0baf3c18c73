//! What people see: the tower light, two lines of text, the lock and the flag.
//!
//! The text says in words what the rule asks, never by a code alone (CM-06). Whatever a lamp
//! says is in the text too.

use heapless::String;

use super::batch::certificate::Certificate;
use super::card_path::event::{Beam, Contact};
use super::cycle::Cycle;
use super::fault::{Cut, Fault, Station};
use super::machine::{Machine, Moment, State};
use super::model::Model;
use crate::cards::BackColour;
use crate::protocol::generated::croupier::common::NextStep;
use crate::protocol::generated::croupier::shuffler::{Phase, Purpose};

/// Characters in a line of the display.
pub const COLUMNS: usize = 24;

/// A line of the display.
pub type Line = String<COLUMNS>;

/// What is shown and locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Ready, or working.
    pub green: bool,
    /// Advice, or cards that are not for play.
    pub amber: bool,
    /// Stop: the text says what the rule asks for.
    pub red: bool,
    /// The lamp blinks.
    pub blinks: bool,
    /// The text.
    pub lines: [Line; 2],
    /// The door of the delivery tray is locked.
    pub door_locked: bool,
    /// The flag that stays when power goes: out of order (SH-23).
    pub out_of_order: bool,
}

impl Shown {
    /// The same during a lamp test. No state lights all lamps together; lock and flag stay as
    /// they are.
    pub(super) fn in_lamp_test(self, lit: bool) -> Self {
        let [_, second] = self.lines;
        let lines = [line("LAMP TEST"), second];
        Self { green: lit, amber: lit, red: lit, blinks: false, lines, ..self }
    }
}

impl Machine {
    /// What must be shown and locked at this moment.
    pub fn shown(&self, moment: &Moment) -> Shown {
        let lacks = self.lacks_now(moment).filter(|_| self.state == State::Idle);
        let stopped = match self.state {
            State::Stopped(fault) => Some(fault),
            _ => None,
        };
        let certified = self.record.certificate.certified().is_some();
        let waiting = self.waits();
        let busy = self.state.is_busy();
        Shown {
            green: busy
                || certified
                || (self.state == State::Idle
                    && moment.batch_total().is_some()
                    && lacks.is_none()
                    && !self.says_not_shuffled()),
            amber: (stopped.is_none() && waiting && !certified)
                || lacks.is_some()
                || self.says_not_shuffled(),
            red: stopped.is_some(),
            blinks: busy,
            lines: self.text(lacks, moment),
            door_locked: self.is_locked(),
            out_of_order: stopped.is_some_and(Fault::is_grave),
        }
    }

    /// What must be done before a batch can be shuffled (SH-40).
    fn lacks_now(&self, moment: &Moment) -> Option<Fault> {
        let purpose = match self.model {
            Model::Continuous => Purpose::Continuous,
            Model::SingleDeck | Model::MultiDeck => Purpose::FullBatch,
        };
        self.lacks(purpose, None, moment)
    }

    fn text(&self, lacks: Option<Fault>, moment: &Moment) -> [Line; 2] {
        let (phase, pass, done, total) = self.progress();
        match self.state {
            State::Idle if self.says_not_shuffled() => {
                [line("NOT SHUFFLED"), line("shuffle before play")]
            }
            State::Idle => match lacks {
                Some(fault) => [self.trouble_words(fault), self.step_words(fault, moment)],
                None => [line("READY"), self.idle_words(moment)],
            },
            State::Homing => [line("STARTING"), line("wheel finds its home")],
            State::Looking(_) => [line("CHECKING"), line("is the wheel empty?")],
            State::Emptying(_) if self.running().is_some() => {
                [line("EMPTYING"), line("a card is inside")]
            }
            State::Emptying(sweep) => {
                [line("EMPTYING"), words(&[&digits(sweep.brought()), " cards brought out"])]
            }
            State::Drawing => [line("SHUFFLING"), line("order is drawn")],
            State::Cycling => {
                let name = if phase == Phase::Counting { "COUNTING" } else { "SHUFFLING" };
                if self.running().is_some_and(Cycle::comes_out) {
                    return [line(name), line("cards come out")];
                }
                let [pass, done, total] = [pass.into(), done, total].map(digits);
                [line(name), words(&["pass ", &pass, ": ", &done, " of ", &total])]
            }
            State::Ready | State::Stored => self.waiting_words(moment),
            State::Releasing if self.says_not_shuffled() => {
                [line("NOT SHUFFLED"), line("take cards, shut door")]
            }
            State::Releasing => [line("TAKE CARDS"), line("then shut the door")],
            State::Circulating => self.circulating_words(),
            State::Stopped(fault) => [self.trouble_words(fault), self.step_words(fault, moment)],
        }
    }

    fn waiting_words(&self, moment: &Moment) -> [Line; 2] {
        let Some(receipt) = self.receipt else { return [line("CARDS INSIDE"), line("")] };
        let certified = self.record.certificate.certified();
        let rules = moment.rules(self.model.kind());
        if let (Some(certified), Some(rules)) = (certified, rules)
            && self.contact(Contact::FeedLoaded)
            && self.batches.is_early(certified.colour, &rules)
        {
            // A short shoe, or a floorperson's shuffle (SH-28).
            return [line("HAND SHUFFLE, OR FLOOR"), line("releases stored batch")];
        }
        if let (State::Stored, Some(certified)) = (self.state, certified) {
            return [
                words(&["STORED, COUNT ", &digits(certified.cards)]),
                self.stored_words(moment),
            ];
        }
        let found = receipt.tally.ejected;
        let second = match (self.record.certificate, receipt.purpose) {
            (Certificate::Issued(_), _) => "shuffled",
            (_, Purpose::PartialBatch) => "partial, this round only",
            _ => "NOT SHUFFLED",
        };
        let first = match receipt.expected {
            Some(expected) => words(&["COUNT ", &digits(found), "/", &digits(expected), " OK"]),
            None => words(&["COUNT ", &digits(found)]),
        };
        [first, line(second)]
    }

    /// Whether the stored batch may be dealt as it is (SH-25).
    fn stored_words(&self, moment: &Moment) -> Line {
        let certificate = &self.record.certificate;
        let unspread =
            moment.profile().is_some_and(|profile| certificate.may_be_dealt_unspread(profile));
        line(if unspread { "may be dealt unspread" } else { "spread before use" })
    }

    fn circulating_words(&self) -> [Line; 2] {
        let Some(continuous) = &self.continuous else { return [line(""), line("")] };
        let inventory = continuous.inventory();
        let second = words(&["in ", &digits(inventory.inside), " out ", &digits(inventory.out)]);
        [line("CONTINUOUS"), second]
    }

    fn idle_words(&self, moment: &Moment) -> Line {
        let rules = moment.rules(self.model.kind());
        match (rules, moment.batch_total()) {
            (Some(rules), Some(total)) => match self.batches.missing(&rules) {
                Some(BackColour::Red) => line("red batch is missing"),
                Some(BackColour::Blue) => line("blue batch is missing"),
                None => match rules.profile.round().and_then(|round| self.stub_due(round)) {
                    Some(NextStep::CountCards) => line("count all cards by hand"),
                    Some(_) => line("count stub by hand"),
                    None => words(&[rules.profile.chapter, ": ", &digits(total), " cards"]),
                },
            },
            _ => line("no game set: call floor"),
        }
    }

    fn trouble_words(&self, fault: Fault) -> Line {
        let total = self.receipt.and_then(|receipt| receipt.expected).unwrap_or(0);
        match fault {
            Fault::WrongCount(found) => {
                let what = if found < total { " - MISSING " } else { " - EXTRA " };
                words(&["COUNT ", &digits(found), what, &digits(found.abs_diff(total))])
            }
            Fault::ForeignBack(place) => words(&["WRONG BACK, CARD ", &digits(place)]),
            Fault::FaceUp(cards) => words(&[&digits(cards), " FACE UP"]),
            Fault::InventoryWrong(cards) => words(&["INVENTORY WRONG: ", &digits(cards)]),
            fault => line(plain_words(fault)),
        }
    }

    fn step_words(&self, fault: Fault, moment: &Moment) -> Line {
        let hand = moment.chosen.is_some_and(|chosen| chosen.may_be_dealt_by_hand());
        match fault.next_step(moment.profile()) {
            NextStep::Reshuffle if self.lacks_now(moment) == Some(Fault::ClockUnset) => {
                line("set the clock, reshuffle")
            }
            NextStep::Reshuffle if self.lacks_now(moment).is_some() => {
                line("open batch, reshuffle")
            }
            // Dealing from the hand needs a shuffler that works (SH-24).
            NextStep::CoverOrSign if hand => line("COVER; NO HAND DEALING"),
            NextStep::CoverOrSign => line("OUT OF ORDER: COVER/SIGN"),
            NextStep::Reshuffle if !self.is_surely_empty() => line("reshuffle; cards inside"),
            NextStep::Reshuffle => line("reshuffle"),
            NextStep::CountStub => line("count stub; reshuffle"),
            NextStep::RemoveDeck => line("remove deck: call floor"),
            NextStep::ChangeDeck => line("change deck: call floor"),
            NextStep::SetClock => line("set the clock: floor"),
            NextStep::OpenBatch => line("open the batch: floor"),
            _ => line("call floor"),
        }
    }
}

const fn plain_words(fault: Fault) -> &'static str {
    match fault {
        Fault::Jam(Station::Mouth) => "JAM AT FEED",
        Fault::Jam(Station::Throat) | Fault::Overrun => "JAM BEFORE WHEEL",
        Fault::Jam(Station::Exit) => "JAM AT EXIT",
        Fault::Jam(Station::Diverter) => "JAM AT DIVERTER",
        Fault::DoubleFeed => "CARDS STICK TOGETHER",
        Fault::NoPick => "CARDS STUCK IN TRAY",
        Fault::Stall(_) => "WHEEL BLOCKED",
        Fault::Unanswered => "MOTOR DOES NOT ANSWER",
        Fault::Interrupted(Cut::Power) => "POWER FAILED",
        Fault::Interrupted(Cut::Lid) => "LID OPENED",
        Fault::Interrupted(Cut::Door) => "DOOR OPENED",
        Fault::Interrupted(Cut::Stopped) => "STOPPED",
        Fault::CountNotValid => "COUNT NOT VALID",
        Fault::SameBatchAgain => "SAME BATCH AGAIN",
        Fault::CoverCards => "TAKE OUT COVER CARDS",
        Fault::DeckLifeOver => "DECK TOO OLD",
        Fault::ClockUnset => "CLOCK IS NOT SET",
        Fault::BatchNotOpened => "BATCH NOT OPENED",
        Fault::Sensor(Beam::Slot) => "CLEAN THE SLOT BEAM",
        Fault::Sensor(_) => "SENSOR FAULT",
        Fault::Random(_) => "RANDOM SOURCE FAULT",
        Fault::Store => "MEMORY FAULT",
        Fault::TooManyFaults => "TOO MANY FAULTS",
        Fault::WrongCount(_)
        | Fault::ForeignBack(_)
        | Fault::FaceUp(_)
        | Fault::InventoryWrong(_) => "",
    }
}

fn line(text: &str) -> Line {
    words(&[text])
}

/// Text that is too long ends where the line does. Without `core::fmt`, which takes three KiB of
/// flash for lines like these.
#[inline(never)] // called from many places
fn words(parts: &[&str]) -> Line {
    let mut line = Line::new();
    for part in parts {
        let room = COLUMNS - line.len();
        let _ = line.push_str(part.get(..room).unwrap_or(part)); // what fits is there
    }
    line
}

/// A number as it is written.
#[inline(never)] // called from many places
fn digits(number: u16) -> String<5> {
    let mut digits = if number < 10 { String::new() } else { digits(number / 10) };
    let _ = digits.push(char::from(b'0' + (number % 10) as u8)); // 65535 has five
    digits
}
