//! The loop that joins keys, display and random core to the device.
//!
//! The display is set again and read back in every round of the loop, so a segment that
//! dies in mid-round is noticed within [`ROUND`]. Before a number is drawn, and before
//! one is lit, each segment is tried by itself for some microseconds: a number never
//! appears on a display that could spoil it.

use super::device::Want;
use super::ports::{Display, Key, Keys, Numbers};
use super::{Fault, NumberStore, PaiGow, Segments};
use crate::context::ContextPort;
use crate::panel::Debounce;
use crate::ports::{CheckIn, Clock};
use crate::time::{Instant, Millis};

/// Keys and segments are looked at this often.
pub const ROUND: Millis = Millis::new(5);
/// The random core is cycled this often.
const CYCLE: Millis = Millis::new(100);

/// The front of the device: everything but the rules and the wire.
pub struct Front<D, N> {
    display: D,
    numbers: N,
    contacts: [Debounce; Key::ALL.len()],
    shown: Segments,
    cycled_at: Instant,
}

impl<D: Display, N: Numbers> Front<D, N> {
    /// A front whose display is dark.
    pub fn new(display: D, numbers: N) -> Self {
        let contacts = [Debounce::new(); Key::ALL.len()];
        Self { display, numbers, contacts, shown: Segments::NONE, cycled_at: Instant::START }
    }

    /// Starts the random core and sees that the display is dark.
    pub async fn start(
        &mut self,
        now: Instant,
        context: &mut impl ContextPort<PaiGow, Store: NumberStore>,
    ) {
        let dark = check(&mut self.display, Segments::NONE);
        if let Err(fault) = self.numbers.start().and(dark) {
            context.with(|paigow, store| paigow.fail(fault, now, store)).await;
        }
    }

    /// Goes round once; when it must go round again.
    pub async fn pass(
        &mut self,
        keys: &mut impl Keys,
        now: Instant,
        context: &mut impl ContextPort<PaiGow, Store: NumberStore>,
    ) -> Instant {
        for (key, contacts) in Key::ALL.into_iter().zip(&mut self.contacts) {
            if let Some(event) = contacts.sample(keys.is_down(key), now) {
                context.with(|paigow, store| paigow.key(key, event, now, store)).await;
            }
        }
        self.serve(now, context).await;
        self.refresh(now, context).await;
        if now.since(self.cycled_at) >= CYCLE {
            self.cycled_at = now;
            if let Err(fault) = self.numbers.cycle(now.as_secs() as u32) {
                context.with(|paigow, store| paigow.fail(fault, now, store)).await;
            }
            context.with(|paigow, store| paigow.save_again(store)).await;
        }
        now + ROUND
    }

    /// Does what the device waits for. The context is free meanwhile: the random core keeps
    /// its own things there.
    async fn serve(
        &mut self,
        now: Instant,
        context: &mut impl ContextPort<PaiGow, Store: NumberStore>,
    ) {
        match context.with(|paigow, _| paigow.want()).await {
            Some(Want::Draw(most)) => {
                let drawn = self.prove().and_then(|()| self.numbers.draw(most));
                context.with(|paigow, store| paigow.drawn(drawn, now, store)).await;
            }
            Some(Want::Check) => {
                let found = self.prove().and_then(|()| self.numbers.retry());
                context.with(|paigow, _| paigow.checked(found)).await;
            }
            None => {}
        }
    }

    /// Shows what the device wants shown, and returns to it what is read back.
    async fn refresh(
        &mut self,
        now: Instant,
        context: &mut impl ContextPort<PaiGow, Store: NumberStore>,
    ) {
        let lit = context.with(|paigow, _| paigow.lit(now)).await;
        let appears = lit.number().is_some() && lit != self.shown;
        let proven = if appears { self.prove() } else { Ok(()) };
        let follows = proven.and_then(|()| check(&mut self.display, lit));
        self.shown = lit;
        if follows.is_err() {
            self.display.show(Segments::NONE);
            self.shown = Segments::NONE;
        }
        context.with(|paigow, store| paigow.shown(lit, follows, now, store)).await;
    }

    /// Tries every segment by itself, in no pattern that is a number; leaves it dark.
    fn prove(&mut self) -> Result<(), Fault> {
        let tried = Segments::singles().try_for_each(|single| {
            check(&mut self.display, Segments::NONE)?;
            check(&mut self.display, single)
        });
        tried.and(check(&mut self.display, Segments::NONE))
    }
}

fn check(display: &mut impl Display, lit: Segments) -> Result<(), Fault> {
    match lit.first_difference(display.show(lit)) {
        None => Ok(()),
        Some(segment) => Err(Fault::Display(segment)),
    }
}

/// Runs the generator for ever.
pub async fn run<D: Display, N: Numbers>(
    mut front: Front<D, N>,
    mut keys: impl Keys,
    mut context: impl ContextPort<PaiGow, Store: NumberStore>,
    mut clock: impl Clock,
    mut check_in: impl CheckIn,
) -> ! {
    front.start(clock.now(), &mut context).await;
    loop {
        check_in.check_in();
        let until = front.pass(&mut keys, clock.now(), &mut context).await;
        clock.wait_until(until).await;
    }
}
