//! Hands the linker scripts to the images; the memory map is the workspace's own.

/// 40 KiB: an instrument teaches and reads on its main stack.
const STACK: &str = "--defsym=_stack_size=0xA000";

fn main() {
    println!("cargo:rerun-if-changed=../../memory.x");
    for argument in ["-Tlink.x", "-Tdefmt.x", "--nmagic", STACK] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}
