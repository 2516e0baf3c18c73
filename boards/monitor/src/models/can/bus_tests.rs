//! The controller on its bus: time, order, loss, acknowledge and errors.

use super::mailboxes::{ALST, RQCP, TERR, TXOK};
use super::tests::*;
use super::*;

const PATIENCE: Ns = 250_000_000;

impl Rig {
    /// TEC, LEC and the three flags of ESR.
    pub(super) fn errors(&mut self) -> (u32, u32, u32) {
        let esr = self.read(ESR);
        (esr >> 16 & 0xFF, esr >> 4 & 7, esr & 7)
    }

    /// Takes the oldest frame of the first FIFO: identifier register and data.
    pub(super) fn take(&mut self) -> (u32, u64) {
        let frame = (
            self.read(RI0R),
            u64::from(self.read(RI0R + 12)) << 32 | u64::from(self.read(RI0R + 8)),
        );
        self.write(RF0R, 1 << 5);
        frame
    }
}

pub(super) fn incoming(id: u32) -> String {
    format!("T{id:08X}8{id:016X}\r")
}

#[test]
fn a_frame_is_sent_when_its_time_is_over_and_somebody_took_it() {
    let mut rig = Rig::on_bus();
    rig.write(IER, TMEIE);
    rig.ask(0, 0x107D_552A, &[0, 0, 0, 0, 4, 0x78, 0x68, 0xE0]);
    assert_eq!(rig.read(TSR) >> 24, 0b0001_1001, "mailbox 0 is pending, 1 is next");
    rig.pass(LONG_FRAME - 1);
    assert_eq!((rig.sent(), rig.read(MSR) >> 8 & 1), (String::new(), 1));
    rig.pass(1);
    assert_eq!(rig.sent(), "T107D552A800000000047868E0\r");
    rig.pass(5_000_000);
    assert_eq!((rig.read(TSR) & 0xFF, rig.can.sent()), (0, 0), "it does not acknowledge itself");
    assert!(!rig.is_high(Line::CanTx));
    rig.receive("Z\r");
    assert_eq!((rig.read(TSR), rig.can.sent()), (0x1C00_0000 | RQCP | TXOK, 1));
    assert!(rig.is_high(Line::CanTx));
    rig.write(TSR, 0x0001_0101);
    assert_eq!(rig.read(TSR), 0x1C00_0000);
    assert!(!rig.is_high(Line::CanTx));
}

#[test]
fn standard_and_remote_frames_have_their_own_text() {
    let mut rig = Rig::on_bus();
    rig.write(TI0R + 4, 2);
    rig.write(TI0R + 8, 0xDEC0);
    rig.write(TI0R, 0x7FF << 21 | 1);
    rig.pass(LONG_FRAME);
    rig.receive("z\r");
    rig.write(TI0R, 0x7FF << 21 | 0b11);
    rig.pass(LONG_FRAME);
    assert_eq!(rig.sent(), "t7FF2C0DE\rr7FF2\r");
}

#[test]
fn mailboxes_go_in_the_order_of_request_or_of_identifier() {
    let texts = ["T00000300", "T00000100", "T00000200"];
    for txfp in [TXFP, 0] {
        let mut rig = Rig::on_bus_with(txfp);
        rig.ask(2, 0x300, &[]);
        rig.ask(0, if txfp != 0 { 0x100 } else { 0x200 }, &[]);
        rig.ask(1, if txfp != 0 { 0x200 } else { 0x100 }, &[]);
        // CODE and LOW name the one that goes last.
        let last = if txfp != 0 { 1 } else { 2 };
        assert_eq!(rig.read(TSR) >> 24, 1 << (5 + last) | last, "TXFP {txfp}");
        for text in texts {
            rig.pass(LONG_FRAME);
            assert_eq!(rig.sent(), format!("{text}0\r"), "TXFP {txfp}");
            rig.receive("Z\r");
        }
        assert_eq!(rig.can.sent(), 3);
    }
}

