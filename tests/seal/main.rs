//! The seal: who may command a device, what is obeyed once, and the bytes that a vendor compares.

mod commands;
mod keys;
mod power_cut;
mod wear;
mod worked_example;
