//! Values as Go prints them.

use std::fmt::Write as _;

use super::evaluate::Value;
use crate::{Json, go_float};

pub(super) fn value(value: &Value<'_>, text: &mut String) {
    match value {
        Value::Json(Json::Str(value)) => text.push_str(value),
        Value::Text(value) => text.push_str(value),
        Value::Json(Json::Float(value)) | Value::Float(value) => text.push_str(&go_float(*value, -4..6)),
        Value::Json(other) => json(other, text),
        Value::Bool(value) => json(&Json::Bool(*value), text),
        Value::Int(value) => json(&Json::Int(*value), text),
        Value::Byte(value) => json(&Json::from(*value), text),
        Value::Nothing => text.push_str("<no value>"),
    }
}

/// JSON as Go writes it: a number that is whole has no point, and nothing means anything in a web page.
fn json(value: &Json, text: &mut String) {
    match value {
        Json::Float(value) => text.push_str(&go_float(*value, -6..21).replace("e-0", "e-")),
        Json::List(list) => {
            text.push('[');
            for (at, value) in list.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                json(value, text);
            }
            text.push(']');
        }
        Json::Map(map) => {
            text.push('{');
            for (at, (key, value)) in map.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { "," });
                json(&Json::Str(key.clone()), text);
                text.push(':');
                json(value, text);
            }
            text.push('}');
        }
        Json::Str(_) => {
            for c in value.to_string().chars() {
                match c {
                    '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                        let _ = write!(text, "\\u{:04x}", u32::from(c));
                    }
                    c => text.push(c),
                }
            }
        }
        other => text.push_str(&other.to_string()),
    }
}
