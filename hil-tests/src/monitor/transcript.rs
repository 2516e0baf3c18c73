//! Frames from a recording: the hub's transcript, or candump's.

use std::time::Duration;

use croupier::protocol::framing::can::Frame;

use crate::hub::frame::{extended, standard};

/// A frame that was on the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded {
    /// When, by the recording's clock.
    pub at: Duration,
    /// What every participant received.
    pub frame: Frame,
}

/// What happened to a frame that reached no participant as it stands in the line.
const UNHEARD: [&str; 3] = ["lost", "destroyed", "corrupted"];

/// Reads one line: `(12.345678)  reader  107D552A  [2]  01 02`, or `(12.345678) can0 107D552A#0102`.
///
/// Nothing for notes, and for frames that no participant received as they were sent.
pub fn read_line(line: &str) -> Option<Recorded> {
    let mut words = line.split_whitespace();
    let at = words.next()?.strip_prefix('(')?.strip_suffix(')')?.parse().ok()?;
    let at = Duration::try_from_secs_f64(at).ok()?;
    let _sender = words.next()?;
    let id = words.next()?;
    if let Some((id, data)) = id.split_once('#') {
        let digits: Vec<&str> =
            (0..data.len() / 2).filter_map(|i| data.get(2 * i..2 * i + 2)).collect();
        return Some(Recorded { at, frame: frame(id, &digits)? });
    }
    let length: usize = words.next()?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
    let rest: Vec<&str> = words.collect();
    let (data, remarks) = rest.split_at_checked(length)?;
    let unheard = match remarks {
        [] | [_, "for", ..] => false,
        [fate, ..] => UNHEARD.contains(fate),
    };
    if unheard { None } else { Some(Recorded { at, frame: frame(id, data)? }) }
}

fn frame(id: &str, digits: &[&str]) -> Option<Frame> {
    let data: Option<Vec<u8>> = digits.iter().map(|two| u8::from_str_radix(two, 16).ok()).collect();
    match id.len() {
        8 => extended(u32::from_str_radix(id, 16).ok()?, &data?),
        _ => standard(u16::from_str_radix(id, 16).ok()?, &data?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn received(line: &str) -> Option<(f64, Frame)> {
        read_line(line).map(|recorded| (recorded.at.as_secs_f64(), recorded.frame))
    }

    #[test]
    fn the_hubs_lines_and_candumps_are_read() {
        let frame = extended(0x107d_552a, &[1, 0xfe]).unwrap();
        for line in [
            " (0012.500000)  reader       107D552A   [2]  01 FE",
            " (0012.500000)  reader       107D552A   [2]  01 FE  lost for client-1",
            " (012.500000)  vcan0  107D552A   [2]  01 FE",
            "(12.5) can0 107D552A#01FE",
        ] {
            assert_eq!(received(line), Some((12.5, frame)), "{line}");
        }
        let short = standard(0x7f, &[]).unwrap();
        assert_eq!(received("(1.0)  x  07F  [0]"), Some((1.0, short)));
    }

    #[test]
    fn notes_and_what_no_one_received_are_passed_over() {
        for line in [
            "",
            " (0012.500000)  * reader joins",
            " (0012.500000)  reader       107D552A   [2]  01 FE  lost",
            " (0012.500000)  reader       107D552A   [2]  01 FE  destroyed",
            " (0012.500000)  reader       107D552A   [2]  01 FE  corrupted",
            " (0012.500000)  reader       107D552A   [3]  01 FE",
            " (-1)  reader       107D552A   [0]",
        ] {
            assert_eq!(received(line), None, "{line}");
        }
    }
}
