//! What a definition is called, in DSDL and in Rust.

use std::fmt;

use canadensis_dsdl_frontend::TypeKey;
use heck::ToUpperCamelCase;

/// A definition's name and version.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The namespace, root first.
    pub path: Vec<String>,
    /// The last part.
    pub short: String,
    /// Major and minor version.
    pub version: (u8, u8),
}

impl Name {
    /// The name of `key`.
    pub fn of(key: &TypeKey) -> Self {
        let version = key.version();
        Self {
            path: key.name().path().to_vec(),
            short: key.name().name().to_owned(),
            version: (version.major, version.minor),
        }
    }

    /// Whether it is ours, and so read strictly.
    pub fn is_ours(&self) -> bool {
        self.path.first().is_some_and(|root| root == "croupier")
    }

    /// The Rust path of the module that offers it.
    pub fn rust_path(&self) -> String {
        format!("crate::protocol::generated::{}", self.path.join("::"))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.version;
        write!(f, "{}.{}.{major}.{minor}", self.path.join("."), self.short)
    }
}

/// A constant's name as a variant: `USE_SHAKER` is `UseShaker`.
pub fn variant(constant: &str) -> String {
    constant.to_lowercase().to_upper_camel_case()
}
