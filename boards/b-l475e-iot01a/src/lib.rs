//! ST B-L475E-IOT01A: the one file that knows this board's pins.
//!
//! Table hardware plugs into the Arduino headers; the board's own ST-LINK gives power,
//! flashing, logs and the table link's UART. See this folder's README for the pin table.
#![no_std]

pub mod can_bus;
pub mod tasks;
pub mod watchdog;

use adapters::card_path::{self, ChainLines};
use core::num::{NonZeroU8, NonZeroU16};

use adapters::desk::ServiceSwitch;
use adapters::key::{Key, KeyRow};
use adapters::lamps::LampRow;
use adapters::outputs::{fault_lamp, output};
use adapters::scan_head::{self, ScanHead};
use adapters::screen;
use adapters::start::{self, Start};
use adapters::store_flash::StoreFlash;
use adapters::trng::{Trng, trng};
use adapters::{clocks, fall};
use croupier::identity::DeviceKind;
use croupier::safety::{Fall, HardwareReset};
use croupier::shuffler::motion::Chain;
use defmt_rtt as _; // the logger
use embassy_stm32::can::util::NominalBitTiming;
use embassy_stm32::can::{self, Can};
use embassy_stm32::exti::{self, ExtiInput};
use embassy_stm32::gpio::{AnyPin, Input, Level, Output, Pull};
use embassy_stm32::interrupt::typelevel::Binding;
use embassy_stm32::mode::Async;
use embassy_stm32::spi::Spi;
use embassy_stm32::usart::{self, BufferedInterruptHandler, BufferedUart, RxPin, TxPin, UartTx};
use embassy_stm32::{Peri, Peripherals, bind_interrupts, dma, interrupt, pac, peripherals, rcc};
use static_cell::ConstStaticCell;

bind_interrupts!(struct Irqs {
    EXTI15_10 => exti::InterruptHandler<interrupt::typelevel::EXTI15_10>;
    USART1 => usart::BufferedInterruptHandler<peripherals::USART1>;
    UART4 => usart::BufferedInterruptHandler<peripherals::UART4>;
    DMA1_CHANNEL2 => dma::InterruptHandler<peripherals::DMA1_CH2>;
    DMA1_CHANNEL3 => dma::InterruptHandler<peripherals::DMA1_CH3>;
    CAN1_TX => can::TxInterruptHandler<peripherals::CAN1>;
    CAN1_RX0 => can::Rx0InterruptHandler<peripherals::CAN1>;
    CAN1_RX1 => can::Rx1InterruptHandler<peripherals::CAN1>;
    CAN1_SCE => can::SceInterruptHandler<peripherals::CAN1>;
});

/// A UART's outgoing and incoming bytes.
type Buffers = [[u8; 512]; 2];
static LINK_BUFFER: ConstStaticCell<Buffers> = ConstStaticCell::new([[0; 512]; 2]);
static MOTION_BUFFER: ConstStaticCell<Buffers> = ConstStaticCell::new([[0; 512]; 2]);

