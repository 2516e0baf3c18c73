//! The whole of recognition on cards drawn by hand: taught, read, refused.
//!
//! Real artwork under a real table's troubles is the bench's part (`hil-tests`): here every
//! rule is shown once, on a small deck whose every pixel is in this file.

use std::vec::Vec;

use super::frame::{HEIGHT, SETS, WIDTH};
use super::stencil::Stencil;
use super::verdict::class;
use super::*;
use crate::cards::Rank;

const QUESTIONS: [Question; 3] = [Question::Ace, Question::TenValue, Question::Range];
const PAPER: i32 = 190;
const PRINT: i32 = 40;
const WHITE: u8 = 200;

/// Indices, five by seven, ace to king.
const INDICES: [[&str; 7]; 13] = [
    [" ### ", "#   #", "#   #", "#####", "#   #", "#   #", "#   #"],
    [" ### ", "#   #", "    #", "  ## ", " #   ", "#    ", "#####"],
    ["#### ", "    #", "    #", " ### ", "    #", "    #", "#### "],
    ["#  # ", "#  # ", "#  # ", "#####", "   # ", "   # ", "   # "],
    ["#####", "#    ", "#### ", "    #", "    #", "#   #", " ### "],
    ["  ## ", " #   ", "#    ", "#### ", "#   #", "#   #", " ### "],
    ["#####", "    #", "   # ", "   # ", "  #  ", "  #  ", "  #  "],
    [" ### ", "#   #", "#   #", " ### ", "#   #", "#   #", " ### "],
    [" ### ", "#   #", "#   #", " ####", "    #", "   # ", " ##  "],
    ["# ###", "# # #", "# # #", "# # #", "# # #", "# # #", "# ###"],
    ["  ###", "   # ", "   # ", "   # ", "   # ", "#  # ", " ##  "],
    [" ### ", "#   #", "#   #", "#   #", "# # #", "#  # ", " ## #"],
    ["#   #", "#  # ", "# #  ", "##   ", "# #  ", "#  # ", "#   #"],
];

/// Reflectances of a corner.
type Corner = [[i32; WIDTH]; HEIGHT];

fn blank() -> Corner {
    [[PAPER; WIDTH]; HEIGHT]
}

/// Draws an index of two pixels a cell, and below it a suit.
fn corner(index: &[&str; 7], suit: usize) -> Corner {
    core::array::from_fn(|y| {
        core::array::from_fn(|x| {
            let (column, row) = (x.wrapping_sub(8) / 2, y.wrapping_sub(8) / 2);
            let cell = index.get(row).and_then(|row| row.as_bytes().get(column));
            let (across, down) = (x.abs_diff(13), y.abs_diff(30));
            let figure = match suit {
                0 => across + down < 5,
                1 => across < 4 && down < 4,
                2 => across * across + down * down < 18,
                _ => across < 5 && down < 5 && (across < 2 || down < 2),
            };
            if cell == Some(&b'#') || figure { PRINT } else { PAPER }
        })
    })
}

fn card(rank: Rank, suit: usize) -> Corner {
    corner(&INDICES[rank as usize], suit)
}

/// The corner seen `across` and `down` from home, a little soft, with noise of its own.
fn set_of(corner: &Corner, (across, down): (i32, i32), seed: u32) -> FrameSet {
    let tone = |x: i32, y: i32| {
        let (x, y) = (x - across, y - down);
        let near = |dx: i32, dy: i32| {
            let (x, y) = (x + dx, y + dy);
            // Beyond the card is the nest's black floor.
            let inside = x >= 0 && y >= 0;
            let (x, y) = (x.clamp(0, 31) as usize, y.clamp(0, 47) as usize);
            if inside { corner[y][x] } else { 10 }
        };
        (4 * near(0, 0) + near(1, 0) + near(-1, 0) + near(0, 1) + near(0, -1)) / 8
    };
    let mut set = FrameSet::new();
    let mut noise = seed.wrapping_mul(0x9E37_79B9) | 1;
    for frame in [&mut set.left, &mut set.right] {
        for (y, row) in (0..).zip(&mut frame.pixels) {
            for (x, pixel) in (0..).zip(row) {
                noise ^= noise << 13;
                noise ^= noise >> 17;
                noise ^= noise << 5;
                *pixel = (tone(x, y) + (noise >> 8) as i32 % 5).clamp(0, 255) as u8;
            }
        }
        frame.strip = Strip { white: WHITE, grey: WHITE / 2, black: 10 };
    }
    set
}

