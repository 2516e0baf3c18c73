//! Test vectors for foreign stacks: a name, a value, its bytes.

use serde_json::{Value as Json, json};

use crate::model::{Body, Model};
use crate::sample::{Dice, Sample, sample};

/// `count` samples of every body that travels by itself, always the same for the same seed.
pub fn samples(model: &Model, seed: u64, count: usize) -> Vec<(&Body, Sample)> {
    let mut dice = Dice(seed);
    let mut samples = Vec::new();
    for body in model.travelling().flat_map(|definition| &definition.bodies) {
        samples.extend((0..count).map(|_| (body, sample(model, body, &mut dice))));
    }
    samples
}

/// The samples as JSON: `type` (a half of a service ends in `.Request` or `.Response`), `value`
/// (fields by name; a code as `{"value": n}`), `bytes` (hex).
pub fn json(model: &Model, seed: u64, count: usize) -> Json {
    let row = |(body, sample): (&Body, Sample)| {
        let hex: String = sample.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        json!({ "type": body.full, "value": sample.json, "bytes": hex })
    };
    samples(model, seed, count).into_iter().map(row).collect()
}
