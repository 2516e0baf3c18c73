//! Writes the Rust types: one file for each definition, and the modules around them.

mod codes;
mod fields;
mod record;
mod union;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;

use crate::model::{Body, Definition, Field, Form, Model, Shape};
use crate::names::Name;

/// Where the files go, from the root.
pub const FOLDER: &str = "src/protocol/generated";

const BY: &str = "written from the DSDL by `cargo xtask dsdl`";

/// Every file, not yet formatted, by its place in the repository.
pub fn files(model: &Model) -> Result<BTreeMap<PathBuf, String>> {
    let mut files = BTreeMap::new();
    let mut folders: BTreeMap<Vec<String>, Folder> = BTreeMap::new();
    for definition in model.definitions.values() {
        let name = &definition.name;
        let mut place = PathBuf::from(FOLDER);
        place.extend(&name.path);
        place.push(format!("{}.rs", name.module()));
        files.insert(place, file(model, definition)?);
        let types = definition.bodies.iter().map(|body| body.rust.clone()).collect();
        folders.entry(name.path.clone()).or_default().files.insert(name.module(), types);
        for depth in 1..=name.path.len() {
            let (inner, outer) = (&name.path[depth - 1], &name.path[..depth - 1]);
            folders.entry(outer.to_vec()).or_default().folders.insert(inner.clone());
        }
    }
    for (path, folder) in &folders {
        let mut place = PathBuf::from(FOLDER);
        place.extend(path);
        place.push("mod.rs");
        files
            .insert(place, if path.is_empty() { root(model, folder)? } else { folder.text(path)? });
    }
    Ok(files)
}

/// A namespace as a Rust module.
#[derive(Default)]
struct Folder {
    folders: BTreeSet<String>,
    files: BTreeMap<String, Vec<String>>,
}

impl Folder {
    fn text(&self, path: &[String]) -> Result<String> {
        let mut out = String::new();
        writeln!(out, "//! The namespace `{}`, {BY}.\n", path.join("."))?;
        self.lines(&mut out)?;
        Ok(out)
    }

    fn lines(&self, out: &mut String) -> Result<()> {
        for folder in &self.folders {
            writeln!(out, "pub mod {folder};")?;
        }
        for file in self.files.keys() {
            writeln!(out, "mod {file};")?;
        }
        writeln!(out)?;
        for (file, types) in &self.files {
            writeln!(out, "pub use {file}::{{{}}};", types.join(", "))?;
        }
        Ok(())
    }
}

/// The outermost module, with the list of all that travels.
fn root(model: &Model, folder: &Folder) -> Result<String> {
    let mut out = String::new();
    writeln!(out, "//! The types that travel, {BY}.\n//!")?;
    writeln!(out, "//! Change the DSDL, not these files: a test compares them.\n")?;
    folder.lines(&mut out)?;
    writeln!(out, "use super::codec::Visitor;\n")?;
    writeln!(out, "/// Shows `visitor` every type that travels by itself, in the order of names.")?;
    writeln!(out, "pub fn visit(visitor: &mut impl Visitor) {{")?;
    for definition in model.travelling() {
        let kind = if definition.is_service() { "service" } else { "message" };
        let path = definition.name.path.join("::");
        writeln!(out, "visitor.{kind}::<{path}::{}>();", definition.bodies[0].rust)?;
    }
    writeln!(out, "}}")?;
    Ok(out)
}

/// The file of one definition.
fn file(model: &Model, definition: &Definition) -> Result<String> {
    let mut code = String::new();
    for body in &definition.bodies {
        writeln!(code)?;
        let subject = Subject { model, definition, body };
        match &body.form {
            Form::Struct(fields, constants) => {
                record::write(&mut code, &subject, fields, constants)?
            }
            Form::Union(bits, variants) => union::write(&mut code, &subject, *bits, variants)?,
            Form::Enum(bits, constants) => codes::write(&mut code, &subject, *bits, constants)?,
        }
    }
    let mut out = String::new();
    writeln!(out, "//! `{}`, {BY}.\n", definition.name)?;
    uses(&mut out, definition, &code)?;
    out.push_str(&code);
    Ok(out)
}

/// Words of the message set, and how code that needs them reads.
const SET: [(&str, &str); 13] = [
    ("Answered", "impl Answered for"),
    ("BitList", "BitList<"),
    ("Event", "impl Event for"),
    ("Message", "impl Message for"),
    ("Object", "impl Object for"),
    ("Reader", "Reader<"),
    ("Request", "impl Request for"),
    ("Response", "impl Response for"),
    ("Sealed", "impl Sealed for"),
    ("Writer", "Writer<"),
    ("read_list", "read_list("),
    ("service", "= service("),
    ("subject", "= subject("),
];

