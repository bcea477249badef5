//! Values as Go writes them in texts.

use std::fmt::Write as _;

use client_rs_machinery::Json;

/// A value as an error shows it: a string in quotes, the rest as JSON.
pub(crate) fn shown(value: &Json) -> String {
    match value {
        Json::Str(text) => quoted(text),
        Json::Float(number) => float(*number),
        other => json(other),
    }
}

/// A string as `%q` writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for at in text.chars() {
        match at {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            at if at.is_control() && u32::from(at) < 0x80 => {
                let _ = write!(out, "\\x{:02x}", u32::from(at));
            }
            at if at.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(at));
            }
            at => out.push(at),
        }
    }
    out.push('"');
    out
}

/// A number as `%v` writes it: the shortest text that reads back, with an exponent from 21 digits on.
pub(crate) fn float(number: f64) -> String {
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-4..1e21).contains(&magnitude) {
        let text = format!("{number:e}");
        let Some((digits, exponent)) = text.split_once('e') else { return text };
        let (sign, exponent) = match exponent.strip_prefix('-') {
            Some(exponent) => ('-', exponent),
            None => ('+', exponent),
        };
        return format!("{digits}e{sign}{exponent:0>2}");
    }
    format!("{number}")
}

/// A value as `%v` writes it.
pub(crate) fn plain(value: &Json) -> String {
    match value {
        Json::Null => "<nil>".to_owned(),
        Json::Str(text) => text.to_string(),
        Json::Float(number) => float(*number),
        Json::List(list) => format!("[{}]", list.iter().map(plain).collect::<Vec<_>>().join(" ")),
        Json::Map(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{key}:{}", plain(value))).collect();
            format!("map[{}]", entries.join(" "))
        }
        other => other.to_string(),
    }
}

/// The type of a value as `%T` writes it.
pub(crate) fn type_name(value: &Json) -> &'static str {
    match value {
        Json::Null => "<nil>",
        Json::Bool(_) => "bool",
        Json::Int(_) => "int64",
        Json::Float(_) => "float64",
        Json::Str(_) => "string",
        Json::List(_) => "[]interface {}",
        Json::Map(_) => "map[string]interface {}",
    }
}

/// JSON as Go's encoder writes it, which is careful for HTML's sake.
pub(crate) fn json(value: &Json) -> String {
    value.to_string().replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}
