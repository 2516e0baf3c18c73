//! Well-sealed requests of any content to a device in any state: it answers and does not panic.
#![no_main]

#[path = "../../tests/serving/devices.rs"]
mod devices;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| devices::play(input));
