//! The independent watchdog.
