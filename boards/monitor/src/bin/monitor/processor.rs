//! The processor's own registers: interrupts, memory protection, SysTick, reset.

use monitor::time::Counter;

const SYST_CSR: *mut u32 = 0xE000_E010 as *mut u32;
const SYST_RVR: *mut u32 = 0xE000_E014 as *mut u32;
const SYST_CVR: *mut u32 = 0xE000_E018 as *mut u32;
const ISER: *mut u32 = 0xE000_E100 as *mut u32;
const ICER: *mut u32 = 0xE000_E180 as *mut u32;
const ISPR: *mut u32 = 0xE000_E200 as *mut u32;
const ICPR: *mut u32 = 0xE000_E280 as *mut u32;
const ICSR: *mut u32 = 0xE000_ED04 as *mut u32;
const VTOR: *mut u32 = 0xE000_ED08 as *mut u32;
const AIRCR: *mut u32 = 0xE000_ED0C as *mut u32;
const SHPR3: *mut u32 = 0xE000_ED20 as *mut u32;
const CFSR: *mut u32 = 0xE000_ED28 as *mut u32;
const HFSR: *mut u32 = 0xE000_ED2C as *mut u32;
const MMFAR: *const u32 = 0xE000_ED34 as *const u32;
const BFAR: *const u32 = 0xE000_ED38 as *const u32;
const MPU_CTRL: *mut u32 = 0xE000_ED94 as *mut u32;
const MPU_RNR: *mut u32 = 0xE000_ED98 as *mut u32;
const MPU_RBAR: *mut u32 = 0xE000_ED9C as *mut u32;
const MPU_RASR: *mut u32 = 0xE000_EDA0 as *mut u32;

const RUNNING: u32 = 0b111;
const STOPPED: u32 = 0b110;
const PENDING: u32 = 1 << 26;
const CLEAR_PENDING: u32 = 1 << 25;

/// The interrupt of the bench: TSC, which the images do not use.
pub(crate) const BENCH_INTERRUPT: u32 = 77;
/// The interrupt in which the images' tasks run: SWPMI1.
pub(crate) const EXECUTOR_INTERRUPT: u32 = 76;

/// Reads a word at an address.
pub(crate) fn load(address: u32) -> u32 {
    // SAFETY: callers name registers and memory of this chip; a wrong one ends in a lock-up that
    // QEMU reports.
    unsafe { (address as *const u32).read_volatile() }
}

/// Writes a word at an address.
pub(crate) fn store(address: u32, value: u32) {
    // SAFETY: as for `load`.
    unsafe { (address as *mut u32).write_volatile(value) }
}

fn get(register: *const u32) -> u32 {
    load(register as u32)
}

fn set(register: *mut u32, value: u32) {
    store(register as u32, value);
}

/// SysTick's registers.
pub(crate) struct SysTick;

impl SysTick {
    /// Starts the count with its longest period: QEMU stops one without a period for good.
    pub(crate) fn begin(&mut self) {
        self.stop();
        self.set_reload(monitor::time::LONGEST);
        set(SYST_CVR, 0);
        self.run();
    }
}

impl Counter for SysTick {
    fn current(&self) -> u32 {
        get(SYST_CVR)
    }

    fn set_reload(&mut self, reload: u32) {
        set(SYST_RVR, reload);
    }

    fn restart(&mut self) {
        set(SYST_CVR, 0);
        set(ICSR, CLEAR_PENDING); // a period that ended before must not ring too
    }

    fn is_pending(&self) -> bool {
        get(ICSR) & PENDING != 0
    }

    fn stop(&mut self) {
        set(SYST_CSR, STOPPED);
    }

    // Counts the processor clock, with interrupt.
    fn run(&mut self) {
        set(SYST_CSR, RUNNING);
    }
}

/// Raises and lowers interrupt lines: words of `(raise, lower)`.
pub(crate) fn set_lines(words: [(u32, u32); 3]) {
    for (index, (raise, lower)) in words.into_iter().enumerate() {
        if raise != 0 {
            set(ISPR.wrapping_add(index), raise);
        }
        if lower != 0 {
            set(ICPR.wrapping_add(index), lower);
        }
    }
}

/// Enables an interrupt.
pub(crate) fn enable(interrupt: u32) {
    set(ISER.wrapping_add(interrupt as usize / 32), 1 << (interrupt % 32));
}

