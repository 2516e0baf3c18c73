//! What devices do at a table, played in their own time.

use croupier::cards::{BackColour, Rank, Suit};
use croupier::paigow::ROUND_AT_LEAST;
use croupier::protocol::codec::Event;
use croupier::protocol::generated::croupier::common::{
    AttestationRequest, ClockSetRequest, Game, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::generated::croupier::shuffler::{
    Certificate, CertificateState, CommandRequest, Purpose, Task,
};
use croupier::protocol::generated::croupier::{paigow, reader, shuffler};
use croupier::time::Millis;

use super::Lockstep;
use crate::error::{BenchError, Result};
use crate::nest::{self, cards};
use crate::world::shuffler::pack;

/// A cycle of a deck takes less.
const CYCLE: Millis = Millis::from_secs(120);
/// So does everything else.
const EVENT: Millis = Millis::from_secs(10);
/// How long a card that was moved needs to rest.
const CARD_SETTLING: Millis = Millis::new(nest::SETTLING.as_millis() as u64);

impl Lockstep {
    /// Waits for the device and sets it up to be played with: clock, game, cards.
    pub fn set_up(&mut self, device: &str) -> Result<()> {
        self.until_known()?;
        let utc_ms = nest::INSPECTED_MS + 60_000;
        let clock = ClockSetRequest { utc_ms, ..ClockSetRequest::default() };
        self.asked("the time", Role::Service, &clock)?;
        match device {
            "shuffler" => {
                self.set_game(Game::FlopPoker)?;
                let batch = shuffler::Batch::Second;
                let opened = shuffler::BatchOpenedRequest { batch, decks: 1, ..Default::default() };
                self.asked("a new deck", Role::Floorperson, &opened)?;
                self.hands(|mechanism, now| mechanism.load_new(pack(52, BackColour::Blue), now))?;
            }
            "paigow" => self.set_game(Game::SixCardFortunePaiGow)?,
            _ => nest::lay(self.guest.folder(), &cards::card(Rank::King, Suit::Hearts, 7))?,
        }
        Ok(())
    }

    /// One piece of the device's work: a shuffle, a peek, a draw. `round` counts them.
    pub fn work(&mut self, device: &str, round: u16) -> Result<()> {
        match device {
            "shuffler" => self.shuffle(),
            "paigow" => self.draw(round),
            _ => self.peek(round),
        }
    }

    /// Sets the game.
    pub fn set_game(&mut self, game: Game) -> Result<()> {
        let profile = ProfileSetRequest { game, decks: 1, seats: 6, ..Default::default() };
        self.asked("its game", Role::Floorperson, &profile)
    }

    /// A whole shuffle; the stack is dealt and lies in the feed tray again.
    pub fn shuffle(&mut self) -> Result<()> {
        self.shuffle_to_certificate()?;
        self.release()
    }

    /// A shuffle up to its certificate.
    pub fn shuffle_to_certificate(&mut self) -> Result<()> {
        self.start_shuffle()?;
        let mark = self.reports.len();
        let certificate = self.await_event::<Certificate>("the certificate", mark, CYCLE)?;
        assert_eq!(certificate.state, CertificateState::Issued, "not certified");
        Ok(())
    }

    /// The stack is released, taken, dealt, and lies in the feed tray again.
    pub fn release(&mut self) -> Result<()> {
        self.command(Task::Release, Purpose::None)?;
        self.hands(|mechanism, now| mechanism.door(true, now))?;
        let stack = self.hands(|mechanism, now| mechanism.take_delivery(now))?.unwrap_or_default();
        self.hands(|mechanism, now| mechanism.door(false, now))?;
        self.hands(|mechanism, now| mechanism.load_from_table(&stack, now)).map(drop)
    }

    /// Starts a shuffle.
    pub fn start_shuffle(&mut self) -> Result<()> {
        self.command(Task::Start, Purpose::FullBatch)
    }

    fn command(&mut self, task: Task, purpose: Purpose) -> Result<()> {
        let request = CommandRequest { task, purpose, ..CommandRequest::default() };
        self.asked("a task", Role::Dealer, &request)
    }

    /// A peek: the card slides in, the verdict comes, the card goes.
    pub fn peek(&mut self, round: u16) -> Result<()> {
        let up_card = reader::UpCard::Ace;
        let arm = reader::ArmRequest { round, up_card, ..Default::default() };
        self.asked("a peek", Role::Controller, &arm)?;
        let mark = self.reports.len();
        self.slide_in()?;
        let verdict = self.await_event::<reader::Verdict>("the verdict", mark, EVENT)?;
        assert_eq!((verdict.round, verdict.reading), (round, reader::Reading::Blackjack));
        self.pull_out()?;
        let end = reader::RoundEndRequest { round, ..Default::default() };
        self.asked("the round's end", Role::Controller, &end)
    }

    /// Slides in what is laid under the window.
    pub fn slide_in(&mut self) -> Result<()> {
        for beam in ["hood", "near", "far"] {
            self.hold(beam, true)?;
            self.run(CARD_SETTLING)?;
        }
        self.hold("hood", false)
    }

    /// Takes it out.
    pub fn pull_out(&mut self) -> Result<()> {
        self.hold("near", false)?;
        self.hold("far", false)?;
        self.run(CARD_SETTLING)
    }

    /// A step of a lesson, and its end without a result.
    pub fn teach_one(&mut self) -> Result<()> {
        let teach = |action| reader::TeachRequest { action, brand: 9, ..Default::default() };
        self.asked("a lesson", Role::Floorperson, &teach(reader::TeachAction::Begin))?;
        let mark = self.reports.len();
        self.slide_in()?;
        self.run(CARD_SETTLING)?;
        self.asked("a card", Role::Floorperson, &teach(reader::TeachAction::Next))?;
        self.await_event::<reader::Taught>("the lesson's next step", mark, EVENT)?;
        self.pull_out()?;
        self.asked("its end", Role::Floorperson, &teach(reader::TeachAction::Leave))
    }

    /// A draw of the first player to be dealt to.
    pub fn draw(&mut self, round: u16) -> Result<()> {
        for signal in [paigow::Signal::ShuffleComplete, paigow::Signal::BetsClosed] {
            let arm = paigow::ArmRequest { round, signal, ..Default::default() };
            self.asked("a signal", Role::Controller, &arm)?;
        }
        let mark = self.reports.len();
        self.tap("draw")?;
        let number = self.await_event::<paigow::Number>("the number", mark, EVENT)?;
        assert_eq!(number.round, round);
        self.run(ROUND_AT_LEAST)?;
        let end = paigow::RoundEndRequest { round, ..Default::default() };
        self.asked("the round's end", Role::Dealer, &end)
    }

    /// Has the device prove its image.
    pub fn attest(&mut self) -> Result<()> {
        let request = AttestationRequest { nonce: [0x5a; 32], ..Default::default() };
        loop {
            match self.ask(Role::Controller, &request)?.0 {
                Outcome::Busy => self.run(Millis::new(100))?,
                outcome => return accepted("an attestation", outcome),
            }
        }
    }

    /// Goes on until the event was published after `mark`.
    pub fn await_event<E: Event>(&mut self, what: &str, mark: usize, longest: Millis) -> Result<E> {
        self.until(what, longest, |it| {
            it.reports.iter().skip(mark).find_map(|report| report.event::<E>())
        })
    }

    fn asked<R>(&mut self, what: &str, role: Role, request: &R) -> Result<()>
    where
        R: croupier::protocol::codec::Request + croupier::protocol::codec::Sealed,
    {
        accepted(what, self.ask(role, request)?.0)
    }
}

fn accepted(asked: &str, outcome: Outcome) -> Result<()> {
    if outcome == Outcome::Accepted {
        return Ok(());
    }
    let (tool, answer) = ("the device", format!("{outcome:?}"));
    Err(BenchError::Refused { tool, asked: asked.into(), answer })
}
