//! The first words of a run: who the device is, and why it started.
use croupier::identity::{Build, Commit, DeviceKind, Identity, Version};
use croupier::safety::{HardwareReset, ResetCause};

/// Who this device is; its image is measured later.
pub fn identity(kind: DeviceKind, board: &'static str) -> Identity {
    const VERSION: Version = match Version::parse(env!("CARGO_PKG_VERSION")) {
        Some(version) => version,
        None => panic!("the workspace's version has three numbers"),
    };
    const BUILD: Build = Build {
        version: VERSION,
        commit: Commit::parse(env!("CROUPIER_COMMIT")),
        profile: if cfg!(debug_assertions) { "debug" } else { "release" },
        compiler: env!("CROUPIER_COMPILER"),
    };
    Identity {
        maker: "croupier",
        kind,
        board,
        serial: crate::uid::read(),
        build: BUILD,
        image: None,
    }
}

/// How a run began.
pub struct Start {
    /// Who the device is; its image is measured later.
    pub identity: Identity,
    /// Why it started.
    pub cause: ResetCause,
    /// Crashes since power came on.
    pub crashes: u32,
}

/// Says who the device is and why it started. Call once, before the first task.
pub fn announce(identity: Identity, hardware: HardwareReset) -> Start {
    let (cause, crashes) = crate::crash::boot_cause(hardware);
    let (build, version) = (identity.build, identity.build.version);
    let (commit, altered) =
        build.commit.map_or(("no commit", false), |c| (c.digits(), c.is_dirty()));
    defmt::info!(
        "{=str} {=str} {}.{}.{} ({=str}{=str}, {=str}, {=str}) on {=str}, serial {}",
        identity.maker,
        identity.kind.model(),
        version.major,
        version.minor,
        version.patch,
        commit,
        if altered { "-dirty" } else { "" },
        build.profile,
        build.compiler,
        identity.board,
        identity.serial,
    );
    defmt::info!("reset: {} (crashes since power on: {})", cause, crashes);
    Start { identity, cause, crashes }
}
