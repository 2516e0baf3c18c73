//! A table for the tests of the wire: devices on a bus, and what is asked of them.

use std::time::Instant;

use croupier::protocol::generated::croupier::common::{
    ProfileChanged, RefusalsRequest, RefusalsResponse, Result as Outcome, Role,
};
use croupier::protocol::transfer::NodeId;
use hil_tests::suite::{Done, ON_LINK};
use hil_tests::table_controller::{Received, TableController};
use hil_tests::{Bench, BenchError, Hub, open};

/// A device with its CAN link on the bus.
pub struct Seated {
    pub bench: Box<dyn Bench>,
    pub name: &'static str,
}

impl Seated {
    /// Boots `name` on `hub`.
    pub fn boot(hub: &Hub, name: &'static str) -> Result<Self, BenchError> {
        let (seated, _) = Self::boot_linked(hub, name)?;
        Ok(seated)
    }

    /// As [`Seated::boot`], with a controller on its serial link too.
    pub fn boot_linked(
        hub: &Hub,
        name: &'static str,
    ) -> Result<(Self, TableController), BenchError> {
        let mut seated = Self { bench: open(name)?, name };
        let controller = seated.power_on(hub)?;
        Ok((seated, controller))
    }

    /// Kills the machine in the middle of whatever it does, and starts it again.
    pub fn cut_power_and_boot(&mut self, hub: &Hub) -> Done {
        self.bench.cut_power()?;
        self.power_on(hub).map(drop)
    }

    fn power_on(&mut self, hub: &Hub) -> Result<TableController, BenchError> {
        self.bench.power_on_held()?;
        hub.attach(self.name, self.bench.link("can")?)?;
        let link = self.bench.link("table")?;
        self.bench.go()?;
        self.bench.await_log("ready after")?;
        TableController::on_link(link, "link controller", ON_LINK)
    }

    /// The device works: its lamps answer the key, and nothing had to reset it.
    pub fn works(&self) -> Done {
        let lamps = &self.bench.wiring().lamps;
        let lit = |lamp: &String| self.bench.is_on(lamp);
        let before = lamps.iter().map(lit).collect::<Result<Vec<_>, _>>()?;
        let mark = self.bench.pins().mark();
        self.bench.press("lamp-test")?;
        for lamp in lamps {
            self.bench.await_edge(lamp, true, mark)?;
        }
        self.bench.release("lamp-test")?;
        for (lamp, lit) in lamps.iter().zip(before) {
            self.bench.await_pin(lamp, lit)?;
        }
        assert_eq!(self.bench.watchdog_resets(), 0, "{} needed help", self.name);
        Ok(())
    }
}

/// How often the device refused what, asked for with a service key.
pub fn refusals(controller: &TableController, node: NodeId) -> Result<[u32; 5], BenchError> {
    let (outcome, received) = controller.ask(node, Role::Service, &RefusalsRequest::default())?;
    assert_eq!(outcome, Outcome::Accepted);
    let RefusalsResponse { malformed, unknown_role, forged, replayed, not_authorised, .. } =
        received;
    Ok([malformed, unknown_role, forged, replayed, not_authorised])
}

/// The decks of every change of profile that `received` tells of, in its order.
pub fn changes(received: &[Received], node: NodeId) -> Vec<u8> {
    let ours = received.iter().filter(|received| received.node == node);
    ours.filter_map(|received| received.report.event::<ProfileChanged>())
        .map(|change| change.decks)
        .collect()
}

/// Waits until `controller` has been told of a change to `decks`, at or after `mark`.
pub fn await_change(
    controller: &TableController,
    node: NodeId,
    decks: u8,
    mark: usize,
) -> Result<Instant, BenchError> {
    controller.await_report(&format!("the change to {decks} decks"), mark, |received| {
        let change = received.report.event::<ProfileChanged>().filter(|_| received.node == node)?;
        (change.decks == decks).then_some(received.at)
    })
}
