//! A live, decoded view of a CAN or serial link: one line for each transfer.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anstream::{eprintln, stdout};
use arguments::{Arguments, Keys, LinkName};
use croupier::protocol::transfer::Transfer;
use hil_tests::monitor::source::{Brought, Source};
use hil_tests::monitor::{BusDecoder, Filter, Framing, Monitor, Seen, read_line, show};
use hil_tests::wait;

/// Writes lines until there are enough, or the reader is gone.
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
                decoder.receive(&buffer[..count], at, &mut |transfer| printer.print(at, transfer));
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
            decoder.receive_frame(&recorded.frame, at, |transfer| printer.print(at, transfer));
        }
    }
    Ok(decoder)
}

fn run(options: arguments::Monitor) -> Result<(), String> {
    let arguments::Monitor { link, file, keys, node, types, events, json, count } = options;
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
    let options = arguments::Monitor::read();
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
