//! What the array does, how long it takes, and what a power cut leaves.

use super::*;

#[test]
fn a_double_word_takes_85_us() {
    let mut chip = Chip::unlocked();
    let (sr, took) = chip.driver_writes(START + 8, 0x1122_3344_5566_7788).unwrap();
    assert_eq!((sr, took), (0, 85 * US));
    assert_eq!(chip.word(START + 8), 0x1122_3344_5566_7788);
    assert!(!chip.is_torn(START + 8));
    assert_eq!(chip.flash.next(), None);
}

#[test]
fn a_double_word_is_torn_until_its_end() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    chip.program(START, 0x5566_7788).unwrap();
    assert!(!chip.is_torn(START), "half a double word is only latched");
    chip.program(START + 4, 0x1122_3344).unwrap();
    assert!(chip.is_torn(START));
    assert_eq!(chip.word(START), 0xFFFF_FFFF_5566_7788);
    assert_eq!(chip.flash.next(), Some(85 * US));
    chip.bench.now = 85 * US;
    chip.flash.advance(&mut chip.bench.cx()).unwrap();
    assert!(!chip.is_torn(START));
    assert_eq!(chip.word(START), 0x1122_3344_5566_7788);
    assert_eq!(chip.bench.memory.steps, 2);
}

#[test]
fn a_power_cut_leaves_a_double_word_untouched_or_torn_or_whole() {
    for (cut, torn, word) in
        [(1, false, u64::MAX), (2, true, 0xFFFF_FFFF_5566_7788), (3, false, 0x1122_3344_5566_7788)]
    {
        let mut chip = Chip::unlocked();
        chip.bench.memory.cut_at = Some(cut);
        chip.driver_writes(START, 0x1122_3344_5566_7788).unwrap();
        assert_eq!((chip.is_torn(START), chip.word(START)), (torn, word), "cut {cut}");
    }
}

#[test]
fn a_page_erase_takes_22_ms_and_leaves_its_neighbours() {
    let mut chip = Chip::unlocked();
    for offset in [START, START + PAGE, START + 2 * PAGE - 8, START + 2 * PAGE] {
        chip.driver_writes(offset, 1).unwrap();
    }
    let (sr, took) = chip.driver_erases(START + PAGE).unwrap();
    assert_eq!((sr, took), (0, 22 * MS));
    assert_eq!((chip.word(START), chip.word(START + 2 * PAGE)), (1, 1));
    assert_eq!((chip.word(START + PAGE), chip.word(START + 2 * PAGE - 8)), (u64::MAX, u64::MAX));
    assert_eq!(chip.bench.memory.torn_words(), 0);
    assert_eq!(chip.flash.pages_erased(), 1);
}

#[test]
fn a_page_erase_is_torn_by_a_power_cut_at_each_of_its_steps() {
    for cut in 1..=9 {
        let mut chip = Chip::unlocked();
        chip.driver_writes(START + PAGE - 8, 0).unwrap();
        let before = chip.bench.memory.steps;
        chip.bench.memory.cut_at = Some(before + cut);
        chip.driver_erases(START).unwrap();
        assert_eq!(chip.bench.memory.steps, before + 9);
        assert_eq!(chip.bench.memory.torn_words(), 32 * (cut as usize - 1), "cut {cut}");
        let last = chip.word(START + PAGE - 8);
        assert_eq!(last, if cut < 9 { 0 } else { 0x5555_5555_5555_5555 });
    }
}

#[test]
fn an_erase_goes_in_eight_steps_of_an_eighth_of_its_time() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PER | cr::BKER | 240 << cr::PNB_SHIFT | cr::STRT).unwrap();
    assert_eq!(chip.load(CR) & cr::STRT, cr::STRT);
    let mut steps = Vec::new();
    while let Some(next) = chip.flash.next() {
        steps.push((next, chip.bench.memory.torn_words()));
        chip.bench.now = next;
        chip.flash.advance(&mut chip.bench.cx()).unwrap();
    }
    let expected: Vec<_> = (1..=8).map(|k| (k * 22 * MS / 8, 32 * k as usize)).collect();
    assert_eq!(steps, expected);
    assert_eq!(chip.load(CR) & cr::STRT, 0);
}