fn capture(corner: &Corner, off: (i32, i32)) -> Capture {
    Capture { sets: core::array::from_fn(|set| set_of(corner, off, set as u32 + 1)) }
}

fn taught(card: impl Fn(Rank, usize) -> Corner) -> Result<Brand, NotTaught> {
    let mut lesson = Lesson::new();
    for rank in Rank::ALL {
        for (suit, off) in [(0, 0), (1, 0), (0, -1), (-1, 1)].into_iter().enumerate() {
            lesson.learn(rank, &capture(&card(rank, suit), off)).expect("a clear card");
        }
    }
    lesson.finish(7)
}

fn brand() -> Brand {
    taught(card).expect("a clear brand")
}

fn refused(brand: &Brand, capture: &Capture) -> bool {
    QUESTIONS.iter().all(|question| brand.read(capture, *question, true) == Judgement::CANNOT_READ)
}

/// RD-01, RD-02: every question about every card is answered rightly, wherever the nest lets it lie.
#[test]
fn every_card_of_the_brand_is_read_rightly_wherever_it_lies() {
    let brand = brand();
    for rank in Rank::ALL {
        for (suit, off) in [(3, 3), (-4, 2), (4, -4), (0, 1)].into_iter().enumerate() {
            let seen = capture(&card(rank, suit), off);
            assert!(brand.proves(rank, &seen), "{rank:?} {suit} {off:?}");
            for question in QUESTIONS {
                let reading = brand.read(&seen, question, true);
                assert_eq!(reading.answer, class(question, rank as usize));
                assert!(!reading.foreign);
            }
        }
    }
}

/// The proof of a brand is of the card that was named, not of any card.
#[test]
fn a_card_of_another_class_proves_nothing() {
    let brand = brand();
    let seen = capture(&card(Rank::Nine, 1), (0, 0));
    assert!(brand.proves(Rank::Nine, &seen));
    for other in [Rank::Ace, Rank::Five, Rank::Ten, Rank::King] {
        assert!(!brand.proves(other, &seen), "{other:?}");
    }
}

/// RD-18, RD-09: what is no card of the brand, home and at rest, gets no answer.
#[test]
fn strangers_get_no_answer() {
    let brand = brand();
    let stripes: Corner = core::array::from_fn(|y| {
        core::array::from_fn(|x| if (x + y) / 3 % 2 == 0 { 60 } else { 150 })
    });
    let joker = ["#####", "#  # ", "  #  ", "#####", "  #  ", "#  # ", "#####"];
    let mut suit_only = card(Rank::Ace, 2);
    suit_only[..24].copy_from_slice(&blank()[..24]);
    let strangers = [
        ("blank", blank()),
        ("cover card", [[70; WIDTH]; HEIGHT]),
        ("empty nest", [[8; WIDTH]; HEIGHT]),
        ("back", stripes),
        ("joker", corner(&joker, 3)),
        ("no index", suit_only),
    ];
    for (name, stranger) in strangers {
        assert!(refused(&brand, &capture(&stranger, (0, 0))), "{name}");
    }
    for rank in Rank::ALL {
        let half_in = capture(&card(rank, 0), (0, 14));
        assert!(refused(&brand, &half_in), "{rank:?} not pushed home");
    }
    assert!(refused(&brand, &Capture::new()), "nothing captured");
}

