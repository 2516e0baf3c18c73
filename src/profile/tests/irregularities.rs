//! Which clause an irregularity rests on, against `irregularities.txt`, and the codes against the DSDL.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use super::clauses::TABLE;
use super::*;
use crate::identity::DeviceKind;
use crate::protocol::generated::croupier::common as wire;
use crate::{paigow, reader, shuffler};
use wire::{Clause as Code, Dealing, Trouble};

/// A trouble with its step at one device, and what it rests on in one game; nothing for a dash.
struct Row {
    kind: DeviceKind,
    trouble: Trouble,
    step: wire::NextStep,
    game: Game,
    basis: Option<String>,
}

impl Row {
    fn is(&self, kind: DeviceKind, told: &wire::Irregularity, game: Game) -> bool {
        let asked = (self.kind, self.trouble, self.step, self.game);
        asked == (kind, told.trouble, told.next_step, game)
    }
}

/// Why some troubles rest on nothing.
const SILENT: [(Trouble, &str); 6] = [
    (Trouble::SealsRefused, "no chapter speaks of the table's wire"),
    (Trouble::RequestsDropped, "no chapter speaks of the table's wire"),
    (Trouble::KeyStuck, "maintenance: the device works, and play goes on"),
    (Trouble::WindowDirty, "maintenance: the device works, and play goes on"),
    (Trouble::CardLeft, "no chapter says how long a card may lie in the reader"),
    (Trouble::InventoryWrong, "a question: the cards may lie on the table by right"),
];

/// What no device publishes today.
const UNPUBLISHED: [Trouble; 7] = [
    Trouble::None,
    Trouble::Crashed,
    Trouble::JournalFault,
    Trouble::Tampered,
    Trouble::ImageAltered,
    Trouble::OutputFault,
    Trouble::Opened,
];

/// Clauses with a code and no trouble yet: the short shoe (SH-28), a wrong stub (SH-37).
const IN_WAIT: [&str; 29] = [
    "Pa. 581.13(e)",
    "Pa. 590.13(f)",
    "Pa. 591.13(f)",
    "Pa. 672a.12(f)",
    "Pa. 685a.12(e)",
    "Pa. 583.8(g)",
    "Pa. 583.9(g)",
    "Pa. 583.10(f)",
    "Pa. 587.8(h)",
    "Pa. 587.9(f)",
    "Pa. 587.10(f)",
    "Pa. 588.8(f)",
    "Pa. 588.9(e)",
    "Pa. 588.10(e)",
    "Pa. 589.11(g)(2)",
    "Pa. 592.8(h)",
    "Pa. 592.9(f)",
    "Pa. 592.10(f)",
    "by analogy with Pa. 583.8(g)",
    "Pa. 581.5(g)",
    "Pa. 590.5(g)(2)",
    "Pa. 672a.5(g)(2)",
    "Pa. 591.5(g)(2)",
    "Pa. 685a.5(g)",
    "Pa. 583.5(f)",
    "Pa. 587.5(f)",
    "Pa. 588.5(g)(2)",
    "Pa. 589.5(f)",
    "Pa. 592.5(f)",
];

/// `USE_SHAKER` is `UseShaker`.
fn variant(name: &str) -> String {
    let words = name.split('_').map(|word| word[..1].to_string() + &word[1..].to_lowercase());
    words.collect()
}

fn named<T: Copy + core::fmt::Debug>(all: &[T], name: &str) -> T {
    let found = all.iter().find(|code| format!("{code:?}") == variant(name));
    *found.unwrap_or_else(|| panic!("{name} is not in the DSDL"))
}

