//! The methods of texts.

use std::sync::Arc;

use super::{Outcome, format};
use crate::meter::Meter;
use crate::{EvalError, Value};

pub(super) const METHODS: [&str; 18] = [
    "contains",
    "startsWith",
    "endsWith",
    "matches",
    "find",
    "findAll",
    "charAt",
    "indexOf",
    "lastIndexOf",
    "lowerAscii",
    "upperAscii",
    "trim",
    "replace",
    "split",
    "substring",
    "join",
    "format",
    "size",
];

pub(super) fn matches(meter: &mut Meter, text: &str, pattern: &Arc<str>) -> Outcome {
    Ok(Value::Bool(meter.pattern(pattern)?.map_err(EvalError::failed)?.is_match(text)))
}

fn found(meter: &mut Meter, text: &str, pattern: &Arc<str>, limit: i64) -> Result<Vec<Value>, EvalError> {
    let pattern =
        meter.pattern(pattern)?.map_err(|why| EvalError::failed(format!("Illegal regex: {why}")))?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut all = Vec::new();
    for found in pattern.find_iter(text).take(limit) {
        // The search for the next match may scan the whole rest.
        meter.step((text.len() - found.start()) as u64)?;
        meter.items(1)?;
        meter.allocate(found.len())?;
        all.push(Value::text(found.as_str()));
    }
    Ok(all)
}

pub(super) fn method(meter: &mut Meter, text: &Arc<str>, function: &str, args: &[Value]) -> Option<Outcome> {
    Some(match (function, args) {
        ("contains", [Value::Text(part)]) => Ok(Value::Bool(text.contains(&**part))),
        ("startsWith", [Value::Text(part)]) => Ok(Value::Bool(text.starts_with(&**part))),
        ("endsWith", [Value::Text(part)]) => Ok(Value::Bool(text.ends_with(&**part))),
        ("matches", [Value::Text(pattern)]) => matches(meter, text, pattern),
        ("find", [Value::Text(of)]) => {
            found(meter, text, of, 1).map(|found| found.into_iter().next().unwrap_or_else(|| Value::text("")))
        }
        ("findAll", [Value::Text(of)]) => found(meter, text, of, -1).map(Value::list),
        ("findAll", [Value::Text(of), Value::Int(limit)]) => found(meter, text, of, *limit).map(Value::list),
        ("lowerAscii", []) => meter.allocate(text.len()).map(|()| Value::text(text.to_ascii_lowercase())),
        ("upperAscii", []) => meter.allocate(text.len()).map(|()| Value::text(text.to_ascii_uppercase())),
        ("trim", []) => meter.allocate(text.len()).map(|()| Value::text(text.trim())),
        ("replace", [Value::Text(from), Value::Text(to)]) => replace(meter, text, from, to, -1),
        ("replace", [Value::Text(from), Value::Text(to), Value::Int(count)]) => {
            replace(meter, text, from, to, *count)
        }
        ("split", [Value::Text(by)]) => split(meter, text, by, -1),
        ("split", [Value::Text(by), Value::Int(limit)]) => split(meter, text, by, *limit),
        ("charAt", [Value::Int(at)]) => char_at(text, *at),
        ("substring", [Value::Int(from)]) => substring(meter, text, *from, None),
        ("substring", [Value::Int(from), Value::Int(to)]) => substring(meter, text, *from, Some(*to)),
        ("indexOf", [Value::Text(part)]) => index(text, part, 0, false),
        ("indexOf", [Value::Text(part), Value::Int(from)]) => index(text, part, *from, false),
        ("lastIndexOf", [Value::Text(part)]) => Ok(Value::Int(match text.rfind(&**part) {
            _ if part.is_empty() => count(text),
            Some(at) => count(&text[..at]),
            None => -1,
        })),
        ("lastIndexOf", [Value::Text(part), Value::Int(to)]) => index(text, part, *to, true),
        ("format", [Value::List(args)]) => format::format(meter, text, args),
        _ => return None,
    })
}

fn count(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

fn replace(meter: &mut Meter, text: &str, from: &str, to: &str, limit: i64) -> Outcome {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let count = text.matches(from).take(limit).count();
    let length = (text.len() - count * from.len()).saturating_add(count.saturating_mul(to.len()));
    meter.allocate(length)?;
    Ok(Value::text(text.replacen(from, to, limit)))
}

fn split(meter: &mut Meter, text: &str, by: &str, limit: i64) -> Outcome {
    let limit = match usize::try_from(limit) {
        Ok(0) => return Ok(Value::list([])),
        Ok(limit) => limit,
        Err(_) => usize::MAX,
    };
    meter.items(text.matches(by).take(limit).count() + 1)?;
    meter.allocate(text.len())?;
    if !by.is_empty() {
        return Ok(Value::list(text.splitn(limit, by).map(Value::text)));
    }
    let mut letters = text.char_indices();
    let mut parts: Vec<Value> =
        letters.by_ref().take(limit - 1).map(|(_, letter)| Value::text(letter.to_string())).collect();
    let rest = letters.as_str();
    if !rest.is_empty() {
        parts.push(Value::text(rest));
    }
    Ok(Value::list(parts))
}

fn out_of_range(at: i64) -> EvalError {
    EvalError::failed(format!("index out of range: {at}"))
}

/// Returns the byte offset of a character; the end counts as one.
fn place(text: &str, at: i64) -> Result<usize, EvalError> {
    let index = usize::try_from(at).map_err(|_| out_of_range(at))?;
    let mut places = text.char_indices().map(|(place, _)| place).chain([text.len()]);
    places.nth(index).ok_or_else(|| out_of_range(at))
}

fn char_at(text: &str, at: i64) -> Outcome {
    let letter = text[place(text, at)?..].chars().next();
    Ok(Value::text(letter.map(|letter| letter.to_string()).unwrap_or_default()))
}

fn substring(meter: &mut Meter, text: &str, from: i64, to: Option<i64>) -> Outcome {
    if let Some(to) = to.filter(|to| from > *to) {
        return Err(EvalError::failed(format!("invalid substring range. start: {from}, end: {to}")));
    }
    let start = place(text, from)?;
    let end = to.map_or(Ok(text.len()), |to| place(text, to))?;
    meter.allocate(end - start)?;
    Ok(Value::text(&text[start..end]))
}

/// Returns the index of a part, at or after a place, or up to it.
fn index(text: &str, part: &str, at: i64, last: bool) -> Outcome {
    let Ok(offset) = usize::try_from(at) else { return Err(out_of_range(at)) };
    if part.is_empty() {
        return Ok(Value::Int(at.min(count(text))));
    }
    let Some((start, _)) = text.char_indices().nth(offset) else { return Ok(Value::Int(-1)) };
    let found = if last {
        // The last possible start.
        let letters = part.chars().count();
        let end = text[start..].char_indices().nth(letters).map_or(text.len(), |(at, _)| start + at);
        text[..end].rfind(part)
    } else {
        text[start..].find(part).map(|at| start + at)
    };
    Ok(Value::Int(found.map_or(-1, |at| count(&text[..at]))))
}

/// `strings.quote(text)`.
pub(super) fn quote(meter: &mut Meter, text: &str) -> Outcome {
    meter.allocate(text.len().saturating_mul(2))?;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            letter => out.push(letter),
        }
    }
    out.push('"');
    Ok(Value::text(out))
}
