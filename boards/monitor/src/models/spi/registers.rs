//! Names of the SPI's registers and of their bits (RM0351, SPI registers).

pub(super) const CR1: u32 = 0x00;
pub(super) const CR2: u32 = 0x04;
pub(super) const SR: u32 = 0x08;
pub(super) const DR: u32 = 0x0C;
pub(super) const CRCPR: u32 = 0x10;
pub(super) const RXCRCR: u32 = 0x14;
pub(super) const TXCRCR: u32 = 0x18;

pub(super) mod cr1 {
    pub(crate) const MODE: u32 = 0b11;
    pub(crate) const MSTR: u32 = 1 << 2;
    pub(crate) const BR_AT: u32 = 3;
    pub(crate) const BR: u32 = 0b111 << BR_AT;
    pub(crate) const SPE: u32 = 1 << 6;
    pub(crate) const LSBFIRST: u32 = 1 << 7;
    pub(crate) const SSI: u32 = 1 << 8;
    pub(crate) const SSM: u32 = 1 << 9;
    pub(crate) const RXONLY: u32 = 1 << 10;
    pub(crate) const CRCL: u32 = 1 << 11;
    pub(crate) const CRCEN: u32 = 1 << 13;
    pub(crate) const BIDIOE: u32 = 1 << 14;
    pub(crate) const BIDIMODE: u32 = 1 << 15;
    /// What stands while SPE is set.
    pub(crate) const SET_UP: u32 =
        MODE | MSTR | BR | LSBFIRST | SSM | RXONLY | CRCL | CRCEN | BIDIOE | BIDIMODE;
}

pub(super) mod cr2 {
    pub(crate) const RXDMAEN: u32 = 1 << 0;
    pub(crate) const TXDMAEN: u32 = 1 << 1;
    pub(crate) const SSOE: u32 = 1 << 2;
    pub(crate) const NSSP: u32 = 1 << 3;
    pub(crate) const FRF: u32 = 1 << 4;
    pub(crate) const ERRIE: u32 = 1 << 5;
    pub(crate) const RXNEIE: u32 = 1 << 6;
    pub(crate) const TXEIE: u32 = 1 << 7;
    pub(crate) const DS: u32 = 0b1111 << 8;
    pub(crate) const EIGHT_BITS: u32 = 0b0111 << 8;
    pub(crate) const FRXTH: u32 = 1 << 12;
    pub(crate) const RESET: u32 = EIGHT_BITS;
    /// What stands while SPE is set.
    pub(crate) const SET_UP: u32 = DS | SSOE | NSSP | FRF;
}

pub(super) mod sr {
    pub(crate) const RXNE: u32 = 1 << 0;
    pub(crate) const TXE: u32 = 1 << 1;
    pub(crate) const OVR: u32 = 1 << 6;
    pub(crate) const BSY: u32 = 1 << 7;
    pub(crate) const FRLVL_AT: u32 = 9;
    pub(crate) const FTLVL_AT: u32 = 11;
}
