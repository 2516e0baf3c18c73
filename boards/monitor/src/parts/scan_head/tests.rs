use super::*;
use crate::testing::hardware::Bench;

/// The driver's end of the wire, `src/drivers/scan_head`.
struct Wire {
    head: ScanHead,
    bench: Bench,
}

type Answer = Result<Vec<u8>, Breach>;

impl Wire {
    /// A film of three sets whose bytes encode their place.
    fn with_film() -> Self {
        let mut wire = Self { head: ScanHead::new(), bench: Bench::new() };
        wire.bench.world.film = (0..9 * 1539).map(tone).collect();
        wire
    }

    fn awake() -> Self {
        let mut wire = Self::with_film();
        wire.send(&[2, 1]).unwrap();
        wire.wait(2_000);
        wire
    }

    fn wait(&mut self, microseconds: u64) {
        self.bench.now += microseconds * 1_000;
    }

    /// One transaction: these bytes, then `answer` bytes back.
    fn transaction(&mut self, bytes: &[u8], answer: usize) -> Answer {
        self.head.select(true, &self.bench.cx())?;
        for byte in bytes {
            self.head.exchange(*byte, &mut self.bench.cx())?;
            self.bench.now += 1_600; // at 5 MHz
        }
        let answer = (0..answer).map(|_| self.head.exchange(0, &mut self.bench.cx())).collect();
        self.head.select(false, &self.bench.cx())?;
        answer
    }

    fn send(&mut self, bytes: &[u8]) -> Answer {
        self.transaction(bytes, 0)
    }

    fn expose(&mut self, bank: u8) {
        self.send(&[0x10, bank, 128]).unwrap();
        self.wait(3_000);
    }

    fn rule(&mut self, bytes: &[u8], answer: usize) -> &'static str {
        let rule = self.transaction(bytes, answer).unwrap_err().rule;
        let _ = self.head.select(false, &self.bench.cx()); // what is cut was judged above
        rule
    }
}

fn tone(place: usize) -> u8 {
    (place * 7 + place / 1539) as u8
}

/// CRC-16/IBM-3740 bit by bit, as its definition has it.
fn plain_crc(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xFFFF, |sum, byte| {
        (0..8).fold(sum ^ u16::from(*byte) << 8, |sum, _| {
            sum << 1 ^ if sum >> 15 == 1 { 0x1021 } else { 0 }
        })
    })
}

#[test]
fn the_checksum_is_the_catalogues() {
    assert_eq!(b"123456789".iter().fold(0xFFFF, |sum, byte| crc(sum, *byte)), 0x29B1);
    assert_eq!(plain_crc(b"123456789"), 0x29B1);
}

#[test]
fn a_capture_as_the_driver_takes_it_gives_the_nine_frames_of_the_film() {
    let mut wire = Wire::awake();
    assert_eq!(wire.transaction(&[1], 2).unwrap(), [0xC5, 1]);
    for frame in 0..9 {
        wire.expose(frame % 3);
        assert_eq!(wire.transaction(&[0x20], 1).unwrap(), [1], "done when the driver asks");
        let sent = wire.transaction(&[0x30], 1541).unwrap();
        let from = usize::from(frame) * 1539;
        assert_eq!(sent[..1539], wire.bench.world.film[from..from + 1539], "frame {frame}");
        assert_eq!(sent[1539..], plain_crc(&sent[..1539]).to_be_bytes());
    }
    wire.send(&[2, 0]).unwrap();
    wire.send(&[2, 1]).unwrap();
    wire.wait(2_000);
    wire.expose(0);
    let again = wire.transaction(&[0x30], 1541).unwrap();
    assert_eq!(again[..1539], wire.bench.world.film[..1539], "a new capture is a new film");
}

