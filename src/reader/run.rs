//! The loop that joins keys, nest, lamps and eye to the device.
//!
//! Lamps are set again and read back in every round of the loop, so one that dies or
//! sticks is noticed within [`ROUND`]. The verdict has a round of its own that begins
//! at its very millisecond, whatever the eye had to do before (RD-21).

use super::ReaderStore;
use super::device::Reader;
use super::inputs::{Done, Want};
use super::lamps::Lit;
use super::nest::{Beams, Nest};
use super::ports::{Eye, Key, Keys, Lamps, NestBeams};
use super::recognise::Window;
use crate::context::ContextPort;
use crate::panel::{Debounce, KeyEvent};
use crate::ports::{CheckIn, Clock};
use crate::time::{Instant, Millis};

/// Keys, beams and lamps are looked at this often.
pub const ROUND: Millis = Millis::new(5);
/// A key held longer is stuck, or held down by something that is no finger.
pub const STUCK_AFTER: Millis = Millis::from_secs(10);

/// One key: its contacts, and how long it has been down.
#[derive(Clone, Copy)]
struct Contact {
    debounce: Debounce,
    /// A key that was down at power on is no press until it has been up.
    was_up: bool,
    down_since: Option<Instant>,
}

impl Contact {
    const NEW: Self = Self { debounce: Debounce::new(), was_up: false, down_since: None };

    fn sample(&mut self, down: bool, now: Instant) -> Option<KeyEvent> {
        let event = self.debounce.sample(down, now);
        self.was_up |= !down;
        match event {
            Some(KeyEvent::Pressed) => self.down_since = Some(now),
            Some(KeyEvent::Released) => self.down_since = None,
            None => {}
        }
        event.filter(|_| self.was_up)
    }

    /// Whether it has just been down for too long.
    fn sticks(&mut self, now: Instant) -> bool {
        self.down_since.take_if(|since| now.since(*since) >= STUCK_AFTER).is_some()
    }
}

/// The front of the device: everything but the rules and the wire.
pub struct Front<L, B, E> {
    lamps: L,
    beams: B,
    eye: E,
    nest: Nest,
    contacts: [Contact; Key::ALL.len()],
}

impl<L: Lamps, B: NestBeams, E: Eye> Front<L, B, E> {
    /// A front whose lamps are dark.
    pub fn new(lamps: L, beams: B, eye: E) -> Self {
        Self { lamps, beams, eye, nest: Nest::new(), contacts: [Contact::NEW; Key::ALL.len()] }
    }

    /// Takes up the brand that was kept, and sees that the lamps are dark.
    pub async fn start(
        &mut self,
        now: Instant,
        context: &mut impl ContextPort<Reader, Store: ReaderStore>,
    ) {
        context
            .with(|reader, store| {
                reader.take_up_brand(&mut self.eye, now, store);
                refresh(&mut self.lamps, reader, now, store);
            })
            .await;
    }

    /// Goes round once; when it must go round again at the latest.
    pub async fn pass(
        &mut self,
        keys: &mut impl Keys,
        now: Instant,
        context: &mut impl ContextPort<Reader, Store: ReaderStore>,
    ) -> Instant {
        let want = context
            .with(|reader, store| {
                self.feel(keys, reader, now, store);
                reader.tick(now, store);
                refresh(&mut self.lamps, reader, now, store);
                reader.want()
            })
            .await;
        if let Some(want) = want {
            let done = self.serve(want, keys).await;
            context.with(|reader, store| self.report(done, reader, now, store)).await;
        }
        let due = context.with(|reader, _| reader.due()).await;
        let next = now + ROUND;
        due.filter(|due| *due > now).map_or(next, |due| due.min(next))
    }

    /// Passes to the device what happened to its keys and in its nest.
    fn feel(
        &mut self,
        keys: &mut impl Keys,
        reader: &mut Reader,
        now: Instant,
        store: &mut impl ReaderStore,
    ) {
        for (key, contact) in Key::ALL.into_iter().zip(&mut self.contacts) {
            if let Some(event) = contact.sample(keys.is_down(key), now) {
                reader.key(key, event, now, store);
            }
            if contact.sticks(now) {
                reader.key_stuck(key);
            }
        }
        if let Some(event) = self.nest.sample(self.beams.sample(), now) {
            reader.nest(event, now, store);
        }
    }

    /// Does what the device waits for. The context is free while the eye looks.
    async fn serve(&mut self, want: Want, keys: &mut impl Keys) -> Done {
        match want {
            Want::Read(question, tens) => Done::Saw(self.eye.read(question, tens).await),
            Want::Examine(expected) => Done::Examined(self.eye.examine(expected).await),
            Want::SelfTest => {
                let up = Key::ALL.into_iter().all(|key| !keys.is_down(key));
                let empty = self.nest.is_empty() && self.beams.sample() == Beams::CLEAR;
                let dark = self.lamps.show(Lit::NONE) == Lit::NONE;
                let clean = self.eye.window().await == Ok(Window::Clean);
                Done::SelfTested(up && empty && dark && clean)
            }
            Want::Learn(rank, first) => Done::Looked(self.eye.learn(rank, first).await),
            Want::Make(id) => self.eye.make(id).map_or(Done::Making, Done::Made),
            Want::Prove(rank) => Done::Looked(self.eye.prove(rank).await),
            Want::Keep => Done::Proven,
        }
    }

    /// Passes on to the device what came of what it waited for. A proven brand is kept first.
    fn report(
        &mut self,
        done: Done,
        reader: &mut Reader,
        now: Instant,
        store: &mut impl ReaderStore,
    ) {
        let done = match done {
            Done::Proven => Done::Saved(reader.keep_brand(&mut self.eye, store)),
            done => done,
        };
        reader.done(done, now, store);
    }
}

/// Shows what the device wants shown, and returns to it what is read back.
fn refresh(
    lamps: &mut impl Lamps,
    reader: &mut Reader,
    now: Instant,
    store: &mut impl ReaderStore,
) {
    let lit = reader.lit(now);
    let wrong = lit.first_difference(lamps.show(lit));
    if wrong.is_some() {
        lamps.show(Lit::NONE);
    }
    reader.shown(lit, wrong, now, store);
}

/// Runs the reader for ever.
pub async fn run<L: Lamps, B: NestBeams, E: Eye>(
    mut front: Front<L, B, E>,
    mut keys: impl Keys,
    mut context: impl ContextPort<Reader, Store: ReaderStore>,
    mut clock: impl Clock,
    mut check_in: impl CheckIn,
) -> ! {
    front.start(clock.now(), &mut context).await;
    loop {
        check_in.check_in();
        let until = front.pass(&mut keys, clock.now(), &mut context).await;
        // Others wait for the processor too, however long this round took.
        clock.wait_until(until.max(clock.now() + Millis::new(1))).await;
    }
}
