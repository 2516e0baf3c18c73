//! Values made up for tests, and their bytes by a second, plainer encoder.
//!
//! This encoder knows nothing of the generated code: it lines up bits in a list, as the DSDL
//! specification words it. Where the two agree with each other and with a foreign stack, a field
//! in the wrong place has nowhere to hide.

use serde_json::{Map, Value as Json, json};

use crate::model::{Body, Form, Model, Shape};
use crate::names::variant;

/// A value of a body.
#[derive(Debug, Clone)]
pub struct Sample {
    /// Its serialised form.
    pub bytes: Vec<u8>,
    /// Its fields, as other tools build it.
    pub json: Json,
    /// What Rust's `Debug` says of it.
    pub debug: String,
}

/// Numbers that look random and are always the same.
#[derive(Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// The next 64 bits (SplitMix64).
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.roll() % bound
    }

    /// A number of `bits` bits: often an extreme, where mistakes live.
    fn number(&mut self, bits: u8) -> u64 {
        let most = u64::MAX >> (64 - bits);
        match self.below(6) {
            0 => 0,
            1 => most,
            _ => self.roll() & most,
        }
    }
}

/// A value of `body`, made up with `dice`.
pub fn sample(model: &Model, body: &Body, dice: &mut Dice) -> Sample {
    let mut bits = Vec::new();
    let (json, debug) = Maker { model, dice, bits: &mut bits }.body(body);
    let byte = |bits: &[bool]| {
        bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | u8::from(bit) << place)
    };
    Sample { bytes: bits.chunks(8).map(byte).collect(), json, debug }
}

struct Maker<'a> {
    model: &'a Model,
    dice: &'a mut Dice,
    bits: &'a mut Vec<bool>,
}

impl Maker<'_> {
    fn put(&mut self, value: u64, bits: u32) {
        self.bits.extend((0..bits).map(|bit| value >> bit & 1 != 0));
    }

    fn body(&mut self, body: &Body) -> (Json, String) {
        self.align();
        let made = match &body.form {
            Form::Enum(bits, constants) => {
                let constant = &constants[self.dice.below(constants.len() as u64) as usize];
                self.put(constant.value, u32::from(*bits));
                (json!({ "value": constant.value }), variant(&constant.name))
            }
            Form::Struct(fields, _) => {
                let (mut json, mut debug) = (Map::new(), Vec::new());
                for field in fields {
                    let (value, text) = self.shape(&field.shape);
                    if field.is_secret() {
                        json.insert(field.name.clone(), value);
                    } else if !field.name.is_empty() {
                        json.insert(field.name.clone(), value);
                        debug.push(format!("{}: {text}", field.name));
                    }
                }
                if fields.iter().any(|field| field.is_secret()) {
                    debug.push("..".into());
                }
                let text = match debug.is_empty() {
                    true => body.rust.clone(),
                    false => format!("{} {{ {} }}", body.rust, debug.join(", ")),
                };
                (Json::Object(json), text)
            }
        };
        self.align();
        made
    }

    fn align(&mut self) {
        self.bits.resize(self.bits.len().next_multiple_of(8), false);
    }

    fn shape(&mut self, shape: &Shape) -> (Json, String) {
        match shape {
            Shape::Padding(bits) => {
                self.put(0, u32::from(*bits));
                (Json::Null, String::new())
            }
            Shape::Bool => {
                let value = self.dice.below(2) != 0;
                self.put(value.into(), 1);
                (json!(value), format!("{value:?}"))
            }
            Shape::Unsigned { bits, .. } => {
                let value = self.dice.number(*bits);
                self.put(value, u32::from(*bits));
                (json!(value), format!("{value:?}"))
            }
            Shape::Signed(bits) => {
                let value = (self.dice.number(*bits) << (64 - bits)).cast_signed() >> (64 - bits);
                self.put(value.cast_unsigned(), u32::from(*bits));
                (json!(value), format!("{value:?}"))
            }
            Shape::Bytes(length) => {
                self.list(&Shape::Unsigned { bits: 8, saturated: true }, *length)
            }
            Shape::List(inner, capacity) => {
                let length = match self.dice.below(4) {
                    0 => *capacity,
                    1 => 0,
                    _ => self.dice.below(capacity + 1).min(9),
                };
                self.put(length, Shape::length_bits(*capacity));
                self.list(inner, length)
            }
            Shape::Part(name) => self.body(self.model.part(name)),
        }
    }

    fn list(&mut self, inner: &Shape, length: u64) -> (Json, String) {
        let items: Vec<(Json, String)> = (0..length).map(|_| self.shape(inner)).collect();
        let (json, debug): (Vec<Json>, Vec<String>) = items.into_iter().unzip();
        (Json::Array(json), format!("[{}]", debug.join(", ")))
    }
}
