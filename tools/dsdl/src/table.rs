//! Writes the table of messages that a newcomer reads.

use std::fmt::Write;

use anyhow::Result;

use crate::model::{Body, Definition, Form, Model};

/// Where it goes, from the root.
pub const PLACE: &str = "docs/messages.md";

const HEAD: &str = "\
# Messages

Written from the DSDL under `dsdl/croupier` by `cargo xtask dsdl`: change it there.
The comments in those files say what each field means, in which unit, and by which rule.

Every message, request and response of `croupier` ends in a `Seal` of 25 bytes, included in the sizes below.
Frames are those of classic CAN: one for up to 7 bytes, otherwise one for every 7 bytes of the object and its CRC.
";

/// The whole document.
pub fn text(model: &Model) -> Result<String> {
    let mut out = HEAD.to_owned();
    let chapters = [
        ("common", "Common to all devices"),
        ("reader", "Hole-card reader"),
        ("shuffler", "Shuffler"),
        ("paigow", "Pai Gow generator"),
    ];
    for (namespace, title) in chapters {
        chapter(&mut out, model, title, &["croupier", namespace])?;
    }
    standard(&mut out, model)?;
    codes(&mut out, model)?;
    Ok(out)
}

fn chapter(out: &mut String, model: &Model, title: &str, path: &[&str]) -> Result<()> {
    let mut here: Vec<&Definition> =
        model.travelling().filter(|definition| definition.name.path == path).collect();
    here.sort_by_key(|definition| (definition.is_service(), definition.port));
    writeln!(
        out,
        "\n## {title}\n\n| Message | Subject | Bytes | Frames | What it says | Sent by |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for message in here.iter().filter(|definition| !definition.is_service()) {
        let body = &message.bodies[0];
        let (name, port) = (&message.name.short, message.port.unwrap_or_default());
        let (what, who) = (what(body), who(body, "Sent by:"));
        writeln!(
            out,
            "| `{name}` | {port} | {} | {} | {what} | {who} |",
            bytes(body),
            frames(body)
        )?;
    }
    writeln!(out, "\n| Service | Id | Bytes to, from | Frames | What it does | Asked by |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for service in here.iter().filter(|definition| definition.is_service()) {
        let [request, response] = service.bodies.as_slice() else { continue };
        let (name, port) = (&service.name.short, service.port.unwrap_or_default());
        let (to, from) = (bytes(request), bytes(response));
        let (frames_to, frames_from) = (frames(request), frames(response));
        let (what, who) = (what(request), who(request, "Asked by:"));
        writeln!(
            out,
            "| `{name}` | {port} | {to}, {from} | {frames_to}, {frames_from} | {what} | {who} |"
        )?;
    }
    Ok(())
}

fn standard(out: &mut String, model: &Model) -> Result<()> {
    writeln!(out, "\n## Of the standard\n\n| Type | Port | Bytes | Frames |\n|---|---|---|---|")?;
    for definition in model.travelling().filter(|definition| !definition.name.is_ours()) {
        let all = |of: fn(&Body) -> String| {
            definition.bodies.iter().map(of).collect::<Vec<_>>().join(", ")
        };
        let port = definition.port.unwrap_or_default();
        writeln!(out, "| `{}` | {port} | {} | {} |", definition.name, all(bytes), all(frames))?;
    }
    Ok(())
}

fn codes(out: &mut String, model: &Model) -> Result<()> {
    writeln!(out, "\n## Codes")?;
    for definition in model.definitions.values().filter(|definition| definition.name.is_ours()) {
        let body = &definition.bodies[0];
        let Form::Enum(_, constants) = &body.form else { continue };
        writeln!(out, "\n### {}\n\n{}\n", definition.name, body.doc.join("\n"))?;
        writeln!(out, "| Code | Name | Meaning |\n|---|---|---|")?;
        for constant in constants {
            writeln!(
                out,
                "| {} | `{}` | {} |",
                constant.value,
                constant.name,
                constant.doc.join(" ")
            )?;
        }
    }
    Ok(())
}

/// The first paragraph of a comment.
fn what(body: &Body) -> String {
    let lines: Vec<&str> = body.doc.iter().map(String::as_str).collect();
    lines.split(|line| line.is_empty()).next().unwrap_or_default().join(" ")
}

/// The paragraph of a comment that begins with `mark`, without it.
fn who(body: &Body, mark: &str) -> String {
    let lines: Vec<&str> = body.doc.iter().map(String::as_str).collect();
    let paragraph = lines.split(|line| line.is_empty()).find(|lines| lines[0].starts_with(mark));
    paragraph.map(|lines| lines.join(" ")[mark.len()..].trim().to_owned()).unwrap_or_default()
}

fn bytes(body: &Body) -> String {
    range(body.shortest, body.longest)
}

fn frames(body: &Body) -> String {
    range(frames_for(body.shortest), frames_for(body.longest))
}

/// Classic CAN frames for an object of this number of bytes.
pub fn frames_for(bytes: u64) -> u64 {
    if bytes <= 7 { 1 } else { (bytes + 2).div_ceil(7) }
}

fn range(least: u64, most: u64) -> String {
    if least == most { most.to_string() } else { format!("{least} to {most}") }
}
