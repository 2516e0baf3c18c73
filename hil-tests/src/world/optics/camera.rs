//! All of it together: nine frames of one card.

use std::sync::LazyLock;

use croupier::reader::recognise::frame::{Capture, Frame, FrameSet, HEIGHT, SETS, WIDTH};
use fastrand::Rng;

use super::light::Lamp;
use super::marks::Pane;
use super::pose::{Meeting, Pose};
use super::sensor::{Bell, place};
use super::{Disturbance, Face, Point};

/// What the nest's black floor sends back.
const FLOOR: f32 = 0.04;
/// What good card stock sends back.
const STOCK: f32 = 1.0;

static BELL: LazyLock<Bell> = LazyLock::new(Bell::new);

/// What lies over the window.
#[derive(Clone, Copy)]
pub struct Scene<'face> {
    /// The card next to the window, if any.
    pub card: Option<&'face Face>,
    /// A second one upon it, and where it lies from the first, mm.
    pub upon: Option<(&'face Face, Point)>,
}

impl<'face> Scene<'face> {
    /// One card.
    pub const fn card(card: &'face Face) -> Self {
        Self { card: Some(card), upon: None }
    }

    /// Nothing in the nest.
    pub const EMPTY: Self = Self { card: None, upon: None };
}

/// One card, seen by the scan head.
pub fn capture(card: &Face, disturbance: &Disturbance) -> Capture {
    take(Scene::card(card), disturbance)
}

/// A scene, seen by the scan head.
pub fn take(scene: Scene<'_>, disturbance: &Disturbance) -> Capture {
    let mut capture = Capture::new();
    let mut rng = Rng::with_seed(disturbance.noise_seed);
    let gains = disturbance.sensor.gains(&BELL);
    let mut window = Pane::new();
    for mark in &disturbance.on_window {
        window.stamp(mark, |place| place);
    }
    for set in 0..SETS {
        let view = View::new(scene, disturbance, &window, set);
        expose(&mut capture.sets[set], &view, &gains, &mut rng);
    }
    capture
}

/// What each pixel meets in one set: the same for all its exposures.
struct View<'a> {
    disturbance: &'a Disturbance,
    set: usize,
    pixels: Vec<Pixel>,
    /// What all pixels send back on average: what a veil is made of.
    average: f32,
}

struct Pixel {
    met: Meeting,
    /// What it sends back under each lamp, which differs only in a shadow.
    tones: [f32; Lamp::ALL.len()],
}

impl<'a> View<'a> {
    fn new(scene: Scene<'_>, disturbance: &'a Disturbance, window: &Pane, set: usize) -> Self {
        let pose = disturbance.poses[set];
        let lay = pose.lay();
        let upper = scene.upon.map(|(face, (x, y))| {
            (face, Pose { shift: (pose.shift.0 + x, pose.shift.1 + y), ..pose }.lay())
        });
        let mut dust = Pane::new();
        for mark in &disturbance.on_card {
            dust.stamp(mark, |place| lay.on_window(place));
        }
        let ink = disturbance.ink;
        let mut pixels = Vec::with_capacity(WIDTH * HEIGHT);
        for (row, column) in (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (row, column)))
        {
            let spot = place(row, column);
            let mut met = lay.meet(spot);
            let (print, inside) = match scene.card {
                Some(face) if met.inside > 0.0 => {
                    (dust.over(row, column, print_of(face, &met, ink)), met.inside)
                }
                _ => (FLOOR, 0.0),
            };
            let behind = upper.as_ref().map(|(face, upper)| {
                let behind = upper.meet(spot);
                met.inside = met.inside.max(behind.inside);
                FLOOR + behind.inside * (print_of(face, &behind, ink) - FLOOR)
            });
            let below = match behind {
                Some(tone) => [1.0, 1.0 - lay.shadow(&met, 1.0), 1.0 - lay.shadow(&met, -1.0)]
                    .map(|lit| tone * lit),
                None => [FLOOR; Lamp::ALL.len()],
            };
            let tones =
                below.map(|below| window.over(row, column, below + inside * (print - below)));
            pixels.push(Pixel { met, tones });
        }
        let average = pixels.iter().map(|pixel| pixel.tones[0]).sum::<f32>() / pixels.len() as f32;
        Self { disturbance, set, pixels, average }
    }
}

