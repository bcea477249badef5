//! The functions of the language and of Kubernetes' libraries.

use std::sync::Arc;

use regex::Regex;

use crate::{EvalError, Value};

type Outcome = Result<Value, EvalError>;

/// Operators of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

pub(crate) fn arithmetic(operator: Arithmetic, a: &Value, b: &Value) -> Outcome {
    use Arithmetic::{Add, Divide, Multiply, Remainder, Subtract};
    let zero = || EvalError::failed(if operator == Divide { "division by zero" } else { "modulus by zero" });
    let overflow = || EvalError::failed("integer overflow");
    match (a, b) {
        (Value::Int(_), Value::Int(0)) | (Value::Uint(_), Value::Uint(0))
            if matches!(operator, Divide | Remainder) =>
        {
            Err(zero())
        }
        (Value::Int(a), Value::Int(b)) => match operator {
            Add => a.checked_add(*b),
            Subtract => a.checked_sub(*b),
            Multiply => a.checked_mul(*b),
            Divide => a.checked_div(*b),
            Remainder => a.checked_rem(*b),
        }
        .map(Value::Int)
        .ok_or_else(overflow),
        (Value::Uint(a), Value::Uint(b)) => match operator {
            Add => a.checked_add(*b),
            Subtract => a.checked_sub(*b),
            Multiply => a.checked_mul(*b),
            Divide => a.checked_div(*b),
            Remainder => a.checked_rem(*b),
        }
        .map(Value::Uint)
        .ok_or_else(|| EvalError::failed("unsigned integer overflow")),
        (Value::Double(a), Value::Double(b)) => match operator {
            Add => Ok(Value::Double(a + b)),
            Subtract => Ok(Value::Double(a - b)),
            Multiply => Ok(Value::Double(a * b)),
            Divide => Ok(Value::Double(a / b)),
            Remainder => Err(EvalError::overload()),
        },
        (Value::Text(a), Value::Text(b)) if operator == Add => Ok(Value::text(format!("{a}{b}"))),
        (Value::Bytes(a), Value::Bytes(b)) if operator == Add => {
            Ok(Value::Bytes([&a[..], &b[..]].concat().into()))
        }
        (Value::List(a), Value::List(b)) if operator == Add => {
            Ok(Value::list(a.iter().chain(b.iter()).cloned()))
        }
        (Value::Duration(a), Value::Duration(b)) if operator == Add => {
            Ok(Value::Duration(a.saturating_add(*b)))
        }
        (Value::Duration(a), Value::Duration(b)) if operator == Subtract => {
            Ok(Value::Duration(a.saturating_sub(*b)))
        }
        (Value::Timestamp(a), Value::Duration(b)) | (Value::Duration(b), Value::Timestamp(a))
            if operator == Add =>
        {
            Ok(Value::Timestamp(a.saturating_add(*b)))
        }
        (Value::Timestamp(a), Value::Duration(b)) if operator == Subtract => {
            Ok(Value::Timestamp(a.saturating_sub(*b)))
        }
        (Value::Timestamp(a), Value::Timestamp(b)) if operator == Subtract => {
            Ok(Value::Duration(a.saturating_sub(*b)))
        }
        _ => Err(EvalError::overload()),
    }
}

