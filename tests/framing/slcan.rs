//! LAWICEL text: every frame survives the trip, and no line upsets the decoder.

use crate::harness::*;
use croupier::protocol::counters::Counters;
use croupier::protocol::framing::can::Frame;
use croupier::protocol::framing::slcan::{Answer, Command, Decoder, Line, Text};
use embedded_can::{ExtendedId, StandardId};

fn read(decoder: &mut Decoder, text: &[u8]) -> Vec<Line> {
    text.iter().filter_map(|&character| decoder.accept(character)).collect()
}

fn one(text: &str) -> Line {
    let lines = read(&mut Decoder::new(), text.as_bytes());
    assert_eq!(lines.len(), 1, "{text:?}");
    lines[0]
}

fn extended(id: u32, data: &[u8]) -> Frame {
    Frame::new(ExtendedId::new(id).unwrap(), data).unwrap()
}

fn standard(id: u16, data: &[u8]) -> Frame {
    Frame::new(StandardId::new(id).unwrap(), data).unwrap()
}

#[test]
fn frames_are_written_as_the_adapters_manual_shows() {
    let text = |frame| String::from_utf8(Text::of(&frame).as_bytes().to_vec()).unwrap();
    assert_eq!(
        text(extended(0x107D_552A, &[0, 0, 0, 0, 4, 0x78, 0x68, 0xE0])),
        "T107D552A800000000047868E0\r"
    );
    assert_eq!(text(extended(0, &[])), "T000000000\r");
    assert_eq!(text(standard(0x7FF, &[0xC0, 0xDE])), "t7FF2C0DE\r");
}

#[test]
fn every_frame_comes_back_as_it_was_written() {
    let mut dice = Dice(21);
    let mut decoder = Decoder::new();
    for _ in 0..20_000 {
        let length = dice.below(9);
        let data = dice.bytes(length);
        let frame = match dice.one_in(2) {
            true => extended(dice.next() as u32 >> 3, &data),
            false => standard(dice.next() as u16 >> 5, &data),
        };
        assert_eq!(read(&mut decoder, Text::of(&frame).as_bytes()), [Line::Frame(frame)]);
    }
    assert_eq!(*decoder.counters(), Counters { delivered: 20_000, ..Counters::ZERO });
}

#[test]
fn time_stamps_small_letters_and_line_feeds_are_tolerated() {
    let frame = Line::Frame(extended(0x107D_552A, &[0xC0, 0xDE]));
    for text in ["T107D552A2C0DE1A2B\r", "T107d552a2c0de\r\n", "\nT107D552A2C0DE0001A2B3\r"] {
        assert_eq!(one(text), frame, "{text:?}");
    }
}

#[test]
fn commands_are_understood_and_answered_as_an_adapter_does() {
    for (text, command, reply) in [
        ("S6\r", Command::BitRate(6), "\r"),
        ("O\r", Command::Open, "\r"),
        ("L\r", Command::Listen, "\r"),
        ("C\r", Command::Close, "\r"),
        ("V\r", Command::Version, "V1013\r"),
        ("N\r", Command::SerialNumber, "N0000\r"),
        ("F\r", Command::Flags, "F00\r"),
        ("Z1\r", Command::TimeStamps(true), "\r"),
        ("Z0\r", Command::TimeStamps(false), "\r"),
    ] {
        let line = one(text);
        assert_eq!(line, Line::Command(command));
        assert_eq!(line.reply(), reply.as_bytes());
    }
    assert_eq!(one("T000000000\r").reply(), b"Z\r");
    assert_eq!(one("t0000\r").reply(), b"z\r");
    assert_eq!(one("?\r").reply(), b"\x07");
}

#[test]
fn answers_are_understood_and_never_answered() {
    for (text, answer) in [
        ("\r", Answer::Done),
        ("\x07", Answer::Refused),
        ("z\r", Answer::Sent),
        ("Z\r", Answer::Sent),
        ("V1013\r", Answer::Information),
        ("N0000\r", Answer::Information),
        ("F00\r", Answer::Information),
    ] {
        let line = one(text);
        assert_eq!(line, Line::Answer(answer), "{text:?}");
        assert_eq!(line.reply(), b"");
    }
}

#[test]
fn bad_lines_are_counted_and_the_next_is_understood() {
    let good = Text::of(&extended(1, &[2]));
    for (text, expected) in [
        ("T2000000000\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T107D552A9\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T107D552A2C0D\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T107D552A2C0DE1\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T107D552A2C0DEwxyz\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T107D552A2C0_E\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T107D55\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("T\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("t8000\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("S9\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("hello\r", Counters { malformed: 1, ..Counters::ZERO }),
        ("R107D552A0\r", Counters { foreign: 1, ..Counters::ZERO }),
        ("r1230\r", Counters { foreign: 1, ..Counters::ZERO }),
        ("T107D552A80011223344556677000000001\r", Counters { overflows: 1, ..Counters::ZERO }),
    ] {
        let mut decoder = Decoder::new();
        assert_eq!(read(&mut decoder, text.as_bytes()), [Line::Unknown], "{text:?}");
        assert_eq!(*decoder.counters(), expected, "{text:?}");
        assert!(matches!(read(&mut decoder, good.as_bytes())[..], [Line::Frame(_)]));
    }
}

#[test]
fn a_refusal_in_the_middle_of_a_line_breaks_it_off() {
    let mut decoder = Decoder::new();
    let lines = read(&mut decoder, b"T107D5\x07t0000\r");
    assert_eq!(lines, [Line::Answer(Answer::Refused), Line::Frame(standard(0, &[]))]);
    assert_eq!(decoder.counters().malformed, 1);
}
