//! How one guest is set up, and the QEMU command line that makes it so.

use std::path::PathBuf;
use std::time::Duration;

use croupier::shuffler::Model;

use super::bridge::OUT;
use super::step;
use crate::error::{BenchError, Result};
use crate::image::Image;
use crate::plan::Wiring;

/// The store's file in the guest's folder; it outlives a power cut.
pub const NOR: &str = "nor.bin";
/// Which words of the store are torn; it outlives a power cut too.
pub const TORN: &str = "torn.bin";
/// Whose images run in QEMU beside the monitor: those that are flashed.
pub const BOARD: &str = "b-l475e-iot01a";

/// The first byte of flash that is the monitor's.
const MONITOR: usize = 0x0006_0000;
/// The watchdog's patience with a guest whose time is not the host's.
const PATIENT: Duration = Duration::from_secs(20);
/// Longer than the chip's own takes, so that it bites only for a guest that this one cannot reach.
const WATCHDOG: Duration = Duration::from_secs(10);

/// The flash as a programmer leaves it. Given the ELF, QEMU would fill its gaps with
/// zeros; flash that was never written is all ones, and the image's hash tells the two apart.
pub const FLASH: &str = "flash.bin";

/// What a test may choose about a guest.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Which image to run; also the device whose pins are wired.
    pub device: String,
    /// Where that image is, when it is not the one that was built last.
    pub elf: Option<PathBuf>,
    /// The chip's unique id, 24 hexadecimal digits.
    pub uid: String,
    /// Where the guest's entropy comes from.
    pub entropy: PathBuf,
    /// Its other arguments, as `key=value`.
    pub arguments: Vec<String>,
    /// Inputs that are held from the first power-on.
    pub held: Vec<String>,
    /// It has no keys yet.
    pub is_blank: bool,
    /// Its time waits, every millisecond, for a world beside it.
    pub in_step: bool,
    /// Counts instructions: each takes 2^shift nanoseconds of guest time.
    pub icount: Option<u8>,
    /// How long the watchdog pin may rest before the bench resets the guest.
    pub watchdog: Option<Duration>,
}

/// What runs beside an image, and what it must know of it.
#[derive(Debug, Clone)]
pub struct Companion {
    /// The monitor's ELF.
    pub elf: PathBuf,
    /// Where the image keeps its log, if it has one.
    pub rtt: Option<u32>,
    /// Lamps and their sense lines.
    pub couple: Vec<String>,
    /// What is on SPI1.
    pub spi: Option<String>,
}

impl Companion {
    /// What runs beside `image`, which must leave room for it.
    pub fn of(image: &Image, wiring: &Wiring) -> Result<Self> {
        let end = image.flash()?.len();
        if end > MONITOR {
            let why = format!("it ends at {end:#x}, where flash is the monitor's");
            return Err(BenchError::BadImage { path: image.path.clone(), why });
        }
        let monitor = Image::find("monitor", "monitor")?;
        let (couple, spi) = (wiring.couple.clone(), wiring.spi.clone());
        Ok(Self { elf: monitor.path, rtt: image.symbol("_SEGGER_RTT")?, couple, spi })
    }
}

impl Setup {
    /// The usual device: real time, the host's random device, the bench's keys.
    pub fn new(device: &str) -> Self {
        Self {
            device: device.into(),
            elf: None,
            uid: uid_of(device),
            entropy: "/dev/urandom".into(),
            arguments: Vec::new(),
            held: Vec::new(),
            is_blank: false,
            in_step: false,
            icount: None,
            watchdog: Some(WATCHDOG),
        }
    }

    /// Runs another image of the device.
    pub fn elf(mut self, elf: impl Into<PathBuf>) -> Self {
        self.elf = Some(elf.into());
        self
    }

    /// The image to run.
    pub fn image(&self) -> Result<Image> {
        match &self.elf {
            Some(path) => Image::at(path.clone(), &self.device),
            None => Image::find(BOARD, &self.device),
        }
    }

    /// Tells it one thing more.
    pub fn argument(mut self, key: &str, value: &str) -> Self {
        self.arguments.push(format!("{key}={value}"));
        self
    }

    /// A shuffler in a machine of this model, as its straps say.
    pub fn model(mut self, model: Model) -> Self {
        self.held.extend(match model {
            Model::SingleDeck => None,
            Model::MultiDeck => Some("strap-multi-deck".into()),
            Model::Continuous => Some("strap-continuous".into()),
        });
        self
    }

    /// A device as it comes from the programmer: its store is blank, and it has no keys.
    pub fn blank(mut self) -> Self {
        self.is_blank = true;
        self
    }

