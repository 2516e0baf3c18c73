//! The house's own rules for its source text, read as tokens and not as lines.
//!
//! Clippy sees one crate at a time and can be told to look away; this sees the
//! whole repository and cannot.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

mod names;

use anyhow::{Context, Result, anyhow, bail};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Longer files hold more than one idea.
const MOST_LINES: usize = 400;

/// Where source is kept, from the root.
const FOLDERS: [&str; 8] =
    ["src", "boards", "hil-tests", "tools", "xtask", "tests", "examples", "fuzz"];

/// Checks every file; fails with all faults at once.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut faults = Vec::new();
    for file in FOLDERS.iter().map(|folder| root.join(folder)).filter(|folder| folder.is_dir()) {
        for file in rust_files(&file)? {
            let text = fs::read_to_string(&file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            faults.extend(faults_of(file.strip_prefix(root)?, &text)?);
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    bail!(
        "{} against the house rules",
        if faults.len() == 1 {
            "one line is".into()
        } else {
            format!("{} lines are", faults.len())
        }
    )
}

/// Every source file that people write.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != "generated" {
            files.extend(rust_files(&path)?);
        } else if name.ends_with(".rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// What one file does against the rules, as `file:line: what`.
fn faults_of(file: &Path, text: &str) -> Result<Vec<String>> {
    let tokens = TokenStream::from_str(text)
        .map_err(|error| anyhow!("{} is no Rust: {error}", file.display()))?;
    let under = |folder: &str| file.starts_with(folder);
    let in_tests = file.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        let name = part.strip_suffix(".rs").unwrap_or(&part);
        matches!(name, "tests" | "testing") || name.ends_with("_tests")
    });
    let rules = Rules {
        no_unsafe: !under("boards"),
        no_unwrap: (under("src") || under("boards")) && !in_tests,
        no_macro: under("src"),
        drivers_alone: under("src/drivers"),
        drivers_root: file == Path::new("src/drivers/mod.rs"),
    };
    let mut found = Vec::new();
    names::read(file, tokens.clone(), &mut found);
    rules.read(tokens, &mut found);
    let lines = text.lines().count();
    if lines > MOST_LINES {
        found.push((lines, format!("{lines} lines are more than {MOST_LINES}: split it by idea")));
    }
    Ok(found.into_iter().map(|(line, what)| format!("{}:{line}: {what}", file.display())).collect())
}

/// Which rules hold in a file.
struct Rules {
    no_unsafe: bool,
    no_unwrap: bool,
    no_macro: bool,
    /// A driver names nothing of croupier but drivers.
    drivers_alone: bool,
    /// Above this file is the rest of croupier.
    drivers_root: bool,
}

impl Rules {
    fn read(&self, tokens: TokenStream, found: &mut Vec<(usize, String)>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let rest = &tokens[at..];
            let line = token.span().start().line;
            if self.drivers_alone && leaves_drivers(rest, tokens.len(), self.drivers_root) {
                let what = "a driver uses embedded traits only, nothing of croupier";
                found.push((line, what.into()));
            }
            match token {
                TokenTree::Ident(word) if self.no_unsafe && word == "unsafe" => {
                    found.push((line, "unsafe belongs under boards/".into()));
                }
                TokenTree::Ident(word)
                    if self.no_macro && word == "macro_rules" && is_punct(rest.get(1), '!') =>
                {
                    found.push((line, "no macro_rules! in src/".into()));
                }
                TokenTree::Punct(_) if self.no_unwrap && is_unwrap(rest) => {
                    found.push((
                        line,
                        "unwrap belongs in tests: say why it cannot fail, or handle it".into(),
                    ));
                }
                TokenTree::Punct(_) if self.no_unwrap && is_test_mark(rest) => {
                    let without_unwrap = Rules { no_unwrap: false, ..*self };
                    let end = at + item_length(rest);
                    without_unwrap.read(tokens[at..end].iter().cloned().collect(), found);
                    at = end;
                    continue;
                }
                TokenTree::Group(group) => self.read(group.stream(), found),
                _ => {}
            }
            at += 1;
        }
    }
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// `croupier`, `super::super` (in the root of the drivers `super`), or `crate` with anything but
/// `::drivers`. A `crate` that is alone in its group only says who may see an item.
fn leaves_drivers(tokens: &[TokenTree], in_group: usize, in_root: bool) -> bool {
    let path = is_punct(tokens.get(1), ':') && is_punct(tokens.get(2), ':');
    let [first, next] = [tokens.first(), tokens.get(3)];
    if is_word(first, "crate") {
        return in_group > 1 && !(path && is_word(next, "drivers"));
    }
    is_word(first, "croupier")
        || is_word(first, "super") && (in_root || path && is_word(next, "super"))
}

