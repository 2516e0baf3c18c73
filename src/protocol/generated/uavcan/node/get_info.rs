//! `uavcan.node.GetInfo.1.0`, written from the DSDL by `cargo xtask dsdl`.

use heapless::Vec;

use crate::protocol::codec::{Object, Reader, Request, Response, Writer, read_list, service};
use crate::protocol::generated::uavcan::node::Version;
use crate::protocol::transfer::ServiceId;

/// The request of the standard's `uavcan.node.GetInfo.1.0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GetInfoRequest {}

impl Object for GetInfoRequest {
    const NAME: &'static str = "uavcan.node.GetInfo.1.0.Request";
    const SHORTEST: usize = 0;
    const LONGEST: usize = 0;
    const EXTENT: usize = 0;
    const STRICT: bool = false;

    fn write(&self, _: &mut Writer<'_>) -> Option<()> {
        Some(())
    }

    fn read(_: &mut Reader<'_>) -> Option<Self> {
        Some(Self {})
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
    const SHORTEST: usize = 33;
    const LONGEST: usize = 313;
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

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let protocol_version = Version::read(from)?;
        let hardware_version = Version::read(from)?;
        let software_version = Version::read(from)?;
        let software_vcs_revision_id = from.take(64)?;
        let unique_id = from.take_bytes()?;
        let name = read_list(from, 8, |from| Some(from.take(8)? as u8))?;
        let software_image_crc = read_list(from, 8, |from| from.take(64))?;
        let certificate_of_authenticity = read_list(from, 8, |from| Some(from.take(8)? as u8))?;
        Some(Self {
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

impl Response for GetInfoResponse {
    const SERVICE: ServiceId = service(430);
}
