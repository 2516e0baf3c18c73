//! What is missing or wrong is said in one sentence, and the exit code is not zero.
//!
//! Each case runs the `table` command as a person would, with one thing wrong.

use std::process::{Command, Output};

fn table(variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_table"));
    command.envs(variables.iter().copied()).output().unwrap()
}

fn refuses(variables: &[(&str, &str)], sentence: &str) {
    let output = table(variables);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(sentence), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "one sentence, not {said}");
}

#[test]
fn missing_image_says_how_to_build_it() {
    refuses(
        &[("CROUPIER_IMAGES", "/nowhere")],
        "image /nowhere/reader.elf is missing: run `cargo xtask build`",
    );
}

#[test]
fn missing_qemu_says_how_to_get_it() {
    refuses(
        &[("CROUPIER_QEMU", "/nowhere/qemu")],
        "QEMU is missing: there is no program `/nowhere/qemu`; run `cargo xtask setup`",
    );
}

#[test]
fn unknown_rig_names_the_known_ones() {
    refuses(&[("BENCH", "moon")], "rig `moon` is unknown: known are example, qemu");
}

#[test]
fn busy_rig_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let _held = hil_tests::rig::hold(folder.path(), "example").unwrap();
    let place = folder.path().to_str().unwrap();
    refuses(&[("BENCH", "example"), ("TMPDIR", place)], "rig `example` is busy");
}

#[test]
fn wrong_rig_file_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("desk.toml"), "kind = \"hardware\"").unwrap();
    let place = folder.path().to_str().unwrap();
    refuses(
        &[("BENCH", "desk"), ("CROUPIER_RIGS", place)],
        "a hardware rig needs a [hardware] part",
    );
}
