//! One device as a QEMU guest: power, reset, keys, lamps, log and links.

use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tempfile::TempDir;

use super::hand::GuestHand;
use super::process::{Process, program};
use super::qmp::Qmp;
use super::qtest::Qtest;
use super::setup::{FLASH, Setup, socket};
use super::step::{Count, Steps};
use super::watchdog::{Leash, Watch, Watchdog};
use crate::bench::{Bench, Hand, PATIENCE};
use crate::error::{BenchError, Result, Tail};
use crate::image::Image;
use crate::link::Link;
use crate::log::{Log, Words};
use crate::pins::Pins;
use crate::plan::{Plan, Wiring};
use crate::wait::interrupted;

/// How often the bench looks whether a starting or ending QEMU has died.
const GLANCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// A guest; off until powered on.
pub struct Guest {
    plan: Plan,
    setup: Setup,
    image: Image,
    words: Arc<Words>,
    wiring: Wiring,
    pins: Arc<Pins>,
    log: Arc<Log>,
    hand: Arc<GuestHand>,
    steps: Count,
    bites: Arc<AtomicUsize>,
    failed: AtomicBool,
    running: Option<Running>,
    folder: TempDir,
}

/// What exists only while the power is on. Fields drop in this order.
struct Running {
    _watchdog: Option<Watchdog>,
    process: Process,
    logger: Option<JoinHandle<()>>,
    qmp: Arc<Qmp>,
}

impl Guest {
    /// Prepares a guest; fails at once when its image or QEMU is missing.
    pub fn open(plan: &Plan, setup: Setup) -> Result<Self> {
        let image = Image::find("qemu", &setup.device)?;
        program()?;
        let words = Arc::new(Words::of(&image.path, &image.elf)?);
        let wiring = plan.wiring(&setup.device);
        let folder = tempfile::Builder::new()
            .prefix(&format!("croupier-{}-", setup.device))
            .tempdir()
            .map_err(BenchError::io("making the guest's folder"))?;
        let flash = folder.path().join(FLASH);
        std::fs::write(&flash, image.flash()?)
            .map_err(BenchError::io("writing the guest's flash"))?;
        let names = wiring.inputs.keys().chain(wiring.outputs.keys()).map(String::as_str);
        let pins = Pins::new(names).traced_in(&folder.path().join("pins.txt"))?;
        let log = Log::kept_in(&folder.path().join("log.txt"))?;
        Ok(Self {
            plan: plan.clone(),
            hand: Arc::new(GuestHand::new(&wiring)?),
            pins: Arc::new(pins),
            log: Arc::new(log),
            steps: Arc::default(),
            bites: Arc::default(),
            failed: AtomicBool::new(false),
            running: None,
            setup,
            image,
            words,
            wiring,
            folder,
        })
    }

