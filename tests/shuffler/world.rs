//! The mechanism: every card is an object and can only move.

use std::collections::{BTreeMap, VecDeque};

use croupier::shuffler::{Action, Axis, Back, Beam, Contact, Event, Look, Model, Outlet, TIMINGS};
use croupier::time::{Instant, Millis};

/// One card: which, and what the eye would see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Card {
    pub number: u16,
    pub back: Back,
}

/// What goes wrong, at which card fed or ejected, counted from 1 over the rig's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mishap {
    /// The card stays in the mouth until the lid was opened.
    JamInMouth(u32),
    JamInThroat(u32),
    JamInExit(u32),
    /// Two cards go together; seen by the light, this many times.
    Double(u32, u32),
    /// Two cards go together unseen.
    HiddenDouble(u32),
    /// The roller slips, this many times.
    NoPick(u32, u32),
    /// The wheel stalls at this turn.
    Stall(u32),
    /// The ejector misses the card, this many times.
    EjectMisses(u32, u32),
    /// Two cards leave their slot as one.
    DoubleEject(u32),
    /// The feed tray's contact always says so.
    TrayStuck(bool),
    /// The slot beam shows the same for ever, from this look on.
    SlotBeamStuck(bool, u32),
    /// The wheel's vane is gone, from this look on.
    NoVane(u32),
    /// A card more is in this slot at this look.
    LeftInside(usize, u32),
    /// The delivery tray's contact never closes.
    DeliveryUnfelt,
    /// The wheel's motor does nothing and says nothing.
    SilentWheel,
}

/// The mechanism.
pub struct World {
    pub now: Instant,
    pub pending: BTreeMap<(Instant, u32), Happening>,
    serial: u32,
    pub tray: VecDeque<Card>,
    pub path: Vec<Card>,
    pub slots: Vec<VecDeque<Card>>,
    pub delivery: Vec<Card>,
    pub hands: Vec<Card>,
    pub at: u8,
    pub outlet: Outlet,
    pub blocked: [bool; Beam::ALL.len()],
    pub stuck: bool,
    /// The first of two cards that go together unseen.
    twins: Option<Card>,
    pub mishap: Option<Mishap>,
    pub feeds: u32,
    pub ejects: u32,
    pub turns: u32,
    pub looks: u32,
    wheel: croupier::shuffler::Wheel,
}

#[derive(Debug, Clone, Copy)]
pub enum Happening {
    Event(Event),
    Loaded,
    Out,
}

impl World {
    pub fn new(model: Model) -> Self {
        let wheel = model.wheel();
        Self {
            now: Instant::from_millis(1),
            pending: BTreeMap::new(),
            serial: 0,
            tray: VecDeque::new(),
            path: Vec::new(),
            slots: vec![VecDeque::new(); wheel.slots.into()],
            delivery: Vec::new(),
            hands: Vec::new(),
            at: 5,
            outlet: Outlet::Delivery,
            blocked: [false; Beam::ALL.len()],
            stuck: false,
            twins: None,
            mishap: None,
            feeds: 0,
            ejects: 0,
            turns: 0,
            looks: 0,
            wheel,
        }
    }

    /// Every card there is, wherever it lies.
    pub fn all_cards(&self) -> usize {
        self.tray.len() + self.path.len() + self.inside() + self.delivery.len() + self.hands.len()
    }

    pub fn inside(&self) -> usize {
        self.slots.iter().map(VecDeque::len).sum()
    }

    pub fn after(&mut self, ms: u64, happening: Happening) {
        self.serial += 1;
        self.pending.insert((self.now + Millis::new(ms), self.serial), happening);
    }

    pub fn schedule(&mut self, ms: u64, event: Event) {
        self.after(ms, Happening::Event(event));
    }

    pub fn tray_contact(&self) -> bool {
        match self.mishap {
            Some(Mishap::TrayStuck(says)) => says,
            _ => !self.tray.is_empty(),
        }
    }

    pub fn delivery_contact(&self) -> bool {
        self.mishap != Some(Mishap::DeliveryUnfelt) && !self.delivery.is_empty()
    }

