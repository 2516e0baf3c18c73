//! The mutants: each one mistake in the code of a board, and the words it must give.

/// What a mutant must do before its mistake shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Start, and run for two seconds.
    Ready,
    /// The same, with instructions counted: the host's load shortens no wait.
    Counted,
    /// Receive from a bus that is never silent, in step.
    Flooded,
    /// Start with a noise source that gives no word: on a slow host every word is ready in time.
    Noiseless,
}

/// One mistake.
pub struct Mutant {
    pub name: &'static str,
    pub file: &'static str,
    /// What stands there, exactly once, and what stands there instead.
    pub right: &'static str,
    pub wrong: &'static str,
    pub device: &'static str,
    pub until: Until,
    /// Words of the breach, or of what is seen without one.
    pub gives: &'static str,
}

/// What is seen without a breach.
pub const BITES: &str = "the watchdog bites";
pub const LOST: &str = "CAN frames lost to a full FIFO";
pub const NOTHING: &str = "nothing";

const CLOCKS: &str = "boards/adapters/src/clocks.rs";
const STORE: &str = "boards/adapters/src/store_flash.rs";
const TRNG: &str = "boards/adapters/src/trng.rs";
const SCREEN: &str = "boards/adapters/src/screen.rs";
const HEAD: &str = "boards/adapters/src/scan_head.rs";
const PATH: &str = "boards/adapters/src/card_path.rs";
const BOARD: &str = "boards/b-l475e-iot01a/src/lib.rs";
const BUS: &str = "boards/b-l475e-iot01a/src/can_bus.rs";
const DOG: &str = "boards/b-l475e-iot01a/src/watchdog.rs";

