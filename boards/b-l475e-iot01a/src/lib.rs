//! ST B-L475E-IOT01A: the one file that knows this board's pins.
//!
//! Table hardware plugs into the Arduino headers; the board's own ST-LINK gives power,
//! flashing, logs and the table link's UART. See this folder's README for the pin table.
#![no_std]

pub mod can_bus;
mod faults;
mod spare;
pub mod tasks;
pub mod watchdog;

use adapters::card_path::{self, ChainLines, Cycles};
use adapters::key::KeyRow;
use adapters::lamps::LampRow;
use adapters::outputs::{fault_lamp, output};
use adapters::scan_head::{self, ScanHead};
use adapters::screen;
use adapters::services::ServiceSwitch;
use adapters::start::{self, Start};
use adapters::store_flash::StoreFlash;
use adapters::trng::{Trng, trng};
use adapters::{clocks, task_watchdog};
use can_bus::TableBus;
use croupier::drivers::hc165::Chain;
use croupier::identity::DeviceKind;
use croupier::safety::HardwareReset;
use defmt_rtt as _; // the logger
use embassy_stm32::can;
use embassy_stm32::gpio::{AnyPin, Input, Level, Output, Pin, Pull, Speed};
use embassy_stm32::interrupt::{InterruptExt, Priority};
use embassy_stm32::mode::Async;
use embassy_stm32::pac::gpio::vals::Pupdr;
use embassy_stm32::spi::Spi;
use embassy_stm32::usart::{self, BufferedUart, HalfDuplexReadback, OutputConfig, UartTx};
use embassy_stm32::{Peri, bind_interrupts, dma, interrupt, pac, peripherals};
use spare::Spare;

bind_interrupts!(struct Irqs {
    USART1 => usart::BufferedInterruptHandler<peripherals::USART1>;
    UART4 => usart::BufferedInterruptHandler<peripherals::UART4>;
    DMA1_CHANNEL2 => dma::InterruptHandler<peripherals::DMA1_CH2>;
    DMA1_CHANNEL3 => dma::InterruptHandler<peripherals::DMA1_CH3>;
    CAN1_TX => can::TxInterruptHandler<peripherals::CAN1>;
    CAN1_RX0 => can_bus::Count, can::Rx0InterruptHandler<peripherals::CAN1>;
    CAN1_RX1 => can::Rx1InterruptHandler<peripherals::CAN1>;
    CAN1_SCE => can::SceInterruptHandler<peripherals::CAN1>;
});

/// A UART's outgoing and incoming bytes.
type Buffers = [[u8; 512]; 2];
#[unsafe(link_section = ".survives.link")]
static LINK_BUFFER: Spare<Buffers> = Spare::new();
#[unsafe(link_section = ".survives.motion")]
static MOTION_BUFFER: Spare<Buffers> = Spare::new();

