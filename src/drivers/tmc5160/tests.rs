//! The controller's half of the talk, byte by byte, against a line that follows a script.
//!
//! How the axis behaves on a whole chip is shown against the bench's model of one
//! (`hil-tests/src/world/shuffler/chip`).

use std::collections::VecDeque;
use std::vec::Vec;

use embassy_futures::block_on;
use embedded_io_async::{ErrorKind, ErrorType, Read, Write};

use super::datagram::{read_request, write_request};
use super::register::Register::{self, Gconf, Ifcnt, XActual};
use super::{Axis, AxisStatus, Controller, Error, MotionProfile, Motor};

/// What the far end does with the next request.
enum Answer {
    Value(Register, u32),
    Bytes(&'static [u8]),
    Nothing,
}

/// A line that answers read requests as scripted, and keeps all that was sent.
#[derive(Default)]
struct Script {
    answers: VecDeque<Answer>,
    sent: Vec<Vec<u8>>,
    coming: VecDeque<u8>,
}

impl ErrorType for Script {
    type Error = ErrorKind;
}

impl Read for Script {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        let count = buffer.len().min(self.coming.len());
        if count == 0 {
            return Err(ErrorKind::TimedOut);
        }
        for (place, byte) in buffer.iter_mut().zip(self.coming.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }
}

impl Write for Script {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        self.sent.push(bytes.to_vec());
        if bytes.len() == 4 {
            match self.answers.pop_front().expect("the script goes on") {
                Answer::Value(register, value) => {
                    // An answer looks like a write to 255, without the write bit.
                    let mut answer = write_request(0xFF, register, value);
                    answer[2] &= 0x7F;
                    answer[7] = tmc2209::crc(&answer[..7]);
                    self.coming.extend(answer);
                }
                Answer::Bytes(bytes) => self.coming.extend(bytes),
                Answer::Nothing => {}
            }
        }
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

fn following(answers: impl IntoIterator<Item = Answer>) -> Script {
    Script { answers: answers.into_iter().collect(), ..Script::default() }
}

#[test]
fn a_read_that_fails_twice_succeeds_at_the_third_try() {
    let mut script =
        following([Answer::Nothing, Answer::Bytes(b"\x05\xFF\x21\x00"), Answer::Value(XActual, 7)]);
    let mut controller = Controller::new(&mut script);
    assert_eq!(block_on(controller.read(XActual)), Ok(7));
    assert_eq!(controller.repeated(), 2);
    assert!(script.sent.iter().all(|sent| *sent == read_request(0, XActual)));
}

#[test]
fn silence_garbage_and_another_registers_answer_are_never_a_value() {
    let silent = || [Answer::Nothing, Answer::Nothing, Answer::Nothing];
    assert_eq!(read_with(silent()), Err(Error::Silent));
    let garbage = || Answer::Bytes(b"\x05\xFF\x21\x00\x00\x00\x07\x00");
    assert_eq!(read_with([garbage(), garbage(), garbage()]), Err(Error::Garbled));
    let other = || Answer::Value(Ifcnt, 7);
    assert_eq!(read_with([other(), other(), other()]), Err(Error::Garbled));
}

fn read_with(answers: [Answer; 3]) -> Result<u32, Error> {
    block_on(Controller::new(following(answers)).read(XActual))
}

#[test]
fn a_write_counts_only_when_the_controller_counted_it() {
    let counted = |count| Answer::Value(Ifcnt, count);
    // Counted so far, then: not taken, taken.
    let mut script = following([counted(255), counted(255), counted(0)]);
    let mut controller = Controller::new(&mut script);
    block_on(controller.greet()).expect("it answers");
    assert_eq!(block_on(controller.write(Gconf, 4)), Ok(()));
    let writes = script.sent.iter().filter(|sent| **sent == write_request(0, Gconf, 4));
    assert_eq!(writes.count(), 2);

    assert_eq!(write_after(9, [9, 9, 9]), Err(Error::Deaf));
    assert_eq!(write_after(9, [0, 0, 0]), Err(Error::Restarted));
}

fn write_after(greeted: u32, counts: [u32; 3]) -> Result<(), Error> {
    let answers = [greeted].into_iter().chain(counts).map(|count| Answer::Value(Ifcnt, count));
    let mut controller = Controller::new(following(answers));
    block_on(controller.greet()).expect("it answers");
    block_on(controller.write(Gconf, 4))
}

/// A controller that takes every write, and whose registers never change by themselves.
struct Registers {
    values: [u32; 128],
    written: Vec<(u8, u32)>,
    coming: VecDeque<u8>,
}

impl ErrorType for Registers {
    type Error = ErrorKind;
}

impl Read for Registers {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        let count = buffer.len().min(self.coming.len());
        buffer.iter_mut().zip(self.coming.drain(..count)).for_each(|(place, byte)| *place = byte);
        if count == 0 { Err(ErrorKind::TimedOut) } else { Ok(count) }
    }
}

impl Write for Registers {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let (body, sum) = bytes.split_at(bytes.len() - 1);
        assert_eq!(sum, [tmc2209::crc(body)], "{bytes:02X?}");
        match *body {
            [0x05, 0, register] => {
                let mut answer = std::vec![0x05, 0xFF, register];
                answer.extend(self.values[usize::from(register)].to_be_bytes());
                answer.push(tmc2209::crc(&answer));
                self.coming.extend(answer);
            }
            [0x05, 0, register, a, b, c, d] if register & 0x80 != 0 => {
                let value = u32::from_be_bytes([a, b, c, d]);
                self.written.push((register & 0x7F, value));
                self.values[2] += 1; // IFCNT
            }
            _ => panic!("no datagram: {bytes:02X?}"),
        }
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

static MOTOR: Motor = Motor { currents: 0x61408, chopper: 0x1201_00C3, stall: 7, stall_from: 9 };
/// Speeds and an acceleration of about 10,000, 1,000 and 100 in the controller's units.
const PROFILE: MotionProfile = MotionProfile {
    turn: 51_200,
    travel: 7_153,
    search: 716,
    creep: 72,
    acceleration: 65_550,
    clearance: 320,
    tolerance: 32,
    motor: &MOTOR,
};

/// The register writes of a set-up and of the search, in their order and with their values.
#[test]
fn homing_sets_every_register_up_and_runs_down_to_the_flag() {
    let values = [0; 128];
    let mut line = Registers { values, written: Vec::new(), coming: VecDeque::new() };
    let mut axis = Axis::new(&mut line, PROFILE);
    assert_eq!(block_on(axis.home()), Ok(()));
    assert_eq!(axis.status(), AxisStatus::Homing);
    let set_up = [
        (0x01, 0b111), // GSTAT: every complaint is cleared
        (0x00, 0),     // GCONF
        (0x10, 0x61408),
        (0x6C, 0x1201_00C3),
        (0x6D, 7),
        (0x14, 9),
        (0x20, 3), // RAMPMODE: hold
        (0x23, 0), // VSTART
        (0x24, 1_001),
        (0x25, 0), // V1: one ramp only
        (0x26, 1_001),
        (0x28, 1_001),
        (0x2A, 1_001),
        (0x2B, 10), // VSTOP
        (0x34, 0),  // SWMODE
    ];
    let search = [
        (0x35, 1 << 6 | 1 << 4),           // RAMP_STAT: old events are cleared
        (0x34, 1 << 11 | 1 << 5 | 1 << 0), // SWMODE: latch, and stop softly
        (0x35, 1 << 4 | 1 << 2),
        (0x27, 1_001), // VMAX
        (0x20, 2),     // RAMPMODE: down
    ];
    assert_eq!(line.written, [&set_up[..], &search].concat());
}