#[test]
fn what_nobody_answers_is_sent_again_each_250_ms_up_to_error_passive() {
    let mut rig = Rig::on_bus();
    rig.write(IER, ERRIE | 1 << 11);
    rig.ask(0, 0x100, &[]);
    rig.pass(PATIENCE - BIT);
    assert_eq!((rig.sent(), rig.errors()), ("T000001000\r".into(), (0, 0, 0)));
    rig.pass(LONG_FRAME);
    assert_eq!(rig.errors(), (8, 3, 0));
    assert!(rig.is_high(Line::CanSce));
    rig.pass(PATIENCE * 40);
    assert!(rig.sent().matches('T').count() >= 39);
    assert_eq!(rig.errors(), (128, 3, 0b011), "error passive, and no further");
    assert_eq!(rig.read(TSR) >> 26 & 1, 0, "still pending");
    rig.receive("Z\r");
    assert_eq!((rig.errors(), rig.can.sent()), ((127, 0, 0b001), 1));
}

#[test]
fn alone_it_tries_at_the_buses_speed_and_says_nothing() {
    let mut rig = Rig::on_bus();
    rig.can.set_alone(true);
    rig.ask(0, 0x100, &[1, 2, 3, 4, 5, 6, 7, 8]);
    rig.receive(&incoming(0x1));
    rig.pass(10 * LONG_FRAME);
    let (tec, lec, _) = rig.errors();
    assert!((40..80).contains(&tec) && lec == 3, "{tec} {lec}");
    assert_eq!((rig.sent(), rig.can.received()), (String::new(), 0));
    rig.pass(100_000_000);
    assert_eq!(rig.errors().0, 128);
    rig.can.set_alone(false);
    rig.pass(2 * LONG_FRAME);
    assert_eq!(rig.sent(), "T0000010080102030405060708\r");
    rig.receive("Z\r");
    assert_eq!(rig.can.sent(), 1);
}

#[test]
fn a_refused_frame_goes_again_until_bus_off_and_comes_back_by_itself() {
    let mut rig = Rig::on_bus();
    rig.write(IER, ERRIE | 1 << 10);
    rig.ask(0, 0x100, &[]);
    for refusal in 1..=31 {
        rig.pass(LONG_FRAME);
        assert_eq!(rig.sent(), "T000001000\r", "refusal {refusal}");
        rig.receive("\x07");
        assert_eq!(rig.errors().0, 8 * refusal);
        assert_eq!(rig.read(TSR) & 0xFF, TERR);
        assert_eq!(
            rig.errors().2,
            if refusal < 12 {
                0
            } else if refusal < 16 {
                1
            } else {
                3
            }
        );
    }
    assert!(!rig.is_high(Line::CanSce));
    rig.pass(LONG_FRAME);
    rig.receive("\x07");
    rig.sent();
    assert_eq!(rig.errors().2, 0b111, "bus-off");
    assert!(rig.is_high(Line::CanSce));
    rig.pass(128 * 11 * BIT - 1);
    assert_eq!((rig.errors().2 & 4, rig.sent()), (4, String::new()));
    rig.pass(1);
    assert_eq!((rig.errors().0, rig.errors().2), (0, 0));
    rig.pass(LONG_FRAME);
    assert_eq!(rig.sent(), "T000001000\r", "what was pending goes on");
}

#[test]
fn without_abom_bus_off_lasts_until_software_goes_through_initialization() {
    let mut rig = Rig::on_bus_with(TXFP);
    rig.ask(0, 0x100, &[]);
    for _ in 0..32 {
        rig.pass(LONG_FRAME);
        rig.receive("\x07");
    }
    rig.sent();
    rig.pass(100_000_000);
    assert_eq!(rig.errors().2 & 4, 4);
    rig.write(MCR, TXFP | INRQ);
    rig.pass(BIT);
    assert_eq!(rig.read(MSR) & 3, INAK);
    rig.write(MCR, TXFP);
    rig.pass(11 * BIT);
    assert_eq!((rig.errors().2 & 4, rig.sent()), (4, String::new()), "128 times eleven bits");
    rig.pass(128 * 11 * BIT);
    assert_eq!((rig.errors().2, rig.read(MSR) & 3), (0, 0));
}

#[test]
fn with_nart_a_frame_is_tried_once() {
    let mut rig = Rig::on_bus_with(TXFP | NART);
    rig.ask(0, 0x100, &[]);
    rig.pass(LONG_FRAME);
    rig.receive("\x07");
    assert_eq!(rig.read(TSR), 0x1C00_0000 | RQCP | TERR);
    rig.ask(0, 0x100, &[]);
    rig.pass(PATIENCE + LONG_FRAME);
    assert_eq!(rig.read(TSR), 0x1C00_0000 | RQCP | TERR);
    // Arbitration lost: another frame waits with a lower identifier.
    rig.receive(&incoming(0x1));
    rig.receive(&incoming(0x2));
    rig.ask(0, 0x100, &[]);
    rig.pass(2 * LONG_FRAME);
    assert_eq!(rig.read(TSR), 0x1C00_0000 | RQCP | ALST);
}

