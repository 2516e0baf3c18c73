//! The eye: scan head, taught brand and lesson, behind a word that names no card.
//!
//! Frames exist in one place, [`ScanBuffers`], between the capture and the answer, and are wiped
//! before anything else happens (RD-20). The brand in memory is compared with its hash
//! at every read: a bit that fell over is a fault, not another answer (RD-10).

use super::fault::Sensor;
use super::ports::{Eye, ScanFault, ScanHead, Sight};
use super::recognise::{Answer, Brand, Capture, Lesson, Question, STEPS, Window, judged};
use super::{Fault, Label};
use crate::cards::Rank;
use zeroize::Zeroize;

/// White as the factory sees it through a clean window, and as the light control keeps it.
pub const FACTORY_WHITE: u8 = 200;

impl From<ScanFault> for Fault {
    fn from(_: ScanFault) -> Self {
        Self::Sensor(Sensor::ScanHead)
    }
}

/// The memory of an eye: too large for a stack, so it has its own place.
pub struct ScanBuffers {
    capture: Capture,
    lesson: Lesson,
    brand: Option<Brand>,
    made: Option<Brand>,
}

impl ScanBuffers {
    /// ScanBuffers that has seen nothing.
    pub const fn new() -> Self {
        Self { capture: Capture::new(), lesson: Lesson::new(), brand: None, made: None }
    }
}

impl Default for ScanBuffers {
    fn default() -> Self {
        Self::new()
    }
}

/// Stack that understanding a card may take, in words of eight bytes: 20 KiB, of which it takes
/// some 16. What interrupts it saves its registers just below, so they are overwritten too.
const STACK_WORDS: usize = 2560;

/// Does `work` in a part of the stack that is overwritten before anything else happens: what
/// a card looked like must not stay in memory that is not in use at the moment (RD-20).
fn forgetting<T>(work: impl FnOnce() -> T) -> T {
    let result = apart(work);
    overwrite_below();
    result
}

/// Never a part of its caller: whose own stack is not overwritten, and which is a task that
/// would otherwise hold the most that any of its parts needs for ever.
#[inline(never)]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// Takes the same stack as [`apart`] did, and clears it.
#[inline(never)]
fn overwrite_below() {
    let mut below = [0u64; STACK_WORDS];
    below.zeroize();
}

/// A scan head with the memory to understand it.
pub struct Camera<'a, H> {
    head: H,
    buffers: &'a mut ScanBuffers,
    /// What the brand's hash must be.
    hash: [u8; 32],
    /// Steps taken from the lesson's draft to its brand.
    steps: usize,
}

impl<'a, H: ScanHead> Camera<'a, H> {
    /// A camera that knows no brand yet.
    pub fn new(head: H, buffers: &'a mut ScanBuffers) -> Self {
        Self { head, buffers, hash: [0; 32], steps: 0 }
    }

    /// Takes a capture, lets `understand` have it, and wipes it.
    async fn look<T>(
        &mut self,
        understand: impl FnOnce(&Capture, Option<&Brand>) -> T,
    ) -> Result<T, Fault> {
        let (brand, hash) = (&self.buffers.brand, &self.hash);
        let sound = apart(|| brand.as_ref().is_none_or(|brand| brand.hash() == *hash));
        let taken = self.head.capture(&mut self.buffers.capture).await;
        let buffers = &mut *self.buffers;
        let understood = forgetting(|| understand(&buffers.capture, buffers.brand.as_ref()));
        buffers.capture.wipe();
        taken?;
        if sound { Ok(understood) } else { Err(Fault::Brand) }
    }
}

