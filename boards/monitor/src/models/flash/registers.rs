//! FLASH's registers by name (RM0351 3.7).

pub(super) const ACR: u32 = 0x00;
pub(super) const PDKEYR: u32 = 0x04;
pub(super) const KEYR: u32 = 0x08;
pub(super) const OPTKEYR: u32 = 0x0C;
pub(super) const SR: u32 = 0x10;
pub(super) const CR: u32 = 0x14;
pub(super) const ECCR: u32 = 0x18;
pub(super) const OPTR: u32 = 0x20;
pub(super) const PCROP1SR: u32 = 0x24;
pub(super) const PCROP1ER: u32 = 0x28;
pub(super) const WRP1AR: u32 = 0x2C;
pub(super) const WRP1BR: u32 = 0x30;
pub(super) const PCROP2SR: u32 = 0x44;
pub(super) const PCROP2ER: u32 = 0x48;
pub(super) const WRP2AR: u32 = 0x4C;
pub(super) const WRP2BR: u32 = 0x50;

/// Bits of FLASH_ACR.
pub(super) mod acr {
    pub(crate) const LATENCY: u32 = 7;
    pub(crate) const ICEN: u32 = 1 << 9;
    pub(crate) const DCEN: u32 = 1 << 10;
    pub(crate) const ICRST: u32 = 1 << 11;
    pub(crate) const DCRST: u32 = 1 << 12;
    pub(crate) const RUN_PD: u32 = 1 << 13;
    /// All that can be written.
    pub(crate) const ALL: u32 = 0x7F07;
    pub(crate) const RESET: u32 = 0x0600;
}

/// Bits of FLASH_SR.
pub(super) mod sr {
    pub(crate) const EOP: u32 = 1 << 0;
    pub(crate) const OPERR: u32 = 1 << 1;
    pub(crate) const PROGERR: u32 = 1 << 3;
    pub(crate) const WRPERR: u32 = 1 << 4;
    pub(crate) const PGAERR: u32 = 1 << 5;
    pub(crate) const SIZERR: u32 = 1 << 6;
    pub(crate) const PGSERR: u32 = 1 << 7;
    pub(crate) const MISERR: u32 = 1 << 8;
    pub(crate) const FASTERR: u32 = 1 << 9;
    pub(crate) const BSY: u32 = 1 << 16;
    /// Those that block the next operation until they are cleared.
    pub(crate) const ERRORS: u32 = PROGERR | WRPERR | PGAERR | SIZERR | PGSERR | MISERR | FASTERR;
    /// Those that a written one clears.
    pub(crate) const FLAGS: u32 = 0xC3FB;
}

/// Bits of FLASH_CR.
pub(super) mod cr {
    pub(crate) const PG: u32 = 1 << 0;
    pub(crate) const PER: u32 = 1 << 1;
    pub(crate) const MER1: u32 = 1 << 2;
    pub(crate) const PNB_SHIFT: u32 = 3;
    pub(crate) const BKER: u32 = 1 << 11;
    pub(crate) const MER2: u32 = 1 << 15;
    pub(crate) const STRT: u32 = 1 << 16;
    pub(crate) const OPTSTRT: u32 = 1 << 17;
    pub(crate) const FSTPG: u32 = 1 << 18;
    pub(crate) const EOPIE: u32 = 1 << 24;
    pub(crate) const ERRIE: u32 = 1 << 25;
    pub(crate) const OBL_LAUNCH: u32 = 1 << 27;
    pub(crate) const OPTLOCK: u32 = 1 << 30;
    pub(crate) const LOCK: u32 = 1 << 31;
    /// Those that hold what is written.
    pub(crate) const KEPT: u32 = 0x0704_8FFF;
}

/// Bits of FLASH_ECCR.
pub(super) mod eccr {
    pub(crate) const BK_ECC: u32 = 1 << 19;
    pub(crate) const ECCIE: u32 = 1 << 24;
    pub(crate) const ECCD: u32 = 1 << 31;
}

/// What an option register reads: the chip as delivered, level 0, two banks, no protection.
pub(super) const fn option(offset: u32) -> Option<u32> {
    match offset {
        OPTR => Some(0xFFEF_F8AA),
        PCROP1SR | PCROP2SR => Some(0xFFFF),
        PCROP1ER | PCROP2ER => Some(0),
        WRP1AR | WRP1BR | WRP2AR | WRP2BR => Some(0xFF),
        _ => None,
    }
}
