//! FLASH's registers by name (RM0351 3.7).

pub const ACR: u32 = 0x00;
pub const PDKEYR: u32 = 0x04;
pub const KEYR: u32 = 0x08;
pub const OPTKEYR: u32 = 0x0C;
pub const SR: u32 = 0x10;
pub const CR: u32 = 0x14;
pub const ECCR: u32 = 0x18;
pub const OPTR: u32 = 0x20;
pub const PCROP1SR: u32 = 0x24;
pub const PCROP1ER: u32 = 0x28;
pub const WRP1AR: u32 = 0x2C;
pub const WRP1BR: u32 = 0x30;
pub const PCROP2SR: u32 = 0x44;
pub const PCROP2ER: u32 = 0x48;
pub const WRP2AR: u32 = 0x4C;
pub const WRP2BR: u32 = 0x50;

/// Bits of FLASH_ACR.
pub mod acr {
    pub const LATENCY: u32 = 7;
    pub const ICEN: u32 = 1 << 9;
    pub const DCEN: u32 = 1 << 10;
    pub const ICRST: u32 = 1 << 11;
    pub const DCRST: u32 = 1 << 12;
    pub const RUN_PD: u32 = 1 << 13;
    /// All that can be written.
    pub const ALL: u32 = 0x7F07;
    pub const RESET: u32 = 0x0600;
}

/// Bits of FLASH_SR.
pub mod sr {
    pub const EOP: u32 = 1 << 0;
    pub const OPERR: u32 = 1 << 1;
    pub const PROGERR: u32 = 1 << 3;
    pub const WRPERR: u32 = 1 << 4;
    pub const PGAERR: u32 = 1 << 5;
    pub const SIZERR: u32 = 1 << 6;
    pub const PGSERR: u32 = 1 << 7;
    pub const MISERR: u32 = 1 << 8;
    pub const FASTERR: u32 = 1 << 9;
    pub const BSY: u32 = 1 << 16;
    /// Those that block the next operation until they are cleared.
    pub const ERRORS: u32 = PROGERR | WRPERR | PGAERR | SIZERR | PGSERR | MISERR | FASTERR;
    /// Those that a written one clears.
    pub const FLAGS: u32 = 0xC3FB;
}

/// Bits of FLASH_CR.
pub mod cr {
    pub const PG: u32 = 1 << 0;
    pub const PER: u32 = 1 << 1;
    pub const MER1: u32 = 1 << 2;
    pub const PNB_SHIFT: u32 = 3;
    pub const BKER: u32 = 1 << 11;
    pub const MER2: u32 = 1 << 15;
    pub const STRT: u32 = 1 << 16;
    pub const OPTSTRT: u32 = 1 << 17;
    pub const FSTPG: u32 = 1 << 18;
    pub const EOPIE: u32 = 1 << 24;
    pub const ERRIE: u32 = 1 << 25;
    pub const OBL_LAUNCH: u32 = 1 << 27;
    pub const OPTLOCK: u32 = 1 << 30;
    pub const LOCK: u32 = 1 << 31;
    /// Those that hold what is written.
    pub const KEPT: u32 = 0x0704_8FFF;
}

/// Bits of FLASH_ECCR.
pub mod eccr {
    pub const BK_ECC: u32 = 1 << 19;
    pub const ECCIE: u32 = 1 << 24;
    pub const ECCD: u32 = 1 << 31;
}

/// What an option register reads: the chip as delivered, level 0, two banks, no protection.
pub const fn option(offset: u32) -> Option<u32> {
    match offset {
        OPTR => Some(0xFFEF_F8AA),
        PCROP1SR | PCROP2SR => Some(0xFFFF),
        PCROP1ER | PCROP2ER => Some(0),
        WRP1AR | WRP1BR | WRP2AR | WRP2BR => Some(0xFF),
        _ => None,
    }
}