/// `function(args)`.
pub(crate) fn global(function: &str, args: &[Value]) -> Outcome {
    match (function, args) {
        ("size", [value]) => size(value),
        ("type", [value]) => Ok(Value::Type(value.type_name())),
        ("dyn", [value]) => Ok(value.clone()),
        ("int" | "uint" | "double" | "string" | "bool" | "bytes", [value]) => convert(function, value),
        ("duration", [Value::Text(text)]) => duration(text)
            .map(Value::Duration)
            .ok_or_else(|| EvalError::failed(format!("time: invalid duration {text:?}"))),
        ("duration", [value @ Value::Duration(_)]) | ("timestamp", [value @ Value::Timestamp(_)]) => {
            Ok(value.clone())
        }
        ("timestamp", [Value::Text(text)]) => timestamp(text)
            .map(Value::Timestamp)
            .ok_or_else(|| EvalError::failed(format!("type conversion error from '{text}' to timestamp"))),
        ("matches", [Value::Text(text), Value::Text(pattern)]) => matches(text, pattern),
        ("optional.of", [value]) => Ok(Value::Optional(Some(Box::new(value.clone())))),
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("optional.ofNonZeroValue", [value]) => {
            Ok(Value::Optional((!is_zero(value)).then(|| Box::new(value.clone()))))
        }
        ("sets.contains", [Value::List(a), Value::List(b)]) => {
            Ok(Value::Bool(b.iter().all(|item| a.contains(item))))
        }
        ("sets.equivalent", [Value::List(a), Value::List(b)]) => {
            Ok(Value::Bool(a.iter().all(|item| b.contains(item)) && b.iter().all(|item| a.contains(item))))
        }
        ("sets.intersects", [Value::List(a), Value::List(b)]) => {
            Ok(Value::Bool(b.iter().any(|item| a.contains(item))))
        }
        ("_[_]" | "_[?_]" | "@in" | "!_" | "-_", _) => Err(EvalError::overload()),
        (known, _) if KNOWN.contains(&known) => Err(EvalError::overload()),
        _ => Err(EvalError::Unsupported(function.to_owned())),
    }
}

/// Functions that are built, whatever they are called with.
const KNOWN: &[&str] = &[
    "size",
    "type",
    "dyn",
    "duration",
    "timestamp",
    "matches",
    "contains",
    "startsWith",
    "endsWith",
    "sum",
    "min",
    "max",
    "isSorted",
    "indexOf",
    "lastIndexOf",
    "charAt",
    "lowerAscii",
    "upperAscii",
    "replace",
    "split",
    "substring",
    "trim",
    "join",
    "find",
    "findAll",
    "hasValue",
    "value",
    "or",
    "orValue",
    "reverse",
];

/// `target.function(args)`.
pub(crate) fn method(target: &Value, function: &str, args: &[Value]) -> Outcome {
    match (target, function, args) {
        (value, "size", []) => size(value),
        (Value::Text(text), _, _) => text_method(text, function, args),
        (Value::List(list), _, _) => list_method(list, function, args),
        (Value::Optional(content), _, _) => optional_method(content.as_deref(), function, args),
        (Value::Duration(nanos), "getHours" | "getMinutes" | "getSeconds" | "getMilliseconds", []) => {
            let unit = match function {
                "getHours" => 3_600_000_000_000,
                "getMinutes" => 60_000_000_000,
                "getSeconds" => 1_000_000_000,
                _ => 1_000_000,
            };
            Ok(Value::Int(i64::try_from(nanos / unit).unwrap_or(i64::MAX)))
        }
        _ if KNOWN.contains(&function) => Err(EvalError::overload()),
        _ => Err(EvalError::Unsupported(function.to_owned())),
    }
}

fn size(value: &Value) -> Outcome {
    let size = match value {
        Value::Text(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        _ => return Err(EvalError::overload()),
    };
    Ok(Value::Int(i64::try_from(size).unwrap_or(i64::MAX)))
}

fn is_zero(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Text(text) => text.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Map(map) => map.is_empty(),
        Value::Null | Value::Optional(None) | Value::Int(0) | Value::Uint(0) | Value::Duration(0) => true,
        Value::Double(value) => *value == 0.0,
        _ => false,
    }
}

/// Patterns are RE2's, as in Go: no backtracking, whatever they say.
fn pattern(pattern: &str) -> Result<Regex, EvalError> {
    Regex::new(pattern).map_err(|_| EvalError::failed(format!("error parsing regexp: {pattern}")))
}

fn matches(text: &str, of: &str) -> Outcome {
    Ok(Value::Bool(pattern(of)?.is_match(text)))
}

