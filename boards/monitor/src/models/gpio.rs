//! GPIO ports A to C: passed to QEMU, with the couplings of the table hardware.
