//! HMAC_DRBG against every SHA-256 vector that NIST publishes for it (SP 800-90A).

use std::cell::RefCell;
use std::rc::Rc;

use crate::mock::{Device, Flash, healthy};
use croupier::entropy::drbg::{HmacDrbg, OverLimit};
use rand::rand_core::TryRng;
use serde_json::Value;
use sha2::{Digest, Sha256};

const VECTORS: &str = include_str!("../data/nist-acvp/hmacDRBG-SHA2-256.json");

fn bytes(case: &Value, name: &str) -> Vec<u8> {
    let text = case[name].as_str().unwrap_or_else(|| panic!("{name} in {case}"));
    let pair = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal");
    (0..text.len()).step_by(2).map(pair).collect()
}

fn answer(case: &Value, resistant: bool) -> Vec<u8> {
    let mut drbg = HmacDrbg::instantiate(&[
        &bytes(case, "entropyInput"),
        &bytes(case, "nonce"),
        &bytes(case, "persoString"),
    ]);
    let mut out = vec![0; bytes(case, "returnedBits").len()];
    for step in case["otherInput"].as_array().expect("steps") {
        let (entropy, additional) = (bytes(step, "entropyInput"), bytes(step, "additionalInput"));
        match step["intendedUse"].as_str().expect("a use") {
            "reSeed" => drbg.reseed(&[&entropy, &additional]),
            "generate" if resistant => {
                drbg.reseed(&[&entropy, &additional]);
                drbg.generate(&[], &mut out).expect("within limits");
            }
            "generate" => drbg.generate(&[&additional], &mut out).expect("within limits"),
            other => panic!("unknown use {other}"),
        }
    }
    out
}

#[test]
fn every_nist_vector_is_answered() {
    let file: Value = serde_json::from_str(VECTORS).expect("the vectors are JSON");
    let mut answered = [0, 0];
    for group in file["testGroups"].as_array().expect("groups") {
        let resistant = group["predResistance"].as_bool().expect("a flag");
        assert_eq!(group["mode"], "SHA2-256");
        for case in group["tests"].as_array().expect("cases") {
            assert_eq!(answer(case, resistant), bytes(case, "returnedBits"), "{}", case["tcId"]);
            answered[usize::from(resistant)] += 1;
        }
    }
    assert_eq!(answered, [15, 15]);
}

/// SP 800-90A table 2: at most 2^19 bits in a request.
#[test]
fn request_beyond_the_limit_is_refused() {
    let mut drbg = HmacDrbg::instantiate(&[&[1; 80]]);
    let mut most = vec![0; (1 << 19) / 8];
    assert_eq!(drbg.generate(&[], &mut most), Ok(()));
    most.push(0);
    assert_eq!(drbg.generate(&[], &mut most), Err(OverLimit));
}

/// The core takes blocks one by one; that must be the same request.
#[test]
fn blocks_taken_one_by_one_are_one_request() {
    let mut whole = HmacDrbg::instantiate(&[b"entropy, nonce and name"]);
    let mut pieces = HmacDrbg::instantiate(&[b"entropy, nonce", b" and name"]);
    for count in [1, 12, 13] {
        let mut out = vec![0; 32 * count];
        whole.generate(&[], &mut out).expect("within limits");
        for block in out.chunks(32) {
            assert_eq!(pieces.next_block().expect("within limits").bytes(), *block);
        }
        pieces.end_request(&[]);
    }
}

/// The whole construction, computed again from the words that the chip gave.
#[test]
fn output_is_conditioned_noise_xor_generator() {
    let (tape, mut good) = (Rc::new(RefCell::new(vec![])), healthy(1));
    let copy = Rc::clone(&tape);
    let noise = move |n| {
        copy.borrow_mut().push(good(n));
        *copy.borrow().last().expect("just pushed")
    };
    let mut device = Device::with(noise, Flash::default());
    device.core.start().expect("healthy");
    let mut out = [0; 64];
    device.core.try_fill_bytes(&mut out).expect("healthy");

    let noise: Vec<u8> = tape.borrow()[12..].iter().flat_map(|word| word.to_le_bytes()).collect();
    let blocks: Vec<&[u8]> = noise.chunks(80).skip(7).collect();
    let name = [&b"croupier: random core"[..], b"serial 12345", &1_u32.to_le_bytes()].concat();
    let mut drbg = HmacDrbg::instantiate(&[&blocks[..3].concat(), &name]);
    drbg.reseed(&[blocks[3]]);
    let mut generated = [0; 64];
    drbg.generate(&[], &mut generated).expect("within limits");
    for (number, block) in (0_u64..).zip(&blocks[4..]) {
        let fresh = Sha256::new_with_prefix(b"croupier: full entropy, block  ")
            .chain_update(number.to_le_bytes())
            .chain_update(block)
            .finalize();
        let at = number as usize * 32;
        let expected: Vec<u8> = (0..32).map(|byte| fresh[byte] ^ generated[at + byte]).collect();
        assert_eq!(out[at..at + 32], expected, "block {number}");
    }
    assert_eq!(blocks.len(), 6);
}
