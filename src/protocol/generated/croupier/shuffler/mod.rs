//! The namespace `croupier.shuffler`, written from the DSDL by `cargo xtask dsdl`.

mod batch;
mod batch_opened;
mod certificate;
mod certificate_reason;
mod certificate_state;
mod command;
mod count;
mod count_get;
mod count_verdict;
mod inventory;
mod inventory_get;
mod phase;
mod progress;
mod purpose;
mod task;

pub use batch::Batch;
pub use batch_opened::{BatchOpenedRequest, BatchOpenedResponse};
pub use certificate::Certificate;
pub use certificate_reason::CertificateReason;
pub use certificate_state::CertificateState;
pub use command::{CommandRequest, CommandResponse};
pub use count::Count;
pub use count_get::{CountGetRequest, CountGetResponse};
pub use count_verdict::CountVerdict;
pub use inventory::Inventory;
pub use inventory_get::{InventoryGetRequest, InventoryGetResponse};
pub use phase::Phase;
pub use progress::Progress;
pub use purpose::Purpose;
pub use task::Task;
