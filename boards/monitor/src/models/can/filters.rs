//! The acceptance filters: which frames are kept, and in which FIFO.

use super::frame::{Frame, IDE, RTR};
use crate::breach::Breach;

/// A chip with one CAN has half of the banks (RM0351, bxCAN filters).
const BANKS: usize = 14;
const ALL: u32 = (1 << BANKS) - 1;
/// FMR after reset: filters being set up, CAN2SB 14.
const FMR_RESET: u32 = 0x2A1C_0E01;
const FINIT: u32 = 1;
const CAN2SB: u32 = 0x3F << 8;

pub(super) const FMR: u32 = 0x200;
const FM1R: u32 = 0x204;
const FS1R: u32 = 0x20C;
const FFA1R: u32 = 0x214;
const FA1R: u32 = 0x21C;
const F0R1: u32 = 0x240;

/// The banks and their settings.
#[derive(Debug, Clone)]
pub(super) struct Filters {
    fmr: u32,
    /// FM1R, FS1R, FFA1R, FA1R: list, 32 bits, second FIFO, active.
    list: u32,
    wide: u32,
    second: u32,
    active: u32,
    banks: [[u32; 2]; BANKS],
}

/// Where a frame goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    pub fifo: usize,
    /// FMI: which filter of that FIFO, counted over all banks.
    pub index: u8,
}

impl Filters {
    pub(super) const fn new() -> Self {
        Self { fmr: FMR_RESET, list: 0, wide: 0, second: 0, active: 0, banks: [[0; 2]; BANKS] }
    }

    /// Whether they are being set up, which stops reception.
    pub(super) fn in_setup(&self) -> bool {
        self.fmr & FINIT != 0
    }

    pub(super) fn load(&self, offset: u32) -> Option<u32> {
        Some(match offset {
            FMR => self.fmr,
            FM1R => self.list,
            FS1R => self.wide,
            FFA1R => self.second,
            FA1R => self.active,
            _ => {
                let (bank, word) = place(offset)?;
                *self.banks.get(bank)?.get(word)?
            }
        })
    }

    pub(super) fn store(&mut self, offset: u32, value: u32) -> Option<Result<(), Breach>> {
        let result = match offset {
            FMR => self.set_mode(value),
            FM1R => self.set(offset, value, |filters| &mut filters.list),
            FS1R => self.set(offset, value, |filters| &mut filters.wide),
            FFA1R => self.set(offset, value, |filters| &mut filters.second),
            FA1R => {
                self.active = value & ALL;
                Ok(())
            }
            _ => {
                let (bank, word) = place(offset)?;
                let register = self.banks.get_mut(bank)?.get_mut(word)?;
                if self.fmr & FINIT == 0 && self.active >> bank & 1 != 0 {
                    let rule = "a filter bank changes only with FINIT or while inactive (RM0351, CAN_FiRx)";
                    return Some(Err(Breach::new("CAN_FiRx", value, rule)));
                }
                *register = value;
                Ok(())
            }
        };
        Some(result)
    }

    fn set_mode(&mut self, value: u32) -> Result<(), Breach> {
        if (value ^ FMR_RESET) & CAN2SB != 0 {
            let rule = "this chip has one CAN: CAN2SB keeps its 14 (RM0351, CAN_FMR)";
            return Err(Breach::new("CAN_FMR", value, rule));
        }
        self.fmr = FMR_RESET & !FINIT | value & FINIT;
        Ok(())
    }

    fn set(
        &mut self,
        offset: u32,
        value: u32,
        register: fn(&mut Self) -> &mut u32,
    ) -> Result<(), Breach> {
        if !self.in_setup() {
            let name = match offset {
                FM1R => "CAN_FM1R",
                FS1R => "CAN_FS1R",
                _ => "CAN_FFA1R",
            };
            return Err(Breach::new(name, value, "written without FINIT (RM0351, CAN_FMR)"));
        }
        *register(self) = value & ALL;
        Ok(())
    }

    /// The filter that takes a frame: 32 bits before 16, list before mask, then the lower number
    /// (RM0351, filter priority rules).
    pub(super) fn pass(&self, frame: &Frame) -> Option<Match> {
        if self.in_setup() {
            return None;
        }
        let mut best: Option<(u32, Match)> = None;
        let mut next = [0u8; 2];
        for (bank, registers) in self.banks.iter().enumerate() {
            let bit = |word: u32| word >> bank & 1;
            let (wide, list, fifo) = (bit(self.wide), bit(self.list), bit(self.second) as usize);
            let Some(number) = next.get_mut(fifo) else { continue };
            let filters = Bank { wide: wide == 1, list: list == 1, registers: *registers };
            if bit(self.active) == 1
                && let Some(filter) = filters.matching(frame)
            {
                let rank = 3 - (wide << 1 | list);
                if best.is_none_or(|(least, _)| rank < least) {
                    best = Some((rank, Match { fifo, index: *number + filter }));
                }
            }
            *number += filters.count();
        }
        best.map(|(_, found)| found)
    }
}

/// Bank and register by offset.
fn place(offset: u32) -> Option<(usize, usize)> {
    let word = offset.checked_sub(F0R1)? / 4;
    Some(((word / 2) as usize, (word % 2) as usize))
}

struct Bank {
    wide: bool,
    list: bool,
    registers: [u32; 2],
}

impl Bank {
    /// How many filters it is, active or not.
    fn count(&self) -> u8 {
        match (self.wide, self.list) {
            (true, false) => 1,
            (true, true) | (false, false) => 2,
            (false, true) => 4,
        }
    }

    /// The first of its filters that takes the frame.
    fn matching(&self, frame: &Frame) -> Option<u8> {
        let [a, b] = self.registers;
        let halves = |word: u32| [word & 0xFFFF, word >> 16];
        let short = short(frame.id);
        let hit = match (self.wide, self.list) {
            (true, false) => return ((frame.id ^ a) & b & !1 == 0).then_some(0),
            (true, true) => [a, b].iter().position(|id| (id ^ frame.id) & !1 == 0),
            (false, false) => {
                [a, b].map(halves).iter().position(|[id, mask]| (id ^ short) & mask == 0)
            }
            (false, true) => {
                let ([a, b], [c, d]) = (halves(a), halves(b));
                [a, b, c, d].iter().position(|id| *id == short)
            }
        };
        hit.map(|index| index as u8)
    }
}

/// What a filter of 16 bits sees: STID, RTR, IDE, and the top of EXID.
fn short(id: u32) -> u32 {
    id >> 21 << 5 | (id & RTR) << 3 | (id & IDE) << 1 | id >> 18 & 7
}
