//! Hands the monitor its own memory map; the images have another.
fn main() {
    println!("cargo:rerun-if-changed=monitor.x");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "none") {
        let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo:rustc-link-arg-bins=-T{here}/monitor.x");
        println!("cargo:rustc-link-arg-bins=--nmagic");
    }
}
