//! A dealer's keys, whose closed contacts pull their pin low.
use embassy_stm32::Peri;
use embassy_stm32::gpio::AnyPin;

/// A board's pins for a dealer's keys; each device names them for itself.
pub type KeyRow = [Peri<'static, AnyPin>; 4];
