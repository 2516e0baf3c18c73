//! What the behaviour tests share: their verdict, node numbers, profile and size.
//!
//! One place, so that each program of `tests/` uses the same words for the same thing.

use croupier::protocol::generated::croupier::common::{
    Game, ProfileGetRequest, ProfileGetResponse, ProfileSetRequest, Result as Outcome, Role,
};
use croupier::protocol::transfer::NodeId;

use crate::bench::Bench;
use crate::error::{BenchError, Result};
use crate::table_controller::TableController;

/// The verdict of a test.
pub type Done = Result<(), BenchError>;

/// The reader.
pub const READER: NodeId = NodeId::new(10).expect("below 128");
/// The shuffler.
pub const SHUFFLER: NodeId = NodeId::new(11).expect("below 128");
/// The Pai Gow generator.
pub const PAIGOW: NodeId = NodeId::new(12).expect("below 128");
/// The controller on the bus.
pub const ON_BUS: NodeId = NodeId::new(1).expect("below 128");
/// The controller on a serial link.
pub const ON_LINK: NodeId = NodeId::new(2).expect("below 128");

/// Starts `node`'s device; a controller on its serial link, once it knows the device.
pub fn switch_on(bench: &mut impl Bench, node: NodeId) -> Result<TableController> {
    bench.power_on_held()?;
    let link = bench.link("table")?;
    bench.go()?;
    bench.await_log("ready after")?;
    let controller = TableController::on_link(link, "link controller", ON_LINK)?;
    controller.await_device(node)?;
    Ok(controller)
}

/// A profile any shuffler takes, whose number of decks may be any: so it can count.
pub fn profile(decks: u8) -> ProfileSetRequest {
    ProfileSetRequest { game: Game::DoubleBackJack, decks, seats: 6, ..Default::default() }
}

/// Sets [`profile`] with a floorperson's authority.
pub fn set(controller: &TableController, node: NodeId, decks: u8) -> Done {
    let (outcome, _) = controller.ask(node, Role::Floorperson, &profile(decks))?;
    assert_eq!(outcome, Outcome::Accepted, "{decks} decks");
    Ok(())
}

/// The profile in force, asked for with the controller's own authority.
pub fn get(controller: &TableController, node: NodeId) -> Result<ProfileGetResponse> {
    let (outcome, answer) =
        controller.ask(node, Role::Controller, &ProfileGetRequest::default())?;
    assert_eq!(outcome, Outcome::Accepted);
    Ok(answer)
}

/// Whether `CROUPIER_RELEASE_SUITE=1` asks for the long campaigns.
pub fn is_release() -> bool {
    std::env::var_os("CROUPIER_RELEASE_SUITE").is_some_and(|on| on == "1")
}

/// How much to do: a little, or with `CROUPIER_RELEASE_SUITE=1` a lot.
pub fn sized(little: u32, much: u32) -> u32 {
    if is_release() { much } else { little }
}
