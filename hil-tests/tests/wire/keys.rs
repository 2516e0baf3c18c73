//! A key is taken only by service, and only with the switch inside the housing closed.

use crate::harness::Seated;
use croupier::protocol::generated::croupier::common::{
    KeyHolder, ProvisionKeyRequest, Result as Outcome, Role,
};
use hil_tests::Hub;
use hil_tests::bench::PATIENCE;
use hil_tests::suite::{Done, ON_BUS, READER};
use hil_tests::table_controller::TableController;
use std::time::Instant;

fn dealers_key() -> ProvisionKeyRequest {
    ProvisionKeyRequest { holder: KeyHolder::Dealer, key: [0x5A; 32], ..Default::default() }
}

// CM-03, CM-07: authority over keys takes a role and a hand inside the device.
#[test]
fn a_key_needs_the_service_role_and_the_closed_switch() -> Done {
    let hub = Hub::open()?;
    let reader = Seated::boot(&hub, "reader")?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    controller.await_device(READER)?;

    let (outcome, _) = controller.ask(READER, Role::Service, &dealers_key())?;
    assert_eq!(outcome, Outcome::ServiceSwitchOff);

    reader.bench.press("service-switch")?;
    let (outcome, _) = controller.ask(READER, Role::Floorperson, &dealers_key())?;
    assert_eq!(outcome, Outcome::NotAuthorised);

    // The switch is looked at ten times a second: until then it still counts as open.
    let asked = Instant::now();
    loop {
        let (outcome, _) = controller.ask(READER, Role::Service, &dealers_key())?;
        match outcome {
            Outcome::Accepted => return Ok(()),
            Outcome::ServiceSwitchOff => assert!(asked.elapsed() < PATIENCE, "never closed"),
            other => panic!("{other:?}"),
        }
    }
}
