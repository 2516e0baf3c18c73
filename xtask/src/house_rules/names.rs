//! Names that were given up, and the field's words that took their places.
//!
//! A name that has gone comes back with a branch or a habit. Words in comments and strings are
//! free: only identifiers are looked at.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// Names that nothing may have, with what it is called instead.
const GONE: [(&str, &str); 36] = [
    ("Office", "CommonServices"),
    ("Officed", "CommonServices"),
    ("OFFICE", "the roles it holds"),
    ("Desk", "DeviceContext"),
    ("OnDesk", "DeviceContext"),
    ("HostDesk", "DeviceContext"),
    ("Shelf", "StoreHandle"),
    ("News", "DeviceEvent"),
    ("Herald", "publish"),
    ("Standing", "StatusSummary"),
    ("Ear", "CanRx"),
    ("Fall", "CrashReason"),
    ("last_words", "crash_record"),
    ("roll_call", "task_watchdog"),
    ("Duty", "TaskId"),
    ("Floor", "NextSequence"),
    ("Kept", "Saved, or what it is"),
    ("Tray", "OrderBuffer"),
    ("forgiveness", "error_budget"),
    ("may_forgive", "tolerates"),
    ("forgiven", "tolerated"),
    ("gait", "motion_profile"),
    ("turner", "wheel_drive"),
    ("senses", "inputs"),
    ("own_services", "node_services"),
    ("Told", "the DSDL type's own name"),
    ("sabotage", "fault_injection"),
    ("Beside", "PinCoupling"),
    ("at_table", "fixture"),
    ("guested", "qemu_source"),
    ("evening", "soak"),
    ("workshop", "workspace"),
    ("fell", "crashed"),
    ("LastNumber", "PaiGowRecord"),
    ("LockOut", "a store key with one user"),
    ("Nobody", "what it stands for"),
];

/// Names that no function may have.
const NO_FUNCTION: [(&str, &str); 7] = [
    ("told", "to_wire, reported, progress: what it returns"),
    ("tell", "publish, report"),
    ("hear", "receive, rx"),
    ("speak", "send, tx"),
    ("fall", "crash"),
    ("rise", "boot_cause"),
    ("here", "check_in"),
];

/// Beginnings that no function's name may have.
const NO_BEGINNING: [(&str, &str); 2] = [("hear_", "rx_"), ("speak_", "tx_")];

/// Where one of these names is right, and why.
const ALLOWED: [(&str, &str); 1] = [
    // A table that tells a device something, and waits for no answer.
    ("tests/serving/devices.rs", "tell"),
];

/// Every name in `tokens` that was given up.
pub(super) fn read(file: &Path, tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    let mut after_fn = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => read(file, group.stream(), found),
            TokenTree::Ident(word) => {
                let name = word.to_string();
                if let Some(instead) = instead_of(&name, after_fn).filter(|_| !allowed(file, &name))
                {
                    let line = word.span().start().line;
                    found.push((line, format!("'{name}' was given up: {instead}")));
                }
                after_fn = name == "fn";
                continue;
            }
            _ => {}
        }
        after_fn = false;
    }
}

fn instead_of(name: &str, function: bool) -> Option<&'static str> {
    let is = |(gone, instead): &(&str, &'static str)| (*gone == name).then_some(*instead);
    let begins =
        |(gone, instead): &(&str, &'static str)| name.starts_with(gone).then_some(*instead);
    let of_functions =
        || NO_FUNCTION.iter().find_map(is).or_else(|| NO_BEGINNING.iter().find_map(begins));
    GONE.iter().find_map(is).or_else(|| function.then(of_functions).flatten())
}

fn allowed(file: &Path, name: &str) -> bool {
    ALLOWED.iter().any(|(place, word)| file == Path::new(place) && *word == name)
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    fn found(file: &str, text: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        read(Path::new(file), TokenStream::from_str(text).unwrap(), &mut found);
        found
    }

    // Issue 12, 1: the old words do not return.
    #[test]
    fn a_name_that_was_given_up_is_found_wherever_it_stands() {
        for text in [
            "struct Kept(u8);",
            "fn f() { let fell = 1; }",
            "const OFFICE: u8 = 0;",
            "impl X { pub const fn told(self) {} }",
            "fn hear_frames() {}",
            "mod roll_call;",
        ] {
            assert_eq!(found("src/x.rs", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn sentences_variables_and_other_names_are_free() {
        for text in [
            "/// Kept through power loss; told to the floor.\nfn f() { g(\"Kept\") }",
            "fn f() { let told = seen(); told.hear(); }",
            "fn heartbeat() {} fn telling() {} struct KeptRecord;",
        ] {
            assert!(found("src/x.rs", text).is_empty(), "{text}");
        }
    }

    #[test]
    fn an_exception_holds_in_its_file_alone() {
        assert!(found("tests/serving/devices.rs", "fn tell() {}").is_empty());
        assert_eq!(found("tests/serving/devices.rs", "fn told() {}").len(), 1);
        assert_eq!(found("tests/serving/main.rs", "fn tell() {}").len(), 1);
    }
}
