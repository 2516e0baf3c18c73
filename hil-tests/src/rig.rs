//! The bench made of hardware: one board, a debug probe, a stimulus adapter.
//!
//! Flashing and the log go through the `probe-rs` command, keys and lamps through
//! the adapter, links through serial ports. Not run on hardware yet: what is tested
//! is everything up to the probe and the adapter.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

use crate::bench::{Bench, Hand};
use crate::error::{BenchError, Result};
use crate::image::Image;
use crate::link::{Link, Wire};
use crate::log::{Level, Line, Log, microseconds};
use crate::pins::Pins;
use crate::plan::{Hardware, Pin, Plan, Wiring};
use crate::stimulus::{Drive, Seen, Stimulus};

/// As the adapter and the table link are specified.
const BAUD: u32 = 115_200;
/// One field per tab, so that words with any other sign in them can be told apart.
const LOG_FORMAT: &str = "{t}\t{L}\t{F}:{l}\t{s}";

/// One board on the desk.
pub struct Rig {
    plan: Plan,
    hardware: Hardware,
    image: Image,
    wiring: Wiring,
    pins: Arc<Pins>,
    log: Arc<Log>,
    hand: Arc<RigHand>,
    flashed: bool,
    logger: Option<(Child, JoinHandle<()>)>,
    _held: File,
}

impl Rig {
    /// Takes hold of the rig and says hello to its adapter; the board stays off.
    pub fn open(plan: &Plan, device: &str) -> Result<Self> {
        let held = hold(&std::env::temp_dir(), &plan.name)?;
        let hardware =
            plan.hardware.clone().expect("a plan of a hardware rig has it, or is not loaded");
        let image = Image::find(&hardware.board, device)?;
        let port = serialport::new(&hardware.stimulus, BAUD).timeout(Duration::from_secs(1)).open();
        let port =
            port.map_err(|e| BenchError::io(format!("opening {}", hardware.stimulus))(e.into()))?;
        let wiring = plan.wiring(device);
        let names = wiring.inputs.keys().chain(wiring.outputs.keys()).map(String::as_str);
        let pins = Arc::new(Pins::new(names));
        let hand = Arc::new(RigHand::open(&wiring, Box::new(port), &pins)?);
        Ok(Self {
            plan: plan.clone(),
            hardware,
            image,
            wiring,
            pins,
            log: Arc::default(),
            hand,
            flashed: false,
            logger: None,
            _held: held,
        })
    }

    fn probe(&self, verb: &str) -> Command {
        let mut command = Command::new("probe-rs");
        command.args([verb, "--chip", &self.hardware.chip, "--probe", &self.hardware.probe]);
        command
    }

    fn run_probe(&self, mut command: Command) -> Result<()> {
        let asked = format!("{command:?}");
        let output = command.output().map_err(BenchError::io("starting probe-rs"))?;
        if output.status.success() {
            return Ok(());
        }
        let answer = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(BenchError::Refused { tool: "probe-rs", asked, answer })
    }

    fn attach(&mut self) -> Result<()> {
        let mut command = self.probe("attach");
        command.args(["--log-format", LOG_FORMAT]).arg(&self.image.path);
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(BenchError::io("starting probe-rs"))?;
        let lines = BufReader::new(child.stdout.take().expect("stdout was piped above")).lines();
        let log = Arc::clone(&self.log);
        let reader = std::thread::spawn(move || {
            lines.map_while(std::result::Result::ok).for_each(|text| log.add(line(&text)));
        });
        self.logger = Some((child, reader));
        Ok(())
    }

    fn detach(&mut self) {
        if let Some((mut child, reader)) = self.logger.take() {
            let _ = child.kill(); // already gone is as good
            let _ = child.wait();
            let _ = reader.join();
        }
    }
}

impl Bench for Rig {
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
        self.hand.stimulus.set(self.hardware.power, Drive::High)?;
        if !self.flashed {
            let mut flash = self.probe("download");
            flash.arg(&self.image.path);
            self.run_probe(flash)?;
            self.flashed = true;
        }
        self.hand.stimulus.set(self.hardware.reset, Drive::Low)
    }

    fn go(&mut self) -> Result<()> {
        self.hand.stimulus.set(self.hardware.reset, Drive::Rest)?;
        if self.logger.is_none() { self.attach() } else { Ok(()) }
    }

    fn cut_power(&mut self) -> Result<()> {
        self.hand.stimulus.set(self.hardware.power, Drive::Low)?;
        self.detach();
        Ok(())
    }

    fn reset(&mut self) -> Result<()> {
        self.hand.stimulus.set(self.hardware.reset, Drive::Low)?;
        self.hand.stimulus.set(self.hardware.reset, Drive::Rest)
    }

    fn link(&mut self, name: &str) -> Result<Link> {
        let path = self.plan.link(&self.wiring.device, name)?;
        let port = serialport::new(path, BAUD).timeout(Duration::from_secs(1)).open();
        let port = port.map_err(|e| BenchError::io(format!("opening {path}"))(e.into()))?;
        Ok(Link::new(format!("{}'s {name} link", self.wiring.device), port))
    }

    /// The chip's own watchdog does it here; the boot log says so.
    fn watchdog_resets(&self) -> usize {
        0
    }

    fn keep(&self) -> Option<PathBuf> {
        None
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // A refusal of the adapter can no longer be reported.
        let _ = self.cut_power();
    }
}

