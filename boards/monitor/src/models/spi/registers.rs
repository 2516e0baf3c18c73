//! Names of the SPI's registers and of their bits (RM0351, SPI registers).

pub const CR1: u32 = 0x00;
pub const CR2: u32 = 0x04;
pub const SR: u32 = 0x08;
pub const DR: u32 = 0x0C;
pub const CRCPR: u32 = 0x10;
pub const RXCRCR: u32 = 0x14;
pub const TXCRCR: u32 = 0x18;

pub mod cr1 {
    pub const MODE: u32 = 0b11;
    pub const MSTR: u32 = 1 << 2;
    pub const BR_AT: u32 = 3;
    pub const BR: u32 = 0b111 << BR_AT;
    pub const SPE: u32 = 1 << 6;
    pub const LSBFIRST: u32 = 1 << 7;
    pub const SSI: u32 = 1 << 8;
    pub const SSM: u32 = 1 << 9;
    pub const RXONLY: u32 = 1 << 10;
    pub const CRCL: u32 = 1 << 11;
    pub const CRCEN: u32 = 1 << 13;
    pub const BIDIOE: u32 = 1 << 14;
    pub const BIDIMODE: u32 = 1 << 15;
    /// What stands while SPE is set.
    pub const SET_UP: u32 =
        MODE | MSTR | BR | LSBFIRST | SSM | RXONLY | CRCL | CRCEN | BIDIOE | BIDIMODE;
}

pub mod cr2 {
    pub const RXDMAEN: u32 = 1 << 0;
    pub const TXDMAEN: u32 = 1 << 1;
    pub const SSOE: u32 = 1 << 2;
    pub const NSSP: u32 = 1 << 3;
    pub const FRF: u32 = 1 << 4;
    pub const ERRIE: u32 = 1 << 5;
    pub const RXNEIE: u32 = 1 << 6;
    pub const TXEIE: u32 = 1 << 7;
    pub const DS: u32 = 0b1111 << 8;
    pub const EIGHT_BITS: u32 = 0b0111 << 8;
    pub const FRXTH: u32 = 1 << 12;
    pub const RESET: u32 = EIGHT_BITS;
    /// What stands while SPE is set.
    pub const SET_UP: u32 = DS | SSOE | NSSP | FRF;
}

pub mod sr {
    pub const RXNE: u32 = 1 << 0;
    pub const TXE: u32 = 1 << 1;
    pub const OVR: u32 = 1 << 6;
    pub const BSY: u32 = 1 << 7;
    pub const FRLVL_AT: u32 = 9;
    pub const FTLVL_AT: u32 = 11;
}
