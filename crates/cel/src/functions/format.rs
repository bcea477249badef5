//! `text.format([…])`.

use std::fmt::Write as _;

use client_rs_machinery::go_quoted;

use super::convert::{convert, shown};
use super::{Outcome, time};
use crate::clause::{Clause, Verb, clauses};
use crate::meter::Meter;
use crate::{EvalError, Value};

pub(super) fn format(meter: &mut Meter, text: &str, args: &[Value]) -> Outcome {
    meter.allocate(text.len())?;
    let mut out = String::with_capacity(text.len());
    let mut failed = None;
    let read = clauses(text, args.len(), &mut |piece| match piece {
        Clause::Plain(plain) => {
            out.push_str(plain);
            Ok(())
        }
        Clause::Argument { index, verb } => clause(meter, &args[index], verb, &mut out).map_err(|error| {
            failed = Some(error);
            String::new()
        }),
    });
    if let Some(error) = failed {
        return Err(error);
    }
    read.map_err(EvalError::failed)?;
    Ok(Value::text(out))
}

fn clause(meter: &mut Meter, value: &Value, verb: Verb, out: &mut String) -> Result<(), EvalError> {
    let wrong = || {
        let what = verb.refusal();
        EvalError::failed(format!("error during formatting: {what}, was given {}", value.type_name()))
    };
    if verb == Verb::Text {
        return if plain(meter, value, out)? { Ok(()) } else { Err(wrong()) };
    }
    meter.allocate(match verb {
        Verb::Fixed(precision) => NUMBER + precision,
        Verb::Hex(_) => NUMBER + value.bytes().saturating_mul(2),
        _ => NUMBER,
    })?;
    out.push_str(&shown_as(value, verb).ok_or_else(wrong)?);
    Ok(())
}

/// The maximum number of bytes of a number, without the digits behind its point.
const NUMBER: usize = 512;

/// Prints a number or bytes by the verb.
fn shown_as(value: &Value, verb: Verb) -> Option<String> {
    Some(match (verb, value) {
        (Verb::Decimal, Value::Int(number)) => number.to_string(),
        (Verb::Decimal, Value::Uint(number)) => number.to_string(),
        (Verb::Fixed(precision), value) => {
            let number = double(value)?;
            if number.is_finite() { grouped(&format!("{number:.precision$}")) } else { infinite(number) }
        }
        (Verb::Scientific, value) => {
            let number = double(value)?;
            if number.is_finite() { scientific(number) } else { infinite(number) }
        }
        (Verb::Binary, Value::Int(number)) => signed(*number, |number| format!("{number:b}")),
        (Verb::Binary, Value::Uint(number)) => format!("{number:b}"),
        (Verb::Binary, Value::Bool(value)) => u8::from(*value).to_string(),
        (Verb::Octal, Value::Int(number)) => signed(*number, |number| format!("{number:o}")),
        (Verb::Octal, Value::Uint(number)) => format!("{number:o}"),
        (Verb::Hex(upper), value) => {
            let hex = match value {
                Value::Int(number) => signed(*number, |number| format!("{number:x}")),
                Value::Uint(number) => format!("{number:x}"),
                Value::Text(text) => bytes(text.as_bytes()),
                Value::Bytes(content) => bytes(content),
                _ => return None,
            };
            if upper { hex.to_uppercase() } else { hex }
        }
        _ => return None,
    })
}

fn signed(number: i64, shown: impl Fn(u64) -> String) -> String {
    format!("{}{}", if number < 0 { "-" } else { "" }, shown(number.unsigned_abs()))
}

fn bytes(content: &[u8]) -> String {
    content.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn double(value: &Value) -> Option<f64> {
    match value {
        Value::Double(number) => Some(*number),
        Value::Text(text) => match &**text {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    }
}

fn infinite(number: f64) -> String {
    if number.is_nan() {
        "NaN"
    } else if number > 0.0 {
        "∞"
    } else {
        "-∞"
    }
    .to_owned()
}

/// Adds commas between thousands, as in English.
fn grouped(number: &str) -> String {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |number| ("-", number));
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let mut out = sign.to_owned();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// Prints the scientific notation: `1.200000×10⁰³`. cel-go treats the precision as a width.
fn scientific(number: f64) -> String {
    let text = format!("{number:.6e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let sign = if exponent < 0 { "⁻" } else { "" };
    let raised: String = format!("{:02}", exponent.abs())
        .chars()
        .filter_map(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit.to_digit(10)? as usize))
        .collect();
    format!("{digits}×10{sign}{raised}")
}

/// Writes a value for `%s`; returns whether it can be written.
fn plain(meter: &mut Meter, value: &Value, out: &mut String) -> Result<bool, EvalError> {
    meter.step(1)?;
    match value {
        Value::List(items) => {
            meter.allocate(2 + 2 * items.len())?;
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                if !nested(meter, item, out)? {
                    return Ok(false);
                }
            }
            out.push(']');
        }
        Value::Map(map) => {
            meter.allocate(2 + 3 * map.len())?;
            out.push('{');
            for (at, (key, value)) in map.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                if !nested(meter, &key.clone().into(), out)? {
                    return Ok(false);
                }
                out.push(':');
                if !nested(meter, value, out)? {
                    return Ok(false);
                }
            }
            out.push('}');
        }
        Value::Null => out.push_str("null"),
        Value::Type(name) => out.push_str(name),
        Value::Optional(_) | Value::Library(_) => return Ok(false),
        Value::Text(text) => {
            meter.allocate(text.len())?;
            out.push_str(text);
        }
        value => {
            meter.allocate(NUMBER + value.bytes())?;
            match convert("string", value) {
                Ok(Value::Text(text)) => out.push_str(&text),
                _ => return Ok(false),
            }
        }
    }
    Ok(true)
}

/// Writes a value inside another; returns whether it can be written.
fn nested(meter: &mut Meter, value: &Value, out: &mut String) -> Result<bool, EvalError> {
    // A byte becomes at most six when it is quoted.
    meter.allocate(8 + value.bytes().saturating_mul(6))?;
    match value {
        Value::Text(text) => out.push_str(&go_quoted(text)),
        Value::Bytes(content) => {
            out.push('b');
            out.push_str(&go_quoted(&String::from_utf8_lossy(content)));
        }
        Value::Duration(nanos) => {
            let _ = write!(out, "duration({})", go_quoted(&time::span_written(*nanos)));
        }
        Value::Timestamp(nanos) => {
            let _ = write!(out, "timestamp({})", go_quoted(&time::written(*nanos)));
        }
        Value::Double(number) if number.is_finite() => {
            let _ = write!(out, "{number:.6}");
        }
        Value::Double(number) => out.push_str(&go_quoted(&shown(*number))),
        value => return plain(meter, value, out),
    }
    Ok(true)
}
