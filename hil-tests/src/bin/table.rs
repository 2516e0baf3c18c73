//! A whole card table on this machine: boots the three devices and tries their lamps.

use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anstream::{eprintln, println};
use arguments::{Arguments, Table};
use croupier::protocol::generated::croupier::common::Game;
use hil_tests::hub::Bridge;
use hil_tests::plan::{Kind, Plan};
use hil_tests::wait::{Waited, Watched};
use hil_tests::world::shuffler::demonstration::demonstrate;
use hil_tests::{Bench, BenchError, Guest, Hub, Identity, Log, Setup, nest, open, show, wait};

const DEVICES: [&str; 3] = ["reader", "shuffler", "paigow"];

/// The devices' links on TCP, for other programs.
struct Links {
    hub: Hub,
    bus: SocketAddr,
    serial: Vec<(String, Bridge)>,
}

impl Links {
    fn open() -> Result<Self, BenchError> {
        let hub = Hub::open()?;
        let bus = hub.listen()?;
        Ok(Self { hub, bus, serial: Vec::new() })
    }

    fn wire(&mut self, bench: &mut dyn Bench) -> Result<(), BenchError> {
        let device = bench.device().to_owned();
        self.hub.attach(&device, bench.link("can")?)?;
        let bridge = Bridge::open(&device, 0)?;
        bridge.attach(bench.link("table")?)?;
        self.serial.push((device, bridge));
        Ok(())
    }

    fn show(&self) {
        println!("The table is yours, over TCP:");
        println!("  {:<9} socket://{}  CAN as slcan, 500 kbit/s: all on one bus", "bus", self.bus);
        for (device, bridge) in &self.serial {
            println!("  {device:<9} socket://{}  Cyphal/serial", bridge.address());
        }
    }
}

/// A device at the table, with the thread that shows its log.
struct Seat {
    bench: Box<dyn Bench>,
    printer: Option<JoinHandle<()>>,
    printed: Arc<Watched<Printed>>,
}

/// How far the log is on the screen, and whether that is enough.
#[derive(Default)]
struct Printed {
    lines: usize,
    stop: bool,
}

impl Seat {
    fn take(mut bench: Box<dyn Bench>, links: Option<&mut Links>) -> Result<Self, BenchError> {
        let printed = Arc::new(Watched::new(Printed::default()));
        let (device, log, shared) =
            (bench.device().to_owned(), Arc::clone(bench.log()), Arc::clone(&printed));
        let printer = Some(std::thread::spawn(move || print_log(&device, &log, &shared)));
        bench.power_on_held()?;
        if let Some(links) = links {
            links.wire(&mut *bench)?;
        }
        bench.go()?;
        Ok(Self { bench, printer, printed })
    }

    /// Waits until everything logged so far is on the screen, so that headings come in order.
    fn catch_up(&self) {
        let logged = self.bench.log().all().len();
        self.printed
            .wait(Duration::from_secs(5), |printed| (printed.lines >= logged).then_some(()));
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.printed.change(|printed| printed.stop = true);
        if let Some(printer) = self.printer.take() {
            let _ = printer.join(); // it only prints
        }
    }
}

fn print_log(device: &str, log: &Log, printed: &Watched<Printed>) {
    loop {
        match log.at(printed.look(|printed| printed.lines), Duration::from_millis(50)) {
            Waited::Came(line) => {
                println!("{}", show::line(device, &line));
                printed.change(|printed| printed.lines += 1);
            }
            Waited::RanOut if !printed.look(|printed| printed.stop) => {}
            _ => return,
        }
    }
}

/// What one device showed.
struct Shown {
    device: String,
    identity: Identity,
    ready_us: String,
    lit_after: Duration,
    dark_after: Duration,
}

fn try_out(seat: &Seat, ready_us: String, identity: Identity) -> Result<Shown, BenchError> {
    let bench = &*seat.bench;
    let device = bench.device().to_owned();
    let lamps = bench.wiring().lamps.clone();
    let lamps: Vec<&str> = lamps.iter().map(String::as_str).collect();
    let heading = show::styled(show::device_style(&device), &device);

    println!("\n{heading}: press and hold the lamp-test key");
    let pressed = Instant::now();
    bench.press("lamp-test")?;
    bench.await_pins(&lamps, true)?;
    let lit_after = pressed.elapsed();
    println!("{}", draw(bench));
    bench.await_pins(&lamps, false)?;
    bench.await_pins(&lamps, true)?;

    println!("{heading}: let it go");
    let released = Instant::now();
    bench.release("lamp-test")?;
    bench.await_pins(&lamps, false)?;
    let dark_after = released.elapsed();
    println!("{}", draw(bench));
    Ok(Shown { device, identity, ready_us, lit_after, dark_after })
}

/// The hole-card reader at work.
fn peek(seat: &mut Seat, folder: &Path, links: Option<&Links>) -> Result<(), BenchError> {
    let heading = show::styled(show::device_style("reader"), "reader");
    let hub = links.map(|links| &links.hub);
    nest::demonstrate(&mut *seat.bench, folder, hub, |bench, words| {
        println!("{heading}: {words}\n{}", draw(bench));
    })
}

