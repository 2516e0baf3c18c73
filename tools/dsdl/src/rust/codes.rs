//! An enumeration in Rust.

use std::fmt::Write;

use anyhow::Result;

use super::Subject;
use crate::model::Constant;
use crate::names::variant;

/// Writes the enumeration and all it can do.
pub(super) fn write(
    out: &mut String,
    subject: &Subject<'_>,
    bits: u8,
    constants: &[Constant],
) -> Result<()> {
    let rust = &subject.body.rust;
    subject.doc(out, "A code", &subject.body.doc)?;
    out.push_str(&subject.derives(false));
    writeln!(out, "#[repr(u8)]\npub enum {rust} {{")?;
    for constant in constants {
        subject.doc(out, &format!("The code `{}`", constant.name), &constant.doc)?;
        if constant.value == 0 {
            writeln!(out, "#[default]")?;
        }
        writeln!(out, "{} = {},", variant(&constant.name), constant.value)?;
    }
    writeln!(out, "}}\n\nimpl {rust} {{")?;
    let all: Vec<String> =
        constants.iter().map(|constant| format!("Self::{}", variant(&constant.name))).collect();
    writeln!(out, "/// Every code, in the order of the DSDL.")?;
    writeln!(out, "pub const ALL: [Self; {}] = [{}];\n", all.len(), all.join(", "))?;
    writeln!(out, "/// The number on the wire.")?;
    writeln!(out, "pub const fn code(self) -> u8 {{ self as u8 }}\n")?;
    writeln!(out, "/// The code with this number.")?;
    writeln!(out, "pub const fn from_code(code: u8) -> Option<Self> {{ Some(match code {{")?;
    for constant in constants {
        writeln!(out, "{} => Self::{},", constant.value, variant(&constant.name))?;
    }
    if constants.len() < 256 {
        writeln!(out, "_ => return None,")?;
    }
    writeln!(out, "}}) }}\n}}\n")?;
    subject.object(out)?;
    writeln!(out, "fn write(&self, to: &mut Writer<'_>) -> Option<()> {{")?;
    let (write, read) = if bits == 8 { ("", "") } else { ("to.align();", "from.align()?;") };
    match bits {
        8 => writeln!(out, "to.put(self.code().into(), 8)\n}}\n")?,
        _ => writeln!(out, "to.put(self.code().into(), {bits})?; {write} Some(())\n}}\n")?,
    }
    writeln!(out, "fn read(from: &mut Reader<'_>) -> Decoded<Self> {{")?;
    writeln!(
        out,
        "let code = from.take({bits})? as u8; {read} Self::from_code(code).ok_or(Malformed)\n}}\n}}"
    )?;
    Ok(())
}
