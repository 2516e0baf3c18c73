//! Every program's command line: what its help shows is taken, what cannot work is refused.

use clap::error::ErrorKind;

use super::*;

/// What a command line is refused with; nothing if it is taken.
fn refused<T: Arguments>(line: &str) -> Option<String> {
    let words = std::iter::once("program").chain(line.split_whitespace());
    T::try_read(words).err().map(|error| error.to_string())
}

#[track_caller]
fn refuses<T: Arguments>(line: &str, because: &str) {
    let why = refused::<T>(line).unwrap_or_else(|| panic!("`{line}` is taken"));
    assert!(why.contains(because), "`{line}`: {why}");
}

#[track_caller]
fn takes<T: Arguments>(lines: &[&str]) {
    for line in lines {
        assert_eq!(refused::<T>(line), None, "{line}");
    }
}

#[test]
fn every_command_line_is_well_formed() {
    Battery::command().debug_assert();
    Collect::command().debug_assert();
    Faces::command().debug_assert();
    Judges::command().debug_assert();
    Measure::command().debug_assert();
    Monitor::command().debug_assert();
    Shuffle::command().debug_assert();
    Table::command().debug_assert();
}

#[test]
fn a_collection_that_cannot_be_made_is_refused() {
    takes::<Collect>(&[
        "orders --count 9 --out a.ev",
        "orders --cards 416 --count 9 --from wheel --seed 1 --out a.ev",
        "numbers --count 500 --from qemu --noise Cargo.toml --out a.ev",
        "raw --count 9 --out src/a.ev",
    ]);
    refuses::<Collect>("orders --count 9 --from wheel --out a.ev", "--seed");
    refuses::<Collect>("orders --count 0 --out a.ev", "--count");
    refuses::<Collect>("orders --cards 3 --count 9 --out a.ev", "4 to 1024 cards");
    refuses::<Collect>("numbers --cards 0 --count 9 --out a.ev", "begin at 1");
    refuses::<Collect>("raw --cards 52 --count 9 --out a.ev", "leave out --cards");
    refuses::<Collect>("raw --count 9 --from wheel --seed 1 --out a.ev", "orders only");
    refuses::<Collect>("orders --cards 54 --count 9 --from wheel --seed 1 --out a.ev", "312");
    refuses::<Collect>("raw --count 9 --noise Cargo.toml --out a.ev", "give --from qemu");
    refuses::<Collect>("raw --count 9 --from qemu --noise no.bin --out a.ev", "cannot read no.bin");
    refuses::<Collect>("raw --count 9 --out no-folder/a.ev", "its folder is not there");
}

#[test]
fn a_battery_or_judge_without_anything_to_judge_is_refused() {
    takes::<Battery>(&[
        "--live",
        "--live wheel",
        "--calibrate --quick",
        "--uniformity",
        "Cargo.toml",
    ]);
    refuses::<Battery>("", "required");
    refuses::<Battery>("no-such.ev", "cannot read no-such.ev");
    refuses::<Battery>("--live --quick", "--calibrate");
    refuses::<Battery>("--uniformity 0", "RUNS");
    takes::<Judges>(&["--live", "Cargo.toml", "--live --bytes 1000"]);
    refuses::<Judges>("", "required");
    refuses::<Judges>("no-such.ev", "cannot read no-such.ev");
}

#[test]
fn a_brand_without_pictures_is_refused() {
    takes::<Faces>(&["src", "--debian --fonts", "--list", "src --reads 2000 --seed 7"]);
    refuses::<Faces>("", "required");
    refuses::<Faces>("my-brand", "cannot read my-brand");
    refuses::<Faces>("src --reads 0", "--reads");
}

#[test]
fn a_speed_at_which_nothing_would_be_seen_is_refused() {
    takes::<Shuffle>(&["", "--speed 20", "--speed 0.5", "--field 0", "--field 2.5"]);
    for speed in ["0", "-1", "nan", "inf", "1e300", "fast"] {
        refuses::<Shuffle>(&format!("--speed={speed}"), "a number from 0.01 to 10000");
    }
    refuses::<Shuffle>("--field=nan", "a number from 0 to 1000");
}

#[test]
fn a_soak_of_no_cycles_is_refused_and_its_old_name_still_works() {
    for (line, cycles) in [
        ("--soak 3 --field 1", 3),
        ("--soak 3", 3),
        ("--soak --cycles 7", 7),
        ("--soak --game all", 1000),
    ] {
        let words = std::iter::once("shuffle").chain(line.split_whitespace());
        assert_eq!(Shuffle::try_read(words).unwrap().soak_cycles(), Some(cycles), "{line}");
    }
    refuses::<Shuffle>("--soak 0", "--soak");
    refuses::<Shuffle>("--soak --cycles 0", "--cycles");
    refuses::<Shuffle>("--cycles 3", "--soak");
    refuses::<Shuffle>("--soak 3 --fault jam@2", "cannot be used with");
}

#[test]
fn a_soak_on_a_machine_that_the_game_is_not_played_with_is_refused() {
    takes::<Shuffle>(&[
        "--soak --game 672a --model continuous",
        "--soak --game 588 --model single",
        "--soak --game all --model continuous",
        "--soak --game 590 --decks 1 --model single",
    ]);
    refuses::<Shuffle>("--soak --game 588 --model continuous", "no batch circulates");
    refuses::<Shuffle>("--soak --game 581 --model single", "more cards");
    refuses::<Shuffle>("--model single", "--soak");
    refuses::<Shuffle>("--game all", "only a --soak");
}

#[test]
fn a_shuffle_of_nothing_known_is_refused() {
    takes::<Shuffle>(&["--profile 672A --decks 8", "--fault jam@23 --fault slip@4", "--cards 52"]);
    refuses::<Shuffle>("--profile 593", "672a");
    refuses::<Shuffle>("--decks 9", "--decks");
    refuses::<Shuffle>("--cards 601", "--cards");
    refuses::<Shuffle>("--fault ham@3", "known: no-pick");
    refuses::<Shuffle>("--fault jam@0", "from 1");
}

#[test]
fn a_link_or_a_recording_that_is_not_there_is_refused() {
    takes::<Monitor>(&["can:127.0.0.1:4000 --keys bench", "--file Cargo.toml", "can:/dev/x"]);
    refuses::<Monitor>("", "required");
    refuses::<Monitor>("127.0.0.1:4000", "is no link");
    refuses::<Monitor>("--file no.txt", "cannot read no.txt");
    refuses::<Monitor>("can:/dev/x --count 0", "--count");
    takes::<Measure>(&["", "--repeat --json src/a.json", "--against Cargo.toml"]);
    refuses::<Measure>("--json no-folder/a.json", "its folder is not there");
    refuses::<Measure>("--against no-file.json", "it is not there");
    takes::<Table>(&["", "--keep"]);
    refuses::<Table>("--speed 3", "--speed");
}

#[test]
fn a_refusal_shows_the_usage_and_help_is_none() {
    let words = ["collect", "orders", "--cards", "3", "--count", "9", "--out", "a.ev"];
    let error = Collect::try_read(words).unwrap_err();
    assert_eq!((error.kind(), error.exit_code()), (ErrorKind::ValueValidation, 2));
    assert!(error.to_string().contains("Usage: cargo xtask collect"), "{error}");
    let help = Collect::try_read(["collect", "--help"]).unwrap_err();
    assert_eq!(help.exit_code(), 0);
}
