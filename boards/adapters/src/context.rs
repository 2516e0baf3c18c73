//! A device's context on the chip, between the tasks of both executors.
use crate::clock::DeviceClock;
use crate::start::Start;
use crate::store_flash::StoreFlash;
use croupier::context::{ContextHandle, DeviceContext, SharedContext};
use croupier::protocol::keys::KeyPolicy;
use croupier::services::{CommonServices, StoreHandle};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;

/// A context that interrupts may share.
pub type Context<D> = SharedContext<CriticalSectionRawMutex, D, StoreHandle<StoreFlash>>;

/// A task's handle to it. A random core that keeps its memory there runs on the lower executor.
pub type Handle<D> =
    ContextHandle<'static, CriticalSectionRawMutex, D, StoreHandle<StoreFlash>, DeviceClock>;

/// A handle to `shared`.
pub fn handle<D>(shared: &'static Context<D>) -> Handle<D> {
    Handle::new(shared, DeviceClock)
}

/// The services of a device that has just started.
pub fn open(
    Start { identity, cause, crashes }: Start,
    flash: StoreFlash,
) -> DeviceContext<CommonServices, StoreHandle<StoreFlash>> {
    let store = StoreHandle::open(flash);
    if let Some(trouble) = store.trouble() {
        defmt::error!("the store will not open: {}", trouble);
    }
    // No keys until service provisions them, and never a simulation's.
    DeviceContext::open(identity, (&cause, crashes), store, KeyPolicy::Silicon)
}
