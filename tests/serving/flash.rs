//! Flash that several lives of a device share, and that may die in any of them.

use std::cell::RefCell;
use std::rc::Rc;

use croupier::store::{EraseInSteps, NorModel};
use embedded_storage::nor_flash::{ErrorType, NorFlash, ReadNorFlash};

/// Flash that outlives the device that uses it.
#[derive(Clone)]
pub struct Flash(Rc<RefCell<Model>>);

type Model = NorModel<2048, 8>;
impl Flash {
    pub fn new(seed: u64) -> Self {
        Self(Rc::new(RefCell::new(Model::new(seed))))
    }

    pub fn restore_power(&self) {
        self.0.borrow_mut().restore_power();
    }

    /// The power goes after so many more operations; the flash takes none then.
    pub fn cut_power_after(&self, operations: u64) {
        self.0.borrow_mut().cut_power_after(operations);
    }
}

impl ErrorType for Flash {
    type Error = <Model as ErrorType>::Error;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = Model::READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0.borrow_mut().read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.borrow().capacity()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = Model::WRITE_SIZE;
    const ERASE_SIZE: usize = Model::ERASE_SIZE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        self.0.borrow_mut().erase(from, to)
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.borrow_mut().write(offset, bytes)
    }
}

impl EraseInSteps for Flash {
    fn start_erase(&mut self, at: u32) -> Result<(), Self::Error> {
        self.0.borrow_mut().start_erase(at)
    }

    fn erase_ended(&mut self) -> Result<bool, Self::Error> {
        self.0.borrow_mut().erase_ended()
    }
}
