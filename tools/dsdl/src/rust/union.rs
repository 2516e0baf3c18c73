//! A union in Rust: an enumeration that holds its values.

use std::fmt::Write;

use anyhow::Result;
use heck::ToUpperCamelCase;

use super::{Subject, fields};
use crate::model::Field;

/// Writes the union and all it can do.
pub fn write(out: &mut String, subject: &Subject<'_>, bits: u8, variants: &[Field]) -> Result<()> {
    let rust = &subject.body.rust;
    subject.doc(out, "A value", &subject.body.doc)?;
    out.push_str(&subject.derives(false, true));
    // Nothing is allocated here, so the room for the largest is the room there must be.
    writeln!(out, "#[allow(clippy::large_enum_variant)]\npub enum {rust} {{")?;
    for variant in variants {
        subject.doc(out, &format!("The variant `{}`", variant.name), &variant.doc)?;
        writeln!(out, "{}({}),", camel(variant), fields::rust_type(&variant.shape))?;
    }
    writeln!(out, "}}\n")?;
    subject.object(out)?;
    writeln!(out, "fn write(&self, to: &mut Writer<'_>) -> Option<()> {{ match self {{")?;
    for (tag, variant) in variants.iter().enumerate() {
        let value = fields::write(&variant.shape, "value");
        writeln!(out, "Self::{}(value) => {{ to.put({tag}, {bits})?; {value} }}", camel(variant))?;
    }
    writeln!(out, "}} Some(()) }}\n")?;
    writeln!(out, "fn read(from: &mut Reader<'_>) -> Option<Self> {{")?;
    writeln!(out, "Some(match from.take({bits})? {{")?;
    for (tag, variant) in variants.iter().enumerate() {
        writeln!(out, "{tag} => Self::{}({}),", camel(variant), fields::read(&variant.shape))?;
    }
    writeln!(out, "_ => return None,\n}}) }}\n}}")?;
    Ok(())
}

fn camel(variant: &Field) -> String {
    variant.name.to_upper_camel_case()
}
