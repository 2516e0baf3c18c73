//! The desk: the services of a running device, its node, and the work between games.
use crate::image;
use crate::start::{self, Start};
use crate::store_flash::torn_words;
use crate::task_watchdog;
use crate::wire::{self, EVENTS, PublishEvents, Shared, Wire, wake_senders};
use croupier::identity::DeviceKind;
use croupier::node::{Guard, Node};
use croupier::ports::CheckIn;
use croupier::protocol::keys::{KeyPolicy, KeyRing};
use croupier::protocol::transfer::{NodeId, Priority};
use croupier::safety::TaskId;
use croupier::services::{CommonServices, Measured, StoreHandle, told_cause};
use croupier::store::{Chore, EraseInSteps, StoreError};
use embassy_futures::select::{Either, select};
use embassy_stm32::gpio::{Input, Output};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Instant, Timer};
use embedded_storage::nor_flash::NorFlash;

static LAMP_TEST: Signal<CriticalSectionRawMutex, bool> = Signal::new();

/// Tells the desk that a lamp test began or ended.
pub fn lamp_test(running: bool) {
    LAMP_TEST.signal(running);
}

/// The number each kind of device has on the table bus.
pub fn node_id(kind: DeviceKind) -> NodeId {
    const fn number(id: u8) -> NodeId {
        NodeId::new(id).expect("below 128")
    }
    match kind {
        DeviceKind::Reader => const { number(10) },
        DeviceKind::Shuffler => const { number(11) },
        DeviceKind::PaiGow => const { number(12) },
    }
}

/// A device with common services.
pub trait HasServices {
    /// Its services.
    fn services(&mut self) -> &mut CommonServices;
    /// Whether nothing moves and nobody waits: a moment for what takes time.
    fn is_at_rest(&self) -> bool;
}

impl HasServices for CommonServices {
    fn services(&mut self) -> &mut CommonServices {
        self
    }

    fn is_at_rest(&self) -> bool {
        true
    }
}

impl PublishEvents for CommonServices {
    fn publish(&mut self, node: &mut Node<2, EVENTS>, now_ms: u64) {
        if let Some(change) = self.take_change() {
            node.publish(&change, Priority::High, now_ms);
        }
    }
}

/// Opens the desk of a device that has just started.
pub fn open<F: NorFlash>(
    start: Start,
    mut store: StoreHandle<F>,
    policy: KeyPolicy,
) -> Wire<CommonServices, StoreHandle<F>> {
    let Start { identity, cause, crashes } = start;
    let id = node_id(identity.kind);
    if let Some(trouble) = store.trouble() {
        defmt::error!("the store will not open: {}", trouble);
    }
    let guard = match KeyRing::load(&mut store, policy) {
        Ok(keys) => Guard::new(id, keys, &mut store),
        Err(_) => Guard::shut(id),
    };
    let mut services = CommonServices::new(identity.kind, store.profile().ok().flatten());
    services.start = guard.start();
    let crashes = u8::try_from(crashes).unwrap_or(u8::MAX);
    Wire { node: Node::new(identity, guard, told_cause(&cause), crashes), device: services, store }
}

/// The service switch inside the housing: closed contacts pull the pin low.
pub struct ServiceSwitch(pub Input<'static>);

/// Shows that the device is ready, measures its image, and tends the desk for ever.
pub async fn tend<D: HasServices, F: EraseInSteps>(
    wire: &Shared<D, StoreHandle<F>>,
    mut ready: Output<'static>,
    switch: ServiceSwitch,
) -> ! {
    let mut registration = task_watchdog::register(TaskId::Background);
    ready.set_high();
    if torn_words() > 0 {
        defmt::warn!("the store met {} words that a power cut tore", torn_words());
    }
    defmt::info!("ready after {} us", Instant::now().as_micros());
    let hash = image::measure(&[], || registration.check_in()).await;
    wire.lock().await.node.identity_mut().image = Some(hash);
    start::tell_image(hash);
    let mut caretaker = Caretaker::new();
    loop {
        registration.check_in();
        if let Either::First(running) = select(LAMP_TEST.wait(), Timer::after_millis(100)).await {
            wire.lock().await.device.services().lamp_test = running;
            wake_senders();
        }
        // Not in the `if let`: the lock would be held while the image is measured.
        let wanted = wire.lock().await.device.services().attestation.wanted();
        if let Some(nonce) = wanted {
            let digest = image::measure(&nonce, || registration.check_in()).await.0;
            let length = image::bytes().len() as u32;
            let measured = Measured { length, digest };
            wire.lock().await.device.services().attestation.measured(nonce, measured);
        }
        let mut guard = wire::turn(wire).await;
        let Wire { node, device, store } = &mut *guard;
        device.services().service_switch = switch.0.is_low();
        node.tick(Instant::now().as_millis(), store);
        drop(guard);
        caretaker.look_after(wire, || registration.check_in()).await;
    }
}

/// How often a page that would not erase is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(10);
/// An erase takes 22 ms, and is looked at this often.
const LOOK: Duration = Duration::from_millis(1);
/// Time for everybody else between two pages: contacts settle in half of it, so that no key is
/// missed that is held for 45 ms, an erase and a settling time.
const BETWEEN_PAGES: Duration = Duration::from_millis(30);

/// Whoever does the store's chores while the device is at rest.
struct Caretaker {
    not_before: Instant,
    stalls: u32,
}

impl Caretaker {
    const fn new() -> Self {
        Self { not_before: Instant::MIN, stalls: 0 }
    }

    /// Does what chores there are, as long as nothing moves.
    async fn look_after<D: HasServices, F: EraseInSteps>(
        &mut self,
        wire: &Shared<D, StoreHandle<F>>,
        mut each_step: impl FnMut(),
    ) {
        while Instant::now() >= self.not_before {
            each_step();
            let mut guard = wire::turn(wire).await;
            let Wire { device, store, .. } = &mut *guard;
            let stalls = store.stalls();
            if core::mem::replace(&mut self.stalls, stalls) != stalls {
                defmt::warn!("{} changes had to wait for the store to make room", stalls);
            }
            let chore = store.chore().filter(|_| device.is_at_rest());
            let Some(chore) = chore else { return };
            if let Err(why) = do_chore(store, chore).await {
                defmt::warn!("the store's flash failed a chore: {}", why);
                self.not_before = Instant::now() + TRY_AGAIN;
            }
            drop(guard);
            // Whoever waits for the desk comes first.
            Timer::after(if chore == Chore::Erase { BETWEEN_PAGES } else { LOOK }).await;
        }
    }
}

/// Does one chore. The desk is taken meanwhile, and nobody spins.
async fn do_chore<F: EraseInSteps>(
    store: &mut StoreHandle<F>,
    chore: Chore,
) -> Result<(), StoreError> {
    match chore {
        Chore::Move => store.move_on(),
        Chore::Erase => {
            store.start_erase()?;
            while !store.erase_ended()? {
                Timer::after(LOOK).await;
            }
            Ok(())
        }
    }
}
