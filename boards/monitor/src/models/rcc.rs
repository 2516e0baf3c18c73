//! Reset and clock control.
