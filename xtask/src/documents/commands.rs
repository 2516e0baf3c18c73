//! Commands: what a document asks a reader to type is understood.
//!
//! `cargo xtask` lines go through the command line's own parser. What a command hands on to
//! another program is looked up in that program's source, and a test binary among the files.

use std::path::Path;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory, Parser};

use super::markdown::Page;
use super::{Tree, is_history};
use crate::Cli;

/// Packages with tests and programs, and where they are.
const PACKAGES: [(&str, &str); 5] = [
    ("croupier", ""),
    ("hil-tests", "hil-tests"),
    ("battery", "tools/battery"),
    ("dsdl", "tools/dsdl"),
    ("xtask", "xtask"),
];

/// Every command that would be refused.
pub(super) fn faults(tree: &Tree, pages: &[Page]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for page in pages.iter().filter(|page| !is_history(page)) {
        let spans = page.code_spans().into_iter().map(|span| (span.line, span.text, true));
        let fenced = page.fenced().map(|piece| (piece.line, piece.text, false));
        for (line, text, in_prose) in spans.chain(fenced) {
            if let Some(fault) = fault(tree, text, in_prose)? {
                faults.push(format!("{}: `{}`: {fault}", page.place(line), text.trim()));
            }
        }
    }
    faults.extend(commands_the_readme_lacks(pages));
    faults.extend(in_help(tree, &<Cli as CommandFactory>::command())?);
    Ok(faults)
}

/// The examples of a command's own help, and of those below it.
fn in_help(tree: &Tree, command: &Command) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    for line in help.lines() {
        let wrong = fault(tree, line, false)?;
        faults.extend(wrong.map(|why| format!("--help: `{}`: {why}", line.trim())));
    }
    for below in command.get_subcommands() {
        faults.extend(in_help(tree, below)?);
    }
    Ok(faults)
}

/// Each command has its place in the README.
fn commands_the_readme_lacks(pages: &[Page]) -> Vec<String> {
    let Some(readme) = pages.iter().find(|page| page.file == Path::new("README.md")) else {
        return vec!["README.md: there is none".into()];
    };
    let words: Vec<String> = readme
        .code_spans()
        .iter()
        .map(|span| span.text.to_owned())
        .chain(readme.fenced().map(|piece| piece.text.to_owned()))
        .flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let cli = <Cli as CommandFactory>::command();
    let names = cli.get_subcommands().map(|command| command.get_name().to_owned());
    names
        .filter(|name| !words.contains(name))
        .map(|name| format!("README.md: command `{name}` is not named"))
        .collect()
}

/// What is wrong with the command in `text`, if it is one. Prose may name a command without what
/// it wants.
fn fault(tree: &Tree, text: &str, in_prose: bool) -> Result<Option<String>> {
    let words = words(text);
    let Some(cargo) = words.iter().position(|word| word == "cargo") else { return Ok(None) };
    let Some((before, line)) = words.split_at_checked(cargo) else { return Ok(None) };
    // What stands before may set variables; anything else is a sentence.
    if !before.iter().all(|word| word.contains('=')) {
        return Ok(None);
    }
    match line.get(1).map(String::as_str) {
        Some("xtask") => Ok(of_xtask(&line[1..], in_prose)),
        Some("test") => Ok(of_test(tree, line)),
        Some("run") => Ok(of_run(tree, line)),
        _ => Ok(None),
    }
}

/// `words` begins with `xtask`.
fn of_xtask(words: &[String], in_prose: bool) -> Option<String> {
    // The place of a port number, where a page cannot know it.
    let words = words.iter().map(|word| word.replace("PORT", "4000"));
    if let Err(error) = Cli::try_parse_from(words) {
        let help = [ErrorKind::DisplayHelp, ErrorKind::DisplayVersion];
        let bare = [
            ErrorKind::MissingRequiredArgument,
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
        ];
        if in_prose && bare.contains(&error.kind()) {
            return None;
        }
        let first = error.to_string();
        let first = first.lines().next().unwrap_or_default().to_owned();
        return (!help.contains(&error.kind())).then_some(first);
    }
    None
}

