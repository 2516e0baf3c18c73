//! A struct in Rust.

use std::fmt::Write;

use anyhow::Result;

use super::{Subject, fields};
use crate::model::{Constant, Field, Shape};

/// Writes the struct and all it can do.
pub(super) fn write(
    out: &mut String,
    subject: &Subject<'_>,
    content: &[Field],
    constants: &[Constant],
) -> Result<()> {
    let rust = &subject.body.rust;
    let data: Vec<&Field> = content.iter().filter(|field| !is_padding(field)).collect();
    let secret = data.iter().any(|field| field.is_secret());
    subject.doc(out, &half(subject), &subject.body.doc)?;
    out.push_str(&subject.derives(secret));
    writeln!(out, "pub struct {rust} {{")?;
    for field in &data {
        subject.doc(out, &format!("The field `{}`", field.name), &field.doc)?;
        writeln!(out, "pub {}: {},", field.name, fields::rust_type(&field.shape))?;
    }
    writeln!(out, "}}\n")?;
    if secret {
        debug(out, rust, &data)?;
    }
    if !constants.is_empty() {
        writeln!(out, "impl {rust} {{")?;
        for constant in constants {
            subject.doc(out, &format!("The constant `{}`", constant.name), &constant.doc)?;
            let width = constant.bits.max(8).next_power_of_two();
            writeln!(out, "pub const {}: u{width} = {};", constant.name, constant.value)?;
        }
        writeln!(out, "}}\n")?;
    }
    object(out, subject, content, &data)?;
    roles(out, subject, &data)
}

fn object(
    out: &mut String,
    subject: &Subject<'_>,
    content: &[Field],
    data: &[&Field],
) -> Result<()> {
    subject.object(out)?;
    let (to, from) = if content.is_empty() { ("_", "_") } else { ("to", "from") };
    writeln!(out, "fn write(&self, {to}: &mut Writer<'_>) -> Option<()> {{")?;
    for field in content {
        writeln!(out, "{}", fields::write(&field.shape, &format!("self.{}", field.name)))?;
    }
    if !subject.body.aligned {
        writeln!(out, "to.align();")?;
    }
    writeln!(out, "Some(())\n}}\n")?;
    writeln!(out, "fn read({from}: &mut Reader<'_>) -> Decoded<Self> {{")?;
    for field in content {
        match &field.shape {
            Shape::Padding(bits) => writeln!(out, "from.skip({bits})?;")?,
            shape => writeln!(out, "let {} = {};", field.name, fields::read(shape))?,
        }
    }
    if !subject.body.aligned {
        writeln!(out, "from.align()?;")?;
    }
    let names: Vec<&str> = data.iter().map(|field| field.name.as_str()).collect();
    writeln!(out, "Ok(Self {{ {} }})\n}}\n}}", names.join(", "))?;
    Ok(())
}

/// A `Debug` that does not show secrets.
fn debug(out: &mut String, rust: &str, data: &[&Field]) -> Result<()> {
    writeln!(out, "impl core::fmt::Debug for {rust} {{")?;
    writeln!(out, "fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{")?;
    write!(out, "f.debug_struct(\"{rust}\")")?;
    for field in data.iter().filter(|field| !field.is_secret()) {
        write!(out, ".field(\"{0}\", &self.{0})", field.name)?;
    }
    writeln!(out, ".finish_non_exhaustive()\n}}\n}}\n")?;
    Ok(())
}

/// What it is on the wire: message, request or response; sealed; an event.
fn roles(out: &mut String, subject: &Subject<'_>, data: &[&Field]) -> Result<()> {
    let Some(port) = subject.definition.port else { return Ok(()) };
    let rust = &subject.body.rust;
    let short = &subject.definition.name.short;
    let service = format!("const SERVICE: ServiceId = service({port});");
    if !subject.definition.is_service() {
        let subject = format!("const SUBJECT: SubjectId = subject({port});");
        writeln!(out, "\nimpl Message for {rust} {{ {subject} }}")?;
    } else if rust.ends_with("Request") {
        writeln!(
            out,
            "\nimpl Request for {rust} {{ {service} type Response = {short}Response; }}"
        )?;
    } else {
        writeln!(out, "\nimpl Response for {rust} {{}}")?;
    }
    let part = |field: Option<&&Field>, wanted: &str| {
        field.is_some_and(|field| matches!(&field.shape, Shape::Part(name) if name.short == wanted))
    };
    if part(data.last(), "Seal") {
        writeln!(out, "\nimpl Sealed for {rust} {{}}")?;
    }
    if part(data.first(), "Stamp") {
        writeln!(out, "\nimpl Event for {rust} {{}}")?;
    }
    Ok(())
}

fn is_padding(field: &Field) -> bool {
    matches!(field.shape, Shape::Padding(_))
}

/// What the standard's body is called in its reference.
fn half(subject: &Subject<'_>) -> String {
    match (subject.definition.is_service(), subject.body.rust.ends_with("Request")) {
        (false, _) => "A value".into(),
        (true, true) => "The request".into(),
        (true, false) => "The response".into(),
    }
}
