//! What the message set promises, checked over every type there is.

use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use super::{Malformed, Message, Object, Request, Visitor};
use crate::protocol::generated::croupier::common::{
    Clause, Irregularity, NextStep, ProvisionKeyRequest, Role, Seal, Stamp, Status, Trouble,
};
use crate::protocol::generated::croupier::reader::{Reading, Verdict};
use crate::protocol::generated::visit;

/// What is known of one type that travels.
struct Seen {
    name: &'static str,
    port: u16,
    longest: usize,
    survives: fn(&[u8]) -> Option<Vec<u8>>,
}

#[derive(Default)]
struct All {
    messages: Vec<Seen>,
    requests: Vec<Seen>,
    responses: Vec<Seen>,
}

fn seen<O: Object>(port: u16) -> Seen {
    let survives = |bytes: &[u8]| {
        let object = O::decode(bytes).ok()?;
        let mut out = std::vec![0xAA; O::LONGEST];
        let length = object.encode(&mut out).unwrap();
        out.truncate(length);
        Some(out)
    };
    Seen { name: O::NAME, port, longest: O::LONGEST, survives }
}

impl Visitor for All {
    fn message<M: Message>(&mut self) {
        self.messages.push(seen::<M>(M::SUBJECT.get()));
    }

    fn service<R: Request>(&mut self) {
        self.requests.push(seen::<R>(R::SERVICE.get()));
        self.responses.push(seen::<R::Response>(R::SERVICE.get()));
    }
}

fn all() -> All {
    let mut all = All::default();
    visit(&mut all);
    all
}

fn ours(seen: &&Seen) -> bool {
    seen.name.starts_with("croupier.")
}

// A sealed event takes at most six classic CAN frames.
#[test]
fn every_message_of_ours_fits_six_classic_can_frames() {
    let all = all();
    assert_eq!(all.messages.iter().filter(ours).count(), 22);
    for message in all.messages.iter().filter(ours) {
        assert!(message.longest <= 40, "{} takes {} bytes", message.name, message.longest);
        assert!((message.longest + 2).div_ceil(7) <= 6, "{}", message.name);
    }
}

#[test]
fn ports_are_the_vendors_own_grouped_by_device_and_used_once() {
    let mut taken = BTreeMap::new();
    let all = all();
    let groups = [
        ("common", 6144, 256),
        ("reader", 6208, 288),
        ("shuffler", 6272, 320),
        ("paigow", 6336, 352),
    ];
    for (kind, seen) in
        all.messages.iter().map(|it| (0, it)).chain(all.requests.iter().map(|it| (1, it)))
    {
        assert_eq!(taken.insert((kind, seen.port), seen.name), None, "{}", seen.name);
        let Some(rest) = seen.name.strip_prefix("croupier.") else { continue };
        let (_, subject, service) =
            groups.into_iter().find(|group| rest.starts_with(group.0)).unwrap();
        let range = if kind == 0 { subject..subject + 64 } else { service..service + 32 };
        assert!(range.contains(&seen.port), "{} on {}", seen.name, seen.port);
    }
}

// CM-10, RD-20, SH-42: there is no field a card could be told in.
#[test]
fn no_type_has_a_word_for_a_card() {
    let banned = [
        "rank",
        "suit",
        "image",
        "pip",
        "permutation",
        "slot",
        "position",
        "pixel",
        "index",
        "card",
    ];
    let allowed = ["image_length", "positions", "slotted", "cards", "cover_cards"];
    let mut fields = 0;
    for (file, text) in sources() {
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.starts_with('@')) {
            let Some(name) = line.split_whitespace().nth(1) else { continue };
            if name.chars().all(|letter| letter.is_lowercase() || letter == '_') {
                fields += 1;
                let bad = banned.iter().any(|word| name.contains(word)) && !allowed.contains(&name);
                assert!(!bad || name == "up_card", "{file}: {name}");
            }
        }
    }
    assert!(fields > 150, "only {fields} fields were looked at");
}