/// The adapter as fingers.
struct RigHand {
    wiring: Wiring,
    stimulus: Stimulus,
}

impl RigHand {
    fn open(wiring: &Wiring, wire: Box<dyn Wire>, pins: &Arc<Pins>) -> Result<Self> {
        let mut channels = BTreeMap::new();
        for (name, pin) in &wiring.outputs {
            channels.insert(channel(wiring, pin)?, (name.clone(), pin.active));
        }
        let (watched, seen_on) = (channels.clone(), Arc::clone(pins));
        let report = move |seen: Seen| {
            if let Some((name, active)) = watched.get(&seen.channel) {
                seen_on.report(
                    name,
                    active.level(seen.high),
                    Some(Duration::from_micros(seen.at_us)),
                );
            }
        };
        let stimulus = Stimulus::open(wire, report.clone())?;
        for channel in channels.keys() {
            stimulus.watch(*channel)?;
            report(stimulus.get(*channel)?);
        }
        Ok(Self { wiring: wiring.clone(), stimulus })
    }
}

impl Hand for RigHand {
    fn set(&self, input: &str, on: bool) -> Result<()> {
        let pin = self.wiring.input(input)?;
        let drive = if pin.active.level(on) { Drive::High } else { Drive::Low };
        self.stimulus.set(channel(&self.wiring, pin)?, drive)
    }

    fn trip(&self, input: &str) -> Result<()> {
        self.set(input, true)?;
        self.set(input, false)
    }
}

fn channel(wiring: &Wiring, pin: &Pin) -> Result<u8> {
    pin.place.to_string().parse().map_err(|_| BenchError::Unwired {
        device: wiring.device.clone(),
        kind: "stimulus channel",
        name: pin.place.to_string(),
        known: vec!["0 to 255".into()],
    })
}

/// One line of probe-rs in [`LOG_FORMAT`]; anything else is kept as it came.
fn line(text: &str) -> Line {
    let fields: Vec<&str> = text.splitn(4, '\t').collect();
    let [time, level, place, message] = fields[..] else {
        return Line { at_us: None, level: Level::Bench, message: text.into(), place: None };
    };
    let place =
        place.rsplit_once(':').and_then(|(file, line)| Some((file.into(), line.parse().ok()?)));
    Line {
        at_us: microseconds(time),
        level: Level::named(level.trim()),
        message: message.into(),
        place,
    }
}

/// Holds the rig as long as the file lives: the kernel frees it however the run ends.
pub fn hold(folder: &Path, name: &str) -> Result<File> {
    let path = folder.join(format!("croupier-rig-{name}.lock"));
    let doing = || BenchError::io(format!("holding {}", path.display()));
    let file =
        File::options().create(true).truncate(false).write(true).open(&path).map_err(doing())?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(BenchError::BusyRig(name.into())),
        Err(e) => Err(doing()(e.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_rig_in_use_is_busy_until_the_other_run_ends() {
        let folder = tempfile::tempdir().unwrap();
        let held = hold(folder.path(), "desk").unwrap();
        let said = hold(folder.path(), "desk").unwrap_err().to_string();
        assert_eq!(said, "rig `desk` is busy: another run holds it, wait for that run to end");
        drop(held);
        hold(folder.path(), "desk").unwrap();
    }

    #[test]
    fn lines_of_the_probe_become_log_lines() {
        let got = line("0.000250\tWARN\tsrc/main.rs:12\ttab\tin words");
        assert_eq!((got.at_us, got.level), (Some(250), Level::Warn));
        assert_eq!(got.message, "tab\tin words");
        assert_eq!(got.place, Some(("src/main.rs".into(), 12)));
        assert_eq!(line("probe unplugged").level, Level::Bench);
    }

    #[test]
    fn the_hand_presses_a_low_active_key_and_sees_the_lamp_by_name() {
        let plan = Plan::load(&crate::plan::folder(), "example").unwrap();
        let mut wiring = plan.wiring("reader");
        wiring.outputs.retain(|name, _| name == "ready");
        let (near, mut far) = UnixStream::pair().unwrap();
        let adapter = std::thread::spawn(move || {
            let script = [
                ("hello croupier-stimulus 1", "hello croupier-stimulus 1\n"),
                ("watch 10", "ok\n"),
                ("get 10", "level 10 0 5\n"),
                ("set 0 0", "edge 10 1 900\nok\n"),
            ];
            let mut asked = BufReader::new(far.try_clone().unwrap()).lines();
            for (question, answer) in script {
                assert_eq!(asked.next().unwrap().unwrap(), question);
                far.write_all(answer.as_bytes()).unwrap();
            }
        });
        let pins = Arc::new(Pins::new(["ready"]));
        let hand = RigHand::open(&wiring, Box::new(near), &pins).unwrap();
        assert!(!pins.is_on("ready"));
        hand.set("lamp-test", true).unwrap();
        assert!(pins.is_on("ready"));
        assert_eq!(pins.edges(crate::pins::Mark::default())[0].at, Duration::from_micros(900));
        adapter.join().unwrap();
    }
}
