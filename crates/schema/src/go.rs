//! Prints values like Go.

use client_rs_machinery::{Json, go_float};

pub(crate) use client_rs_machinery::{go_quoted as quoted, go_type as type_name, go_value as plain};

/// A value as errors print it: strings in quotes, everything else as JSON.
pub(crate) fn shown(value: &Json) -> String {
    match value {
        Json::Str(text) => quoted(text),
        Json::Float(number) => float(*number),
        other => json(other),
    }
}

/// A number as `%v` prints it: the shortest text that parses to the same number, with an exponent from 21 digits
/// on.
pub(crate) fn float(number: f64) -> String {
    go_float(number, -4..21)
}

/// JSON as Go's encoder writes it, with HTML characters escaped.
pub(crate) fn json(value: &Json) -> String {
    value.to_string().replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e")
}