fn text_method(text: &Arc<str>, function: &str, args: &[Value]) -> Outcome {
    let letters = || text.chars().collect::<Vec<char>>();
    let out_of_range = |at: i64| EvalError::failed(format!("index out of range: {at}"));
    let place = |at: &i64| {
        usize::try_from(*at).ok().filter(|at| *at <= text.chars().count()).ok_or_else(|| out_of_range(*at))
    };
    match (function, args) {
        ("contains", [Value::Text(part)]) => Ok(Value::Bool(text.contains(&**part))),
        ("startsWith", [Value::Text(part)]) => Ok(Value::Bool(text.starts_with(&**part))),
        ("endsWith", [Value::Text(part)]) => Ok(Value::Bool(text.ends_with(&**part))),
        ("matches", [Value::Text(pattern)]) => matches(text, pattern),
        ("find", [Value::Text(of)]) => {
            Ok(Value::text(pattern(of)?.find(text).map(|found| found.as_str()).unwrap_or_default()))
        }
        ("findAll", [Value::Text(of)]) => {
            Ok(Value::list(pattern(of)?.find_iter(text).map(|found| Value::text(found.as_str()))))
        }
        ("findAll", [Value::Text(of), Value::Int(limit)]) => {
            let limit = usize::try_from(*limit).unwrap_or(usize::MAX);
            Ok(Value::list(pattern(of)?.find_iter(text).take(limit).map(|found| Value::text(found.as_str()))))
        }
        ("lowerAscii", []) => Ok(Value::text(text.to_ascii_lowercase())),
        ("upperAscii", []) => Ok(Value::text(text.to_ascii_uppercase())),
        ("trim", []) => Ok(Value::text(text.trim())),
        ("reverse", []) => Ok(Value::text(text.chars().rev().collect::<String>())),
        ("replace", [Value::Text(from), Value::Text(to)]) => Ok(Value::text(text.replace(&**from, to))),
        ("replace", [Value::Text(from), Value::Text(to), Value::Int(count)]) => {
            Ok(match usize::try_from(*count) {
                Ok(count) => Value::text(text.replacen(&**from, to, count)),
                Err(_) => Value::text(text.replace(&**from, to)),
            })
        }
        ("split", [Value::Text(by)]) if by.is_empty() => {
            Ok(Value::list(text.chars().map(|letter| Value::text(letter.to_string()))))
        }
        ("split", [Value::Text(by)]) => Ok(Value::list(text.split(&**by).map(Value::text))),
        ("split", [Value::Text(by), Value::Int(limit)]) => Ok(match limit {
            0 => Value::list([]),
            1.. => Value::list(
                text.splitn(usize::try_from(*limit).unwrap_or(usize::MAX), &**by).map(Value::text),
            ),
            _ => Value::list(text.split(&**by).map(Value::text)),
        }),
        ("charAt", [Value::Int(at)]) => {
            let at = place(at)?;
            Ok(Value::text(letters().get(at).map(char::to_string).unwrap_or_default()))
        }
        ("substring", [Value::Int(from)]) => {
            Ok(Value::text(letters()[place(from)?..].iter().collect::<String>()))
        }
        ("substring", [Value::Int(from), Value::Int(to)]) => {
            let (start, end) = (place(from)?, place(to)?);
            if start > end {
                return Err(EvalError::failed(format!("invalid substring range. start: {from}, end: {to}")));
            }
            Ok(Value::text(letters()[start..end].iter().collect::<String>()))
        }
        ("indexOf", [Value::Text(part)]) => Ok(position(text, text.find(&**part))),
        ("lastIndexOf", [Value::Text(part)]) => Ok(position(text, text.rfind(&**part))),
        (known, _) if KNOWN.contains(&known) => Err(EvalError::overload()),
        _ => Err(EvalError::Unsupported(function.to_owned())),
    }
}

/// A place in bytes as one in characters; -1 for none.
fn position(text: &str, at: Option<usize>) -> Value {
    let at = at.map(|at| text[..at].chars().count());
    Value::Int(at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1))
}

