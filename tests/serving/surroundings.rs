//! What happens around a device, by chance: what its front, its keys, its cards and its motors do.

use std::num::NonZeroU8;

use croupier::paigow::{self, PaiGow};
use croupier::panel::KeyEvent;
use croupier::protocol::generated::croupier::common::CheckStep;
use croupier::reader::nest::NestEvent;
use croupier::reader::ports::Sight;
use croupier::reader::recognise::{Answer, Judgement, Window};
use croupier::reader::{self, Label, Reader, inputs::Done};
use croupier::shuffler::{Back, Beam, Contact, Event, Look, Shuffler, Want};
use croupier::time::Instant;

use super::{Chance, Handle};

/// What the world around a device does to it.
pub trait Stir {
    /// What its front does for it without anybody asking.
    fn settle(&mut self, _: Instant, _: &mut Handle) {}

    /// What an inspector does for this step of the check.
    fn take_step(&mut self, _: (CheckStep, u8), _: Instant, _: &mut Handle) {}

    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle);
}

fn key_event(dice: &mut dyn Chance) -> KeyEvent {
    if dice.one_in(2) { KeyEvent::Pressed } else { KeyEvent::Released }
}

fn sight(dice: &mut dyn Chance) -> Sight {
    let answer = [Answer::Yes, Answer::No, Answer::Large, Answer::CannotRead][dice.roll(4)];
    let window = [Window::Clean, Window::Dirty, Window::Unusable][dice.roll(20).saturating_sub(17)];
    Sight { reading: Judgement { answer, foreign: dice.one_in(9) }, window }
}

impl Stir for Reader {
    fn settle(&mut self, now: Instant, store: &mut Handle) {
        self.knows(Ok(Some(Label { id: 3, hash: [3; 32] })), now, store);
    }

    fn take_step(&mut self, (task, item): (CheckStep, u8), now: Instant, store: &mut Handle) {
        use reader::ports::Key;
        match task {
            CheckStep::SelfTest => self.done(Done::SelfTested(true), now, store),
            CheckStep::PressKey => {
                let key = Key::ALL[usize::from(item)];
                self.key(key, KeyEvent::Pressed, now, store);
                self.key(key, KeyEvent::Released, now, store);
            }
            CheckStep::InsertCard => {
                self.nest(NestEvent::Home, now, store);
                self.done(Done::Examined(Ok(true)), now, store);
                self.nest(NestEvent::Left, now, store);
            }
            _ => {
                let lit = self.lit(now);
                self.shown(lit, None, now, store);
            }
        }
    }

    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle) {
        use reader::Want;
        use reader::ports::Key;
        let nest = [NestEvent::Home, NestEvent::Moved, NestEvent::Found, NestEvent::Left];
        let fault = reader::Fault::Lamp(1);
        // Mostly what it waits for, and now and then anything.
        match self.want().filter(|_| !dice.one_in(4)) {
            Some(Want::Read(..)) => return self.done(Done::Saw(Ok(sight(dice))), now, store),
            Some(Want::Keep) => {
                let label = Label { id: dice.byte().into(), hash: [dice.byte(); 32] };
                return self.done(Done::Saved(Ok(label)), now, store);
            }
            Some(Want::Make(_)) => return self.done(Done::Made(!dice.one_in(8)), now, store),
            Some(Want::Learn(..) | Want::Prove(_)) => {
                return self.done(Done::Looked(Ok(!dice.one_in(8))), now, store);
            }
            _ => {}
        }
        match dice.roll(16) {
            0..3 => self.key(Key::ALL[dice.roll(4)], key_event(dice), now, store),
            3..6 => self.nest(nest[dice.roll(4)], now, store),
            6 => self.done(Done::Examined(Ok(true)), now, store),
            7 => self.done(Done::SelfTested(dice.roll(9) != 0), now, store),
            8 => self.done(Done::Looked(Ok(dice.one_in(2))), now, store),
            9 => self.done(Done::Made(dice.one_in(2)), now, store),
            10 => self.done(Done::Saw(Ok(sight(dice))), now, store),
            11 => self.done([Done::Making, Done::Proven][dice.roll(2)], now, store),
            12 if dice.one_in(20) => match dice.roll(4) {
                0 => self.fail(fault, now, store),
                1 => self.nest(NestEvent::Stuck(dice.roll(4) as u8), now, store),
                2 => self.done(Done::Saw(Err(fault)), now, store),
                _ => self.done(Done::Saved(Err(fault)), now, store),
            },
            13..15 => {
                let lit = self.lit(now);
                self.shown(lit, None, now, store);
            }
            _ => self.tick(now, store),
        }
    }
}

impl Stir for PaiGow {
    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle) {
        use paigow::ports::Key;
        let keys = [Key::Draw, Key::Shuffled, Key::BetsClosed, Key::RoundEnd, Key::LampTest];
        match (dice.roll(8), self.want()) {
            (0..3, _) => self.key(keys[dice.roll(5)], key_event(dice), now, store),
            (3..6, Some(paigow::Want::Draw(most))) => {
                let number = NonZeroU8::new(dice.roll(most.get().into()) as u8 + 1);
                self.drawn(Ok(number.expect("from one on")), now, store);
            }
            (_, Some(paigow::Want::Check)) => self.checked(Ok(())),
            (6, _) if dice.one_in(40) => self.fail(paigow::Fault::Selection, now, store),
            _ => {
                let lit = self.lit(now);
                self.shown(lit, Ok(()), now, store);
            }
        }
    }
}

impl Stir for Shuffler {
    fn stir(&mut self, dice: &mut dyn Chance, now: Instant, store: &mut Handle) {
        if let Some(Want::Order(count)) = self.want() {
            let order: Vec<u16> = (0..count).collect();
            self.take_order(Ok(&order), now, store);
            while self.plan_on(now, store) {}
        }
        match dice.roll(12) {
            0..4 => self.sense(Event::Beam(Beam::ALL[dice.roll(3)], dice.one_in(2)), now, store),
            4 => self.sense(Event::Contact(Contact::ALL[dice.roll(4)], dice.one_in(2)), now, store),
            5 => self.sense(Event::Seen(Look { back: Back::Unknown, light: 45 }), now, store),
            6 => self.sense(Event::Turned(dice.byte()), now, store),
            7 | 8 => self.sense(Event::Homed, now, store),
            9 => self.checked(Ok(()), store),
            _ => self.pass_time(now, store),
        }
        while self.next_action().is_some() {}
    }
}
