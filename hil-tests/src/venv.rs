//! Python for the independent clients: made once under `target/`, and theirs alone.
//!
//! The clients must run stacks of other authors, at versions that `requirements.txt`
//! names. So the tests make a virtual environment and have pycyphal compile the DSDL; both
//! are kept until what they were made from changes.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};

use crate::client::{Client, Story};

/// Downloads and compiles a few megabytes; a slow line must do.
const INSTALL: Duration = Duration::from_secs(900);
/// Compiling the DSDL takes seconds on an idle machine.
const COMPILE: Duration = Duration::from_secs(300);
/// A question to the interpreter.
const ASK: Duration = Duration::from_secs(60);

/// Why the clients cannot run, each in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum VenvError {
    /// No interpreter.
    #[error("the Python clients need `python3`: install the package python3")]
    NoPython,
    /// An interpreter that pycyphal does not run on.
    #[error("the Python clients need Python 3.10 or newer, and `python3` is {0}")]
    TooOld(String),
    /// Debian and its kin split it off.
    #[error("Python cannot make virtual environments here: install the package python3-venv")]
    NoVenv,
    /// A step failed; its output says why.
    #[error("{doing} failed:\n{story}")]
    Failed {
        /// The step.
        doing: &'static str,
        /// What it printed.
        story: Story,
    },
    /// Reading or writing failed.
    #[error("{doing}: {source}")]
    Io {
        /// What was done.
        doing: String,
        /// What the system said.
        source: io::Error,
    },
}

/// An environment in which the scripts under `clients/` run.
#[derive(Debug, Clone)]
pub struct Venv {
    python: PathBuf,
    scripts: PathBuf,
    namespaces: Vec<PathBuf>,
    types: PathBuf,
}

impl Venv {
    /// Makes the environment or finds it made, with the types of `namespaces` compiled.
    ///
    /// `namespaces` are folders that hold DSDL root namespaces. Says what it runs.
    pub fn ready(namespaces: &[PathBuf]) -> Result<Self, VenvError> {
        let target = target();
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients");
        fs::create_dir_all(&target).map_err(doing(&target))?;
        let lock = fs::File::create(target.join("venv.lock")).map_err(doing(&target))?;
        // Another test of the same run may be at it: it does the work for both.
        flock(&lock, FlockOperation::LockExclusive).map_err(|e| doing(&target)(e.into()))?;
        let wanted = digest_of(&[scripts.join("requirements.txt")], "txt")?;
        let folder = target.join("venv");
        let python = folder.join("bin/python");
        if fs::read_to_string(folder.join("made-from")).is_ok_and(|made| made == wanted)
            && python.is_file()
        {
            eprintln!("clients: reusing {}", folder.display());
        } else {
            make(&folder, &scripts.join("requirements.txt"))?;
            fs::write(folder.join("made-from"), &wanted).map_err(doing(&folder))?;
        }
        let types = target.join("pycyphal").join(digest_of(namespaces, "dsdl")?);
        let mut venv = Self { python, scripts, namespaces: namespaces.into(), types };
        if !venv.types.is_dir() {
            venv.compile()?;
        }
        Ok(venv)
    }

    /// Starts a script of `clients/` with these arguments.
    pub fn start<S: AsRef<OsStr>>(&self, script: &str, arguments: &[S]) -> io::Result<Client> {
        let mut command = self.command();
        command.arg(self.scripts.join(script)).args(arguments);
        Client::start(command)
    }

    /// Runs the clients' own unit tests.
    pub fn start_unit_tests(&self) -> io::Result<Client> {
        let mut command = self.command();
        command.args(["-m", "unittest", "discover", "--start-directory"]).arg(&self.scripts);
        Client::start(command)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        let separated = std::env::join_paths(&self.namespaces).unwrap_or_default();
        command.env("CYPHAL_PATH", separated).env("PYCYPHAL_PATH", &self.types);
        command.env("PYTHONPATH", &self.scripts).env("PYTHONUNBUFFERED", "1");
        // The tree stays as it is, and nothing of the machine's own Python gets in. Bytecode is
        // kept all the same: to compile the types again takes every client seconds.
        command.env("PYTHONPYCACHEPREFIX", target().join("pycache"));
        command.env_remove("PYTHONDONTWRITEBYTECODE").env_remove("PYTHONHOME");
        command
    }

