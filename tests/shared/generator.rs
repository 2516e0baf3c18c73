//! The parts of a generator that can break: its display, its source of numbers, its keys.

use std::cell::RefCell;
use std::num::NonZeroU8;
use std::rc::Rc;

use croupier::paigow::ports::{Display, Key, Keys, Numbers};
use croupier::paigow::{Fault, Segments};

/// What the table sees, and what is wrong with the display.
#[derive(Default)]
pub struct DisplayState {
    pub seen: Segments,
    pub dead: u8,
    pub stuck: u8,
    /// Every different number that was ever seen, in order.
    pub numbers: Vec<u8>,
    /// Whether everything was ever lit together: the lamp test.
    pub tested: bool,
}

/// A display.
#[derive(Clone, Default)]
pub struct SharedDisplay(pub Rc<RefCell<DisplayState>>);

impl SharedDisplay {
    pub fn number(&self) -> Option<u8> {
        self.0.borrow().seen.number().map(NonZeroU8::get)
    }

    pub fn is_dark(&self) -> bool {
        self.0.borrow().seen == Segments::NONE
    }
}

impl Display for SharedDisplay {
    fn show(&mut self, lit: Segments) -> Segments {
        let state = &mut *self.0.borrow_mut();
        let seen = Segments::from_bits(lit.bits() & !state.dead | state.stuck);
        if seen != state.seen
            && let Some(number) = seen.number()
        {
            state.numbers.push(number.get());
        }
        state.tested |= seen == Segments::ALL;
        state.seen = seen;
        seen
    }
}

/// A source that gives 1, 2, ... 7, 1, ... unless it is out of use.
#[derive(Default)]
pub struct SourceState {
    pub draws: u8,
    pub cycles: u32,
    pub fault: Option<Fault>,
}

#[derive(Clone, Default)]
pub struct Source(pub Rc<RefCell<SourceState>>);

impl Source {
    fn works(&self) -> Result<(), Fault> {
        self.0.borrow().fault.map_or(Ok(()), Err)
    }
}

impl Numbers for Source {
    fn start(&mut self) -> Result<(), Fault> {
        self.works()
    }

    fn draw(&mut self, most: NonZeroU8) -> Result<NonZeroU8, Fault> {
        self.works()?;
        let mut state = self.0.borrow_mut();
        let number = state.draws % most.get() + 1;
        state.draws = state.draws.wrapping_add(1);
        Ok(NonZeroU8::new(number).unwrap())
    }

    fn cycle(&mut self, _: u32) -> Result<(), Fault> {
        self.0.borrow_mut().cycles += 1;
        self.works()
    }

    fn retry(&mut self) -> Result<(), Fault> {
        self.works()
    }
}

/// Which keys are down.
#[derive(Default)]
pub struct Fingers(pub [bool; Key::ALL.len()]);

impl Keys for Fingers {
    fn is_down(&mut self, key: Key) -> bool {
        self.0[key as usize]
    }
}
