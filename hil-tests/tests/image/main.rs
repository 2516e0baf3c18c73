//! The images: what was built is what runs, obeys the rules of an ELF, and shows a mistake.

#![allow(unreachable_pub, reason = "a test program exports nothing")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod board_mutants;
mod elf_rules;
mod one_image;