/// What a card's face sends back there, with `ink` of its ink left.
#[inline]
fn print_of(face: &Face, met: &Meeting, ink: f32) -> f32 {
    STOCK - (STOCK - face.tone(met.place, met.spread)) * ink
}

/// Takes the set's three exposures.
fn expose(set: &mut FrameSet, view: &View<'_>, gains: &[[f32; WIDTH]; HEIGHT], rng: &mut Rng) {
    for lamp in Lamp::ALL {
        let frame = match lamp {
            Lamp::Dark => &mut set.dark,
            Lamp::Left => &mut set.left,
            Lamp::Right => &mut set.right,
        };
        shoot(frame, view, lamp, gains, rng);
    }
}

fn shoot(
    frame: &mut Frame,
    view: &View<'_>,
    lamp: Lamp,
    gains: &[[f32; WIDTH]; HEIGHT],
    rng: &mut Rng,
) {
    let Disturbance { light, sensor, .. } = view.disturbance;
    let room = light.room(view.set, lamp);
    let given = light.bank(lamp) + room;
    let lit = given * view.average;
    for (row, pixels) in frame.pixels.iter_mut().enumerate() {
        for (column, pixel) in pixels.iter_mut().enumerate() {
            let Pixel { met, tones } = &view.pixels[row * WIDTH + column];
            let spot = place(row, column);
            let sent = tones[lamp as usize] * light.on_card(lamp, room, spot, met)
                + met.inside * light.mirrored(lamp, spot);
            *pixel = sensor.level(sent * gains[row][column], lit, &BELL, rng.u32(..));
        }
    }
    frame.strip = sensor.strip(given, lit, &BELL, rng);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::optics::{Level, Raster, film};

    fn barred() -> Face {
        Face::new(&Raster::printed(|(x, _)| if (4.0..6.0).contains(&x) { 0.05 } else { 1.0 }))
    }

    #[test]
    fn a_seed_gives_the_same_frames_again() {
        let face = barred();
        let bytes = |seed| film::bytes(&capture(&face, &Disturbance::draw(&Level::HARSH, seed)));
        assert_eq!(bytes(3), bytes(3));
        assert_ne!(bytes(3), bytes(4));
    }

    #[test]
    fn a_calm_bar_is_dark_where_it_was_printed_and_the_dark_frame_sees_nothing() {
        let capture = capture(&barred(), &Disturbance::draw(&Level::CALM, 1));
        let set = &capture.sets[0];
        let at = |frame: &Frame, mm: f32| frame.pixels[24][(mm / 0.375) as usize];
        assert!(at(&set.left, 5.0) < 40 && at(&set.right, 5.0) < 40);
        assert!(at(&set.left, 9.0) > 190 && at(&set.right, 9.0) > 190);
        assert!(set.dark.pixels.iter().flatten().all(|&level| level < 20));
    }

    #[test]
    fn an_empty_nest_is_black_and_a_second_card_shows_beyond_the_first() {
        let calm = Disturbance::draw(&Level::CALM, 1);
        let empty = take(Scene::EMPTY, &calm);
        assert!(empty.sets[0].left.pixels.iter().flatten().all(|&level| level < 30));
        let (face, blank) = (barred(), Face::plain(1.0));
        let two = Scene { card: Some(&face), upon: Some((&blank, (-4.0, 0.0))) };
        let seen = take(two, &calm.moved((4.0, 0.0)));
        assert!(seen.sets[0].left.pixels[24][5] > 190);
    }
}
