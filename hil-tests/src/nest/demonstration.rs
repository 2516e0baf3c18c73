//! Two rounds of the hole-card reader, to look at.

use std::path::Path;

use croupier::cards::{Rank, Suit};
use croupier::protocol::generated::croupier::common::{ClockSetRequest, Role};
use croupier::protocol::generated::croupier::reader::{
    ArmRequest, Insertion, NestChange, RoundEndRequest, UpCard, Verdict,
};
use croupier::protocol::transfer::NodeId;

use super::{INSPECTED_MS, cards, lay, pull_out, settle, slide_in};
use crate::bench::Bench;
use crate::error::Result;
use crate::hub::Hub;
use crate::table_controller::TableController;

const READER: NodeId = NodeId::new(10).expect("below 128");
const CONTROLLER: NodeId = NodeId::new(3).expect("below 128");

/// Peeks at a king and at a five under an ace, over `hub` or the reader's own link; `seen` is
/// called while the lamp is lit.
pub fn demonstrate(
    bench: &mut dyn Bench,
    folder: &Path,
    hub: Option<&Hub>,
    mut seen: impl FnMut(&dyn Bench, &str),
) -> Result<()> {
    let controller = match hub {
        Some(hub) => TableController::on_bus(hub, "dealer", CONTROLLER)?,
        None => TableController::on_link(bench.link("table")?, "dealer", CONTROLLER)?,
    };
    controller.await_device(READER)?;
    let clock = ClockSetRequest { utc_ms: INSPECTED_MS + 60_000, ..Default::default() };
    controller.ask(READER, Role::Service, &clock)?;
    for (round, hole, words) in [
        (1, Rank::King, "an ace up, a king in the hole"),
        (2, Rank::Five, "an ace up, a five in the hole"),
    ] {
        lay(folder, &cards::card(hole, Suit::Spades, 1))?;
        let arm = ArmRequest { round, up_card: UpCard::Ace, ..Default::default() };
        controller.ask(READER, Role::Dealer, &arm)?;
        let mark = controller.mark();
        slide_in(&*bench.hand(), || settle(bench))?;
        controller
            .await_report("the verdict", mark, |received| received.report.event::<Verdict>())?;
        seen(bench, words);
        pull_out(&*bench.hand())?;
        controller.await_report("the card to leave", mark, |received| {
            received
                .report
                .event::<Insertion>()
                .filter(|received| received.change == NestChange::Removed)
        })?;
        controller.ask(
            READER,
            Role::Controller,
            &RoundEndRequest { round, ..Default::default() },
        )?;
    }
    Ok(())
}
