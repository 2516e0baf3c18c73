//! A device on its desk: where its loop finds it, and its random core its memory.
//!
//! A device's loop and its node share the device. Whoever has worked on it has told the
//! node what came of that before anybody else can, so no change goes untold.

use croupier::entropy::{Lost, Memory, RngLatch};
use croupier::paigow::{self, PaiGow};
use croupier::reader::{self, Reader};
use croupier::services::StoreHandle;
use croupier::shuffler::{self, Shuffler};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::mutex::MutexGuard;
use embassy_time::Instant;
use embedded_storage::nor_flash::NorFlash;

use crate::wire::{PublishEvents, Shared, Wire, wake_senders};

/// The desk of a device.
pub struct OnDesk<D: 'static, F: 'static>(pub &'static Shared<D, StoreHandle<F>>);

impl<D: PublishEvents, F: NorFlash> OnDesk<D, F> {
    async fn work<R>(&mut self, work: impl FnOnce(&mut D, &mut StoreHandle<F>) -> R) -> R {
        let mut guard = self.0.lock().await;
        let Wire { node, device, store } = &mut *guard;
        let result = work(device, store);
        let before = node.events().next();
        device.publish(node, Instant::now().as_millis());
        if node.events().next() != before {
            wake_senders();
        }
        result
    }
}

impl<F: NorFlash> paigow::ports::Desk for OnDesk<PaiGow, F> {
    type Store = StoreHandle<F>;

    async fn with<R>(&mut self, work: impl FnOnce(&mut PaiGow, &mut StoreHandle<F>) -> R) -> R {
        self.work(work).await
    }
}

impl<F: NorFlash> reader::ports::Desk for OnDesk<Reader, F> {
    type Store = StoreHandle<F>;

    async fn with<R>(&mut self, work: impl FnOnce(&mut Reader, &mut StoreHandle<F>) -> R) -> R {
        self.work(work).await
    }
}

impl<F: NorFlash> shuffler::ports::Desk for OnDesk<Shuffler, F> {
    type Store = StoreHandle<F>;

    async fn with<R>(&mut self, work: impl FnOnce(&mut Shuffler, &mut StoreHandle<F>) -> R) -> R {
        self.work(work).await
    }
}

/// The random core works on the lower executor, with nobody else who keeps the desk over a
/// wait. So whoever has the desk is on the main one, goes on meanwhile, and will be done.
impl<D, F: NorFlash> OnDesk<D, F> {
    fn keeper(&self) -> MutexGuard<'static, CriticalSectionRawMutex, Wire<D, StoreHandle<F>>> {
        loop {
            if let Ok(guard) = self.0.try_lock() {
                return guard;
            }
        }
    }
}

impl<D, F: NorFlash> Memory for OnDesk<D, F> {
    fn recall(&mut self) -> Result<RngLatch, Lost> {
        self.keeper().store.recall()
    }

    fn keep(&mut self, kept: &RngLatch) -> Result<(), Lost> {
        self.keeper().store.keep(kept)
    }
}
