//! The compression function (FIPS 180-4, 6.2.2), shaped for a 32-bit ARM core.
//!
//! Sixteen rounds at a time, written out, so that the eight words change their roles and
//! never their registers; sixteen words of schedule, renewed in place between. The sums
//! of three rotations are nested, `ror(e ^ ror(e ^ ror(e)))`, since a rotation of one
//! operand is free there, and the majority takes over half of the last round's work.

/// The hash's state between two blocks.
pub(super) type State = [u32; 8];

/// A block as it goes in; what comes back is of no use and still secret.
pub(super) type Block = [u32; 16];

/// Where every hash begins.
pub(super) const START: State = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a, //
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

#[rustfmt::skip]
static ROUND: [Block; 4] = [
    [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    ],
    [
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    ],
    [
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    ],
    [
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ],
];

/// Takes `block` into `state`.
#[inline(never)]
pub(super) fn compress(state: &mut State, block: &mut Block) {
    let [first, others @ ..] = &ROUND;
    let mut working = *state;
    sixteen_rounds(&mut working, first, block);
    for constants in others {
        renew(block);
        sixteen_rounds(&mut working, constants, block);
    }
    let sum = |at: usize| state[at].wrapping_add(working[at]);
    *state = [sum(0), sum(1), sum(2), sum(3), sum(4), sum(5), sum(6), sum(7)];
}

#[inline(never)]
fn sixteen_rounds(working: &mut State, k: &Block, w: &Block) {
    let mut now = *working;
    now = round(now, k[0], w[0]);
    now = round(now, k[1], w[1]);
    now = round(now, k[2], w[2]);
    now = round(now, k[3], w[3]);
    now = round(now, k[4], w[4]);
    now = round(now, k[5], w[5]);
    now = round(now, k[6], w[6]);
    now = round(now, k[7], w[7]);
    now = round(now, k[8], w[8]);
    now = round(now, k[9], w[9]);
    now = round(now, k[10], w[10]);
    now = round(now, k[11], w[11]);
    now = round(now, k[12], w[12]);
    now = round(now, k[13], w[13]);
    now = round(now, k[14], w[14]);
    now = round(now, k[15], w[15]);
    *working = now;
}

#[inline(always)]
fn round([a, b, c, d, e, f, g, h]: State, constant: u32, word: u32) -> State {
    let sum_e = (e ^ (e ^ e.rotate_right(14)).rotate_right(5)).rotate_right(6);
    let choice = (e & f).wrapping_add(!e & g);
    let rest = h.wrapping_add(sum_e).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
    let sum_a = (a ^ (a ^ a.rotate_right(9)).rotate_right(11)).rotate_right(2);
    let majority = b ^ ((a ^ b) & (b ^ c));
    let new_a = rest.wrapping_add(sum_a.wrapping_add(majority));
    [new_a, a, b, c, d.wrapping_add(rest), e, f, g]
}

/// The next sixteen words of the schedule, in place of these.
#[inline(never)]
fn renew(w: &mut Block) {
    renew_word(w, 0);
    renew_word(w, 1);
    renew_word(w, 2);
    renew_word(w, 3);
    renew_word(w, 4);
    renew_word(w, 5);
    renew_word(w, 6);
    renew_word(w, 7);
    renew_word(w, 8);
    renew_word(w, 9);
    renew_word(w, 10);
    renew_word(w, 11);
    renew_word(w, 12);
    renew_word(w, 13);
    renew_word(w, 14);
    renew_word(w, 15);
}

#[inline(always)]
fn renew_word(w: &mut Block, at: usize) {
    let (early, late) = (w[(at + 1) % 16], w[(at + 14) % 16]);
    let early = (early ^ early.rotate_right(11)).rotate_right(7) ^ early >> 3;
    let late = (late ^ late.rotate_right(2)).rotate_right(17) ^ late >> 10;
    w[at] = w[at].wrapping_add(early).wrapping_add(w[(at + 9) % 16]).wrapping_add(late);
}