#[test]
fn a_late_advance_does_all_steps_in_order() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PER | cr::BKER | 255 << cr::PNB_SHIFT | cr::STRT).unwrap();
    chip.bench.now = 60 * MS;
    chip.flash.advance(&mut chip.bench.cx()).unwrap();
    assert_eq!((chip.bench.memory.steps, chip.bench.memory.torn_words()), (9, 0));
    assert_eq!(chip.load(SR), 0);
}

#[test]
fn a_double_word_takes_data_once_and_zeros_any_time() {
    let mut chip = Chip::unlocked();
    chip.driver_writes(START, 0xFFFF_FFFF_FFFF_FFF0).unwrap();
    let (sr, took) = chip.driver_writes(START, 0xFFFF_FFFF_FFFF_FF00).unwrap();
    assert_eq!((sr, took), (sr::PROGERR, 0));
    assert_eq!(chip.word(START), 0xFFFF_FFFF_FFFF_FFF0);
    let (sr, took) = chip.driver_writes(START, 0).unwrap();
    assert_eq!((sr, took), (0, 85 * US));
    assert_eq!(chip.word(START), 0);
}

#[test]
fn a_torn_word_that_reads_blank_takes_no_data_but_zeros_mend_it() {
    let mut chip = Chip::unlocked();
    chip.bench.memory.set_torn(START, true);
    assert_eq!(chip.driver_writes(START, 5).unwrap().0, sr::PROGERR);
    assert_eq!(chip.driver_writes(START, 0).unwrap().0, 0);
    assert!(!chip.is_torn(START));
}

#[test]
fn bytes_and_halves_are_a_size_error() {
    for width in [Width::Byte, Width::Half] {
        let mut chip = Chip::unlocked();
        chip.store(CR, cr::PG).unwrap();
        chip.flash.program(START + 0x7FFE, width, 1, &mut chip.bench.cx()).unwrap();
        assert_eq!(chip.load(SR), sr::SIZERR);
    }
}

#[test]
fn the_lower_word_comes_first_and_its_own_upper_second() {
    for (first, second) in [(4, None), (0, Some(8)), (0, Some(0)), (0, Some(12)), (8, Some(4))] {
        let mut chip = Chip::unlocked();
        chip.store(CR, cr::PG).unwrap();
        chip.program(START + first, 1).unwrap();
        if let Some(second) = second {
            assert_eq!(chip.load(SR), 0);
            chip.program(START + second, 2).unwrap();
        }
        assert_eq!(chip.load(SR), sr::PGAERR, "{first} {second:?}");
        assert_eq!(chip.bench.memory.steps, 0);
    }
}

#[test]
fn a_store_out_of_sequence_is_a_sequence_error() {
    for mode in [0, cr::PER, cr::FSTPG, cr::PG | cr::PER, cr::PG | cr::MER2] {
        let mut chip = Chip::unlocked();
        chip.store(CR, mode).unwrap();
        chip.program(START, 1).unwrap();
        assert_eq!(chip.load(SR), sr::PGSERR, "{mode:#x}");
    }
    let mut locked = Chip::unlocked();
    locked.store(CR, cr::PG | cr::LOCK).unwrap();
    locked.program(START, 1).unwrap();
    assert_eq!(locked.load(SR), sr::PGSERR);
}

#[test]
fn programming_and_erasing_at_once_is_a_sequence_error() {
    for mode in [cr::PG | cr::PER, cr::FSTPG | cr::PER, cr::PG | cr::MER1, cr::PG | cr::MER2] {
        let mut chip = Chip::unlocked();
        chip.store(CR, mode).unwrap();
        assert_eq!(chip.load(SR), sr::PGSERR, "{mode:#x}");
    }
}

#[test]
fn a_refused_store_drops_the_half_that_came_before_it() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    chip.program(START, 1).unwrap();
    chip.program(START + 12, 2).unwrap();
    chip.store(CR, 0).unwrap();
    assert_eq!(chip.driver_writes(START + 8, 3).unwrap(), (0, 85 * US));
    assert_eq!((chip.word(START), chip.word(START + 8)), (u64::MAX, 3));
}