fn of_test(tree: &Tree, words: &[String]) -> Option<String> {
    let test = after(words, "--test").filter(|test| !test.contains(['*', '<']))?;
    let folder = match folder_of(words) {
        Ok(folder) => Path::new(folder).join("tests"),
        Err(fault) => return Some(fault),
    };
    let there = tree.has(&folder.join(format!("{test}.rs")))
        || tree.has(&folder.join(test).join("main.rs"));
    (!there).then(|| format!("there is no test '{test}'"))
}

fn of_run(tree: &Tree, words: &[String]) -> Option<String> {
    let program = after(words, "--bin").filter(|program| !program.contains('<'))?;
    // An image is a binary of its board, by a package that is no folder's name.
    let folder = Path::new(folder_of(words).ok()?).join("src/bin");
    let there = tree.has(&folder.join(format!("{program}.rs"))) || tree.has(&folder.join(program));
    (!there).then(|| format!("there is no program '{program}'"))
}

/// The word behind `flag`.
fn after<'a>(words: &'a [String], flag: &str) -> Option<&'a str> {
    let at = words.iter().position(|word| word == flag)?;
    words.get(at + 1).map(String::as_str)
}

/// The folder of the package that is named, the root's if none is.
fn folder_of(words: &[String]) -> Result<&'static str, String> {
    let package = after(words, "-p").unwrap_or("croupier");
    let known = PACKAGES.iter().find(|(name, _)| *name == package);
    known.map(|(_, folder)| *folder).ok_or_else(|| format!("no package '{package}' is known"))
}

/// The words of a line: up to a comment or a wide gap, quotes taken off.
fn words(text: &str) -> Vec<String> {
    let text = text.trim();
    let end = [" #", "  ", " | ", " > "].into_iter().filter_map(|mark| text.find(mark)).min();
    let text = &text[..end.unwrap_or(text.len())];
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in text.chars() {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (_, Some(open)) if letter == open => quote = None,
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().into_iter().for_each(|word| word.push(letter)),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<String> {
        let files = ["tests/silence.rs", "hil-tests/tests/wire/main.rs", "hil-tests/src/bin/a.rs"];
        fault(&Tree::of(&files), text, false).unwrap()
    }

    #[test]
    fn commands_that_parse_are_true() {
        for text in [
            "cargo xtask test --only 'house rules'",
            "cargo xtask table --keep     # a comment",
            "cargo xtask --help",
            "cargo xtask flash <device>",
            "cargo test --test silence",
            "cargo run -p hil-tests --bin a -- --keep",
            "BENCH=rig cargo test -p hil-tests --test wire keys",
            "say `cargo xtask` nothing",
        ] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn commands_that_do_not_parse_are_faults() {
        for text in [
            "cargo xtask dance",
            "cargo xtask table --kept",
            "cargo xtask flash",
            "cargo test --test reader_noise",
            "cargo test -p hil-tests --test silence",
            "cargo run -p hil-tests --bin b",
            "cargo test -p nothing --test wire",
        ] {
            assert!(said(text).is_some(), "{text}");
        }
    }

    #[test]
    fn examples_of_help_are_checked() {
        let tree = Tree::of(&[]);
        let help = |line| Command::new("x").subcommand(Command::new("y").after_long_help(line));
        assert!(in_help(&tree, &help("Examples:\n  cargo xtask size     all")).unwrap().is_empty());
        assert_eq!(in_help(&tree, &help("  cargo xtask sizes")).unwrap().len(), 1);
    }

    #[test]
    fn prose_may_name_a_command_alone() {
        let tree = Tree::of(&[]);
        assert_eq!(fault(&tree, "cargo xtask flash", true).unwrap(), None);
        assert!(fault(&tree, "cargo xtask flesh", true).unwrap().is_some());
    }
}
