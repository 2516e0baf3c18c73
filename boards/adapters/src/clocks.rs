//! One clock for both boards: 80 MHz from the internal 16 MHz oscillator.
use embassy_stm32::{Config, rcc};

/// A configuration with the processor at 80 MHz.
pub fn eighty_megahertz() -> Config {
    let mut config = Config::default();
    config.rcc.hsi = true;
    config.rcc.pll = Some(rcc::Pll {
        source: rcc::PllSource::HSI,
        prediv: rcc::PllPreDiv::DIV1,
        mul: rcc::PllMul::MUL10,
        divp: None,
        divq: None,
        divr: Some(rcc::PllRDiv::DIV2),
    });
    config.rcc.sys = rcc::Sysclk::PLL1_R;
    config
}
