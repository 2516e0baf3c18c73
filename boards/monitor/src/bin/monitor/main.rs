//! The monitor beside an image in QEMU: supplies what the machine lacks of the chip.
//!
//! It starts first, takes the vector table's copy, closes the missing peripherals with the
//! memory protection unit, and jumps into the image. From then on it runs only in traps, in
//! SysTick, and when the bench has something to say. All of it runs with FAULTMASK set or in
//! HardFault: nothing of the image runs in between, and its own accesses are not trapped.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod arguments;
#[cfg(target_os = "none")]
mod fault;
#[cfg(target_os = "none")]
mod hold;
#[cfg(target_os = "none")]
mod inbox;
#[cfg(target_os = "none")]
mod outside;
#[cfg(target_os = "none")]
mod processor;
#[cfg(target_os = "none")]
mod run;
#[cfg(target_os = "none")]
mod semihosting;
#[cfg(target_os = "none")]
mod shared;
#[cfg(target_os = "none")]
mod start;
#[cfg(target_os = "none")]
mod trap;

/// It is loaded into QEMU; there is nothing to run on a host.
#[cfg(not(target_os = "none"))]
fn main() {
    eprintln!("the monitor runs in QEMU beside an image: `cargo xtask table`");
}
