//! What a device says it is, without being opened (CM-02).
//!
//! A floorperson or a laboratory compares these words with the approval file, so each part is
//! either exact or absent: a version that does not parse does not build, a hash that has not been
//! computed yet is said to be pending, and a tree with uncommitted changes says `dirty`.

use core::fmt;

/// Which of the three devices this is.
///
/// The number is stored and sent: append new ones, never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum DeviceKind {
    /// The hole-card reader.
    Reader = 1,
    /// The card shuffler.
    Shuffler = 2,
    /// The Pai Gow starting-position generator.
    PaiGow = 3,
}

impl DeviceKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Shuffler, Self::PaiGow];

    /// The number stored and sent.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind that `code` stands for.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The node name on the wire: lower case, dots between parts, as Cyphal's `GetInfo` wants it.
    pub const fn wire_name(self) -> &'static str {
        match self {
            Self::Reader => "croupier.reader",
            Self::Shuffler => "croupier.shuffler",
            Self::PaiGow => "croupier.paigow",
        }
    }

    /// The kind whose node is called `name`.
    pub fn from_wire_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.wire_name() == name)
    }

    /// The name on the type plate.
    pub const fn model(self) -> &'static str {
        match self {
            Self::Reader => "hole-card reader",
            Self::Shuffler => "card shuffler",
            Self::PaiGow => "Pai Gow generator",
        }
    }
}

/// A released version. Three bytes, as they travel on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Version {
    /// Changes when a controller must change with it.
    pub major: u8,
    /// Changes when something was added.
    pub minor: u8,
    /// Changes when something was mended.
    pub patch: u8,
}

impl Version {
    /// Reads exactly `major.minor.patch`; use it on `env!("CARGO_PKG_VERSION")` in a `const`.
    ///
    /// A pre-release suffix is refused: on a type plate `1.0.0-rc.1` must not look like `1.0.0`.
    pub const fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut parts = [0u8; 3];
        let (mut part, mut digits, mut at) = (0, 0, 0);
        while at < bytes.len() {
            match bytes[at] {
                b'.' if digits > 0 && part < 2 => (part, digits) = (part + 1, 0),
                digit @ b'0'..=b'9' => {
                    let Some(tens) = parts[part].checked_mul(10) else { return None };
                    let Some(value) = tens.checked_add(digit - b'0') else { return None };
                    (parts[part], digits) = (value, digits + 1);
                }
                _ => return None,
            }
            at += 1;
        }
        if part < 2 || digits == 0 {
            return None;
        }
        Some(Self { major: parts[0], minor: parts[1], patch: parts[2] })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// The commit an image was built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Commit {
    digits: &'static str,
    dirty: bool,
}

impl Commit {
    /// Reads what `git describe --always --dirty --abbrev=40` prints without tags: 7 to 40
    /// lower-case hex digits, and `-dirty` if the tree had uncommitted changes.
    pub const fn parse(text: &'static str) -> Option<Self> {
        const DIRTY: &[u8] = b"-dirty";
        let bytes = text.as_bytes();
        let mut length = 0;
        while length < bytes.len() && matches!(bytes[length], b'0'..=b'9' | b'a'..=b'f') {
            length += 1;
        }
        let (digits, suffix) = text.split_at(length);
        let dirty = match suffix.as_bytes() {
            b"" => false,
            DIRTY => true,
            _ => return None,
        };
        if length < 7 || length > 40 {
            return None;
        }
        Some(Self { digits, dirty })
    }

    /// The hash, as many digits as were recorded.
    pub const fn digits(self) -> &'static str {
        self.digits
    }

    /// Whether the tree had uncommitted changes: such an image is not what the commit says.
    pub const fn is_dirty(self) -> bool {
        self.dirty
    }

    /// The first 64 bits of the hash, for the wire's revision field.
    pub const fn revision(self) -> u64 {
        let bytes = self.digits.as_bytes();
        let (mut value, mut at) = (0u64, 0);
        while at < bytes.len() && at < 16 {
            let digit = match bytes[at] {
                letter @ b'a'..=b'f' => letter - b'a' + 10,
                number => number - b'0',
            };
            (value, at) = (value << 4 | digit as u64, at + 1);
        }
        value
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.digits)?;
        f.write_str(if self.dirty { "-dirty" } else { "" })
    }
}

/// How an image was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Build {
    /// The firmware's version.
    pub version: Version,
    /// The commit; absent when built outside a repository.
    pub commit: Option<Commit>,
    /// Cargo's profile, such as `release`.
    pub profile: &'static str,
    /// The compiler, such as `rustc 1.88.0`.
    pub compiler: &'static str,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} (", self.version)?;
        match self.commit {
            Some(commit) => write!(f, "{commit}")?,
            None => f.write_str("no commit")?,
        }
        write!(f, ", {}, {})", self.profile, self.compiler)
    }
}

/// The chip's own 96-bit number, in memory order. It is the serial number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Uid(pub [u8; 12]);

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

/// SHA-256 of the whole image as it lies in flash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageHash(pub [u8; 32]);

impl fmt::Display for ImageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

