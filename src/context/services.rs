//! The loop of the common services: image, service switch, node, and the store's chores.

use embassy_sync::blocking_mutex::raw::RawMutex;

use super::chores::Chores;
use super::ports::{ServicesNote, ServicesPort};
use super::shared::SharedContext;
use super::{CHECK_IN, ContextDevice, DeviceContext};
use crate::hash::Message;
use crate::identity::ImageHash;
use crate::ports::{CheckIn, Clock, Turn};
use crate::protocol::generated::croupier::common::{Setting, SettingChanged};
use crate::protocol::transfer::Priority;
use crate::services::{Measured, StoreHandle};
use crate::store::EraseInSteps;

/// Bytes of the image hashed in one turn: eight blocks, some 20,000 instructions.
const STEP: usize = 512;

/// Measures the image, then serves attestation, switch, node and store for ever.
pub async fn run_services<M: RawMutex, D: ContextDevice, F: EraseInSteps>(
    shared: &SharedContext<M, D, StoreHandle<F>>,
    mut board: impl ServicesPort,
    mut clock: impl Clock,
    turn: impl Turn,
    mut check_in: impl CheckIn,
) -> ! {
    let hash = measure(&[], board.image(), &turn, &mut check_in).await;
    shared.lock().await.node.identity_mut().image = Some(hash);
    board.note(ServicesNote::ImageMeasured(hash));
    let mut chores = Chores::new();
    loop {
        check_in.check_in();
        clock.wait_for(CHECK_IN).await;
        // Not in the `if let`: the lock would be held while the image is measured.
        let wanted = shared.lock().await.device.services().attestation.wanted();
        if let Some(nonce) = wanted {
            let digest = measure(&nonce, board.image(), &turn, &mut check_in).await.0;
            let length = board.image().len() as u32;
            let measured = Measured { length, digest };
            shared.lock().await.device.services().attestation.measured(nonce, measured);
        }
        let mut guard = shared.lock_in_turn(&turn).await;
        let DeviceContext { node, device, store } = &mut *guard;
        let closed = board.service_switch_closed();
        if core::mem::replace(&mut device.services().service_switch, closed) != closed {
            let setting = if closed { Setting::SwitchClosed } else { Setting::SwitchOpened };
            let changed = SettingChanged { setting, ..SettingChanged::default() };
            node.publish(&changed, Priority::High, clock.now());
        }
        node.count_dropped(shared.take_dropped());
        device.services().keep_time(clock.now(), store);
        node.tick(clock.now(), store);
        drop(guard);
        chores.look_after(shared, &mut board, &mut clock, &turn, &mut check_in).await;
    }
}

/// SHA-256 of `prefix` and the image, a [`STEP`] in each turn, so that no other task waits
/// for it.
async fn measure(
    prefix: &[u8],
    image: &[u8],
    turn: &impl Turn,
    check_in: &mut impl CheckIn,
) -> ImageHash {
    let mut message = Message::new();
    message.take(prefix);
    for chunk in image.chunks(STEP) {
        turn.take_turn().await;
        message.take(chunk);
        check_in.check_in();
    }
    ImageHash(message.end().bytes())
}
