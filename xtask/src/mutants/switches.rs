//! Which slip is on, and which tests come by a slip. Copied into the rules as a module of theirs.
//!
//! It is no module here. The rules have no std; this file says so for itself that it has.

extern crate std;

use std::cell::RefCell;
use std::env;
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::vec::Vec;

/// Whether the row with this number is the one that is tried.
pub(crate) fn is_on(number: usize) -> bool {
    static ON: OnceLock<usize> = OnceLock::new();
    note(number);
    let read = || env::var("CROUPIER_MUTANT").ok()?.parse().ok();
    *ON.get_or_init(|| read().unwrap_or(0)) == number
}

/// Notes that this thread came by the row, once: libtest names a thread after its test.
fn note(number: usize) {
    static NOTES: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    std::thread_local!(static SEEN: RefCell<Vec<bool>> = const { RefCell::new(Vec::new()) });
    let open = || Some(Mutex::new(File::create(env::var_os("CROUPIER_MUTANT_NOTES")?).ok()?));
    let Some(notes) = NOTES.get_or_init(open) else { return };
    let first = SEEN.try_with(|seen| {
        let mut seen = seen.borrow_mut();
        if seen.len() <= number {
            seen.resize(number + 1, false);
        }
        !core::mem::replace(&mut seen[number], true)
    });
    if first == Ok(true)
        && let Ok(mut notes) = notes.lock()
    {
        let thread = thread::current();
        let _ = std::writeln!(notes, "{number} {}", thread.name().unwrap_or("?"));
    }
}
