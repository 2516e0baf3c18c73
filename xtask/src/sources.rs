//! Where apt gets packages from, read from apt's own files.
//!
//! The backports suite lives on the same server as the release itself, so its
//! entry is the release's entry with another suite: no server is named here.

/// One place packages come from, as deb822 fields; comments are gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source(Vec<(String, String)>);

/// What has to be done to have backports.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Backports {
    /// An entry is there already.
    There,
    /// This file would add it.
    Add(String),
    /// The release itself has no entry to copy.
    NoRelease,
}

/// What to do so that `codename`'s backports are among `sources`.
pub(crate) fn backports(sources: &[Source], codename: &str) -> Backports {
    let suite = format!("{codename}-backports");
    if sources.iter().any(|source| source.offers(&suite)) {
        return Backports::There;
    }
    let release = sources.iter().find(|source| source.offers(codename));
    release.map_or(Backports::NoRelease, |release| Backports::Add(release.with_suite(&suite)))
}

impl Source {
    fn field(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(field, _)| field.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }

    fn offers(&self, suite: &str) -> bool {
        let binary = self.field("Types").split_whitespace().any(|kind| kind == "deb");
        let enabled = !["no", "false"].contains(&self.field("Enabled").trim());
        binary && enabled && self.field("Suites").split_whitespace().any(|offered| offered == suite)
    }

    fn with_suite(&self, suite: &str) -> String {
        let changed =
            self.0.iter().map(|(field, value)| match field.to_ascii_lowercase().as_str() {
                "types" => format!("{field}: deb\n"),
                "suites" => format!("{field}: {suite}\n"),
                _ => format!("{field}: {value}\n"),
            });
        changed.collect()
    }
}

/// Reads a `.sources` file: stanzas of fields, a value may go on in indented lines.
pub(crate) fn parse_deb822(text: &str) -> Vec<Source> {
    let mut sources = vec![Source(Vec::new())];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields = &mut sources.last_mut().expect("one is there from the start").0;
        if line.trim().is_empty() {
            sources.push(Source(Vec::new()));
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                *value = format!("{value}\n{}", line.trim_end());
            }
        } else if let Some((field, value)) = line.split_once(':') {
            fields.push((field.trim().into(), value.trim().into()));
        }
    }
    sources.retain(|source| !source.0.is_empty());
    sources
}

/// Reads a `.list` file: `deb [option=value ...] uri suite component ...`.
pub(crate) fn parse_one_line(text: &str) -> Vec<Source> {
    let code = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    text.lines().filter_map(|line| parse_entry(&code(line))).collect()
}

fn parse_entry(line: &str) -> Option<Source> {
    let (kind, rest) = line.split_once(char::is_whitespace)?;
    let (options, rest) = match rest.trim_start().strip_prefix('[') {
        Some(bracket) => bracket.split_once(']')?,
        None => ("", rest),
    };
    let mut words = rest.split_whitespace();
    let (uri, suite) = (words.next()?, words.next()?);
    let components = words.collect::<Vec<_>>().join(" ");
    let mut fields = vec![
        ("Types".into(), kind.into()),
        ("URIs".into(), uri.into()),
        ("Suites".into(), suite.into()),
        ("Components".into(), components),
    ];
    let options = options.split_whitespace().filter_map(|option| option.split_once('='));
    fields.extend(options.map(|(name, value)| (deb822_name(name), value.replace(',', " "))));
    Some(Source(fields))
}

/// The one-line format shortens two names; the others differ in capitals only.
fn deb822_name(option: &str) -> String {
    match option {
        "arch" => "Architectures".into(),
        "lang" => "Languages".into(),
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEB822: &str = "\
Types: deb deb-src
# a remark in between
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main contrib
Signed-By: /usr/share/keyrings/archive.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main
";

    #[test]
    fn backports_are_the_releases_entry_with_another_suite() {
        let Backports::Add(file) = backports(&parse_deb822(DEB822), "bookworm") else {
            panic!("an entry to add")
        };
        let expected = "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm-backports\n\
                        Components: main contrib\nSigned-By: /usr/share/keyrings/archive.gpg\n";
        assert_eq!(file, expected);
        let [added] = &parse_deb822(&file)[..] else { panic!("one entry") };
        assert!(added.offers("bookworm-backports"));
    }

    #[test]
    fn backports_that_are_there_are_left_alone() {
        let more =
            format!("{DEB822}\nTypes: deb\nURIs: http://x.example\nSuites: bookworm-backports\n");
        assert_eq!(backports(&parse_deb822(&more), "bookworm"), Backports::There);
    }

    #[test]
    fn a_disabled_entry_and_a_source_only_entry_do_not_count() {
        let disabled = "Types: deb\nEnabled: no\nURIs: http://x.example\nSuites: trixie\n";
        let source_only = "Types: deb-src\nURIs: http://x.example\nSuites: trixie\n";
        for text in [disabled, source_only, ""] {
            assert_eq!(backports(&parse_deb822(text), "trixie"), Backports::NoRelease);
        }
    }

    #[test]
    fn a_key_written_into_the_file_is_kept_whole() {
        let text = "Types: deb\nSuites: trixie\nSigned-By:\n -----BEGIN-----\n .\n abc\n";
        let Backports::Add(file) = backports(&parse_deb822(text), "trixie") else {
            panic!("an entry to add")
        };
        assert!(file.ends_with("Signed-By: \n -----BEGIN-----\n .\n abc\n"), "{file}");
    }

    #[test]
    fn the_old_one_line_format_is_read_too() {
        let list = "# main\ndeb [signed-by=/k.gpg arch=amd64,arm64] http://mirror.example/d bookworm main contrib # x\n";
        let Backports::Add(file) = backports(&parse_one_line(list), "bookworm") else {
            panic!("an entry to add")
        };
        let expected = "Types: deb\nURIs: http://mirror.example/d\nSuites: bookworm-backports\n\
                        Components: main contrib\nsigned-by: /k.gpg\nArchitectures: amd64 arm64\n";
        assert_eq!(file, expected);
        assert_eq!(parse_one_line("deb\n# deb http://x.example bookworm main\n"), []);
    }
}
