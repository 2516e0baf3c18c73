//! `uavcan.register.List.1.0`, written from the DSDL by `cargo xtask dsdl`.

use crate::protocol::codec::{Object, Reader, Request, Response, Writer, service};
use crate::protocol::generated::uavcan::register::Name;
use crate::protocol::transfer::ServiceId;

/// The request of the standard's `uavcan.register.List.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ListRequest {
    /// The field `index` of the standard's `uavcan.register.List.1.0`.
    pub index: u16,
}

impl Object for ListRequest {
    const NAME: &'static str = "uavcan.register.List.1.0.Request";
    const SHORTEST: usize = 2;
    const LONGEST: usize = 2;
    const EXTENT: usize = 2;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        to.put(self.index.into(), 16)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let index = from.take(16)? as u16;
        Some(Self { index })
    }
}

impl Request for ListRequest {
    const SERVICE: ServiceId = service(385);
    type Response = ListResponse;
}

/// The response of the standard's `uavcan.register.List.1.0`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListResponse {
    /// The field `name` of the standard's `uavcan.register.List.1.0`.
    pub name: Name,
}

impl Object for ListResponse {
    const NAME: &'static str = "uavcan.register.List.1.0.Response";
    const SHORTEST: usize = 1;
    const LONGEST: usize = 256;
    const EXTENT: usize = 256;
    const STRICT: bool = false;

    fn write(&self, to: &mut Writer<'_>) -> Option<()> {
        self.name.write(to)?;
        Some(())
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let name = Name::read(from)?;
        Some(Self { name })
    }
}

impl Response for ListResponse {
    const SERVICE: ServiceId = service(385);
}
