//! RCC's registers by name, their reset values, and which of their bits can be written
//! (RM0351 6.4, as far as the STM32L475 has them).

pub(super) const CR: u32 = 0x00;
pub(super) const ICSCR: u32 = 0x04;
pub(super) const CFGR: u32 = 0x08;
pub(super) const PLLCFGR: u32 = 0x0C;
pub(super) const PLLSAI1CFGR: u32 = 0x10;
pub(super) const PLLSAI2CFGR: u32 = 0x14;
pub(super) const CIER: u32 = 0x18;
pub(super) const CIFR: u32 = 0x1C;
pub(super) const CICR: u32 = 0x20;
pub(super) const AHB1RSTR: u32 = 0x28;
pub(super) const AHB2RSTR: u32 = 0x2C;
pub(super) const AHB3RSTR: u32 = 0x30;
pub(super) const APB1RSTR1: u32 = 0x38;
pub(super) const APB1RSTR2: u32 = 0x3C;
pub(super) const APB2RSTR: u32 = 0x40;
pub(super) const AHB1ENR: u32 = 0x48;
pub(super) const AHB2ENR: u32 = 0x4C;
pub(super) const AHB3ENR: u32 = 0x50;
pub(super) const APB1ENR1: u32 = 0x58;
pub(super) const APB1ENR2: u32 = 0x5C;
pub(super) const APB2ENR: u32 = 0x60;
pub(super) const AHB1SMENR: u32 = 0x68;
pub(super) const AHB2SMENR: u32 = 0x6C;
pub(super) const AHB3SMENR: u32 = 0x70;
pub(super) const APB1SMENR1: u32 = 0x78;
pub(super) const APB1SMENR2: u32 = 0x7C;
pub(super) const APB2SMENR: u32 = 0x80;
pub(super) const CCIPR: u32 = 0x88;
pub(super) const BDCR: u32 = 0x90;
pub(super) const CSR: u32 = 0x94;

/// Bits of RCC_CR.
pub(super) mod cr {
    pub(crate) const MSION: u32 = 1 << 0;
    pub(crate) const MSIRDY: u32 = 1 << 1;
    pub(crate) const MSIPLLEN: u32 = 1 << 2;
    pub(crate) const MSIRGSEL: u32 = 1 << 3;
    pub(crate) const MSIRANGE: u32 = 0xF << 4;
    pub(crate) const HSION: u32 = 1 << 8;
    pub(crate) const HSIRDY: u32 = 1 << 10;
    pub(crate) const CSSON: u32 = 1 << 19;
    pub(crate) const PLLON: u32 = 1 << 24;
    pub(crate) const PLLRDY: u32 = 1 << 25;
    pub(crate) const PLLSAI1ON: u32 = 1 << 26;
    pub(crate) const PLLSAI1RDY: u32 = 1 << 27;
    pub(crate) const PLLSAI2ON: u32 = 1 << 28;
    pub(crate) const PLLSAI2RDY: u32 = 1 << 29;
    pub(crate) const ALL_PLLS: u32 = PLLON | PLLSAI1ON | PLLSAI2ON;
}

/// Bits of RCC_PLLCFGR and its two sisters.
pub(super) mod pll {
    pub(crate) const SRC: u32 = 3;
    pub(crate) const M: u32 = 7 << 4;
    pub(crate) const N_SHIFT: u32 = 8;
    pub(crate) const N: u32 = 0x7F << N_SHIFT;
    pub(crate) const PEN: u32 = 1 << 16;
    pub(crate) const P: u32 = 1 << 17;
    pub(crate) const QEN: u32 = 1 << 20;
    pub(crate) const Q_SHIFT: u32 = 21;
    pub(crate) const Q: u32 = 3 << Q_SHIFT;
    pub(crate) const REN: u32 = 1 << 24;
    pub(crate) const R_SHIFT: u32 = 25;
    pub(crate) const R: u32 = 3 << R_SHIFT;
}

/// Bits of RCC_BDCR.
pub(super) mod bdcr {
    pub(crate) const LSEON: u32 = 1 << 0;
    pub(crate) const LSERDY: u32 = 1 << 1;
    pub(crate) const RTCSEL: u32 = 3 << 8;
    pub(crate) const BDRST: u32 = 1 << 16;
}

/// Bits of RCC_CSR.
pub(super) mod csr {
    pub(crate) const LSION: u32 = 1 << 0;
    pub(crate) const LSIRDY: u32 = 1 << 1;
    pub(crate) const MSISRANGE: u32 = 0xF << 8;
    pub(crate) const RMVF: u32 = 1 << 23;
    pub(crate) const FLAGS: u32 = 0xFF << 24;
}

