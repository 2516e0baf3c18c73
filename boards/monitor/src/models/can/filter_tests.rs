//! Which frames are kept, and which text is a frame.

use super::bus_tests::incoming;
use super::tests::*;
use super::*;
use crate::testing::recorder::Dice;

#[test]
fn filters_of_every_kind_choose_fifo_and_number() {
    let mut rig = Rig::on_bus();
    rig.write(filters::FMR, 0x2A1C_0E01);
    // Bank 0: 32-bit mask; 1: 32-bit list; 2: 16-bit mask; 3 and, inactive, 4: 16-bit list; 5:
    // 32-bit mask; from 3 on for the second FIFO.
    rig.write(0x204, 0b01_1010);
    rig.write(0x20C, 0b10_0011);
    rig.write(0x214, 0b11_1000);
    let banks = [
        (0x1234_0000u32 << 3 | 4, 0x1FFF_0000 << 3 | 4),
        (0x1234_5678 << 3 | 4, 0x222 << 21),
        (0x7F0 << 21 | 0x300 << 5, 0x7FF << 21 | 0x18 << 16 | 0x444 << 5),
        (0x555 << 21 | 0x556 << 5, 0x557 << 21 | 0x558 << 5),
        (0x111 << 5, 0),
        (0x666 << 21, 0x7FF << 21),
    ];
    for (bank, (first, second)) in banks.into_iter().enumerate() {
        rig.write(0x240 + 8 * bank as u32, first);
        rig.write(0x244 + 8 * bank as u32, second);
    }
    rig.write(0x21C, 0b10_1111);
    rig.write(filters::FMR, 0x2A1C_0E00);
    let cases = [
        ("T123400FF0\r", Some((0, 0))),
        ("T123456780\r", Some((0, 1))), // in the mask too: the list goes first
        ("t2220\r", Some((0, 2))),
        ("t30F0\r", Some((0, 3))),
        ("t4440\r", Some((0, 4))),
        ("r4440\r", None), // the mask asks for a data frame
        ("t5560\r", Some((1, 0))),
        ("t5580\r", Some((1, 2))),
        ("t5570\r", Some((1, 3))),
        ("t1110\r", None), // bank 4 is inactive, but it counts
        ("t6660\r", Some((1, 8))),
        ("T055600000\r", None),
    ];
    for (text, wanted) in cases {
        rig.receive(text);
        rig.pass(LONG_FRAME);
        let got = [0, 1].into_iter().find_map(|fifo| {
            (rig.read(RF0R + 4 * fifo) & 3 > 0).then(|| {
                let index = rig.read(RI0R + 16 * fifo + 4) >> 8 & 0xFF;
                rig.write(RF0R + 4 * fifo, 1 << 5);
                (fifo, index)
            })
        });
        assert_eq!(got, wanted, "{text}");
    }
}

#[test]
fn nonsense_from_the_bench_harms_nothing() {
    let mut rig = Rig::on_bus();
    rig.receive("T1\rZZ\rt8000\rT200000000\rt1239\rt1231G0\r\x07\rV1013\r\n\r");
    rig.receive(&"x".repeat(500));
    rig.receive("\r");
    assert_eq!(rig.can.room(), 24);
    rig.receive("t12318A\rt12318A1234\r");
    assert_eq!(rig.can.room(), 22, "with a time stamp too");
}

#[test]
fn the_queue_from_the_bench_takes_24_frames_and_leaves_the_rest() {
    let mut rig = Rig::on_bus();
    let text: String = (0..30).map(incoming).collect();
    assert_eq!(rig.can.room(), 24);
    let taken = rig.can.receive(text.as_bytes(), &mut rig.bench.cx());
    assert_eq!((taken, rig.can.room()), (24 * 27, 0));
    rig.receive("Z\r\x07\n"); // answers always find room
    rig.pass(2 * LONG_FRAME);
    assert_eq!(rig.can.room(), 2);
    let rest = &text.as_bytes()[taken..];
    assert_eq!(rig.can.receive(rest, &mut rig.bench.cx()), 2 * 27);
}

#[test]
fn whatever_is_written_nothing_panics() {
    let mut rig = Rig::on_bus();
    let mut dice = Dice(1);
    for _ in 0..200_000 {
        let offset = [0, 0x180, 0x200][dice.below(3)] + 4 * dice.below(40) as u32;
        let value = (dice.word() & dice.word()) as u32;
        rig.bench.now += dice.word() >> [63, 50, 30, 2][dice.below(4)] >> 20;
        match dice.below(5) {
            0 => drop(rig.can.load(offset, Width::Word, &mut rig.bench.cx())),
            1 => _ = rig.can.receive(&dice.word().to_le_bytes(), &mut rig.bench.cx()),
            2 => _ = rig.can.receive(b"T123456782ABCD\rZ\r\x07", &mut rig.bench.cx()),
            _ => drop(rig.can.store(offset, Width::Word, value, &mut rig.bench.cx())),
        }
        rig.can.advance(&mut rig.bench.cx()).unwrap();
    }
}
