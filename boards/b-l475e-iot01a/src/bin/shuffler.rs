//! The card shuffler on a B-L475E-IOT01A. Wiring only: no rule of the device is decided here.
#![no_std]
#![no_main]

use adapters::lamps::{self, Lamps};
use adapters::{clock::DeviceClock, desk, executor, key::Key, roll};
use croupier::identity::DeviceKind;
use croupier::panel::{self, lamps::SHUFFLER_LAMPS};
use croupier::safety::Duty;

/// Tasks cannot be generic, so this one only fixes the types of [`panel::run`].
#[embassy_executor::task]
async fn run_panel(key: Key, lamps: Lamps<SHUFFLER_LAMPS>) -> ! {
    panel::run(key, lamps, DeviceClock, roll::attend(Duty::Panel), desk::lamp_test).await
}

#[cortex_m_rt::entry]
fn main() -> ! {
    let (common, lamp_row) = board_b_l475e_iot01a::bring_up(DeviceKind::Shuffler);
    let ((lamps, _out_of_order), _motors) = lamps::shuffler(lamp_row);
    executor::run(|spawner| {
        spawner.spawn(run_panel(common.lamp_test, lamps).expect("spawned once"));
        common.rest.spawn(spawner);
    })
}
