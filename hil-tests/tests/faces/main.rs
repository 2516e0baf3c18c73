//! Card faces: brands read in an optical world, and the `faces` command.
//!
//! A program of its own: a campaign takes every core of the host, and a guest beside it would starve.

mod command;
mod reads;
mod repeat;
