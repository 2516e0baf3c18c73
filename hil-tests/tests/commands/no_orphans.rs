//! No QEMU outlives the table, however the table ends.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

const PATIENCE: Timespec = Timespec { tv_sec: 20, tv_nsec: 0 };

/// A table left running, with the folders it named and the guests it started.
struct Table {
    child: Child,
    folders: Vec<PathBuf>,
    guests: Vec<Pid>,
}

fn running() -> Table {
    let mut command = Command::new(env!("CARGO_BIN_EXE_table"));
    let mut child =
        command.arg("--keep").env_remove("CROUPIER_KEEP").stdout(Stdio::piped()).spawn().unwrap();
    let mut folders = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
        folders
            .extend(line.split_whitespace().find(|w| w.contains("/croupier-")).map(PathBuf::from));
        if line.contains("Ctrl-C ends it") {
            break;
        }
    }
    let guests = children(child.id());
    assert_eq!((folders.len(), guests.len()), (3, 3), "three devices, three guests");
    Table { child, folders, guests }
}

/// The processes whose parent is `parent`.
fn children(parent: u32) -> Vec<Pid> {
    let numbers = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |number: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        let parents =
            stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1).map(str::to_owned));
        parents.is_some_and(|number| number == parent.to_string())
    };
    numbers.filter(is_child).filter_map(Pid::from_raw).collect()
}

impl Table {
    /// Sends the table a signal; how it ended, once no guest is left.
    fn end(mut self, signal: Signal) -> (ExitStatus, Vec<PathBuf>) {
        let watched: Vec<_> =
            self.guests.iter().map(|pid| pidfd_open(*pid, PidfdFlags::empty()).unwrap()).collect();
        let table = Pid::from_raw(self.child.id() as i32).unwrap();
        kill_process(table, signal).unwrap();
        let status = self.child.wait().unwrap();
        for guest in &watched {
            let gone = poll(&mut [PollFd::new(guest, PollFlags::IN)], Some(&PATIENCE)).unwrap();
            assert_eq!(gone, 1, "a guest outlived the table");
        }
        (status, self.folders)
    }
}

#[test]
fn ctrl_c_ends_the_table_its_guests_and_its_folders() {
    let (status, folders) = running().end(Signal::INT);
    assert_eq!(status.code(), Some(0));
    for folder in folders {
        assert!(!folder.exists(), "{} was left behind", folder.display());
    }
}

#[test]
fn a_killed_table_takes_its_guests_with_it() {
    let (status, folders) = running().end(Signal::KILL);
    assert_eq!(status.code(), None);
    for folder in folders {
        std::fs::remove_dir_all(folder).unwrap(); // nobody was left to do it
    }
}
