//! The clocks as RCC has set them: what the other models hold an access against.

/// A peripheral with a clock of its own in RCC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the peripheral of that name")]
pub enum Gate {
    Dma1,
    Flash,
    Gpio(u8),
    Rng,
    Tim5,
    Tim7,
    Usart3,
    Uart4,
    Can1,
    Pwr,
    Spi1,
    Usart1,
    Syscfg,
}

/// Frequencies in hertz; zero when stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clocks {
    /// The processor, the buses and flash.
    pub hclk: u32,
    /// The first peripheral bus: UARTs, CAN, timers 2 to 7.
    pub pclk1: u32,
    /// The second: SPI1, USART1.
    pub pclk2: u32,
    /// The random number generator's.
    pub clk48: u32,
    /// Enabled peripherals, one bit each in the order of RCC's enable registers.
    pub ahb1: u32,
    /// The same of AHB2.
    pub ahb2: u32,
    /// The same of APB1, first register.
    pub apb1: u32,
    /// The same of APB2.
    pub apb2: u32,
}

impl Clocks {
    /// As after reset: MSI at 4 MHz, flash's own clock on (RM0351 6.4.16).
    pub const RESET: Self = Self {
        hclk: 4_000_000,
        pclk1: 4_000_000,
        pclk2: 4_000_000,
        clk48: 0,
        ahb1: 1 << 8,
        ahb2: 0,
        apb1: 0,
        apb2: 0,
    };

    /// Whether a peripheral has its clock (RM0351 6.4.16 to 6.4.21).
    pub fn has(&self, gate: Gate) -> bool {
        let (word, bit) = match gate {
            Gate::Dma1 => (self.ahb1, 0),
            Gate::Flash => (self.ahb1, 8),
            Gate::Gpio(port) => (self.ahb2, u32::from(port)),
            Gate::Rng => (self.ahb2, 18),
            Gate::Tim5 => (self.apb1, 3),
            Gate::Tim7 => (self.apb1, 5),
            Gate::Usart3 => (self.apb1, 18),
            Gate::Uart4 => (self.apb1, 19),
            Gate::Can1 => (self.apb1, 25),
            Gate::Pwr => (self.apb1, 28),
            Gate::Syscfg => (self.apb2, 0),
            Gate::Spi1 => (self.apb2, 12),
            Gate::Usart1 => (self.apb2, 14),
        };
        word >> bit & 1 == 1
    }
}
