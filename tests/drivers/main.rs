//! Drivers of the chips beside the microcontroller, each against a mock of its wires.

mod chain;
mod scan_head;
