//! The definitions as the writers want them: names, fields, sizes and words.
//!
//! Whatever the wire does not use is refused here with its name, so that the writers need not
//! think about it.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use canadensis_dsdl_frontend::compiled::package::CompiledPackage;
use canadensis_dsdl_frontend::compiled::{
    CompiledDsdl, DsdlKind, Extent, FieldKind, Message, MessageKind,
};
use canadensis_dsdl_frontend::constants::ConstantValue;
use canadensis_dsdl_frontend::types::{PrimitiveType, ResolvedScalarType, ResolvedType};
use canadensis_dsdl_parser::CastMode;

use crate::names::Name;

/// What the devices use of the standard.
const STANDARD: [&str; 3] =
    ["uavcan.node.Heartbeat.1.0", "uavcan.node.GetInfo.1.0", "uavcan.node.ExecuteCommand.1.3"];

/// One DSDL file.
#[derive(Debug)]
pub struct Definition {
    /// Its name and version.
    pub name: Name,
    /// Its fixed port, if it travels by itself.
    pub port: Option<u16>,
    /// One body, or the request and the response.
    pub bodies: Vec<Body>,
}

impl Definition {
    /// Whether it is a service.
    pub fn is_service(&self) -> bool {
        self.bodies.len() == 2
    }
}

/// A struct or an enumeration.
#[derive(Debug)]
pub struct Body {
    /// Its full name and version; with `.Request` or `.Response` for half of a service.
    pub full: String,
    /// Its name in Rust.
    pub rust: String,
    /// The comment at its head, line by line.
    pub doc: Vec<String>,
    /// What it consists of.
    pub form: Form,
    /// The fewest bytes it takes.
    pub shortest: u64,
    /// The most bytes it takes.
    pub longest: u64,
    /// The room a receiver must have, in bytes.
    pub extent: u64,
    /// Whether it always ends at a whole byte.
    pub aligned: bool,
    /// Whether only a sealed length can follow: a nested one needs no header.
    sealed: bool,
}

/// What a body consists of.
#[derive(Debug, Clone)]
pub enum Form {
    /// Fields, and constants that go with them.
    Struct(Vec<Field>, Vec<Constant>),
    /// A code of this number of bits.
    Enum(u8, Vec<Constant>),
}

/// A field of a struct.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name; empty for padding.
    pub name: String,
    /// Its shape.
    pub shape: Shape,
    /// Its comment.
    pub doc: Vec<String>,
}

impl Field {
    /// Whether its comment says that it is secret.
    pub fn is_secret(&self) -> bool {
        self.doc.first().is_some_and(|line| line.starts_with("Secret."))
    }
}

/// A constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Bits of its type.
    pub bits: u8,
    /// Its value.
    pub value: u64,
    /// Its comment.
    pub doc: Vec<String>,
}

/// The shape of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Bits that are always zero.
    Padding(u8),
    /// Yes or no, one bit.
    Bool,
    /// A number, cut or held at its bounds if it is too large.
    Unsigned {
        /// Its width.
        bits: u8,
        /// Held at its bounds; otherwise cut.
        saturated: bool,
    },
    /// A signed number, held at its bounds.
    Signed(u8),
    /// This number of bytes.
    Bytes(u64),
    /// Up to this number of a scalar, after their count.
    List(Box<Shape>, u64),
    /// Another definition.
    Part(Name),
}

impl Shape {
    /// Bits of the number before a list of at most `capacity`.
    pub fn length_bits(capacity: u64) -> u32 {
        (u64::BITS - capacity.leading_zeros()).max(8).next_power_of_two()
    }
}

/// Everything the wire uses, by name.
#[derive(Debug)]
pub struct Model {
    /// The definitions.
    pub definitions: BTreeMap<Name, Definition>,
}

impl Model {
    /// The model of what was compiled: what has a port, and what that contains.
    pub fn new(package: &CompiledPackage) -> Result<Self> {
        let mut all = BTreeMap::new();
        for (key, compiled) in package {
            all.insert(Name::of(key), compiled);
        }
        let wanted = |name: &Name, compiled: &CompiledDsdl| match name.is_ours() {
            true => compiled.fixed_port_id.is_some(),
            false => STANDARD.contains(&name.to_string().as_str()),
        };
        let mut queue: Vec<Name> = all
            .iter()
            .filter(|(name, compiled)| wanted(name, compiled))
            .map(|(name, _)| name.clone())
            .collect();
        let mut definitions = BTreeMap::new();
        while let Some(name) = queue.pop() {
            let Some(compiled) = all.remove(&name) else { continue };
            let bodies = match &compiled.kind {
                DsdlKind::Message(message) => vec![body(&name, "", message)?],
                DsdlKind::Service { request, response } => {
                    vec![body(&name, "Request", request)?, body(&name, "Response", response)?]
                }
            };
            queue.extend(bodies.iter().flat_map(parts));
            let port = compiled.fixed_port_id.map(u16::try_from).transpose()?;
            definitions.insert(name.clone(), Definition { name, port, bodies });
        }
        let model = Self { definitions };
        model.refuse_headers()?;
        Ok(model)
    }

    /// The definition called `name`.
    pub fn part(&self, name: &Name) -> &Body {
        &self.definitions[name].bodies[0]
    }

