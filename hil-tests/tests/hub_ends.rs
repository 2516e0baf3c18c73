//! A hub leaves nothing behind: no thread, no socket, no file, unless a test failed.
//!
//! A program of its own: it counts the threads and open files of its process.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used)] // helpers of a test may do what a test may

#[path = "hub/harness.rs"]
mod harness;

use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Instant;

use harness::{PATIENCE, client, device, numbered};
use hil_tests::hub::Bridge;
use hil_tests::{BenchError, Hub, Link};

/// How many threads and open files this process has.
fn belongings() -> (usize, usize) {
    let count = |of: &str| std::fs::read_dir(Path::new("/proc/self").join(of)).unwrap().count();
    (count("task"), count("fd"))
}

/// Waits until this process has no more than it had; the system takes a moment to forget a thread.
fn await_belongings(had: (usize, usize)) {
    let deadline = Instant::now() + PATIENCE;
    while belongings() != had {
        assert!(Instant::now() < deadline, "{:?} are left of {had:?}", belongings());
        std::thread::yield_now();
    }
}

/// The transcripts kept by this process's failed tests.
fn kept() -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let paths = entries.map(|entry| entry.path());
    let is_one = |path: &std::path::PathBuf| {
        let text = || std::fs::read_to_string(path).unwrap_or_default();
        path.to_string_lossy().contains("croupier-bus-") && text().contains("only-in-this-test")
    };
    paths.filter(is_one).collect()
}

// One test, since what a process has is counted.
#[test]
fn everything_ends_with_the_hub_and_a_failure_keeps_the_transcript() -> Result<(), BenchError> {
    let before = belongings();
    {
        let hub = Hub::open()?;
        let bridge = Bridge::open("reader", 0)?;
        let (near, _far) = UnixStream::pair().unwrap();
        bridge.attach(Link::new("table", near))?;
        let (address, serial) = (hub.listen()?, bridge.address());
        let mut port = hub.join("controller");
        let (mut reader, mut python) = (device(&hub, "reader"), client(address));
        let attached = TcpStream::connect(serial).unwrap();
        hub.babble("babbler", numbered(1, 1), 0.5);
        port.send(numbered(2, 2))?;
        assert_ne!(belongings(), before);
        drop((hub, bridge));
        let end = |line: String| line.is_empty();
        assert!(std::iter::repeat_with(|| reader.line()).any(end));
        assert!(std::iter::repeat_with(|| python.line()).any(end));
        for gone in [address, serial] {
            assert!(TcpStream::connect(gone).is_err(), "somebody still listens on {gone}");
        }
        drop(attached);
    }
    await_belongings(before);
    assert_eq!(kept(), Vec::<std::path::PathBuf>::new());

    let failed = std::thread::spawn(|| {
        let hub = Hub::open().unwrap();
        hub.note("only-in-this-test");
        panic!("on purpose");
    });
    assert!(failed.join().is_err());
    let kept = kept();
    assert_eq!(kept.len(), 1);
    std::fs::remove_file(&kept[0]).unwrap();
    Ok(())
}
