//! What tests have around a model.

pub(crate) mod hardware;
pub(crate) mod memory;
pub(crate) mod recorder;
