//! A shuffle of the image in QEMU, the mechanism at its pins in step with it.

use std::time::Duration;

use croupier::protocol::generated::croupier::common::{Irregularity, ProfileSetRequest, Role};
use croupier::protocol::generated::croupier::shuffler::{
    Certificate, CertificateState, Count, Phase, Purpose, Task,
};
use croupier::shuffler::{DeviceEvent as Words, Model};
use croupier::time::Instant;
use hil_tests::table_controller::Report;
use hil_tests::world::shuffler::fixture::ShufflerFixture;
use hil_tests::world::shuffler::view::{self, Picture};
use hil_tests::world::shuffler::{Card, Fate, Planned};
use hil_tests::{Bench as _, BenchError};

use crate::source::{COLOUR, Source, refused};

/// The image at its table, and how much it has published so far.
pub(crate) struct QemuSource {
    table: ShufflerFixture,
    mark: usize,
    progress: (Phase, u8, u16, u16),
    certified: bool,
    /// When the first card was fed, and when it ended, by the device's clock.
    fed: Option<Instant>,
    ended: Option<Instant>,
    floor: f64,
}

impl QemuSource {
    /// Boots the image and begins a cycle with `cards`.
    pub(crate) fn open(
        (model, fate): (Model, Fate),
        game: &ProfileSetRequest,
        cards: Vec<Card>,
        floor: f64,
        speed: Option<f64>,
    ) -> Result<Self, String> {
        let with_words = |why: BenchError| why.to_string();
        let table = ShufflerFixture::open(model, fate, speed).map_err(with_words)?;
        refused(table.prepare(game, &[COLOUR]).map_err(with_words)?)?;
        table.load(cards).map_err(with_words)?;
        let mark = table.controller().mark();
        refused(table.ask(Task::Start, Purpose::FullBatch, Role::Dealer).map_err(with_words)?)?;
        Ok(Self {
            table,
            mark,
            progress: (Phase::Idle, 0, 0, 0),
            certified: false,
            fed: None,
            ended: None,
            floor,
        })
    }
}

impl Source for QemuSource {
    fn advance(&mut self, _: Duration) -> Result<bool, String> {
        if self.table.guest.watchdog_resets() > 0 {
            return Err("the image hung and was reset".into());
        }
        Ok(self.ended.is_some())
    }

    fn picture(&self) -> Picture {
        let (phase, pass, done, total) = self.progress;
        let state = if self.ended.is_some() { "ended".into() } else { view::plain(&phase) };
        self.table.world().with(|scene| {
            let picture = Picture::of(&scene.mechanism, state, (pass, done, total));
            // Finding its home and proving itself empty are not the shuffle.
            let now = self.ended.unwrap_or(Instant::from_millis(scene.now() / 1000));
            let shuffling = now.since(self.fed.unwrap_or(now));
            Picture { seconds: shuffling.get() as f64 / 1e3, floor: self.floor, ..picture }
        })
    }

    fn messages(&mut self) -> Vec<String> {
        let received = self.table.controller().reports_since(self.mark);
        self.mark += received.len();
        let mut words = Vec::new();
        for one in received {
            let report = &one.report;
            if let Some(now) = report.progress() {
                self.progress = (now.phase, now.pass, now.done, now.total);
                if now.phase == Phase::Feeding {
                    self.fed.get_or_insert(Instant::from_millis(now.time_ms));
                }
            }
            let Report::Event(_, stamp, _) = report else { continue };
            if let Some(event) = report.event::<Certificate>() {
                self.certified = event.state == CertificateState::Issued;
                self.ended = Some(Instant::from_millis(stamp.time_ms));
                words.extend(view::words(&Words::Certificate(event)));
            } else if let Some(event) = report.event::<Count>() {
                words.extend(view::words(&Words::Count(event)));
            } else if let Some(event) = report.event::<Irregularity>() {
                words.extend(view::words(&Words::Irregularity(event)));
            }
        }
        words
    }

    fn is_certified(&self) -> bool {
        self.certified
    }

    fn missed(&self) -> Vec<Planned> {
        self.table.world().with(|scene| scene.mechanism.fate.missed())
    }

    fn is_live(&self) -> bool {
        true
    }
}
