//! The namespace `uavcan.node`, written from the DSDL by `cargo xtask dsdl`.

mod execute_command;
mod get_info;
mod health;
mod heartbeat;
mod mode;
mod version;

pub use execute_command::{ExecuteCommandRequest, ExecuteCommandResponse};
pub use get_info::{GetInfoRequest, GetInfoResponse};
pub use health::Health;
pub use heartbeat::Heartbeat;
pub use mode::Mode;
pub use version::Version;