    /// Definitions that travel by themselves, by name.
    pub fn travelling(&self) -> impl Iterator<Item = &Definition> {
        self.definitions.values().filter(|definition| definition.port.is_some())
    }

    fn refuse_headers(&self) -> Result<()> {
        for body in self.definitions.values().flat_map(|definition| &definition.bodies) {
            if let Some(part) = parts(body).iter().find(|part| !self.part(part).sealed) {
                bail!("{} holds {part}, which is not @sealed: not supported", body.full);
            }
        }
        Ok(())
    }
}

/// The definitions a body refers to.
fn parts(body: &Body) -> Vec<Name> {
    let Form::Struct(fields, _) = &body.form else { return vec![] };
    let part = |field: &Field| match &field.shape {
        Shape::Part(name) => Some(name.clone()),
        _ => None,
    };
    fields.iter().filter_map(part).collect()
}

fn body(name: &Name, half: &str, message: &Message) -> Result<Body> {
    let dot = if half.is_empty() { "" } else { "." };
    let full = format!("{name}{dot}{half}");
    let bytes = |bits: u64| bits.div_ceil(8);
    let longest = bytes(message.bit_length().max_value());
    let (sealed, extent) = match message.extent() {
        Extent::Sealed => (true, longest),
        Extent::Delimited(bits) => (false, bytes(*bits)),
    };
    Ok(Body {
        form: form(&full, message)?,
        rust: format!("{}{half}", name.short),
        doc: lines(message.comments()),
        shortest: bytes(message.bit_length().min_value()),
        longest,
        extent,
        aligned: message.bit_length().is_byte_aligned(),
        sealed,
        full,
    })
}

fn form(full: &str, message: &Message) -> Result<Form> {
    let constants = constants(message);
    match message.kind() {
        MessageKind::Struct(content) => {
            let mut fields = Vec::new();
            for field in &content.fields {
                let (name, shape) = match field.kind() {
                    FieldKind::Padding(bits) => (String::new(), Shape::Padding(*bits)),
                    FieldKind::Data { ty, name } => (name.clone(), shape(full, ty)?),
                };
                fields.push(Field { name, shape, doc: lines(field.comments()) });
            }
            // The standard's way to say enumeration: constants, and one field called `value`.
            match fields.as_slice() {
                [Field { name, shape: Shape::Unsigned { bits: bits @ ..=8, .. }, .. }]
                    if name == "value" && !constants.is_empty() =>
                {
                    Ok(Form::Enum(*bits, constants))
                }
                _ => Ok(Form::Struct(fields, constants)),
            }
        }
        MessageKind::Union(_) => bail!("{full} is a union: not supported"),
    }
}

fn shape(full: &str, ty: &ResolvedType) -> Result<Shape> {
    Ok(match ty {
        ResolvedType::Scalar(inner) => scalar(full, inner)?,
        ResolvedType::FixedArray { inner, len } => match scalar(full, inner)? {
            Shape::Unsigned { bits: 8, .. } => Shape::Bytes(*len),
            _ => bail!("{full} has an array of other than bytes: not supported"),
        },
        ResolvedType::VariableArray { inner, max_len } => match scalar(full, inner)? {
            Shape::Part(_) => bail!("{full} has a list of definitions: not supported"),
            Shape::Bool => bail!("{full} has a list of bits: not supported"),
            inner => Shape::List(Box::new(inner), *max_len),
        },
    })
}

fn scalar(full: &str, ty: &ResolvedScalarType) -> Result<Shape> {
    Ok(match ty {
        ResolvedScalarType::Composite { key, .. } => Shape::Part(Name::of(key)),
        ResolvedScalarType::Void { .. } => bail!("{full} has an array of padding"),
        ResolvedScalarType::Primitive(primitive) => match primitive {
            PrimitiveType::Boolean => Shape::Bool,
            PrimitiveType::Utf8 | PrimitiveType::Byte => {
                Shape::Unsigned { bits: 8, saturated: true }
            }
            PrimitiveType::UInt { bits, mode } => {
                Shape::Unsigned { bits: *bits, saturated: matches!(mode, CastMode::Saturated) }
            }
            PrimitiveType::Int { bits } => Shape::Signed(*bits),
            _ => bail!("{full} has a floating-point number: not supported"),
        },
    })
}

/// The whole-number constants, which are all there are.
fn constants(message: &Message) -> Vec<Constant> {
    let whole = |value: &ConstantValue| match value {
        ConstantValue::Int(value) => u64::try_from(value).ok(),
        _ => None,
    };
    let constant = |(name, constant): (&String, &canadensis_dsdl_frontend::constants::Constant)| {
        let bits = constant.ty().bit_length().try_into().ok()?;
        let doc = lines(constant.comments());
        Some(Constant { name: name.clone(), bits, value: whole(constant.value())?, doc })
    };
    message.constants().iter().filter_map(constant).collect()
}

/// A comment without its marks, line by line, no empty line first or last.
fn lines(comment: &str) -> Vec<String> {
    let line = |line: &str| line.trim_start_matches('#').trim().to_owned();
    let lines: Vec<String> = comment.trim().lines().map(line).collect();
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    lines[first..last].to_vec()
}
