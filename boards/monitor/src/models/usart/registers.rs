//! Names of the USART's registers and of their bits (RM0351, USART registers).

pub(super) const CR1: u32 = 0x00;
pub(super) const CR2: u32 = 0x04;
pub(super) const CR3: u32 = 0x08;
pub(super) const BRR: u32 = 0x0C;
pub(super) const GTPR: u32 = 0x10;
pub(super) const RTOR: u32 = 0x14;
pub(super) const RQR: u32 = 0x18;
pub(super) const ISR: u32 = 0x1C;
pub(super) const ICR: u32 = 0x20;
pub(super) const RDR: u32 = 0x24;
pub(super) const TDR: u32 = 0x28;

pub(super) mod cr1 {
    pub(crate) const UE: u32 = 1 << 0;
    pub(crate) const RE: u32 = 1 << 2;
    pub(crate) const TE: u32 = 1 << 3;
    pub(crate) const IDLEIE: u32 = 1 << 4;
    pub(crate) const RXNEIE: u32 = 1 << 5;
    pub(crate) const TCIE: u32 = 1 << 6;
    pub(crate) const TXEIE: u32 = 1 << 7;
    pub(crate) const PS: u32 = 1 << 9;
    pub(crate) const PCE: u32 = 1 << 10;
    pub(crate) const M0: u32 = 1 << 12;
    pub(crate) const OVER8: u32 = 1 << 15;
    pub(crate) const M1: u32 = 1 << 28;
    /// Frame and sampling: only while UE is off.
    pub(crate) const FRAME: u32 = PS | PCE | M0 | OVER8 | M1;
}

pub(super) mod cr2 {
    /// STOP, SWAP, RXINV, TXINV, DATAINV, MSBFIRST: only while UE is off.
    pub(crate) const FRAME: u32 = 0b11 << 12 | 0b11111 << 15;
}

pub(super) mod cr3 {
    pub(crate) const EIE: u32 = 1 << 0;
    pub(crate) const HDSEL: u32 = 1 << 3;
    pub(crate) const DMAR: u32 = 1 << 6;
    pub(crate) const DMAT: u32 = 1 << 7;
    pub(crate) const OVRDIS: u32 = 1 << 12;
    /// IREN, IRLP, HDSEL, NACK, SCEN, RTSE, CTSE, ONEBIT, OVRDIS, DDRE, DEM, DEP: only while
    /// UE is off.
    pub(crate) const FRAME: u32 = 0b11_1110 | 0b11 << 8 | 0b1_1111 << 11;
}

pub(super) mod isr {
    pub(crate) const FE: u32 = 1 << 1;
    pub(crate) const NF: u32 = 1 << 2;
    pub(crate) const ORE: u32 = 1 << 3;
    pub(crate) const IDLE: u32 = 1 << 4;
    pub(crate) const RXNE: u32 = 1 << 5;
    pub(crate) const TC: u32 = 1 << 6;
    pub(crate) const TXE: u32 = 1 << 7;
    pub(crate) const BUSY: u32 = 1 << 16;
    pub(crate) const TEACK: u32 = 1 << 21;
    pub(crate) const REACK: u32 = 1 << 22;
    /// After reset, and whenever UE is off.
    pub(crate) const DEFAULT: u32 = TXE | TC;
    /// What ICR clears: PE, FE, NF, ORE, IDLE, TC, LBDF, CTSIF, RTOF, EOBF, CMF, WUF.
    pub(crate) const CLEARABLE: u32 = 0b101_1111 | 0b11 << 8 | 0b11 << 11 | 1 << 17 | 1 << 20;
}

pub(super) mod rqr {
    pub(crate) const RXFRQ: u32 = 1 << 3;
}
