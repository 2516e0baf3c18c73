//! QEMU's b-l475e-iot01a: the one file that knows this board's pins.
//!
//! The same chip as the silicon board, so the same drivers and the same images; what
//! the machine does not model is made up for in [`shim`], [`time`], [`nor`], [`noise`]
//! and [`watchdog`]; [`step`] keeps it in step with a simulated world. Pins avoid those the machine wires to its own LED model.
#![no_std]

pub mod frames;
pub mod glass;
pub mod host;
pub mod noise;
pub mod nor;
pub mod sabotage;
pub mod shim;
pub mod slcan_bus;
pub mod step;
pub mod tasks;
pub mod time;
pub mod watchdog;

use adapters::clocks;
use adapters::desk::ServiceSwitch;
use adapters::key::{Key, KeyRow};
use adapters::lamps::LampRow;
use adapters::outputs::{fault_lamp, output};
use adapters::start::{self, Start};
use core::sync::atomic::{AtomicU32, Ordering};
use croupier::identity::DeviceKind;
use croupier::safety::HardwareReset;
use defmt_semihosting as _; // the logger
use embassy_stm32::exti::{self, ExtiInput};
use embassy_stm32::gpio::{AnyPin, Input, Level, Output, Pull, Speed};
use embassy_stm32::interrupt::typelevel::Binding;
use embassy_stm32::usart::{self, BufferedInterruptHandler, BufferedUart, RxPin, TxPin};
use embassy_stm32::{Peri, Peripherals, bind_interrupts, interrupt, peripherals};
use noise::NoiseFile;
use nor::NorFile;
use sabotage::{PowerCut, Sabotage};
use static_cell::ConstStaticCell;

bind_interrupts!(struct Irqs {
    EXTI9_5 => exti::InterruptHandler<interrupt::typelevel::EXTI9_5>;
    EXTI15_10 => exti::InterruptHandler<interrupt::typelevel::EXTI15_10>;
    USART1 => usart::BufferedInterruptHandler<peripherals::USART1>;
    USART2 => usart::BufferedInterruptHandler<peripherals::USART2>;
    UART4 => usart::BufferedInterruptHandler<peripherals::UART4>;
});

/// A UART's outgoing and incoming bytes.
type Buffers = [[u8; 512]; 2];
static LINK_BUFFER: ConstStaticCell<Buffers> = ConstStaticCell::new([[0; 512]; 2]);
static BUS_BUFFER: ConstStaticCell<Buffers> = ConstStaticCell::new([[0; 512]; 2]);
static MOTION_BUFFER: ConstStaticCell<Buffers> = ConstStaticCell::new([[0; 512]; 2]);

