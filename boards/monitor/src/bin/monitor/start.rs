//! The monitor's first and only run of its own: sets the stage, then jumps into the image.

use core::arch::{asm, global_asm};
use core::cell::UnsafeCell;

use monitor::chip::Chip;
use monitor::models::gpio::Pin;
use monitor::time::Time;

use crate::outside::{Host, LOST_EXIT};
use crate::processor::{self, Allowed, SysTick, close, load, store};
use crate::run::State;
use crate::shared::{self, Word};

const IMAGE: u32 = 0x0800_0000;
/// Exceptions and interrupts of the chip.
const VECTORS: usize = 16 + 82;

#[repr(C, align(512))]
struct Table(UnsafeCell<[u32; VECTORS]>);

// SAFETY: written once, before the first interrupt.
unsafe impl Sync for Table {}

#[unsafe(link_section = ".vectors")]
static TABLE: Table = Table(UnsafeCell::new([0; VECTORS]));

unsafe extern "C" {
    fn on_hard_fault();
    fn on_tick();
    fn on_bench();
    fn on_executor();
}

global_asm!(
    ".section .entry, \"ax\"",
    ".global entry",
    ".thumb_func",
    "entry:",
    "ldr r0, =__stack_top",
    "mov sp, r0",
    "ldr r0, =__bss_start",
    "ldr r1, =__bss_end",
    "movs r2, #0",
    "1: cmp r0, r1",
    "bhs 2f",
    "stm r0!, {{r2}}",
    "b 1b",
    "2: ldr r0, =__data_start",
    "ldr r1, =__data_end",
    "ldr r2, =__data_load",
    "3: cmp r0, r1",
    "bhs 4f",
    "ldm r2!, {{r3}}",
    "stm r0!, {{r3}}",
    "b 3b",
    "4: bl start",
    ".ltorg",
);

// Each handler goes over to the monitor's own stack: the image's may be at its end. FAULTMASK
// keeps everything else out and lifts the protection; a hard fault has both by itself.
global_asm!(
    ".section .text.handlers, \"ax\"",
    ".global on_hard_fault",
    ".thumb_func",
    "on_hard_fault:",
    "tst lr, #4",
    "ite eq",
    "mrseq r0, msp",
    "mrsne r0, psp",
    "mov r2, lr",
    "ldr r3, =__stack_top",
    "mov sp, r3",
    "push {{r4-r11}}",
    "mov r1, sp",
    "push {{r2, r3}}",
    "bl trapped",
    "pop {{r2, r3}}",
    "pop {{r4-r11}}",
    "mov sp, r1",
    "mov lr, r2",
    "cbz r0, 1f",
    "bx r0",
    "1: bx lr",
    ".ltorg",
    ".global on_tick",
    ".thumb_func",
    "on_tick:",
    "ldr r3, =ticked",
    "b 2f",
    ".global on_bench",
    ".thumb_func",
    "on_bench:",
    "ldr r3, =notified",
    "2: mov r0, sp",
    "mov r1, lr",
    "cpsid f",
    "ldr r2, =__stack_top",
    "mov sp, r2",
    "push {{r0, r1}}",
    "blx r3",
    "pop {{r1, lr}}",
    "mov sp, r0",
    "cpsie f",
    "bx lr",
    ".ltorg",
    ".global on_executor",
    ".thumb_func",
    "on_executor:",
    "push {{r4, lr}}",
    "mov r4, sp",
    "cpsid f",
    "ldr r0, =__stack_top",
    "mov sp, r0",
    "bl hold_begins",
    "mov sp, r4",
    "cpsie f",
    // A task that spins: at the executor's own priority, with everything above it alive.
    "3: cmp r0, #0",
    "bne 3b",
    "ldr r0, =0x08000000 + 4 * (16 + 76)",
    "ldr r0, [r0]",
    "blx r0",
    "mov r4, sp",
    "cpsid f",
    "ldr r0, =__stack_top",
    "mov sp, r0",
    "bl hold_ends",
    "mov sp, r4",
    "cpsie f",
    "pop {{r4, pc}}",
    ".ltorg",
    // An image's NMI handler returns here; the load traps.
    ".global nmi_returns",
    ".thumb_func",
    "nmi_returns:",
    "ldr r0, =0x40000000",
    ".global nmi_trap",
    ".thumb_func",
    "nmi_trap:",
    "ldr r0, [r0]",
    "b nmi_returns",
    ".ltorg",
);

