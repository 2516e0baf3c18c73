//! One device as a QEMU guest: power, reset, keys, lamps, log and links.

use std::fs::File;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tempfile::TempDir;

use super::bridge::{self, Bridge, Said};
use super::hand::GuestHand;
use super::machine::{Cause, Machine};
use super::process::{Process, program};
use super::qmp::Qmp;
use super::qtest::Qtest;
use super::records::Stream;
use super::setup::{Companion, FLASH, Setup};
use super::step::{Count, Steps};
use super::store;
use super::tally::{self, Tally};
use super::watchdog::{Leash, Watch, Watchdog};
use crate::bench::{Bench, Hand, PATIENCE};
use crate::error::{BenchError, Result};
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
    companion: Companion,
    words: Arc<Words>,
    wiring: Wiring,
    pins: Arc<Pins>,
    log: Arc<Log>,
    hand: Arc<GuestHand>,
    steps: Count,
    bites: Arc<AtomicUsize>,
    breach: Breach,
    failed: AtomicBool,
    running: Option<Running>,
    folder: TempDir,
}

/// The rule that the image has broken, if it has.
type Breach = Arc<Mutex<Option<String>>>;

/// What exists only while the power is on. Fields drop in this order.
struct Running {
    watchdog: Option<Watchdog>,
    process: Process,
    logger: Option<JoinHandle<()>>,
    bridge: Arc<Bridge>,
    machine: Machine,
}

