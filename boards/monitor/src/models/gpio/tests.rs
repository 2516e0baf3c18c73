use super::*;
use crate::testing::hardware::Bench;

const OUTPUT: u32 = 0b01;
const ALTERNATE: u32 = 0b10;

struct Ports {
    gpio: Gpio,
    bench: Bench,
}

impl Ports {
    fn new() -> Self {
        Self { gpio: Gpio::new(), bench: Bench::new() }
    }

    fn store(&mut self, name: &str, register: u32, value: u32) -> Result<(), Breach> {
        let offset = u32::from(pin(name).port) * PORT_SIZE + register;
        self.gpio.store(offset, Width::Word, value, &mut self.bench.cx())
    }

    fn set_mode(&mut self, name: &str, mode: u32) {
        let at = 2 * u32::from(pin(name).number);
        let modes = self.bench.world.ports[usize::from(pin(name).port)][0];
        self.store(name, MODER, modes & !(0b11 << at) | mode << at).unwrap();
    }

    fn drive(&mut self, name: &str, high: bool) -> Result<(), Breach> {
        self.store(name, BSRR, pin(name).bit() << if high { 0 } else { 16 })
    }

    /// `Output::new`: the level first.
    fn output(&mut self, name: &str, high: bool) {
        self.drive(name, high).unwrap();
        self.set_mode(name, OUTPUT);
    }

    fn reads(&mut self, name: &str) -> bool {
        let offset = u32::from(pin(name).port) * PORT_SIZE + IDR;
        self.gpio.load(offset, Width::Word, &mut self.bench.cx()).unwrap() & pin(name).bit() != 0
    }
}

fn pin(name: &str) -> Pin {
    Pin::parse(name).unwrap()
}

#[test]
fn a_pin_has_a_name() {
    assert_eq!(Pin::parse("PD14"), Some(Pin { port: 3, number: 14 }));
    assert_eq!(Pin::parse("PA0"), Some(Pin { port: 0, number: 0 }));
    assert_eq!(Pin::parse("PH9"), Some(Pin { port: 7, number: 9 }));
    for wrong in ["", "PA", "A5", "PI1", "PA16", "PA010", "PA2x", "PAx", "P@1", "PA25"] {
        assert_eq!(Pin::parse(wrong), None, "{wrong}");
    }
}

#[test]
fn a_sense_line_reads_its_lamp_of_any_port() {
    let mut ports = Ports::new();
    assert!(
        ports.gpio.couple(pin("PD14"), pin("PC5")) && ports.gpio.couple(pin("PA3"), pin("PC3"))
    );
    assert!(!ports.reads("PC5"));
    ports.bench.world.ports[3][5] = 1 << 14; // port D is QEMU's own
    assert!(ports.reads("PC5") && !ports.reads("PC3"));
    ports.output("PA3", true);
    assert!(ports.reads("PC3"));
    ports.drive("PA3", false).unwrap();
    assert!(!ports.reads("PC3") && ports.reads("PC5"));
}

#[test]
fn a_sense_line_can_be_stuck_and_follows_again() {
    let mut ports = Ports::new();
    ports.gpio.couple(pin("PD14"), pin("PC5"));
    assert!(ports.gpio.sense(pin("PC5"), Sensed::High) && ports.reads("PC5"));
    ports.bench.world.ports[3][5] = 1 << 14;
    ports.bench.world.ports[2][4] = 1 << 5;
    assert!(ports.gpio.sense(pin("PC5"), Sensed::Low) && !ports.reads("PC5"));
    assert!(ports.gpio.sense(pin("PC5"), Sensed::Follow) && ports.reads("PC5"));
}

#[test]
fn other_lines_read_as_qemu_has_them() {
    let mut ports = Ports::new();
    ports.gpio.couple(pin("PD14"), pin("PC5"));
    ports.bench.world.ports[2][4] = 0xABCD;
    let mut cx = ports.bench.cx();
    assert_eq!(ports.gpio.load(2 * PORT_SIZE + IDR, Width::Word, &mut cx), Ok(0xABCD & !(1 << 5)));
    assert_eq!(ports.gpio.load(2 * PORT_SIZE + IDR + 1, Width::Byte, &mut cx), Ok(0xAB));
    ports.gpio.sense(pin("PC0"), Sensed::Follow);
    assert!(ports.reads("PC0"), "a line without a lamp follows the port");
}

