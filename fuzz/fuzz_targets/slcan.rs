//! Any characters; then a good line is understood. What is read as a frame comes back.
#![no_main]

use croupier::protocol::framing::can::Frame;
use croupier::protocol::framing::slcan::{Decoder, Line, Text};
use embedded_can::ExtendedId;
use libfuzzer_sys::fuzz_target;

fn read(decoder: &mut Decoder, text: &[u8]) -> Option<Line> {
    text.iter().find_map(|&character| decoder.accept(character))
}

fuzz_target!(|input: &[u8]| {
    let mut decoder = Decoder::new();
    for &character in input {
        if let Some(Line::Frame(frame)) = decoder.accept(character) {
            let again = read(&mut Decoder::new(), Text::of(&frame).as_bytes());
            assert_eq!(again, Some(Line::Frame(frame)));
        }
    }
    decoder.accept(b'\r');
    let good = Frame::new(ExtendedId::MAX, &[0x5A; 8]).unwrap();
    let received = read(&mut decoder, Text::of(&good).as_bytes());
    assert_eq!(received, Some(Line::Frame(good)), "it receives again after the noise");
});
