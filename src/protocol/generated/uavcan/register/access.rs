//! `uavcan.register.Access.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Request, Response, Writer, service};
use crate::protocol::generated::uavcan::register::{Name, Value};
use crate::protocol::generated::uavcan::time::SynchronizedTimestamp;
use crate::protocol::transfer::ServiceId;

/// The request of the standard's `uavcan.register.Access.1.0`.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessRequest {
    /// The field `name` of the standard's `uavcan.register.Access.1.0`.
    pub name: Name,
    /// The field `value` of the standard's `uavcan.register.Access.1.0`.
    pub value: Value,
}

impl Object for AccessRequest {
    const NAME: &'static str = "uavcan.register.Access.1.0.Request";
    const SHORTEST: usize = 2;
    const LONGEST: usize = 515;
    const EXTENT: usize = 515;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.name.write(to)?;
        self.value.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let name = Name::read(from)?;
        let value = Value::read(from)?;
        Some(Self { name, value })
    }
}

impl Request for AccessRequest {
    const SERVICE: ServiceId = service(384);
    type Response = AccessResponse;
}

/// The response of the standard's `uavcan.register.Access.1.0`.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessResponse {
    /// The field `timestamp` of the standard's `uavcan.register.Access.1.0`.
    pub timestamp: SynchronizedTimestamp,
    /// The field `mutable` of the standard's `uavcan.register.Access.1.0`.
    pub mutable: bool,
    /// The field `persistent` of the standard's `uavcan.register.Access.1.0`.
    pub persistent: bool,
    /// The field `value` of the standard's `uavcan.register.Access.1.0`.
    pub value: Value,
}

impl Object for AccessResponse {
    const NAME: &'static str = "uavcan.register.Access.1.0.Response";
    const SHORTEST: usize = 9;
    const LONGEST: usize = 267;
    const EXTENT: usize = 267;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.timestamp.write(to)?;
        to.put(self.mutable.into(), 1)?;
        to.put(self.persistent.into(), 1)?;
        to.put(0, 6)?;
        self.value.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let timestamp = SynchronizedTimestamp::read(from)?;
        let mutable = from.take(1)? != 0;
        let persistent = from.take(1)? != 0;
        from.skip(6)?;
        let value = Value::read(from)?;
        Some(Self { timestamp, mutable, persistent, value })
    }
}

impl Response for AccessResponse {
    const SERVICE: ServiceId = service(384);
}
