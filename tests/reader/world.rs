//! The world around a reader: what lies in the nest, what is broken, and who watches.

use std::cell::RefCell;
use std::rc::Rc;

use croupier::cards::{Rank, Size};
use croupier::protocol::generated::croupier::common::Game;
use croupier::reader::nest::Beams;
use croupier::reader::ports::{Eye, Key, Keys, Lamps, NestBeams, Sight};
use croupier::reader::recognise::{Answer, Brand, Judgement, Question, Window};
use croupier::reader::{Fault, Label, Lit};
use croupier::time::Instant;

/// What can lie in the nest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// A card of the taught brand, face down, the right way.
    Card(Rank),
    /// A joker, a back, a blank, the cover card, a foreign brand, two cards, a card that moves.
    Unreadable,
}

/// The test cards of the gaming-day check.
pub const TEST_CARDS: [Thing; 9] = [
    Thing::Card(Rank::Ace),
    Thing::Card(Rank::Five),
    Thing::Card(Rank::Six),
    Thing::Card(Rank::Nine),
    Thing::Card(Rank::Ten),
    Thing::Card(Rank::King),
    Thing::Unreadable,
    Thing::Unreadable,
    Thing::Unreadable,
];

/// One observation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The lamps changed.
    Lamps(u8),
    /// The eye looked.
    Look,
    /// Bytes on the serial link.
    Serial(Vec<u8>),
    /// A frame on the bus.
    Frame(Vec<u8>),
}

pub struct State {
    pub now: Instant,
    pub thing: Option<Thing>,
    pub beams: Beams,
    /// A beam that never sees anything: 0 hood, 1 near, 2 far.
    pub dead_beam: Option<u8>,
    pub keys: [bool; Key::ALL.len()],
    pub lit: Lit,
    pub dead_lamps: u8,
    pub stuck_lamps: u8,
    /// Two lamps whose places were swapped: the read-back does not see it.
    pub swapped: Option<(u8, u8)>,
    /// The game on the table's sign.
    pub sign: Game,
    /// The program in flash.
    pub image: Vec<u8>,
    pub window: Window,
    /// What is printed on something stuck over the lens.
    pub overlay: Option<Rank>,
    pub scan: Option<Fault>,
    pub brand: Result<Option<Label>, Fault>,
    /// Whether `keep` works.
    pub keeps: bool,
    pub looks: usize,
    pub learnt: usize,
    made_steps: u8,
    /// How often a brand was to be kept.
    pub kept: usize,
    pub trace: Vec<(Instant, Line)>,
}

/// Everything around the reader, shared by its ports.
#[derive(Clone)]
pub struct World(pub Rc<RefCell<State>>);

/// The image that the laboratory has approved.
pub const APPROVED: [u8; 600] = [0x5A; 600];

pub const OLD: Label = Label { id: 7, hash: [7; 32] };

impl Default for World {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(State {
            now: Instant::START,
            thing: None,
            beams: Beams::CLEAR,
            dead_beam: None,
            keys: [false; Key::ALL.len()],
            lit: Lit::NONE,
            dead_lamps: 0,
            stuck_lamps: 0,
            swapped: None,
            sign: Game::None,
            image: APPROVED.to_vec(),
            window: Window::Clean,
            overlay: None,
            scan: None,
            brand: Ok(Some(OLD)),
            keeps: true,
            looks: 0,
            learnt: 0,
            made_steps: 0,
            kept: 0,
            trace: Vec::new(),
        })))
    }
}

impl World {
    pub fn lit(&self) -> Lit {
        self.0.borrow().lit
    }

    pub fn note(&self, line: Line) {
        let state = &mut *self.0.borrow_mut();
        state.trace.push((state.now, line));
    }

    /// The lamps went dark, and nothing was pressed.
    pub fn switched_off(self) -> Self {
        self.0.borrow_mut().lit = Lit::NONE;
        self
    }

