//! What one may ask of `monitor`, and how a link is named.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Parser, ValueEnum};

use crate::{Arguments, must_exist};

/// Show what is said on a CAN or serial link: who, what, every field, whose seal
///
/// It only listens. On CAN it opens the adapter so that it sends nothing on the bus. The
/// link is `can:` or `serial:`, then HOST:PORT of the simulated table or a device file such
/// as /dev/ttyACM0; `--file` reads a recording instead. A question of a service is marked
/// `?`, its answer `!`. Ctrl-C ends it and says what was understood and what was foreign or
/// broken.
#[derive(Debug, Clone, Parser)]
#[command(name = "monitor", bin_name = "cargo xtask monitor", after_long_help = EXAMPLES)]
pub struct Monitor {
    /// can:HOST:PORT, can:/dev/ttyACM0, serial:HOST:PORT or serial:/dev/ttyUSB0@115200
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub link: Option<LinkName>,
    /// A recording instead of a link: the hub's transcript, or candump's
    #[arg(long, value_name = "TRANSCRIPT")]
    pub file: Option<PathBuf>,
    /// Judge seals by these keys
    #[arg(long)]
    pub keys: Option<Keys>,
    /// Only from or to this node, by name or number; may be said several times
    #[arg(long, value_name = "NODE")]
    pub node: Vec<String>,
    /// Only types with this in their name, such as profile; may be said several times
    #[arg(long = "type", value_name = "TEXT")]
    pub types: Vec<String>,
    /// Only events: what happened once, not what is repeated every second
    #[arg(long)]
    pub events: bool,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    /// End after this many lines
    #[arg(long, value_name = "LINES", value_parser = clap::value_parser!(u64).range(1..))]
    pub count: Option<u64>,
}

/// Whose keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Keys {
    /// Those of every device on the bench
    Bench,
}

impl Arguments for Monitor {
    fn check(&self) -> Result<(), String> {
        self.file.as_deref().map_or(Ok(()), must_exist)
    }
}

const EXAMPLES: &str = "Examples:
  cargo xtask table --keep                                  in one terminal; it prints the bus's port
  cargo xtask monitor can:127.0.0.1:4000 --keys bench       in another: every transfer, seals judged
  cargo xtask monitor can:/dev/ttyACM0 --events             a real bus; only what happened once
  cargo xtask monitor serial:/dev/ttyUSB0@115200 --json     one device's link, for another program
  cargo xtask monitor can:127.0.0.1:4000 --node shuffler --type profile
  cargo xtask monitor --file bus.txt --json                 a recording

A line:
     12.345678  controller → shuffler   ProfileSet?   game=FreeBet decks=8 ...  ✓ floorperson 17
     when       who, to whom            type          fields                    whose seal, its number
  ✗ instead of ✓: it may not be believed. `--type irregularity` is what a floorperson should see.";

/// How transfers are cut up on a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Cyphal/CAN, as slcan text.
    Can,
    /// Cyphal/serial.
    Serial,
}

/// Unless the link says otherwise behind an `@`.
const BAUD: u32 = 115_200;

/// A link by its name: `can:127.0.0.1:4000`, `serial:/dev/ttyUSB0@115200`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkName {
    /// What is spoken there.
    pub framing: Framing,
    /// Where it is.
    pub place: Place,
}

/// Where a link is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// HOST:PORT.
    Tcp(String),
    /// A device file and its bits per second.
    Device(String, u32),
}

impl FromStr for LinkName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no link: say can: or serial:, then HOST:PORT or /dev/…");
        let (framing, place) = text.split_once(':').ok_or_else(wrong)?;
        let framing = match framing {
            "can" => Framing::Can,
            "serial" => Framing::Serial,
            _ => return Err(wrong()),
        };
        let place = place.strip_prefix("socket://").unwrap_or(place);
        if !place.starts_with('/') {
            let port = place.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
            port.ok_or_else(wrong)?;
            return Ok(Self { framing, place: Place::Tcp(place.into()) });
        }
        let (path, baud) = match place.split_once('@') {
            Some((path, baud)) => (path, baud.parse().map_err(|_| wrong())?),
            None => (place, BAUD),
        };
        Ok(Self { framing, place: Place::Device(path.into(), baud) })
    }
}

impl fmt::Display for LinkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let framing = match self.framing {
            Framing::Can => "can",
            Framing::Serial => "serial",
        };
        match &self.place {
            Place::Tcp(address) => write!(f, "{framing}:{address}"),
            Place::Device(path, _) => write!(f, "{framing}:{path}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_named_as_the_help_says() {
        for (name, framing, place) in [
            ("can:127.0.0.1:4000", Framing::Can, Place::Tcp("127.0.0.1:4000".into())),
            ("serial:socket://localhost:5", Framing::Serial, Place::Tcp("localhost:5".into())),
            ("can:/dev/ttyACM0", Framing::Can, Place::Device("/dev/ttyACM0".into(), BAUD)),
            ("serial:/dev/x@9600", Framing::Serial, Place::Device("/dev/x".into(), 9600)),
        ] {
            assert_eq!(name.parse(), Ok(LinkName { framing, place }), "{name}");
        }
        for wrong in
            ["", "can", "usb:/dev/x", "can:localhost", "can:localhost:x", "serial:/dev/x@fast"]
        {
            let said = wrong.parse::<LinkName>().unwrap_err();
            assert!(said.contains("is no link"), "{said}");
        }
    }
}
