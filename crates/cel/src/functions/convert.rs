//! Conversions between types.

use client_rs_machinery::go_float;

use super::{Outcome, time};
use crate::value::{Kind, Library};
use crate::{EvalError, Value};

/// Functions with the name of the type that they return.
pub(super) const TYPES: [&str; 8] =
    ["int", "uint", "double", "string", "bool", "bytes", "duration", "timestamp"];

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
pub(super) fn convert(to: &str, value: &Value) -> Outcome {
    let name = match to {
        "duration" => "google.protobuf.Duration",
        "timestamp" => "google.protobuf.Timestamp",
        to => to,
    };
    let wrong =
        || EvalError::failed(format!("type conversion error from '{}' to '{name}'", value.type_name()));
    let range = || EvalError::failed("integer overflow");
    let unsigned = || EvalError::failed("unsigned integer overflow");
    Ok(match (to, value) {
        ("int", Value::Int(_))
        | ("uint", Value::Uint(_))
        | ("double", Value::Double(_))
        | ("string", Value::Text(_))
        | ("bool", Value::Bool(_))
        | ("bytes", Value::Bytes(_))
        | ("duration", Value::Duration(_))
        | ("timestamp", Value::Timestamp(_)) => value.clone(),
        ("int", Value::Uint(number)) => Value::Int(i64::try_from(*number).map_err(|_| range())?),
        ("int", Value::Double(number)) if number.abs() < 9_223_372_036_854_775_807.0 => {
            Value::Int(number.trunc() as i64)
        }
        ("int", Value::Double(_)) => return Err(range()),
        ("int", Value::Text(text)) => Value::Int(text.parse().map_err(|_| wrong())?),
        ("int", Value::Timestamp(nanos)) => Value::Int(nanos.div_euclid(1_000_000_000) as i64),
        ("int", Value::Duration(nanos)) => Value::Int(*nanos as i64),
        ("uint", Value::Int(number)) => Value::Uint(u64::try_from(*number).map_err(|_| unsigned())?),
        ("uint", Value::Double(number)) if (0.0..18_446_744_073_709_551_615.0).contains(number) => {
            Value::Uint(number.trunc() as u64)
        }
        ("uint", Value::Double(_)) => return Err(unsigned()),
        // Go accepts no sign here.
        ("uint", Value::Text(text)) if !text.starts_with('+') => {
            Value::Uint(text.parse().map_err(|_| wrong())?)
        }
        ("double", Value::Int(number)) => Value::Double(*number as f64),
        ("double", Value::Uint(number)) => Value::Double(*number as f64),
        ("double", Value::Text(text)) => Value::Double(text.parse().map_err(|_| wrong())?),
        ("string", Value::Int(number)) => Value::text(number.to_string()),
        ("string", Value::Uint(number)) => Value::text(number.to_string()),
        ("string", Value::Bool(value)) => Value::text(value.to_string()),
        ("string", Value::Double(number)) => Value::text(shown(*number)),
        ("string", Value::Bytes(bytes)) => Value::text(
            std::str::from_utf8(bytes)
                .map_err(|_| EvalError::failed("invalid UTF-8 in bytes, cannot convert to string"))?,
        ),
        ("string", Value::Duration(nanos)) => Value::text(time::span_written(*nanos)),
        ("string", Value::Timestamp(nanos)) => Value::text(time::written(*nanos)),
        ("string", Value::Library(Library(Kind::Ip(address)))) => Value::text(address.to_string()),
        ("string", Value::Library(Library(Kind::Cidr(address, length)))) => {
            Value::text(format!("{address}/{length}"))
        }
        ("bool", Value::Text(text)) => match &**text {
            "true" | "TRUE" | "True" | "t" | "1" => Value::Bool(true),
            "false" | "FALSE" | "False" | "f" | "0" => Value::Bool(false),
            _ => return Err(wrong()),
        },
        ("bytes", Value::Text(text)) => Value::Bytes(text.as_bytes().into()),
        ("duration", Value::Text(text)) => Value::Duration(time::duration(text).ok_or_else(wrong)?),
        ("timestamp", Value::Text(text)) => Value::Timestamp(time::timestamp(text).ok_or_else(wrong)?),
        ("timestamp", Value::Int(seconds)) => {
            let nanos = i128::from(*seconds) * 1_000_000_000;
            match nanos {
                time::MIN_TIME..=time::MAX_TIME => Value::Timestamp(nanos),
                _ => return Err(EvalError::failed("timestamp overflow")),
            }
        }
        ("uint", Value::Text(_)) => return Err(wrong()),
        _ => return Err(EvalError::overload()),
    })
}

/// Prints a number as Go does: with an exponent if it is small, or a million and more.
pub(super) fn shown(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    go_float(number, -4..6)
}
