//! A measuring image on bare QEMU: it starts, writes its files and ends by itself.
//!
//! Instruments (`boards/instruments`) use no peripheral, so nothing runs beside them: no
//! monitor, no sockets, no pins. They take words on the command line and answer
//! with files in a folder of their own.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::process::{Process, program};
use super::setup::NOR;
use crate::error::{BenchError, Result, Tail};
use crate::image::Image;
use crate::log::{Log, Words};
use crate::wait::interrupted;

/// Where the images lie, beside those of the boards.
const IMAGES: &str = "instruments";
/// The flash as a programmer leaves it, in the instrument's folder.
const FLASH: &str = "flash.bin";
/// How often the host looks whether the image has ended.
const GLANCE: Duration = Duration::from_millis(20);

/// One instrument and its folder; the folder outlives each run and goes with the value.
pub struct Instrument {
    name: String,
    words: Words,
    log: Log,
    folder: TempDir,
    arguments: Vec<String>,
    icount: Option<u8>,
}

impl Instrument {
    /// Prepares the image of this name; fails at once when it or QEMU is missing.
    pub fn open(name: &str) -> Result<Self> {
        let image = Image::find(IMAGES, name)?;
        program()?;
        let words = Words::of(&image.path, &image.elf)?;
        let folder = tempfile::Builder::new()
            .prefix(&format!("croupier-{name}-"))
            .tempdir()
            .map_err(BenchError::io("making the instrument's folder"))?;
        std::fs::write(folder.path().join(FLASH), image.flash()?)
            .map_err(BenchError::io("writing the instrument's flash"))?;
        let log = Log::kept_in(&folder.path().join("log.txt"))?;
        let arguments = vec![format!("nor={NOR}")];
        Ok(Self { name: name.into(), words, log, folder, arguments, icount: None })
    }

    /// Tells the image one thing more.
    pub fn argument(mut self, key: &str, value: &str) -> Self {
        self.arguments.push(format!("{key}={value}"));
        self
    }

    /// Counts instructions: each takes 2^shift nanoseconds.
    pub fn icount(mut self, shift: u8) -> Self {
        self.icount = Some(shift);
        self
    }

    /// Its folder: QEMU's working directory.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// What it logged, in all runs.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// Starts the image and waits until it has ended and every line it logged is read.
    pub fn run(&self, within: Duration) -> Result<ExitStatus> {
        let (mut process, stream) = Process::start(&self.command_line(), self.folder())?;
        std::thread::scope(|scope| {
            scope.spawn(|| self.words.decode(stream, &self.log));
            let status = await_end(&mut process, within);
            let complaints = process.kill(); // ends the log's stream too
            if !complaints.trim().is_empty() {
                self.log.note(format!("QEMU said: {}", complaints.trim()));
            }
            status
        })?
        .ok_or_else(|| self.too_slow(within))
    }

    /// A file that the image wrote.
    pub fn read(&self, name: &str) -> Result<Vec<u8>> {
        let doing = format!("reading the instrument's {name}");
        std::fs::read(self.folder().join(name)).map_err(BenchError::io(doing))
    }

    fn too_slow(&self, waited: Duration) -> BenchError {
        let tail = Tail { lines: self.log.last(12), kept: None::<PathBuf> };
        BenchError::TimedOut { device: self.name.clone(), what: "its end".into(), waited, tail }
    }

    fn command_line(&self) -> Vec<String> {
        let words = "-M b-l475e-iot01a -display none -monitor none -serial null -accel tcg -kernel";
        let mut line: Vec<String> = words.split(' ').chain([FLASH]).map(str::to_owned).collect();
        if let Some(shift) = self.icount {
            line.extend(["-icount".into(), format!("shift={shift},sleep=off")]);
        }
        // QEMU splits options at commas; a doubled one stands for itself.
        let passed = self.arguments.iter().map(|word| format!(",arg={}", word.replace(',', ",,")));
        let semihosting =
            format!("enable=on,target=native,arg=croupier{}", passed.collect::<String>());
        line.extend(["-semihosting-config".into(), semihosting]);
        line
    }
}

/// How QEMU ended, or nothing if it did not in time.
fn await_end(process: &mut Process, within: Duration) -> Result<Option<ExitStatus>> {
    let deadline = Instant::now() + within;
    loop {
        if let Some(status) = process.ended() {
            return Ok(Some(status));
        }
        if interrupted() {
            return Err(BenchError::Interrupted);
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        std::thread::sleep(GLANCE);
    }
}
