//! The chip's peripherals, one file each.
//!
//! Every model has the same four functions: `load` and `store` carry out one access to a
//! register by its offset, `advance` does what has become due, and `next` says when something
//! will be. What the manual forbids is a [`Breach`](crate::Breach).

pub mod can;
pub mod dma;
pub mod flash;
pub mod gpio;
pub mod iwdg;
pub mod pwr;
pub mod rcc;
pub mod rng;
pub mod spi;
pub mod timer;
pub mod usart;
