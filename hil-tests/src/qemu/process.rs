//! One QEMU process that cannot outlive the bench, however the bench ends.
//!
//! Dropping it kills it, also while a test panics. When the bench itself is killed
//! nothing of ours can run any more, so the kernel is asked beforehand to kill QEMU
//! with its parent (`setpriv --pdeathsig`; without it, as outside Linux, only that
//! last case is lost). The kernel means the parent *thread*: so one thread that
//! never ends starts them all.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use crate::error::{BenchError, Result};

/// A running QEMU.
pub(super) struct Process {
    child: Child,
    complaints: Option<JoinHandle<String>>,
}

impl Process {
    /// Starts QEMU in `folder`; its log stream comes with it.
    pub(super) fn start(arguments: &[String], folder: &Path) -> Result<(Self, ChildStdout)> {
        let qemu = program()?;
        let mut command = match find("setpriv") {
            Some(setpriv) => {
                let mut command = Command::new(setpriv);
                command.args(["--pdeathsig", "KILL", "--"]).arg(&qemu);
                command
            }
            None => Command::new(&qemu),
        };
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for the bench, which then ends its guests in order.
        command.process_group(0);
        let doing = format!("starting {}", qemu.display());
        let mut child = launch(command).map_err(BenchError::io(doing))?;
        let log = child.stdout.take().expect("stdout was piped above");
        let mut errors = child.stderr.take().expect("stderr was piped above");
        let complaints = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text); // what came before the error is kept
            text
        });
        Ok((Self { child, complaints: Some(complaints) }, log))
    }

    /// Whether it has ended by itself, and how.
    pub(super) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Kills it at once, waits until it is gone, and tells what it had to complain.
    pub(super) fn kill(&mut self) -> String {
        let _ = self.child.kill(); // already dead is as good
        let _ = self.child.wait();
        self.complaints.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The emulator: `CROUPIER_QEMU`, or the one on the path.
pub fn program() -> Result<PathBuf> {
    let name = std::env::var("CROUPIER_QEMU").unwrap_or_else(|_| "qemu-system-arm".into());
    find(&name).ok_or(BenchError::MissingQemu(name))
}

fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

type Order = (Command, Sender<std::io::Result<Child>>);

/// Starts `command` from the thread that lives as long as the bench does.
fn launch(command: Command) -> std::io::Result<Child> {
    static LAUNCHER: OnceLock<Sender<Order>> = OnceLock::new();
    let launcher = LAUNCHER.get_or_init(|| {
        let (orders, ordered) = channel::<Order>();
        std::thread::spawn(move || {
            for (mut command, done) in ordered {
                let _ = done.send(command.spawn()); // the caller waits right below
            }
        });
        orders
    });
    let (done, child) = channel();
    let gone = |_| std::io::Error::other("the launching thread is gone");
    launcher
        .send((command, done))
        .map_err(|_| std::io::Error::other("the launching thread is gone"))?;
    child.recv().map_err(gone)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_name_or_by_path() {
        assert!(find("sh").is_some());
        assert_eq!(find("/bin/sh"), Some("/bin/sh".into()));
        assert_eq!(find("/no/such/program"), None);
        assert_eq!(find("no-such-program-anywhere"), None);
    }
}