    /// Whether the slot beam is shaded when the wheel stands so far from slot 0, in thousandths
    /// of a slot: by the vane, or by a card in a slot near it.
    fn is_shaded(&self, place: u32) -> bool {
        let slots = u32::from(self.wheel.slots);
        let here = (place + 500 * slots) % (1000 * slots);
        match self.mishap {
            Some(Mishap::SlotBeamStuck(level, from)) if from <= self.looks => return level,
            Some(Mishap::NoVane(from)) if from <= self.looks => {}
            _ if here.min(1000 * slots - here) * 2 < 750 => return true,
            _ => {}
        }
        let near = [slots - 1, 0, 1].map(|by| (here / 1000 + by) % slots);
        near.iter().any(|slot| {
            let apart = (*slot * 1000 + 500).abs_diff(here);
            !self.slots[*slot as usize].is_empty() && apart.min(1000 * slots - apart) * 2 < 1500
        })
    }

    fn resting_place(&self) -> u32 {
        u32::from(self.at) * 1000 + 500
    }

    /// The wheel turns once; the slot beam is looked at every millisecond.
    fn look(&mut self) {
        self.looks += 1;
        if let Some(Mishap::LeftInside(slot, look)) = self.mishap
            && look == self.looks
        {
            let back = self.delivery.first().map_or(Back::Unknown, |card| card.back);
            self.slots[slot].push_back(Card { number: 999, back });
        }
        let time = self.wheel.turn_us(self.wheel.slots).div_ceil(1000);
        let mut seen = self.blocked[Beam::Slot as usize];
        for ms in 0..=time {
            let way = self.wheel.way_after(self.wheel.slots, ms * 1000);
            let shaded = self.is_shaded(self.resting_place() + way);
            if shaded != seen {
                self.schedule(ms.into(), Event::Beam(Beam::Slot, shaded));
                seen = shaded;
            }
        }
        self.schedule(time.into(), Event::Turned(self.at));
    }

    /// Between looks only what the slot beam shows of the standing wheel is told.
    fn see_slot(&mut self, ms: u64) {
        let shaded = self.is_shaded(self.resting_place());
        if shaded != self.blocked[Beam::Slot as usize] {
            self.schedule(ms, Event::Beam(Beam::Slot, shaded));
        }
    }

    pub fn act(&mut self, action: Action) {
        match action {
            Action::Home | Action::Turn { .. } | Action::Look
                if self.mishap == Some(Mishap::SilentWheel) => {}
            Action::Home => {
                self.at = 0;
                self.see_slot(490);
                self.schedule(500, Event::Homed);
            }
            Action::Turn { to, by } => {
                let arrived =
                    (i16::from(self.at) + i16::from(by)).rem_euclid(self.wheel.slots.into());
                assert_eq!(arrived, i16::from(to), "the wheel is told nonsense");
                assert!(!self.blocked[Beam::Exit as usize], "a card would be cut");
                self.turns += 1;
                if self.mishap == Some(Mishap::Stall(self.turns)) {
                    return self.schedule(20, Event::Stalled(Axis::Wheel));
                }
                self.at = to;
                let time = self.wheel.turn_us(by.unsigned_abs()).div_ceil(1000);
                self.see_slot(time.into());
                self.schedule(time.into(), Event::Turned(to));
            }
            Action::Look => self.look(),
            Action::Feed(_) => self.feed(),
            Action::Load(_) => {
                if matches!(self.mishap, Some(Mishap::JamInThroat(card)) if card == self.feeds) {
                    self.stuck = true;
                    return;
                }
                self.after(TIMINGS.load.get(), Happening::Loaded);
            }
            Action::BackUp => self.back_up(),
            Action::Eject(_) => self.eject(),
            Action::Shake => {}
            Action::Divert(outlet) => {
                self.outlet = outlet;
                self.schedule(TIMINGS.divert.get(), Event::Diverted);
            }
            Action::Stop => self.stop(),
        }
    }

    pub fn feed(&mut self) {
        if self.tray.is_empty() {
            return;
        }
        if let Some(Mishap::NoPick(card, times)) = self.mishap
            && card == self.feeds + 1
            && times > 0
        {
            self.mishap = Some(Mishap::NoPick(card, times - 1));
            return;
        }
        self.feeds += 1;
        let card = self.tray.pop_front().unwrap();
        self.path.push(card);
        let mut light = 45;
        match self.mishap {
            Some(Mishap::Double(at, times)) if at == self.feeds && times > 0 => {
                self.path.extend(self.tray.pop_front());
                self.feeds -= 1;
                self.mishap = Some(Mishap::Double(at, times - 1));
                light = 20;
            }
            Some(Mishap::HiddenDouble(at)) if at == self.feeds => {
                self.path.extend(self.tray.pop_front());
                self.twins = Some(card);
            }
            _ => {}
        }
        self.schedule(55, Event::Beam(Beam::Mouth, true));
        if self.tray.is_empty() {
            let says = self.tray_contact();
            self.schedule(60, Event::Contact(Contact::FeedLoaded, says));
        }
        self.schedule(100, Event::Seen(Look { back: card.back, light }));
        if matches!(self.mishap, Some(Mishap::JamInMouth(at)) if at == self.feeds) {
            self.stuck = true;
            return;
        }
        self.schedule(140, Event::Beam(Beam::Mouth, false));
        self.schedule(150, Event::Beam(Beam::Throat, true));
    }