/// The shuffler at work, with a mechanism beside it: a machine of its own, in its own time.
fn shuffle() -> Result<(), BenchError> {
    let heading = show::styled(show::device_style("shuffler"), "shuffler");
    println!("\n{heading}: five scenes with cards; wheel and rollers are simulated at its pins");
    demonstrate(&mut |words| println!("{heading}: {words}"))
}

fn draw(bench: &dyn Bench) -> String {
    let lit = |lamp: &str| bench.pins().is_on(lamp);
    if bench.device() == "paigow" {
        return show::seven_segments(lit).map(|row| format!("    {row}")).join("\n");
    }
    let lamps: Vec<(&str, bool)> =
        bench.wiring().lamps.iter().map(|lamp| (lamp.as_str(), lit(lamp))).collect();
    format!("    {}", show::lamps(&lamps))
}

fn boot(seat: &Seat) -> Result<(Identity, String), BenchError> {
    let identity = seat.bench.await_identity()?;
    let ready = seat.bench.await_log("ready after")?.message;
    let ready_us = ready.trim_start_matches("ready after ").to_owned();
    seat.bench.await_pin("ready", true)?;
    seat.bench.await_log("image sha256")?;
    seat.catch_up();
    Ok((identity, ready_us))
}

fn summary(shown: &[Shown]) {
    println!(
        "\n{:<9} {:<28} {:<24} {:<8} {:>12} {:>8} {:>8}",
        "device", "is", "serial", "version", "ready after", "lit", "dark"
    );
    for Shown { device, identity, ready_us, lit_after, dark_after } in shown {
        let name = show::styled(show::device_style(device), &format!("{device:<9}"));
        println!(
            "{name} {:<28} {:<24} {:<8} {ready_us:>12} {:>5} ms {:>5} ms",
            identity.name,
            identity.serial,
            identity.version,
            lit_after.as_millis(),
            dark_after.as_millis(),
        );
    }
    println!(
        "\nAll {} devices booted, said who they are, and lit their lamps when asked.",
        shown.len()
    );
}

/// All three at once, as at a table.
fn simulated(plan: &Plan, keep: bool) -> Result<Vec<Shown>, BenchError> {
    let mut links = if keep { Some(Links::open()?) } else { None };
    let guests = DEVICES.map(|device| match device {
        "reader" => Guest::open(plan, nest::setup(device)).and_then(|guest| {
            nest::write_flash(guest.folder(), Game::FreeBet, true)?;
            Ok(guest)
        }),
        _ => Guest::open(plan, Setup::new(device)),
    });
    let mut places = Vec::new();
    let mut seats = Vec::new();
    for guest in guests {
        let guest = guest?;
        places.push(guest.folder().to_owned());
        seats.push(Seat::take(Box::new(guest), links.as_mut())?);
    }
    let booted: Vec<_> = seats.iter().map(boot).collect::<Result<_, _>>()?;
    let mut shown = Vec::new();
    for (seat, (identity, ready_us)) in seats.iter().zip(booted) {
        shown.push(try_out(seat, ready_us, identity)?);
    }
    println!();
    peek(&mut seats[0], &places[0], links.as_ref())?;
    if let Some(links) = links {
        summary(&shown);
        links.show();
        println!("Log and pin trace of each device:");
        for (device, place) in DEVICES.iter().zip(&places) {
            println!("  {device:<9} {}", place.display());
        }
        println!("Ctrl-C ends it.");
        let never = Watched::new(());
        while never.wait(Duration::from_secs(3600), |()| None::<()>) != Waited::Interrupted {}
        println!("\nThe table is closed.");
        return Ok(Vec::new());
    }
    seats.clear(); // what follows has a machine of its own, and wants the computer for it
    shuffle()?;
    Ok(shown)
}

/// One after the other on the rig's one board.
fn on_the_rig() -> Result<Vec<Shown>, BenchError> {
    let mut shown = Vec::new();
    for device in DEVICES {
        let seat = Seat::take(open(device)?, None)?;
        let (identity, ready_us) = boot(&seat)?;
        shown.push(try_out(&seat, ready_us, identity)?);
    }
    Ok(shown)
}

fn run(options: &Table) -> Result<(), BenchError> {
    let plan = Plan::chosen()?;
    let shown = match plan.kind {
        Kind::Qemu => simulated(&plan, options.keep)?,
        Kind::Hardware => on_the_rig()?,
    };
    if !shown.is_empty() {
        summary(&shown);
    }
    Ok(())
}

fn main() -> ExitCode {
    let options = Table::read();
    if let Err(error) = ctrlc::set_handler(wait::interrupt) {
        eprintln!("table: cannot listen for Ctrl-C: {error}");
        return ExitCode::FAILURE;
    }
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("table: {error}");
            ExitCode::FAILURE
        }
    }
}