/// What every device has.
pub struct Common {
    /// The lamp-test key: the board's blue button.
    pub lamp_test: Key,
    /// Keys that each device names for itself.
    pub key_row: KeyRow,
    /// Lines on which a device senses what it drives.
    pub sense_row: SenseRow,
    /// Two more lines, for a device with beams, or straps.
    pub beam_row: [Peri<'static, AnyPin>; 2],
    /// To the motion controller of a device that has one.
    pub motion_link: BufferedUart<'static>,
    /// What the sense row's pins can be instead of sense lines.
    pub buses: Buses,
    /// What runs the same in every device.
    pub rest: Rest,
}

/// The sense row, some of whose pins may be a bus instead.
pub struct SenseRow {
    first: Peri<'static, AnyPin>,
    /// The second, or text to a display.
    text: Peri<'static, peripherals::PC4>,
    middle: [Peri<'static, AnyPin>; 3],
    /// The sixth, or data to the scan head.
    data_out: Peri<'static, peripherals::PA7>,
    /// The seventh, or data from it.
    data_in: Peri<'static, peripherals::PA6>,
    /// The eighth, or its clock.
    clock: Peri<'static, peripherals::PA5>,
}

impl SenseRow {
    /// All eight as sense lines.
    pub fn lines(self) -> LampRow {
        let Self { first, text, middle: [c, d, e], data_out, data_in, clock } = self;
        [first, text.into(), c, d, e, data_out.into(), data_in.into(), clock.into()]
    }
}

/// The SPI, the display's UART, and DMA for one of them.
pub struct Buses {
    spi: Peri<'static, peripherals::SPI1>,
    text: Peri<'static, peripherals::USART3>,
    outgoing: Peri<'static, peripherals::DMA1_CH3>,
    incoming: Peri<'static, peripherals::DMA1_CH2>,
}

/// What a shuffler makes of the sense row.
pub struct ShufflerRow {
    /// The sensors' chain.
    pub sensors: ChainLines,
    /// The text display.
    pub text: UartTx<'static, Async>,
    /// The four pins that are left.
    pub motors: [Peri<'static, AnyPin>; 4],
}

impl Buses {
    /// The scan head on the last three pins of the sense row, selected by a low `select`; and
    /// the five pins that are left.
    pub fn scan_head(
        self,
        row: SenseRow,
        select: Peri<'static, AnyPin>,
    ) -> (ScanHead, [Peri<'static, AnyPin>; 5]) {
        let Self { spi, outgoing, incoming, .. } = self;
        let SenseRow { first, text, middle: [c, d, e], data_out, data_in, clock } = row;
        let config = scan_head::config();
        let spi = Spi::new(spi, clock, data_out, data_in, outgoing, incoming, Irqs, config);
        let left = [first, text.into(), c, d, e];
        (scan_head::scan_head(spi, output(select, Level::High)), left)
    }

    /// The sensors' chain on the last three pins, the text display on the second.
    pub fn shuffler(self, row: SenseRow) -> ShufflerRow {
        let SenseRow { first, text, middle: [c, d, e], data_out, data_in, clock } = row;
        let spi = Spi::new_blocking_rxonly(self.spi, clock, data_in, card_path::chain_config());
        // Low loads; a falling device need not.
        let sensors = Chain::new(spi, output(data_out, Level::High));
        let text = UartTx::new(self.text, text, self.incoming, Irqs, screen::config())
            .expect("9600 baud can be had from 80 MHz");
        ShufflerRow { sensors, text, motors: [first, c, d, e] }
    }
}

/// The parts of a device that run the same in all of them.
pub struct Rest {
    /// Who this device is and why it started.
    pub start: Start,
    /// Lit when the device is ready: the board's green LED.
    pub ready: Output<'static>,
    /// The service switch inside the housing.
    pub service_switch: ServiceSwitch,
    /// Cyphal/serial to the table controller, through the ST-LINK's serial port.
    pub table_link: BufferedUart<'static>,
    /// The table bus, through a transceiver on the Arduino header.
    pub table_bus: Can<'static>,
    /// The store's flash.
    pub flash: StoreFlash,
    /// Raw noise.
    pub noise: Trng,
}

/// Starts the board; call once, first thing in `main`. The lamp row is Arduino D2 to D9.
pub fn bring_up(kind: DeviceKind) -> (Common, LampRow) {
    let p = chip();
    let identity = start::identity(kind, "b-l475e-iot01a");
    let start = start::announce(identity, reset_flags());

    let lamp_row = [
        p.PD14.into(),
        p.PB0.into(),
        p.PA3.into(),
        p.PB4.into(),
        p.PB1.into(),
        p.PA4.into(),
        p.PB2.into(),
        p.PA15.into(),
    ];
    fault_lamp(p.PA2);
    watchdog::unleash(p.IWDG);

    let rest = Rest {
        start,
        ready: output(p.PB14, Level::Low),
        service_switch: ServiceSwitch(Input::new(p.PC0, Pull::Up)),
        table_link: uart(p.USART1, p.PB7, p.PB6, LINK_BUFFER.take()),
        table_bus: table_bus(p.CAN1, p.PB8, p.PB9),
        flash: StoreFlash::new(p.FLASH),
        noise: trng(p.RNG),
    };
    let motion_link = uart(p.UART4, p.PA1, p.PA0, MOTION_BUFFER.take());
    let key_row = [p.PD3.into(), p.PD5.into(), p.PD6.into(), p.PD4.into()];
    let sense_row = SenseRow {
        first: p.PC5.into(),
        text: p.PC4,
        middle: [p.PC3.into(), p.PC2.into(), p.PC1.into()],
        data_out: p.PA7,
        data_in: p.PA6,
        clock: p.PA5,
    };
    let beam_row = [p.PD2.into(), p.PD0.into()];
    let buses = Buses { spi: p.SPI1, text: p.USART3, outgoing: p.DMA1_CH3, incoming: p.DMA1_CH2 };
    let lamp_test = Key::new(ExtiInput::new(p.PC13, p.EXTI13, Pull::None, Irqs), Level::Low);
    (Common { lamp_test, key_row, sense_row, beam_row, motion_link, buses, rest }, lamp_row)
}

/// Clocks up: 80 MHz for the processor, 48 MHz for the noise source.
pub fn chip() -> Peripherals {
    let mut config = clocks::eighty_megahertz();
    config.rcc.msi = Some(rcc::MSIRange::RANGE48M);
    config.rcc.mux.clk48sel = rcc::mux::Clk48sel::MSI;
    embassy_stm32::init(config)
}

/// What the chip says of its last reset; reading clears it for the next.
pub fn reset_flags() -> HardwareReset {
    let flags = pac::RCC.csr().read();
    pac::RCC.csr().modify(|csr| csr.set_rmvf(true));
    if flags.borrstf() {
        HardwareReset::Power
    } else if flags.iwdgrstf() || flags.wwdgrstf() {
        HardwareReset::Watchdog
    } else if flags.sftrstf() {
        HardwareReset::Software
    } else {
        HardwareReset::Pin
    }
}

/// The table bus at 500 kbit/s, hearing everything: the node chooses what is its own.
fn table_bus(
    peripheral: Peri<'static, peripherals::CAN1>,
    rx: Peri<'static, peripherals::PB8>,
    tx: Peri<'static, peripherals::PB9>,
) -> Can<'static> {
    let mut bus = Can::new(peripheral, rx, tx, Irqs);
    bus.modify_filters().enable_bank(0, can::Fifo::Fifo0, can::filter::Mask32::accept_all());
    bus.modify_config().set_bit_timing(half_a_megabit());
    // First in, first out, so that the frames of a transfer stay in order.
    bus.set_tx_fifo_scheduling(true);
    bus
}

/// 500 kbit/s of the peripheral's 80 MHz: sixteen quanta a bit, sampled after fourteen, as CiA
/// recommends. Reckoned here, because to reckon it on the chip takes a kilobyte of flash.
const fn half_a_megabit() -> NominalBitTiming {
    const QUANTA: u32 = 80_000_000 / 500_000;
    const { assert!(QUANTA == 10 * (1 + 13 + 2)) };
    NominalBitTiming {
        prescaler: NonZeroU16::new(10).expect("ten"),
        seg1: NonZeroU8::new(13).expect("thirteen"),
        seg2: NonZeroU8::new(2).expect("two"),
        sync_jump_width: NonZeroU8::MIN,
    }
}

fn uart<T: usart::Instance>(
    peripheral: Peri<'static, T>,
    rx: Peri<'static, impl RxPin<T>>,
    tx: Peri<'static, impl TxPin<T>>,
    [outgoing, incoming]: &'static mut Buffers,
) -> BufferedUart<'static>
where
    Irqs: Binding<T::Interrupt, BufferedInterruptHandler<T>>,
{
    BufferedUart::new(peripheral, rx, tx, outgoing, incoming, Irqs, usart::Config::default())
        .expect("115200 baud can be had from 80 MHz")
}

#[cortex_m_rt::exception(trampoline = true)]
unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
    // SAFETY: a plain read of a system register.
    let status = unsafe { (*cortex_m::peripheral::SCB::PTR).cfsr.read() };
    fall::fall(Fall::HardFault { at: frame.pc(), status })
}

#[cortex_m_rt::exception]
unsafe fn NonMaskableInt() {
    // The store may have read a word that a power cut tore; all else is a real fault.
    if !adapters::store_flash::forgive_torn_word() {
        fall::fall(Fall::HardFault { at: 0, status: u32::MAX });
    }
}
