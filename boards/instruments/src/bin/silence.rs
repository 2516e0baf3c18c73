//! Plays one round of the hole-card reader and writes down all that could be observed of it.
//!
//! Reader, eye, node and store are those of the device; beams and keys follow a fixed
//! script, and time is counted in rounds of the loop. So under `-icount` two starts with the same flash
//! differ in nothing but the card in `film=`, and the host can compare what they leave:
//! lamps and their times, bytes on both links, instructions of every round of the loop,
//! and the whole memory after the verdict.
//!
//! Arguments: `mode=` ace, ten, other or none (the up-card), `report=` and `memory=`, the files.
#![no_std]
#![no_main]

use core::fmt::Write as _;
use croupier::context::DeviceContext;
use croupier::node::ANSWER_BYTES;
use croupier::protocol::framing::can::Frames;
use croupier::protocol::framing::serial;
use croupier::protocol::generated::croupier::common::{ClockSetRequest, Role};
use croupier::reader::eye::{Camera, ScanBuffers};
use croupier::reader::nest::Beams;
use croupier::reader::ports::{Key, Keys, Lamps, NestBeams};
use croupier::reader::run::ROUND;
use croupier::reader::{Front, Lit, Reader};
use croupier::time::Instant;
use embassy_futures::block_on;
use instruments::context::{self, Context};
use instruments::film::Film;
use instruments::{clock, host};
use semihosting::fs::File;
use semihosting::io::Write as _;
use static_cell::{ConstStaticCell, StaticCell};

static CONTEXT: StaticCell<Context<Reader>> = StaticCell::new();
static BUFFERS: ConstStaticCell<ScanBuffers> = ConstStaticCell::new(ScanBuffers::new());

/// Noon of a day in 2026: an inspection of that morning counts.
const NOON: u64 = 1_790_000_060_000;
/// Everything is over by then.
const END: Instant = Instant::from_millis(1_500);

/// When each thing of the script happens.
const KEY: core::ops::Range<Instant> = Instant::from_millis(50)..Instant::from_millis(100);
const MOUTH: Instant = Instant::from_millis(200);
const NEAR: Instant = Instant::from_millis(260);
const FAR: Instant = Instant::from_millis(280);
const HOME: Instant = Instant::from_millis(300);

/// Beams and keys as the script has them at this moment.
#[derive(Clone, Copy)]
struct Script {
    now: Instant,
    key: Option<Key>,
}

static NOW: core::sync::atomic::AtomicU32 = core::sync::atomic::AtomicU32::new(0);

impl NestBeams for Script {
    fn sample(&mut self) -> Beams {
        let now = NOW.load(core::sync::atomic::Ordering::Relaxed);
        let now = Instant::from_millis(now.into());
        Beams { hood: (MOUTH..HOME).contains(&now), near: now >= NEAR, far: now >= FAR }
    }
}

impl Keys for Script {
    fn is_down(&mut self, key: Key) -> bool {
        self.key == Some(key) && KEY.contains(&self.now)
    }
}

/// Lamps that write down their changes.
struct Row;

static LIT: core::sync::atomic::AtomicU8 = core::sync::atomic::AtomicU8::new(0);

impl Lamps for Row {
    fn show(&mut self, lit: Lit) -> Lit {
        LIT.store(lit.bits(), core::sync::atomic::Ordering::Relaxed);
        lit
    }
}

/// The files of this run.
struct Report(File);

impl Report {
    fn line(&mut self, words: core::fmt::Arguments<'_>) {
        let mut line = heapless::String::<768>::new();
        if line.write_fmt(words).is_err() || self.0.write_all(line.as_bytes()).is_err() {
            defmt::error!("the report could not be written");
            semihosting::process::exit(2);
        }
    }

    fn bytes(&mut self, now: Instant, channel: &str, bytes: &[u8]) {
        let mut digits = heapless::String::<640>::new();
        for byte in bytes {
            let _ = write!(digits, "{byte:02x}"); // cut off alike for every card
        }
        self.line(format_args!("{} {channel} {digits}\n", now.as_millis()));
    }
}

/// Sends all that waits on both links, as the speakers would.
fn transmit(context: &mut Context<Reader>, now: Instant, report: &mut Report) {
    context.publish(now);
    let DeviceContext { node, device, store } = context;
    let mut room = [0; ANSWER_BYTES];
    while let Some(transfer) = node.next(0, now, &*device, store, &mut room) {
        let mut text = [0; serial::most_bytes(ANSWER_BYTES)];
        if let Ok(bytes) = serial::encode(&transfer, &mut text) {
            report.bytes(now, "serial", bytes);
        }
    }
    while let Some(transfer) = node.next(1, now, &*device, store, &mut room) {
        for frame in Frames::of(&transfer).into_iter().flatten() {
            report.bytes(now, "bus", frame.data());
        }
    }
}

fn play(context: &mut Context<Reader>, key: Option<Key>, report: &mut Report) {
    let mut script = Script { now: Instant::START, key };
    let mut front = Front::new(Row, script, Camera::new(Film::named(), BUFFERS.take()));
    block_on(front.start(Instant::START, context));
    let mut lit = 0;
    while script.now < END {
        script.now += ROUND;
        NOW.store(script.now.as_millis() as u32, core::sync::atomic::Ordering::Relaxed);
        let now = script.now;
        let counts = clock::stopwatch(|| _ = block_on(front.pass(&mut script, now, context)));
        report.line(format_args!("{} counts {counts}\n", now.as_millis()));
        let shown = LIT.load(core::sync::atomic::Ordering::Relaxed);
        if shown != lit {
            report.line(format_args!("{} lamps {shown}\n", now.as_millis()));
            lit = shown;
        }
        transmit(context, now, report);
    }
}

/// Writes the main memory down, as a probe would read it.
fn dump_memory() {
    const MEMORY: core::ops::Range<usize> = 0x2000_0000..0x2001_8000;
    let Some(mut file) = host::path("memory").and_then(|path| File::create(path.as_c_str()).ok())
    else {
        return;
    };
    // SAFETY: all of it is memory, and nothing else runs that could change it meanwhile.
    let bytes = unsafe { core::slice::from_raw_parts(MEMORY.start as *const u8, MEMORY.len()) };
    let _ = file.write_all(bytes); // the host notices a short file
}

/// Apart from `main`, whose stack is never given back.
#[inline(never)]
fn open() -> &'static mut Context<Reader> {
    CONTEXT.init(context::open_reader())
}

#[cortex_m_rt::entry]
fn main() -> ! {
    clock::start();
    let file = host::path("report").and_then(|path| File::create(path.as_c_str()).ok());
    let Some(mut report) = file.map(Report) else {
        defmt::error!("the silence image needs report=<file>");
        semihosting::process::exit(2);
    };
    let key = match host::value("mode").as_deref() {
        Some("ace") => Some(Key::Ace),
        Some("ten") => Some(Key::TenValue),
        _ => None,
    };
    let context = open();
    let clock = ClockSetRequest { utc_ms: NOON, ..ClockSetRequest::default() };
    let set = context.device.services.clock.set(&clock, Role::Service, Instant::START);
    if set.is_err() {
        semihosting::process::exit(2);
    }
    play(context, key, &mut report);
    dump_memory();
    semihosting::process::exit(0)
}