/// The block's words.
pub(super) const WORDS: usize = 0x98 / 4;

/// One register: its name, and the bits that hold what is written.
pub(super) const fn describe(offset: u32) -> Option<(&'static str, u32)> {
    Some(match offset {
        CR => ("RCC_CR", 0x150D_0BFD),
        ICSCR => ("RCC_ICSCR", 0x1F00_FF00),
        CFGR => ("RCC_CFGR", 0x7700_BFF3),
        PLLCFGR => ("RCC_PLLCFGR", 0x0773_7F73),
        PLLSAI1CFGR => ("RCC_PLLSAI1CFGR", 0x0773_7F00),
        PLLSAI2CFGR => ("RCC_PLLSAI2CFGR", 0x0703_7F00),
        CIER => ("RCC_CIER", 0x0000_02FF),
        CIFR => ("RCC_CIFR", 0),
        CICR => ("RCC_CICR", 0),
        AHB1RSTR => ("RCC_AHB1RSTR", 0x0001_1103),
        AHB2RSTR => ("RCC_AHB2RSTR", 0x0005_30FF),
        AHB3RSTR => ("RCC_AHB3RSTR", 0x0000_0101),
        APB1RSTR1 => ("RCC_APB1RSTR1", 0xF2FE_C23F),
        APB1RSTR2 => ("RCC_APB1RSTR2", 0x0000_0025),
        APB2RSTR => ("RCC_APB2RSTR", 0x0167_7C01),
        AHB1ENR => ("RCC_AHB1ENR", 0x0001_1103),
        AHB2ENR => ("RCC_AHB2ENR", 0x0005_30FF),
        AHB3ENR => ("RCC_AHB3ENR", 0x0000_0101),
        APB1ENR1 => ("RCC_APB1ENR1", 0xF2FE_CA3F),
        APB1ENR2 => ("RCC_APB1ENR2", 0x0000_0025),
        APB2ENR => ("RCC_APB2ENR", 0x0167_7C81),
        AHB1SMENR => ("RCC_AHB1SMENR", 0x0001_1303),
        AHB2SMENR => ("RCC_AHB2SMENR", 0x0005_32FF),
        AHB3SMENR => ("RCC_AHB3SMENR", 0x0000_0101),
        APB1SMENR1 => ("RCC_APB1SMENR1", 0xF2FE_CA3F),
        APB1SMENR2 => ("RCC_APB1SMENR2", 0x0000_0025),
        APB2SMENR => ("RCC_APB2SMENR", 0x0167_7C01),
        CCIPR => ("RCC_CCIPR", u32::MAX),
        BDCR => ("RCC_BDCR", 0x0301_833D),
        CSR => ("RCC_CSR", 0x0000_0F01),
        _ => return None,
    })
}

/// The register file: no ready bits, no switch status; those follow from it and the time.
#[derive(Debug, Clone)]
pub(super) struct Registers([u32; WORDS]);

impl Registers {
    /// Reset values; flash's clock is on, and so are all clocks in sleep.
    pub(crate) const fn new() -> Self {
        let mut words = [0; WORDS];
        words[CR as usize / 4] = cr::MSION | 6 << 4;
        words[ICSCR as usize / 4] = 0x106E_0082; // The calibration differs from chip to chip.
        words[PLLCFGR as usize / 4] = 16 << pll::N_SHIFT;
        words[PLLSAI1CFGR as usize / 4] = 16 << pll::N_SHIFT;
        words[PLLSAI2CFGR as usize / 4] = 16 << pll::N_SHIFT;
        words[AHB1ENR as usize / 4] = 1 << 8;
        words[AHB1SMENR as usize / 4] = 0x0001_1303;
        words[AHB2SMENR as usize / 4] = 0x0005_32FF;
        words[AHB3SMENR as usize / 4] = 0x0000_0101;
        words[APB1SMENR1 as usize / 4] = 0xF2FE_CA3F;
        words[APB1SMENR2 as usize / 4] = 0x0000_0025;
        words[APB2SMENR as usize / 4] = 0x0167_7C01;
        words[CSR as usize / 4] = 0x0C00_0600;
        Self(words)
    }

    /// What a register holds.
    pub(super) fn get(&self, offset: u32) -> u32 {
        self.0.get(offset as usize / 4).copied().unwrap_or(0)
    }

    /// Puts a register.
    pub(super) fn set(&mut self, offset: u32, value: u32) {
        if let Some(word) = self.0.get_mut(offset as usize / 4) {
            *word = value;
        }
    }
}
