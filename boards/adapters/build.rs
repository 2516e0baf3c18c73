//! Notes what the image is built from: commit, whether the tree was altered, compiler.
use std::process::Command;

/// What an image is made of; a change elsewhere cannot change it.
const SOURCES: [&str; 5] = ["src", "boards", "Cargo.toml", "Cargo.lock", "memory.x"];

fn answer(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).current_dir("../..").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn main() {
    let commit = answer("git", &["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
    let altered = answer("git", &[["status", "--porcelain", "--"].as_slice(), &SOURCES].concat());
    let mark = if altered.is_none_or(|files| !files.is_empty()) { "-dirty" } else { "" };
    println!("cargo:rustc-env=CROUPIER_COMMIT={commit}{mark}");

    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiler = answer(&rustc, &["--version"]).unwrap_or_default();
    let version = compiler.split(' ').nth(1).unwrap_or("unknown");
    println!("cargo:rustc-env=CROUPIER_COMPILER=rustc {version}");

    // Only what is there: cargo takes a missing file for one that changed every time.
    for path in SOURCES.iter().chain(&[".git/HEAD", ".git/refs/heads", ".git/packed-refs"]) {
        let path = format!("../../{path}");
        if std::path::Path::new(&path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
}
