//! What every device does: start, tell who it is, blink, crash safely, survive a power cut.

mod boot_and_identity;
mod lamp_test;
mod links;
mod power_and_faults;
mod safety_net;
