//! Records between the bench and the monitor: a stream's number, a length, bytes.
//!
//! Towards the monitor the length is one byte, from it two, low byte first
//! (boards/monitor/README.md).

/// The most bytes of a record to the monitor.
const MOST: usize = 255;

/// What a record belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stream {
    /// Words to and from the monitor itself.
    Words,
    /// USART1: the table link.
    Link,
    /// CAN, as slcan text.
    Bus,
    /// USART3: the text display.
    Display,
    /// UART4: the motion controller.
    Motion,
}

impl Stream {
    /// The streams that are links of the device.
    pub(super) const LINKS: [Self; 3] = [Self::Link, Self::Bus, Self::Motion];

    /// The stream with this number.
    pub(super) fn numbered(number: u8) -> Option<Self> {
        let all = [Self::Words, Self::Link, Self::Bus, Self::Display, Self::Motion];
        all.into_iter().find(|stream| *stream as u8 == number)
    }

    /// The most bytes that its line carries in a millisecond.
    pub(super) fn in_a_millisecond(self) -> usize {
        match self {
            Self::Words => usize::MAX,
            // 115200 baud, ten bits a byte.
            Self::Link | Self::Motion => 12,
            // 9600 baud.
            Self::Display => 1,
            // 500 kbit/s: four of the longest frames, as text.
            Self::Bus => 4 * 27,
        }
    }
}

/// The records that carry `bytes` to the monitor.
pub(super) fn records(stream: Stream, bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    bytes.chunks(MOST).map(move |part| {
        let length = u8::try_from(part.len()).expect("cut to what a byte can count");
        [&[stream as u8, length], part].concat()
    })
}

/// Bytes from the monitor in, whole records out.
#[derive(Debug, Default)]
pub(super) struct Decoder(Vec<u8>);

impl Decoder {
    /// Takes what has come.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// The next whole record: its stream, unless that is unknown, and its bytes.
    pub(super) fn next(&mut self) -> Option<(Result<Stream, u8>, Vec<u8>)> {
        let [stream, low, high, ..] = self.0[..] else { return None };
        let end = 3 + usize::from(u16::from_le_bytes([low, high]));
        if self.0.len() < end {
            return None;
        }
        let bytes = self.0.drain(..end).skip(3).collect();
        Some((Stream::numbered(stream).ok_or(stream), bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_goes_in_several_records_and_none_for_no_bytes() {
        let text = vec![7; 600];
        let sent: Vec<_> = records(Stream::Motion, &text).collect();
        let lengths: Vec<_> =
            sent.iter().map(|record| (record[0], record[1], record.len())).collect();
        assert_eq!(lengths, [(4, 255, 257), (4, 255, 257), (4, 90, 92)]);
        assert_eq!(records(Stream::Link, &[]).count(), 0);
    }

    #[test]
    fn a_record_comes_out_when_its_last_byte_is_in() {
        let mut decoder = Decoder::default();
        let whole = [1, 2, 0, b'a', b'b', 9, 1, 0, b'x', 0, 0, 1];
        let mut came = Vec::new();
        for byte in whole {
            decoder.take(&[byte]);
            came.extend(decoder.next());
        }
        assert_eq!(came, [(Ok(Stream::Link), b"ab".to_vec()), (Err(9), b"x".to_vec())]);
        decoder.take(&[5; 256]);
        assert_eq!(decoder.next(), Some((Ok(Stream::Words), vec![5; 256])));
    }
}
