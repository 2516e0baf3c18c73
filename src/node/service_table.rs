//! Which sealed services a device has, and who may ask for each.
//!
//! So authority and length are judged in one place, before any device code runs. The table says
//! nothing that the DSDL's "Asked by" does not; `tests/controller/services.rs` compares them.

use crate::identity::DeviceKind;
use crate::protocol::codec::{Object, Request, Sealed};
use crate::protocol::generated::croupier::common::{
    AttestationRequest, ClearRequest, ClockGetRequest, ClockSetRequest, InspectionRequest,
    JournalReadRequest, NextSequenceRequest, ProfileGetRequest, ProfileSetRequest,
    ProvisionKeyRequest, RefusalsRequest, ResendRequest, Role,
};
use crate::protocol::generated::croupier::{paigow, reader, shuffler};
use crate::protocol::generated::uavcan::node::{ExecuteCommandRequest, GetInfoRequest};
use crate::protocol::transfer::{Interest, Port, ServiceId};

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Roles(u8);

impl Roles {
    const fn of(roles: &[Role]) -> Self {
        let (mut bits, mut at) = (0, 0);
        while at < roles.len() {
            bits |= 1 << roles[at].code();
            at += 1;
        }
        Self(bits)
    }

    /// Whether `role` is one of them.
    pub const fn contains(self, role: Role) -> bool {
        self.0 & 1 << role.code() != 0
    }
}

/// One sealed service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Service {
    /// Its port.
    pub id: ServiceId,
    /// The device that has it; every device, if none is named.
    pub kind: Option<DeviceKind>,
    /// Who may ask. A device may narrow it further by what is asked.
    pub asked_by: Roles,
    /// Bytes of a request: each has but one length.
    pub request: usize,
    /// The fewest bytes of a response, all zero where nothing was done.
    pub response: usize,
    /// Whether it only asks and never changes what is kept.
    pub only_asks: bool,
}

impl Service {
    const fn new<R: Request + Sealed>(kind: Option<DeviceKind>, asked_by: Roles) -> Self {
        const { assert!(R::SHORTEST == R::LONGEST, "a request of one length") };
        let response = <R::Response as Object>::SHORTEST;
        let (id, request, only_asks) = (R::SERVICE, R::LONGEST, false);
        Self { id, kind, asked_by, request, response, only_asks }
    }

    /// A service that never changes what is kept.
    const fn question<R: Request + Sealed>(kind: Option<DeviceKind>, asked_by: Roles) -> Self {
        Self { only_asks: true, ..Self::new::<R>(kind, asked_by) }
    }
}

/// Every sealed service.
pub static SERVICES: [Service; 28] = {
    use Role::{Controller, Dealer, Floorperson};
    const ANYBODY: Roles = Roles::of(&[Dealer, Floorperson, Role::Service, Controller]);
    const TABLE: Roles = Roles::of(&[Dealer, Controller]);
    const STAFF: Roles = Roles::of(&[Floorperson, Role::Service, Controller]);
    const FLOOR: Roles = Roles::of(&[Floorperson]);
    const READER: Option<DeviceKind> = Some(DeviceKind::Reader);
    const SHUFFLER: Option<DeviceKind> = Some(DeviceKind::Shuffler);
    const PAIGOW: Option<DeviceKind> = Some(DeviceKind::PaiGow);
    [
        Service::new::<ProfileSetRequest>(None, FLOOR),
        Service::question::<ProfileGetRequest>(None, ANYBODY),
        Service::new::<InspectionRequest>(None, ANYBODY),
        Service::new::<ClockSetRequest>(None, STAFF),
        Service::question::<ClockGetRequest>(None, ANYBODY),
        Service::question::<JournalReadRequest>(None, STAFF),
        Service::question::<AttestationRequest>(None, ANYBODY),
        Service::new::<ProvisionKeyRequest>(None, Roles::of(&[Role::Service])),
        Service::new::<ClearRequest>(None, ANYBODY),
        Service::question::<NextSequenceRequest>(None, ANYBODY),
        Service::question::<ResendRequest>(None, Roles::of(&[Controller])),
        Service::question::<RefusalsRequest>(None, ANYBODY),
        Service::new::<reader::ArmRequest>(READER, TABLE),
        Service::new::<reader::RoundEndRequest>(READER, TABLE),
        Service::new::<reader::TeachRequest>(READER, ANYBODY),
        Service::new::<reader::WrongLightRequest>(READER, FLOOR),
        Service::new::<reader::HouseRequest>(READER, ANYBODY),
        Service::new::<shuffler::CommandRequest>(
            SHUFFLER,
            Roles::of(&[Dealer, Floorperson, Controller]),
        ),
        Service::question::<shuffler::InventoryGetRequest>(SHUFFLER, ANYBODY),
        Service::question::<shuffler::CountGetRequest>(SHUFFLER, ANYBODY),
        Service::new::<shuffler::BatchOpenedRequest>(SHUFFLER, FLOOR),
        Service::new::<shuffler::BatchRetiredRequest>(SHUFFLER, FLOOR),
        Service::new::<shuffler::StubCountedRequest>(SHUFFLER, Roles::of(&[Dealer, Floorperson])),
        Service::new::<paigow::ArmRequest>(PAIGOW, TABLE),
        Service::new::<paigow::RoundEndRequest>(PAIGOW, TABLE),
        Service::question::<paigow::RecallRequest>(PAIGOW, STAFF),
        Service::new::<paigow::ShuffledRequest>(PAIGOW, Roles::of(&[Controller])),
        Service::new::<paigow::HouseRequest>(PAIGOW, ANYBODY),
    ]
};

/// The sealed service with this number, if a device of this kind has it.
pub fn service(kind: DeviceKind, id: ServiceId) -> Option<&'static Service> {
    let service = SERVICES.iter().find(|service| service.id == id)?;
    service.kind.is_none_or(|only| only == kind).then_some(service)
}

/// What a node of this kind listens to: requests, and no message of anybody. It never changes,
/// so a link can sort what comes in while the node itself is busy.
#[derive(Debug, Clone, Copy)]
pub struct Requests(pub DeviceKind);

impl Interest for Requests {
    fn extent(&self, port: Port) -> Option<usize> {
        let Port::Request(id, _) = port else { return None };
        match id {
            GetInfoRequest::SERVICE => Some(0),
            ExecuteCommandRequest::SERVICE => Some(2),
            // One byte more than is right, so that a longer request is noticed.
            _ => Some(service(self.0, id)?.request + 1),
        }
    }
}
