//! The types that travel, written from the DSDL by `cargo xtask dsdl`.
//!
//! Change the DSDL, not these files: a test compares them.

pub mod croupier;
pub mod uavcan;

use super::codec::Visitor;

/// Shows `visitor` every type that travels by itself, in the order of names.
pub fn visit(visitor: &mut impl Visitor) {
    visitor.service::<croupier::common::AttestationRequest>();
    visitor.service::<croupier::common::ClearRequest>();
    visitor.message::<croupier::common::Cleared>();
    visitor.service::<croupier::common::ClockGetRequest>();
    visitor.service::<croupier::common::ClockSetRequest>();
    visitor.message::<croupier::common::Inspected>();
    visitor.service::<croupier::common::InspectionRequest>();
    visitor.message::<croupier::common::Irregularity>();
    visitor.service::<croupier::common::JournalReadRequest>();
    visitor.service::<croupier::common::NextSequenceRequest>();
    visitor.message::<croupier::common::ProfileChanged>();
    visitor.service::<croupier::common::ProfileGetRequest>();
    visitor.service::<croupier::common::ProfileSetRequest>();
    visitor.service::<croupier::common::ProvisionKeyRequest>();
    visitor.service::<croupier::common::RefusalsRequest>();
    visitor.service::<croupier::common::ResendRequest>();
    visitor.message::<croupier::common::SettingChanged>();
    visitor.message::<croupier::common::Started>();
    visitor.message::<croupier::common::Status>();
    visitor.service::<croupier::paigow::ArmRequest>();
    visitor.message::<croupier::paigow::Blanked>();
    visitor.service::<croupier::paigow::HouseRequest>();
    visitor.message::<croupier::paigow::HouseChanged>();
    visitor.message::<croupier::paigow::Number>();
    visitor.service::<croupier::paigow::RecallRequest>();
    visitor.service::<croupier::paigow::RoundEndRequest>();
    visitor.service::<croupier::paigow::ShuffledRequest>();
    visitor.message::<croupier::paigow::Stepped>();
    visitor.service::<croupier::reader::ArmRequest>();
    visitor.message::<croupier::reader::Armed>();
    visitor.service::<croupier::reader::HouseRequest>();
    visitor.message::<croupier::reader::HouseChanged>();
    visitor.message::<croupier::reader::Insertion>();
    visitor.service::<croupier::reader::RoundEndRequest>();
    visitor.message::<croupier::reader::Taught>();
    visitor.service::<croupier::reader::TeachRequest>();
    visitor.message::<croupier::reader::Verdict>();
    visitor.service::<croupier::reader::WrongLightRequest>();
    visitor.message::<croupier::shuffler::BatchChanged>();
    visitor.service::<croupier::shuffler::BatchOpenedRequest>();
    visitor.service::<croupier::shuffler::BatchRetiredRequest>();
    visitor.message::<croupier::shuffler::Certificate>();
    visitor.service::<croupier::shuffler::CommandRequest>();
    visitor.message::<croupier::shuffler::Count>();
    visitor.service::<croupier::shuffler::CountGetRequest>();
    visitor.message::<croupier::shuffler::Inventory>();
    visitor.service::<croupier::shuffler::InventoryGetRequest>();
    visitor.message::<croupier::shuffler::Progress>();
    visitor.service::<croupier::shuffler::StubCountedRequest>();
    visitor.message::<croupier::shuffler::StubResult>();
    visitor.service::<uavcan::node::ExecuteCommandRequest>();
    visitor.service::<uavcan::node::GetInfoRequest>();
    visitor.message::<uavcan::node::Heartbeat>();
}
