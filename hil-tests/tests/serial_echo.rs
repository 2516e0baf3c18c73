//! Every serial link carries all bytes, both ways, in windows of any size.

use std::time::Duration;

use hil_tests::{BenchError, open};

const TOTAL: usize = 20_000;
const WINDOWS: [usize; 5] = [16, 1024, 1, 333, 64];
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes that repeat only after a long while, so that a lost or doubled one shows.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i as u32).wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect()
}

fn echoes(name: &str) -> Result<(), BenchError> {
    let mut bench = open("checks")?;
    bench.power_on_held()?;
    let mut link = bench.link(name)?;
    bench.go()?;
    bench.await_log("ready after")?;

    let sent = pattern(TOTAL);
    let mut got = vec![0; TOTAL];
    let mut at = 0;
    for window in WINDOWS.iter().cycle() {
        let end = TOTAL.min(at + window);
        link.send(&sent[at..end])?;
        link.receive(&mut got[at..end], PATIENCE)?;
        at = end;
        if at == TOTAL {
            break;
        }
    }
    let differs = sent.iter().zip(&got).position(|(sent, got)| sent != got);
    assert_eq!(differs, None, "the first byte that came back different");
    Ok(())
}

#[test]
fn table_link_echoes_every_byte() -> Result<(), BenchError> {
    echoes("table")
}

#[test]
fn can_link_echoes_every_byte() -> Result<(), BenchError> {
    echoes("can")
}

#[test]
fn motion_link_echoes_every_byte() -> Result<(), BenchError> {
    echoes("motion")
}
