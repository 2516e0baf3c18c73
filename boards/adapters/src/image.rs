//! What is in flash, measured by the device itself.
//!
//! The hash covers every byte the linker put into flash, from the vector table to the
//! last initial value, so the same hash can be computed over the released image.

unsafe extern "C" {
    static __vector_table: u8;
    static __sidata: u8;
    static __sdata: u8;
    static __edata: u8;
}

/// The image as it stands in flash.
pub fn bytes() -> &'static [u8] {
    let start = &raw const __vector_table;
    let data = (&raw const __edata as usize).saturating_sub(&raw const __sdata as usize);
    let end = (&raw const __sidata as usize).saturating_add(data);
    // SAFETY: the linker places vector table, text, read-only data and the initial
    // values of `.data` in that order in flash, which nothing writes while we run.
    unsafe { core::slice::from_raw_parts(start, end.saturating_sub(start as usize)) }
}
