//! `text.format([…])`.

use std::fmt::Write as _;

use client_rs_machinery::go_quoted;

use super::convert::{convert, shown};
use super::{Outcome, time};
use crate::clause::{Clause, Verb, clauses};
use crate::{EvalError, Value};

pub(super) fn format(text: &str, args: &[Value]) -> Outcome {
    let mut out = String::with_capacity(text.len());
    let mut failed = None;
    let read = clauses(text, args.len(), &mut |piece| match piece {
        Clause::Plain(plain) => {
            out.push_str(plain);
            Ok(())
        }
        Clause::Argument { index, verb } => match clause(&args[index], verb) {
            Ok(shown) => {
                out.push_str(&shown);
                Ok(())
            }
            Err(error) => {
                failed = Some(error);
                Err(String::new())
            }
        },
    });
    if let Some(error) = failed {
        return Err(error);
    }
    read.map_err(EvalError::failed)?;
    Ok(Value::text(out))
}

fn clause(value: &Value, verb: Verb) -> Result<String, EvalError> {
    let wrong = || {
        let what = verb.refusal();
        EvalError::failed(format!("error during formatting: {what}, was given {}", value.type_name()))
    };
    Ok(match (verb, value) {
        (Verb::Text, value) => plain(value).ok_or_else(wrong)?,
        (Verb::Decimal, Value::Int(number)) => number.to_string(),
        (Verb::Decimal, Value::Uint(number)) => number.to_string(),
        (Verb::Fixed(precision), value) => {
            let number = double(value).ok_or_else(wrong)?;
            if number.is_finite() { grouped(&format!("{number:.precision$}")) } else { infinite(number) }
        }
        (Verb::Scientific, value) => {
            let number = double(value).ok_or_else(wrong)?;
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
                _ => return Err(wrong()),
            };
            if upper { hex.to_uppercase() } else { hex }
        }
        _ => return Err(wrong()),
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

/// With commas between thousands, as numbers are written in English.
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

/// As it is written in English print: `1.200000×10⁰³`. cel-go takes the digits that are asked for as a width.
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

/// A value as `%s` has it, if it can be written.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(nested).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        Value::Map(map) => {
            let entries: Option<Vec<String>> = map
                .iter()
                .map(|(key, value)| Some(format!("{}:{}", nested(&key.clone().into())?, nested(value)?)))
                .collect();
            Some(format!("{{{}}}", entries?.join(", ")))
        }
        Value::Null => Some("null".to_owned()),
        Value::Type(name) => Some((*name).to_owned()),
        Value::Optional(_) | Value::Library(_) => None,
        value => match convert("string", value) {
            Ok(Value::Text(text)) => Some(text.to_string()),
            _ => None,
        },
    }
}

/// A value inside another.
fn nested(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(text) => go_quoted(text),
        Value::Bytes(content) => format!("b{}", go_quoted(&String::from_utf8_lossy(content))),
        Value::Duration(nanos) => format!("duration({})", go_quoted(&time::span_written(*nanos))),
        Value::Timestamp(nanos) => format!("timestamp({})", go_quoted(&time::written(*nanos))),
        Value::Double(number) if number.is_finite() => format!("{number:.6}"),
        Value::Double(number) => go_quoted(&shown(*number)),
        value => plain(value)?,
    })
}
