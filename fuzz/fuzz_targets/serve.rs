//! Well-sealed requests of any content to a device in any state: it answers and does not panic.
#![no_main]

#[path = "../../tests/serving/devices.rs"]
mod devices;

use croupier::identity::DeviceKind;
use devices::Chance;
use libfuzzer_sys::fuzz_target;

/// What is left of the input; zeros behind its end.
struct Input<'a>(&'a [u8]);

impl Chance for Input<'_> {
    fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or(0)
    }
}

fuzz_target!(|input: &[u8]| {
    let mut input = Input(input);
    let kinds = [DeviceKind::Reader, DeviceKind::Shuffler, DeviceKind::PaiGow];
    let kind = kinds[usize::from(input.byte()) % 3];
    let mut device = devices::any(kind, &mut input);
    while !input.0.is_empty() {
        device.stir(&mut input);
        device.ask(&mut input);
    }
});
