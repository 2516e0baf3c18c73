//! A controller at the table finds the devices, commands them and is told what they do.

use std::time::Instant;

use crate::harness::{Seated, await_change};
use croupier::identity::DeviceKind;
use croupier::protocol::generated::croupier::common::{
    AttestationRequest, Condition, Game, ProfileChanged, ProfileSetRequest, Result as Outcome,
    Role, Status,
};
use croupier::protocol::seal::Refusal;
use croupier::protocol::transfer::NodeId;
use croupier::time::Millis;
use hil_tests::bench::PATIENCE;
use hil_tests::image::Image;
use hil_tests::lockstep::Lockstep;
use hil_tests::qemu::BOARD;
use hil_tests::suite::{Done, ON_BUS, PAIGOW, READER, SHUFFLER, get, profile, set};
use hil_tests::table_controller::{Report, TableController};
use hil_tests::{Bench, Hub};
use sha2::{Digest, Sha256};

// CM-02: who a device is, told on the wire as in its log, without opening it.
#[test]
fn a_controller_finds_all_three_devices_on_one_bus_and_knows_what_they_are() -> Done {
    let hub = Hub::open()?;
    let devices = [
        ("reader", READER, DeviceKind::Reader),
        ("shuffler", SHUFFLER, DeviceKind::Shuffler),
        ("paigow", PAIGOW, DeviceKind::PaiGow),
    ];
    let mut seated = Vec::new();
    for (name, ..) in devices {
        let mut bench = hil_tests::open(name)?;
        bench.power_on_held()?;
        hub.attach(name, bench.link("can")?)?;
        bench.go()?;
        let identity = bench.await_identity()?;
        let measured = bench.await_log("image sha256 ")?.message;
        seated.push((bench, identity, measured));
    }
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    for ((name, node, kind), (_bench, logged, measured)) in devices.iter().zip(&seated) {
        let plate =
            controller.await_report(&format!("{name} to say what it is"), 0, |received| {
                match received.report {
                    Report::Identified(plate) if received.node == *node => Some(plate),
                    _ => None,
                }
            })?;
        assert_eq!(plate.kind, Some(*kind));
        assert_eq!(plate.serial.to_string(), logged.serial);
        let (major, minor) = plate.version;
        assert!(logged.version.starts_with(&format!("{major}.{minor}.")), "{logged:?}");
        let image = plate.image.expect("it has measured its image");
        assert!(measured.starts_with(&format!("image sha256 {image:016x}")), "{measured}");
        controller.await_device(*node)?;
    }
    // An answer that a loaded host brings after the controller's patience counts as replayed,
    // and is asked for again. Nothing else they say may be doubted.
    let refusals = controller.refusals();
    let late = refusals.of(Refusal::Replayed);
    assert_eq!(refusals.total() - late, 0, "what they said was believed: {refusals:?}");
    Ok(())
}

// CM-07: a floorperson sets the game, all links publish it, and it outlives the power.
#[test]
fn the_game_is_set_by_a_floorperson_published_to_all_and_survives_a_power_cut() -> Done {
    let hub = Hub::open()?;
    let (mut shuffler, linked) = Seated::boot_linked(&hub, "shuffler")?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    controller.await_device(SHUFFLER)?;
    linked.await_device(SHUFFLER)?;
    assert_eq!(get(&controller, SHUFFLER)?.game, Game::None);

    let (outcome, _) = controller.ask(SHUFFLER, Role::Floorperson, &profile(3))?;
    assert_eq!(outcome, Outcome::Accepted);
    for receiver in [&controller, &linked] {
        let change = receiver.await_report("the change of game", 0, |received| {
            received.report.event::<ProfileChanged>()
        })?;
        assert_eq!((change.from_game, change.to_game), (Game::None, Game::DoubleBackJack));
        assert_eq!((change.decks, change.by), (3, Role::Floorperson));
    }
    let before = get(&controller, SHUFFLER)?;
    assert_eq!((before.game, before.decks, before.cards), (Game::DoubleBackJack, 3, 156));

    drop(linked);
    let mark = controller.mark();
    shuffler.cut_power_and_boot(&hub)?;
    controller.await_report("the shuffler to start again", mark, |received| {
        (received.report == Report::Restarted).then_some(())
    })?;
    let after = get(&controller, SHUFFLER)?;
    assert_eq!((after.game, after.decks, after.seats), (before.game, before.decks, before.seats));
    assert_eq!((after.by, after.set_at_ms), (before.by, before.set_at_ms));
    Ok(())
}