    /// Compiles aside and moves: what is there is whole, also after Ctrl-C.
    fn compile(&mut self) -> Result<(), VenvError> {
        let whole = self.types.clone();
        self.types = whole.with_extension("new");
        let _ = fs::remove_dir_all(&self.types); // left by a run that was interrupted
        let mut command = self.command();
        command.args(["-c", "import pycyphal, uavcan.node, croupier.common"]);
        run("compiling the DSDL with nunavut", command, COMPILE)?;
        fs::rename(&self.types, &whole).map_err(doing(&whole))?;
        self.types = whole;
        Ok(())
    }
}

/// Makes the environment again.
fn make(folder: &Path, requirements: &Path) -> Result<(), VenvError> {
    look_at_python()?;
    let _ = fs::remove_dir_all(folder); // none before is as good
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(folder);
    run("making a virtual environment", venv, ASK)?;
    let mut pip = Command::new(folder.join("bin/python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]);
    pip.arg("--requirement").arg(requirements);
    run("installing the clients' packages", pip, INSTALL)
}

/// Asks the machine's Python whether it will do, before it fails in many words.
fn look_at_python() -> Result<(), VenvError> {
    let ask = |question: &str| -> Option<(bool, String)> {
        let output = Command::new("python3").args(["-c", question]).output().ok()?;
        Some((output.status.success(), String::from_utf8_lossy(&output.stdout).trim().to_owned()))
    };
    let question =
        "import sys; print(sys.version.split()[0]); sys.exit(sys.version_info < (3, 10))";
    let (new_enough, version) = ask(question).ok_or(VenvError::NoPython)?;
    if !new_enough {
        return Err(VenvError::TooOld(version));
    }
    let (has_venv, _) = ask("import venv, ensurepip").ok_or(VenvError::NoPython)?;
    if has_venv { Ok(()) } else { Err(VenvError::NoVenv) }
}

fn run(what: &'static str, command: Command, within: Duration) -> Result<(), VenvError> {
    eprintln!("clients: {what}: {}", shown(&command));
    let started =
        Client::start(command).map_err(|source| VenvError::Io { doing: what.into(), source });
    match started?.finish(within) {
        Ok(_) => Ok(()),
        Err(story) => Err(VenvError::Failed { doing: what, story }),
    }
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

fn doing(path: &Path) -> impl FnOnce(io::Error) -> VenvError {
    let doing = path.display().to_string();
    move |source| VenvError::Io { doing, source }
}

/// Where cargo builds: what is made there is never committed, and goes with `cargo clean`.
fn target() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root.join(folder),
        None => root.join("target"),
    }
}

/// A name that changes with any file of `extension` in the given files and folders.
fn digest_of(places: &[PathBuf], extension: &str) -> Result<String, VenvError> {
    let mut files = Vec::new();
    for place in places {
        collect(place, extension, &mut files).map_err(doing(place))?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let bytes = fs::read(&file).map_err(doing(&file))?;
        hash.update(file.to_string_lossy().as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    Ok(hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect())
}

fn collect(place: &Path, extension: &str, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if place.is_dir() {
        for entry in fs::read_dir(place)? {
            collect(&entry?.path(), extension, files)?;
        }
    } else if place.extension().is_some_and(|found| found == extension) {
        files.push(place.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_changes_with_the_files_it_is_of_and_with_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let place = [folder.path().to_owned()];
        fs::write(folder.path().join("Seal.1.0.dsdl"), "uint64 sequence").unwrap();
        let first = digest_of(&place, "dsdl").unwrap();
        fs::write(folder.path().join("mod.rs"), "").unwrap();
        assert_eq!(digest_of(&place, "dsdl").unwrap(), first);
        fs::write(folder.path().join("Seal.1.0.dsdl"), "uint32 sequence").unwrap();
        assert_ne!(digest_of(&place, "dsdl").unwrap(), first);
        fs::create_dir(folder.path().join("common")).unwrap();
        fs::write(folder.path().join("common/Role.1.0.dsdl"), "").unwrap();
        assert_ne!(digest_of(&place, "dsdl").unwrap(), first);
    }

    #[test]
    fn a_missing_package_is_named_in_one_sentence() {
        for (error, package) in
            [(VenvError::NoVenv, "python3-venv"), (VenvError::NoPython, "python3")]
        {
            let said = error.to_string();
            assert!(said.ends_with(&format!("install the package {package}")), "{said}");
            assert!(!said.contains('\n'));
        }
    }

    #[test]
    fn a_step_that_fails_tells_what_it_printed() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo no such version >&2; exit 3"]);
        let said = run("installing", command, ASK).unwrap_err().to_string();
        assert!(
            said.starts_with("installing failed") && said.contains("no such version"),
            "{said}"
        );
    }
}