#[test]
fn there_is_room_for_eight_couplings() {
    let mut ports = Ports::new();
    let names = ["PC0", "PC1", "PC2", "PC3", "PC4", "PC5", "PC6", "PC7"];
    assert!(names.iter().all(|name| ports.gpio.couple(pin("PD14"), pin(name))));
    assert!(!ports.gpio.couple(pin("PD14"), pin("PC8")));
    assert!(ports.gpio.couple(pin("PD15"), pin("PC0")), "a known line is coupled again");
}

#[test]
fn a_watched_pin_reports_its_edges_and_no_others() {
    let mut ports = Ports::new();
    assert!(ports.gpio.watch(pin("PB2")) && ports.gpio.watch(pin("PA7")));
    assert!(!ports.gpio.watch(pin("PA6")), "two are enough");
    ports.output("PB3", true);
    assert_eq!(ports.gpio.take_edge(), None, "a pin that floats is high");
    ports.output("PB2", true);
    assert_eq!(ports.gpio.take_edge(), None, "high when it floats, high when it is driven");
    ports.drive("PB2", false).unwrap();
    assert_eq!(ports.gpio.take_edge(), Some((pin("PB2"), false)));
    assert_eq!(ports.gpio.take_edge(), None);
    ports.drive("PB2", false).unwrap();
    ports.output("PB1", true);
    assert_eq!(ports.gpio.take_edge(), None);
    ports.store("PB2", ODR, 1 << 1 | 1 << 2).unwrap();
    assert_eq!(ports.gpio.take_edge(), Some((pin("PB2"), true)));
    ports.output("PA7", true);
    ports.store("PA7", BRR, 1 << 7).unwrap();
    assert_eq!(ports.gpio.take_edge(), Some((pin("PA7"), false)));
}

#[test]
fn a_pin_becoming_an_output_that_is_low_is_an_edge() {
    let mut ports = Ports::new();
    ports.gpio.watch(pin("PB2"));
    ports.set_mode("PB2", OUTPUT);
    assert_eq!(ports.gpio.take_edge(), Some((pin("PB2"), false)));
}

#[test]
fn a_level_before_the_mode_passes_as_embassy_does_it() {
    let mut ports = Ports::new();
    ports.output("PB2", true);
    for high in [false, true, false] {
        ports.drive("PB2", high).unwrap();
    }
    ports.output("PA4", false);
    ports.drive("PA4", true).unwrap();
    ports.set_mode("PA4", 0b11); // `Output` is dropped, and made again
    ports.output("PA4", false);
}

#[test]
fn a_pin_driven_twice_that_is_no_output_is_a_breach() {
    let mut ports = Ports::new();
    ports.drive("PB2", true).unwrap();
    assert_eq!(ports.drive("PB2", false).unwrap_err().register, "GPIO_BSRR");
    let mut ports = Ports::new();
    ports.set_mode("PA7", ALTERNATE);
    ports.drive("PA7", true).unwrap();
    assert!(ports.store("PA7", BRR, 1 << 7).is_err());
    let mut ports = Ports::new();
    ports.store("PC1", ODR, 1 << 1).unwrap();
    assert!(ports.store("PC1", ODR, 0).is_err());
    let mut ports = Ports::new();
    ports.drive("PB2", true).unwrap();
    ports.gpio.reset(1);
    ports.drive("PB2", true).unwrap();
}

#[test]
fn what_is_no_register_is_a_breach() {
    let mut ports = Ports::new();
    let mut cx = ports.bench.cx();
    for offset in [0x30, 3 * PORT_SIZE] {
        assert!(ports.gpio.load(offset, Width::Word, &mut cx).is_err());
        assert!(ports.gpio.store(offset, Width::Word, 0, &mut cx).is_err());
    }
}
