//! `uavcan.node.Heartbeat.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Message, Object, Reader, Writer, subject};
use crate::protocol::generated::uavcan::node::{Health, Mode};
use crate::protocol::transfer::SubjectId;

/// A value of the standard's `uavcan.node.Heartbeat.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Heartbeat {
    /// The field `uptime` of the standard's `uavcan.node.Heartbeat.1.0`.
    pub uptime: u32,
    /// The field `health` of the standard's `uavcan.node.Heartbeat.1.0`.
    pub health: Health,
    /// The field `mode` of the standard's `uavcan.node.Heartbeat.1.0`.
    pub mode: Mode,
    /// The field `vendor_specific_status_code` of the standard's `uavcan.node.Heartbeat.1.0`.
    pub vendor_specific_status_code: u8,
}

impl Heartbeat {
    /// The constant `MAX_PUBLICATION_PERIOD` of the standard's `uavcan.node.Heartbeat.1.0`.
    pub const MAX_PUBLICATION_PERIOD: u16 = 1;
    /// The constant `OFFLINE_TIMEOUT` of the standard's `uavcan.node.Heartbeat.1.0`.
    pub const OFFLINE_TIMEOUT: u16 = 3;
}

impl Object for Heartbeat {
    const NAME: &'static str = "uavcan.node.Heartbeat.1.0";
    const SHORTEST: usize = 7;
    const LONGEST: usize = 7;
    const EXTENT: usize = 12;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.uptime.into(), 32)?;
        self.health.write(to)?;
        self.mode.write(to)?;
        to.put(self.vendor_specific_status_code.into(), 8)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let uptime = from.take(32)? as u32;
        let health = Health::read(from)?;
        let mode = Mode::read(from)?;
        let vendor_specific_status_code = from.take(8)? as u8;
        Some(Self { uptime, health, mode, vendor_specific_status_code })
    }
}

impl Message for Heartbeat {
    const SUBJECT: SubjectId = subject(7509);
}
