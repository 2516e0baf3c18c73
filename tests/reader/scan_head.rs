//! The reader's captures against a mock of the scan head's wire: every byte, every wait, every failure.

use crc::{CRC_16_IBM_3740, Crc};
use croupier::drivers::scan_head::SpiScanHead;
use croupier::reader::capture::CaptureHead;
use croupier::reader::ports::{ScanFault, ScanHead};
use croupier::reader::recognise::Capture;
use embassy_futures::block_on;
use embedded_hal_mock::eh1::delay::{CheckedDelay, Transaction as Wait};
use embedded_hal_mock::eh1::spi::{Mock, Transaction};

type Wire = Transaction<u8>;

fn whole(inner: Vec<Wire>) -> Vec<Wire> {
    let mut all = vec![Transaction::transaction_start()];
    all.extend(inner);
    all.push(Transaction::transaction_end());
    all
}

fn sent(bytes: &[u8]) -> Vec<Wire> {
    whole(vec![Transaction::write_vec(bytes.to_vec())])
}

fn asked(command: u8, answers: &[&[u8]]) -> Vec<Wire> {
    let answers = answers.iter().map(|answer| Transaction::read_vec(answer.to_vec()));
    whole([Transaction::write_vec(vec![command])].into_iter().chain(answers).collect())
}

/// One exposure as the head plays it: pixels all `tone`, this strip.
#[derive(Clone, Copy)]
struct Shot {
    bank: u8,
    level: u8,
    tone: u8,
    strip: [u8; 3],
    flipped: bool,
    states: &'static [u8],
}

impl Shot {
    fn wire(&self) -> Vec<Wire> {
        let pixels = [self.tone; 32 * 48];
        let crc = Crc::<u16>::new(&CRC_16_IBM_3740);
        let mut check = crc.digest();
        check.update(&pixels);
        check.update(&self.strip);
        let sum = check.finalize() ^ u16::from(self.flipped);
        let mut all = sent(&[0x10, self.bank, self.level]);
        all.extend(self.states.iter().flat_map(|state| asked(0x20, &[&[*state]])));
        if self.states.last() == Some(&1) {
            all.extend(asked(0x30, &[&pixels, &self.strip, &sum.to_be_bytes()]));
        }
        all
    }

    fn waits(&self) -> Vec<Wait> {
        let pauses = self.states.iter().filter(|state| **state == 0).map(|_| Wait::delay_us(200));
        [Wait::delay_us(3_000)].into_iter().chain(pauses).collect()
    }
}

const DARK: Shot =
    Shot { bank: 0, level: 0, tone: 9, strip: [12, 11, 10], flipped: false, states: &[1] };

/// The nine shots of a capture with these drives and this white.
fn shots(drive: [u8; 2], white: u8) -> Vec<Shot> {
    let lit = |bank: u8| Shot {
        bank,
        level: drive[usize::from(bank) - 1],
        tone: 99,
        strip: [white + 12, white / 2 + 12, 20],
        ..DARK
    };
    (0..3).flat_map(|_| [DARK, lit(1), lit(2)]).collect()
}

/// Plays captures, each of these shots as far as they go, and says how each ended.
fn play(captures: &[Vec<Shot>]) -> (Vec<Result<(), ScanFault>>, [u8; 2], Capture) {
    let (mut wire, mut waits) = (Vec::new(), Vec::new());
    for shots in captures {
        wire.extend(sent(&[0x02, 1]));
        waits.push(Wait::delay_us(2_000));
        wire.extend(asked(0x01, &[&[0xC5, 1]]));
        wire.extend(shots.iter().flat_map(Shot::wire));
        waits.extend(shots.iter().flat_map(Shot::waits));
        wire.extend(sent(&[0x02, 0]));
    }
    let (mut spi, mut delay) = (Mock::new(&wire), CheckedDelay::new(&waits));
    let mut head = CaptureHead::new(SpiScanHead::new(spi.clone(), delay.clone()));
    let mut capture = Capture::new();
    let ends = captures.iter().map(|_| block_on(head.capture(&mut capture))).collect();
    let drive = head.drive();
    spi.done();
    delay.done();
    (ends, drive, capture)
}

/// RD-21, RD-22: nine exposures in their order, each where it belongs, and the head asleep after.
#[test]
fn a_capture_is_nine_exposures_in_order() {
    let (ends, drive, capture) = play(&[shots([128, 128], 200)]);
    assert_eq!((ends[0], drive), (Ok(()), [128, 128]));
    for set in &capture.sets {
        assert_eq!((set.dark.pixels[0][0], set.left.pixels[47][31]), (9, 99));
        assert_eq!((set.right.strip.white, set.dark.strip.black), (212, 10));
    }
}

/// RD-22: the light is held at its factory level, as far as the banks go.
#[test]
fn the_light_is_held_where_white_has_its_factory_level() {
    let (_, brighter, _) = play(&[shots([128, 128], 160)]);
    assert_eq!(brighter, [144, 144], "half of what was missing");
    let (_, dimmer, _) = play(&[shots([128, 128], 240)]);
    assert_eq!(dimmer, [117, 117]);
    let fading = [shots([128, 128], 40), shots([160, 160], 50), shots([176, 176], 55)];
    assert_eq!(play(&fading).1, [184, 184], "no more than 192, however dark it gets");
}

/// RD-10: a head that is not there, hangs, breaks or garbles is a fault, and asleep.
#[test]
fn what_the_head_does_wrong_is_noticed() {
    let cut = |place: usize, shot: Shot| {
        let mut shots = shots([128, 128], 200);
        shots.truncate(place);
        shots.push(shot);
        play(&[shots]).0[0]
    };
    let hangs = Shot { states: &[0, 0, 0, 0, 0], ..DARK };
    assert_eq!(cut(0, hangs), Err(ScanFault::Silent));
    assert_eq!(cut(3, hangs), Err(ScanFault::Silent));
    assert_eq!(cut(0, Shot { states: &[7], ..DARK }), Err(ScanFault::Implausible));
    assert_eq!(cut(6, Shot { flipped: true, ..DARK }), Err(ScanFault::Implausible));
    let mut late = shots([128, 128], 200);
    late[4].states = &[0, 0, 1];
    assert_eq!(play(&[late]).0[0], Ok(()), "late is not wrong");
}

/// RD-10: frames whose strip does not step down are none: an unlit bank, a stuck imager.
#[test]
fn a_strip_without_steps_is_not_believed() {
    for strip in [[12, 11, 11], [200, 200, 20], [0, 0, 0], [20, 100, 200]] {
        let mut shots = shots([128, 128], 200);
        shots[8].strip = strip;
        assert_eq!(play(&[shots]).0[0], Err(ScanFault::Implausible), "{strip:?}");
    }
}

/// RD-10: a line with nothing on it.
#[test]
fn an_absent_head_is_silent() {
    for nothing in [0x00, 0xFF] {
        let mut wire = sent(&[0x02, 1]);
        wire.extend(asked(0x01, &[&[nothing, nothing]]));
        wire.extend(sent(&[0x02, 0]));
        let mut spi = Mock::new(&wire);
        let mut delay = CheckedDelay::new(&[Wait::delay_us(2_000)]);
        let mut head = CaptureHead::new(SpiScanHead::new(spi.clone(), delay.clone()));
        assert_eq!(block_on(head.capture(&mut Capture::new())), Err(ScanFault::Silent));
        spi.done();
        delay.done();
    }
}