// By hand, because the derived form prints `[1, 2, ...]` and a serial must read as on the plate.
#[cfg(feature = "defmt")]
impl defmt::Format for Uid {
    fn format(&self, f: defmt::Formatter<'_>) {
        let word = |at: usize| u32::from_be_bytes(self.0.as_chunks().0[at]);
        defmt::write!(f, "{=u32:08x}{=u32:08x}{=u32:08x}", word(0), word(1), word(2));
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for ImageHash {
    fn format(&self, f: defmt::Formatter<'_>) {
        let half = |at: usize| u128::from_be_bytes(self.0.as_chunks().0[at]);
        defmt::write!(f, "{=u128:032x}{=u128:032x}", half(0), half(1));
    }
}

/// Everything a device says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Identity {
    /// Who made it.
    pub maker: &'static str,
    /// Which device it is; also gives the model's name.
    pub kind: DeviceKind,
    /// The board it runs on, by its folder's name.
    pub board: &'static str,
    /// The serial number.
    pub serial: Uid,
    /// How its image was built.
    pub build: Build,
    /// The image's hash; absent until the device has computed it, some time after boot.
    pub image: Option<ImageHash>,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { maker, kind, board, serial, build, image } = self;
        write!(f, "{maker} {} on {board}, serial {serial}, {build}, image ", kind.model())?;
        match image {
            Some(hash) => write!(f, "sha256 {hash}"),
            None => f.write_str("hash pending"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

    #[test]
    fn device_kinds_keep_their_codes_and_names() {
        let table = [
            (1, "croupier.reader", DeviceKind::Reader),
            (2, "croupier.shuffler", DeviceKind::Shuffler),
            (3, "croupier.paigow", DeviceKind::PaiGow),
        ];
        for (code, name, kind) in table {
            assert_eq!((kind.code(), kind.wire_name()), (code, name));
            assert_eq!(DeviceKind::from_code(code), Some(kind));
            assert_eq!(DeviceKind::from_wire_name(name), Some(kind));
        }
        for code in [0, 4, 0xFF] {
            assert_eq!(DeviceKind::from_code(code), None);
        }
        assert_eq!(DeviceKind::from_wire_name("croupier.dealer"), None);
    }

    #[test]
    fn this_crates_version_parses_at_compile_time() {
        const VERSION: Option<Version> = Version::parse(env!("CARGO_PKG_VERSION"));
        assert_eq!(VERSION.unwrap().to_string(), env!("CARGO_PKG_VERSION"));
    }

    #[test]
    fn versions_are_three_bytes_or_refused() {
        let version = Version { major: 1, minor: 20, patch: 255 };
        assert_eq!(Version::parse("1.20.255"), Some(version));
        for bad in
            ["", "1", "1.2", "1.2.", ".1.2", "1..2", "1.2.3.4", "1.2.256", "1.2.3-rc.1", "v1.2.3"]
        {
            assert_eq!(Version::parse(bad), None, "{bad}");
        }
        assert!(Version::parse("0.10.0") > Version::parse("0.9.9"));
    }

    #[test]
    fn commits_keep_their_digits_and_say_dirty() {
        const CLEAN: Option<Commit> = Commit::parse(HASH);
        let clean = CLEAN.unwrap();
        assert_eq!((clean.digits(), clean.is_dirty()), (HASH, false));
        assert_eq!(clean.to_string(), HASH);
        assert_eq!(clean.revision(), 0x0123_4567_89ab_cdef);

        let dirty = Commit::parse("8faa987-dirty").unwrap();
        assert_eq!((dirty.digits(), dirty.is_dirty()), ("8faa987", true));
        assert_eq!(dirty.to_string(), "8faa987-dirty");
        assert_eq!(dirty.revision(), 0x8faa987);
    }

    #[test]
    fn what_is_no_commit_is_refused() {
        let too_long = "0123456789abcdef0123456789abcdef012345678";
        let malformed = " unknown 8faa98 8FAA987 8faa987- 8faa987-dirt -dirty 8faa987é".split(' ');
        for bad in malformed.chain([too_long]) {
            assert_eq!(Commit::parse(bad), None, "{bad}");
        }
    }

    fn shuffler() -> Identity {
        Identity {
            maker: "croupier",
            kind: DeviceKind::Shuffler,
            board: "qemu",
            serial: Uid([0x00, 0x1f, 0xa0, 3, 4, 5, 6, 7, 8, 9, 10, 0xff]),
            build: Build {
                version: Version { major: 0, minor: 1, patch: 0 },
                commit: Commit::parse("8faa987-dirty"),
                profile: "release",
                compiler: "rustc 1.88.0",
            },
            image: None,
        }
    }

    // CM-02.
    #[test]
    fn identity_names_maker_model_serial_version_and_hash_in_one_line() {
        let mut identity = shuffler();
        let before = "croupier card shuffler on qemu, serial 001fa0030405060708090aff, \
                      version 0.1.0 (8faa987-dirty, release, rustc 1.88.0), image hash pending";
        assert_eq!(identity.to_string(), before);

        identity.image = Some(ImageHash([0xab; 32]));
        let hash = "ab".repeat(32);
        let after = before.replace("image hash pending", &std::format!("image sha256 {hash}"));
        assert_eq!(identity.to_string(), after);
    }

    #[test]
    fn a_build_outside_a_repository_says_so() {
        let build = Build { commit: None, ..shuffler().build };
        assert_eq!(build.to_string(), "version 0.1.0 (no commit, release, rustc 1.88.0)");
    }
}
