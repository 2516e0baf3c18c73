//! A real brand behind the reader's eye: kept whole through power cuts, checked at each look.

use std::cell::Cell;
use std::rc::Rc;

use croupier::cards::{Rank, Size};
use croupier::reader::eye::{Camera, FACTORY_WHITE, ScanBuffers};
use croupier::reader::ports::{Eye, ScanFault, ScanHead};
use croupier::reader::recognise::frame::{HEIGHT, WIDTH};
use croupier::reader::recognise::{Answer, Brand, Capture, Frame, Lesson, Question, Strip, Window};
use croupier::reader::{Fault, ReaderStore};
use croupier::store::{NorModel, Store, StoreError};
use embassy_futures::block_on;

type Flash = NorModel<2048, 16>;

/// Indices of dots, two by three pixels each; enough for a brand, if an ugly one.
const GLYPHS: [[&str; 7]; 13] = [
    ["..###...", ".#...#..", ".#...#..", ".#####..", ".#...#..", ".#...#..", ".#...#.."],
    [".####...", "#....#..", ".....#..", "...##...", "..#.....", ".#......", "######.."],
    ["#####...", ".....#..", ".....#..", "..###...", ".....#..", ".....#..", "#####..."],
    ["....#...", "...##...", "..#.#...", ".#..#...", "######..", "....#...", "....#..."],
    ["######..", "#.......", "#####...", ".....#..", ".....#..", "#....#..", ".####..."],
    ["..###...", ".#......", "#.......", "#####...", "#....#..", "#....#..", ".####..."],
    ["######..", ".....#..", "....#...", "...#....", "..#.....", "..#.....", "..#....."],
    [".####...", "#....#..", "#....#..", ".####...", "#....#..", "#....#..", ".####..."],
    [".####...", "#....#..", "#....#..", ".#####..", ".....#..", "....#...", ".###...."],
    [".#..###.", "##.#...#", ".#.#...#", ".#.#...#", ".#.#...#", ".#.#...#", "###.###."],
    ["...###..", "....#...", "....#...", "....#...", "....#...", "#...#...", ".###...."],
    [".####...", "#....#..", "#....#..", "#....#..", "#..#.#..", "#...##..", ".######."],
    ["#....#..", "#...#...", "#..#....", "###.....", "#..#....", "#...#...", "#....#.."],
];

/// What lies under the window.
#[derive(Clone, Copy)]
enum Thing {
    Card(Rank),
    Blank,
}

fn tone(thing: Thing, row: usize, column: usize) -> u8 {
    let Thing::Card(rank) = thing else { return 200 };
    let (across, down) = (column.wrapping_sub(6) / 2, row.wrapping_sub(7) / 3);
    let dots = GLYPHS[rank as usize].get(down).map(|dots| dots.as_bytes());
    let inked = dots.and_then(|dots| dots.get(across)) == Some(&b'#');
    let pip = (33..39).contains(&row) && (10..16).contains(&column);
    if inked || pip { 30 } else { 200 }
}

fn expose(frame: &mut Frame, lit: bool, thing: Thing) {
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            // A little texture, or every pixel of the paper would be exactly alike.
            let grain = ((row * 7 + column * 13) % 5) as u8;
            frame.pixels[row][column] = 8 + grain + if lit { tone(thing, row, column) } else { 0 };
        }
    }
    frame.strip = match lit {
        true => Strip { white: 8 + FACTORY_WHITE, grey: 108, black: 20 },
        false => Strip { white: 8, grey: 8, black: 8 },
    };
}

fn take(into: &mut Capture, thing: Thing) {
    for set in &mut into.sets {
        expose(&mut set.dark, false, thing);
        expose(&mut set.left, true, thing);
        expose(&mut set.right, true, thing);
    }
}

fn brand(id: u16) -> Brand {
    let (mut lesson, mut capture) = (Box::new(Lesson::new()), Capture::new());
    for _ in 0..4 {
        for rank in Rank::ALL {
            take(&mut capture, Thing::Card(rank));
            lesson.learn(rank, &capture).expect("a clear index");
        }
    }
    lesson.finish(id).expect("thirteen different indices")
}

/// A scan head over a card that can be changed.
#[derive(Clone)]
struct Head(Rc<Cell<Thing>>);

impl ScanHead for Head {
    async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
        take(into, self.0.get());
        Ok(())
    }
}

