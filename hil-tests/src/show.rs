//! Lamps and lines drawn for a person at a terminal.
//!
//! Styles are written always; the printer strips them when the output is no terminal.

use anstyle::{AnsiColor, Style};

use crate::log::{Level, Line};

/// The colour of each device's name, so that three logs can be read at once.
pub fn device_style(device: &str) -> Style {
    let colour = match device {
        "reader" => AnsiColor::Cyan,
        "shuffler" => AnsiColor::Magenta,
        "paigow" => AnsiColor::Blue,
        _ => AnsiColor::White,
    };
    colour.on_default().bold()
}

/// `text` in `style`.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// One log line, with the device it came from.
pub fn line(device: &str, line: &Line) -> String {
    let style = match line.level {
        Level::Error => AnsiColor::Red.on_default(),
        Level::Warn => AnsiColor::Yellow.on_default(),
        Level::Trace | Level::Debug | Level::Bench => Style::new().dimmed(),
        Level::Info => Style::new(),
    };
    let name = styled(device_style(device), &format!("{device:>8}"));
    format!("{name}  {}", styled(style, &line.to_string()))
}

/// A row of lamps: ● lit, ○ dark, each with its name.
pub fn lamps(lamps: &[(&str, bool)]) -> String {
    let drawn = lamps.iter().map(|(name, lit)| match lit {
        true => format!("{} {name}", styled(colour_of(name), "●")),
        false => styled(Style::new().dimmed(), &format!("○ {name}")),
    });
    drawn.collect::<Vec<_>>().join("   ")
}

fn colour_of(lamp: &str) -> Style {
    let colour = match lamp {
        "red" | "out-of-order" | "fault" | "notice" => AnsiColor::BrightRed,
        "green" | "ready" | "no-blackjack" => AnsiColor::BrightGreen,
        _ => AnsiColor::BrightYellow,
    };
    colour.on_default()
}

/// A seven-segment digit, three lines tall; `lit` tells of segment a to g and the point.
pub fn seven_segments(lit: impl Fn(&str) -> bool) -> [String; 3] {
    let bar =
        |segment: &str, sign: &str| if lit(segment) { sign.to_owned() } else { " ".to_owned() };
    [
        format!(" {} ", bar("segment-a", "━")),
        format!("{}{}{}", bar("segment-f", "┃"), bar("segment-g", "━"), bar("segment-b", "┃")),
        format!(
            "{}{}{}{}",
            bar("segment-e", "┃"),
            bar("segment-d", "━"),
            bar("segment-c", "┃"),
            bar("point", "●")
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(digit: &str) -> [String; 3] {
        seven_segments(|segment| {
            segment.strip_prefix("segment-").is_some_and(|s| digit.contains(s))
        })
    }

    #[test]
    fn digits_look_like_digits() {
        assert_eq!(drawn("bc"), ["   ", "  ┃", "  ┃ "]);
        assert_eq!(drawn("abc"), [" ━ ", "  ┃", "  ┃ "]);
        assert_eq!(drawn("abcdefg"), [" ━ ", "┃━┃", "┃━┃ "]);
        assert_eq!(drawn(""), ["   ", "   ", "    "]);
    }

    #[test]
    fn lit_and_dark_lamps_differ_even_without_colour() {
        let row =
            anstream::adapter::strip_str(&lamps(&[("green", true), ("red", false)])).to_string();
        assert_eq!(row, "● green   ○ red");
    }
}