    /// The guest's folder: sockets, store, log, pin trace.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The image it runs.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// The process id of its QEMU, while it is on.
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.process.id())
    }

    /// Waits until the image ends the emulation by itself.
    pub fn await_exit(&mut self, within: Duration) -> Result<ExitStatus> {
        let deadline = Instant::now() + within;
        let off = || BenchError::Off(self.setup.device.clone());
        while Instant::now() < deadline {
            if let Some(status) = self.running.as_mut().ok_or_else(off)?.process.ended() {
                return Ok(status);
            }
            if interrupted() {
                return Err(BenchError::Interrupted);
            }
            let _ = poll(&mut [], Some(&GLANCE)); // only its pause matters
        }
        let tail = Tail { lines: self.log.last(12), kept: self.keep() };
        let device = self.setup.device.clone();
        Err(BenchError::TimedOut { device, what: "its end".into(), waited: within, tail })
    }

    fn bind(&self, name: &str) -> Result<UnixListener> {
        let path = self.folder.path().join(name);
        let _ = std::fs::remove_file(&path); // left by the guest before the power cut
        UnixListener::bind(&path)
            .map_err(BenchError::io(format!("listening on {}", path.display())))
    }

    fn start(&self) -> Result<Running> {
        let (tests, machine) = (self.bind("qtest.sock")?, self.bind("qmp.sock")?);
        let line = self.setup.command_line();
        let (mut process, stream) = Process::start(&line, self.folder.path())?;
        let (words, log) = (Arc::clone(&self.words), Arc::clone(&self.log));
        let logger = Some(std::thread::spawn(move || {
            words.decode(stream, &log);
            log.note("the guest has ended");
        }));

        let tests = self.accept(&tests, &mut process)?;
        let machine = self.accept(&machine, &mut process)?;
        let (hand, leash) = (Arc::clone(&self.hand), Leash::default());
        let (asleep, log) = (leash.clone(), Arc::clone(&self.log));
        let qmp = Arc::new(Qmp::new(machine, move |event| {
            if event == "RESET" {
                asleep.sleep();
                log.note("the machine was reset");
                // Fails only when the guest is gone, which the test will notice itself.
                let _ = hand.regrip();
            }
        })?);
        let reporter = self.hand.reporter(Arc::clone(&self.pins), Arc::clone(&self.steps));
        let qtest = Qtest::new(tests, reporter)?;
        self.hand.grip(Arc::new(qtest))?;

        let (pins, log) = (Arc::clone(&self.pins), Arc::clone(&self.log));
        let watch = Watch { pins, log, qmp: Arc::clone(&qmp), bites: Arc::clone(&self.bites) };
        let watchdog = self.setup.watchdog.map(|limit| Watchdog::start(watch, limit, leash));
        Ok(Running { _watchdog: watchdog, process, logger, qmp })
    }

    fn accept(&self, listener: &UnixListener, process: &mut Process) -> Result<UnixStream> {
        let doing = || BenchError::io("waiting for QEMU to connect");
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline && !interrupted() {
            let ready = poll(&mut [PollFd::new(listener, PollFlags::IN)], Some(&GLANCE));
            if ready.map_err(|e| doing()(e.into()))? > 0 {
                return listener.accept().map(|(stream, _)| stream).map_err(doing());
            }
            if process.ended().is_some() {
                let asked = self.setup.command_line().join(" ");
                let answer = process.kill().trim().to_owned();
                return Err(BenchError::Refused { tool: "QEMU", asked, answer });
            }
        }
        if interrupted() {
            Err(BenchError::Interrupted)
        } else {
            Err(doing()(std::io::ErrorKind::TimedOut.into()))
        }
    }

    fn running(&self) -> Result<&Running> {
        self.running.as_ref().ok_or_else(|| BenchError::Off(self.setup.device.clone()))
    }

    fn stop(&mut self) {
        let Some(mut running) = self.running.take() else { return };
        drop(running._watchdog.take());
        let complaints = running.process.kill();
        if let Some(logger) = running.logger.take() {
            let _ = logger.join(); // after this every line the guest wrote has been seen
        }
        self.hand.let_go();
        drop(running);
        if !complaints.trim().is_empty() {
            self.log.note(format!("QEMU said: {}", complaints.trim()));
        }
        self.log.note("the power was cut");
        for output in self.wiring.outputs.keys() {
            self.pins.report(output, false, None);
        }
    }
}

impl Bench for Guest {
    fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    fn pins(&self) -> &Arc<Pins> {
        &self.pins
    }

    fn log(&self) -> &Arc<Log> {
        &self.log
    }

    fn hand(&self) -> Arc<dyn Hand> {
        Arc::clone(&self.hand) as Arc<dyn Hand>
    }

    fn power_on_held(&mut self) -> Result<()> {
        if self.running.is_none() {
            self.running = Some(self.start()?);
        }
        Ok(())
    }

    fn go(&mut self) -> Result<()> {
        self.running()?.qmp.tell("cont")
    }

    fn cut_power(&mut self) -> Result<()> {
        self.stop();
        Ok(())
    }

    fn reset(&mut self) -> Result<()> {
        self.running()?.qmp.tell("system_reset")
    }

    fn link(&mut self, name: &str) -> Result<Link> {
        let port = self.plan.link(&self.setup.device, name)?;
        self.running()?;
        let path = self.folder.path().join(socket(port));
        let stream = UnixStream::connect(&path);
        let stream = stream.map_err(BenchError::io(format!("connecting to {}", path.display())))?;
        Ok(Link::new(format!("{}'s {name} link", self.setup.device), stream))
    }

    fn steps(&self) -> Option<Steps> {
        let steps = Steps { count: Arc::clone(&self.steps), hand: Arc::clone(&self.hand) };
        self.setup.in_step.then_some(steps)
    }

    fn watchdog_resets(&self) -> usize {
        self.bites.load(Ordering::SeqCst)
    }

    fn keep(&self) -> Option<PathBuf> {
        self.failed.store(true, Ordering::SeqCst);
        Some(self.folder.path().to_owned())
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.stop();
        let wanted = std::env::var_os("CROUPIER_KEEP").is_some();
        if wanted || self.failed.load(Ordering::SeqCst) || std::thread::panicking() {
            self.folder.disable_cleanup(true);
            eprintln!(
                "{}: log and pin trace are kept in {}",
                self.setup.device,
                self.folder.path().display()
            );
        }
    }
}
