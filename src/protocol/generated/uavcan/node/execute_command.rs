//! `uavcan.node.ExecuteCommand.1.3`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Request, Response, Writer, read_list, service};
use crate::protocol::transfer::ServiceId;

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
    const SHORTEST: usize = 3;
    const LONGEST: usize = 258;
    const EXTENT: usize = 300;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.command.into(), 16)?;
        to.put(self.parameter.len() as u64, 8)?;
        to.put_bytes(&self.parameter)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let command = from.take(16)? as u16;
        let parameter = read_list(from, 8, |from| Some(from.take(8)? as u8))?;
        Some(Self { command, parameter })
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
    const SHORTEST: usize = 2;
    const LONGEST: usize = 48;
    const EXTENT: usize = 48;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.status.into(), 8)?;
        to.put(self.output.len() as u64, 8)?;
        to.put_bytes(&self.output)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let status = from.take(8)? as u8;
        let output = read_list(from, 8, |from| Some(from.take(8)? as u8))?;
        Some(Self { status, output })
    }
}

impl Response for ExecuteCommandResponse {
    const SERVICE: ServiceId = service(435);
}
