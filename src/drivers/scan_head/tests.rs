//! The driver against a mock of its bus: every byte, every wait, every failure.

use std::vec;
use std::vec::Vec;

use embassy_futures::block_on;
use embedded_hal_async::spi::{ErrorKind, ErrorType, Operation, SpiDevice};
use embedded_hal_mock::eh1::delay::{CheckedDelay, NoopDelay, Transaction as Wait};
use embedded_hal_mock::eh1::spi::{Mock, Transaction};

use super::{Bank, CHECKSUM, Error, SpiScanHead};

type Wire = Vec<Transaction<u8>>;

fn whole(inner: Wire) -> Wire {
    let ends = (Transaction::transaction_start(), Transaction::transaction_end());
    [vec![ends.0], inner, vec![ends.1]].concat()
}

fn commanded(bytes: &[u8]) -> Wire {
    whole(vec![Transaction::write_vec(bytes.to_vec())])
}

fn asked(command: u8, answers: &[&[u8]]) -> Wire {
    let answers = answers.iter().map(|answer| Transaction::read_vec(answer.to_vec()));
    whole([Transaction::write_vec(vec![command])].into_iter().chain(answers).collect())
}

/// A frame whose pixels and patches all differ from their neighbours, and its checksum.
fn frame() -> (Vec<u8>, [u8; 3], [u8; 2]) {
    let pixels: Vec<u8> = (0..32 * 48).map(|place: u32| (place * 7) as u8).collect();
    let patches = [212, 112, 12];
    let sum = CHECKSUM.checksum(&[&pixels[..], &patches].concat());
    (pixels, patches, sum.to_be_bytes())
}

/// One exposure by the right bank at 128: the head answers `states`, then the frame with `sum`.
fn exposed(states: &[u8], sum: Option<[u8; 2]>) -> (Result<[u8; 3], Error>, [[u8; 32]; 48]) {
    let (pixels, patches, _) = frame();
    let mut wire = commanded(&[0x10, 2, 128]);
    wire.extend(states.iter().flat_map(|state| asked(0x20, &[&[*state]])));
    wire.extend(sum.into_iter().flat_map(|sum| asked(0x30, &[&pixels, &patches, &sum])));
    let busy = states.iter().filter(|state| **state == 0).map(|_| Wait::delay_us(200));
    let waits: Vec<Wait> = [Wait::delay_us(3_000)].into_iter().chain(busy).collect();
    let (mut spi, mut delay) = (Mock::new(&wire), CheckedDelay::new(&waits));
    let mut head = SpiScanHead::new(spi.clone(), delay.clone());
    let mut seen = [[0; 32]; 48];
    let ended = block_on(head.expose(Bank::Right, 128, &mut seen));
    spi.done();
    delay.done();
    (ended, seen)
}

#[test]
fn an_exposure_is_ordered_waited_for_and_fetched() {
    let (pixels, patches, sum) = frame();
    let (ended, seen) = exposed(&[1], Some(sum));
    assert_eq!(ended, Ok(patches));
    assert_eq!(seen.as_flattened(), pixels);
    assert_eq!(exposed(&[0, 0, 0, 0, 1], Some(sum)).0, Ok(patches), "late is not wrong");
}

/// The checksum of the published check value, so that the table is the right one.
#[test]
fn the_checksum_is_ibm_3740() {
    assert_eq!(CHECKSUM.checksum(b"123456789"), 0x29B1);
}

#[test]
fn a_head_that_hangs_breaks_or_garbles_is_an_error() {
    assert_eq!(exposed(&[0, 0, 0, 0, 0], None).0, Err(Error::Late));
    assert_eq!(exposed(&[0, 7], None).0, Err(Error::Broken));
    let (_, _, [high, low]) = frame();
    for sum in [[high ^ 1, low], [high, low ^ 0x80]] {
        assert_eq!(exposed(&[1], Some(sum)).0, Err(Error::Garbled));
    }
}

/// A head is believed to be there by its kind; a line without one reads all zeros or all ones.
#[test]
fn waking_asks_who_is_there_and_sleeping_does_not() {
    for (who, ended) in [(0xC5, Ok(())), (0x00, Err(Error::Absent)), (0xFF, Err(Error::Absent))] {
        let wire =
            [commanded(&[0x02, 1]), asked(0x01, &[&[who, 1]]), commanded(&[0x02, 0])].concat();
        let (mut spi, mut delay) = (Mock::new(&wire), CheckedDelay::new(&[Wait::delay_us(2_000)]));
        let mut head = SpiScanHead::new(spi.clone(), delay.clone());
        assert_eq!(block_on(head.wake()), ended);
        assert_eq!(block_on(head.sleep()), Ok(()));
        spi.done();
        delay.done();
    }
}

#[test]
fn a_bus_that_fails_is_an_error_of_every_command() {
    struct Broken;
    impl ErrorType for Broken {
        type Error = ErrorKind;
    }
    impl SpiDevice for Broken {
        async fn transaction(&mut self, _: &mut [Operation<'_, u8>]) -> Result<(), ErrorKind> {
            Err(ErrorKind::Overrun)
        }
    }
    let mut head = SpiScanHead::new(Broken, NoopDelay::new());
    let overrun = Error::Bus(ErrorKind::Overrun);
    assert_eq!(block_on(head.wake()), Err(overrun));
    assert_eq!(block_on(head.sleep()), Err(overrun));
    assert_eq!(block_on(head.expose(Bank::None, 0, &mut [[0; 32]; 48])), Err(overrun));
}
