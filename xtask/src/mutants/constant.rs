//! Constant functions with a slip in them lose their `const`: a switch is read when the tests run.
//!
//! So do those that call one, up to the last. Where one is needed in a constant the build fails,
//! and shows the row's name: that slip has to be made somewhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Takes `const` from every function that cannot keep it. Calls are looked for within a room of
/// `src` by name alone, which may take it from one too many.
pub(super) fn release(files: &mut BTreeMap<PathBuf, String>) {
    let mut released = BTreeSet::new();
    loop {
        let before = released.len();
        for (file, text) in files.iter_mut() {
            let room = room(file);
            let of_room = released.iter().filter(|(other, _)| *other == room);
            let known: Vec<String> =
                of_room.map(|(_, name): &(PathBuf, String)| name.clone()).collect();
            let (now, names) = release_in(text, &known);
            *text = now;
            released.extend(names.into_iter().map(|name| (room.clone(), name)));
        }
        if released.len() == before {
            return;
        }
    }
}

/// The first two parts of a path: `src/reader`.
fn room(file: &Path) -> PathBuf {
    file.iter().take(2).collect()
}

/// One file without the `const` of those functions, and their names.
fn release_in(text: &str, released: &[String]) -> (String, Vec<String>) {
    let (mut now, mut names) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, name, behind)) = next_function(rest) {
        let indent: String =
            before.rsplit('\n').next().unwrap_or("").chars().take_while(|c| *c == ' ').collect();
        let end = behind.find(&format!("\n{indent}}}")).unwrap_or(behind.len());
        let body = &behind[..end];
        let calls = |name: &String| {
            [".", "::", " "].iter().any(|lead| body.contains(&format!("{lead}{name}(")))
        };
        let stays = !body.contains("crate::mutants::is_on(") && !released.iter().any(calls);
        now += before;
        now += if stays { "const fn " } else { "fn " };
        if !stays {
            names.push(name.to_owned());
        }
        rest = behind;
    }
    (now + rest, names)
}

/// What is before the next `const fn`, its name, and everything from the name on.
fn next_function(text: &str) -> Option<(&str, &str, &str)> {
    let (before, behind) = text.split_once("const fn ")?;
    let name = behind.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    Some((before, name, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn released(files: &[(&str, &str)]) -> BTreeMap<PathBuf, String> {
        let files = files.iter().map(|(file, text)| (PathBuf::from(file), (*text).to_owned()));
        let mut files = files.collect();
        release(&mut files);
        files
    }

    #[test]
    fn a_constant_function_with_a_slip_is_constant_no_more() {
        let files = released(&[(
            "src/a/b.rs",
            "    pub const fn one() {\n        1\n    }\n    pub(super) const fn two() {\n        crate::mutants::is_on(1)\n    }\n",
        )]);
        let text = &files[Path::new("src/a/b.rs")];
        assert!(text.contains("pub const fn one() {") && text.contains("pub(super) fn two() {"));
    }

    #[test]
    fn nor_is_one_that_calls_it_in_the_same_room() {
        let slip = "const fn two() {\n    crate::mutants::is_on(1)\n}\n";
        let call =
            "const fn four() {\n    self.three()\n}\nconst fn three() {\n    Self::two()\n}\n";
        let files = released(&[("src/a/b.rs", call), ("src/a/c.rs", slip), ("src/d/e.rs", call)]);
        assert!(!files[Path::new("src/a/b.rs")].contains("const"));
        assert_eq!(files[Path::new("src/d/e.rs")], call);
    }
}