// What decodes encodes to the same bytes: one value, one encoding, for everything that is sealed.
#[test]
fn whatever_decodes_strictly_encodes_to_the_same_bytes() {
    let all = all();
    let mut state = 1_u64;
    let mut random = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let mut decoded = 0;
    for seen in all.messages.iter().chain(&all.requests).chain(&all.responses).filter(ours) {
        for round in 0..4000 {
            // Small bytes are often codes; any bytes are often none.
            let length = usize::from(random()) % (seen.longest + 2);
            let length = if round % 2 == 0 { seen.longest } else { length };
            let bytes: Vec<u8> =
                (0..length).map(|_| if round % 3 == 0 { random() } else { random() % 3 }).collect();
            if let Some(again) = (seen.survives)(&bytes) {
                assert_eq!(again, bytes, "{}", seen.name);
                decoded += 1;
            }
        }
    }
    assert!(decoded > 10_000, "only {decoded} byte strings decoded");
}

// Worked by hand from the DSDL, independent of any code.
#[test]
fn an_irregularity_has_the_bytes_its_dsdl_says() {
    let irregularity = Irregularity {
        stamp: Stamp { start: 7, number: 0x0003_0201, time_ms: 0x05_0403_0201 },
        trouble: Trouble::Jam,
        next_step: NextStep::Reshuffle,
        cleared_by: Role::Floorperson,
        detail: 0x1234,
        clause: Clause::Pa58113J,
        seal: Seal { sequence: 0x0807_0605_0403_0201, role: 0, mac: [0xEE; 16] },
    };
    let mut bytes = [0; Irregularity::LONGEST];
    assert_eq!(irregularity.encode(&mut bytes), Some(40));
    let mut expected =
        Vec::from([7, 1, 2, 3, 1, 2, 3, 4, 5, 64, 1, 2, 0x34, 0x12, 14, 1, 2, 3, 4, 5, 6, 7, 8, 0]);
    expected.extend([0xEE; 16]);
    assert_eq!(bytes[..], expected);
    assert_eq!(Irregularity::decode(&bytes), Ok(irregularity));
}

#[test]
fn a_sealed_object_is_refused_at_any_other_length_code_or_padding() {
    let verdict = Verdict { reading: Reading::Large, expose: true, ..Default::default() };
    let mut bytes = [0; Verdict::LONGEST + 1];
    assert_eq!(verdict.encode(&mut bytes), Some(Verdict::LONGEST));
    for length in 0..=bytes.len() {
        let right = length == Verdict::LONGEST;
        let expected = if right { Ok(verdict) } else { Err(Malformed) };
        assert_eq!(Verdict::decode(&bytes[..length]), expected, "{length}");
    }
    let spoil = |at: usize, value: u8| {
        let mut bytes = bytes;
        bytes[at] = value;
        Verdict::decode(&bytes[..Verdict::LONGEST])
    };
    assert_eq!(spoil(11, 99), Err(Malformed), "an unknown reading");
    assert_eq!(spoil(13, 0b11), Err(Malformed), "dirty padding");
    assert_eq!(verdict.encode(&mut [0; Verdict::LONGEST - 1]), None);
}

#[test]
fn numbers_too_large_for_their_field_are_held_at_its_bound() {
    let stamp = Stamp { start: 0, number: u32::MAX, time_ms: u64::MAX };
    let mut bytes = [0; Stamp::LONGEST];
    stamp.encode(&mut bytes).unwrap();
    let held = Stamp { start: 0, number: 0xFF_FFFF, time_ms: 0xFF_FFFF_FFFF };
    assert_eq!(Stamp::decode(&bytes), Ok(held));
}

// Issue 3: keys are never readable.
#[test]
fn a_key_on_its_way_in_is_not_printed() {
    let request = ProvisionKeyRequest { key: [0xA5; 32], ..Default::default() };
    let text = std::format!("{request:?} {request:#?}");
    assert!(!text.contains("165") && !text.contains("key"), "{text}");
    assert!(text.contains("role"));
}

#[test]
fn a_status_is_the_size_the_bus_load_was_reckoned_with() {
    assert_eq!((Status::SHORTEST, Status::LONGEST), (40, 40));
}

/// Every file of our namespace.
fn sources() -> Vec<(String, String)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dsdl/croupier");
    let mut files = Vec::new();
    for folder in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            files.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
    files
}
