//! A live, decoded view of a CAN or serial link: one line for each transfer.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anstream::{eprintln, stdout};
use clap::{Parser, ValueEnum};
use croupier::protocol::transfer::Transfer;
use hil_tests::monitor::source::{Brought, LinkName, Source};
use hil_tests::monitor::{BusDecoder, Filter, Framing, Monitor, Seen, read_line, show};
use hil_tests::wait;

/// Shows what is said on a link of the table: who, what, every field, and whether the seal is good.
///
/// It only listens. On CAN it opens the adapter so that it sends nothing on the bus.
/// A question of a service is marked `?`, its answer `!`. Ctrl-C ends it and tells what
/// was understood and what was foreign or broken.
#[derive(Parser)]
#[command(name = "monitor", after_long_help = EXAMPLES)]
struct Options {
    /// can:HOST:PORT, can:/dev/ttyACM0, serial:HOST:PORT or serial:/dev/ttyUSB0@115200
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    link: Option<LinkName>,
    /// A recording instead of a link: the hub's transcript, or candump's
    #[arg(long, value_name = "TRANSCRIPT")]
    file: Option<PathBuf>,
    /// Judge seals by these keys
    #[arg(long)]
    keys: Option<Keys>,
    /// Only from or to this node, by name or number; may be said several times
    #[arg(long, value_name = "NODE")]
    node: Vec<String>,
    /// Only types with this in their name, such as profile; may be said several times
    #[arg(long = "type", value_name = "TEXT")]
    types: Vec<String>,
    /// Only events: what happened once, not what is repeated every second
    #[arg(long)]
    events: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    /// End after so many lines
    #[arg(long, value_name = "LINES")]
    count: Option<u64>,
}

const EXAMPLES: &str = "Examples:
  monitor can:127.0.0.1:4000 --keys bench         the simulated table's bus, seals judged
  monitor can:/dev/ttyACM0                        an slcan adapter on a real bus
  monitor serial:/dev/ttyUSB0@115200              one device's table link
  monitor can:127.0.0.1:4000 --events             only what happened
  monitor can:127.0.0.1:4000 --node shuffler --type profile
  monitor --file bus.txt --json                   a recording, for another program

A line:
     12.345678  controller → shuffler   ProfileSet?   game=FreeBet decks=8 ...  ✓ floorperson 17
     when       who, to whom            type          fields                    whose seal, its number
  ✗ instead of ✓: nobody may believe it. `--type irregularity` is what a floorperson should hear of.";

/// Whose keys.
#[derive(Clone, Copy, ValueEnum)]
enum Keys {
    /// Those of every device on the bench
    Bench,
}

/// Writes lines until there are enough, or nobody reads them.
struct Printer {
    monitor: Monitor,
    json: bool,
    left: u64,
    broken: Option<io::Error>,
}

impl Printer {
    fn print(&mut self, at: std::time::Duration, transfer: &Transfer<'_>) {
        if self.is_done() {
            return;
        }
        let Some(seen) = self.monitor.see(at, transfer) else { return };
        self.left -= 1;
        let text = self.text(&seen);
        self.write(&text);
    }

    fn text(&self, seen: &Seen) -> String {
        let names = self.monitor.names();
        if self.json { show::json(seen, names).to_string() } else { show::line(seen, names) }
    }

    fn write(&mut self, text: &str) {
        let mut out = stdout().lock();
        self.broken = writeln!(out, "{text}").and_then(|()| out.flush()).err();
    }

    fn is_done(&self) -> bool {
        self.left == 0 || self.broken.is_some() || wait::interrupted()
    }

    fn sum_up(mut self, decoder: &BusDecoder) {
        let (counts, bad) = (decoder.counts(), self.monitor.bad_seals);
        if self.json {
            self.write(&show::json_counts(&counts, bad).to_string());
        } else {
            eprintln!("monitor: {}", show::counts(&counts, bad));
        }
    }
}

fn listen(link: &LinkName, printer: &mut Printer) -> io::Result<BusDecoder> {
    let (mut decoder, mut source) = (BusDecoder::new(link.framing), Source::open(link)?);
    let begun = Instant::now();
    let mut buffer = [0; 4096];
    while !printer.is_done() {
        match source.read(&mut buffer)? {
            Brought::Nothing => {}
            Brought::End => break,
            Brought::Bytes(count) => {
                let at = begun.elapsed();
                decoder.hear(&buffer[..count], at, &mut |transfer| printer.print(at, transfer));
            }
        }
    }
    Ok(decoder)
}

fn read(path: &PathBuf, printer: &mut Printer) -> io::Result<BusDecoder> {
    let mut decoder = BusDecoder::new(Framing::Can);
    for line in BufReader::new(File::open(path)?).lines() {
        if printer.is_done() {
            break;
        }
        if let Some(recorded) = read_line(&line?) {
            let at = recorded.at;
            decoder.hear_frame(&recorded.frame, at, |transfer| printer.print(at, transfer));
        }
    }
    Ok(decoder)
}

fn run(options: Options) -> Result<(), String> {
    let Options { link, file, keys, node, types, events, json, count } = options;
    let filter = Filter { nodes: node, types, events };
    let keys = keys.map(|Keys::Bench| hil_tests::keys::ring());
    let left = count.unwrap_or(u64::MAX);
    let mut printer = Printer { monitor: Monitor::new(keys, filter), json, left, broken: None };
    let decoder = match (&link, &file) {
        (Some(link), _) => {
            listen(link, &mut printer).map_err(|error| format!("{link}: {error}"))?
        }
        (None, Some(path)) => {
            read(path, &mut printer).map_err(|error| format!("{}: {error}", path.display()))?
        }
        (None, None) => return Err("a link or a file is needed: see --help".into()),
    };
    printer.sum_up(&decoder);
    Ok(())
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Err(error) = ctrlc::set_handler(wait::interrupt) {
        eprintln!("monitor: cannot listen for Ctrl-C: {error}");
        return ExitCode::FAILURE;
    }
    match run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("monitor: {sentence}");
            ExitCode::FAILURE
        }
    }
}
