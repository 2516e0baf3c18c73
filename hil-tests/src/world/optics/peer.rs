//! The plain matcher that ours is measured against.
//!
//! Normalised cross-correlation of the whole window with thirteen templates: what most would
//! write first, and what ordinary card cameras do. It gets the same teaching, the same dark
//! correction, the better bank of each pixel and the same rule of an absolute and a gap
//! threshold in all sets, so that what it gets wrong is the method's doing.

use croupier::cards::Rank;
use croupier::reader::recognise::frame::{Capture, FrameSet, HEIGHT, WIDTH};
use croupier::reader::recognise::{Answer, Question};

const PIXELS: usize = WIDTH * HEIGHT;
/// The least correlation that counts as a card.
const LIKE: f32 = 0.7;
/// How far ahead of the next class the best must be. At 0.02 it refuses about as often as it
/// errs; a larger gap refuses most of the cards that are not exactly in place.
const AHEAD: f32 = 0.02;

/// Thirteen templates.
pub struct Peer {
    templates: [Vec<f32>; Rank::ALL.len()],
}

impl Peer {
    /// Takes the mean picture of each rank.
    pub fn taught<'a>(lessons: impl IntoIterator<Item = (Rank, &'a Capture)>) -> Self {
        let mut templates: [Vec<f32>; Rank::ALL.len()] = std::array::from_fn(|_| vec![0.0; PIXELS]);
        for (rank, capture) in lessons {
            for set in &capture.sets {
                for (sum, pixel) in templates[rank as usize].iter_mut().zip(picture(set)) {
                    *sum += pixel;
                }
            }
        }
        templates.iter_mut().for_each(|template| normalise(template));
        Self { templates }
    }

    /// Answers as a reader must: from three agreeing sets, or not at all.
    pub fn answer(&self, capture: &Capture, question: Question) -> Answer {
        let answers = [0, 1, 2].map(|set| self.once(&capture.sets[set], question));
        if answers.iter().all(|answer| *answer == answers[0]) {
            answers[0]
        } else {
            Answer::CannotRead
        }
    }

    fn once(&self, set: &FrameSet, question: Question) -> Answer {
        let mut seen = picture(set);
        normalise(&mut seen);
        let mut ranked: Vec<(f32, Answer)> = Rank::ALL
            .iter()
            .zip(&self.templates)
            .map(|(rank, template)| (dot(&seen, template), truth(*rank, question)))
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (best, answer) = ranked[0];
        let next = ranked.iter().find(|(_, other)| *other != answer).map_or(-1.0, |next| next.0);
        if best >= LIKE && best - next >= AHEAD { answer } else { Answer::CannotRead }
    }
}

/// The right answer to `question` about a card of `rank`.
pub fn truth(rank: Rank, question: Question) -> Answer {
    use croupier::cards::Size;
    let yes = |is: bool| if is { Answer::Yes } else { Answer::No };
    match question {
        Question::Ace => yes(rank.is_ace()),
        Question::TenValue => yes(rank.is_ten_value()),
        Question::Range => match rank.size() {
            Size::Small => Answer::Small,
            Size::Medium => Answer::Medium,
            Size::Large => Answer::Large,
        },
    }
}

/// The pixel-wise darker of both banks, each without the room's light: glare is in one of them only.
fn picture(set: &FrameSet) -> Vec<f32> {
    let pixels = |frame: &'_ croupier::reader::recognise::Frame| {
        frame.pixels.iter().flatten().map(|level| f32::from(*level)).collect::<Vec<_>>()
    };
    let (dark, left, right) = (pixels(&set.dark), pixels(&set.left), pixels(&set.right));
    let lit = left.iter().zip(&right).map(|(left, right)| left.min(*right));
    lit.zip(&dark).map(|(lit, dark)| lit - dark).collect()
}

fn normalise(picture: &mut [f32]) {
    let mean = picture.iter().sum::<f32>() / PIXELS as f32;
    picture.iter_mut().for_each(|pixel| *pixel -= mean);
    let length = dot(picture, picture).sqrt().max(1e-6);
    picture.iter_mut().for_each(|pixel| *pixel /= length);
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::optics::{Disturbance, Face, Level, Raster, capture};

    /// A made-up brand: each rank a bar at its own height.
    fn faces() -> Vec<(Rank, Face)> {
        let bar = |rank: Rank| {
            let top = 3.0 + rank as usize as f32;
            Face::new(&Raster::printed(
                |(_, y)| if (top..top + 1.0).contains(&y) { 0.1 } else { 1.0 },
            ))
        };
        Rank::ALL.into_iter().map(|rank| (rank, bar(rank))).collect()
    }

    #[test]
    fn calm_cards_are_answered_and_a_blank_is_not() {
        let calm = |seed| Disturbance::draw(&Level::CALM, seed);
        let faces = faces();
        let lessons: Vec<_> =
            faces.iter().map(|(rank, face)| (*rank, capture(face, &calm(1)))).collect();
        let peer = Peer::taught(lessons.iter().map(|(rank, seen)| (*rank, seen)));
        for (rank, face) in &faces {
            let seen = capture(face, &calm(2));
            for question in [Question::Ace, Question::TenValue, Question::Range] {
                assert_eq!(peer.answer(&seen, question), truth(*rank, question));
            }
        }
        let blank = capture(&Face::plain(1.0), &calm(3));
        assert_eq!(peer.once(&blank.sets[0], Question::Range), Answer::CannotRead);
    }
}