    /// Looks: the rank that is seen, if any, or why nothing is.
    fn look(&self) -> Result<Option<Rank>, Fault> {
        self.note(Line::Look);
        let state = &mut *self.0.borrow_mut();
        state.looks += 1;
        let lying = match state.thing {
            Some(Thing::Card(rank)) => Some(rank),
            _ => None,
        };
        state.scan.map_or(Ok(state.overlay.or(lying)), Err)
    }
}

/// What a perfect eye answers.
pub fn answer(rank: Option<Rank>, question: Question) -> Answer {
    let Some(rank) = rank else { return Answer::CannotRead };
    let yes = |is| if is { Answer::Yes } else { Answer::No };
    match (question, rank.size()) {
        (Question::Ace, _) => yes(rank.is_ace()),
        (Question::TenValue, _) => yes(rank.is_ten_value()),
        (Question::Range, Size::Small) => Answer::Small,
        (Question::Range, Size::Medium) => Answer::Medium,
        (Question::Range, Size::Large) => Answer::Large,
    }
}

impl Eye for World {
    /// Its brands are labels only, so there is nothing to load or keep.
    fn take_up(
        &mut self,
        _: impl FnOnce(&mut Option<Brand>) -> Result<(), Fault>,
    ) -> Result<Option<Label>, Fault> {
        self.0.borrow().brand
    }

    async fn read(&mut self, question: Question, tens: bool) -> Result<Sight, Fault> {
        let rank = self.look()?;
        let foreign = !tens && rank == Some(Rank::Ten);
        let reading = Judgement { answer: answer(rank, question), foreign };
        Ok(Sight { reading, window: self.0.borrow().window })
    }

    async fn examine(&mut self, expected: Option<Rank>) -> Result<bool, Fault> {
        Ok(self.look()? == expected)
    }

    async fn window(&mut self) -> Result<Window, Fault> {
        let state = self.0.borrow();
        state.scan.map_or(Ok(state.window), Err)
    }

    async fn learn(&mut self, rank: Rank, first: bool) -> Result<bool, Fault> {
        let seen = self.look()?;
        let state = &mut *self.0.borrow_mut();
        state.learnt = if first { 0 } else { state.learnt } + usize::from(seen == Some(rank));
        Ok(seen == Some(rank))
    }

    fn make(&mut self, _: u16) -> Option<bool> {
        let state = &mut *self.0.borrow_mut();
        // In a few steps, as the real one.
        state.made_steps = (state.made_steps + 1) % 4;
        (state.made_steps == 0).then_some(state.learnt == 52)
    }

    async fn prove(&mut self, rank: Rank) -> Result<bool, Fault> {
        Ok(self.look()? == Some(rank))
    }

    fn keep(&mut self, _: impl FnOnce(&Brand) -> Result<(), Fault>) -> Result<Label, Fault> {
        let new = Label { id: 9, hash: [9; 32] };
        let state = &mut *self.0.borrow_mut();
        state.kept += 1;
        if state.keeps {
            state.brand = Ok(Some(new));
            return Ok(new);
        }
        Err(Fault::Store)
    }
}

impl Lamps for World {
    fn show(&mut self, lit: Lit) -> Lit {
        let mut state = self.0.borrow_mut();
        let driven = Lit::from_bits(lit.bits() & !state.dead_lamps | state.stuck_lamps);
        let seen = match state.swapped {
            Some((a, b)) if driven == Lit::place(a) => Lit::place(b),
            Some((a, b)) if driven == Lit::place(b) => Lit::place(a),
            _ => driven,
        };
        let changed = seen != state.lit;
        state.lit = seen;
        drop(state);
        if changed {
            self.note(Line::Lamps(seen.bits()));
        }
        driven
    }
}

impl NestBeams for World {
    fn sample(&mut self) -> Beams {
        let state = self.0.borrow();
        let sees = |beam| state.dead_beam != Some(beam);
        Beams {
            hood: state.beams.hood && sees(0),
            near: state.beams.near && sees(1),
            far: state.beams.far && sees(2),
        }
    }
}

impl Keys for World {
    fn is_down(&mut self, key: Key) -> bool {
        self.0.borrow().keys[key as usize]
    }
}
