//! `cargo xtask faces`: folders and sheets it takes, and what it says to bad ones.

use std::fs;
use std::path::Path;
use std::process::Command;

use hil_tests::faces::deck::{Deck, all_cards};
use hil_tests::faces::naming::card_name;
use tempfile::{TempDir, tempdir};

/// A ring as index, at both ends.
const CARD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="63.5" height="88.9">
<g fill="none" stroke="black"><rect x="3" y="3.5" width="4" height="6"/><rect x="56.5" y="79.4" width="4" height="6"/></g></svg>"#;

/// A folder with a card for each name, all alike.
fn folder(names: impl IntoIterator<Item = String>) -> TempDir {
    let folder = tempdir().expect("a folder can be made");
    for name in names {
        fs::write(folder.path().join(name), CARD).expect("a file can be written");
    }
    folder
}

fn every_card() -> impl Iterator<Item = String> {
    all_cards().map(|(rank, suit)| card_name(rank, suit))
}

/// The exit code, and what was said on both streams.
fn faces(path: &Path, options: &[&str]) -> (Option<i32>, String) {
    let out = tempdir().expect("a folder can be made");
    let done = Command::new(env!("CARGO_BIN_EXE_faces"))
        .arg(path)
        .args(options)
        .arg("--out")
        .arg(out.path())
        .output()
        .expect("the program is built with this test");
    let said = [done.stdout, done.stderr].concat();
    (done.status.code(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_missing_card_and_a_strange_name_are_both_told() {
    let names = every_card().filter(|name| name != "10H").map(|name| format!("{name}.svg"));
    let folder = folder(names.chain(["scan001.svg".into()]));
    let (code, said) = faces(folder.path(), &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("missing 10H; not understood: scan001.svg"), "{said}");
}

#[test]
fn a_card_that_is_there_twice_is_refused_with_both_names() {
    let names = every_card().map(|name| format!("{name}.svg"));
    let folder = folder(names.chain(["ace_of_spades.svg".into()]));
    let (code, said) = faces(folder.path(), &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("AS is there twice: AS.svg and ace_of_spades.svg"), "{said}");
}

#[test]
fn an_empty_folder_a_missing_one_and_a_file_that_is_no_picture_are_told_apart() {
    let empty = tempdir().expect("a folder can be made");
    assert!(faces(empty.path(), &[]).1.contains("holds no PNG, JPEG or SVG file"));
    assert!(faces(&empty.path().join("nowhere"), &[]).1.contains("cannot read"));
    let broken = empty.path().join("sheet.png");
    fs::write(&broken, b"not a picture").expect("a file can be written");
    let (code, said) = faces(&broken, &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("sheet.png"), "{said}");
}

#[test]
fn one_card_alone_is_no_sheet() {
    let folder = folder(["AS.svg".to_owned()]);
    let (code, said) = faces(&folder.path().join("AS.svg"), &[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is no sheet of 13 columns"), "{said}");
}

/// RD-11: cards that cannot be told apart are never approved.
#[test]
fn a_brand_of_equal_cards_is_not_approved() {
    let folder = folder(every_card().map(|name| format!("{}.svg", name.to_lowercase())));
    let (code, said) = faces(folder.path(), &["--reads", "3", "--level", "nominal"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("MAY NOT BE APPROVED"), "{said}");
    assert!(said.contains("look too much alike"), "{said}");
}

#[test]
fn a_folder_with_other_peoples_names_a_joker_and_a_back_is_a_whole_deck() {
    let long =
        |name: String| format!("{}_of_{}.svg", &name[..name.len() - 1], &name[name.len() - 1..]);
    let folder = folder(every_card().map(long).chain(["joker_red.svg".into(), "back.svg".into()]));
    let deck = Deck::open(folder.path()).expect("the names are understood");
    assert_eq!((deck.cards.len(), deck.jokers.len(), deck.backs.len()), (52, 1, 1));
}