fn is_word(token: Option<&TokenTree>, wanted: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(word)) if word == wanted)
}

/// `.unwrap()`
fn is_unwrap(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(dot), TokenTree::Ident(name), TokenTree::Group(call), ..]
        if dot.as_char() == '.' && name == "unwrap" && call.delimiter() == Delimiter::Parenthesis)
}

/// `#[cfg(test)]` or `#[test]`
fn is_test_mark(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [TokenTree::Punct(hash), TokenTree::Group(mark), ..]
        if hash.as_char() == '#' && ["cfg (test)", "cfg(test)", "test"].contains(&mark.stream().to_string().as_str()))
}

/// How many tokens the marked item takes: up to its body, or its semicolon.
fn item_length(tokens: &[TokenTree]) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        _ => false,
    };
    tokens.iter().position(ends).map_or(tokens.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(file: &str, text: &str) -> Vec<String> {
        faults_of(Path::new(file), text).unwrap()
    }

    // Issue 2, "must show": no unsafe outside boards/.
    #[test]
    fn unsafe_is_for_boards_alone() {
        let text = "fn f() {\n    unsafe { g() }\n}";
        assert_eq!(faults("src/cards.rs", text), ["src/cards.rs:2: unsafe belongs under boards/"]);
        assert_eq!(faults("hil-tests/tests/boot.rs", text).len(), 1);
        assert!(faults("boards/monitor/src/bin/monitor/trap.rs", text).is_empty());
    }

    #[test]
    fn words_in_comments_strings_and_lint_names_are_not_code() {
        let text = "#![forbid(unsafe_code)]\n//! unsafe .unwrap()\nconst A: &str = \"unsafe { x.unwrap() }\";";
        assert!(faults("src/lib.rs", text).is_empty());
    }

    // Issue 2, "must show": no unwrap outside tests.
    #[test]
    fn unwrap_is_for_tests_alone() {
        let text = "fn f() { g(x.unwrap()) }\n#[cfg(test)]\nmod tests {\n    fn t() { x.unwrap(); }\n}\nfn h() {\n x.unwrap() }";
        let found = faults("boards/instruments/src/lib.rs", text);
        assert_eq!(found.len(), 2);
        assert!(
            found[0].starts_with("boards/instruments/src/lib.rs:1:") && found[1].contains(":7:"),
            "{found:?}"
        );
        assert!(faults("boards/monitor/tests/chip.rs", text).is_empty());
    }

    #[test]
    fn unsafe_in_a_test_is_still_unsafe() {
        assert_eq!(
            faults("src/lib.rs", "#[cfg(test)]\nmod tests { fn f() { unsafe {} } }").len(),
            1
        );
    }

    #[test]
    fn a_word_that_only_starts_like_unwrap_is_fine() {
        assert!(
            faults("src/lib.rs", "fn f() { x.unwrap_or(1); y.unwrap_or_default() }").is_empty()
        );
    }

    #[test]
    fn macros_stay_out_of_the_rules() {
        let text = "macro_rules! m { () => {} }";
        assert_eq!(faults("src/lib.rs", text), ["src/lib.rs:1: no macro_rules! in src/"]);
        assert!(faults("boards/adapters/src/lib.rs", text).is_empty());
    }

    // Issue 12, 4: a driver works without croupier.
    #[test]
    fn drivers_name_nothing_of_croupier() {
        let bad = [
            "use crate::shuffler::Wheel;",
            "use crate::{cards, reader};",
            "use crate as house;",
            "use {crate::checksum::CASTAGNOLI};",
            "fn f() { let x = crate::protocol::seal(); }",
            "use super::super::reader::Frame;",
            "#[cfg(test)]\nmod tests { use croupier::cards::Rank; }",
        ];
        for text in bad {
            let found = faults("src/drivers/hc165/mod.rs", text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert!(found[0].ends_with("nothing of croupier"), "{found:?}");
            assert!(faults("src/shuffler/mod.rs", text).is_empty());
        }
        let good = "//! Not crate::reader.\nuse super::Error;\nuse crate::drivers::hc165::Chain;\n\
            pub(crate) fn f() {}\npub(in crate::drivers) fn g() {}";
        assert!(faults("src/drivers/hc165/mod.rs", good).is_empty());
        assert_eq!(faults("src/drivers/mod.rs", good).len(), 1, "super is the whole crate there");
    }

    #[test]
    fn a_file_of_more_than_400_lines_is_too_long() {
        assert!(faults("xtask/src/x.rs", &"\n".repeat(400)).is_empty());
        assert_eq!(faults("xtask/src/x.rs", &"\n".repeat(401)).len(), 1);
    }
}
