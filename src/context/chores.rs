//! The store's chores, done while the device is at rest.

use embassy_sync::blocking_mutex::raw::RawMutex;

use super::ports::{ServicesNote, ServicesPort};
use super::shared::SharedContext;
use super::{ContextDevice, DeviceContext};
use crate::ports::{CheckIn, Clock, Turn};
use crate::services::StoreHandle;
use crate::store::{Chore, EraseInSteps, StoreError};
use crate::time::{Instant, Millis};

/// How often a page that would not erase is tried again.
const TRY_AGAIN: Millis = Millis::from_secs(10);
/// An erase takes 22 ms, and is looked at this often.
const LOOK: Millis = Millis::new(1);
/// Time for all other tasks between two pages: contacts settle in half of it, so that no key is
/// missed that is held for 45 ms, an erase and a settling time.
const BETWEEN_PAGES: Millis = Millis::new(30);

/// When chores are done next, and what was noted of the store.
pub(super) struct Chores {
    not_before: Instant,
    stalls: u32,
}

impl Chores {
    pub(super) const fn new() -> Self {
        Self { not_before: Instant::START, stalls: 0 }
    }

    /// Does what chores there are, as long as nothing moves.
    pub(super) async fn look_after<M: RawMutex, D: ContextDevice, F: EraseInSteps>(
        &mut self,
        shared: &SharedContext<M, D, StoreHandle<F>>,
        board: &mut impl ServicesPort,
        clock: &mut impl Clock,
        turn: &impl Turn,
        check_in: &mut impl CheckIn,
    ) {
        while clock.now() >= self.not_before {
            check_in.check_in();
            let mut guard = shared.lock_in_turn(turn).await;
            let DeviceContext { device, store, .. } = &mut *guard;
            let stalls = store.stalls();
            if core::mem::replace(&mut self.stalls, stalls) != stalls {
                board.note(ServicesNote::StoreStalled(stalls));
            }
            let chore = store.chore().filter(|_| device.is_at_rest());
            let Some(chore) = chore else { return };
            if let Err(why) = do_chore(store, chore, clock).await {
                board.note(ServicesNote::ChoreFailed(why));
                self.not_before = clock.now() + TRY_AGAIN;
            }
            drop(guard);
            // A task that waits for the context comes first.
            let pause = if chore == Chore::Erase { BETWEEN_PAGES } else { LOOK };
            clock.wait_for(pause).await;
        }
    }
}

/// Does one chore. The context is taken meanwhile, and no task spins.
async fn do_chore<F: EraseInSteps>(
    store: &mut StoreHandle<F>,
    chore: Chore,
    clock: &mut impl Clock,
) -> Result<(), StoreError> {
    match chore {
        Chore::Move => store.move_on(),
        Chore::Erase => {
            store.start_erase()?;
            while !store.erase_ended()? {
                clock.wait_for(LOOK).await;
            }
            Ok(())
        }
    }
}