impl Guest {
    /// Prepares a guest; fails at once when its image or QEMU is missing.
    pub fn open(plan: &Plan, setup: Setup) -> Result<Self> {
        let image = setup.image()?;
        program()?;
        let words = Arc::new(Words::of(&image.path, &image.elf)?);
        let wiring = plan.wiring(&setup.device);
        let folder = tempfile::Builder::new()
            .prefix(&format!("croupier-{}-", setup.device))
            .tempdir()
            .map_err(BenchError::io("making the guest's folder"))?;
        let companion = Companion::of(&image, &wiring)?;
        let flash = folder.path().join(FLASH);
        std::fs::write(&flash, image.flash()?)
            .map_err(BenchError::io("writing the guest's flash"))?;
        match setup.is_blank {
            true => store::write_blank(folder.path())?,
            false => store::write_provisioned(folder.path())?,
        }
        let names = wiring.inputs.keys().chain(wiring.outputs.keys()).map(String::as_str);
        let pins = Arc::new(Pins::new(names).traced_in(&folder.path().join("pins.txt"))?);
        let log = Log::kept_in(&folder.path().join("log.txt"))?;
        let panic = image.panic()?.map(|address| format!("{address:08x}"));
        let hand = GuestHand::new(&wiring, Arc::clone(&pins), &panic.unwrap_or_default())?;
        setup.held.iter().try_for_each(|input| hand.set(input, true))?;
        Ok(Self {
            plan: plan.clone(),
            hand: Arc::new(hand),
            pins,
            log: Arc::new(log),
            steps: Arc::default(),
            bites: Arc::default(),
            breach: Arc::default(),
            failed: AtomicBool::new(false),
            running: None,
            setup,
            image,
            companion,
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

    /// Says something to the monitor (boards/monitor/README.md); what it changes ends with a reset.
    pub fn command_monitor(&self, words: &str) -> Result<()> {
        self.hand.say(words)
    }

    /// What the monitor has counted.
    pub fn tally(&self) -> Result<Tally> {
        Tally::read(&*self.running()?.machine.qtest)
    }

    /// Resets the tally's longest run of late.
    pub fn forget_recent_run(&self) -> Result<()> {
        tally::forget_recent_run(&self.running()?.machine.qtest)
    }

    /// The guest's flash as the processor reads it, from its first byte.
    pub fn flash(&self, length: usize) -> Result<Vec<u8>> {
        const PART: usize = 16 * 1024;
        let qtest = &self.running()?.machine.qtest;
        let parts = (0..length).step_by(PART).map(|at| {
            // Within 1 MiB, so it fits an address.
            qtest.read_bytes(0x0800_0000 + at as u32, PART.min(length - at))
        });
        Ok(parts.collect::<Result<Vec<_>>>()?.concat())
    }

    /// The supply dips below the brown-out level and comes back.
    pub fn brown_out(&self) -> Result<()> {
        self.running()?.machine.reset(Cause::BrownOut)
    }

    fn bind(&self, name: &str) -> Result<UnixListener> {
        let path = self.folder.path().join(name);
        let _ = std::fs::remove_file(&path); // left by the guest before the power cut
        UnixListener::bind(&path)
            .map_err(BenchError::io(format!("listening on {}", path.display())))
    }

    fn start(&self) -> Result<Running> {
        let (tests, machine) = (self.bind("qtest.sock")?, self.bind("qmp.sock")?);
        let fifo = bridge::fifo(self.folder.path())?;
        *self.breach.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.give_up(false);
        let line = self.setup.command_line(&self.companion);
        let (mut process, stream) = Process::start(&line, self.folder.path())?;
        let (words, log) = (Arc::clone(&self.words), Arc::clone(&self.log));
        let logger = Some(std::thread::spawn(move || {
            words.decode(stream, &log);
            log.note("the guest has ended");
        }));

        let tests = self.accept(&tests, &mut process)?;
        let machine = self.accept(&machine, &mut process)?;
        let leash = Leash::default();
        let (asleep, log) = (leash.clone(), Arc::clone(&self.log));
        let qmp = Arc::new(Qmp::new(machine, move |event| {
            if event == "RESET" {
                asleep.sleep();
                log.note("the machine was reset");
            }
        })?);
        let reporter = self.hand.reporter(Arc::clone(&self.pins), Arc::clone(&self.steps));
        let qtest = Arc::new(Qtest::new(tests, reporter)?);
        self.hand.grip(Arc::clone(&qtest))?;
        let bridge = self.bridge(fifo, Arc::clone(&qtest))?;

        let (pins, log) = (Arc::clone(&self.pins), Arc::clone(&self.log));
        let machine = Machine { qmp, qtest };
        let watch = Watch { pins, log, machine: machine.clone(), bites: Arc::clone(&self.bites) };
        let watchdog = self.setup.watchdog.map(|limit| Watchdog::start(watch, limit, leash));
        Ok(Running { watchdog, process, logger, bridge, machine })
    }

    /// The bridge to the monitor, and who acts on what it says.
    fn bridge(&self, fifo: File, qtest: Arc<Qtest>) -> Result<Arc<Bridge>> {
        let (hand, log, pins) =
            (Arc::clone(&self.hand), Arc::clone(&self.log), Arc::clone(&self.pins));
        let (bites, breach, steps) =
            (Arc::clone(&self.bites), Arc::clone(&self.breach), Arc::clone(&self.steps));
        let noted = Arc::clone(&self.log);
        let act = move |said| match said {
            Said::Start => {
                if let Err(error) = hand.begin() {
                    log.note(format!("the image cannot begin: {error}"));
                }
            }
            Said::Watchdog => _ = bites.fetch_add(1, Ordering::SeqCst),
            Said::Breach(words) => {
                *breach.lock().unwrap_or_else(PoisonError::into_inner) = Some(words);
                give_up(true, &pins, &log, &steps);
            }
        };
        let bridge = Bridge::new(fifo, qtest, noted, self.setup.in_step, Box::new(act))?;
        let bridge = Arc::new(bridge);
        self.hand.join(Arc::clone(&bridge));
        Ok(bridge)
    }

    fn give_up(&self, vain: bool) {
        give_up(vain, &self.pins, &self.log, &self.steps);
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
                let asked = self.setup.command_line(&self.companion).join(" ");
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
        drop(running.watchdog.take());
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
        self.running()?.machine.qmp.execute("cont")
    }

    fn cut_power(&mut self) -> Result<()> {
        self.stop();
        Ok(())
    }

    fn reset(&mut self) -> Result<()> {
        self.running()?.machine.reset(Cause::Line)
    }

    fn link(&mut self, name: &str) -> Result<Link> {
        let number = self.plan.link(&self.setup.device, name)?;
        let stream = number.parse().ok().and_then(Stream::numbered);
        let unwired = || BenchError::Unwired {
            device: self.setup.device.clone(),
            kind: "stream",
            name: number.into(),
            known: Stream::LINKS.map(|stream| (stream as u8).to_string()).into(),
        };
        let stream = stream.filter(|stream| Stream::LINKS.contains(stream)).ok_or_else(unwired)?;
        let bridge = &self.running()?.bridge;
        let (name, breach) =
            (format!("{}'s {name} link", self.setup.device), Arc::clone(&self.breach));
        Ok(Link::new(name, bridge.link(stream)?).ended_by(breach))
    }

    fn steps(&self) -> Option<Steps> {
        let steps = Steps { count: Arc::clone(&self.steps), hand: Arc::clone(&self.hand) };
        self.setup.in_step.then_some(steps)
    }

    fn device_us(&self) -> Result<Option<u64>> {
        let running = self.running()?;
        tally::device_us(&*running.machine.qtest).map(Some)
    }

    fn breach(&self) -> Option<String> {
        self.breach.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn watchdog_resets(&self) -> usize {
        self.bites.load(Ordering::SeqCst)
    }

    fn keep(&self) -> Option<PathBuf> {
        self.failed.store(true, Ordering::SeqCst);
        Some(self.folder.path().to_owned())
    }
}

/// Every wait for what a guest does is in vain, or may be worth it again.
fn give_up(vain: bool, pins: &Pins, log: &Log, steps: &Count) {
    pins.give_up(vain);
    log.give_up(vain);
    steps.give_up(vain);
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
