//! The controller off its bus, or held.

use super::bus_tests::*;
use super::tests::*;
use super::*;

#[test]
fn a_frame_that_was_on_the_wire_before_we_joined_is_not_ours() {
    let mut rig = Rig::on_bus();
    rig.write(MCR, INRQ);
    rig.pass(BIT);
    rig.receive(&incoming(1));
    rig.pass(50 * BIT);
    rig.write(MCR, 0);
    rig.pass(94 * BIT);
    assert_eq!((rig.read(MSR) & 3, rig.can.received()), (0, 0));
}

#[test]
fn what_passes_by_while_off_the_bus_is_not_kept() {
    let mut rig = Rig::new();
    rig.receive(&incoming(1));
    rig.pass(LONG_FRAME);
    assert_eq!((rig.can.room(), rig.can.received(), rig.can.lost()), (24, 0, 0));
    let mut rig = Rig::on_bus();
    rig.write(filters::FMR, 0x2A1C_0E01);
    rig.receive(&incoming(1));
    rig.pass(LONG_FRAME);
    assert_eq!(rig.can.received(), 0, "FINIT stops reception");
}

#[test]
fn a_held_controller_ends_nothing_and_goes_on_where_it_was() {
    let mut rig = Rig::on_bus();
    rig.receive(&incoming(1));
    rig.pass(LONG_FRAME / 2);
    rig.read(MSR);
    rig.can.set_held(true);
    assert_eq!((rig.can.next(), rig.can.room()), (None, 0));
    assert_eq!(rig.can.receive(b"Z\r", &mut rig.bench.cx()), 0);
    rig.ask(0, 0x100, &[]);
    for _ in 0..100 {
        rig.pass(10_000_000);
        assert_eq!(rig.read(RF0R), 0);
    }
    rig.can.set_held(false);
    rig.pass(LONG_FRAME / 2 - 1);
    assert_eq!(rig.read(RF0R), 0);
    rig.pass(1);
    assert_eq!(rig.read(RF0R), 1);
    // Held with a quiet wire: what was asked for does not end either.
    rig.pass(LONG_FRAME);
    rig.receive("Z\r");
    rig.sent();
    rig.can.set_held(true);
    rig.ask(0, 0x101, &[]);
    rig.pass(2 * LONG_FRAME);
    rig.read(TSR);
    rig.can.set_held(false);
    assert_eq!(rig.sent(), "");
    rig.pass(LONG_FRAME);
    assert_eq!(rig.sent(), "T000001010\r");
    rig.can.set_held(true);
    rig.write(MCR, INRQ);
    rig.pass(1_000_000);
    assert_eq!(rig.read(MSR) & INAK, 0);
    rig.can.set_held(false);
    rig.pass(BIT - 1);
    assert_eq!(rig.read(MSR) & INAK, 0);
    rig.pass(1);
    assert_eq!(rig.read(MSR) & INAK, INAK);
}