    pub fn eject(&mut self) {
        if self.slots[usize::from(self.at)].is_empty() {
            return;
        }
        if let Some(Mishap::EjectMisses(card, times)) = self.mishap
            && card == self.ejects + 1
            && times > 0
        {
            self.mishap = Some(Mishap::EjectMisses(card, times - 1));
            return;
        }
        self.ejects += 1;
        self.schedule(25, Event::Beam(Beam::Exit, true));
        if matches!(self.mishap, Some(Mishap::JamInExit(at)) if at == self.ejects) {
            self.stuck = true;
            return;
        }
        self.after(TIMINGS.eject.get(), Happening::Out);
    }

    /// What is before the wheel goes back to the tray, unless it is stuck.
    pub fn back_up(&mut self) {
        if self.stuck {
            return;
        }
        self.pending.retain(|_, happening| {
            !matches!(
                happening,
                Happening::Event(Event::Beam(Beam::Mouth | Beam::Throat, _) | Event::Seen(_))
            )
        });
        while let Some(card) = self.path.pop() {
            self.tray.push_front(card);
        }
        for beam in [Beam::Mouth, Beam::Throat] {
            if self.blocked[beam as usize] {
                self.schedule(120, Event::Beam(beam, false));
            }
        }
        if !self.tray.is_empty() {
            let says = self.tray_contact();
            self.schedule(130, Event::Contact(Contact::FeedLoaded, says));
        }
    }

    /// Motors stand; what was half in falls in, what was half out falls out.
    pub fn stop(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        for (_, happening) in pending {
            match happening {
                Happening::Loaded | Happening::Out => self.after(1, happening),
                Happening::Event(event @ Event::Contact(..)) => self.schedule(1, event),
                Happening::Event(_) => {}
            }
        }
    }

    pub fn next_at(&self) -> Option<Instant> {
        self.pending.first_key_value().map(|((at, _), _)| *at)
    }

    /// The next thing that happens, as the device gets it.
    pub fn happen(&mut self) -> Vec<Event> {
        let Some(((at, _), happening)) = self.pending.pop_first() else { return Vec::new() };
        self.now = self.now.max(at);
        match happening {
            Happening::Event(event) => {
                if let Event::Beam(beam, blocked) = event {
                    self.blocked[beam as usize] = blocked;
                }
                vec![event]
            }
            Happening::Loaded => {
                // The first on the path is the one in the throat; a hidden twin goes along.
                let twins = self.twins.is_some() && self.twins == self.path.first().copied();
                if twins {
                    self.twins = None;
                }
                let taken = 1 + usize::from(twins);
                let cards: Vec<Card> = self.path.drain(..taken.min(self.path.len())).collect();
                let slot = &mut self.slots[usize::from(self.at)];
                slot.extend(cards);
                assert!(slot.len() <= usize::from(self.wheel.capacity) + 1, "a slot overflows");
                self.blocked[Beam::Throat as usize] = false;
                vec![Event::Beam(Beam::Throat, false)]
            }
            Happening::Out => {
                self.blocked[Beam::Exit as usize] = false;
                let mut events = vec![Event::Beam(Beam::Exit, false)];
                let twins = self.mishap == Some(Mishap::DoubleEject(self.ejects));
                let slot = &mut self.slots[usize::from(self.at)];
                let cards: Vec<Card> =
                    slot.drain(..slot.len().min(1 + usize::from(twins))).collect();
                let (contact, closed) = match self.outlet {
                    Outlet::Delivery => {
                        self.delivery.extend(cards);
                        (Contact::DeliveryLoaded, self.delivery_contact())
                    }
                    Outlet::Return => {
                        self.tray.extend(cards);
                        (Contact::FeedLoaded, self.tray_contact())
                    }
                };
                if closed {
                    events.push(Event::Contact(contact, closed));
                }
                events
            }
        }
    }
}
