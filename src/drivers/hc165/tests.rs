//! The sensor chain's driver against a mock of its wires: every edge, every byte, every failure.

use core::cell::RefCell;
use std::vec;
use std::vec::Vec;

use super::Chain;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorType, OutputPin};
use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::delay::NoopDelay;
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Edge};
use embedded_hal_mock::eh1::spi::{Mock as Bus, Transaction};

/// All lines are frozen by one low pulse, before the first is read.
#[test]
fn the_lines_are_frozen_then_read_highest_first() {
    let edges = [Edge::set(State::Low), Edge::set(State::High)];
    let mut load = Pin::new(&[edges.clone(), edges].concat());
    let (first, second) =
        (Transaction::read_vec(vec![0x5A, 0x01]), Transaction::read_vec(vec![0, 0]));
    let mut bus = Bus::new(&[first, second]);
    let mut chain = Chain::new(bus.clone(), load.clone(), NoopDelay::new());
    assert_eq!(chain.read(), 0x5A01);
    assert_eq!(chain.read(), 0);
    load.done();
    bus.done();
}

/// What the load pin and the pause did, in order; a pause with its nanoseconds.
#[derive(Default)]
struct Wire(RefCell<Vec<(&'static str, u32)>>);

impl ErrorType for &Wire {
    type Error = MockError;
}

impl OutputPin for &Wire {
    fn set_low(&mut self) -> Result<(), MockError> {
        self.0.borrow_mut().push(("low", 0));
        Ok(())
    }
    fn set_high(&mut self) -> Result<(), MockError> {
        self.0.borrow_mut().push(("high", 0));
        Ok(())
    }
}

impl DelayNs for &Wire {
    fn delay_ns(&mut self, ns: u32) {
        self.0.borrow_mut().push(("pause", ns));
    }
}

/// Two stores in a row are 25 ns, which a 74HC165 on a long wire may not see.
#[test]
fn the_load_pulse_is_a_microsecond_long() {
    let wire = Wire::default();
    let mut bus = Bus::new(&[Transaction::read_vec(vec![0x5A, 0x01])]);
    Chain::new(bus.clone(), &wire, &wire).read();
    bus.done();
    let did = wire.0.borrow();
    let [("low", _), ("pause", ns), ("high", _)] = did[..] else { panic!("{did:?}") };
    assert!(ns >= 1_000, "{ns} ns");
}

/// SH-23: a load pin that cannot be moved gives no word that could be believed.
#[test]
fn a_pin_that_fails_gives_a_word_without_its_mark() {
    struct Stuck;
    impl ErrorType for Stuck {
        type Error = MockError;
    }
    impl OutputPin for Stuck {
        fn set_low(&mut self) -> Result<(), MockError> {
            Err(MockError::Io(std::io::ErrorKind::BrokenPipe))
        }
        fn set_high(&mut self) -> Result<(), MockError> {
            Ok(())
        }
    }
    let mut bus = Bus::new(&[Transaction::read_vec(vec![0x5A, 0x01])]);
    assert_eq!(Chain::new(bus.clone(), Stuck, NoopDelay::new()).read(), 0);
    bus.done();
}
