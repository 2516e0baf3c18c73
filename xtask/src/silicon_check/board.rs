//! The board on the desk: what is on it, its console, and all that it said.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};

use super::console::{Console, find_port};
use crate::budget::FIRST_DAY;
use crate::probe::{Listening, Probe};
use crate::workspace::{self, Workspace};
use crate::{build, image, setup};

/// Flashing takes seconds; a start takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A board, reached through its ST-LINK.
pub(super) struct Board<'a> {
    workspace: &'a Workspace,
    silicon: &'a workspace::Board,
    probe: Probe,
    serial: Option<PathBuf>,
    can: Option<String>,
    /// Words of noise to fetch.
    pub words: u32,
    console: Option<Console>,
    transcript: Vec<String>,
}

impl<'a> Board<'a> {
    /// Nothing is flashed yet.
    pub(super) fn new(
        workspace: &'a Workspace,
        silicon: &'a workspace::Board,
        probe: Probe,
        serial: Option<PathBuf>,
        can: Option<String>,
        words: u32,
    ) -> Self {
        let (console, transcript) = (None, Vec::new());
        Self { workspace, silicon, probe, serial, can, words, console, transcript }
    }

    /// Where files of this check go.
    pub(super) fn folder(&self) -> PathBuf {
        self.workspace.root.join("target/silicon-check")
    }

    /// The CAN adapter.
    pub(super) fn can(&self) -> Result<&str> {
        self.can.as_deref().map_or_else(|| bail!("it needs --can"), Ok)
    }

    /// The workspace.
    pub(super) fn workspace(&self) -> &Workspace {
        self.workspace
    }

    /// Builds a device, flashes and starts it, and reads its log.
    pub(super) fn start_device(&mut self, device: &str) -> Result<(Listening, String)> {
        self.console = None;
        let image = self.build(device)?;
        let sha256 = image::sha256(&std::fs::read(&image)?)?;
        Ok((self.probe.run_image(&image.display().to_string())?, sha256))
    }

    /// The console of `first_day`, which is flashed the first time.
    pub(super) fn console(&mut self) -> Result<&mut Console> {
        if self.console.is_none() {
            let image = self.build(FIRST_DAY)?.display().to_string();
            let port = self.serial.clone().map_or_else(find_port, Ok)?;
            self.probe.line("download").arg(image).run(self.workspace)?;
            let mut console = Console::open(self.workspace, &port, b'\n')?;
            self.probe.line("reset").run(self.workspace)?;
            console.await_line("first day on", PATIENCE)?;
            console.await_line("reset", PATIENCE)?;
            self.console = Some(console);
        }
        match &mut self.console {
            Some(console) => Ok(console),
            None => bail!("the console is gone"),
        }
    }

    fn build(&self, binary: &str) -> Result<PathBuf> {
        build::build(self.workspace, &setup::chip(self.workspace)?, self.silicon, Some(binary))?;
        Ok(self.workspace.image(self.silicon, binary))
    }

    /// Adds lines that did not come over the console.
    pub(super) fn note(&mut self, lines: impl IntoIterator<Item = String>) {
        self.transcript.extend(lines);
    }

    /// All that was said since the last call.
    pub(super) fn take_transcript(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.transcript);
        if let Some(console) = &mut self.console {
            lines.append(&mut console.transcript);
        }
        lines
    }
}
