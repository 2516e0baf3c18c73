//! The hash against the standard's examples and against the crates it stands in for.

use std::vec;
use std::vec::Vec;

use ::hmac::{Hmac, KeyInit, Mac};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sha2::{Digest as _, Sha256};

use super::*;

/// FIPS 180-4, the examples published for SHA-256, and the empty message.
#[test]
fn published_examples_are_answered() {
    let answer = |message: &[u8]| sha256(&[message]).0;
    let empty = [
        0xe3b0_c442,
        0x98fc_1c14,
        0x9afb_f4c8,
        0x996f_b924, //
        0x27ae_41e4,
        0x649b_934c,
        0xa495_991b,
        0x7852_b855,
    ];
    assert_eq!(answer(b""), empty);
    let one_block = [
        0xba78_16bf,
        0x8f01_cfea,
        0x4141_40de,
        0x5dae_2223, //
        0xb003_61a3,
        0x9617_7a9c,
        0xb410_ff61,
        0xf200_15ad,
    ];
    assert_eq!(answer(b"abc"), one_block);
    let two_blocks = [
        0x248d_6a61,
        0xd206_38b8,
        0xe5c0_2693,
        0x0c3e_6039, //
        0xa33c_e459,
        0x64ff_2167,
        0xf6ec_edd4,
        0x19db_06c1,
    ];
    assert_eq!(answer(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), two_blocks);
    let million = [
        0xcdc7_6e5c,
        0x9914_fb92,
        0x81a1_c7e2,
        0x84d7_3e67, //
        0xf180_9a48,
        0xa497_200e,
        0x046d_39cc,
        0xc711_2cd0,
    ];
    assert_eq!(answer(&vec![b'a'; 1_000_000]), million);
}

/// Every length around four blocks, cut at random: blocks, words and bytes must not matter.
#[test]
fn any_message_in_any_pieces_agrees_with_the_sha2_crate() {
    let mut dice = StdRng::seed_from_u64(1804);
    for length in (0..=260).cycle().take(5 * 261) {
        let message: Vec<u8> = (0..length).map(|_| dice.random()).collect();
        let mut pieces = Vec::new();
        let mut left = message.as_slice();
        while !left.is_empty() {
            let (piece, rest) = left.split_at(dice.random_range(0..=left.len().min(90)));
            pieces.push(piece);
            left = rest;
        }
        let expected: [u8; 32] = Sha256::digest(&message).into();
        assert_eq!(sha256(&pieces).bytes(), expected, "{length} bytes");
    }
}

/// FIPS 198-1, both ways the generator uses it, and the seal's.
#[test]
fn any_code_agrees_with_the_hmac_crate() {
    let mut dice = StdRng::seed_from_u64(1981);
    for length in 0..=200 {
        let (key, start) = (Digest(dice.random()), Digest(dice.random()));
        let mark: u8 = dice.random();
        let piece: Vec<u8> = (0..length).map(|_| dice.random()).collect();
        let code = |message: &[&[u8]]| -> [u8; 32] {
            let mut mac = Hmac::<Sha256>::new_from_slice(&key.bytes()).expect("any length");
            message.iter().for_each(|piece| mac.update(piece));
            mac.finalize().into_bytes().into()
        };
        let keyed = Keyed::new(&Digest::from_bytes(&key.bytes()));
        let expected = code(&[&start.bytes(), &[mark], &piece]);
        assert_eq!(keyed.code(&start, mark, &[&piece]).bytes(), expected, "{length} bytes");
        assert_eq!(keyed.code_of(&start).bytes(), code(&[&start.bytes()]));
        assert_eq!(keyed.code_of_all(&[&piece, &[mark]]).bytes(), code(&[&piece, &[mark]]));
    }
}

/// A message is hashed from its beginning again after its end.
#[test]
fn message_begins_anew_after_its_end() {
    let mut message = Message::new();
    message.take(b"the first");
    let first = message.end().bytes();
    message.take(b"the first");
    assert_eq!(message.end().bytes(), first);
}

#[test]
fn wiping_leaves_nothing_whatever_the_length() {
    for length in 0..40 {
        let mut words = vec![u32::MAX; length];
        wipe(&mut words);
        assert_eq!(words, vec![0; length]);
    }
}
