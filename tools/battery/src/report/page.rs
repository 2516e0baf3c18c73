//! The HTML page: one file, no scripts, nothing loaded from elsewhere.

use super::text::figure;
use super::{Part, Report, svg};
use crate::outcome::print_p;
use crate::verdict::{Limits, Verdict};
use std::fmt::Write;

const STYLE: &str = "body{font:15px/1.45 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}\
table{border-collapse:collapse;margin:1em 0}td,th{border-bottom:1px solid #ddd;padding:.15em .8em;text-align:left}\
td.n{text-align:right;font-variant-numeric:tabular-nums}.PASS{color:#276}.GREY{color:#a70}.REJECT{color:#c00;font-weight:bold}\
figure{margin:1em 0}figcaption{color:#555}svg{max-width:100%;height:auto}";

/// The whole page.
pub fn page(report: &Report) -> String {
    let verdict = report.verdict.word();
    let limits = Limits::for_tests(report.tests);
    let mut html = format!(
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Battery: {verdict}</title><style>{STYLE}</style>\
         <h1>Battery: <span class='{verdict}'>{verdict}</span></h1><table>\
         <tr><th>Supply</th><td>{}</td></tr><tr><th>Firmware commit</th><td>{}</td></tr><tr><th>Repeat with</th><td><code>{}</code></td></tr>\
         <tr><th>Tests in this run</th><td>{}</td></tr><tr><th>Reject below</th><td>p = {} (one false alarm in a million runs)</td></tr>\
         <tr><th>Second look below</th><td>p = {}</td></tr></table>",
        escape(&report.supply),
        escape(&report.commit),
        escape(&report.replay),
        report.tests,
        print_p(limits.reject),
        print_p(limits.grey),
    );
    for part in &report.parts {
        write_part(&mut html, part, report.tests);
    }
    html + "<p>What these tests cannot see is listed in docs/randomness.md.</p></html>\n"
}

fn write_part(html: &mut String, part: &Part, tests: usize) {
    let limits = Limits::for_tests(tests);
    let look = if part.second_look { ", second look with fresh data" } else { "" };
    let _ = write!(html, "<h2>{}{look}</h2><p>{} collected.</p>", escape(&part.title), part.count);
    figure_of(html, &svg::p_values(&part.outcomes, tests), "p-values; dashed: second look, reject");
    if let Some(counts) = &part.counts {
        figure_of(
            html,
            &svg::heat_map(&counts.dealt),
            "Card by position: blue too rare, red too frequent; full colour at five standard deviations.",
        );
        figure_of(
            html,
            &svg::guess_bars(&counts.dealt),
            "A player who sees every card and names the next in factory order.",
        );
    }
    if !part.numbers.is_empty() {
        figure_of(
            html,
            &svg::number_bars(&part.numbers),
            "Numbers: deviation from an equal share, 14 pixels to a standard deviation.",
        );
    }
    html.push_str("<table><tr><th>#</th><th>test</th><th>family</th><th>seen</th><th>expected</th><th>p</th><th></th></tr>");
    for outcome in &part.outcomes {
        let verdict = limits.of(outcome.ln_p());
        let word = if verdict == Verdict::Pass { "" } else { verdict.word() };
        let _ = write!(
            html,
            "<tr><td class='n'>{}</td><td>{}</td><td>{}</td><td class='n'>{}</td><td class='n'>{}</td><td class='n'>{}</td><td class='{word}'>{word}</td></tr>",
            outcome.number,
            outcome.name,
            outcome.family.word(),
            figure(outcome.seen),
            figure(outcome.expected),
            print_p(outcome.ln_p()),
        );
    }
    html.push_str("</table>");
}

fn figure_of(html: &mut String, svg: &str, caption: &str) {
    let _ = write!(html, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
