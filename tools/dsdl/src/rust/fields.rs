//! A field in Rust: its type, and the lines that write and read it.

use crate::model::Shape;

/// The Rust type of a field.
pub(super) fn rust_type(shape: &Shape) -> String {
    match shape {
        Shape::Padding(_) => unreachable!("padding has no type"),
        Shape::Bool => "bool".into(),
        Shape::Unsigned { bits, .. } => format!("u{}", native(*bits)),
        Shape::Signed(bits) => format!("i{}", native(*bits)),
        Shape::Bytes(length) => format!("[u8; {length}]"),
        Shape::List(inner, capacity) => format!("Vec<{}, {capacity}>", rust_type(inner)),
        Shape::Part(name) => name.short.clone(),
    }
}

/// The statement that writes `value`, an expression of the field's type.
pub(super) fn write(shape: &Shape, value: &str) -> String {
    match shape {
        Shape::Padding(bits) => format!("to.put(0, {bits})?;"),
        Shape::Bool => format!("to.put({value}.into(), 1)?;"),
        Shape::Unsigned { bits, saturated } => {
            let held = if native(*bits) != *bits && *saturated {
                format!("{value}.min({:#X})", u64::MAX >> (64 - bits))
            } else {
                value.to_owned()
            };
            format!("to.put({}, {bits})?;", widened(&held, native(*bits)))
        }
        Shape::Signed(bits) if native(*bits) != *bits => {
            let most = i64::MAX >> (64 - bits);
            format!(
                "to.put(i64::from({value}).clamp(-{most} - 1, {most}).cast_unsigned(), {bits})?;"
            )
        }
        Shape::Signed(64) => format!("to.put({value}.cast_unsigned(), 64)?;"),
        Shape::Signed(bits) => format!("to.put(i64::from({value}).cast_unsigned(), {bits})?;"),
        Shape::Bytes(_) => format!("to.put_bytes(&{value})?;"),
        Shape::List(inner, capacity) => {
            let length =
                format!("to.put({value}.len() as u64, {})?;", Shape::length_bits(*capacity));
            match **inner {
                Shape::Unsigned { bits: 8, .. } => format!("{length} to.put_bytes(&{value})?;"),
                _ => format!(
                    "{length} for item in {value}.iter().copied() {{ {} }}",
                    write(inner, "item")
                ),
            }
        }
        Shape::Part(_) => format!("{value}.write(to)?;"),
    }
}

/// The expression that reads a field.
pub(super) fn read(shape: &Shape) -> String {
    match shape {
        Shape::Padding(_) => unreachable!("padding is passed over"),
        Shape::Bool => "from.take(1)? != 0".into(),
        Shape::Unsigned { bits, .. } => match native(*bits) {
            64 => format!("from.take({bits})?"),
            native => format!("from.take({bits})? as u{native}"),
        },
        Shape::Signed(bits) => match native(*bits) {
            64 => format!("from.take_signed({bits})?"),
            native => format!("from.take_signed({bits})? as i{native}"),
        },
        Shape::Bytes(_) => "from.take_bytes()?".into(),
        Shape::List(inner, capacity) => {
            let bits = Shape::length_bits(*capacity);
            format!("read_list(from, {bits}, |from| {})?", item(inner))
        }
        Shape::Part(name) => format!("{}::read(from)?", name.short),
    }
}

/// The same without passing the failure on: clippy would have it so.
fn item(shape: &Shape) -> String {
    let whole = read(shape);
    match whole.strip_suffix('?') {
        Some(result) => result.to_owned(),
        None => format!("Ok({whole})"),
    }
}

/// The smallest width of the language that holds `bits`.
fn native(bits: u8) -> u8 {
    bits.max(8).next_power_of_two()
}

fn widened(value: &str, bits: u8) -> String {
    if bits == 64 { value.to_owned() } else { format!("{value}.into()") }
}
