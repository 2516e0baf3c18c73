//! The random number generator.
