//! apt, for what only the distribution can give: its toolchain, lld and QEMU.
//!
//! Packages are added, never removed, and nothing asks a question.

use std::cell::Cell;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::command::CommandLine;
use crate::machine::on_path;
use crate::sources::{Backports, Source, backports, parse_deb822, parse_one_line};
use crate::version::Version;
use crate::workspace::Workspace;

/// The names of one distribution's toolchain packages: compiler first, cargo, source, clippy.
const TOOLCHAINS: [[&str; 4]; 2] = [
    ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"],
    ["rustc", "cargo", "rust-src", "rust-clippy"],
];

const LINKERS: [&str; 2] = ["lld-19", "lld"];

/// A Debian we may install packages on.
pub(crate) struct Apt {
    codename: String,
    as_root: bool,
    fresh: Cell<bool>,
}

impl Apt {
    /// This machine's apt, if it is Debian's kind and we are root or may become it.
    pub(crate) fn find(workspace: &Workspace) -> Option<Self> {
        let release = fs::read_to_string("/etc/os-release").ok()?;
        let codename = codename(&release)?;
        on_path("apt-get")?;
        let as_root = CommandLine::new("id").arg("-u").answer(&workspace.root)? == "0";
        let sudo = || CommandLine::new("sudo").args("-n true").answer(&workspace.root).is_some();
        let may_ask = || on_path("sudo").is_some() && io::stdin().is_terminal();
        (as_root || sudo() || may_ask()).then(|| Self {
            codename,
            as_root,
            fresh: Cell::new(false),
        })
    }

    /// Installs a toolchain for the chip, with its source, clippy and a linker.
    pub(crate) fn install_toolchain(&self, workspace: &Workspace) -> Result<()> {
        self.update(workspace)?;
        let new_enough = |set: &&[&str; 4]| {
            self.candidate(workspace, set[0], None) >= Some(workspace.rust_version)
        };
        let Some(toolchain) = TOOLCHAINS.iter().find(new_enough) else {
            bail!("Debian {} has no rustc {} or newer", self.codename, workspace.rust_version);
        };
        let has = |name: &&&str| self.candidate(workspace, name, None).is_some();
        let Some(linker) = LINKERS.iter().find(has) else {
            bail!("Debian {} has no lld", self.codename);
        };
        self.install(workspace, &[&toolchain[..], &[linker]].concat(), None)
    }

    /// Installs `package`, from backports if the release's own is older than `oldest`.
    pub(crate) fn install_recent(
        &self,
        workspace: &Workspace,
        package: &str,
        oldest: Version,
    ) -> Result<()> {
        self.update(workspace)?;
        if self.candidate(workspace, package, None) >= Some(oldest) {
            return self.install(workspace, &[package], None);
        }
        self.add_backports(workspace)?;
        self.update(workspace)?;
        let suite = format!("{}-backports", self.codename);
        if self.candidate(workspace, package, Some(&suite)) < Some(oldest) {
            bail!("neither {} nor {suite} has {package} {oldest} or newer", self.codename);
        }
        self.install(workspace, &[package], Some(&suite))
    }

    /// Installs packages of which any version will do.
    pub(crate) fn install_any(&self, workspace: &Workspace, packages: &[&str]) -> Result<()> {
        self.update(workspace)?;
        self.install(workspace, packages, None)
    }

    /// The version apt would install.
    fn candidate(
        &self,
        workspace: &Workspace,
        package: &str,
        suite: Option<&str>,
    ) -> Option<Version> {
        let line = suite
            .into_iter()
            .fold(CommandLine::new("apt-cache"), |line, suite| line.arg("-t").arg(suite));
        let policy = line.arg("policy").arg(package).env("LC_ALL", "C").answer(&workspace.root)?;
        policy
            .lines()
            .find_map(|line| Version::parse(line.trim().strip_prefix("Candidate:")?.trim()))
    }

    fn install(&self, workspace: &Workspace, packages: &[&str], suite: Option<&str>) -> Result<()> {
        let line = self.apt_get("install --yes --no-install-recommends --no-remove");
        let line = suite.into_iter().fold(line, |line, suite| line.arg("-t").arg(suite));
        packages.iter().fold(line, |line, package| line.arg(*package)).run(workspace)
    }

    /// Reads the package lists again, once per run and per change of the sources.
    fn update(&self, workspace: &Workspace) -> Result<()> {
        if self.fresh.replace(true) {
            return Ok(());
        }
        if !self.as_root
            && CommandLine::new("sudo").args("-n true").answer(&workspace.root).is_none()
        {
            CommandLine::new("sudo").arg("-v").stream(workspace)?;
        }
        self.apt_get("update").run(workspace)
    }

    fn add_backports(&self, workspace: &Workspace) -> Result<()> {
        let file = match backports(&apt_sources()?, &self.codename) {
            Backports::There => return Ok(()),
            Backports::Add(file) => file,
            Backports::NoRelease => {
                bail!("apt has no entry for {} that backports could follow", self.codename)
            }
        };
        let draft = workspace.scratch("croupier-backports.sources")?;
        fs::write(&draft, file).with_context(|| format!("cannot write {}", draft.display()))?;
        let place = "/etc/apt/sources.list.d/croupier-backports.sources";
        self.as_root("install")
            .args("-m 644")
            .arg(draft.display().to_string())
            .arg(place)
            .run(workspace)?;
        self.fresh.set(false);
        Ok(())
    }

    fn apt_get(&self, words: &str) -> CommandLine {
        self.as_root("env").args("DEBIAN_FRONTEND=noninteractive apt-get").args(words)
    }

    fn as_root(&self, program: &str) -> CommandLine {
        if self.as_root { CommandLine::new(program) } else { CommandLine::new("sudo").arg(program) }
    }
}

/// Every source apt knows of.
fn apt_sources() -> Result<Vec<Source>> {
    let mut sources = fs::read_to_string("/etc/apt/sources.list")
        .map_or(Vec::new(), |text| parse_one_line(&text));
    let Ok(folder) = fs::read_dir("/etc/apt/sources.list.d") else { return Ok(sources) };
    let mut files: Vec<_> = folder.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let ends_with =
        |file: &Path, ending: &str| file.extension().is_some_and(|found| found == ending);
    for file in files.iter().filter(|file| ends_with(file, "sources") || ends_with(file, "list")) {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let parse = if ends_with(file, "list") { parse_one_line } else { parse_deb822 };
        sources.extend(parse(&text));
    }
    Ok(sources)
}

/// The release's name, if it is Debian or made from it.
fn codename(os_release: &str) -> Option<String> {
    let value = |name: &str| {
        let found = os_release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        found.map(|value| value.trim_matches('"').to_owned())
    };
    let family =
        [value("ID"), value("ID_LIKE")].into_iter().flatten().collect::<Vec<_>>().join(" ");
    family.split_whitespace().any(|id| id == "debian").then(|| value("VERSION_CODENAME"))?
}

#[cfg(test)]
mod tests {
    use super::codename;

    #[test]
    fn debian_and_its_kin_tell_their_codename() {
        let debian = "PRETTY_NAME=\"Debian GNU/Linux 12\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        assert_eq!(codename(debian).as_deref(), Some("bookworm"));
        assert_eq!(
            codename("ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\n").as_deref(),
            Some("noble")
        );
    }

    #[test]
    fn others_are_left_alone() {
        assert_eq!(codename("ID=fedora\nVERSION_CODENAME=\"\"\n"), None);
        assert_eq!(codename("ID=arch\nID_LIKE=archlinux\n"), None);
    }
}