#[test]
fn an_exposure_takes_three_milliseconds() {
    let mut wire = Wire::awake();
    wire.send(&[0x10, 0, 0]).unwrap();
    wire.wait(2_990);
    assert_eq!(wire.transaction(&[0x20], 1).unwrap(), [0]);
    wire.wait(10);
    assert_eq!(wire.transaction(&[0x20], 1).unwrap(), [1]);
}

#[test]
fn a_head_without_a_film_does_not_answer() {
    let mut wire = Wire::awake();
    wire.bench.world.film.clear();
    wire.send(&[2, 0]).unwrap();
    wire.send(&[2, 1]).unwrap();
    assert_eq!(wire.transaction(&[1], 2).unwrap(), [0xFF, 0xFF]);
    assert_eq!(wire.transaction(&[0x10, 0, 0,], 0).unwrap(), []);
    assert_eq!(wire.transaction(&[0x30], 2).unwrap(), [0xFF, 0xFF]);
}

#[test]
fn a_film_that_ends_is_a_head_that_falls_silent() {
    let mut wire = Wire::awake();
    wire.bench.world.film.truncate(1539 + 64);
    wire.expose(0);
    wire.expose(1);
    let sent = wire.transaction(&[0x30], 1541).unwrap();
    assert_eq!(sent[63], tone(1539 + 63));
    assert!(sent[64..].iter().all(|byte| *byte == 0xFF));
}

#[test]
fn a_command_while_an_exposure_runs_is_a_breach_but_asking_and_sleeping_are_not() {
    for command in [&[0x30][..], &[1], &[0x10, 1, 128], &[2, 1]] {
        let mut wire = Wire::awake();
        wire.send(&[0x10, 0, 0]).unwrap();
        assert!(wire.rule(command, 0).contains("while an exposure runs"), "{command:?}");
    }
    let mut wire = Wire::awake();
    wire.send(&[0x10, 0, 0]).unwrap();
    assert_eq!(wire.transaction(&[0x20], 1).unwrap(), [0]);
    wire.send(&[2, 0]).unwrap();
}

#[test]
fn an_exposure_needs_a_head_that_is_awake_for_two_milliseconds() {
    let mut wire = Wire::awake();
    wire.send(&[2, 0]).unwrap();
    for command in [&[0x10, 0, 0][..], &[0x20], &[0x30]] {
        assert_eq!(wire.rule(command, 0), "the head is asleep");
    }
    wire.send(&[2, 1]).unwrap();
    wire.wait(1_990);
    assert_eq!(wire.rule(&[0x10, 0, 0], 0), "an exposure less than 2 ms after waking");
    wire.wait(10);
    wire.send(&[0x10, 0, 0]).unwrap();
}

#[test]
fn reading_beyond_a_frame_is_a_breach() {
    let mut wire = Wire::awake();
    assert_eq!(wire.rule(&[0x30], 0), "nothing was exposed");
    wire.expose(0);
    wire.transaction(&[0x30], 1541).unwrap();
    assert!(wire.rule(&[0x30], 1542).starts_with("read beyond the frame"));
}

#[test]
fn select_rises_between_commands_and_not_within_them() {
    let mut wire = Wire::awake();
    assert_eq!(wire.rule(&[2, 1, 1], 0), "select must rise between commands");
    assert_eq!(wire.rule(&[1], 3), "select must rise between commands");
    let mut wire = Wire::awake();
    assert_eq!(wire.rule(&[0x10, 1], 0), "select moves in the middle of a command");
    let mut wire = Wire::awake();
    let unselected = wire.head.exchange(1, &mut wire.bench.cx());
    assert_eq!(unselected.unwrap_err().rule, "clocked while select is high");
}

#[test]
fn what_the_head_does_not_know_is_a_breach() {
    assert_eq!(Wire::awake().rule(&[0x55], 0), "no such command");
    assert_eq!(Wire::awake().rule(&[0x10, 3, 0], 0), "there is no such bank of light");
    assert_eq!(Wire::awake().rule(&[2, 2], 0), "wake takes 0 or 1");
}
