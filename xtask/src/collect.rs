//! `collect`: evidence for the laboratory, from the functions the devices call.

use anyhow::Result;

use crate::battery::evidence_program;
use crate::workspace::{INSTRUMENTS, Workspace};
use crate::{build, setup};

/// Collect orders, numbers or raw output into an evidence file
///
/// The production code makes every record; on this computer only the noise differs. With
/// `--from qemu` it runs in the simulated chip, in an image built first. An interrupted
/// collection is continued by the same command line. The file's format, and what a file
/// is evidence for, is told in docs/randomness.md.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// What to collect, and the collector's options: `cargo xtask collect -- --help`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  cargo xtask collect orders --cards 52 --count 1000000 --out deck.ev
  cargo xtask collect numbers --cards 7 --count 1000000 --out seats.ev
  cargo xtask collect raw --count 100000000 --out raw.ev    before scaling and shuffling
  cargo xtask collect orders --cards 416 --count 262144 --from qemu --out shoe.ev
  cargo xtask collect numbers --count 500 --from qemu --noise noise.bin --out board.ev   a real board's noise
  cargo xtask battery deck.ev                               then test it";

/// What the collector calls the simulated chip.
const QEMU: &str = "qemu";
/// The image that runs in it.
const IMAGE: &str = "collect";

/// Runs the command.
pub fn run(workspace: &Workspace, args: &Args) -> Result<()> {
    if is_from_qemu(&args.arguments) {
        let chip = setup::chip(workspace)?;
        setup::ensure_qemu(workspace)?;
        for board in workspace.boards_named(Some(INSTRUMENTS))? {
            build::build(workspace, &chip, board, Some(IMAGE))?;
        }
    }
    evidence_program(workspace, "collect", &args.arguments)
}

/// The collector reads its own options; of them only this one needs something built.
fn is_from_qemu(arguments: &[String]) -> bool {
    let pairs = arguments.windows(2);
    let apart = pairs.into_iter().any(|pair| pair[0] == "--from" && pair[1] == QEMU);
    apart || arguments.iter().any(|word| word.strip_prefix("--from=") == Some(QEMU))
}

#[cfg(test)]
mod tests {
    use super::is_from_qemu;

    #[test]
    fn an_image_is_built_only_for_a_collection_from_qemu() {
        let words =
            |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        assert!(is_from_qemu(&words("orders --count 9 --from qemu --out a.ev")));
        assert!(is_from_qemu(&words("orders --from=qemu --count 9 --out a.ev")));
        assert!(!is_from_qemu(&words("orders --from host --count 9 --out qemu")));
        assert!(!is_from_qemu(&words("orders --count 9 --out --from")));
    }
}
