//! A copy of the workspace in which one line of a board is wrong, and the image it makes.
//!
//! The copy stays under `target/mutants`, and only files that differ are written again: what did
//! not change is compiled once for all mutants.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hil_tests::qemu::BOARD;

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The file's text with `wrong` in the place of `right`, which must be there exactly once.
pub fn spoil(file: &str, right: &str, wrong: &str) -> Result<String, String> {
    let text = fs::read_to_string(root().join(file)).map_err(|e| format!("{file}: {e}"))?;
    match text.matches(right).count() {
        1 => Ok(text.replace(right, wrong)),
        count => Err(format!("{file} has `{right}` {count} times, not once")),
    }
}

/// There is one copy; tests run side by side.
static TAKEN: Mutex<()> = Mutex::new(());

/// The copy of the workspace.
pub struct Copy {
    folder: PathBuf,
    _taken: MutexGuard<'static, ()>,
}

impl Copy {
    /// The workspace as it is, committed or not.
    pub fn make() -> Self {
        let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = root().join("target/mutants");
        let list = |arguments: &[&str]| {
            let mut git = Command::new("git");
            let listed = git_output(git.arg("ls-files").args(arguments).current_dir(root()));
            listed.lines().map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let files = list(&["--cached", "--others", "--exclude-standard"]);
        let there = &files - &list(&["--deleted"]);
        let note = folder.join("files.txt");
        let before = fs::read_to_string(&note).unwrap_or_default();
        for left in before.lines().filter(|file| !there.contains(*file)) {
            let _ = fs::remove_file(folder.join(left)); // perhaps it never came to be
        }
        let copy = Self { folder, _taken: taken };
        there.iter().for_each(|file| copy.write(file, &fs::read(root().join(file)).unwrap()));
        fs::write(note, there.into_iter().collect::<Vec<_>>().join("\n")).unwrap();
        copy
    }

    /// Writes `file` if it is not so already: cargo goes by the time of writing.
    fn write(&self, file: &str, bytes: &[u8]) {
        let place = self.folder.join(file);
        if fs::read(&place).is_ok_and(|found| found == bytes) {
            return;
        }
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, bytes).unwrap();
    }

    /// The device's image with `text` in the place of `file`, which is right again afterwards.
    pub fn build(&self, device: &str, file: &str, text: &str) -> Result<PathBuf, String> {
        let right = fs::read(root().join(file)).unwrap();
        self.write(file, text.as_bytes());
        let built = self.cargo(device);
        self.write(file, &right);
        built.map(|()| self.folder.join(format!("target/images/{BOARD}/{device}.elf")))
    }

    /// By xtask, so that the line is the one that makes what is flashed.
    fn cargo(&self, device: &str) -> Result<(), String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["xtask", "build", BOARD, device])
            .current_dir(&self.folder)
            .env_remove("CARGO_TARGET_DIR")
            // It is no commit, and must not say that it is one.
            .env("GIT_CEILING_DIRECTORIES", self.folder.parent().unwrap())
            .output()
            .map_err(|e| format!("cargo: {e}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.success() { Ok(()) } else { Err(format!("it does not build:\n{said}")) }
    }
}

fn git_output(git: &mut Command) -> String {
    let output = git.output().unwrap();
    assert!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
