use super::super::console::tests::{played, played_with};
use super::*;
use crate::probe::tests::{fake, folder};

const LOG: &str =
    "echo 'INFO croupier reader 0.1.0 (abc, release, rustc) on b-l475e-iot01a, serial 31'
    echo 'INFO reset: power on (crashes since power on: 0)'
    echo 'INFO ready after 24961 us'
    echo 'INFO image sha256 00ff'
    sleep 60";

fn booted(name: &str, script: &str) -> Result<Vec<String>> {
    boot_log(&mut fake(&folder(name), script).run_image("reader.elf").unwrap(), "00ff")
}

#[test]
fn a_start_is_followed_line_by_line_through_probe_rs() {
    assert_eq!(
        booted("boots", LOG).unwrap(),
        ["ready after 24961 us", "image sha256 00ff, as built"]
    );
}

#[test]
fn a_slow_start_another_image_and_a_dead_probe_are_failures() {
    let slow = booted("slow", &LOG.replace("24961", "124961")).unwrap_err().to_string();
    assert_eq!(slow, "ready after 124961 us, expected less than 100000");
    let other = booted("other", &LOG.replace("00ff", "11ee")).unwrap_err().to_string();
    assert!(other.starts_with("the board measured another image than 00ff"), "{other}");
    let dead = booted("dead", "echo Error: target not found >&2; exit 1").unwrap_err().to_string();
    assert!(dead.ends_with("last came: Error: target not found"), "{dead}");
}

#[test]
fn the_clocks_are_read_and_a_device_second_is_compared_with_the_hosts() {
    const REGISTERS: &str =
        "sysclk source 3\r\nlatency 4\r\ntimer 80000000\r\nrng 48000000\r\nok\r\n";
    let mut board =
        played(&[("clocks", REGISTERS), ("time 1", "begin\r\nend\r\ncycles 80000123\r\nok\r\n")]);
    // This board's second takes no time at all.
    let error = clocks_on(&mut board, 1).unwrap_err().to_string();
    assert!(error.contains("1 device seconds took 0.0"), "{error}");
    let mut board = played(&[("clocks", "sysclk source 0\r\nok\r\n")]);
    let error = clocks_on(&mut board, 1).unwrap_err().to_string();
    assert_eq!(error, "sysclk source is 0, expected 3 (3 is the PLL)");
}

#[test]
fn the_next_run_says_how_the_one_before_ended() {
    const NEXT: &str =
        "overflowing\r\nfirst day on b-l475e-iot01a\r\nreset hard-fault crashes 1\r\n";
    let mut board = played(&[("stack", NEXT)]);
    let (reset, _) = ruin(&mut board, "stack", "overflowing").unwrap();
    assert_eq!(judge::stack(&reset).unwrap().len(), 1);
}

#[test]
fn a_crash_between_two_torn_words_is_found() {
    const GOOD: &str = "tearing\r\nfirst day on x\r\nreset restart crashes 0\r\n\
                        torn rounds 2 blank 1 whole 1 ecc 0 mixed 0\r\n";
    const BAD: &str = "tearing\r\nfirst day on x\r\nreset hard-fault crashes 1\r\n\
                       torn rounds 2 blank 1 whole 1 ecc 0 mixed 0\r\n";
    assert!(torn_word_on(&mut played(&[("torn 2", GOOD)]), 2).is_ok());
    assert!(torn_word_on(&mut played(&[("torn 2", BAD)]), 2).is_err());
}

#[test]
fn heartbeats_are_counted_on_a_bus_that_carries_other_frames_too() {
    const BUS: &str = "\rT107D550A8000000000000A0\rT1013370B200\rT107D550A80\rT107D550A81\r";
    let mut bus = played_with(&[("C", ""), ("S6", "\r"), ("O", BUS)], b'\r');
    assert_eq!(slcan(&mut bus).unwrap(), ["3 heartbeats, acknowledged by the adapter"]);
}
