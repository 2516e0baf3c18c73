//! One transfer as one line: for people in colour, for programs as JSON.

use anstyle::{AnsiColor, Style};
use croupier::protocol::seal::{Refusal, Role};
use croupier::protocol::transfer::Port;
use serde_json::{Value, json};

use super::fields::{Field, hex};
use super::names::Names;
use super::seen::{Content, Seen, Verdict};
use crate::show::{device_style, styled};

/// The line for people.
///
/// ```text
///    12.345678  shuffler                ProfileChanged    #4 at 11.9 s  to_game=FreeBet …  ✓ device 1043
///    12.350112  controller → shuffler   ProfileGet?                                        ✓ dealer 17
/// ```
pub fn line(seen: &Seen, names: &Names) -> String {
    let at = format!("{:>5}.{:06}", seen.at.as_secs(), seen.at.subsec_micros());
    let (who, width) = parties(seen, names);
    let gap = " ".repeat(24_usize.saturating_sub(width).max(1));
    let title = styled(title_style(seen), &format!("{:<17}", seen.title()));
    let body = match &seen.content {
        Content::Known { fields, .. } => fields_text(fields),
        Content::Unreadable { bytes, .. } => {
            styled(AnsiColor::Red.on_default(), &format!("does not decode: {}", hex(bytes)))
        }
        Content::Unknown { bytes } => format!("{} bytes: {}", bytes.len(), hex(bytes)),
    };
    let at = styled(Style::new().dimmed(), &at);
    let line = [format!("{at}  {who}{gap}{title}"), body, verdict(seen.verdict)];
    line.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("  ")
}

/// The sender and, for a service, the receiver; with the width on the screen.
fn parties(seen: &Seen, names: &Names) -> (String, usize) {
    let coloured = |name: &str| styled(device_style(name), name);
    let from = names.of(seen.header.source);
    match seen.header.port {
        Port::Message(_) => (coloured(&from), from.chars().count()),
        Port::Request(_, to) | Port::Response(_, to) => {
            let to = names.of(Some(to));
            let width = from.chars().count() + 3 + to.chars().count();
            (format!("{} → {}", coloured(&from), coloured(&to)), width)
        }
    }
}

fn title_style(seen: &Seen) -> Style {
    match seen.content.name() {
        None => Style::new().dimmed(),
        Some("croupier.common.Irregularity.1.0") => AnsiColor::BrightRed.on_default().bold(),
        Some(_) if seen.content.is_event() => AnsiColor::BrightYellow.on_default().bold(),
        Some(name) if name.starts_with("uavcan.") => Style::new().dimmed(),
        Some(_) => Style::new().bold(),
    }
}

fn fields_text(fields: &Field) -> String {
    let Field::Record(fields) = fields else { return String::new() };
    let said = fields.iter().filter(|(name, _)| name != "seal");
    let words = said.map(|(name, field)| match name.as_str() {
        "stamp" => stamp(field),
        "answer" => answer(field),
        _ => format!("{name}={}", field.text(name)),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn number(field: &Field, name: &str) -> u64 {
    field.get(name).and_then(Field::number).unwrap_or_default()
}

fn stamp(stamp: &Field) -> String {
    let at = number(stamp, "time_ms");
    format!("#{} at {}.{:03} s", number(stamp, "number"), at / 1000, at % 1000)
}

fn answer(answer: &Field) -> String {
    let result = answer.get("result").map(|field| field.text("result")).unwrap_or_default();
    let style = match result.as_str() {
        "Accepted" => AnsiColor::Green.on_default(),
        _ => AnsiColor::Red.on_default(),
    };
    format!("{} to {}", styled(style, &result), number(answer, "request"))
}

fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Unsealed | Verdict::Unjudged => String::new(),
        Verdict::Good(role, sequence) => {
            styled(AnsiColor::Green.on_default(), &format!("✓ {} {sequence}", role_name(role)))
        }
        Verdict::Bad(refusal) => styled(
            AnsiColor::BrightRed.on_default().bold(),
            &format!("✗ {}", refusal_name(refusal)),
        ),
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Device => "device",
        Role::Dealer => "dealer",
        Role::Floorperson => "floorperson",
        Role::Service => "service",
        Role::Controller => "controller",
    }
}

fn refusal_name(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Truncated => "no seal",
        Refusal::UnknownRole => "no such role",
        Refusal::NoKey => "no key for the role",
        _ => "forged, or sealed with another key",
    }
}

/// The line for programs.
pub fn json(seen: &Seen, names: &Names) -> Value {
    let header = &seen.header;
    let (kind, port, to) = match header.port {
        Port::Message(subject) => ("message", subject.get(), None),
        Port::Request(service, to) => ("request", service.get(), Some(to)),
        Port::Response(service, to) => ("response", service.get(), Some(to)),
    };
    let mut line = json!({
        "time": seen.at.as_secs_f64(),
        "kind": kind,
        "port": port,
        "from": header.source.map(|node| node.get()),
        "from_name": names.of(header.source),
        "priority": format!("{:?}", header.priority),
        "transfer_id": header.transfer_id,
        "type": seen.content.name(),
    });
    if let Some(to) = to {
        line["to"] = json!(to.get());
        line["to_name"] = json!(names.of(Some(to)));
    }
    match &seen.content {
        Content::Known { fields: Field::Word(_), .. } => line["fields"] = json!({}),
        Content::Known { fields, .. } => line["fields"] = fields.json(""),
        Content::Unreadable { bytes, .. } | Content::Unknown { bytes } => {
            line["bytes"] = json!(hex(bytes));
        }
    }
    match seen.verdict {
        Verdict::Unsealed | Verdict::Unjudged => {}
        Verdict::Good(role, sequence) => {
            line["seal"] = json!({ "good": true, "role": role_name(role), "sequence": sequence });
        }
        Verdict::Bad(refusal) => {
            line["seal"] = json!({ "good": false, "why": refusal_name(refusal) });
        }
    }
    line
}

/// What was understood and what was not, for the end; kinds that did not occur are left out.
pub fn counts(counts: &[(&'static str, u32)], bad_seals: u64) -> String {
    let seals = (bad_seals > 0).then(|| format!("{bad_seals} bad seals"));
    let (first, rest) = counts.split_first().map_or((("transfers", 0), &[][..]), |(f, r)| (*f, r));
    let losses = rest.iter().filter(|(_, count)| *count > 0);
    let words = losses.map(|(name, count)| format!("{count} {name}")).chain(seals);
    let words: Vec<_> = words.collect();
    let rest = if words.is_empty() { "nothing else".into() } else { words.join(", ") };
    format!("{} {}; {rest}", first.1, first.0)
}

/// The same for programs.
pub fn json_counts(counts: &[(&'static str, u32)], bad_seals: u64) -> Value {
    let pairs = counts.iter().map(|(name, count)| (name.replace(' ', "_"), json!(count)));
    let seals = [("bad_seals".to_owned(), json!(bad_seals))];
    json!({ "counts": Value::Object(pairs.chain(seals).collect()) })
}