#[test]
fn an_error_left_standing_blocks_the_next_operation_until_cleared() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PG).unwrap();
    chip.program(START + 4, 1).unwrap();
    chip.program(START, 1).unwrap();
    assert_eq!(chip.load(SR), sr::PGAERR | sr::PGSERR);
    let erase = cr::PER | cr::BKER | 240 << cr::PNB_SHIFT | cr::STRT;
    chip.store(CR, erase).unwrap();
    assert_eq!(chip.flash.next(), None);
    chip.store(SR, sr::PGAERR).unwrap();
    assert_eq!(chip.load(SR), sr::PGSERR);
    chip.store(SR, sr::PGSERR).unwrap();
    chip.store(CR, erase).unwrap();
    assert_eq!(chip.load(SR), sr::BSY);
}

#[test]
fn the_end_interrupts_only_with_eopie_and_until_it_is_cleared() {
    let erase = cr::PER | cr::BKER | 240 << cr::PNB_SHIFT | cr::STRT;
    let mut chip = Chip::unlocked();
    chip.store(CR, erase).unwrap();
    assert_eq!(chip.wait_ready().0, 0);
    assert!(!chip.bench.lines.is_high(Line::Flash));
    chip.store(CR, erase | cr::EOPIE).unwrap();
    assert_eq!(chip.wait_ready().0, sr::EOP);
    assert!(chip.bench.lines.is_high(Line::Flash));
    chip.store(SR, sr::EOP).unwrap();
    assert!(!chip.bench.lines.is_high(Line::Flash));
}

#[test]
fn an_error_interrupts_only_with_errie() {
    for (enabled, flags) in [(0, sr::PGAERR), (cr::ERRIE, sr::PGAERR | sr::OPERR)] {
        let mut chip = Chip::unlocked();
        chip.store(CR, cr::PG | enabled).unwrap();
        chip.program(START + 4, 1).unwrap();
        assert_eq!(chip.load(SR), flags);
        assert_eq!(chip.bench.lines.is_high(Line::Flash), enabled != 0);
    }
}

#[test]
fn a_torn_word_read_says_where_until_its_flag_is_cleared() {
    let mut chip = Chip::new();
    let read = |chip: &mut Chip, offset| chip.flash.read_check(offset, &mut chip.bench.cx());
    chip.bench.memory.set_torn(START + 0x18, true);
    chip.bench.memory.set_torn(START + 0x40, true);
    assert_eq!(read(&mut chip, START + 0x10), ReadOutcome::Whole);
    assert_eq!(read(&mut chip, 0x100), ReadOutcome::Whole);
    assert!(!chip.flash.nmi());
    assert_eq!(read(&mut chip, START + 0x1D), ReadOutcome::Torn);
    let first = eccr::ECCD | eccr::BK_ECC | 0x7_8018;
    assert_eq!(chip.load(ECCR), first);
    assert_eq!(read(&mut chip, START + 0x40), ReadOutcome::Torn);
    assert_eq!(chip.load(ECCR), first);
    assert!(chip.flash.nmi());
    chip.modify(ECCR, |eccr| eccr | eccr::ECCD).unwrap();
    assert_eq!(chip.load(ECCR), 0);
    assert!(!chip.flash.nmi());
    assert_eq!(read(&mut chip, START + 0x40), ReadOutcome::Torn);
    assert_eq!(chip.load(ECCR) & 0x7_FFFF, 0x7_8040);
}

#[test]
fn a_read_of_the_busy_bank_stalls_to_the_end_and_the_other_bank_reads_on() {
    let mut chip = Chip::unlocked();
    chip.store(CR, cr::PER | cr::BKER | 240 << cr::PNB_SHIFT | cr::STRT).unwrap();
    chip.bench.now = 10 * MS;
    let stalls = chip.flash.read_check(START + 0x4000, &mut chip.bench.cx());
    assert_eq!(stalls, ReadOutcome::Stalls(22 * MS));
    assert_eq!(chip.flash.read_check(0, &mut chip.bench.cx()), ReadOutcome::Whole);
    chip.bench.now = 22 * MS;
    let after = chip.flash.read_check(START + 0x4000, &mut chip.bench.cx());
    assert_eq!(after, ReadOutcome::Whole);
}
