//! embassy's own start seen to pass, and each rule seen to fire.

mod plls;

use super::*;
use crate::models::flash::Flash;
use crate::testing::memory::Bench;

const US: Ns = 1_000;
/// PLLCFGR: HSI16, undivided, times 10, R by 2: 80 MHz.
const EIGHTY: u32 = 2 | 10 << pll::N_SHIFT | pll::REN;
/// PLLSAI1CFGR: times 12, Q by 4: 48 MHz.
const FORTY_EIGHT: u32 = 12 << pll::N_SHIFT | pll::QEN | 1 << pll::Q_SHIFT;

struct Chip {
    rcc: Rcc,
    bench: Bench,
}

impl Chip {
    fn new() -> Self {
        Self { rcc: Rcc::new(), bench: Bench::new() }
    }

    fn load(&mut self, offset: u32) -> u32 {
        self.rcc.load(offset, Width::Word, &mut self.bench.cx()).unwrap()
    }

    fn store(&mut self, offset: u32, value: u32) -> Result<(), Breach> {
        self.rcc.store(offset, Width::Word, value, &mut self.bench.cx())
    }

    fn modify(&mut self, offset: u32, change: impl FnOnce(u32) -> u32) -> Result<(), Breach> {
        let value = change(self.load(offset));
        self.store(offset, value)
    }

    /// Spins, a microsecond a turn, until the bit is set; says how long it took.
    fn wait(&mut self, offset: u32, bit: u32) -> Ns {
        let start = self.bench.now;
        while self.load(offset) & bit == 0 {
            self.bench.now += US;
            assert!(self.bench.now < start + 3_000_000 * US, "never ready");
        }
        self.bench.now - start
    }

    fn turn_on(&mut self, on: u32, ready: u32) -> Ns {
        self.modify(CR, |cr| cr | on).unwrap();
        self.wait(CR, ready)
    }

    fn with_hsi() -> Self {
        let mut chip = Self::new();
        chip.turn_on(cr::HSION, cr::HSIRDY);
        chip
    }

    /// With this in PLLCFGR and the PLL on.
    fn with_pll(config: u32) -> Result<Self, Breach> {
        let mut chip = Self::with_hsi();
        chip.store(PLLCFGR, config)?;
        chip.modify(CR, |cr| cr | cr::PLLON)?;
        chip.wait(CR, cr::PLLRDY);
        Ok(chip)
    }

    /// At 80 MHz.
    fn at_eighty() -> Self {
        let mut chip = Self::with_pll(EIGHTY).unwrap();
        chip.modify(CFGR, |cfgr| cfgr | 3).unwrap();
        chip
    }

    /// embassy-stm32 0.6.0, `rcc/l.rs`, up to the change of FLASH_ACR: low-speed clocks as by
    /// default, MSI at `range`, HSI16 on, PLL at 80 MHz, PLLSAI1 at 48 MHz.
    fn embassy_init_before_latency(&mut self, range: u32, flash: &Flash) -> Result<(), Breach> {
        self.rcc.backup_unlocked = true;
        self.modify(CSR, |csr| csr | csr::LSION)?;
        self.wait(CSR, csr::LSIRDY);
        self.modify(BDCR, |bdcr| bdcr | bdcr::BDRST)?;
        self.modify(BDCR, |bdcr| bdcr & !bdcr::BDRST)?;
        self.modify(BDCR, |bdcr| bdcr | 1 << 15 | 2 << 8)?;
        self.modify(CR, |cr| cr & !cr::MSIRANGE | cr::MSIRGSEL | range << 4)?;
        flash.check_clock(self.rcc.clocks().hclk, "RCC_CR", self.load(CR))?;
        self.modify(CR, |cr| cr | cr::MSION)?;
        self.wait(CR, cr::MSIRDY);
        self.turn_on(cr::HSION, cr::HSIRDY);
        self.store(PLLCFGR, 2)?;
        self.modify(CR, |cr| cr & !cr::PLLON)?;
        self.store(PLLCFGR, EIGHTY)?;
        self.turn_on(cr::PLLON, cr::PLLRDY);
        self.modify(CR, |cr| cr & !cr::PLLSAI1ON)?;
        self.store(PLLSAI1CFGR, FORTY_EIGHT)?;
        self.turn_on(cr::PLLSAI1ON, cr::PLLSAI1RDY);
        self.modify(CR, |cr| cr & !cr::PLLSAI2ON)
    }
}

