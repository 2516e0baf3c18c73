//! What people see: the tower light, two lines of text, the lock and the flag.
//!
//! The text says what the rule asks, in words, never a code alone (CM-06). A lamp is never
//! the only cue: each has its words beside it.

use core::fmt::Write;

use heapless::String;

use super::batch::certificate::Certificate;
use super::card_path::event::Beam;
use super::device::{Shuffler, State};
use super::fault::{Cut, Fault, Station};
use crate::panel::KeyEvent;
use crate::protocol::generated::croupier::common::{Dealing, NextStep, Role};
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

impl Shuffler {
    /// What must be shown and locked at `now_ms`.
    pub fn shown(&self, now_ms: u64) -> Shown {
        let shown = self.usual();
        if !self.test.is_running() {
            return shown;
        }
        // All together is what no message looks like; lock and flag stay as they are.
        let lit = self.test.is_lit(now_ms);
        let lines = [line("LAMP TEST"), shown.lines[1].clone()];
        Shown { green: lit, amber: lit, red: lit, blinks: false, lines, ..shown }
    }

    /// The lamp-test key.
    pub fn lamp_test(&mut self, event: KeyEvent, now_ms: u64) {
        self.test = self.test.after(event, now_ms);
        self.services.lamp_test = self.test.is_running();
    }

    fn usual(&self) -> Shown {
        let stopped = match self.state() {
            State::Stopped(fault) => Some(fault),
            _ => None,
        };
        let certified = self.ledger().certificate.certified().is_some();
        let waiting = matches!(self.state(), State::Ready | State::Stored);
        let busy = self.state().is_busy();
        Shown {
            green: busy
                || certified
                || (self.state() == State::Idle && self.batch_total().is_some()),
            amber: stopped.is_none() && waiting && !certified,
            red: stopped.is_some(),
            blinks: busy,
            lines: self.text(),
            door_locked: self.is_locked(),
            out_of_order: stopped.is_some_and(Fault::is_grave),
        }
    }

    /// Locked whenever cards move, wait for a release, or must not be had (SH-08).
    fn is_locked(&self) -> bool {
        match self.state() {
            State::Idle | State::Releasing => false,
            // Stuck cards would be torn; a wrong deck is for the floorperson to take.
            State::Stopped(fault) => {
                fault.cleared_by() != Role::Dealer || self.path.is_blocked(Beam::Exit)
            }
            _ => true,
        }
    }

    fn text(&self) -> [Line; 2] {
        let (phase, pass, done, total) = self.progress();
        match self.state() {
            State::Idle => [line("READY"), self.idle_words()],
            State::Homing => [line("STARTING"), line("wheel finds its home")],
            State::Emptying(sweep) => {
                [line("EMPTYING"), words(format_args!("{} cards brought out", sweep.brought()))]
            }
            State::Drawing => [line("SHUFFLING"), line("order is drawn")],
            State::Cycling => {
                let name = if phase == Phase::Counting { "COUNTING" } else { "SHUFFLING" };
                [line(name), words(format_args!("pass {pass}: {done} of {total}"))]
            }
            State::Ready | State::Stored => self.waiting_words(),
            State::Releasing => [line("TAKE CARDS"), line("then shut the door")],
            State::Circulating => self.circulating_words(),
            State::Stopped(fault) => [self.trouble_words(fault), self.step_words(fault)],
        }
    }

    fn idle_words(&self) -> Line {
        match (self.profile(), self.batch_total()) {
            (Some(profile), Some(total)) => {
                words(format_args!("{}: {total} cards", profile.chapter))
            }
            _ => line("no game set: call floor"),
        }
    }

    fn waiting_words(&self) -> [Line; 2] {
        let Some(receipt) = self.receipt() else { return [line("CARDS INSIDE"), line("")] };
        let found = receipt.tally.ejected;
        let second = match (self.ledger().certificate, receipt.purpose) {
            (Certificate::Issued(_), _) if self.state() == State::Stored => "shuffled, stored",
            (Certificate::Issued(_), _) => "shuffled",
            (_, Purpose::PartialBatch) => "partial, this round only",
            _ => "NOT SHUFFLED",
        };
        let first = match receipt.expected {
            Some(expected) => words(format_args!("COUNT {found}/{expected} OK")),
            None => words(format_args!("COUNT {found}")),
        };
        [first, line(second)]
    }

    fn circulating_words(&self) -> [Line; 2] {
        let Some(continuous) = self.circulation() else { return [line(""), line("")] };
        let inventory = continuous.inventory();
        let second = words(format_args!("in {} out {}", inventory.inside, inventory.out));
        [line("CONTINUOUS"), second]
    }

    fn trouble_words(&self, fault: Fault) -> Line {
        let total = self.receipt().and_then(|receipt| receipt.expected).unwrap_or(0);
        match fault {
            Fault::WrongCount(found) if found < total => {
                words(format_args!("COUNT {found} - MISSING {}", total - found))
            }
            Fault::WrongCount(found) => {
                words(format_args!("COUNT {found} - EXTRA {}", found.saturating_sub(total)))
            }
            Fault::ForeignBack(place) => words(format_args!("WRONG BACK, CARD {place}")),
            Fault::FaceUp(cards) => words(format_args!("{cards} FACE UP")),
            Fault::InventoryWrong(cards) => words(format_args!("INVENTORY WRONG: {cards}")),
            fault => line(plain_words(fault)),
        }
    }

    fn step_words(&self, fault: Fault) -> Line {
        let hand = self.services.chosen.is_some_and(|chosen| chosen.dealing == Dealing::Hand);
        match fault.next_step(self.profile()) {
            // Without a shuffler nobody may deal from the hand (SH-24).
            NextStep::CoverOrSign if hand => line("COVER; NO HAND DEALING"),
            NextStep::CoverOrSign => line("OUT OF ORDER: COVER/SIGN"),
            NextStep::Reshuffle if !self.is_surely_empty() => line("reshuffle; cards inside"),
            NextStep::Reshuffle => line("reshuffle"),
            NextStep::RemoveDeck => line("remove deck: call floor"),
            NextStep::ChangeDeck => line("change deck: call floor"),
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
    words(format_args!("{text}"))
}

/// Text that is too long ends where the line does.
fn words(text: core::fmt::Arguments<'_>) -> Line {
    struct Cut(Line);
    impl Write for Cut {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            for letter in text.chars() {
                self.0.push(letter).map_err(|_| core::fmt::Error)?;
            }
            Ok(())
        }
    }
    let mut cut = Cut(Line::new());
    let _ = cut.write_fmt(text); // what fits is there
    cut.0
}
