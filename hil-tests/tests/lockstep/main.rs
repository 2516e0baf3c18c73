//! Devices in step with the bench: load, holds and repeats, all in the device's own time.
//!
//! A program of its own: `repeatable` keeps the host busy on purpose. Tests in step do not notice;
//! others would.

mod bus_load;
mod holds;
mod repeatable;
