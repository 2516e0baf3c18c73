//! What tests have around a model.

pub mod hardware;
pub mod memory;
pub mod recorder;
