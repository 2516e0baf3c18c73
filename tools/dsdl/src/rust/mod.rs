//! Writes the Rust types: one file for each namespace.

mod codes;
mod fields;
mod record;

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
    let mut namespaces: BTreeMap<&[String], Namespace<'_>> = BTreeMap::new();
    for definition in model.definitions.values() {
        let path = &definition.name.path;
        namespaces.entry(path).or_default().definitions.push(definition);
        for (depth, inner) in path.iter().enumerate() {
            namespaces.entry(&path[..depth]).or_default().inner.insert(inner);
        }
    }
    let mut files = BTreeMap::new();
    for (path, namespace) in &namespaces {
        files.insert(namespace.place(path), namespace.text(model, path)?);
    }
    Ok(files)
}

/// A namespace: one Rust module in one file.
#[derive(Default)]
struct Namespace<'a> {
    definitions: Vec<&'a Definition>,
    inner: BTreeSet<&'a String>,
}

impl Namespace<'_> {
    fn place(&self, path: &[String]) -> PathBuf {
        let mut place = PathBuf::from(FOLDER);
        place.extend(path);
        match self.inner.is_empty() {
            true => place.with_extension("rs"),
            false => place.join("mod.rs"),
        }
    }

    fn text(&self, model: &Model, path: &[String]) -> Result<String> {
        let mut out = String::new();
        if path.is_empty() {
            writeln!(out, "//! The types that travel, {BY}.\n//!")?;
            writeln!(out, "//! Change the DSDL, not these files: a test compares them.\n")?;
        } else {
            writeln!(out, "//! The namespace `{}`, {BY}.\n", path.join("."))?;
        }
        for inner in &self.inner {
            writeln!(out, "pub mod {inner};")?;
        }
        if path.is_empty() {
            visit(&mut out, model)?;
        }
        let code = self.code(model)?;
        if !code.is_empty() {
            self.uses(&mut out, path, &code)?;
            out.push_str(&code);
        }
        Ok(out)
    }

    /// Every type, in the order of names.
    fn code(&self, model: &Model) -> Result<String> {
        let mut code = String::new();
        for &definition in &self.definitions {
            for body in &definition.bodies {
                writeln!(code)?;
                let subject = Subject { model, definition, body };
                match &body.form {
                    Form::Struct(fields, constants) => {
                        record::write(&mut code, &subject, fields, constants)?
                    }
                    Form::Enum(bits, constants) => {
                        codes::write(&mut code, &subject, *bits, constants)?
                    }
                }
            }
        }
        Ok(code)
    }

    /// The `use` lines: what the code mentions of the codec, and the parts from other namespaces.
    fn uses(&self, out: &mut String, path: &[String], code: &str) -> Result<()> {
        if code.contains(": Vec<") {
            writeln!(out, "use heapless::Vec;\n")?;
        }
        for (module, words) in [("codec", &CODEC[..]), ("transfer", &TRANSFER[..])] {
            let used: Vec<&str> = words
                .iter()
                .filter(|(_, usage)| code.contains(usage))
                .map(|(word, _)| *word)
                .collect();
            if !used.is_empty() {
                writeln!(out, "use crate::protocol::{module}::{{{}}};", used.join(", "))?;
            }
        }
        let mut parts: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        let bodies = self.definitions.iter().flat_map(|definition| &definition.bodies);
        for part in bodies.flat_map(fields_of).filter_map(part).filter(|part| part.path != path) {
            parts.entry(part.rust_path()).or_default().insert(&part.short);
        }
        for (path, names) in parts {
            let names: Vec<&str> = names.into_iter().collect();
            writeln!(out, "use {path}::{{{}}};", names.join(", "))?;
        }
        Ok(())
    }
}

/// The list of all that travels.
fn visit(out: &mut String, model: &Model) -> Result<()> {
    writeln!(out, "\nuse super::codec::Visitor;\n")?;
    writeln!(out, "/// Shows `visitor` every type that travels by itself, in the order of names.")?;
    writeln!(out, "pub fn visit(visitor: &mut impl Visitor) {{")?;
    for definition in model.travelling() {
        let kind = if definition.is_service() { "service" } else { "message" };
        let path = definition.name.path.join("::");
        writeln!(out, "visitor.{kind}::<{path}::{}>();", definition.bodies[0].rust)?;
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// Words of the codec, and how code that needs them reads.
const CODEC: [(&str, &str); 13] = [
    ("Decoded", "Decoded<"),
    ("Event", "impl Event for"),
    ("Malformed", "(Malformed)"),
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

/// The same for transfers.
const TRANSFER: [(&str, &str); 2] =
    [("ServiceId", "SERVICE: ServiceId"), ("SubjectId", "SUBJECT: SubjectId")];

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
        writeln!(out, "const LONGEST: usize = {longest};")?;
        if shortest != longest {
            writeln!(out, "const SHORTEST: usize = {shortest};")?;
        }
        if extent != longest {
            writeln!(out, "const EXTENT: usize = {extent};")?;
        }
        if !self.definition.name.is_ours() {
            writeln!(out, "const STRICT: bool = false;")?;
        }
        writeln!(out)?;
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
    fn derives(&self, without_debug: bool) -> String {
        let copied = self.is_plain(self.body) && !without_debug;
        let list = [
            ("Debug", !without_debug),
            ("Clone", true),
            ("Copy", copied),
            ("PartialEq", true),
            ("Eq", true),
            ("Default", self.has_default(self.body)),
        ];
        let list: Vec<&str> =
            list.iter().filter(|(_, fits)| *fits).map(|(name, _)| *name).collect();
        let mut text = format!("#[derive({})]\n", list.join(", "));
        if copied {
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

    fn has_default(&self, body: &Body) -> bool {
        match &body.form {
            Form::Enum(_, constants) => constants.iter().any(|constant| constant.value == 0),
            Form::Struct(fields, _) => fields.iter().all(|field| match &field.shape {
                Shape::Bytes(length) => *length <= 32,
                Shape::Part(name) => self.has_default(self.model.part(name)),
                _ => true,
            }),
        }
    }
}

fn fields_of(body: &Body) -> impl Iterator<Item = &Field> {
    let Form::Struct(fields, _) = &body.form else { return [].iter() };
    fields.iter()
}

fn part(field: &Field) -> Option<&Name> {
    match &field.shape {
        Shape::Part(name) => Some(name),
        _ => None,
    }
}