const CLK48: &str = "config.rcc.mux.clk48sel = rcc::mux::Clk48sel::PLLSAI1_Q;";
const BOOT: &str = "    task_watchdog::boot();\n";
const LINE: &str =
    "    BufferedUart::new(uart, rx, tx, outgoing, incoming, Irqs, usart::Config::default())
        .expect(\"115200 baud can be had from 80 MHz\")
";

const fn paigow(
    name: &'static str,
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
    gives: &'static str,
) -> Mutant {
    Mutant { name, file, right, wrong, device: "paigow", until: Until::Ready, gives }
}

impl Mutant {
    const fn of(mut self, device: &'static str) -> Self {
        self.device = device;
        self
    }

    const fn until(mut self, until: Until) -> Self {
        self.until = until;
        self
    }
}

/// All of them.
pub const MUTANTS: &[Mutant] = &[
    paigow(
        "48 MHz of MSI before the wait states",
        CLOCKS,
        CLK48,
        "config.rcc.msi = Some(rcc::MSIRange::RANGE48M); config.rcc.mux.clk48sel = rcc::mux::Clk48sel::MSI;",
        "wait states",
    ),
    paigow(
        "RTC source chosen twice",
        CLOCKS,
        "rcc::LsConfig::off()",
        "rcc::LsConfig::new()",
        "RTCSEL, once chosen, changes only by a backup domain reset",
    ),
    paigow(
        "PLLSAI1 beyond its VCO",
        CLOCKS,
        "rcc::PllMul::MUL12",
        "rcc::PllMul::MUL24",
        "a PLL's VCO output is 64 to 344 MHz",
    ),
    paigow(
        "noise source at 56 MHz",
        CLOCKS,
        "rcc::PllMul::MUL12",
        "rcc::PllMul::MUL14",
        "RNGEN wants 48 MHz",
    ),
    paigow(
        "noise source without its 48 MHz",
        CLOCKS,
        "divq: Some(rcc::PllQDiv::DIV4)",
        "divq: None",
        "RNGEN without its clock",
    ),
    paigow(
        "noise source without a bus clock",
        TRNG,
        "rcc::enable_and_reset::<peripherals::RNG>();",
        "",
        "accessed while RCC gives it no clock",
    ),
    paigow(
        "noise read whether ready or not",
        TRNG,
        "RNG.sr().read().0",
        "RNG.sr().read().0 | 1",
        "data read before DRDY",
    )
    .until(Until::Noiseless),
    paigow(
        "data cache on while flash changes",
        STORE,
        "acr.set_dcen(false)",
        "acr.set_dcen(true)",
        "data cache on while flash is programmed or erased",
    ),
    paigow(
        "data cache on again without its reset",
        STORE,
        "    pac::FLASH.acr().modify(|acr| acr.set_dcrst(true));\n",
        "",
        "data cache on again after a flash operation without DCRST",
    ),
    paigow(
        "data cache reset while on",
        STORE,
        "acr.set_dcrst(true)",
        "{ acr.set_dcen(true); acr.set_dcrst(true) }",
        "a cache is reset only while it is disabled",
    ),
    paigow(
        "words written one window too low",
        STORE,
        "self.0.blocking_write(Self::OFFSET + offset, bytes)",
        "self.0.blocking_write(Self::OFFSET - Self::BYTES + offset, bytes)",
        "only the store's pages are programmed or erased",
    ),
    paigow(
        "feeds with a wrong key",
        DOG,
        "kr.set_key(Key::RESET)",
        "kr.set_key(Key::from_bits(0xAAA5))",
        "keys are 0x5555, 0xAAAA and 0xCCCC",
    ),
    paigow(
        "watchdog set without its key",
        DOG,
        "    pac::IWDG.kr().write(|kr| kr.set_key(Key::ENABLE));\n",
        "",
        "PR, RLR and WINR are written after the key 0x5555",
    ),
    paigow(
        "watchdog set twice at once",
        DOG,
        "    pac::IWDG.rlr().write(|rlr| rlr.set_rl(RELOAD));\n",
        "    (0..2).for_each(|_| pac::IWDG.rlr().write(|rlr| rlr.set_rl(RELOAD)));\n",
        "a register is not written again while its update bit in IWDG_SR is set",
    ),
    paigow("watchdog of fifty milliseconds", DOG, "RELOAD: u16 = 3_999", "RELOAD: u16 = 99", BITES),
    paigow(
        "watchdog's timer without its clock",
        DOG,
        "rcc::enable_and_reset::<peripherals::TIM7>();",
        "",
        "accessed while RCC gives it no clock",
    ),
    paigow(
        "bus with jumps of one quantum",
        BUS,
        "NonZeroU8::new(4).expect(\"four\")",
        "NonZeroU8::new(1).expect(\"one\")",
        "HSI16 is off by up to 1 %",
    ),
    paigow(
        "bus at 250 kbit/s",
        BUS,
        "NonZeroU16::new(10).expect(\"ten\")",
        "NonZeroU16::new(20).expect(\"twenty\")",
        "not 500 kbit/s",
    ),
    paigow(
        "filters set on a running bus",
        BUS,
        "fmr.set_finit(true)",
        "fmr.set_finit(false)",
        "written without FINIT",
    ),
    paigow(
        "filters never let go",
        BUS,
        "    pac::CAN1.fmr().modify(|fmr| fmr.set_finit(false));\n",
        "",
        "joins the bus while FINIT stops reception",
    ),
    paigow(
        "wait of four milliseconds with interrupts masked",
        BUS,
        "                let mut backlog = BACKLOG.borrow_ref_mut(cs);\n",
        "                static FRAMES: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);\n                let until = Instant::now() + Duration::from_millis(4);\n                let waits = FRAMES.fetch_add(1, core::sync::atomic::Ordering::Relaxed) % 64 == 63;\n                while waits && Instant::now() < until {}\n                let mut backlog = BACKLOG.borrow_ref_mut(cs);\n",
        LOST,
    )
    .until(Until::Flooded),
    paigow(
        "baud rate changed while it runs",
        BOARD,
        LINE,
        "    let line = BufferedUart::new(uart, rx, tx, outgoing, incoming, Irqs, usart::Config::default())
        .expect(\"baud\");
    pac::USART1.brr().write(|brr| brr.set_brr(695));
    line
",
        "BRR is written only while UE is off",
    ),
    paigow(
        "three bytes sent at once",
        BOARD,
        LINE,
        "    let line = BufferedUart::new(uart, rx, tx, outgoing, incoming, Irqs, usart::Config::default())
        .expect(\"baud\");
    (0..3).for_each(|_| pac::USART1.tdr().write(|tdr| tdr.set_dr(0)));
    line
",
        "written while TXE is low: a byte is lost",
    )
    .until(Until::Counted),
    paigow(
        "voltage range 2 at 80 MHz",
        BOARD,
        BOOT,
        "    task_watchdog::boot();\n    pac::PWR.cr1().modify(|cr1| cr1.set_vos(pac::pwr::vals::Vos::RANGE2));\n",
        "HCLK is at most 26 MHz in voltage range 2",
    ),
    paigow(
        "flash without its clock",
        BOARD,
        BOOT,
        "    task_watchdog::boot();\n    pac::RCC.ahb1enr().modify(|gates| gates.set_flashen(false));\n",
        "FLASHEN stays on under code that runs from flash",
    ),
    paigow(
        "peripheral that no device has",
        BOARD,
        BOOT,
        "    task_watchdog::boot();\n    pac::I2C2.cr1().write(|cr1| cr1.set_pe(true));\n",
        "the image must not touch it",
    ),
    paigow(
        "radio's pin driven before it is an output",
        BOARD,
        "    hold(p.PB15, Level::High);\n",
        "    pac::GPIOB.bsrr().write(|word| word.set_bs(15, true));\n    pac::GPIOB.bsrr().write(|word| word.set_br(15, true));\n",
        "a pin is driven again that is no output",
    ),
    paigow("scan head at 10 MHz", HEAD, "Hertz::mhz(5)", "Hertz::mhz(10)", "faster than the part")
        .of("reader"),
    paigow(
        "scan head in mode 3",
        HEAD,
        "config.mode = MODE_0;",
        "config.mode = embassy_stm32::spi::MODE_3;",
        "CPOL and CPHA are not the part's",
    )
    .of("reader"),
    paigow(
        "scan head with the lowest bit first",
        HEAD,
        "config.mode = MODE_0;",
        "config.mode = MODE_0; config.bit_order = embassy_stm32::spi::BitOrder::LsbFirst;",
        "the parts send the highest bit first",
    )
    .of("reader"),
    paigow(
        "chain at 1.25 MHz",
        PATH,
        "Hertz::khz(625)",
        "Hertz::khz(1000)",
        "the clock is faster than the part stands",
    )
    .of("shuffler"),
    paigow(
        "chain in mode 0",
        PATH,
        "config.mode = MODE_2;",
        "config.mode = embassy_stm32::spi::MODE_0;",
        "CPOL and CPHA are not the part's",
    )
    .of("shuffler"),
    paigow(
        "motion controller on two wires",
        BOARD,
        "BufferedUart::new_half_duplex(self.uart, self.wire, Irqs, outgoing, incoming, config, mute)",
        "BufferedUart::new(self.uart, unsafe { peripherals::PA1::steal() }, self.wire, outgoing, incoming, Irqs, config)",
        "TX and RX of the one-wire motion controller driven as two wires",
    )
    .of("shuffler"),
    paigow(
        "display at 19200 baud",
        SCREEN,
        "config.baudrate = 9600;",
        "config.baudrate = 19200;",
        "the rate is more than 2 % off the far end's",
    )
    .of("shuffler"),
    paigow(
        "display with a parity bit",
        SCREEN,
        "config.baudrate = 9600;",
        "config.baudrate = 9600; config.parity = embassy_stm32::usart::Parity::ParityEven;",
        "the far end has eight data bits and no parity",
    )
    .of("shuffler"),
    paigow(
        "text where DMA cannot read it",
        SCREEN,
        "bytes.get(..count).unwrap_or_default()",
        "unsafe { core::slice::from_raw_parts(0x1000_8000 as *const u8, count) }",
        "memory that DMA cannot reach",
    )
    .of("shuffler"),
];
