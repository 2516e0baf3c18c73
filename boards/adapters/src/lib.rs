#![no_std]
//! Ports on STM32 peripherals.