/// RD-18: a line that only one bank sees is a second card's edge; one that both see is print.
#[test]
fn the_edge_of_a_second_card_takes_the_answer_away() {
    let brand = brand();
    let shaded = |left: bool, line: fn(usize, usize) -> bool| {
        let mut seen = capture(&card(Rank::Nine, 0), (0, 0));
        for set in &mut seen.sets {
            for y in 0..HEIGHT {
                for x in 0..WIDTH {
                    let part = if line(x, y) { 2 } else { 3 };
                    set.right.pixels[y][x] = (u16::from(set.right.pixels[y][x]) * part / 3) as u8;
                    let part = if left { part } else { 3 };
                    set.left.pixels[y][x] = (u16::from(set.left.pixels[y][x]) * part / 3) as u8;
                }
            }
        }
        seen
    };
    let long = |x: usize, _: usize| x == 25;
    assert!(refused(&brand, &shaded(false, long)), "a long edge");
    assert!(brand.proves(Rank::Nine, &shaded(true, long)), "a printed line");
    assert!(refused(&brand, &shaded(false, |x, y| x == 24 && y > 18)), "below its corner");
    assert!(refused(&brand, &shaded(true, |_, y| y == 38)), "a short edge");
    assert!(brand.proves(Rank::Nine, &shaded(true, |x, y| y == 38 && x > 12)), "a frame");
    assert!(brand.proves(Rank::Nine, &shaded(true, |_, y| y == 6 || y == 7)), "a line at the top");
}

/// RD-18: as clear as it may be, an index where no card at home has it gets no answer.
#[test]
fn an_index_beyond_the_play_of_the_nest_gets_no_answer() {
    let brand = brand();
    for rank in [Rank::Two, Rank::Eight, Rank::King] {
        assert!(brand.proves(rank, &capture(&card(rank, 0), (5, 0))), "{rank:?}");
        for off in [(8, 0), (-8, 0), (0, 8)] {
            assert!(refused(&brand, &capture(&card(rank, 0), off)), "{rank:?} {off:?}");
        }
    }
}

/// RD-11: sets that disagree are a card that moved, or was changed: no answer.
#[test]
fn one_set_that_disagrees_takes_the_answer_away() {
    let brand = brand();
    for odd in 0..SETS {
        let mut seen = capture(&card(Rank::Five, 0), (0, 0));
        seen.sets[odd] = set_of(&card(Rank::Six, 0), (0, 0), 9);
        assert_eq!(brand.read(&seen, Question::Range, true), Judgement::CANNOT_READ);
        let mut seen = capture(&card(Rank::Five, 0), (0, 0));
        seen.sets[odd] = set_of(&card(Rank::Five, 0), (3, 0), 9);
        assert!(refused(&brand, &seen), "moved in set {odd}");
    }
}

/// RD-11: a card on its way from one class to another is unread before it is anything else.
#[test]
fn between_two_classes_lies_no_answer() {
    let brand = brand();
    let pairs = [(Rank::Five, Rank::Six), (Rank::Three, Rank::Eight), (Rank::Nine, Rank::Ten)];
    for (from, to) in pairs {
        let (here, there) = (card(from, 1), card(to, 1));
        let mixed = |part: i32| {
            let tone = |y: usize, x: usize| here[y][x] + (there[y][x] - here[y][x]) * part / 16;
            capture(&core::array::from_fn(|y| core::array::from_fn(|x| tone(y, x))), (1, 1))
        };
        let answers: Vec<Answer> =
            (0..=16).map(|part| brand.read(&mixed(part), Question::Range, true).answer).collect();
        let (first, last) =
            (class(Question::Range, from as usize), class(Question::Range, to as usize));
        assert_eq!((answers[0], answers[8], answers[16]), (first, Answer::CannotRead, last));
        assert!(answers[..8].iter().all(|answer| *answer != last), "{answers:?}");
        assert!(answers[9..].iter().all(|answer| *answer != first), "{answers:?}");
    }
}

/// RD-17: a ten is foreign to a deck without tens, and to no other; its answer is a ten's.
#[test]
fn a_ten_is_foreign_only_where_there_are_none() {
    let brand = brand();
    for rank in Rank::ALL {
        let seen = capture(&card(rank, 2), (-1, 2));
        let reading = brand.read(&seen, Question::TenValue, false);
        assert_eq!(reading.foreign, rank == Rank::Ten, "{rank:?}");
        assert_eq!(reading.answer, class(Question::TenValue, rank as usize));
        assert!(!brand.read(&seen, Question::TenValue, true).foreign);
    }
}

