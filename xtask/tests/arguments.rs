//! Wrong arguments of a host program are refused before anything is built.

use std::process::{Command, Output};

/// Runs `cargo xtask LINE` where there is no cargo: a build would fail in other words.
fn xtask(line: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(line.split_whitespace()).env("CARGO", "/no/such/cargo");
    command.output().expect("xtask is built with this test")
}

#[track_caller]
fn refuses(line: &str, because: &str) {
    let output = xtask(line);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{line}: {said}");
    assert!(said.contains(because), "{line}: {said}");
}

#[test]
fn every_forwarding_command_refuses_bad_arguments_without_a_build() {
    refuses("collect orders --count 9 --from wheel --out a.ev", "--seed");
    refuses("collect orders --cards 3 --count 9 --out a.ev", "4 to 1024 cards");
    refuses("battery", "required");
    refuses("battery no-such.ev", "cannot read no-such.ev");
    refuses("judges no-such.ev", "cannot read no-such.ev");
    refuses("faces no-such-brand", "cannot read no-such-brand");
    refuses("shuffle --speed 0", "a number from 0.01");
    refuses("shuffle --speed nan", "a number from 0.01");
    refuses("shuffle --soak 0", "--soak");
    refuses("shuffle --bench qemu --fault ham@3", "known: no-pick");
    refuses("monitor 127.0.0.1:4000", "is no link");
    refuses("measure --json no-folder/a.json", "its folder is not there");
    refuses("table --speed 3", "--speed");
}

#[test]
fn good_arguments_go_on_to_the_workspace() {
    for line in ["shuffle --speed 20", "battery --live", "table --keep"] {
        let output = xtask(line);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert!(said.contains("cargo cannot read the workspace"), "{line}: {said}");
    }
}

#[test]
fn the_help_of_a_command_shows_the_options_of_its_program() {
    for (line, option) in [
        ("collect --help", "--noise <FILE>"),
        ("battery --help", "--release-size"),
        ("judges --help", "--bytes"),
        ("faces --help", "--level"),
        ("shuffle --help", "--fault <TROUBLE@CARD>"),
        ("monitor --help", "--keys"),
        ("measure --help", "--repeat"),
        ("table --help", "--keep"),
    ] {
        let output = xtask(line);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{line}");
        let usage = format!("Usage: cargo xtask {}", line.split(' ').next().unwrap());
        assert!(said.contains(option) && said.contains(&usage), "{line}: {said}");
    }
}
