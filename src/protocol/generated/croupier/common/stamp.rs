//! `croupier.common.Stamp.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Writer};

/// Which event this is, and when. The first 9 bytes of every event.
///
/// A receiver that sees `number` jump knows that it missed events and asks for them with Resend.
/// An event sent again keeps its stamp, so (`start`, `number`) tells a repeat from news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stamp {
    /// Low byte of the count of the device's starts. A new value: the device restarted.
    pub start: u8,
    /// Counts the events of this start, of all subjects together, from 0 by one. Status tells the next.
    pub number: u32,
    /// Milliseconds since this start. Never set, so it never runs backwards; Clock ties it to the day.
    pub time_ms: u64,
}

impl Object for Stamp {
    const NAME: &'static str = "croupier.common.Stamp.1.0";
    const SHORTEST: usize = 9;
    const LONGEST: usize = 9;
    const EXTENT: usize = 9;
    const STRICT: bool = true;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.start.into(), 8)?;
        to.put(self.number.min(0xFFFFFF).into(), 24)?;
        to.put(self.time_ms.min(0xFFFFFFFFFF), 40)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let start = from.take(8)? as u8;
        let number = from.take(24)? as u32;
        let time_ms = from.take(40)?;
        Some(Self { start, number, time_ms })
    }
}
