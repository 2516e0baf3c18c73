//! The namespace `uavcan.node`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{
    Decoded, Malformed, Message, Object, Reader, Request, Response, Writer, read_list, service,
    subject,
};
use crate::protocol::transfer::{ServiceId, SubjectId};

/// The request of the standard's `uavcan.node.ExecuteCommand.1.3`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExecuteCommandRequest {
    /// The field `command` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub command: u16,
    /// The field `parameter` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub parameter: Vec<u8, 255>,
}

impl ExecuteCommandRequest {
    /// The constant `COMMAND_RESTART` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_RESTART: u16 = 65535;
    /// The constant `COMMAND_POWER_OFF` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_POWER_OFF: u16 = 65534;
    /// The constant `COMMAND_BEGIN_SOFTWARE_UPDATE` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_BEGIN_SOFTWARE_UPDATE: u16 = 65533;
    /// The constant `COMMAND_FACTORY_RESET` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_FACTORY_RESET: u16 = 65532;
    /// The constant `COMMAND_EMERGENCY_STOP` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_EMERGENCY_STOP: u16 = 65531;
    /// The constant `COMMAND_STORE_PERSISTENT_STATES` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_STORE_PERSISTENT_STATES: u16 = 65530;
    /// The constant `COMMAND_IDENTIFY` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const COMMAND_IDENTIFY: u16 = 65529;
}

impl Object for ExecuteCommandRequest {
    const NAME: &'static str = "uavcan.node.ExecuteCommand.1.3.Request";
    const LONGEST: usize = 258;
    const SHORTEST: usize = 3;
    const EXTENT: usize = 300;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.command.into(), 16)?;
        to.put(self.parameter.len() as u64, 8)?;
        to.put_bytes(&self.parameter)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let command = from.take(16)? as u16;
        let parameter = read_list(from, 8, |from| Ok(from.take(8)? as u8))?;
        Ok(Self { command, parameter })
    }
}

impl Request for ExecuteCommandRequest {
    const SERVICE: ServiceId = service(435);
    type Response = ExecuteCommandResponse;
}

/// The response of the standard's `uavcan.node.ExecuteCommand.1.3`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExecuteCommandResponse {
    /// The field `status` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub status: u8,
    /// The field `output` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub output: Vec<u8, 46>,
}

impl ExecuteCommandResponse {
    /// The constant `STATUS_SUCCESS` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_SUCCESS: u8 = 0;
    /// The constant `STATUS_FAILURE` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_FAILURE: u8 = 1;
    /// The constant `STATUS_NOT_AUTHORIZED` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_NOT_AUTHORIZED: u8 = 2;
    /// The constant `STATUS_BAD_COMMAND` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_BAD_COMMAND: u8 = 3;
    /// The constant `STATUS_BAD_PARAMETER` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_BAD_PARAMETER: u8 = 4;
    /// The constant `STATUS_BAD_STATE` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_BAD_STATE: u8 = 5;
    /// The constant `STATUS_INTERNAL_ERROR` of the standard's `uavcan.node.ExecuteCommand.1.3`.
    pub const STATUS_INTERNAL_ERROR: u8 = 6;
}

impl Object for ExecuteCommandResponse {
    const NAME: &'static str = "uavcan.node.ExecuteCommand.1.3.Response";
    const LONGEST: usize = 48;
    const SHORTEST: usize = 2;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.status.into(), 8)?;
        to.put(self.output.len() as u64, 8)?;
        to.put_bytes(&self.output)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let status = from.take(8)? as u8;
        let output = read_list(from, 8, |from| Ok(from.take(8)? as u8))?;
        Ok(Self { status, output })
    }
}

impl Response for ExecuteCommandResponse {}

/// The request of the standard's `uavcan.node.GetInfo.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GetInfoRequest {}

impl Object for GetInfoRequest {
    const NAME: &'static str = "uavcan.node.GetInfo.1.0.Request";
    const LONGEST: usize = 0;
    const STRICT: bool = false;

    fn write(&self, _: &mut Writer<'_>) -> Option<()> {
        Some(())
    }

    fn read(_: &mut Reader<'_>) -> Decoded<Self> {
        Ok(Self {})
    }
}

impl Request for GetInfoRequest {
    const SERVICE: ServiceId = service(430);
    type Response = GetInfoResponse;
}

/// The response of the standard's `uavcan.node.GetInfo.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GetInfoResponse {
    /// The field `protocol_version` of the standard's `uavcan.node.GetInfo.1.0`.
    pub protocol_version: Version,
    /// The field `hardware_version` of the standard's `uavcan.node.GetInfo.1.0`.
    pub hardware_version: Version,
    /// The field `software_version` of the standard's `uavcan.node.GetInfo.1.0`.
    pub software_version: Version,
    /// The field `software_vcs_revision_id` of the standard's `uavcan.node.GetInfo.1.0`.
    pub software_vcs_revision_id: u64,
    /// The field `unique_id` of the standard's `uavcan.node.GetInfo.1.0`.
    pub unique_id: [u8; 16],
    /// The field `name` of the standard's `uavcan.node.GetInfo.1.0`.
    pub name: Vec<u8, 50>,
    /// The field `software_image_crc` of the standard's `uavcan.node.GetInfo.1.0`.
    pub software_image_crc: Vec<u64, 1>,
    /// The field `certificate_of_authenticity` of the standard's `uavcan.node.GetInfo.1.0`.
    pub certificate_of_authenticity: Vec<u8, 222>,
}

