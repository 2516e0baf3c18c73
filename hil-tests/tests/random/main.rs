//! The random core in QEMU, in the image `collect`: cold starts and sources that fail.

mod faults;
mod starts;
