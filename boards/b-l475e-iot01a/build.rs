//! Hands the linker scripts to the images; the memory map is the workspace's own.

/// 38 KiB: 32 were not enough for a reader, seen in QEMU. Faults have a stack of their own.
const STACK: &str = "--defsym=_stack_size=0x9800";

fn main() {
    println!("cargo:rerun-if-changed=../../memory.x");
    for argument in ["-Tlink.x", "-Tdefmt.x", "--nmagic", STACK] {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}
