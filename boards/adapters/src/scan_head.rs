//! The scan head's wire on the chip: SPI with DMA, a select line, and embassy's time.

use croupier::drivers::scan_head::SpiScanHead;
use croupier::reader::capture::CaptureHead;
use embassy_stm32::gpio::Output;
use embassy_stm32::mode::Async;
use embassy_stm32::spi::mode::Master;
use embassy_stm32::spi::{Config, MODE_0, Spi};
use embassy_stm32::time::Hertz;
use embassy_time::Delay;
use embedded_hal_bus::spi::ExclusiveDevice;

/// A head alone on its bus.
pub type ScanHead =
    CaptureHead<ExclusiveDevice<Spi<'static, Async, Master>, Output<'static>, Delay>, Delay>;

/// How the bus must be set up: a frame of 1,541 bytes then takes 2.5 ms.
///
/// The bus divides 80 MHz by powers of two, and embassy rounds a rate that it cannot have up;
/// 5 MHz it can have.
pub fn config() -> Config {
    let mut config = Config::default();
    config.mode = MODE_0;
    config.frequency = Hertz::mhz(5);
    config
}

/// The head on this bus, selected when the line is low.
pub fn scan_head(bus: Spi<'static, Async, Master>, select: Output<'static>) -> ScanHead {
    let device = match ExclusiveDevice::new(bus, select, Delay) {
        Ok(device) => device,
        Err(never) => match never {}, // a pin of the chip can always be set
    };
    CaptureHead::new(SpiScanHead::new(device, Delay))
}