    /// Counts instructions, and skips idle time.
    pub fn icount(mut self, shift: u8) -> Self {
        self.icount = Some(shift);
        self
    }

    /// Keeps the guest in step with a world beside it: it runs only while that world lets it.
    ///
    /// The bench's watchdog goes by the host's clock, so it is more patient: a guest that waits
    /// is well.
    pub fn in_step(mut self) -> Self {
        self.in_step = true;
        self.watchdog = self.watchdog.map(|limit| limit.max(PATIENT));
        let (key, value) = step::ARGUMENT;
        // 32 ns an instruction, unless told otherwise: slower than the chip, so a limit kept here
        // is kept there.
        let shift = self.icount.unwrap_or(5);
        self.icount(shift).argument(key, value)
    }

    /// Leaves a silent guest alone.
    pub fn without_watchdog(mut self) -> Self {
        self.watchdog = None;
        self
    }

    /// The command line; all paths are in the guest's folder.
    pub fn command_line(&self, beside: &Companion) -> Vec<String> {
        let mut line: Vec<String> = [
            "-M",
            "b-l475e-iot01a",
            "-display",
            "none",
            "-monitor",
            "none",
            // The monitor has the UARTs; QEMU's own must not take the bench's terminal.
            "-serial",
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
        let elf = beside.elf.display().to_string().replace(',', ",,");
        line.extend(["-device".into(), format!("loader,file={elf},cpu-num=0")]);
        if let Some(shift) = self.icount {
            line.extend(["-icount".into(), format!("shift={shift},sleep=off")]);
        }
        line.extend(["-semihosting-config".into(), self.semihosting(beside)]);
        line
    }

    fn semihosting(&self, beside: &Companion) -> String {
        let Companion { rtt, couple, spi, .. } = beside;
        let entropy = format!("entropy={}", self.entropy.display());
        let mut settings = vec![format!("uid={}", self.uid), format!("nor={NOR}"), entropy];
        settings.extend([format!("torn={TORN}"), format!("out={OUT}")]);
        settings.extend(rtt.map(|address| format!("rtt={address:08x}")));
        if !couple.is_empty() {
            settings.push(format!("couple={}", couple.join(",")));
        }
        settings.extend(spi.as_ref().map(|part| format!("spi={part}")));
        settings.extend(self.icount.map(|_| "icount=yes".to_owned()));
        let arguments = settings.iter().chain(&self.arguments);
        // QEMU splits options at commas; a doubled one stands for itself.
        let arguments = arguments.map(|argument| format!(",arg={}", argument.replace(',', ",,")));
        format!("enable=on,target=native,arg=croupier{}", arguments.collect::<String>())
    }
}

/// An id that tells devices apart in logs: the device's name in ASCII, then ones.
fn uid_of(device: &str) -> String {
    let named = device.bytes().chain(std::iter::repeat(0x11)).take(12);
    named.map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beside() -> Companion {
        Companion {
            elf: "/images/monitor.elf".into(),
            rtt: Some(0x2000_0408),
            couple: vec!["PD14:PC5".into(), "PB0:PC4".into()],
            spi: Some("head:PB2".into()),
        }
    }

    #[test]
    fn the_monitor_is_told_all_it_must_know_of_the_image_and_the_board() {
        let setup = Setup::new("reader").argument("film", "frames.bin");
        assert_eq!(setup.uid, "726561646572111111111111");
        assert_eq!(
            setup.semihosting(&beside()),
            "enable=on,target=native,arg=croupier,arg=uid=726561646572111111111111,\
             arg=nor=nor.bin,arg=entropy=/dev/urandom,arg=torn=torn.bin,arg=out=monitor.out,\
             arg=rtt=20000408,arg=couple=PD14:PC5,,PB0:PC4,arg=spi=head:PB2,arg=film=frames.bin"
        );
        let line = setup.command_line(&beside());
        assert!(line.contains(&"loader,file=/images/monitor.elf,cpu-num=0".to_owned()));
        assert!(!line.contains(&"-icount".to_owned()));
    }

    #[test]
    fn in_step_instructions_are_counted_and_the_monitor_knows_it() {
        let stepping = Setup::new("shuffler").model(Model::Continuous).in_step();
        assert!(stepping.command_line(&beside()).contains(&"shift=5,sleep=off".to_owned()));
        assert!(stepping.semihosting(&beside()).ends_with(",arg=icount=yes,arg=step=world"));
        assert_eq!(stepping.held, ["strap-continuous"]);
        assert!(stepping.watchdog >= Some(PATIENT));
    }
}
