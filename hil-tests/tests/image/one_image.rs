//! One image: what was built, what QEMU runs and what the device reports are the same bytes.
//!
//! Four reckonings that must agree: the loadable bytes of the ELF that is flashed, the file that
//! QEMU is given, the flash as the guest's processor reads it, and what the device says of itself,
//! in its log and on the wire.

use croupier::protocol::transfer::NodeId;
use hil_tests::image::Image;
use hil_tests::plan::Plan;
use hil_tests::qemu::{BOARD, FLASH};
use hil_tests::suite::{Done, ON_BUS, PAIGOW, READER, SHUFFLER};
use hil_tests::table_controller::{Report, TableController};
use hil_tests::{Bench, BenchError, Guest, Hub, Setup};
use sha2::{Digest, Sha256};

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first eight bytes of its image's hash, as the device answers any node (GetInfo).
fn published_hash(hub: &Hub, node: NodeId) -> Result<String, BenchError> {
    let controller = TableController::on_bus(hub, "controller", ON_BUS)?;
    controller.await_report("what its image is", 0, |received| match received.report {
        Report::Identified(plate) if received.node == node => {
            plate.image.map(|image| format!("{image:016x}"))
        }
        _ => None,
    })
}

// CM-02, CM-03: the image that a laboratory approves is the one that every test here ran.
fn is_one_image(device: &str, node: NodeId) -> Done {
    let image = Image::find(BOARD, device)?;
    let (built, length) = (image.sha256()?, image.flash()?.len());
    let mut guest = Guest::open(&Plan::chosen()?, Setup::new(device))?;
    let hub = Hub::open()?;
    guest.power_on_held()?;
    hub.attach(device, guest.link("can")?)?;
    guest.go()?;
    let logged = guest.await_log("image sha256 ")?.message;

    let given = std::fs::read(guest.folder().join(FLASH));
    let given = sha256(&given.map_err(BenchError::io("reading the guest's flash"))?);
    assert_eq!(given, built, "{device}: QEMU was given other bytes");
    assert_eq!(sha256(&guest.flash(length)?), built, "{device}: the processor reads other bytes");
    assert_eq!(logged, format!("image sha256 {built}"), "{device}: its log says otherwise");
    assert_eq!(published_hash(&hub, node)?, built[..16], "{device}: the wire says otherwise");
    Ok(())
}

#[test]
fn reader_is_one_image() -> Done {
    is_one_image("reader", READER)
}

#[test]
fn shuffler_is_one_image() -> Done {
    is_one_image("shuffler", SHUFFLER)
}

#[test]
fn paigow_is_one_image() -> Done {
    is_one_image("paigow", PAIGOW)
}
