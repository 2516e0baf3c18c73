//! The project's commands; one file per command beside this one.
fn main() {}
