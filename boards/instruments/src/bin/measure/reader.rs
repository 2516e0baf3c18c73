//! What a look at the hole card costs, and that it costs the same whatever card it is.
//!
//! The cards are made up here: thirteen patterns of blocks with a suit below, because no
//! artwork belongs into an image. The peer is what a plain matcher does: normalised
//! correlation of the whole window with thirteen pictures.

use crate::{Report, instructions};
use core::hint::black_box;
use croupier::cards::Rank;
use croupier::reader::recognise::frame::{HEIGHT, WIDTH};
use croupier::reader::recognise::{
    Answer, Brand, Capture, Frame, Lesson, Question, STEPS, Strip, judged,
};
use static_cell::ConstStaticCell;

static CAPTURE: ConstStaticCell<Capture> = ConstStaticCell::new(Capture::new());
static BRAND: ConstStaticCell<Brand> = ConstStaticCell::new(Brand::BLANK);
static LESSON: ConstStaticCell<Lesson> = ConstStaticCell::new(Lesson::new());

const PAPER: u8 = 200;
const PRINT: u8 = 40;
const SUITS: usize = 4;

/// Measures the reader's rows.
#[inline(never)] // its stack is given back before the next begins
pub(crate) fn measure(report: &mut Report) {
    let capture = CAPTURE.take();
    let brand = teach(capture);
    let (mut least, mut most) = (u32::MAX, 0);
    for (rank, suit) in
        Rank::ALL.into_iter().flat_map(|rank| (0..SUITS).map(move |suit| (rank, suit)))
    {
        lay(capture, rank, suit);
        let count = read(brand, capture);
        (least, most) = (least.min(count), most.max(count));
    }
    lay_blank(capture);
    let blank = read(brand, capture);
    let peer = instructions(|| {
        black_box(plain_matcher(black_box(&capture.sets[0].left)));
    });
    report.row(
        "hole-card read, the dearest card",
        "instructions",
        most,
        "whole-window correlation",
        peer,
    );
    report.row("hole-card read, between any two cards", "instructions", most - least, "", 0);
    report.row(
        "hole-card read, blank card less a card",
        "instructions",
        i64::from(blank) - i64::from(most),
        "",
        0,
    );
}

/// Teaches the brand of these cards step by step, as a device does. Each step is a function
/// that is not inlined: together they would take more stack than there is.
fn teach(capture: &mut Capture) -> &'static Brand {
    let lesson = LESSON.take();
    learn(lesson, capture);
    let draft = BRAND.take();
    if lesson.draft(1, draft).is_err() {
        give_up();
    }
    (0..STEPS).for_each(|step| lesson.work_out(draft, step));
    if judged(draft).is_err() {
        give_up();
    }
    draft
}

#[inline(never)]
fn learn(lesson: &mut Lesson, capture: &mut Capture) {
    for (rank, suit) in
        Rank::ALL.into_iter().flat_map(|rank| (0..SUITS).map(move |suit| (rank, suit)))
    {
        lay(capture, rank, suit);
        if lesson.learn(rank, capture).is_err() {
            give_up();
        }
    }
}

fn give_up() -> ! {
    defmt::error!("the cards measured make no brand");
    semihosting::process::exit(2)
}

fn read(brand: &Brand, capture: &Capture) -> u32 {
    let mut answer = Answer::CannotRead;
    let count = instructions(|| {
        answer = black_box(brand.read(black_box(capture), Question::Range, true).answer);
    });
    black_box(answer);
    count
}

/// Lays a card: blocks for the rank, another figure for the suit.
fn lay(capture: &mut Capture, rank: Rank, suit: usize) {
    let blocks = 0x9E37_79B9_u32.wrapping_mul(2 * rank as u32 + 1) >> 8;
    let printed = move |x: usize, y: usize| {
        let (column, row) = (x.wrapping_sub(6) / 3, y.wrapping_sub(7) / 3);
        let index = column < 4 && row < 6 && blocks >> (row * 4 + column) & 1 == 1;
        let (across, down) = (x.abs_diff(12), y.abs_diff(34));
        let figure = match suit {
            0 => across + down < 5,
            1 => across < 4 && down < 4,
            2 => across * across + down * down < 16,
            _ => across < 2 || down < 2,
        };
        index || (across < 5 && down < 5 && figure)
    };
    paint(capture, |x, y| if printed(x, y) { PRINT } else { PAPER });
}

fn lay_blank(capture: &mut Capture) {
    paint(capture, |_, _| PAPER);
}

fn paint(capture: &mut Capture, tone: impl Fn(usize, usize) -> u8) {
    for set in &mut capture.sets {
        for frame in [&mut set.left, &mut set.right] {
            frame.pixels = core::array::from_fn(|y| core::array::from_fn(|x| tone(x, y)));
            frame.strip = Strip { white: PAPER, grey: PAPER / 2, black: 8 };
        }
        set.dark.wipe();
    }
}

/// The peer: correlates the whole window with thirteen pictures of its size.
fn plain_matcher(frame: &Frame) -> i32 {
    let count = (WIDTH * HEIGHT) as i32;
    let sum: i32 = frame.pixels.iter().flatten().map(|pixel| i32::from(*pixel)).sum();
    let mean = sum / count;
    let mut best = i32::MIN;
    for rank in Rank::ALL {
        let (mut product, mut energy) = (0_i32, 1_i32);
        for (y, row) in frame.pixels.iter().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                let seen = i32::from(*pixel) - mean;
                let taught = i32::from(frame.pixels[y][(x + rank as usize) % WIDTH]) - mean;
                product = product.wrapping_add(seen * taught);
                energy = energy.wrapping_add(seen * seen);
            }
        }
        best = best.max(product / (energy >> 8).max(1));
    }
    best
}