// CM-07: only a floorperson, only a game that the rules know, and a refusal changes nothing.
#[test]
fn a_dealer_cannot_set_the_game_and_nobody_an_impossible_one() -> Done {
    let hub = Hub::open()?;
    let _shuffler = Seated::boot(&hub, "shuffler")?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    controller.await_device(SHUFFLER)?;
    set(&controller, SHUFFLER, 2)?;
    for role in [Role::Dealer, Role::Controller, Role::Service] {
        let (outcome, _) = controller.ask(SHUFFLER, role, &profile(4))?;
        assert_eq!(outcome, Outcome::NotAuthorised, "{role:?}");
    }
    let impossible = ProfileSetRequest { decks: 0, ..profile(0) };
    let (outcome, _) = controller.ask(SHUFFLER, Role::Floorperson, &impossible)?;
    assert_eq!(outcome, Outcome::OutOfRange);
    assert_eq!(get(&controller, SHUFFLER)?.decks, 2);
    Ok(())
}

// CM-07: each change is an event of its own, however fast they come.
#[test]
fn changes_of_game_in_quick_succession_are_each_published() -> Done {
    let hub = Hub::open()?;
    let (_shuffler, linked) = Seated::boot_linked(&hub, "shuffler")?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    controller.await_device(SHUFFLER)?;
    linked.await_device(SHUFFLER)?;
    let all: Vec<u8> = (1..=8).collect();
    all.iter().try_for_each(|decks| set(&linked, SHUFFLER, *decks))?;
    for receiver in [&controller, &linked] {
        await_change(receiver, SHUFFLER, 8, 0)?;
        assert_eq!(crate::harness::changes(&receiver.reports_since(0), SHUFFLER), all);
    }
    Ok(())
}

// CM-03: the proof is over the asker's number and the flash, reckoned here from the ELF.
fn attests(name: &'static str, node: NodeId) -> Done {
    let hub = Hub::open()?;
    let seated = Seated::boot(&hub, name)?;
    let controller = TableController::on_bus(&hub, "controller", ON_BUS)?;
    controller.await_device(node)?;
    let flash = Image::find(BOARD, name)?.flash()?;
    for nonce in [[0x5a; 32], [0xc3; 32]] {
        let expected: [u8; 32] =
            Sha256::new().chain_update(nonce).chain_update(&flash).finalize().into();
        let request = AttestationRequest { nonce, ..Default::default() };
        let deadline = Instant::now() + PATIENCE;
        let answer = loop {
            let (outcome, answer) = controller.ask(node, Role::Controller, &request)?;
            match outcome {
                Outcome::Busy => assert!(Instant::now() < deadline, "still measuring"),
                other => {
                    assert_eq!(other, Outcome::Accepted);
                    break answer;
                }
            }
        };
        assert_eq!((answer.image_length as usize, answer.digest), (flash.len(), expected));
    }
    seated.works()
}

#[test]
fn reader_proves_its_image_over_the_askers_number() -> Done {
    attests("reader", READER)
}

#[test]
fn shuffler_proves_its_image_over_the_askers_number() -> Done {
    attests("shuffler", SHUFFLER)
}

#[test]
fn paigow_proves_its_image_over_the_askers_number() -> Done {
    attests("paigow", PAIGOW)
}

/// The most that may pass between key and status.
const PUBLISHED_WITHIN: Millis = Millis::new(200);

// CM-06: while the lamps are tested they mean nothing, and the status says so, on both links. In
// step, so that the time is the device's.
#[test]
fn lamp_test_is_published_on_both_links_within_200_ms() -> Done {
    for device in ["reader", "shuffler", "paigow"] {
        let mut table = Lockstep::usual(device)?;
        table.until_known()?;
        for pressed in [true, false, true, false] {
            let (begun, reports, frames) = (table.now, table.reports.len(), table.frames.len());
            table.guest.hand().set("lamp-test", pressed)?;
            let is_so = |status: &Status| (status.condition == Condition::Checking) == pressed;
            let (mut link, mut bus) = (None, None);
            table.until("both links to publish the lamp test", Millis::from_secs(2), |table| {
                let mut on_link = table.reports[reports..].iter();
                let known =
                    on_link.any(|report| matches!(report, Report::Status(status) if is_so(status)));
                link = link.or(known.then_some(table.now.since(begun)));
                let on_bus = table.said_on_bus::<Status>(frames);
                let known = on_bus.iter().find(|(_, status)| is_so(status));
                bus = bus.or(known.map(|(at, _)| at.since(begun)));
                link.zip(bus)
            })?;
            let slowest = link.max(bus).expect("both are told");
            println!("{device}: key {pressed}: published after {link:?} and {bus:?}");
            assert!(slowest <= PUBLISHED_WITHIN, "{device}: key {pressed}: {slowest:?}");
        }
    }
    Ok(())
}
