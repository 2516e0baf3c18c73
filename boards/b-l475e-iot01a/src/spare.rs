//! Buffers in SRAM2: what need not be zero at the start leaves SRAM1 to the stack.
//!
//! The reader's stack needs all that it can get there, and no start-up code clears SRAM2.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

/// Memory for one `T`, which says nothing until it is filled.
pub(crate) struct Spare<T>(UnsafeCell<MaybeUninit<T>>);

// SAFETY: it is reached by `fill` alone, whose caller promises to be the only one.
unsafe impl<T: Send> Sync for Spare<T> {}

impl<T> Spare<T> {
    /// Memory as it is after power on.
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new(MaybeUninit::uninit()))
    }

    /// Fills it, for good.
    ///
    /// # Safety
    ///
    /// Once only: the caller owns the memory from then on.
    #[expect(clippy::mut_from_ref, reason = "exclusive by the caller's promise")]
    pub(crate) unsafe fn fill(&'static self, value: T) -> &'static mut T {
        // SAFETY: there is no other reference, as the caller promises.
        unsafe { &mut *self.0.get() }.write(value)
    }
}

impl<T> Default for Spare<T> {
    fn default() -> Self {
        Self::new()
    }
}