#[test]
fn an_abort_ends_what_waits_at_once_and_what_is_on_the_wire_with_it() {
    let mut rig = Rig::on_bus();
    rig.ask(0, 0x100, &[1; 8]);
    rig.ask(1, 0x101, &[]);
    rig.write(TSR, 1 << 15 | 1 << 23);
    assert_eq!(rig.read(TSR) >> 8 & 0xFF, RQCP, "never on the wire");
    assert_eq!(rig.read(TSR) >> 16 & 0xFF, 0, "never asked for");
    rig.write(TSR, 1 << 7);
    assert_eq!(rig.read(TSR) & 0xFF, 1 << 7, "on the wire");
    rig.pass(LONG_FRAME);
    assert_eq!((rig.read(TSR) & 0xFF, rig.sent()), (RQCP, String::new()));
    // One that waits for its answer: aborted, and the answer is dropped.
    rig.ask(0, 0x102, &[]);
    rig.pass(LONG_FRAME);
    rig.write(TSR, 1 << 7);
    assert_eq!(rig.read(TSR) & 0xFF, RQCP);
    rig.ask(0, 0x103, &[]);
    rig.pass(LONG_FRAME);
    rig.receive("Z\r");
    assert_eq!(rig.can.sent(), 0);
    rig.receive("Z\r");
    assert_eq!(rig.can.sent(), 1);
}

#[test]
fn an_answer_to_a_repeat_is_not_taken_for_the_next_frames() {
    let mut rig = Rig::on_bus();
    rig.ask(0, 0x100, &[]);
    rig.pass(PATIENCE + 2 * LONG_FRAME);
    assert_eq!(rig.sent().matches('T').count(), 2);
    rig.receive("Z\r");
    rig.ask(1, 0x101, &[]);
    rig.pass(LONG_FRAME);
    rig.receive("Z\r");
    assert_eq!(rig.can.sent(), 1, "that was the repeat's");
    rig.receive("Z\r");
    assert_eq!(rig.can.sent(), 2);
}

#[test]
fn a_hub_that_lost_texts_costs_one_repeat_and_not_one_a_frame() {
    let mut rig = Rig::on_bus();
    rig.ask(0, 0x100, &[]);
    rig.pass(10 * (PATIENCE + LONG_FRAME));
    rig.receive("Z\r"); // the others were lost
    rig.sent();
    let mut texts = 0;
    for _ in 0..5 {
        let sent = rig.can.sent();
        rig.ask(1, 0x101, &[]);
        while rig.can.sent() == sent {
            rig.pass(1_000_000);
            for _ in 0..rig.sent().matches('T').count() {
                texts += 1;
                rig.receive("Z\r");
            }
        }
    }
    assert_eq!(texts, 6);
}

#[test]
fn frames_arrive_one_after_another_at_the_speed_of_the_bus() {
    let mut rig = Rig::on_bus();
    rig.write(IER, 1 << 1);
    rig.receive(&(incoming(1) + &incoming(2)));
    rig.pass(LONG_FRAME - 1);
    assert_eq!((rig.read(RF0R), rig.is_high(Line::CanRx0)), (0, false));
    rig.pass(1);
    assert_eq!((rig.read(RF0R), rig.is_high(Line::CanRx0)), (1, true));
    rig.pass(LONG_FRAME - 1);
    assert_eq!(rig.read(RF0R), 1);
    rig.pass(1);
    assert_eq!(rig.read(RF0R), 2);
    assert_eq!(rig.take(), (1 << 3 | frame::IDE, u64::from_be(1)));
    assert!(rig.is_high(Line::CanRx0));
    assert_eq!(rig.take(), (2 << 3 | frame::IDE, u64::from_be(2)));
    assert!(!rig.is_high(Line::CanRx0));
    // A short frame takes less.
    rig.receive("t1230\r");
    rig.pass(51 * BIT);
    assert_eq!((rig.read(RF0R), rig.read(RI0R + 4) & 0xF), (1, 0));
}

