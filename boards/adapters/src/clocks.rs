//! The clocks: 80 MHz from the internal 16 MHz oscillator.
//!
//! The processor runs from MSI at its reset value of 4 MHz until embassy has set flash to four
//! wait states, and only then from the PLL (RM0351 3.3.3: 16 MHz at most without wait states).
//! So MSI must stay at 4 MHz: embassy sets its range while the processor runs from it, long
//! before it sets the wait states. The noise source's 48 MHz come from PLLSAI1 instead.
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
    // 16 MHz x 12 / 4. Both PLLs share source and divider (RM0351 6.4.4).
    config.rcc.pllsai1 = Some(rcc::Pll {
        source: rcc::PllSource::HSI,
        prediv: rcc::PllPreDiv::DIV1,
        mul: rcc::PllMul::MUL12,
        divp: None,
        divq: Some(rcc::PllQDiv::DIV4),
        divr: None,
    });
    config.rcc.mux.clk48sel = rcc::mux::Clk48sel::PLLSAI1_Q;
    config.rcc.sys = rcc::Sysclk::PLL1_R;
    // No RTC yet. embassy would choose LSI for it and take that back at once, which RM0351 6.4.29
    // does not allow without a reset of the backup domain.
    config.rcc.ls = rcc::LsConfig::off();
    config
}
