//! What the loop of the common services finds on the chip: image, service switch and log.
use crate::clock::DeviceClock;
use crate::context::Context;
use crate::executor::MainTurn;
use crate::image;
use crate::store_flash::torn_words;
use crate::task_watchdog;
use croupier::context::ports::{ServicesNote, ServicesPort};
use croupier::context::{ContextDevice, run_services};
use croupier::safety::TaskId;
use embassy_stm32::gpio::{Input, Output};
use embassy_time::Instant;

/// The service switch inside the housing: closed contacts pull the pin low.
pub struct ServiceSwitch(pub Input<'static>);

impl ServicesPort for ServiceSwitch {
    fn image(&self) -> &[u8] {
        image::bytes()
    }

    fn service_switch_closed(&mut self) -> bool {
        self.0.is_low()
    }

    fn note(&mut self, note: ServicesNote) {
        match note {
            ServicesNote::ImageMeasured(hash) => defmt::info!("image sha256 {}", hash),
            ServicesNote::StoreStalled(stalls) => {
                defmt::warn!("{} changes had to wait for the store to make room", stalls);
            }
            ServicesNote::ChoreFailed(why) => {
                defmt::warn!("the store's flash failed a chore: {}", why);
            }
        }
    }
}

/// Shows that the device is ready, and runs its services for ever.
pub async fn run<D: ContextDevice>(
    shared: &Context<D>,
    mut ready: Output<'static>,
    switch: ServiceSwitch,
) -> ! {
    let registration = task_watchdog::register(TaskId::Background);
    ready.set_high();
    if torn_words() > 0 {
        defmt::warn!("the store met {} words that a power cut tore", torn_words());
    }
    defmt::info!("ready after {} us", Instant::now().as_micros());
    run_services(shared, switch, DeviceClock, MainTurn, registration).await
}