/// What every device has.
pub struct Common {
    /// The lamp-test key: the board's blue button.
    pub lamp_test: Input<'static>,
    /// Keys that each device names for itself.
    pub key_row: KeyRow,
    /// Lines on which a device senses what it drives.
    pub sense_row: SenseRow,
    /// Two more lines, for a device with beams, or straps.
    pub beam_row: [Peri<'static, AnyPin>; 2],
    /// To the motion controller of a device that has one.
    pub motion: MotionLine,
    /// What the sense row's pins can be instead of sense lines.
    pub buses: Buses,
    /// What runs the same in every device.
    pub io: CommonIo,
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

/// The motion controller's UART and its one pin.
pub struct MotionLine {
    uart: Peri<'static, peripherals::UART4>,
    wire: Peri<'static, peripherals::PA0>,
}

impl MotionLine {
    /// The line, switched on. The controller has one wire for both ways, so what is sent comes
    /// back on it; here the receiver is off while the UART sends and on again when the last bit
    /// is out (RM0351 40.5.13; embassy's `buffered.rs` does so in its interrupt). The controller
    /// waits for eight bit times, 69 us, before it answers (TMC5160 datasheet, SENDDELAY).
    pub fn open(self) -> BufferedUart<'static> {
        let mut config = usart::Config::default();
        // A side that does not send lets the wire rise.
        config.tx_config = OutputConfig::OpenDrainPullUp;
        // SAFETY: there is one motion line, and this takes it.
        let [outgoing, incoming] = unsafe { MOTION_BUFFER.fill([[0; 512]; 2]) };
        let mute = HalfDuplexReadback::NoReadback;
        BufferedUart::new_half_duplex(self.uart, self.wire, Irqs, outgoing, incoming, config, mute)
            .expect("115200 baud can be had from 80 MHz")
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
        // Low loads; a crashing device need not.
        let sensors = Chain::new(spi, output(data_out, Level::High), Cycles);
        let text = UartTx::new(self.text, text, self.incoming, Irqs, screen::config())
            .expect("9600 baud can be had from 80 MHz");
        ShufflerRow { sensors, text, motors: [first, c, d, e] }
    }
}

/// The parts of a device that run the same in all of them.
pub struct CommonIo {
    /// Who this device is and why it started.
    pub start: Start,
    /// Lit when the device is ready: the board's green LED.
    pub ready: Output<'static>,
    /// The service switch inside the housing.
    pub service_switch: ServiceSwitch,
    /// Cyphal/serial to the table controller, through the ST-LINK's serial port.
    pub table_link: BufferedUart<'static>,
    /// The table bus, through a transceiver on the Arduino header.
    pub table_bus: TableBus,
    /// The store's flash.
    pub flash: StoreFlash,
    /// Raw noise.
    pub noise: Trng,
}

/// Starts the board; call once, first thing in `main`. The lamp row is Arduino D2 to D9.
pub fn bring_up(kind: DeviceKind) -> (Common, LampRow) {
    watchdog::unleash();
    let p = embassy_stm32::init(clocks::eighty_megahertz());
    task_watchdog::boot();
    watchdog::evaluate_from(p.TIM7);
    rank_interrupts();
    // The board's radios are of no use here. Wi-Fi and Bluetooth sleep while their reset is low
    // (PE8, PA8), the sub-GHz radio while its shutdown is high (PB15); UM2153, pin table.
    hold(p.PE8, Level::Low);
    hold(p.PA8, Level::Low);
    hold(p.PB15, Level::High);
    // After reset PA15 is JTDI with a pull-up (RM0351 8.3.1), and it drives the diverter. It stays
    // low, by a pull-down, until its device takes it; debuggers use the other wires (SWD).
    pac::GPIOA.pupdr().modify(|pull| pull.set_pupdr(15, Pupdr::PULL_DOWN));
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

    let io = CommonIo {
        start,
        ready: output(p.PB14, Level::Low),
        service_switch: ServiceSwitch(Input::new(p.PC0, Pull::Up)),
        table_link: table_link(p.USART1, p.PB7, p.PB6),
        table_bus: TableBus::new(p.CAN1, p.PB8, p.PB9),
        flash: StoreFlash::new(p.FLASH),
        noise: trng(p.RNG),
    };
    let motion = MotionLine { uart: p.UART4, wire: p.PA0 };
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
    let lamp_test = Input::new(p.PC13, Pull::None);
    (Common { lamp_test, key_row, sense_row, beam_row, motion, buses, io }, lamp_row)
}

/// Puts the drivers' interrupts below the watchdog's: not even one that comes without end keeps it
/// from noticing that no task runs.
///
/// The one with the least time comes first. A UART of this chip has no FIFO (RM0351, USART
/// overrun error): a byte must be read before the next is whole, 87 us later. CAN has three
/// places, 3 x 260 us. At one rank the lower number would win, which is CAN's, and a burst on the
/// bus would cost the table link bytes.
fn rank_interrupts() {
    let lines = [interrupt::USART1, interrupt::UART4];
    lines.into_iter().for_each(|line| line.set_priority(Priority::P3));
    let drivers = [
        interrupt::USART3,
        interrupt::DMA1_CHANNEL2,
        interrupt::DMA1_CHANNEL3,
        interrupt::CAN1_TX,
        interrupt::CAN1_RX0,
        interrupt::CAN1_RX1,
        interrupt::CAN1_SCE,
        interrupt::TIM5, // embassy's time
    ];
    drivers.into_iter().for_each(|line| line.set_priority(Priority::P4));
}

/// Drives a pin for good that no device uses.
fn hold<P: Pin>(pin: Peri<'static, P>, level: Level) {
    core::mem::forget(Output::new(pin, level, Speed::Low)); // dropping it would let the pin float
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

/// The table link, through the ST-LINK's serial port.
fn table_link(
    uart: Peri<'static, peripherals::USART1>,
    rx: Peri<'static, peripherals::PB7>,
    tx: Peri<'static, peripherals::PB6>,
) -> BufferedUart<'static> {
    // SAFETY: there is one USART1, and this takes it.
    let [outgoing, incoming] = unsafe { LINK_BUFFER.fill([[0; 512]; 2]) };
    BufferedUart::new(uart, rx, tx, outgoing, incoming, Irqs, usart::Config::default())
        .expect("115200 baud can be had from 80 MHz")
}
