//! Fields of a value, from what its derived `Debug` prints.
//!
//! The generated types live where there is no heap and no serde. Their `Debug` is derived,
//! so its grammar is fixed, it names every field in the order of the DSDL, and what is
//! secret is left out of it already.

use croupier::profile::Basis;
use croupier::protocol::generated::croupier::common::Clause;
use serde_json::{Map, Value, json};

/// A value, field by field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// Fields by name, in the order of the DSDL.
    Record(Vec<(String, Field)>),
    /// Several of a kind.
    List(Vec<Field>),
    /// A number, as printed.
    Number(String),
    /// A code or a truth.
    Word(String),
}

impl Field {
    /// Reads a derived `Debug`; nothing if it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let value = reader.value()?;
        reader.rest.is_empty().then_some(value)
    }

    /// The field of this name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Record(fields) => {
                fields.iter().find(|(found, _)| found == name).map(|(_, field)| field)
            }
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Number(text) => text.parse().ok(),
            _ => None,
        }
    }

    /// The bytes, if it is a list of such.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let Self::List(items) = self else { return None };
        items.iter().map(|item| item.number().and_then(|n| u8::try_from(n).ok())).collect()
    }

    /// For other programs. Bytes are hexadecimal, a node's name is text.
    pub fn json(&self, name: &str) -> Value {
        match self {
            Self::Record(fields) => {
                let pairs = fields.iter().map(|(name, field)| (name.clone(), field.json(name)));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
            Self::List(items) => match self.bytes().filter(|_| is_bytes(name)) {
                Some(bytes) => json!(shown(name, &bytes)),
                None => Value::Array(items.iter().map(|item| item.json("")).collect()),
            },
            Self::Number(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
            Self::Word(word) if word == "true" || word == "false" => json!(word == "true"),
            Self::Word(word) => json!(said(name, word)),
        }
    }

    /// For people: one word.
    pub fn text(&self, name: &str) -> String {
        match self {
            Self::Record(fields) => {
                let words =
                    fields.iter().map(|(name, field)| format!("{name}={}", field.text(name)));
                format!("({})", words.collect::<Vec<_>>().join(" "))
            }
            Self::List(items) => match self.bytes().filter(|_| is_bytes(name)) {
                Some(bytes) => shown(name, &bytes),
                None => {
                    let words: Vec<_> = items.iter().map(|item| item.text("")).collect();
                    format!("[{}]", words.join(" "))
                }
            },
            Self::Number(text) => text.clone(),
            Self::Word(word) => said(name, word),
        }
    }
}

/// A code as people say it: a clause as it is cited, others as they are called.
fn said(name: &str, word: &str) -> String {
    let clause = || Clause::ALL.into_iter().find(|code| format!("{code:?}") == word);
    match (name == "clause").then(clause).flatten() {
        Some(code) => clause_words(code),
        None => word.into(),
    }
}

/// What an irregularity rests on, in words.
pub fn clause_words(code: Clause) -> String {
    Basis::of(code).map_or_else(|| "no clause".into(), |basis| basis.to_string())
}

/// Fields whose numbers are bytes of something longer.
fn is_bytes(name: &str) -> bool {
    let named = ["certificate_of_authenticity", "check", "digest", "mac", "name", "nonce"];
    named.contains(&name) || ["output", "parameter", "records", "unique_id"].contains(&name)
}

fn shown(name: &str, bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) if name == "name" && !text.chars().any(char::is_control) => text.into(),
        _ => hex(bytes),
    }
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Option<Field> {
        if self.take("[") {
            return self.list("]").map(Field::List);
        }
        let word = self.word()?;
        if self.take(" { ") {
            return self.record().map(Field::Record);
        }
        if self.take("(") {
            let mut inside = self.list(")")?;
            let only = if inside.len() == 1 { inside.pop()? } else { Field::List(inside) };
            return Some(match word {
                "Some" => only,
                variant => Field::Record(vec![(variant.into(), only)]),
            });
        }
        let is_number = word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        Some(if is_number { Field::Number(word.into()) } else { Field::Word(word.into()) })
    }

    fn record(&mut self) -> Option<Vec<(String, Field)>> {
        let mut fields = Vec::new();
        loop {
            if self.take(".. }") {
                fields.push(("hidden".into(), Field::Word("true".into())));
                return Some(fields);
            }
            let name = self.word()?.to_owned();
            if !self.take(": ") {
                return None;
            }
            fields.push((name, self.value()?));
            if self.take(" }") {
                return Some(fields);
            }
            if !self.take(", ") {
                return None;
            }
        }
    }

    fn list(&mut self, end: &str) -> Option<Vec<Field>> {
        let mut items = Vec::new();
        while !self.take(end) {
            if !items.is_empty() && !self.take(", ") {
                return None;
            }
            items.push(self.value()?);
        }
        Some(items)
    }

    fn take(&mut self, expected: &str) -> bool {
        let rest = self.rest.strip_prefix(expected);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn word(&mut self) -> Option<&'a str> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Card {
        pips: u8,
        below: i32,
        game: Option<bool>,
        name: [u8; 3],
        mac: [u8; 2],
        counts: [u16; 2],
        inner: Inner,
    }

    #[derive(Debug, PartialEq)]
    enum Inner {
        Pair(u8, f32),
        Named { deep: u8 },
    }

    fn card(inner: Inner) -> Field {
        let (name, mac, counts) = (*b"ace", [0xab, 0x01], [300, 2]);
        let card = Card { pips: 1, below: -3, game: Some(true), name, mac, counts, inner };
        Field::parse(&format!("{card:?}")).unwrap()
    }

    #[test]
    fn what_debug_prints_becomes_fields_in_order() {
        let read = card(Inner::Named { deep: 7 });
        assert_eq!(
            read.text(""),
            "(pips=1 below=-3 game=true name=ace mac=ab01 counts=[300 2] inner=(deep=7))"
        );
        let json = card(Inner::Pair(1, 2.5)).json("");
        assert_eq!(json["below"], -3);
        assert_eq!(json["game"], true);
        assert_eq!(json["mac"], "ab01");
        assert_eq!(json["counts"], json!([300, 2]));
        assert_eq!(json["inner"]["Pair"], json!([1, 2.5]));
    }

    #[test]
    fn what_debug_hides_is_said_to_be_hidden() {
        let read = Field::parse("Key { role: Device, .. }").unwrap();
        assert_eq!(read.text(""), "(role=Device hidden=true)");
    }

    /// CM-06: a clause reads as it is cited, for people and for programs.
    #[test]
    fn a_clause_is_said_in_words() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "printed only")]
        struct Notice {
            clause: Clause,
            other: Clause,
        }
        let said = |clause| {
            let told = Notice { clause, other: clause };
            Field::parse(&format!("{told:?}")).unwrap()
        };
        let jam = said(Clause::Pa58313D);
        assert_eq!(jam.text(""), "(clause=Pa. 583.13(d) other=Pa58313D)");
        assert_eq!(jam.json("")["clause"], "Pa. 583.13(d)");
        let count = said(Clause::ByAnalogyPa5835B);
        assert_eq!(count.json("")["clause"], "by analogy with Pa. 583.5(b)");
        assert_eq!(said(Clause::None).json("")["clause"], "no clause");
    }

    #[test]
    fn half_a_value_is_none() {
        for text in ["", "Card { pips: 1", "Card { pips 1 }", "[1, 2", "[1 2]", "1 2"] {
            assert_eq!(Field::parse(text), None, "{text}");
        }
    }
}
