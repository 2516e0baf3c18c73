//! The board's console: lines with the time they came, and a deadline for each answer.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use crate::command::CommandLine;
use crate::workspace::Workspace;

/// An open serial port.
pub(super) struct Console {
    writer: Box<dyn Write>,
    lines: Receiver<(Instant, String)>,
    /// Every line so far, for the report.
    pub transcript: Vec<String>,
}

impl Console {
    /// Opens a serial device at 115200 baud whose lines end with `end`.
    pub(super) fn open(workspace: &Workspace, device: &Path, end: u8) -> Result<Self> {
        let about = || format!("the serial port {}", device.display());
        CommandLine::new("stty")
            .arg("-F")
            .arg(device.display().to_string())
            .args("115200 raw -echo")
            .run(workspace)
            .with_context(about)?;
        let reader = OpenOptions::new().read(true).write(true).open(device).with_context(about)?;
        let writer = reader.try_clone().with_context(about)?;
        Ok(Self::over(reader, writer, end))
    }

    /// A console over any two ends; lines end with `end`.
    pub(super) fn over(
        reader: impl Read + Send + 'static,
        writer: impl Write + 'static,
        end: u8,
    ) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            for bytes in BufReader::new(reader).split(end).map_while(Result::ok) {
                let line = String::from_utf8_lossy(&bytes).trim().to_owned();
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Self { writer: Box::new(writer), lines, transcript: Vec::new() }
    }

    /// Writes a line.
    pub(super) fn say(&mut self, words: &str) -> Result<()> {
        self.transcript.push(format!("> {}", words.trim()));
        let line = format!("{words}\r");
        self.writer.write_all(line.as_bytes()).context("the serial port takes nothing")?;
        self.writer.flush().context("the serial port takes nothing")
    }

    /// The next line, and when it came.
    pub(super) fn next(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok((at, line)) => {
                self.transcript.push(line.clone());
                Ok(Some((at, line)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => bail!("the serial port was closed"),
        }
    }

    /// Waits for a line that begins with `words`.
    pub(super) fn await_line(
        &mut self,
        words: &str,
        within: Duration,
    ) -> Result<(Instant, String)> {
        let deadline = Instant::now() + within;
        while let Some((at, line)) = self.next(deadline)? {
            if let Some(why) = line.strip_prefix("failed: ") {
                bail!("the board says: {why}");
            }
            if line.starts_with(words) {
                return Ok((at, line));
            }
        }
        bail!("the board did not say '{words}' in {} s", within.as_secs())
    }

    /// Gives a command and returns the lines of its answer, up to `ok`.
    pub(super) fn ask(&mut self, command: &str, within: Duration) -> Result<Vec<String>> {
        self.say(command)?;
        let from = self.transcript.len();
        self.await_line("ok", within)?;
        let answer = &self.transcript[from..self.transcript.len() - 1];
        Ok(answer.iter().filter(|line| !line.is_empty()).cloned().collect())
    }
}

/// The ST-LINK's serial port, if there is exactly one.
pub(super) fn find_port() -> Result<PathBuf> {
    let entries = std::fs::read_dir("/dev/serial/by-id");
    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    one_port(paths.collect())
}

fn one_port(paths: Vec<PathBuf>) -> Result<PathBuf> {
    let is_link = |path: &PathBuf| {
        let name = path.to_string_lossy().to_lowercase().replace(['-', '_'], "");
        name.contains("stlink")
    };
    let mut found = paths.into_iter().filter(is_link);
    let first = found.next().ok_or_else(|| {
        anyhow!("no serial port of an ST-LINK is in /dev/serial/by-id: name it with --serial")
    })?;
    match found.next() {
        None => Ok(first),
        Some(_) => bail!("there is more than one ST-LINK: name its serial port with --serial"),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::os::unix::net::UnixStream;

    use super::*;

    /// A board that is a table of commands and answers.
    pub(crate) fn played(script: &'static [(&'static str, &'static str)]) -> Console {
        played_with(script, b'\n')
    }

    /// The same for lines that end otherwise.
    pub(crate) fn played_with(script: &'static [(&'static str, &'static str)], end: u8) -> Console {
        let (ours, theirs) = UnixStream::pair().unwrap();
        thread::spawn(move || {
            let mut out = theirs.try_clone().unwrap();
            for command in BufReader::new(theirs).split(b'\r').map_while(Result::ok) {
                let command = String::from_utf8(command).unwrap();
                let found = script.iter().find(|(known, _)| command == *known);
                let answer = found.map_or("failed: unknown command\r\n", |(_, answer)| answer);
                out.write_all(answer.as_bytes()).unwrap();
            }
        });
        Console::over(ours.try_clone().unwrap(), ours, end)
    }

    const SOON: Duration = Duration::from_secs(5);

    #[test]
    fn an_answer_is_the_lines_before_ok() {
        let mut console = played(&[("clocks", "latency 4\r\ntimer 80000000\r\nok\r\n")]);
        assert_eq!(console.ask("clocks", SOON).unwrap(), ["latency 4", "timer 80000000"]);
    }

    #[test]
    fn a_refusal_of_the_board_is_its_own_words_and_silence_ends_at_the_deadline() {
        let mut console = played(&[("silent", "")]);
        let refused = console.ask("dance", SOON).unwrap_err().to_string();
        assert_eq!(refused, "the board says: unknown command");
        let silent = console.ask("silent", Duration::ZERO).unwrap_err().to_string();
        assert_eq!(silent, "the board did not say 'ok' in 0 s");
    }

    #[test]
    fn the_port_of_the_one_st_link_is_found() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        let link = "/dev/serial/by-id/usb-STMicroelectronics_STM32_STLink_066D-if02";
        assert_eq!(
            one_port(paths(&["/dev/serial/by-id/usb-FTDI", link])).unwrap(),
            Path::new(link)
        );
        assert!(one_port(paths(&[])).unwrap_err().to_string().ends_with("name it with --serial"));
        assert!(one_port(paths(&[link, link])).is_err());
    }
}