#[test]
fn registers_have_the_manuals_reset_values() {
    let mut chip = Chip::new();
    let expected = [
        (CR, 0x63),
        (CFGR, 0),
        (PLLCFGR, 0x1000),
        (PLLSAI1CFGR, 0x1000),
        (PLLSAI2CFGR, 0x1000),
        (AHB1ENR, 0x100),
        (AHB2SMENR, 0x0005_32FF),
        (APB1SMENR1, 0xF2FE_CA3F),
        (APB2SMENR, 0x0167_7C01),
        (CCIPR, 0),
        (BDCR, 0),
        (CSR, 0x0C00_0600),
    ];
    for (offset, value) in expected {
        assert_eq!(chip.load(offset), value, "{offset:#x}");
    }
    assert_eq!(chip.rcc.clocks(), Clocks::RESET);
}

#[test]
fn embassys_start_with_48_mhz_from_pllsai1_passes() {
    let (mut chip, mut flash, mut bench) = (Chip::new(), Flash::new(), Bench::new());
    chip.embassy_init_before_latency(6, &flash).unwrap();
    assert_eq!(chip.rcc.clocks().hclk, 4_000_000);
    flash.store(0, Width::Word, 0x704, &mut bench.cx()).unwrap();
    chip.modify(CFGR, |cfgr| cfgr | 3).unwrap();
    assert_eq!(chip.load(CFGR) >> 2 & 3, 3);
    chip.store(CCIPR, 1 << 26).unwrap();
    let clocks = chip.rcc.clocks();
    assert_eq!([clocks.hclk, clocks.pclk1, clocks.pclk2], [80_000_000; 3]);
    assert_eq!(clocks.clk48, 48_000_000);
    flash.check_clock(clocks.hclk, "RCC_CFGR", 3).unwrap();
}

#[test]
fn embassys_start_with_msi_at_48_mhz_is_too_fast_for_flash() {
    let (mut chip, flash) = (Chip::new(), Flash::new());
    let breach = chip.embassy_init_before_latency(11, &flash).unwrap_err();
    assert_eq!(breach.register, "RCC_CR");
    assert!(breach.rule.contains("up to 48 MHz needs 2 wait states"), "{}", breach.rule);
}

#[test]
fn each_source_is_ready_after_its_time() {
    let mut chip = Chip::new();
    assert_eq!(chip.turn_on(cr::HSION, cr::HSIRDY), 3 * US);
    chip.store(PLLCFGR, EIGHTY).unwrap();
    assert_eq!(chip.turn_on(cr::PLLON, cr::PLLRDY), 15 * US);
    chip.modify(CSR, |csr| csr | csr::LSION).unwrap();
    assert_eq!(chip.wait(CSR, csr::LSIRDY), 100 * US);
    chip.rcc.backup_unlocked = true;
    chip.store(BDCR, bdcr::LSEON).unwrap();
    assert_eq!(chip.rcc.next(), Some(chip.bench.now + 2_000_000 * US));
    assert_eq!(chip.wait(BDCR, bdcr::LSERDY), 2_000_000 * US);
    assert_eq!(chip.rcc.next(), None);
}

#[test]
fn a_source_that_is_off_is_not_ready_and_starts_anew() {
    let mut chip = Chip::with_hsi();
    chip.modify(CR, |cr| cr & !cr::HSION).unwrap();
    assert_eq!(chip.load(CR) & cr::HSIRDY, 0);
    assert_eq!(chip.turn_on(cr::HSION, cr::HSIRDY), 3 * US);
}

#[test]
fn hse_is_never_ready_on_this_board() {
    let mut chip = Chip::new();
    chip.modify(CR, |cr| cr | 1 << 16).unwrap();
    chip.bench.now = 10_000_000 * US;
    assert_eq!(chip.load(CR) >> 16 & 3, 1);
    assert_eq!(chip.store(CFGR, 2).unwrap_err().rule, NOT_READY);
}

#[test]
fn sw_goes_to_no_source_that_is_not_ready() {
    let mut chip = Chip::new();
    assert_eq!(chip.store(CFGR, 1).unwrap_err().rule, NOT_READY);
    chip.modify(CR, |cr| cr | cr::HSION).unwrap();
    chip.bench.now += 2 * US;
    assert_eq!(chip.store(CFGR, 1).unwrap_err().rule, NOT_READY);
    chip.bench.now += US;
    chip.store(CFGR, 1).unwrap();
    assert_eq!(chip.rcc.clocks().hclk, 16_000_000);
    // A PLL without its R output is no source either.
    let mut chip = Chip::with_pll(EIGHTY & !pll::REN).unwrap();
    assert_eq!(chip.store(CFGR, 3).unwrap_err().rule, NOT_READY);
}

