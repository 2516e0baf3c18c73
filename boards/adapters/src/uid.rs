//! The chip's unique identity, the serial number a laboratory reads (CM-02).
use croupier::identity::Uid;
use embassy_stm32::pac;

/// Reads the 96-bit identity.
///
/// Word by word, as the manual has it (RM0351 49.1); the HAL's block copy may compile to a
/// load of several words.
pub fn read() -> Uid {
    let mut bytes = [0; 12];
    for (index, chunk) in bytes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        *chunk = pac::UID.uid(index).read().to_le_bytes();
    }
    Uid(bytes)
}
