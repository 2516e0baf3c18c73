//! Tables of devices, boards and budgets: as the boards' binaries and the budget have them.

use std::path::Path;

use super::markdown::Page;
use crate::budget::{Budget, FIRST_DAY};
use crate::workspace::Board;

/// How the README names a device.
const NAMES: [(&str, &str); 3] = [
    ("reader", "hole-card reader"),
    ("shuffler", "card shuffler"),
    ("paigow", "Pai Gow generator"),
];

/// Every table that does not agree.
pub(super) fn faults(pages: &[Page], boards: &[Board], budget: &Budget) -> Vec<String> {
    let boards: Vec<&Board> = boards.iter().filter(|board| board.is_board()).collect();
    let page = |file: &str| pages.iter().find(|page| page.file == Path::new(file));
    let (Some(readme), Some(table)) = (page("README.md"), page("boards/README.md")) else {
        return vec!["README.md or boards/README.md is not there".into()];
    };
    let mut faults = in_readme(readme, &boards);
    faults.extend(in_boards_readme(table, &boards));
    faults.extend(pages.iter().flat_map(|page| in_budgets(page, budget)));
    faults
}

/// One row for each device, one column for each board, in the README's first table.
fn in_readme(page: &Page, boards: &[&Board]) -> Vec<String> {
    let mut rows = page.rows();
    // A row that does not follow on the last one begins another table.
    let first = rows.first().map_or(0, |(line, _)| *line);
    let mut expected = first..;
    rows.retain(|(line, _)| expected.next() == Some(*line));
    let has_row =
        |name: &str| rows.iter().any(|(_, cells)| cells.first().is_some_and(|c| c == name));
    let header = rows.first().map(|(_, cells)| cells.join(" ")).unwrap_or_default();
    let mut faults = Vec::new();
    for board in boards {
        if !header.contains(&format!("boards/{}", board.name)) {
            faults.push(format!("README.md: the table has no board '{}'", board.name));
        }
        for device in board.binaries.iter().filter(|device| *device != FIRST_DAY) {
            let name = NAMES.iter().find(|(binary, _)| binary == device).map(|(_, name)| *name);
            if !name.is_some_and(has_row) {
                faults.push(format!("README.md: the table has no row for '{device}'"));
            }
        }
    }
    let made = |name: &str| {
        let binary = NAMES.iter().find(|(_, known)| *known == name).map(|(binary, _)| *binary);
        binary.is_some_and(|binary| {
            boards.iter().all(|board| board.binaries.iter().any(|b| b == binary))
        })
    };
    let strays = rows.iter().skip(2).filter(|(_, cells)| cells.first().is_some_and(|c| !made(c)));
    faults.extend(strays.map(|(line, _)| format!("{}: no board makes this", page.place(*line))));
    faults
}

/// One row for each board, one column for each device, in `boards/README.md`.
fn in_boards_readme(page: &Page, boards: &[&Board]) -> Vec<String> {
    let rows = page.rows();
    let Some((_, header)) = rows.first() else {
        return vec![format!("{}: no table", page.place(1))];
    };
    let mut faults = Vec::new();
    for board in boards {
        let Some((line, cells)) = rows
            .iter()
            .skip(2)
            .find(|(_, cells)| cells.first().is_some_and(|c| c.contains(&board.name)))
        else {
            faults.push(format!("{}: no row for '{}'", page.place(1), board.name));
            continue;
        };
        for (column, title) in header.iter().enumerate() {
            let known = NAMES.iter().any(|(binary, _)| binary == title);
            let makes = board.binaries.contains(title);
            let says = cells.get(column).is_some_and(|cell| cell == "yes");
            if known && makes != says {
                faults.push(format!("{}: '{title}' is wrong", page.place(*line)));
            }
        }
        let lacks = |device: &&String| *device != FIRST_DAY && !header.contains(device);
        let lacking = board.binaries.iter().filter(lacks);
        faults.extend(lacking.map(|device| format!("{}: no column '{device}'", page.place(1))));
    }
    faults
}

/// Rows of a table that begins `| board | image | flash | RAM |`, in any page.
fn in_budgets(page: &Page, budget: &Budget) -> Vec<String> {
    let rows = page.rows();
    let titles = ["board", "image", "flash", "RAM"];
    let Some(start) = rows.iter().position(|(_, cells)| *cells == titles) else {
        return Vec::new();
    };
    let body = rows[start..].iter().skip(2).take_while(|(_, cells)| cells.len() == titles.len());
    let wrong = body.filter(|(_, cells)| {
        let kib = |bytes: u64| format!("{} KiB", bytes / 1024);
        let allowed = budget.allowance(&cells[0], &cells[1]);
        !allowed.is_some_and(|a| kib(a.flash.0) == cells[2] && kib(a.ram.0) == cells[3])
    });
    wrong.map(|(line, _)| format!("{}: not as in boards/budget.toml", page.place(*line))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        let binaries = ["first_day", "reader"].map(str::to_owned).to_vec();
        Board { name: "b".into(), binaries }
    }

    fn page(file: &str, text: &str) -> Page {
        Page::new(Path::new(file), text)
    }

    #[test]
    fn the_readme_has_every_board_and_device_and_no_other() {
        let faults = |text: &str| in_readme(&page("README.md", text), &[&board()]);
        assert!(faults("| x | [b](boards/b) |\n|---|---|\n| hole-card reader | yes |").is_empty());
        assert_eq!(faults("| x | [b](boards/c) |\n|---|---|\n| hole-card reader | yes |").len(), 1);
        assert_eq!(faults("| x | [b](boards/b) |\n|---|---|").len(), 1);
        let other =
            "| x | [b](boards/b) |\n|---|---|\n| hole-card reader | y |\n| card shuffler | y |";
        assert_eq!(faults(other), ["README.md:4: no board makes this"]);
        let second =
            "| x | [b](boards/b) |\n|---|---|\n| hole-card reader | y |\n\n| other | table |";
        assert!(faults(second).is_empty());
    }

    #[test]
    fn a_board_says_yes_to_what_it_makes() {
        let faults = |text: &str| in_boards_readme(&page("boards/README.md", text), &[&board()]);
        assert!(faults("| board | reader |\n|---|---|\n| `b` | yes |").is_empty());
        assert_eq!(faults("| board | reader |\n|---|---|\n| `b` | no |").len(), 1);
        assert_eq!(faults("| board | reader |\n|---|---|\n| `c` | yes |").len(), 1);
        assert_eq!(faults("| board | shuffler |\n|---|---|\n| `b` | yes |").len(), 2);
    }

    #[test]
    fn a_quoted_budget_is_the_budget() {
        let budget = Budget::of("[b]\nreader = { flash = \"64 KiB\", ram = \"32 KiB\" }");
        let head = "| board | image | flash | RAM |\n|---|---|---|---|\n";
        let faults = |row: &str| in_budgets(&page("docs/a.md", &format!("{head}{row}")), &budget);
        assert!(faults("| `b` | `reader` | 64 KiB | 32 KiB |").is_empty());
        assert_eq!(faults("| `b` | `reader` | 65 KiB | 32 KiB |").len(), 1);
        assert_eq!(faults("| `b` | `paigow` | 64 KiB | 32 KiB |").len(), 1);
    }
}
