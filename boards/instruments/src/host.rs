//! What the host passes to an instrument, through semihosting's command line.
//!
//! The words are `key=value`: `uid=` the serial number, `nor=` the file that is its flash,
//! `entropy=` the file its noise comes from, `film=` what a scan head sees, `report=` where
//! it writes what it measured. Each instrument names its own words beside these.

use heapless::{CString, String};
use semihosting::experimental::env;

/// The longest command line a guest takes.
const LINE: usize = 1024;
/// The longest value: a path.
pub const VALUE: usize = 256;

/// The value of `key` on the command line, if it is there and fits.
pub fn value(key: &str) -> Option<String<VALUE>> {
    let arguments = env::args::<LINE>().ok()?;
    let mut words = &arguments;
    words.find_map(|word| {
        let value = word.ok()?.strip_prefix(key)?.strip_prefix('=')?;
        String::try_from(value).ok()
    })
}

/// The value of `key` as a path the host can open.
pub fn path(key: &str) -> Option<CString<VALUE>> {
    let mut path = CString::new();
    path.extend_from_bytes(value(key)?.as_bytes()).ok()?;
    Some(path)
}