fn list_method(list: &Arc<Vec<Value>>, function: &str, args: &[Value]) -> Outcome {
    let place = |at: Option<usize>| Value::Int(at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1));
    match (function, args) {
        ("join", []) => join(list, ""),
        ("join", [Value::Text(by)]) => join(list, by),
        ("isSorted", []) => {
            let mut sorted = true;
            for pair in list.windows(2) {
                sorted &= pair[0].compare(&pair[1]).ok_or_else(EvalError::overload)?.is_le();
            }
            Ok(Value::Bool(sorted))
        }
        ("sum", []) => {
            let mut items = list.iter();
            let Some(first) = items.next() else { return Ok(Value::Int(0)) };
            items.try_fold(first.clone(), |sum, item| arithmetic(Arithmetic::Add, &sum, item))
        }
        ("min" | "max", []) => {
            let mut items = list.iter();
            let Some(mut best) = items.next() else {
                return Err(EvalError::failed(format!("{function} called on empty list")));
            };
            for item in items {
                let order = item.compare(best).ok_or_else(EvalError::overload)?;
                if if function == "min" { order.is_lt() } else { order.is_gt() } {
                    best = item;
                }
            }
            Ok(best.clone())
        }
        ("indexOf", [item]) => Ok(place(list.iter().position(|known| known == item))),
        ("lastIndexOf", [item]) => Ok(place(list.iter().rposition(|known| known == item))),
        ("reverse", []) => Ok(Value::list(list.iter().rev().cloned())),
        (known, _) if KNOWN.contains(&known) => Err(EvalError::overload()),
        _ => Err(EvalError::Unsupported(function.to_owned())),
    }
}

fn join(list: &[Value], by: &str) -> Outcome {
    let mut texts = Vec::with_capacity(list.len());
    for item in list {
        let Value::Text(text) = item else { return Err(EvalError::overload()) };
        texts.push(&**text);
    }
    Ok(Value::text(texts.join(by)))
}