impl<H: ScanHead> Eye for Camera<'_, H> {
    fn take_up(
        &mut self,
        load: impl FnOnce(&mut Option<Brand>) -> Result<(), Fault>,
    ) -> Result<Option<Label>, Fault> {
        let ScanBuffers { brand, .. } = &mut *self.buffers;
        let label = apart(|| -> Result<_, Fault> {
            load(brand)?;
            Ok(brand.as_ref().map(Label::of))
        })?;
        self.hash = label.map_or([0; 32], |label| label.hash);
        Ok(label)
    }

    async fn read(&mut self, question: Question, tens: bool) -> Result<Sight, Fault> {
        let sight = self
            .look(|capture, brand| {
                let reading = brand?.read(capture, question, tens);
                Some(Sight { reading, window: Window::of(capture, FACTORY_WHITE) })
            })
            .await?;
        sight.ok_or(Fault::Brand)
    }

    async fn examine(&mut self, expected: Option<Rank>) -> Result<bool, Fault> {
        self.look(|capture, brand| {
            let Some(brand) = brand else { return false };
            let refuses =
                |question| brand.read(capture, question, true).answer == Answer::CannotRead;
            match expected {
                Some(rank) => brand.proves(rank, capture),
                None => {
                    [Question::Ace, Question::TenValue, Question::Range].into_iter().all(refuses)
                }
            }
        })
        .await
    }

    async fn window(&mut self) -> Result<Window, Fault> {
        self.look(|capture, _| Window::of(capture, FACTORY_WHITE)).await
    }

    async fn learn(&mut self, rank: Rank, first: bool) -> Result<bool, Fault> {
        if first {
            let ScanBuffers { lesson, made, .. } = &mut *self.buffers;
            lesson.forget();
            *made = None;
            self.steps = 0;
        }
        let taken = self.head.capture(&mut self.buffers.capture).await;
        let ScanBuffers { lesson, capture, .. } = &mut *self.buffers;
        let learnt = taken.is_ok() && forgetting(|| lesson.learn(rank, capture).is_ok());
        capture.wipe();
        taken?;
        Ok(learnt)
    }

    fn make(&mut self, id: u16) -> Option<bool> {
        let ScanBuffers { lesson, made, .. } = &mut *self.buffers;
        let step = self.steps.checked_sub(1);
        self.steps += 1;
        apart(|| match (step, &mut *made) {
            (None, made) => {
                let draft = made.insert(Brand::BLANK);
                if lesson.draft(id, draft).is_err() {
                    *made = None;
                }
            }
            (Some(step), Some(draft)) => lesson.work_out(draft, step),
            (Some(_), None) => {}
        });
        if made.is_some() && self.steps <= STEPS {
            return None;
        }
        self.steps = 0;
        made.take_if(|draft| judged(draft).is_err());
        Some(made.is_some())
    }

    async fn prove(&mut self, rank: Rank) -> Result<bool, Fault> {
        let taken = self.head.capture(&mut self.buffers.capture).await;
        let ScanBuffers { made, capture, .. } = &mut *self.buffers;
        let proven = forgetting(|| made.as_ref().is_some_and(|brand| brand.proves(rank, capture)));
        capture.wipe();
        taken?;
        Ok(proven)
    }

    fn keep(&mut self, keep: impl FnOnce(&Brand) -> Result<(), Fault>) -> Result<Label, Fault> {
        let ScanBuffers { brand, made, .. } = &mut *self.buffers;
        let label = apart(|| -> Result<_, Fault> {
            let kept = made.as_ref().ok_or(Fault::Brand)?;
            keep(kept)?;
            let label = Label::of(kept);
            core::mem::swap(brand, made);
            *made = None;
            Ok(label)
        })?;
        self.hash = label.hash;
        Ok(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embassy_futures::block_on;

    /// A scan head that sees something everywhere, or breaks off half way.
    struct Bright(Result<(), ScanFault>);

    impl ScanHead for Bright {
        async fn capture(&mut self, into: &mut Capture) -> Result<(), ScanFault> {
            for set in &mut into.sets {
                set.left.pixels = [[0xA5; 32]; 48];
                set.right.strip.white = 200;
            }
            self.0
        }
    }

    fn is_wiped(buffers: &ScanBuffers) -> bool {
        let dark = |frame: &super::super::recognise::Frame| {
            frame.pixels.iter().flatten().all(|pixel| *pixel == 0) && frame.strip.white == 0
        };
        buffers
            .capture
            .sets
            .iter()
            .all(|set| dark(&set.dark) && dark(&set.left) && dark(&set.right))
    }

    /// RD-20: nothing of a frame is left, whatever was asked and however it ended.
    #[test]
    fn no_frame_outlives_a_look() {
        for head in [Ok(()), Err(ScanFault::Silent), Err(ScanFault::Implausible)] {
            let mut buffers = ScanBuffers::new();
            let mut eye = Camera::new(Bright(head), &mut buffers);
            assert!(block_on(eye.read(Question::Range, true)).is_err(), "no brand, no answer");
            assert!(is_wiped(eye.buffers));
            assert_eq!(block_on(eye.examine(None)).is_ok(), head.is_ok());
            assert!(is_wiped(eye.buffers));
            assert_eq!(block_on(eye.window()).is_ok(), head.is_ok());
            assert!(is_wiped(eye.buffers));
            let _ = block_on(eye.learn(Rank::Ace, true)); // learnt or not is the lesson's word
            assert!(is_wiped(eye.buffers));
            assert_eq!(block_on(eye.prove(Rank::Ace)), head.map(|()| false).map_err(Fault::from));
            assert!(is_wiped(eye.buffers));
        }
    }

    /// RD-10: a scan head that fails is a fault, and not a card that cannot be read.
    #[test]
    fn a_scan_fault_is_a_sensor_fault() {
        let mut buffers = ScanBuffers::new();
        let mut eye = Camera::new(Bright(Err(ScanFault::Silent)), &mut buffers);
        let fault = Fault::Sensor(Sensor::ScanHead);
        assert_eq!(block_on(eye.read(Question::Ace, true)), Err(fault));
        assert_eq!(eye.make(3), Some(false), "nothing was learnt");
    }
}
