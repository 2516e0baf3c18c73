//! The interrupt lines from the models into the processor.
//!
//! Lines are levels, as on the chip: a line that stays high interrupts again.

/// A line by its number in the vector table (RM0351 table 57).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Line {
    /// DMA1 channel 1; the others follow it.
    Dma1Channel1 = 11,
    /// DMA1 channel 2.
    Dma1Channel2 = 12,
    /// DMA1 channel 3.
    Dma1Channel3 = 13,
    /// DMA1 channel 4.
    Dma1Channel4 = 14,
    /// DMA1 channel 5.
    Dma1Channel5 = 15,
    /// DMA1 channel 6.
    Dma1Channel6 = 16,
    /// DMA1 channel 7.
    Dma1Channel7 = 17,
    /// CAN transmit.
    CanTx = 19,
    /// CAN receive FIFO 0.
    CanRx0 = 20,
    /// CAN receive FIFO 1.
    CanRx1 = 21,
    /// CAN status change and error.
    CanSce = 22,
    /// SPI1.
    Spi1 = 35,
    /// USART1.
    Usart1 = 37,
    /// USART3.
    Usart3 = 39,
    /// TIM5.
    Tim5 = 50,
    /// UART4.
    Uart4 = 52,
    /// TIM7.
    Tim7 = 55,
    /// RNG.
    Rng = 80,
    /// FLASH.
    Flash = 4,
}

/// The levels of all lines, and which of them the models have touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lines {
    levels: [u32; 3],
    touched: [u32; 3],
}

impl Lines {
    /// All low.
    pub const fn new() -> Self {
        Self { levels: [0; 3], touched: [0; 3] }
    }

    /// Sets a line's level. A level that is set again and still high interrupts again; one that
    /// stays low costs nothing.
    pub fn set(&mut self, line: Line, high: bool) {
        let (word, bit) = (usize::from(line as u8 / 32), 1 << (line as u8 % 32));
        if high {
            self.levels[word] |= bit;
            self.touched[word] |= bit;
        } else if self.levels[word] & bit != 0 {
            self.levels[word] &= !bit;
            self.touched[word] |= bit;
        }
    }

    /// Whether a line is high.
    pub fn is_high(&self, line: Line) -> bool {
        self.levels[usize::from(line as u8 / 32)] & 1 << (line as u8 % 32) != 0
    }

    /// What was touched since the last call: words of lines to raise and to lower.
    pub fn take(&mut self) -> [(u32, u32); 3] {
        let touched = core::mem::take(&mut self.touched);
        [0, 1, 2]
            .map(|word| (touched[word] & self.levels[word], touched[word] & !self.levels[word]))
    }
}
