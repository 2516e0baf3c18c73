//! Hands the linker scripts to the images; the memory map is the workspace's own.

/// 34 KiB: what the data leaves.
const STACK: &str = "--defsym=_stack_size=0x8800";

fn main() {
    println!("cargo:rerun-if-changed=../../memory.x");
    for argument in ["-Tlink.x", "-Tdefmt.x", "--nmagic", STACK] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}
