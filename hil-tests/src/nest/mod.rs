//! The nest of a reader in QEMU: its flash as if it had been taught, and cards to slide in.
//!
//! Teaching takes 364 cards and the check nine more, at a hand's speed. So a reader that is to play
//! starts with a flash that holds all that already, made here by the firmware's own store
//! and lesson; the slow way is tested too, where it is what a test is about.

pub mod cards;
mod demonstration;

pub use demonstration::demonstrate;

use std::path::Path;
use std::time::Duration;

use croupier::identity::DeviceKind;
use croupier::protocol::generated::croupier::common::{Game, ProfileSetRequest, Role};
use croupier::reader::Record;
use croupier::reader::check::PassedAt;
use croupier::reader::recognise::Capture;
use croupier::reader::record::Passed;
use croupier::services::Chosen;

use crate::bench::{Bench, Hand};
use crate::error::{BenchError, Result};
use crate::qemu::{Setup, store};
use crate::world::optics::film;

/// When the flash says that the reader was inspected: noon of a day in 2026.
pub const INSPECTED_MS: u64 = 1_790_000_000_000;
/// The number on its seal.
pub const SEAL: u32 = 77;
/// More than keys and beams need to settle.
pub const SETTLING: Duration = Duration::from_millis(250);
/// What the scan head sees, in the guest's folder.
const FRAMES: &str = "frames.bin";

/// A reader with a scan head.
pub fn setup(device: &str) -> Setup {
    Setup::new(device).argument("film", FRAMES)
}

/// Writes the flash of a reader that was taught, set to `game`, and perhaps inspected; its
/// controller ends rounds.
pub fn write_flash(folder: &Path, game: Game, inspected: bool) -> Result<()> {
    let bytes = flash(game, inspected).ok_or_else(|| BenchError::Refused {
        tool: "the store",
        asked: format!("a reader for {game:?}"),
        answer: "it could not be kept, or the game has no reader".into(),
    })?;
    store::write(folder, &bytes)
}

fn flash(game: Game, inspected: bool) -> Option<Vec<u8>> {
    let decks = if game == Game::DoubleAttackBlackjack { 8 } else { 6 };
    let asked = ProfileSetRequest { game, decks, seats: 6, ..ProfileSetRequest::default() };
    let chosen = Chosen::check(DeviceKind::Reader, &asked, Role::Floorperson, INSPECTED_MS).ok()?;
    let at = PassedAt { utc_ms: INSPECTED_MS, ..PassedAt::default() };
    let passed = Passed { at, inspector: 1, counts: inspected };
    let record = Record {
        passed: Some(passed),
        seal_number: Some(SEAL),
        by_controller: true,
        ..Record::default()
    };
    store::provisioned(|store| {
        store.put(&chosen).ok()?;
        store.put(cards::brand()).ok()?;
        store.put(&record).ok()
    })
}

/// Lays a card under the window, as the optical world sees it.
pub fn lay(folder: &Path, capture: &Capture) -> Result<()> {
    film::write(capture, &folder.join(FRAMES))
}

/// Takes the scan head away.
pub fn unplug_head(folder: &Path) -> Result<()> {
    match std::fs::remove_file(folder.join(FRAMES)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(BenchError::io("removing the scan head's frames")(error))
        }
        _ => Ok(()),
    }
}

/// Waits for more of the device's time than its keys and beams need to settle.
pub fn settle(bench: &dyn Bench) -> Result<()> {
    bench.let_pass(SETTLING)
}

/// Slides a card in past the beams; `settle` waits until the device has seen each.
pub fn slide_in(hand: &dyn Hand, settle: impl Fn() -> Result<()>) -> Result<()> {
    for beam in ["hood", "near", "far"] {
        hand.set(beam, true)?;
        settle()?;
    }
    hand.set("hood", false)
}

/// Takes it out again.
pub fn pull_out(hand: &dyn Hand) -> Result<()> {
    hand.set("near", false)?;
    hand.set("far", false)
}
