//! Hands the linker scripts to the images; the memory map is the workspace's own.
fn main() {
    println!("cargo:rerun-if-changed=../../memory.x");
    for argument in ["-Tlink.x", "-Tdefmt.x", "--nmagic"] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}