/// The words for a cell in the column of a chapter.
fn words(chapter: &str, cell: &str) -> Option<String> {
    let (analogy, clause) = match cell.strip_prefix('~') {
        Some(clause) => ("by analogy with ", clause),
        None => ("", cell),
    };
    let whole = clause.contains('.');
    let clause = if whole { clause.to_string() } else { format!("{chapter}.{clause}") };
    (cell != "-").then(|| format!("{analogy}Pa. {clause}"))
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for section in include_str!("irregularities.txt").split("\n[").skip(1) {
        let (device, lines) = section.split_once("]\n").unwrap();
        let kind = match device {
            "reader" => DeviceKind::Reader,
            "shuffler" => DeviceKind::Shuffler,
            _ => DeviceKind::PaiGow,
        };
        let mut lines = lines.lines().filter(|line| !line.is_empty());
        let chapters: Vec<&str> = lines.next().unwrap().split('|').map(str::trim).collect();
        for line in lines {
            let mut cells = line.split('|').map(str::trim);
            let (trouble, step) = cells.next().unwrap().split_once(' ').expect(line);
            for (chapter, cell) in
                chapters.iter().skip(1).zip(cells).filter(|cell| !cell.1.is_empty())
            {
                rows.push(Row {
                    kind,
                    trouble: named(&Trouble::ALL, trouble),
                    step: named(&wire::NextStep::ALL, step),
                    game: Game::from_chapter(chapter).unwrap(),
                    basis: words(chapter, cell),
                });
            }
        }
    }
    rows
}

fn basis(row: &Row, dealing: Dealing) -> Option<String> {
    let basis = row.game.profile().basis(row.kind, row.trouble, row.step, dealing);
    assert_eq!(Basis::of(Basis::code(basis)), basis, "{basis:?} needs a code");
    basis.map(|basis| basis.to_string())
}

/// Every fault a device can publish in a game. The kind of a fault is its first byte in the store.
fn faults(game: Game) -> Vec<(DeviceKind, wire::Irregularity)> {
    let profile = game.profile();
    let kinds = 0..=u8::MAX;
    let mut all: Vec<_> = kinds
        .clone()
        .filter_map(|kind| shuffler::Fault::from_code([kind, 0, 0, 0]))
        .map(|fault| (DeviceKind::Shuffler, fault.irregularity(Some(profile))))
        .collect();
    if profile.reader().is_some() {
        let found = kinds.clone().filter_map(|kind| reader::Fault::from_code([kind, 0]));
        all.extend(found.map(|fault| (DeviceKind::Reader, fault.irregularity())));
    }
    if profile.start_numbers().is_some() {
        let found = kinds.filter_map(|kind| paigow::Fault::from_code([kind, 0]));
        all.extend(found.map(|fault| (DeviceKind::PaiGow, fault.irregularity())));
    }
    assert!(all.len() >= 19, "{} faults", all.len());
    all
}

// CM-06, SH-08 to SH-40, RD-04 to RD-17, PG-10 to PG-16: the clause is the chapter's own.
#[test]
fn every_irregularity_rests_on_the_clause_of_its_chapter() {
    let mut faults = String::new();
    for row in rows() {
        let found = basis(&row, Dealing::ManualShoe);
        if found != row.basis {
            let Row { kind, trouble, game, basis, .. } = row;
            faults += &format!("{kind:?} {trouble:?} {game:?}: {found:?}, chapter: {basis:?}\n");
        }
    }
    assert!(faults.is_empty(), "\n{faults}");
}

// CM-06: what a device can publish has a row, and nothing is silent without a reason.
#[test]
fn every_trouble_and_every_fault_has_its_row() {
    let rows = rows();
    for game in Game::ALL.into_iter().filter(|game| *game != Game::FreeBetSouthDakota) {
        for (kind, told) in faults(game) {
            let found = rows.iter().any(|row| row.is(kind, &told, game));
            assert!(found, "{kind:?} {:?} {:?} {game:?}", told.trouble, told.next_step);
        }
    }
    for trouble in Trouble::ALL {
        let published = rows.iter().any(|row| row.trouble == trouble);
        assert_ne!(published, UNPUBLISHED.contains(&trouble), "{trouble:?}");
        let silent = rows.iter().any(|row| row.trouble == trouble && row.basis.is_none());
        let reason = SILENT.iter().any(|(of, reason)| *of == trouble && !reason.is_empty());
        assert_eq!(silent, reason, "{trouble:?}");
    }
}

