//! The parts every Cyphal node has: heartbeat, information, and commands we refuse.
//!
//! They carry no seal, so nothing here changes anything: a restart takes service authority
//! at the device, and an unsealed request has none.

use heapless::Vec;

use crate::identity::Identity;
use crate::protocol::generated::croupier::common::Condition;
use crate::protocol::generated::uavcan::node::{
    ExecuteCommandRequest, ExecuteCommandResponse, GetInfoResponse, Health, Heartbeat, Mode,
    Version,
};
use crate::time::Instant;

/// The heartbeat of a device in `condition`, which is also its vendor's status code.
pub(super) fn heartbeat(now: Instant, condition: Condition, sealing: bool) -> Heartbeat {
    let (health, mode) = match condition {
        Condition::Starting => (Health::Nominal, Mode::Initialization),
        Condition::InService if sealing => (Health::Nominal, Mode::Operational),
        Condition::Checking => (Health::Nominal, Mode::Maintenance),
        Condition::Malfunction | Condition::OutOfOrder => (Health::Warning, Mode::Operational),
        _ => (Health::Advisory, Mode::Operational),
    };
    let uptime = u32::try_from(now.as_secs()).unwrap_or(u32::MAX);
    Heartbeat { uptime, health, mode, vendor_specific_status_code: condition.code() }
}

/// The answer to `GetInfo`: every particular by which an approval file knows the device (CM-02).
///
/// The image's CRC is the first 64 bits of its SHA-256; `Attestation` gives all of it.
pub(super) fn info(identity: &Identity) -> GetInfoResponse {
    let version = identity.build.version;
    let mut unique_id = [0; 16];
    for (byte, uid) in unique_id.iter_mut().zip(identity.serial.0) {
        *byte = uid;
    }
    let image = identity.image.and_then(|image| image.0.first_chunk().copied());
    GetInfoResponse {
        protocol_version: Version { major: 1, minor: 0 },
        hardware_version: Version { major: 1, minor: 0 },
        software_version: Version { major: version.major, minor: version.minor },
        software_vcs_revision_id: identity.build.commit.map_or(0, |commit| commit.revision()),
        unique_id,
        name: Vec::from_slice(identity.kind.wire_name().as_bytes()).unwrap_or_default(),
        software_image_crc: image.map(u64::from_be_bytes).into_iter().collect(),
        certificate_of_authenticity: Vec::new(),
    }
}

/// The answer to `ExecuteCommand`: standard commands exist but not for strangers, others do not.
pub(super) fn execute(payload: &[u8]) -> ExecuteCommandResponse {
    let command = payload.first_chunk().map_or(0, |bytes| u16::from_le_bytes(*bytes));
    let status = if command >= ExecuteCommandRequest::COMMAND_IDENTIFY {
        ExecuteCommandResponse::STATUS_NOT_AUTHORIZED
    } else {
        ExecuteCommandResponse::STATUS_BAD_COMMAND
    };
    ExecuteCommandResponse { status, output: Vec::new() }
}
