//! Plots as inline SVG: a heat map, dots on a scale, bars.

use crate::null::guess_chances;
use crate::outcome::Outcome;
use crate::tally::{GUESS_BARS, Tally};
use crate::verdict::{Limits, Verdict};
use std::fmt::Write;

/// Most cells along one side of the heat map: larger orders are summed in blocks.
const MOST_CELLS: usize = 52;

/// Card by position: each cell's deviation in standard deviations, blue for too few, red for too many.
pub(super) fn heat_map(tally: &Tally) -> String {
    let cards = tally.cards;
    let block = cards.div_ceil(MOST_CELLS);
    let cells = cards.div_ceil(block);
    let side = 416 / cells.max(1);
    let mut svg = open(cells * side + 40, cells * side + 34);
    for row in 0..cells {
        for column in 0..cells {
            let deviation = block_deviation(tally, block, row, column);
            let (x, y) = (34 + column * side, 4 + row * side);
            let _ = write!(
                svg,
                "<rect x='{x}' y='{y}' width='{side}' height='{side}' fill='{}'/>",
                shade(deviation)
            );
        }
    }
    let middle = 34 + cells * side / 2;
    let bottom = cells * side + 24;
    let _ = write!(
        svg,
        "<text x='{middle}' y='{bottom}' text-anchor='middle'>card (factory order)</text>"
    );
    let _ = write!(
        svg,
        "<text x='14' y='{0}' text-anchor='middle' transform='rotate(-90 14 {0})'>place (top first)</text></svg>",
        4 + cells * side / 2
    );
    svg
}

fn block_deviation(tally: &Tally, block: usize, row: usize, column: usize) -> f64 {
    let cards = tally.cards;
    let places = row * block..((row + 1) * block).min(cards);
    let faces = column * block..((column + 1) * block).min(cards);
    let size = (places.len() * faces.len()) as f64;
    let seen: u64 = places
        .flat_map(|p| faces.clone().map(move |c| u64::from(tally.matrix[p * cards + c])))
        .sum();
    let expected = tally.orders as f64 * size / cards as f64;
    (seen as f64 - expected) / expected.sqrt()
}

/// White within chance, full colour at five standard deviations.
fn shade(deviation: f64) -> String {
    let weak = (255.0 * (1.0 - (deviation.abs() / 5.0).min(1.0))) as u8;
    if deviation < 0.0 {
        format!("#{weak:02x}{weak:02x}ff")
    } else {
        format!("#ff{weak:02x}{weak:02x}")
    }
}

/// Every p-value on a logarithmic scale, with the grey and the reject line.
pub(super) fn p_values(outcomes: &[Outcome], tests: usize) -> String {
    let limits = Limits::for_tests(tests);
    let floor = -limits.reject * 1.6;
    let x = |ln_p: f64| 250.0 + 420.0 * (-ln_p).min(floor) / floor;
    let height = 16 * outcomes.len() + 30;
    let mut svg = open(700, height);
    for (ln_p, colour) in [(limits.grey, "#c90"), (limits.reject, "#c00")] {
        let _ = write!(
            svg,
            "<line x1='{0:.1}' x2='{0:.1}' y1='2' y2='{1}' stroke='{colour}' stroke-dasharray='4 3'/>",
            x(ln_p),
            height - 24
        );
    }
    for (row, outcome) in outcomes.iter().enumerate() {
        let y = 16 * row + 14;
        let colour = match limits.of(outcome.ln_p()) {
            Verdict::Pass => "#276",
            Verdict::Grey => "#c90",
            Verdict::Reject => "#c00",
        };
        let _ = write!(
            svg,
            "<text x='240' y='{y}' text-anchor='end'>{} ({})</text>",
            outcome.name,
            outcome.family.word()
        );
        let _ = write!(
            svg,
            "<circle cx='{:.1}' cy='{}' r='4' fill='{colour}'/>",
            x(outcome.ln_p()),
            y - 4
        );
    }
    for power in (0..=(floor / std::f64::consts::LN_10) as i32).step_by(2) {
        let at = x(-f64::from(power) * std::f64::consts::LN_10);
        let _ = write!(
            svg,
            "<text x='{at:.1}' y='{}' text-anchor='middle'>1e-{power}</text>",
            height - 8
        );
    }
    svg + "</svg>"
}

/// Right guesses per order of both players (bars) against the exact law (line).
pub(super) fn guess_bars(tally: &Tally) -> String {
    let chances = guess_chances(tally.cards);
    let mut law: Vec<f64> = chances.iter().take(GUESS_BARS - 1).copied().collect();
    law.resize(GUESS_BARS - 1, 0.0);
    law.push(chances.iter().skip(GUESS_BARS - 1).sum());
    let most = law.iter().copied().fold(0.0, f64::max) * 1.3;
    let y = |share: f64| 170.0 - 160.0 * (share / most).min(1.0);
    let mut svg = open(700, 205);
    for (player, colour) in [(0, "#7ac"), (1, "#ca7")] {
        for (score, &orders) in tally.guess_bars[player].iter().enumerate() {
            let top = y(orders as f64 / tally.orders.max(1) as f64);
            let left = 20 + 28 * score + 11 * player;
            let _ = write!(
                svg,
                "<rect x='{left}' y='{top:.1}' width='11' height='{:.1}' fill='{colour}'/>",
                170.0 - top
            );
        }
    }
    let line: Vec<String> = law
        .iter()
        .enumerate()
        .map(|(s, &share)| format!("{},{:.1}", 31 + 28 * s, y(share)))
        .collect();
    let _ = write!(svg, "<polyline points='{}' fill='none' stroke='#333'/>", line.join(" "));
    for score in 0..GUESS_BARS {
        let _ = write!(
            svg,
            "<text x='{}' y='184' text-anchor='middle'>{score}</text>",
            31 + 28 * score
        );
    }
    svg + "<text x='350' y='200' text-anchor='middle'>right guesses in one order: next up (blue), next down (ochre), exact law (line)</text></svg>"
}

/// How often each number came, as a deviation from its share.
pub(super) fn number_bars(counts: &[u64]) -> String {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64;
    let mut svg = open(60 * counts.len() + 40, 190);
    for (index, &count) in counts.iter().enumerate() {
        let deviation = (count as f64 - expected) / expected.sqrt();
        let height = (deviation.abs() * 14.0).min(75.0);
        let (left, top) = (20 + 60 * index, if deviation > 0.0 { 80.0 - height } else { 80.0 });
        let _ = write!(
            svg,
            "<rect x='{left}' y='{top:.1}' width='40' height='{height:.1}' fill='#7ac'/>"
        );
        let _ = write!(
            svg,
            "<text x='{0}' y='172' text-anchor='middle'>{1}: {count}</text>",
            left + 20,
            index + 1
        );
    }
    svg + "<line x1='0' x2='2000' y1='80' y2='80' stroke='#333'/></svg>"
}

fn open(width: usize, height: usize) -> String {
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' font-size='11' font-family='sans-serif'>"
    )
}
