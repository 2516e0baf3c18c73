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
use super::{Controller, MotionFault};

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
    assert_eq!(read_with(silent()), Err(MotionFault::Silent));
    let garbage = || Answer::Bytes(b"\x05\xFF\x21\x00\x00\x00\x07\x00");
    assert_eq!(read_with([garbage(), garbage(), garbage()]), Err(MotionFault::Garbled));
    let other = || Answer::Value(Ifcnt, 7);
    assert_eq!(read_with([other(), other(), other()]), Err(MotionFault::Garbled));
}

fn read_with(answers: [Answer; 3]) -> Result<u32, MotionFault> {
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

    assert_eq!(write_after(9, [9, 9, 9]), Err(MotionFault::Deaf));
    assert_eq!(write_after(9, [0, 0, 0]), Err(MotionFault::Restarted));
}

fn write_after(greeted: u32, counts: [u32; 3]) -> Result<(), MotionFault> {
    let answers = [greeted].into_iter().chain(counts).map(|count| Answer::Value(Ifcnt, count));
    let mut controller = Controller::new(following(answers));
    block_on(controller.greet()).expect("it answers");
    block_on(controller.write(Gconf, 4))
}
