//! Names of the USART's registers and of their bits (RM0351, USART registers).

pub const CR1: u32 = 0x00;
pub const CR2: u32 = 0x04;
pub const CR3: u32 = 0x08;
pub const BRR: u32 = 0x0C;
pub const GTPR: u32 = 0x10;
pub const RTOR: u32 = 0x14;
pub const RQR: u32 = 0x18;
pub const ISR: u32 = 0x1C;
pub const ICR: u32 = 0x20;
pub const RDR: u32 = 0x24;
pub const TDR: u32 = 0x28;

pub mod cr1 {
    pub const UE: u32 = 1 << 0;
    pub const RE: u32 = 1 << 2;
    pub const TE: u32 = 1 << 3;
    pub const IDLEIE: u32 = 1 << 4;
    pub const RXNEIE: u32 = 1 << 5;
    pub const TCIE: u32 = 1 << 6;
    pub const TXEIE: u32 = 1 << 7;
    pub const PS: u32 = 1 << 9;
    pub const PCE: u32 = 1 << 10;
    pub const M0: u32 = 1 << 12;
    pub const OVER8: u32 = 1 << 15;
    pub const M1: u32 = 1 << 28;
    /// Frame and sampling: only while UE is off.
    pub const FRAME: u32 = PS | PCE | M0 | OVER8 | M1;
}

pub mod cr2 {
    /// STOP, SWAP, RXINV, TXINV, DATAINV, MSBFIRST: only while UE is off.
    pub const FRAME: u32 = 0b11 << 12 | 0b11111 << 15;
}

pub mod cr3 {
    pub const EIE: u32 = 1 << 0;
    pub const HDSEL: u32 = 1 << 3;
    pub const DMAR: u32 = 1 << 6;
    pub const DMAT: u32 = 1 << 7;
    pub const OVRDIS: u32 = 1 << 12;
    /// IREN, IRLP, HDSEL, NACK, SCEN, RTSE, CTSE, ONEBIT, OVRDIS, DDRE, DEM, DEP: only while
    /// UE is off.
    pub const FRAME: u32 = 0b11_1110 | 0b11 << 8 | 0b1_1111 << 11;
}

pub mod isr {
    pub const FE: u32 = 1 << 1;
    pub const NF: u32 = 1 << 2;
    pub const ORE: u32 = 1 << 3;
    pub const IDLE: u32 = 1 << 4;
    pub const RXNE: u32 = 1 << 5;
    pub const TC: u32 = 1 << 6;
    pub const TXE: u32 = 1 << 7;
    pub const BUSY: u32 = 1 << 16;
    pub const TEACK: u32 = 1 << 21;
    pub const REACK: u32 = 1 << 22;
    /// After reset, and whenever UE is off.
    pub const DEFAULT: u32 = TXE | TC;
    /// What ICR clears: PE, FE, NF, ORE, IDLE, TC, LBDF, CTSIF, RTOF, EOBF, CMF, WUF.
    pub const CLEARABLE: u32 = 0b101_1111 | 0b11 << 8 | 0b11 << 11 | 1 << 17 | 1 << 20;
}

pub mod rqr {
    pub const RXFRQ: u32 = 1 << 3;
}