fn load(store: &mut Store<Flash>) -> impl FnOnce(&mut Option<Brand>) -> Result<(), Fault> {
    |brand| {
        store.load_brand(brand).map_err(|error| match error {
            StoreError::Undecodable(_) => Fault::Brand,
            _ => Fault::Store,
        })
    }
}

fn kept(id: u16) -> Store<Flash> {
    let mut store = Store::open(Flash::new(9)).expect("blank flash opens");
    store.keep_brand(&brand(id)).expect("kept");
    store
}

/// Old brand or new, never half of one, at whichever flash operation the power goes.
#[test]
fn a_power_cut_while_a_brand_is_kept_leaves_the_old_or_the_new() {
    let (old, new) = (brand(1), brand(2));
    let (mut before, mut after) = (0, 0);
    for whole in 0.. {
        let mut store = Store::open(Flash::new(whole)).expect("blank flash opens");
        store.keep_brand(&old).expect("kept");
        store.flash().cut_power_after(whole);
        let done = store.keep_brand(&new).is_ok();
        store.flash().restore_power();
        let mut store = Store::open(store.release()).expect("opens after a cut");
        let mut found = None;
        store.load_brand(&mut found).expect("readable");
        let found = found.expect("a brand");
        let hash = found.hash();
        match found.id() {
            1 => assert!(!done && hash == old.hash()),
            2 => assert!(hash == new.hash()),
            id => panic!("brand {id}"),
        }
        before += usize::from(found.id() == 1);
        after += usize::from(found.id() == 2);
        if done {
            break;
        }
    }
    assert!(before > 100 && after >= 1, "cut at {before} places before, {after} after");
}

/// RD-10: a brand whose bytes changed in flash is a fault, never another brand.
#[test]
fn a_flipped_bit_in_flash_is_no_brand() {
    let clean = kept(5).release();
    let at = clean.dump().iter().rposition(|byte| *byte != 0xFF).expect("something is kept");
    for byte in (at - 2_000..at - 40).step_by(131) {
        let mut flash = clean.clone();
        flash.flip_bit(byte, 3);
        let Ok(mut store) = Store::open(flash) else { continue };
        let (mut room, head) =
            (Box::new(ScanBuffers::new()), Head(Rc::new(Cell::new(Thing::Blank))));
        let taken = Camera::new(head, &mut room).take_up(load(&mut store));
        // The last record torn is one never written, as the store says of itself.
        assert!(matches!(taken, Ok(None) | Err(Fault::Brand | Fault::Store)), "byte {byte}");
    }
}

/// RD-01, RD-02, RD-20: all ranks through the whole eye, with the three questions.
#[test]
fn the_eye_answers_each_question_rightly_and_knows_a_blank() {
    let mut store = kept(5);
    let (mut room, lying) = (Box::new(ScanBuffers::new()), Rc::new(Cell::new(Thing::Blank)));
    let mut eye = Camera::new(Head(Rc::clone(&lying)), &mut room);
    assert_eq!(eye.take_up(load(&mut store)).expect("sound").expect("kept").id, 5);
    for rank in Rank::ALL {
        lying.set(Thing::Card(rank));
        let yes = |is| if is { Answer::Yes } else { Answer::No };
        let range = match rank.size() {
            Size::Small => Answer::Small,
            Size::Medium => Answer::Medium,
            Size::Large => Answer::Large,
        };
        for (question, answer) in [
            (Question::Ace, yes(rank.is_ace())),
            (Question::TenValue, yes(rank.is_ten_value())),
            (Question::Range, range),
        ] {
            let sight = block_on(eye.read(question, true)).expect("seen");
            assert_eq!((sight.reading.answer, sight.window), (answer, Window::Clean), "{rank:?}");
            assert!(!sight.reading.foreign);
        }
        let foreign = block_on(eye.read(Question::TenValue, false)).expect("seen").reading.foreign;
        assert_eq!(foreign, rank == Rank::Ten, "RD-17");
        assert_eq!(block_on(eye.examine(Some(rank))), Ok(true));
        assert_eq!(block_on(eye.examine(None)), Ok(false));
    }
    lying.set(Thing::Blank);
    assert_eq!(block_on(eye.examine(None)), Ok(true));
    assert_eq!(block_on(eye.examine(Some(Rank::Ace))), Ok(false));
}
