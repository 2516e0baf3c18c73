//! The driver against a mock of its wires: every edge, every byte, every failure.

use core::cell::RefCell;
use std::vec;
use std::vec::Vec;

use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{ErrorKind, ErrorType, OutputPin};
use embedded_hal::spi;
use embedded_hal_mock::eh1::MockError;
use embedded_hal_mock::eh1::delay::NoopDelay;
use embedded_hal_mock::eh1::digital::{Mock as Pin, State, Transaction as Edge};
use embedded_hal_mock::eh1::spi::{Mock as Bus, Transaction};

use super::{Chain, Error};

/// All lines are frozen by one low pulse, before the first is read.
#[test]
fn the_lines_are_frozen_then_read_highest_first() {
    let edges = [Edge::set(State::Low), Edge::set(State::High)];
    let mut load = Pin::new(&[edges.clone(), edges].concat());
    let (first, second) =
        (Transaction::read_vec(vec![0x5A, 0x01]), Transaction::read_vec(vec![0, 0]));
    let mut bus = Bus::new(&[first, second]);
    let mut chain = Chain::new(bus.clone(), load.clone(), NoopDelay::new());
    assert_eq!(chain.read(), Ok([0x5A, 0x01]));
    assert_eq!(chain.read(), Ok([0, 0]));
    load.done();
    bus.done();
}

/// One register or five: a byte is read for each.
#[test]
fn a_chain_may_have_any_length() {
    let pulse = [Edge::set(State::Low), Edge::set(State::High)];
    let mut load = Pin::new(&[pulse.clone(), pulse].concat());
    let mut bus =
        Bus::new(&[Transaction::read_vec(vec![7]), Transaction::read_vec(vec![1, 2, 3, 4, 5])]);
    let mut short = Chain::<_, _, _, 1>::new(bus.clone(), load.clone(), NoopDelay::new());
    assert_eq!(short.read(), Ok([7]));
    let mut long = Chain::<_, _, _, 5>::new(bus.clone(), load.clone(), NoopDelay::new());
    assert_eq!(long.read(), Ok([1, 2, 3, 4, 5]));
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
    assert_eq!(Chain::new(bus.clone(), &wire, &wire).read(), Ok([0x5A, 0x01]));
    bus.done();
    let did = wire.0.borrow();
    let [("low", _), ("pause", ns), ("high", _)] = did[..] else { panic!("{did:?}") };
    assert!(ns >= 1_000, "{ns} ns");
}

/// A load pin that cannot be moved leaves the lines of an earlier moment in the registers.
#[test]
fn a_pin_that_fails_is_an_error_and_nothing_is_read() {
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
    let mut bus = Bus::new(&[]);
    let mut chain = Chain::<_, _, _, 2>::new(bus.clone(), Stuck, NoopDelay::new());
    assert_eq!(chain.read(), Err(Error::Load(ErrorKind::Other)));
    bus.done();
}

/// A bus that overruns gives no lines.
#[test]
fn a_bus_that_fails_is_an_error() {
    struct Broken;
    impl spi::ErrorType for Broken {
        type Error = spi::ErrorKind;
    }
    impl spi::SpiBus for Broken {
        fn read(&mut self, _: &mut [u8]) -> Result<(), spi::ErrorKind> {
            Err(spi::ErrorKind::Overrun)
        }
        fn write(&mut self, _: &[u8]) -> Result<(), spi::ErrorKind> {
            unreachable!("the chain is only read")
        }
        fn transfer(&mut self, _: &mut [u8], _: &[u8]) -> Result<(), spi::ErrorKind> {
            unreachable!("the chain is only read")
        }
        fn transfer_in_place(&mut self, _: &mut [u8]) -> Result<(), spi::ErrorKind> {
            unreachable!("the chain is only read")
        }
        fn flush(&mut self) -> Result<(), spi::ErrorKind> {
            unreachable!("a read is over when it returns")
        }
    }
    let wire = Wire::default();
    let mut chain = Chain::<_, _, _, 2>::new(Broken, &wire, &wire);
    assert_eq!(chain.read(), Err(Error::Bus(spi::ErrorKind::Overrun)));
}