#[test]
fn a_late_look_finds_one_frame_and_not_a_burst() {
    let mut rig = Rig::on_bus();
    for id in 1..=6 {
        rig.receive(&incoming(id));
    }
    rig.bench.now += 100_000_000;
    assert_eq!(rig.read(RF0R), 1);
    rig.pass(LONG_FRAME - 1);
    assert_eq!(rig.read(RF0R), 1);
    rig.pass(1);
    assert_eq!(rig.read(RF0R), 2);
    assert_eq!(rig.can.lost(), 0);
}

#[test]
fn the_fourth_unread_frame_is_lost_and_fovr_tells() {
    for (rflm, last) in [(0, 4), (1 << 3, 3)] {
        let mut rig = Rig::on_bus_with(TXFP | rflm);
        rig.write(IER, 1 << 2 | 1 << 3);
        for id in 1..=4 {
            rig.receive(&incoming(id));
        }
        rig.pass(3 * LONG_FRAME);
        assert_eq!((rig.read(RF0R), rig.can.lost()), (3 | 1 << 3, 0));
        rig.write(RF0R, 1 << 3);
        assert!(!rig.is_high(Line::CanRx0));
        rig.pass(LONG_FRAME);
        assert_eq!((rig.read(RF0R), rig.can.lost()), (3 | 1 << 4, 1));
        assert!(rig.is_high(Line::CanRx0));
        assert_eq!(rig.can.received(), 3);
        rig.write(RF0R, 1 << 4);
        let ids = [(); 3].map(|()| rig.take().0 >> 3);
        assert_eq!(ids, [1, 2, last], "RFLM {rflm}");
    }
}

#[test]
fn where_time_is_the_hosts_frames_wait_for_room_and_ours_go_meanwhile() {
    let mut rig = Rig::on_bus();
    rig.can.set_patient(true);
    for id in 1..=5 {
        rig.receive(&incoming(id));
    }
    rig.pass(10 * LONG_FRAME);
    assert_eq!((rig.read(RF0R), rig.can.lost()), (3 | 1 << 3, 0));
    rig.ask(0, 0x100, &[0; 8]);
    rig.pass(LONG_FRAME);
    assert_eq!(rig.sent().len(), 27);
    rig.receive("Z\r");
    assert_eq!(rig.take().0 >> 3, 1);
    rig.pass(LONG_FRAME);
    assert_eq!([(); 3].map(|()| rig.take().0 >> 3), [2, 3, 4]);
    rig.pass(LONG_FRAME);
    assert_eq!((rig.take().0 >> 3, rig.can.lost()), (5, 0));
}

#[test]
fn a_reset_through_rcc_keeps_what_the_bench_has_set_up() {
    let mut rig = Rig::on_bus();
    rig.can.set_patient(true);
    rig.can.set_alone(true);
    rig.receive(&incoming(1)[..5]); // and the rest of the text comes after the reset
    rig.can.reset();
    assert!(rig.can.patient && rig.can.wire.alone);
    rig.receive(&incoming(1)[5..]);
    assert_eq!(rig.can.room(), 23);
    assert_eq!(rig.read(MCR), 0x0001_0002, "asleep, as after a reset");
}

#[test]
fn incoming_and_outgoing_frames_share_the_wire_by_identifier() {
    let mut rig = Rig::on_bus();
    rig.receive(&(incoming(0x50) + &incoming(0x200) + &incoming(0x201)));
    rig.ask(0, 0x100, &[0; 8]);
    rig.pass(LONG_FRAME);
    assert_eq!((rig.sent(), rig.can.received()), (String::new(), 1), "it was there first");
    rig.pass(LONG_FRAME);
    assert_eq!(rig.sent().len(), 27, "0x100 goes before 0x200");
    rig.pass(2 * LONG_FRAME);
    assert_eq!(rig.can.received(), 3, "while the answer is awaited, others speak");
}

#[test]
fn of_one_base_identifier_the_standard_frame_goes_first() {
    let mut rig = Rig::on_bus();
    rig.receive(&(incoming(1) + "t1000\r"));
    rig.ask(0, 0x100 << 18, &[]);
    rig.pass(LONG_FRAME + 51 * BIT);
    assert_eq!((rig.can.received(), rig.sent()), (2, String::new()));
}