// CM-06: that state's rule names no device, so that no clause may be claimed for one.
#[test]
fn in_south_dakota_nothing_rests_on_a_clause() {
    let profile = Game::FreeBetSouthDakota.profile();
    for (kind, trouble) in
        DeviceKind::ALL.iter().flat_map(|kind| Trouble::ALL.map(|trouble| (*kind, trouble)))
    {
        for step in wire::NextStep::ALL {
            assert_eq!(profile.basis(kind, trouble, step, Dealing::Hand), None, "{trouble:?}");
        }
    }
}

// SH-09: the clause that has the dealer count is another for each way of dealing.
#[test]
fn sh_09_the_stub_is_counted_by_the_clause_of_the_way_of_dealing() {
    let told = |game: Game, dealing| {
        let (trouble, step) = (Trouble::CountNotValid, wire::NextStep::CountStub);
        let basis = game.profile().basis(DeviceKind::Shuffler, trouble, step, dealing);
        basis.map(|basis| basis.to_string()).unwrap_or_default()
    };
    for (game, hand, automated) in [
        (Game::FlopPoker, "Pa. 583.9(e)", "Pa. 583.10(d)"),
        (Game::RaiseItUpStud, "Pa. 587.9(d)", "Pa. 587.10(d)"),
        (Game::SixCardFortunePaiGow, "Pa. 588.9(d)", "Pa. 588.10(d)"),
        (Game::LunarPoker, "Pa. 589.11(g)", "Pa. 589.11(g)"),
        (Game::CrissCrossPoker, "Pa. 592.9(d)", "Pa. 592.10(d)"),
        (Game::FreeBet, "", ""),
    ] {
        assert_eq!(told(game, Dealing::Hand), hand);
        assert_eq!(told(game, Dealing::AutomatedShoe), automated);
    }
}

/// The constants of the DSDL: name, number, comment.
fn constants() -> Vec<(&'static str, u8, &'static str)> {
    let text = include_str!("../../../dsdl/croupier/common/Clause.1.0.dsdl");
    let lines = text.lines().filter_map(|line| line.strip_prefix("uint8 ")?.split_once('='));
    let constant = |(name, rest): (&'static str, &'static str)| {
        let (number, comment) = rest.split_once('#').unwrap();
        (name.trim(), number.trim().parse().unwrap(), comment.trim())
    };
    lines.map(constant).collect()
}

/// `by analogy with Pa. 583.5(b)` is `BY_ANALOGY_PA_583_5_B`.
fn name(words: &str) -> String {
    let words = words.to_uppercase().replace("WITH ", "").replace("PA. ", "PA_");
    let parts = words.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

// CM-06: code, name, comment and row say the same; none is missing, none is there twice.
#[test]
fn every_code_of_a_clause_is_a_row_and_every_row_a_code() {
    let constants = constants();
    assert_eq!(constants[0], ("NONE", 0, "No clause: the device's own rule."));
    assert_eq!(constants.len(), TABLE.len() + 1);
    assert_eq!(Basis::of(Code::None), None);
    for ((constant, number, comment), (code, basis)) in constants[1..].iter().zip(&TABLE) {
        let words = basis.to_string();
        assert_eq!((code.code(), name(&words).as_str()), (*number, *constant));
        assert_eq!(words.to_lowercase() + ".", comment.to_lowercase());
        assert_eq!(TABLE.iter().filter(|row| row.1 == *basis).count(), 1, "{words} twice");
        assert_eq!(Basis::of(Code::from_code(*number).unwrap()), Some(*basis));
    }
}

// CM-06: a code that no irregularity can carry would be a promise.
#[test]
fn every_code_is_in_use_or_named_as_waiting() {
    let ways = [Dealing::ManualShoe, Dealing::Hand, Dealing::AutomatedShoe];
    let rows = rows();
    let used: Vec<String> =
        rows.iter().flat_map(|row| ways.map(|way| basis(row, way))).flatten().collect();
    for (_, basis) in &TABLE {
        let words = basis.to_string();
        assert_ne!(used.contains(&words), IN_WAIT.contains(&words.as_str()), "{words}");
    }
}
