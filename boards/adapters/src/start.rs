//! The first words of a run: who the device is, and why it started.
use croupier::identity::{Build, Commit, DeviceKind, Identity, Version};
use croupier::safety::{Duty, HardwareReset, ResetCause};
use embassy_stm32::gpio::Output;
use embassy_time::Instant;

/// Who this device is; its image is measured later, by [`settle`].
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

/// Says who the device is and why it started. Call once, before the first task.
pub fn announce(identity: &Identity, hardware: HardwareReset) -> ResetCause {
    let (cause, falls) = crate::fall::rise(hardware);
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
    defmt::info!("reset: {} (falls since power on: {})", cause, falls);
    cause
}

/// Shows that the device is ready, then measures its image in the background, then
/// answers roll call for the background for ever.
pub async fn settle(mut ready: Output<'static>) -> ! {
    use croupier::panel::ports::Attendance;
    let mut attendee = crate::roll::attend(Duty::Background);
    ready.set_high();
    defmt::info!("ready after {} us", Instant::now().as_micros());
    let hash = crate::image::measure(|| attendee.here()).await;
    defmt::info!("image sha256 {}", hash);
    loop {
        attendee.here();
        embassy_time::Timer::after_millis(100).await;
    }
}
