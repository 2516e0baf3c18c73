//! What each device image may take, and which binaries are devices at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::workspace::Board;

/// Where the budget is kept, from the root.
const FILE: &str = "boards/budget.toml";

/// The check of a new board: no device, but every board has it.
pub(crate) const FIRST_DAY: &str = "first_day";

/// Allowances by board and device.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Budget(BTreeMap<String, BTreeMap<String, Allowance>>);

/// What one image may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allowance {
    /// Bytes in flash.
    pub flash: Bytes,
    /// Bytes of RAM that the linker places.
    pub ram: Bytes,
}

/// A number of bytes: `65536` or `"64 KiB"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Bytes(pub u64);

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Number(u64),
    Text(String),
}

impl TryFrom<Written> for Bytes {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Number(bytes) => Ok(Self(bytes)),
            Written::Text(text) => {
                let number =
                    text.strip_suffix("KiB").and_then(|number| number.trim().parse::<u64>().ok());
                let bytes = number.and_then(|number| number.checked_mul(1024));
                bytes.map(Self).ok_or(format!("'{text}' is not a size: write bytes, or \"64 KiB\""))
            }
        }
    }
}

impl Budget {
    /// Reads the file.
    pub(crate) fn read(root: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).with_context(|| format!("{FILE} is not as expected"))
    }

    /// The allowance of an image; an instrument has none.
    pub(crate) fn allowance(&self, board: &str, binary: &str) -> Option<Allowance> {
        self.0.get(board)?.get(binary).copied()
    }

    /// Checks that every board makes the same images and no others. What is no board is never
    /// flashed and has no budget.
    pub(crate) fn agree(&self, boards: &[Board]) -> Result<()> {
        let boards: Vec<_> = boards.iter().filter(|board| board.is_board()).collect();
        for board in &boards {
            let Some(own) = self.0.get(&board.name) else {
                bail!("{FILE} has no board '{}'", board.name)
            };
            for device in self.0.values().flat_map(BTreeMap::keys) {
                if !own.contains_key(device) {
                    bail!("{FILE} has device '{device}', but not for board '{}'", board.name);
                }
                if !board.binaries.contains(device) {
                    bail!(
                        "board '{}' lacks device '{device}': there is no such binary",
                        board.name
                    );
                }
            }
            let stray = board.binaries.iter().find(|binary| !own.contains_key(*binary));
            if let Some(stray) = stray {
                bail!("board '{}' makes '{stray}', which has no budget in {FILE}", board.name);
            }
        }
        match self.0.keys().find(|name| boards.iter().all(|board| board.name != **name)) {
            Some(unknown) => bail!("{FILE} has a budget for '{unknown}', which is no board"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
impl Budget {
    /// A budget written in a test.
    pub(crate) fn of(text: &str) -> Self {
        Self::parse(text).expect("a budget")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUDGET: &str = "
        [other]
        reader = { flash = \"64 KiB\", ram = 1000 }
        first_day = { flash = 1, ram = 1 }
        [silicon]
        reader = { flash = \"64 KiB\", ram = \"32KiB\" }
        first_day = { flash = 1, ram = 1 }";

    fn board(name: &str, binaries: &[&str]) -> Board {
        Board { name: name.into(), binaries: binaries.iter().map(|name| (*name).into()).collect() }
    }

    fn verdict(boards: &[Board]) -> String {
        Budget::parse(BUDGET)
            .unwrap()
            .agree(boards)
            .map_or_else(|error| error.to_string(), |()| "agreed".into())
    }

    #[test]
    fn sizes_are_bytes_or_kibibytes() {
        let allowance = Budget::parse(BUDGET).unwrap().allowance("other", "reader").unwrap();
        assert_eq!(allowance, Allowance { flash: Bytes(65_536), ram: Bytes(1000) });
        let wrong = BUDGET.replace("32KiB", "32 kilos");
        assert!(
            format!("{:#}", Budget::parse(&wrong).unwrap_err())
                .contains("'32 kilos' is not a size")
        );
    }

    #[test]
    fn boards_with_the_same_images_agree() {
        assert_eq!(
            verdict(&[
                board("other", &["first_day", "reader"]),
                board("silicon", &["first_day", "reader"])
            ]),
            "agreed"
        );
    }

    #[test]
    fn instruments_and_the_monitor_need_no_budget_and_no_devices() {
        let both =
            [board("other", &["first_day", "reader"]), board("silicon", &["first_day", "reader"])];
        let beside = [board("instruments", &["measure"]), board("monitor", &["monitor"])];
        assert_eq!(verdict(&[both, beside].concat()), "agreed");
    }

    #[test]
    fn a_device_missing_on_one_board_is_a_failure_that_names_both() {
        let verdict =
            verdict(&[board("other", &["first_day", "reader"]), board("silicon", &["first_day"])]);
        assert_eq!(verdict, "board 'silicon' lacks device 'reader': there is no such binary");
    }

    #[test]
    fn an_image_of_a_board_without_a_budget_is_a_failure() {
        let verdict = verdict(&[
            board("other", &["first_day", "reader"]),
            board("silicon", &["first_day", "reader", "spare"]),
        ]);
        assert_eq!(
            verdict,
            "board 'silicon' makes 'spare', which has no budget in boards/budget.toml"
        );
    }

    #[test]
    fn a_board_without_a_budget_and_a_budget_without_a_board_are_failures() {
        let three = [
            board("other", &["first_day", "reader"]),
            board("silicon", &["first_day", "reader"]),
            board("new", &["first_day", "reader"]),
        ];
        assert_eq!(verdict(&three), "boards/budget.toml has no board 'new'");
        assert_eq!(
            verdict(&three[..1]),
            "boards/budget.toml has a budget for 'silicon', which is no board"
        );
    }

    #[test]
    fn the_budget_of_this_repository_can_be_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert!(Budget::read(root).unwrap().allowance("b-l475e-iot01a", "shuffler").is_some());
    }
}
