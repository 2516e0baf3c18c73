//! Version numbers as tools print them: the three leading numbers, compared.

use std::fmt;

/// Major, minor and patch; a missing part counts as zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([u32; 3]);

impl Version {
    /// A version this project asks for.
    pub(crate) const fn new(major: u32, minor: u32) -> Self {
        Self([major, minor, 0])
    }

    /// Reads `10.0.2`, `1:10.0.2+ds-2~bpo12+1` (Debian, with an epoch) or `1.88`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let without_epoch = text.split_once(':').map_or(text, |(_, rest)| rest);
        let numbers = without_epoch
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .next()
            .filter(|numbers| numbers.starts_with(|c: char| c.is_ascii_digit()))?;
        let mut parts = [0; 3];
        for (part, number) in parts.iter_mut().zip(numbers.split('.')) {
            *part = number.parse().ok()?;
        }
        Some(Self(parts))
    }

    /// Finds the version in a tool's greeting: the first word that is one.
    pub(crate) fn in_greeting(greeting: &str) -> Option<Self> {
        greeting.split_whitespace().find_map(Self::parse)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([major, minor, patch]) = self;
        write!(f, "{major}.{minor}")?;
        if *patch == 0 { Ok(()) } else { write!(f, ".{patch}") }
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn debian_epochs_and_suffixes_do_not_matter() {
        assert_eq!(Version::parse("1:10.0.2+ds-2+deb13u1~bpo12+1"), Version::parse("10.0.2"));
        assert_eq!(Version::parse("1.96.0+dfsg1-1~deb12u2"), Some(Version::new(1, 96)));
    }

    #[test]
    fn versions_compare_by_number_and_not_by_letter() {
        let parse = |text| Version::parse(text).unwrap();
        assert!(parse("10.0.2") > parse("9.1"));
        assert!(parse("1:7.2+dfsg-7+deb12u18+b3") < parse("9.1"));
        assert!(parse("1.88") == parse("1.88.0"));
    }

    #[test]
    fn a_greeting_gives_its_version() {
        let qemu = "QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2~bpo12+1)\nCopyright 2003";
        assert_eq!(Version::in_greeting(qemu).unwrap().to_string(), "10.0.2");
        assert_eq!(
            Version::in_greeting("rustc 1.95.0 (59807616e 2026)").unwrap().to_string(),
            "1.95"
        );
    }

    #[test]
    fn words_are_not_versions() {
        assert_eq!(Version::parse("(none)"), None);
        assert_eq!(Version::in_greeting("no version here"), None);
    }
}
