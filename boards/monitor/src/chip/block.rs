//! Which model has which address, and the clock it needs.

use crate::breach::Breach;
use crate::clocks::Gate;

/// A peripheral that is modelled here; those that can have something due come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Tim5,
    Tim7,
    Iwdg,
    Usart3,
    Uart4,
    Can,
    Pwr,
    Spi,
    Usart1,
    Dma,
    Rcc,
    Flash,
    Rng,
    GpioA,
    GpioB,
    GpioC,
}

/// Blocks that can have something due, in the order of their numbers.
pub(super) const BLOCKS: [Block; 13] = [
    Block::Tim5,
    Block::Tim7,
    Block::Iwdg,
    Block::Usart3,
    Block::Uart4,
    Block::Can,
    Block::Pwr,
    Block::Spi,
    Block::Usart1,
    Block::Dma,
    Block::Rcc,
    Block::Flash,
    Block::Rng,
];

impl Block {
    /// The block at an address, and the offset in it (RM0351 2.2.2).
    pub(super) fn at(address: u32) -> Option<(Self, u32)> {
        let block = match address & !0x3FF {
            0x4000_0C00 => Self::Tim5,
            0x4000_1400 => Self::Tim7,
            0x4000_3000 => Self::Iwdg,
            0x4000_4800 => Self::Usart3,
            0x4000_4C00 => Self::Uart4,
            0x4000_6400 => Self::Can,
            0x4000_7000 => Self::Pwr,
            0x4001_3000 => Self::Spi,
            0x4001_3800 => Self::Usart1,
            0x4002_0000 => Self::Dma,
            0x4002_1000 => Self::Rcc,
            0x4002_2000 => Self::Flash,
            0x5006_0800 => Self::Rng,
            0x4800_0000 => Self::GpioA,
            0x4800_0400 => Self::GpioB,
            0x4800_0800 => Self::GpioC,
            _ => return None,
        };
        Some((block, address & 0x3FF))
    }

    /// The port, for a GPIO block.
    pub(super) fn port(self) -> u32 {
        match self {
            Self::GpioB => 1,
            Self::GpioC => 2,
            _ => 0,
        }
    }

    /// What must be on before an access, and the words for when it is not. The watchdog and RCC
    /// need nothing; flash's registers answer without the clock that sleep mode takes from it.
    pub(super) fn gate(self) -> Option<(Gate, &'static str)> {
        Some(match self {
            Self::Tim5 => (Gate::Tim5, "TIM5"),
            Self::Tim7 => (Gate::Tim7, "TIM7"),
            Self::Usart3 => (Gate::Usart3, "USART3"),
            Self::Uart4 => (Gate::Uart4, "UART4"),
            Self::Can => (Gate::Can1, "CAN1"),
            Self::Pwr => (Gate::Pwr, "PWR"),
            Self::Spi => (Gate::Spi1, "SPI1"),
            Self::Usart1 => (Gate::Usart1, "USART1"),
            Self::Dma => (Gate::Dma1, "DMA1"),
            Self::Rng => (Gate::Rng, "RNG"),
            Self::GpioA => (Gate::Gpio(0), "GPIOA"),
            Self::GpioB => (Gate::Gpio(1), "GPIOB"),
            Self::GpioC => (Gate::Gpio(2), "GPIOC"),
            Self::Iwdg | Self::Rcc | Self::Flash => return None,
        })
    }
}

/// Whether an address is a peripheral's (RM0351 2.2.2).
pub(super) fn is_peripheral(address: u32) -> bool {
    matches!(address, 0x4000_0000..=0x5FFF_FFFF)
}

/// The words for an access to a peripheral without a model.
pub(super) fn unmodelled(address: u32) -> Breach {
    Breach::new("a peripheral that no model has", address, "the image must not touch it")
}