impl Object for GetInfoResponse {
    const NAME: &'static str = "uavcan.node.GetInfo.1.0.Response";
    const LONGEST: usize = 313;
    const SHORTEST: usize = 33;
    const EXTENT: usize = 448;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.protocol_version.write(to)?;
        self.hardware_version.write(to)?;
        self.software_version.write(to)?;
        to.put(self.software_vcs_revision_id, 64)?;
        to.put_bytes(&self.unique_id)?;
        to.put(self.name.len() as u64, 8)?;
        to.put_bytes(&self.name)?;
        to.put(self.software_image_crc.len() as u64, 8)?;
        for item in self.software_image_crc.iter().copied() {
            to.put(item, 64)?;
        }
        to.put(self.certificate_of_authenticity.len() as u64, 8)?;
        to.put_bytes(&self.certificate_of_authenticity)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let protocol_version = Version::read(from)?;
        let hardware_version = Version::read(from)?;
        let software_version = Version::read(from)?;
        let software_vcs_revision_id = from.take(64)?;
        let unique_id = from.take_bytes()?;
        let name = read_list(from, 8, |from| Ok(from.take(8)? as u8))?;
        let software_image_crc = read_list(from, 8, |from| from.take(64))?;
        let certificate_of_authenticity = read_list(from, 8, |from| Ok(from.take(8)? as u8))?;
        Ok(Self {
            protocol_version,
            hardware_version,
            software_version,
            software_vcs_revision_id,
            unique_id,
            name,
            software_image_crc,
            certificate_of_authenticity,
        })
    }
}

impl Response for GetInfoResponse {}

/// A code of the standard's `uavcan.node.Health.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Health {
    /// The code `NOMINAL` of the standard's `uavcan.node.Health.1.0`.
    #[default]
    Nominal = 0,
    /// The code `ADVISORY` of the standard's `uavcan.node.Health.1.0`.
    Advisory = 1,
    /// The code `CAUTION` of the standard's `uavcan.node.Health.1.0`.
    Caution = 2,
    /// The code `WARNING` of the standard's `uavcan.node.Health.1.0`.
    Warning = 3,
}

impl Health {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] = [Self::Nominal, Self::Advisory, Self::Caution, Self::Warning];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Nominal,
            1 => Self::Advisory,
            2 => Self::Caution,
            3 => Self::Warning,
            _ => return None,
        })
    }
}

impl Object for Health {
    const NAME: &'static str = "uavcan.node.Health.1.0";
    const LONGEST: usize = 1;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 2)?;
        to.align();
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(2)? as u8;
        from.align()?;
        Self::from_code(code).ok_or(Malformed)
    }
}

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

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let uptime = from.take(32)? as u32;
        let health = Health::read(from)?;
        let mode = Mode::read(from)?;
        let vendor_specific_status_code = from.take(8)? as u8;
        Ok(Self { uptime, health, mode, vendor_specific_status_code })
    }
}

impl Message for Heartbeat {
    const SUBJECT: SubjectId = subject(7509);
}

/// A code of the standard's `uavcan.node.Mode.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum Mode {
    /// The code `OPERATIONAL` of the standard's `uavcan.node.Mode.1.0`.
    #[default]
    Operational = 0,
    /// The code `INITIALIZATION` of the standard's `uavcan.node.Mode.1.0`.
    Initialization = 1,
    /// The code `MAINTENANCE` of the standard's `uavcan.node.Mode.1.0`.
    Maintenance = 2,
    /// The code `SOFTWARE_UPDATE` of the standard's `uavcan.node.Mode.1.0`.
    SoftwareUpdate = 3,
}

impl Mode {
    /// Every code, in the order of the DSDL.
    pub const ALL: [Self; 4] =
        [Self::Operational, Self::Initialization, Self::Maintenance, Self::SoftwareUpdate];

    /// The number on the wire.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The code with this number.
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0 => Self::Operational,
            1 => Self::Initialization,
            2 => Self::Maintenance,
            3 => Self::SoftwareUpdate,
            _ => return None,
        })
    }
}

impl Object for Mode {
    const NAME: &'static str = "uavcan.node.Mode.1.0";
    const LONGEST: usize = 1;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.code().into(), 3)?;
        to.align();
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let code = from.take(3)? as u8;
        from.align()?;
        Self::from_code(code).ok_or(Malformed)
    }
}

/// A value of the standard's `uavcan.node.Version.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Version {
    /// The field `major` of the standard's `uavcan.node.Version.1.0`.
    pub major: u8,
    /// The field `minor` of the standard's `uavcan.node.Version.1.0`.
    pub minor: u8,
}

impl Object for Version {
    const NAME: &'static str = "uavcan.node.Version.1.0";
    const LONGEST: usize = 2;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.major.into(), 8)?;
        to.put(self.minor.into(), 8)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Decoded<Self> {
        let major = from.take(8)? as u8;
        let minor = from.take(8)? as u8;
        Ok(Self { major, minor })
    }
}
