//! How one guest is set up, and the QEMU command line that makes it so.

use std::path::PathBuf;
use std::time::Duration;

use super::step;

/// QEMU's serial ports in the order it numbers them.
pub const PORTS: [&str; 6] = ["USART1", "USART2", "USART3", "UART4", "UART5", "LPUART1"];

/// The store's file in the guest's folder; it outlives a power cut.
pub const NOR: &str = "nor.bin";

/// The watchdog's patience with a guest whose time is not the host's.
const PATIENT: Duration = Duration::from_secs(20);

/// The flash as a programmer leaves it. Given the ELF, QEMU would fill its gaps with
/// zeros; flash that nobody wrote is all ones, and the image's hash tells the two apart.
pub const FLASH: &str = "flash.bin";

/// What a test may choose about a guest.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Which image to run; also the device whose pins are wired.
    pub device: String,
    /// The chip's unique id, 24 hexadecimal digits.
    pub uid: String,
    /// Where the guest's entropy comes from.
    pub entropy: PathBuf,
    /// What else the image is told, as `key=value`.
    pub arguments: Vec<String>,
    /// Its time waits, every millisecond, for a world beside it.
    pub in_step: bool,
    /// Counts instructions: each takes 2^shift nanoseconds of guest time.
    pub icount: Option<u8>,
    /// How long the watchdog pin may rest before the bench resets the guest.
    pub watchdog: Option<Duration>,
}

impl Setup {
    /// The usual guest: real time, the host's random device, a watchdog of one second.
    pub fn new(device: &str) -> Self {
        Self {
            device: device.into(),
            uid: uid_of(device),
            entropy: "/dev/urandom".into(),
            arguments: Vec::new(),
            in_step: false,
            icount: None,
            watchdog: Some(Duration::from_secs(1)),
        }
    }

    /// Tells the image one thing more.
    pub fn argument(mut self, key: &str, value: &str) -> Self {
        self.arguments.push(format!("{key}={value}"));
        self
    }

    /// Counts instructions, and skips idle time.
    pub fn icount(mut self, shift: u8) -> Self {
        self.icount = Some(shift);
        self
    }

    /// Keeps the guest in step with a world beside it: it runs only while that world lets it.
    ///
    /// The watchdog's clock is the host's, so it is more patient: a guest that waits is well.
    pub fn in_step(mut self) -> Self {
        self.in_step = true;
        self.watchdog = self.watchdog.map(|limit| limit.max(PATIENT));
        let (key, value) = step::ARGUMENT;
        // 32 ns an instruction: slower than the chip, so a limit kept here is kept there.
        self.icount(5).argument(key, value)
    }

    /// Leaves a silent guest alone.
    pub fn without_watchdog(mut self) -> Self {
        self.watchdog = None;
        self
    }

    /// The command line; all paths are in the guest's folder.
    pub fn command_line(&self) -> Vec<String> {
        let mut line: Vec<String> = [
            "-M",
            "b-l475e-iot01a",
            "-display",
            "none",
            "-monitor",
            "none",
            "-accel",
            "tcg",
            // Held until the bench has connected everything: it must miss nothing.
            "-S",
            "-qtest",
            "unix:qtest.sock",
            "-qtest-log",
            "none",
            "-qmp",
            "unix:qmp.sock",
            "-kernel",
            FLASH,
        ]
        .map(str::to_owned)
        .into();
        for port in PORTS {
            line.extend(["-serial".into(), format!("unix:{},server=on,wait=off", socket(port))]);
        }
        if let Some(shift) = self.icount {
            line.extend(["-icount".into(), format!("shift={shift},sleep=off")]);
        }
        line.extend(["-semihosting-config".into(), self.semihosting()]);
        line
    }

    fn semihosting(&self) -> String {
        let entropy = format!("entropy={}", self.entropy.display());
        let told = [format!("uid={}", self.uid), format!("nor={NOR}"), entropy];
        let arguments = told.iter().chain(&self.arguments);
        // QEMU splits options at commas; a doubled one stands for itself.
        let arguments = arguments.map(|argument| format!(",arg={}", argument.replace(',', ",,")));
        format!("enable=on,target=native,arg=croupier{}", arguments.collect::<String>())
    }
}

/// The socket of a serial port, in the guest's folder.
pub fn socket(port: &str) -> String {
    format!("{}.sock", port.to_lowercase())
}

/// An id that tells devices apart in logs: the device's name in ASCII, then ones.
fn uid_of(device: &str) -> String {
    let named = device.bytes().chain(std::iter::repeat(0x11)).take(12);
    named.map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_is_told_its_id_its_store_and_its_entropy() {
        let setup = Setup::new("reader").argument("mode", "a,b");
        assert_eq!(setup.uid, "726561646572111111111111");
        assert_eq!(
            setup.semihosting(),
            "enable=on,target=native,arg=croupier,arg=uid=726561646572111111111111,\
             arg=nor=nor.bin,arg=entropy=/dev/urandom,arg=mode=a,,b"
        );
    }

    #[test]
    fn serial_ports_come_in_the_order_of_the_machine_and_icount_only_when_asked() {
        let line = Setup::new("reader").command_line();
        let serial: Vec<_> = line.iter().filter(|word| word.contains("art")).collect();
        assert_eq!(serial.len(), 6);
        assert!(
            serial[0].starts_with("unix:usart1.sock") && serial[3].starts_with("unix:uart4.sock")
        );
        assert!(!line.contains(&"-icount".to_owned()));
        let stepping = Setup::new("shuffler").in_step();
        assert!(stepping.command_line().contains(&"shift=5,sleep=off".to_owned()));
        assert!(stepping.semihosting().ends_with(",arg=step=world"));
        let counted = Setup::new("bench").icount(5).command_line();
        assert!(counted.contains(&"shift=5,sleep=off".to_owned()));
    }
}