fn optional_method(content: Option<&Value>, function: &str, args: &[Value]) -> Outcome {
    match (function, args) {
        ("hasValue", []) => Ok(Value::Bool(content.is_some())),
        ("value", []) => content.cloned().ok_or_else(|| EvalError::failed("optional.none() dereference")),
        ("orValue", [other]) => Ok(content.unwrap_or(other).clone()),
        ("or", [other @ Value::Optional(_)]) => {
            Ok(content
                .map_or_else(|| other.clone(), |content| Value::Optional(Some(Box::new(content.clone())))))
        }
        (known, _) if KNOWN.contains(&known) => Err(EvalError::overload()),
        _ => Err(EvalError::Unsupported(function.to_owned())),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
fn convert(to: &str, value: &Value) -> Outcome {
    let wrong = || EvalError::failed(format!("type conversion error from {} to '{to}'", value.type_name()));
    let range = || EvalError::failed("integer overflow");
    Ok(match (to, value) {
        ("int", Value::Int(_))
        | ("uint", Value::Uint(_))
        | ("double", Value::Double(_))
        | ("string", Value::Text(_))
        | ("bool", Value::Bool(_))
        | ("bytes", Value::Bytes(_)) => value.clone(),
        ("int", Value::Uint(number)) => Value::Int(i64::try_from(*number).map_err(|_| range())?),
        ("int", Value::Double(number)) if number.abs() < 9.2e18 => Value::Int(number.trunc() as i64),
        ("int", Value::Double(_)) => return Err(range()),
        ("int", Value::Text(text)) => Value::Int(text.parse().map_err(|_| wrong())?),
        ("int", Value::Timestamp(nanos)) => Value::Int((nanos / 1_000_000_000) as i64),
        ("uint", Value::Int(number)) => Value::Uint(u64::try_from(*number).map_err(|_| range())?),
        ("uint", Value::Double(number)) if (0.0..1.8e19).contains(number) => {
            Value::Uint(number.trunc() as u64)
        }
        ("uint", Value::Text(text)) => Value::Uint(text.parse().map_err(|_| wrong())?),
        ("double", Value::Int(number)) => Value::Double(*number as f64),
        ("double", Value::Uint(number)) => Value::Double(*number as f64),
        ("double", Value::Text(text)) => Value::Double(text.parse().map_err(|_| wrong())?),
        ("string", Value::Int(number)) => Value::text(number.to_string()),
        ("string", Value::Uint(number)) => Value::text(number.to_string()),
        ("string", Value::Bool(value)) => Value::text(value.to_string()),
        ("string", Value::Double(number)) => Value::text(number.to_string()),
        ("string", Value::Bytes(bytes)) => Value::text(
            std::str::from_utf8(bytes)
                .map_err(|_| EvalError::failed("invalid UTF-8 in bytes, cannot convert to string"))?,
        ),
        ("string", Value::Duration(nanos)) => Value::text(format!("{}s", *nanos as f64 / 1e9)),
        ("bool", Value::Text(text)) => match &**text {
            "true" | "TRUE" | "True" | "t" | "1" => Value::Bool(true),
            "false" | "FALSE" | "False" | "f" | "0" => Value::Bool(false),
            _ => return Err(wrong()),
        },
        ("bytes", Value::Text(text)) => Value::Bytes(text.as_bytes().into()),
        _ => return Err(EvalError::overload()),
    })
}

/// Go's form: `1h30m`, `-1.5s`.
pub(crate) fn duration(text: &str) -> Option<i128> {
    let (sign, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut nanos = 0f64;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let units =
            [("ns", 1.0), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9), ("m", 6e10), ("h", 3.6e12)];
        let (unit, scale) = units.iter().find(|(unit, _)| {
            rest.strip_prefix(unit).is_some_and(|after| !after.starts_with(|c: char| c.is_ascii_alphabetic()))
        })?;
        nanos += number * scale;
        rest = &rest[unit.len()..];
    }
    #[allow(clippy::cast_possible_truncation)]
    (nanos.abs() < 9.3e18).then_some(sign * nanos as i128)
}

/// RFC 3339.
pub(crate) fn timestamp(text: &str) -> Option<i128> {
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let at = |index: usize, expected: &[u8]| {
        text.as_bytes().get(index).is_some_and(|byte| expected.contains(byte))
    };
    if !at(4, b"-") || !at(7, b"-") || !at(10, b"Tt") || !at(13, b":") || !at(16, b":") {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let mut rest = text.get(19..)?;
    let mut nanos = 0i128;
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        let digits: String = fraction[..length].chars().chain("000000000".chars()).take(9).collect();
        nanos = digits.parse().ok()?;
        rest = &fraction[length..];
    }
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = match rest.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) =
                (rest.get(1..3)?.parse::<i64>().ok()?, rest.get(4..6)?.parse::<i64>().ok()?);
            if rest.len() != 6 || rest.as_bytes()[3] != b':' {
                return None;
            }
            sign * (hours * 3600 + minutes * 60)
        }
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        _ => return None,
    };
    if !(1..=longest).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Days since 1970 of the proleptic calendar, with years that begin in March.
    let shifted = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days =
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(i128::from(seconds) * 1_000_000_000 + nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(timestamp("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(timestamp("2000-03-01T00:00:00.5+01:00"), Some(951_865_200_500_000_000));
        for bad in
            ["", "2020-02-30T00:00:00Z", "2020-01-01", "2020-01-01T25:00:00Z", "2020-01-01T00:00:00+1:00"]
        {
            assert_eq!(timestamp(bad), None, "{bad}");
        }
        assert_eq!(duration("1h30m"), Some(5_400_000_000_000));
        assert_eq!(duration("-1.5s"), Some(-1_500_000_000));
        for bad in ["", "1", "x", "1x", "-"] {
            assert_eq!(duration(bad), None, "{bad}");
        }
    }
}
