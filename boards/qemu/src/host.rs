//! What the host tells this guest, through semihosting's command line.
//!
//! The bench starts each guest with `key=value` words: `uid=` the identity it answers
//! with, `nor=` the file that is its flash, `entropy=` the file its noise comes from,
//! `frames=` what a scan head sees, `step=` whether it keeps step with a world, `report=`
//! where an image that reports puts its figures, `mode=` what a check does.

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