/// What every device has.
pub struct Common {
    /// The lamp-test key.
    pub lamp_test: Key,
    /// Keys that each device names for itself.
    pub key_row: KeyRow,
    /// Beams that a device's nest or mouth has; interrupted when high.
    pub beam_row: [Peri<'static, AnyPin>; 3],
    /// Four more outputs, for a device that moves things.
    pub motor_row: [Peri<'static, AnyPin>; 4],
    /// Raised by a test to spoil what a device senses of the lamp row.
    pub sense_row: LampRow,
    /// Whether what is spoilt seems lit rather than dark.
    pub sense_stuck: Input<'static>,
    /// To the motion controller of a device that has one.
    pub motion_link: BufferedUart<'static>,
    /// What runs the same in every device.
    pub rest: Rest,
}

/// The parts of a device that run the same in all of them.
pub struct Rest {
    /// Who this device is and why it started.
    pub start: Start,
    /// Lit when the device is ready.
    pub ready: Output<'static>,
    /// The service switch inside the housing.
    pub service_switch: ServiceSwitch,
    /// Cyphal/serial to the table controller.
    pub table_link: BufferedUart<'static>,
    /// The table bus: CAN as slcan text, for the bench's hub.
    pub table_bus: BufferedUart<'static>,
    /// The store's flash.
    pub flash: Result<NorFile, nor::NorError>,
    /// Raw noise.
    pub noise: NoiseFile,
    /// What tests break things with.
    pub sabotage: Sabotage,
}

/// Starts the machine; call once, first thing in `main`. The lamp row is PD0 to PD7.
pub fn bring_up(kind: DeviceKind) -> (Common, LampRow) {
    let (p, mut core) = chip();
    let identity = start::identity(kind, "qemu");
    let start = start::announce(identity, HardwareReset::Unknown);

    let lamp_row = [
        p.PD0.into(),
        p.PD1.into(),
        p.PD2.into(),
        p.PD3.into(),
        p.PD4.into(),
        p.PD5.into(),
        p.PD6.into(),
        p.PD7.into(),
    ];
    fault_lamp(p.PD8);
    watchdog::wire(Output::new(p.PD9, Level::Low, Speed::Low));
    step::fall_in(Output::new(p.PD15, Level::Low, Speed::Low), &mut core.SCB);

    let trigger = Pull::Down;
    let rest = Rest {
        start,
        ready: output(p.PD10, Level::Low),
        service_switch: ServiceSwitch(Input::new(p.PE14, Pull::Up)),
        table_link: uart(p.USART1, p.PB7, p.PB6, LINK_BUFFER.take()),
        table_bus: uart(p.USART2, p.PA3, p.PA2, BUS_BUFFER.take()),
        flash: NorFile::open(PowerCut::new(Input::new(p.PE13, Pull::Down))),
        noise: NoiseFile::open(),
        sabotage: Sabotage {
            panic: ExtiInput::new(p.PE8, p.EXTI8, trigger, Irqs),
            hard_fault: ExtiInput::new(p.PE9, p.EXTI9, trigger, Irqs),
            hang: ExtiInput::new(p.PE10, p.EXTI10, trigger, Irqs),
            stall: ExtiInput::new(p.PE11, p.EXTI11, trigger, Irqs),
            dead: ExtiInput::new(p.PE12, p.EXTI12, trigger, Irqs),
        },
    };
    let key_row = [p.PC6.into(), p.PC7.into(), p.PC8.into(), p.PC9.into()];
    let motion_link = uart(p.UART4, p.PA1, p.PA0, MOTION_BUFFER.take());
    let motor_row = [p.PD11.into(), p.PD12.into(), p.PD13.into(), p.PD14.into()];
    let beam_row = [p.PC0.into(), p.PC1.into(), p.PC2.into()];
    let sense_row = [
        p.PE0.into(),
        p.PE1.into(),
        p.PE2.into(),
        p.PE3.into(),
        p.PE4.into(),
        p.PE5.into(),
        p.PE6.into(),
        p.PE7.into(),
    ];
    let sense_stuck = Input::new(p.PE15, Pull::Down);
    let lamp_test = Key::new(ExtiInput::new(p.PC13, p.EXTI13, Pull::Up, Irqs), Level::Low);
    let common = Common {
        lamp_test,
        key_row,
        beam_row,
        motor_row,
        sense_row,
        sense_stuck,
        motion_link,
        rest,
    };
    (common, lamp_row)
}

/// Installs the shim and brings the clocks to 80 MHz, as on silicon.
fn chip() -> (Peripherals, cortex_m::Peripherals) {
    time::start(4); // the reset clock, MSI
    let mut core = cortex_m::Peripherals::take().expect("called once, first thing in main");
    shim::install(&mut core.MPU, uid());

    let peripherals = embassy_stm32::init(clocks::eighty_megahertz());
    time::start(80);
    CHIP_UP_US.store(embassy_time::Instant::now().as_micros() as u32, Ordering::Relaxed);
    (peripherals, core)
}

static CHIP_UP_US: AtomicU32 = AtomicU32::new(0);

/// When embassy alone had the chip running, for comparison, in microseconds.
pub fn chip_up_us() -> u32 {
    CHIP_UP_US.load(Ordering::Relaxed)
}

/// The identity the bench gave this guest, or one that is visibly nobody's.
fn uid() -> [u32; 3] {
    let mut words = [0; 3];
    if let Some(text) = host::value("uid") {
        for (word, at) in words.iter_mut().zip((0..).step_by(8)) {
            let digits = text.get(at..at + 8).unwrap_or("0");
            *word = u32::from_str_radix(digits, 16).unwrap_or(0).swap_bytes();
        }
    }
    words
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
    let mut config = usart::Config::default();
    config.eager_reads = Some(1); // QEMU never raises IDLE, so no byte may wait for more
    BufferedUart::new(peripheral, rx, tx, outgoing, incoming, Irqs, config)
        .expect("115200 baud can be had from 80 MHz")
}
