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
use arguments::{Arguments, Shuffle};
use hil_tests::wait;

use screen::{Screen, Stage, still};
use source::Source;

/// Thirty pictures a second are a film.
const FRAME: Duration = Duration::from_millis(33);
/// As plain text, a line each so often is enough.
const LINE: Duration = Duration::from_millis(500);

fn run(options: &Shuffle) -> Result<bool, String> {
    if let Some(count) = options.soak_cycles() {
        return soak::play(options, count);
    }
    let fancy = !options.plain && std::io::stdout().is_terminal();
    // Unwatched, it need not keep time.
    let speed = (fancy || options.plain).then_some(options.speed);
    let mut source = source::open(options, speed)?;
    let end = if fancy {
        let mut screen = Screen::open()?;
        let end = film(&mut *source, &mut screen, options);
        drop(screen);
        end?
    } else {
        text(&mut *source, options)?
    };
    println!("{end}");
    Ok(source.is_certified())
}

/// Shows it on the whole terminal. What it returns stays there afterwards: the last picture,
/// what was said, and what it came to.
fn film(
    source: &mut dyn Source,
    stage: &mut dyn Stage,
    options: &Shuffle,
) -> Result<String, String> {
    let begun = Instant::now();
    let mut messages = Vec::new();
    loop {
        let ended = source.advance(begun.elapsed().mul_f64(options.speed))?;
        messages.extend(source.messages());
        stage.draw(&source.picture(), &messages)?;
        if ended || stage.wants_out(FRAME)? || wait::interrupted() {
            break;
        }
    }
    let mut end = still(&source.picture(), &messages)?;
    end.extend(messages.iter().map(|message| format!("{message}\n")));
    Ok(end + &source.summary())
}

fn text(source: &mut dyn Source, options: &Shuffle) -> Result<String, String> {
    let begun = Instant::now();
    let mut shown = String::new();
    // Unwatched, virtual time need not wait for the wall's.
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
    let options = Shuffle::read();
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

#[cfg(test)]
mod tests {
    use hil_tests::world::shuffler::view::Picture;

    use super::*;

    /// A terminal that counts pictures.
    struct Blank(usize);

    impl Stage for Blank {
        fn draw(&mut self, _: &Picture, _: &[String]) -> Result<(), String> {
            self.0 += 1;
            Ok(())
        }

        fn wants_out(&mut self, _: Duration) -> Result<bool, String> {
            Ok(false)
        }
    }

    #[test]
    fn a_film_leaves_its_last_picture_what_was_said_and_what_it_came_to() {
        let line = ["shuffle", "--game", "583", "--seed", "3", "--speed", "10000"];
        let options = Shuffle::try_read(line).unwrap();
        let mut source = source::open(&options, Some(options.speed)).unwrap();
        let mut stage = Blank(0);
        let end = film(&mut *source, &mut stage, &options).unwrap();
        assert!(stage.0 > 0);
        let picture = end.find("delivered     52").expect("the last picture");
        let said = end.rfind("certificate: issued").expect("what was said");
        assert!(end.contains(" wheel ") && picture < said, "{end}");
        assert!(end.lines().last().unwrap().starts_with("certified after"), "{end}");
    }
}