/// Everything before the image's first instruction.
#[unsafe(no_mangle)]
extern "C" fn start() -> ! {
    let cause = shared::take_cause();
    shared::clear();
    run_at_80_mhz();
    let mut host = Host::open();
    host.fill_flash();
    let mut chip = Chip::new(uid(&host), cause_flags(cause));
    let exact = host.arguments().value("icount") == Some(b"yes");
    attach(&mut chip, &host, exact);
    let in_step = host.arguments().value("step") == Some(b"world");
    take_vectors();
    outputs();
    close_regions();
    SysTick.begin();
    State::install(Time::start(SysTick, exact), chip, host, in_step);
    processor::unpend(processor::BENCH_INTERRUPT);
    // In step the bench's words are taken at the ends of steps only: an interrupt in between, from
    // a line that the host was slow to lower, would take time of the image's.
    if !in_step {
        processor::enable(processor::BENCH_INTERRUPT);
    }
    processor::protect();
    shared::put(Word::Mark, shared::MARK);
    State::get().wait_for_begin();
    let (stack, entry) = (load(IMAGE), load(IMAGE + 4));
    // SAFETY: the image's own first stack pointer and reset handler, as the chip would take them.
    unsafe {
        asm!(
            "msr msp, {0}",
            "mov lr, #-1",
            "cpsie f", // a handler that has waited takes the image's stack, as later on
            "bx {1}",
            in(reg) stack,
            in(reg) entry,
            options(noreturn),
        )
    }
}

/// The machine's own clock tree, which the image does not see: SysTick counts it.
fn run_at_80_mhz() {
    const RCC: u32 = 0x4002_1000;
    store(RCC, load(RCC) | 1 << 8); // HSI16
    store(RCC + 0x0C, 2 | 10 << 8 | 1 << 24); // PLL: HSI16 x 10 / 2
    store(RCC, load(RCC) | 1 << 24);
    store(RCC + 0x08, 3);
}

fn uid(host: &Host) -> [u32; 3] {
    let digits = host.arguments().value("uid").unwrap_or_default();
    [0, 8, 16].map(|at| {
        let word = digits.get(at..at + 8).and_then(crate::arguments::hex);
        word.unwrap_or(0).swap_bytes()
    })
}

fn cause_flags(cause: shared::Cause) -> monitor::models::rcc::ResetFlags {
    use monitor::models::rcc::ResetFlags;
    match cause {
        shared::Cause::Power => ResetFlags::POWER,
        shared::Cause::Software => ResetFlags::SOFTWARE,
        shared::Cause::Watchdog => ResetFlags::WATCHDOG,
        shared::Cause::BrownOut => ResetFlags::POWER,
        shared::Cause::Pin => ResetFlags::PIN,
    }
}

/// The table hardware around the chip, as the command line says.
fn attach(chip: &mut Chip, host: &Host, exact: bool) {
    chip.set_patience(exact);
    let pin = |text: &[u8]| core::str::from_utf8(text).ok().and_then(Pin::parse);
    for pair in host.arguments().value("couple").unwrap_or_default().split(|byte| *byte == b',') {
        let mut ends = pair.split(|byte| *byte == b':').map(pin);
        if let (Some(Some(lamp)), Some(Some(sense))) = (ends.next(), ends.next()) {
            chip.gpio.couple(lamp, sense);
        }
    }
    let mut part = host.arguments().value("spi").unwrap_or_default().split(|byte| *byte == b':');
    match (part.next(), part.next().and_then(pin)) {
        (Some(b"head"), Some(select)) => chip.attach_head(select),
        (Some(b"chain"), Some(load)) => chip.attach_chain(load, exact),
        _ => {}
    }
}

fn take_vectors() {
    let table = TABLE.0.get().cast::<u32>();
    let ours = [
        (3, on_hard_fault as *const () as u32),
        (15, on_tick as *const () as u32),
        (16 + processor::EXECUTOR_INTERRUPT, on_executor as *const () as u32),
        (16 + processor::BENCH_INTERRUPT, on_bench as *const () as u32),
    ];
    for (index, at) in (0..VECTORS as u32).zip((IMAGE..).step_by(4)) {
        let handler = ours.iter().find(|(number, _)| *number == index);
        let handler = handler.map_or_else(|| load(at), |(_, handler)| *handler | 1);
        // SAFETY: within the table, before it is in use.
        unsafe { table.add(index as usize).write_volatile(handler) };
    }
    processor::set_vectors(table as u32);
}

/// PD15 and PE9 are outputs that only the bench looks at.
fn outputs() {
    for (mode, pin) in [(0x4800_0C00, 15), (0x4800_1000, 9)] {
        store(mode, load(mode) & !(3 << (2 * pin)) | 1 << (2 * pin));
    }
}

/// Closes what QEMU lacks. A set bit leaves an eighth of the region open.
fn close_regions() {
    close(0, 0x4000_0000, 0x1_0000, 0, Allowed::Nothing); // APB1
    close(1, 0x4001_0000, 0x1_0000, 0b0000_0001, Allowed::Nothing); // APB2 but SYSCFG, EXTI
    close(2, 0x4002_0000, 0x1_0000, 0, Allowed::Nothing); // AHB1
    close(3, 0x5004_0000, 0x4_0000, 0, Allowed::Nothing); // ADC, RNG
    close(4, 0x4800_0000, 0x2000, 0b1111_1000, Allowed::Nothing); // GPIO A to C
    close(5, IMAGE, 0x10_0000, 0, Allowed::Reading); // flash
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let mut host = Host::open();
    let line = info.location().map_or(0, |place| place.line());
    let file = info.location().map_or("?", |place| place.file());
    host.say(format_args!("breach: the monitor itself failed at {file}:{line}"));
    host.end(LOST_EXIT)
}