#[test]
fn msirange_is_not_changed_before_msi_is_ready() {
    let mut chip = Chip::with_hsi();
    chip.store(CFGR, 1).unwrap();
    chip.modify(CR, |cr| cr & !cr::MSION).unwrap();
    chip.modify(CR, |cr| cr & !cr::MSIRANGE | 5 << 4).unwrap();
    chip.modify(CR, |cr| cr | cr::MSION).unwrap();
    let breach = chip.modify(CR, |cr| cr & !cr::MSIRANGE | 6 << 4).unwrap_err();
    assert_eq!(breach.rule, MSI_NOT_READY);
    chip.wait(CR, cr::MSIRDY);
    chip.modify(CR, |cr| cr & !cr::MSIRANGE | 6 << 4).unwrap();
    let breach = chip.modify(CR, |cr| cr | cr::MSIRANGE).unwrap_err();
    assert_eq!(breach.rule, MSI_RANGE);
}

#[test]
fn msi_takes_its_range_from_csr_until_msirgsel() {
    let mut chip = Chip::new();
    chip.modify(CR, |cr| cr & !cr::MSIRANGE | 7 << 4).unwrap();
    assert_eq!(chip.rcc.clocks().hclk, 4_000_000);
    let breach = chip.modify(CSR, |csr| csr & !csr::MSISRANGE | 4 << 8).unwrap_err();
    assert_eq!(breach.rule, MSI_RANGE);
    chip.modify(CR, |cr| cr | cr::MSIRGSEL).unwrap();
    assert_eq!(chip.rcc.clocks().hclk, 8_000_000);
    chip.modify(CR, |cr| cr & !cr::MSIRGSEL).unwrap();
    assert_eq!(chip.load(CR) & cr::MSIRGSEL, cr::MSIRGSEL);
    chip.modify(CSR, |csr| csr & !csr::MSISRANGE | 4 << 8).unwrap();
    assert_eq!(chip.rcc.clocks().hclk, 8_000_000);
}

#[test]
fn msi_is_locked_to_lse_only_when_lse_is_ready() {
    let mut chip = Chip::new();
    chip.modify(CR, |cr| cr | cr::MSIPLLEN).unwrap();
    assert_eq!(chip.load(CR) & cr::MSIPLLEN, 0);
    chip.rcc.backup_unlocked = true;
    chip.store(BDCR, bdcr::LSEON).unwrap();
    chip.wait(BDCR, bdcr::LSERDY);
    chip.modify(CR, |cr| cr | cr::MSIPLLEN).unwrap();
    assert_eq!(chip.load(CR) & cr::MSIPLLEN, cr::MSIPLLEN);
}

#[test]
fn prescalers_divide_the_buses() {
    let mut chip = Chip::at_eighty();
    let divided = [(0, 1), (8, 2), (9, 4), (10, 8), (11, 16), (12, 64), (13, 128), (15, 512)];
    for (hpre, by) in divided {
        chip.store(CFGR, 3 | hpre << 4).unwrap();
        assert_eq!(chip.rcc.clocks().hclk, 80_000_000 / by);
    }
    chip.store(CFGR, 3 | 4 << 8 | 7 << 11).unwrap();
    let clocks = chip.rcc.clocks();
    assert_eq!([clocks.hclk, clocks.pclk1, clocks.pclk2], [80_000_000, 40_000_000, 5_000_000]);
}

#[test]
fn clk48_comes_from_the_source_that_is_chosen_once_it_is_ready() {
    let mut chip = Chip::with_pll(EIGHTY | pll::QEN | 1 << pll::Q_SHIFT).unwrap();
    chip.store(CCIPR, 2 << 26).unwrap();
    assert_eq!(chip.rcc.clocks().clk48, 40_000_000);
    chip.store(CCIPR, 3 << 26).unwrap();
    assert_eq!(chip.rcc.clocks().clk48, 4_000_000);
    chip.store(CCIPR, 1 << 26).unwrap();
    chip.store(PLLSAI1CFGR, FORTY_EIGHT).unwrap();
    chip.modify(CR, |cr| cr | cr::PLLSAI1ON).unwrap();
    assert_eq!(chip.rcc.clocks().clk48, 0);
    chip.bench.now = chip.rcc.next().unwrap();
    chip.rcc.advance(&mut chip.bench.cx()).unwrap();
    assert_eq!(chip.rcc.clocks().clk48, 48_000_000);
}

#[test]
fn gates_show_in_the_clocks_and_flashs_stays_open() {
    let mut chip = Chip::new();
    assert!(!chip.rcc.clocks().has(Gate::Can1));
    chip.modify(APB1ENR1, |enr| enr | 1 << 25).unwrap();
    assert!(chip.rcc.clocks().has(Gate::Can1));
    chip.modify(AHB2ENR, |enr| enr | 1 << 18).unwrap();
    chip.modify(APB2ENR, |enr| enr | 1 << 12).unwrap();
    assert!(chip.rcc.clocks().has(Gate::Rng) && chip.rcc.clocks().has(Gate::Spi1));
    assert_eq!(chip.store(AHB1ENR, 1).unwrap_err().rule, FLASH_GATE);
}

