//! The rules' ports on STM32L475 peripherals, and the safety net every image links.
//!
//! A board with this chip wires its parts from here. The same bytes run on the board and in
//! QEMU with the monitor. Nothing here decides a game.
#![no_std]

pub mod card_path;
pub mod clock;
pub mod clocks;
pub mod context;
pub mod crash;
pub mod executor;
pub mod image;
pub mod key;
pub mod lamp_readback;
pub mod lamps;
pub mod motion;
pub mod orders;
pub mod outputs;
pub mod paigow;
pub mod reader;
pub mod scan_head;
pub mod screen;
pub mod services;
pub mod shuffler;
pub mod start;
pub mod store_flash;
pub mod task_watchdog;
pub mod trng;
pub mod uid;