/// Makes an interrupt pending.
pub(crate) fn pend(interrupt: u32) {
    set(ISPR.wrapping_add(interrupt as usize / 32), 1 << (interrupt % 32));
}

/// Clears a pending interrupt.
pub(crate) fn unpend(interrupt: u32) {
    set(ICPR.wrapping_add(interrupt as usize / 32), 1 << (interrupt % 32));
}

/// Lets no handler run, as in a handler of the monitor.
pub(crate) fn shut_out() {
    // SAFETY: a flag of the processor, which the way into the image takes back.
    unsafe { core::arch::asm!("cpsid f", options(nostack)) };
}

/// Sleeps until the bench's interrupt is pending. All others are kept from waking; SysTick, in
/// whose handler this is called, is put below the bench's while it lasts.
pub(crate) fn sleep_until_bench() {
    let enabled = [0, 1, 2].map(|index| get(ISER.wrapping_add(index)));
    (0..3).for_each(|index| set(ICER.wrapping_add(index), u32::MAX));
    enable(BENCH_INTERRUPT);
    let priorities = get(SHPR3);
    set(SHPR3, (priorities & 0x00FF_FFFF) | 0x8000_0000);
    // SAFETY: sleeps; a pending interrupt wakes although FAULTMASK holds it back.
    unsafe { core::arch::asm!("dsb", "wfi", options(nostack)) };
    set(SHPR3, priorities);
    set(ICER.wrapping_add(BENCH_INTERRUPT as usize / 32), 1 << (BENCH_INTERRUPT % 32));
    enabled.iter().enumerate().for_each(|(index, word)| set(ISER.wrapping_add(index), *word));
}

/// Points the processor to a vector table.
pub(crate) fn set_vectors(table: u32) {
    set(VTOR, table);
}

/// Why a fault came, and where: CFSR, and the address if there is one.
pub(crate) fn fault() -> (u32, Option<u32>) {
    let status = get(CFSR);
    let address = if status & 1 << 7 != 0 {
        Some(get(MMFAR))
    } else if status & 1 << 15 != 0 {
        Some(get(BFAR))
    } else {
        None
    };
    (status, address)
}

/// Forgets a fault that was dealt with.
pub(crate) fn clear_fault(status: u32) {
    set(CFSR, status);
    set(HFSR, 1 << 30);
}

/// Resets the machine.
pub(crate) fn reset() -> ! {
    set(AIRCR, 0x05FA_0004);
    loop {
        core::hint::spin_loop();
    }
}

/// What the processor may do in a region.
#[derive(Clone, Copy)]
pub(crate) enum Allowed {
    /// Nothing: every access traps.
    Nothing = 0,
    /// Reading and running; a store traps.
    Reading = 6,
}

/// Closes a region. `size` is a power of two; a set bit of `open` leaves that eighth alone.
pub(crate) fn close(number: u32, base: u32, size: u32, open: u8, allowed: Allowed) {
    let log2 = size.trailing_zeros();
    // A region that is only closed to stores must still run code.
    let no_execution = matches!(allowed, Allowed::Nothing);
    set(MPU_RNR, number);
    set(MPU_RBAR, base);
    let attributes = u32::from(no_execution) << 28 | (allowed as u32) << 24 | 1 << 18 | 1 << 16;
    set(MPU_RASR, attributes | u32::from(open) << 8 | (log2 - 1) << 1 | 1);
}

/// Puts the regions in force: privileged code has the default map for the rest, and handlers of
/// faults are free of them.
pub(crate) fn protect() {
    set(MPU_CTRL, 0b101);
    // SAFETY: barriers only.
    unsafe { core::arch::asm!("dsb", "isb", options(nostack)) };
}

/// Keeps every interrupt out from now on, also after the handler has returned.
pub(crate) fn mask_interrupts() {
    // SAFETY: sets PRIMASK, on purpose.
    unsafe { core::arch::asm!("cpsid i", options(nostack)) };
}

/// The two halves of an instruction.
pub(crate) fn load_halves(pc: u32) -> (u16, u16) {
    let at = pc as *const u16;
    // SAFETY: the processor has just run this instruction.
    unsafe { (at.read_volatile(), at.wrapping_add(1).read_volatile()) }
}