/// The `use` lines: whatever of the message set the code mentions, and the parts it is made of.
fn uses(out: &mut String, definition: &Definition, code: &str) -> Result<()> {
    if code.contains(": Vec<") {
        writeln!(out, "use heapless::Vec;\n")?;
    }
    let set: Vec<&str> =
        SET.iter().filter(|(_, usage)| code.contains(usage)).map(|(word, _)| *word).collect();
    writeln!(out, "use crate::protocol::codec::{{{}}};", set.join(", "))?;
    let id = if definition.is_service() { "ServiceId" } else { "SubjectId" };
    if definition.port.is_some() {
        writeln!(out, "use crate::protocol::transfer::{id};")?;
    }
    let mut parts: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mentioned = definition.bodies.iter().flat_map(fields_of).filter_map(part);
    for part in mentioned.filter(|part| fields::part_path(part) == part.short) {
        parts.entry(part.rust_path()).or_default().insert(&part.short);
    }
    for (path, names) in parts {
        let names: Vec<&str> = names.into_iter().collect();
        writeln!(out, "use {path}::{{{}}};", names.join(", "))?;
    }
    Ok(())
}

/// What every writer of a body needs to know.
struct Subject<'a> {
    model: &'a Model,
    definition: &'a Definition,
    body: &'a Body,
}

impl Subject<'_> {
    /// The head of `impl Object`, up to its first function.
    fn object(&self, out: &mut String) -> Result<()> {
        let Body { full, rust, shortest, longest, extent, .. } = self.body;
        writeln!(out, "impl Object for {rust} {{")?;
        writeln!(out, "const NAME: &'static str = \"{full}\";")?;
        writeln!(out, "const SHORTEST: usize = {shortest};")?;
        writeln!(out, "const LONGEST: usize = {longest};")?;
        writeln!(out, "const EXTENT: usize = {extent};")?;
        writeln!(out, "const STRICT: bool = {};\n", self.definition.name.is_ours())?;
        Ok(())
    }

    /// A comment, or for the standard's definitions a reference to them.
    fn doc(&self, out: &mut String, what: &str, doc: &[String]) -> Result<()> {
        if !self.definition.name.is_ours() {
            writeln!(out, "/// {what} of the standard's `{}`.", self.definition.name)?;
            return Ok(());
        }
        for line in doc {
            writeln!(out, "/// {line}")?;
        }
        Ok(())
    }

    /// The derives that all its fields allow.
    fn derives(&self, without_debug: bool, union: bool) -> String {
        let plain = self.is_plain(self.body);
        let mut list = vec![];
        if !without_debug {
            list.push("Debug");
        }
        list.push("Clone");
        if plain && !without_debug {
            list.push("Copy");
        }
        list.push("PartialEq");
        if !self.has_floats(self.body) {
            list.push("Eq");
        }
        if !union && self.has_default(self.body) {
            list.push("Default");
        }
        let mut text = format!("#[derive({})]\n", list.join(", "));
        if plain && !without_debug {
            text.push_str("#[cfg_attr(feature = \"defmt\", derive(defmt::Format))]\n");
        }
        text
    }

    fn is_plain(&self, body: &Body) -> bool {
        fields_of(body).all(|field| match &field.shape {
            Shape::List(..) => false,
            Shape::Part(name) => self.is_plain(self.model.part(name)),
            _ => true,
        })
    }

    fn has_floats(&self, body: &Body) -> bool {
        fields_of(body).any(|field| match &field.shape {
            Shape::Float(bits) => *bits > 16,
            Shape::List(inner, _) => matches!(**inner, Shape::Float(17..)),
            Shape::Part(name) => self.has_floats(self.model.part(name)),
            _ => false,
        })
    }

    fn has_default(&self, body: &Body) -> bool {
        match &body.form {
            Form::Enum(_, constants) => constants.iter().any(|constant| constant.value == 0),
            Form::Union(..) => false,
            Form::Struct(fields, _) => fields.iter().all(|field| match &field.shape {
                Shape::Bytes(length) => *length <= 32,
                Shape::Part(name) => self.has_default(self.model.part(name)),
                _ => true,
            }),
        }
    }
}

fn fields_of(body: &Body) -> impl Iterator<Item = &Field> {
    let (Form::Struct(fields, _) | Form::Union(_, fields)) = &body.form else {
        return [].iter();
    };
    fields.iter()
}

fn part(field: &Field) -> Option<&Name> {
    match &field.shape {
        Shape::Part(name) => Some(name),
        _ => None,
    }
}