#[test]
fn embassys_enable_and_reset_is_reported_once_and_releases_the_reset() {
    let mut chip = Chip::new();
    assert_eq!(chip.rcc.take_resets(), None);
    chip.modify(APB1RSTR1, |rstr| rstr | 1 << 19).unwrap();
    assert!(chip.rcc.is_held_in_reset(Gate::Uart4));
    let resets = chip.rcc.take_resets().unwrap();
    assert_eq!(resets, Resets { apb1: 1 << 19, ..Resets::NONE });
    assert!(resets.has(Gate::Uart4) && !resets.has(Gate::Usart3) && !resets.has(Gate::Flash));
    chip.modify(APB1ENR1, |enr| enr | 1 << 19).unwrap();
    chip.modify(APB1RSTR1, |rstr| rstr & !(1 << 19)).unwrap();
    assert!(!chip.rcc.is_held_in_reset(Gate::Uart4));
    assert_eq!(chip.rcc.take_resets(), None);
}

#[test]
fn a_reset_that_is_held_is_not_reported_again_with_the_next() {
    let mut chip = Chip::new();
    chip.store(APB2RSTR, 1 << 12).unwrap();
    chip.rcc.take_resets();
    chip.store(APB2RSTR, 1 << 12 | 1 << 14).unwrap();
    chip.store(AHB1RSTR, 1).unwrap();
    chip.store(AHB2RSTR, 1 << 18).unwrap();
    let expected = Resets { ahb1: 1, ahb2: 1 << 18, apb1: 0, apb2: 1 << 14 };
    assert_eq!(chip.rcc.take_resets(), Some(expected));
}

#[test]
fn reset_flags_stand_until_rmvf() {
    let mut chip = Chip::new();
    for (flags, expected) in [
        (ResetFlags::POWER, 0x0C00_0000),
        (ResetFlags::PIN, 0x0400_0000),
        (ResetFlags::SOFTWARE, 0x1400_0000),
        (ResetFlags::WATCHDOG, 0x2400_0000),
    ] {
        chip.rcc.set_reset_flags(flags);
        assert_eq!(chip.load(CSR) & csr::FLAGS, expected);
    }
    chip.modify(CSR, |csr| csr | csr::LSION).unwrap();
    assert_eq!(chip.load(CSR) & csr::FLAGS, 0x2400_0000);
    chip.modify(CSR, |csr| csr | csr::RMVF).unwrap();
    assert_eq!(chip.load(CSR), 0x601);
}

#[test]
fn the_backup_domain_is_locked_and_its_rtc_clock_chosen_once() {
    let mut chip = Chip::new();
    assert_eq!(chip.store(BDCR, bdcr::LSEON).unwrap_err().rule, BACKUP_LOCKED);
    chip.rcc.backup_unlocked = true;
    chip.store(BDCR, 2 << 8).unwrap();
    assert_eq!(chip.store(BDCR, 1 << 8).unwrap_err().rule, RTC_CHOSEN);
    chip.modify(BDCR, |bdcr| bdcr | bdcr::LSEON | bdcr::BDRST).unwrap();
    assert_eq!(chip.load(BDCR), bdcr::BDRST);
    chip.modify(BDCR, |bdcr| bdcr & !bdcr::BDRST).unwrap();
    chip.store(BDCR, 1 << 8).unwrap();
}

#[test]
fn bytes_and_halves_reach_their_part() {
    let mut chip = Chip::with_hsi();
    chip.rcc.store(CFGR, Width::Byte, 1, &mut chip.bench.cx()).unwrap();
    chip.rcc.store(CFGR + 1, Width::Byte, 4, &mut chip.bench.cx()).unwrap();
    assert_eq!(chip.rcc.clocks().pclk1, 8_000_000);
    let half = chip.rcc.load(CSR + 2, Width::Half, &mut chip.bench.cx());
    assert_eq!(half, Ok(0x0C00));
}

#[test]
fn interrupts_and_unknown_registers_are_refused() {
    let mut chip = Chip::new();
    chip.store(CIER, 0).unwrap();
    assert_eq!(chip.store(CIER, 1).unwrap_err().rule, NO_INTERRUPT);
    for offset in [0x24, 0x34, 0x84, 0x98, 0x3FC] {
        assert_eq!(chip.store(offset, 0).unwrap_err().rule, "no such register");
        let loaded = chip.rcc.load(offset, Width::Word, &mut chip.bench.cx());
        assert_eq!(loaded.unwrap_err().rule, "no such register");
    }
}
