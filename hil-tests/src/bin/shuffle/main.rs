//! One shuffle to watch: the wheel, the counts, what the shuffler says, and its time.

mod options;
mod qemu_source;
mod screen;
mod soak;
mod source;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstream::{eprintln, println};
use clap::Parser;
use hil_tests::wait;

use options::Options;
use screen::Screen;
use source::Source;

/// Thirty pictures a second are a film.
const FRAME: Duration = Duration::from_millis(33);
/// As plain text, a line each so often is enough.
const LINE: Duration = Duration::from_millis(500);

fn run(options: &Options) -> Result<bool, String> {
    if let Some(count) = options.soak {
        return soak::play(options, count);
    }
    let fancy = !options.plain && std::io::stdout().is_terminal();
    // Without anybody watching, no time need be kept.
    let speed = (fancy || options.plain).then_some(options.speed);
    let mut source = source::open(options, speed)?;
    let end = if fancy { film(&mut *source, options) } else { text(&mut *source, options) }?;
    println!("{end}");
    Ok(source.is_certified())
}

/// Shows it on the whole terminal; what was said stays on the screen afterwards.
fn film(source: &mut dyn Source, options: &Options) -> Result<String, String> {
    let mut screen = Screen::open()?;
    let begun = Instant::now();
    let mut messages = Vec::new();
    loop {
        let ended = source.advance(begun.elapsed().mul_f64(options.speed))?;
        messages.extend(source.messages());
        screen.draw(&source.picture(), &messages)?;
        if ended || screen.wants_out(FRAME)? || wait::interrupted() {
            break;
        }
    }
    drop(screen);
    for message in &messages {
        println!("{message}");
    }
    Ok(source.summary())
}

fn text(source: &mut dyn Source, options: &Options) -> Result<String, String> {
    let begun = Instant::now();
    let mut shown = String::new();
    // Without anybody watching, virtual time need not wait for the wall's.
    let pace = if options.plain { options.speed } else { f64::INFINITY };
    let mut virtual_time = Duration::ZERO;
    loop {
        let now = if pace.is_finite() {
            begun.elapsed().mul_f64(pace)
        } else {
            virtual_time += LINE;
            if source.is_live() { begun.elapsed() } else { virtual_time }
        };
        let ended = source.advance(now)?;
        let line = source.picture().line();
        if line != shown {
            println!("{line}");
            shown = line;
        }
        for message in source.messages() {
            println!("           {message}");
        }
        if ended || wait::interrupted() {
            return Ok(source.summary());
        }
        if source.is_live() || pace.is_finite() {
            let pause = if pace.is_finite() { pace.clamp(1.0, 100.0) } else { 10.0 };
            std::thread::park_timeout(LINE.div_f64(pause));
        }
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Err(error) = ctrlc::set_handler(wait::interrupt) {
        eprintln!("shuffle: cannot listen for Ctrl-C: {error}");
        return ExitCode::FAILURE;
    }
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => {
            eprintln!("shuffle: {error}");
            ExitCode::FAILURE
        }
    }
}