/// A stored brand is the same brand, and no damaged byte of it goes unseen (RD-10).
#[test]
fn a_brand_outlives_the_flash_and_damage_is_seen() {
    let brand = brand();
    let bytes = brand.to_bytes();
    let again = Brand::from_bytes(&bytes).expect("as it was kept");
    assert_eq!((again.id(), again.hash()), (7, brand.hash()));
    assert_eq!(again.to_bytes(), bytes);
    assert!(again.proves(Rank::Queen, &capture(&card(Rank::Queen, 3), (2, -2))));
    for byte in 0..BRAND_BYTES {
        let mut damaged = bytes;
        damaged[byte] ^= 1 << (byte % 8);
        assert_eq!(Brand::from_bytes(&damaged).err(), Some(Damaged), "byte {byte}");
    }
    assert_eq!(Brand::from_bytes(&[0; BRAND_BYTES]).err(), Some(Damaged));
    assert_eq!(Brand::from_bytes(&[0xFF; BRAND_BYTES]).err(), Some(Damaged));
}

#[test]
fn a_brand_that_could_be_mistaken_is_not_taught() {
    let copied = |rank: Rank, suit| card(if rank == Rank::Six { Rank::Five } else { rank }, suit);
    assert_eq!(taught(copied).err(), Some(NotTaught::Ambiguous));
    // Two court cards that look alike can be told apart by no answer, so they may.
    let same_class =
        |rank: Rank, suit| card(if rank == Rank::Jack { Rank::King } else { rank }, suit);
    assert!(taught(same_class).is_ok());
}

#[test]
fn a_lesson_wants_each_rank_often_enough_and_clearly() {
    let mut lesson = Lesson::new();
    assert_eq!(lesson.finish(1).err(), Some(NotTaught::Incomplete));
    assert_eq!(lesson.learn(Rank::Ace, &capture(&blank(), (0, 0))), Err(NotLearned::Unclear));
    assert_eq!(lesson.learn(Rank::Ace, &Capture::new()), Err(NotLearned::Unclear));
    for rank in Rank::ALL {
        for suit in 0..LESSONS_PER_RANK.into() {
            assert_eq!(lesson.finish(1).err(), Some(NotTaught::Incomplete));
            assert_eq!(lesson.learn(rank, &capture(&card(rank, suit), (0, 0))), Ok(()));
        }
    }
    assert!(lesson.finish(1).is_ok());
    let other: Corner = core::array::from_fn(|y| card(Rank::Ace, 0)[HEIGHT - 1 - y]);
    assert_eq!(lesson.learn(Rank::Two, &capture(&other, (0, 0))), Err(NotLearned::Different));
    let more = (0..40).map(|_| lesson.learn(Rank::Two, &capture(&card(Rank::Two, 0), (0, 0))));
    assert_eq!(more.last(), Some(Err(NotLearned::Enough)));
}

/// RD-20: what was seen can be made to be gone.
#[test]
fn a_wiped_capture_has_seen_nothing() {
    let mut seen = capture(&card(Rank::King, 1), (0, 0));
    seen.wipe();
    for set in &seen.sets {
        for frame in [&set.dark, &set.left, &set.right] {
            assert!(frame.pixels.iter().flatten().all(|pixel| *pixel == 0));
            assert_eq!(frame.strip, Strip::default());
        }
    }
}

/// RD-11: a frame around the index is the same on every rank, and says nothing of it, even if
/// each rank happened to be taught with its cards lying a little elsewhere.
#[test]
fn a_frame_that_all_ranks_share_is_not_looked_at() {
    const LINE: usize = 27;
    let near_line = |framed: bool| {
        let mut lesson = Lesson::new();
        for (number, rank) in (0..).zip(Rank::ALL) {
            let lies = (number % 3 * 2 - 2, number % 2);
            for suit in 0..4 {
                let mut corner = card(rank, suit);
                if framed {
                    corner.iter_mut().for_each(|row| row[LINE] = 40);
                }
                lesson.learn(rank, &capture(&corner, lies)).expect("a clear card");
            }
        }
        let brand = lesson.finish(7).expect("a clear brand");
        let Stencil { centre, points } = &brand.taught.stencil;
        let at = |point: &(i8, i8)| i32::from(centre.0) + i32::from(point.0);
        points.iter().filter(|point| (at(point) - LINE as i32).abs() <= 3).count()
    };
    let (with, without) = (near_line(true), near_line(false));
    assert!(with <= without + 4, "{with} points look at the frame's place, {without} without it");
}
