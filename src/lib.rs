//! croupier: every rule of the card table's devices, and not one chip.
#![no_std]
#![forbid(unsafe_code)]
