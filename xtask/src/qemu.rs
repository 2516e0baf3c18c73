//! QEMU: whether the one on this machine knows the board, and how to get one.

use anyhow::{Result, bail};

use crate::apt::Apt;
use crate::command::CommandLine;
use crate::version::Version;
use crate::workspace::Workspace;

/// The program.
pub(crate) const PROGRAM: &str = "qemu-system-arm";
/// The machine all simulated devices run on.
const MACHINE: &str = "b-l475e-iot01a";
/// The first release whose model of the board can be used.
const OLDEST: Version = Version::new(9, 1);

/// The version of a QEMU that will do, or what is wrong with it.
pub(crate) fn look(workspace: &Workspace) -> Result<Version> {
    let Some(greeting) = CommandLine::new(PROGRAM).arg("--version").answer(&workspace.root) else {
        bail!("{PROGRAM} is not installed");
    };
    let machines =
        CommandLine::new(PROGRAM).args("-machine help").answer(&workspace.root).unwrap_or_default();
    judge(&greeting, &machines)
}

/// Readies QEMU, installing it where there is an apt to ask.
pub(crate) fn ensure(workspace: &Workspace, apt: Option<&Apt>) -> Result<Version> {
    let problem = match look(workspace) {
        Ok(version) => return Ok(version),
        Err(problem) => problem,
    };
    let Some(apt) = apt else {
        bail!(
            "{problem}: install QEMU {OLDEST} or newer for Arm ({PROGRAM}), or run this as root on Debian"
        );
    };
    eprintln!("setup: {problem}; installing it");
    apt.install_recent(workspace, PROGRAM, OLDEST)?;
    look(workspace)
}

fn judge(greeting: &str, machines: &str) -> Result<Version> {
    let Some(version) = Version::in_greeting(greeting) else {
        bail!("{PROGRAM} does not tell its version");
    };
    if version < OLDEST {
        bail!("{PROGRAM} {version} is too old: {OLDEST} or newer is needed");
    }
    if !machines.split_whitespace().any(|word| word == MACHINE) {
        bail!("{PROGRAM} {version} was built without machine {MACHINE}");
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::judge;

    const MACHINES: &str =
        "Supported machines are:\nb-l475e-iot01a  B-L475E-IOT01A Discovery Kit\n";

    #[test]
    fn a_recent_qemu_with_the_board_will_do() {
        let version = judge("QEMU emulator version 10.0.2 (Debian 1:10.0.2)", MACHINES).unwrap();
        assert_eq!(version.to_string(), "10.0.2");
    }

    #[test]
    fn an_old_or_a_trimmed_qemu_is_refused_in_one_sentence() {
        let old = judge("QEMU emulator version 7.2.18", MACHINES).unwrap_err().to_string();
        assert_eq!(old, "qemu-system-arm 7.2.18 is too old: 9.1 or newer is needed");
        let trimmed =
            judge("QEMU emulator version 9.2.0", "virt  a machine").unwrap_err().to_string();
        assert_eq!(trimmed, "qemu-system-arm 9.2 was built without machine b-l475e-iot01a");
    }
}
