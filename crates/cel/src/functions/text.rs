//! What can be asked of texts.

use std::sync::Arc;

use super::{Outcome, format};
use crate::{EvalError, Value, go};

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

pub(super) fn matches(text: &str, pattern: &str) -> Outcome {
    Ok(Value::Bool(go::pattern(pattern).map_err(EvalError::failed)?.is_match(text)))
}

fn found(text: &str, pattern: &str, limit: i64) -> Result<Vec<Value>, EvalError> {
    let pattern = go::pattern(pattern).map_err(|why| EvalError::failed(format!("Illegal regex: {why}")))?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    Ok(pattern.find_iter(text).take(limit).map(|found| Value::text(found.as_str())).collect())
}

pub(super) fn method(text: &Arc<str>, function: &str, args: &[Value]) -> Option<Outcome> {
    Some(match (function, args) {
        ("contains", [Value::Text(part)]) => Ok(Value::Bool(text.contains(&**part))),
        ("startsWith", [Value::Text(part)]) => Ok(Value::Bool(text.starts_with(&**part))),
        ("endsWith", [Value::Text(part)]) => Ok(Value::Bool(text.ends_with(&**part))),
        ("matches", [Value::Text(pattern)]) => matches(text, pattern),
        ("find", [Value::Text(of)]) => {
            found(text, of, 1).map(|found| found.into_iter().next().unwrap_or_else(|| Value::text("")))
        }
        ("findAll", [Value::Text(of)]) => found(text, of, -1).map(Value::list),
        ("findAll", [Value::Text(of), Value::Int(limit)]) => found(text, of, *limit).map(Value::list),
        ("lowerAscii", []) => Ok(Value::text(text.to_ascii_lowercase())),
        ("upperAscii", []) => Ok(Value::text(text.to_ascii_uppercase())),
        ("trim", []) => Ok(Value::text(text.trim())),
        ("replace", [Value::Text(from), Value::Text(to)]) => Ok(Value::text(text.replace(&**from, to))),
        ("replace", [Value::Text(from), Value::Text(to), Value::Int(count)]) => {
            Ok(match usize::try_from(*count) {
                Ok(count) => Value::text(text.replacen(&**from, to, count)),
                Err(_) => Value::text(text.replace(&**from, to)),
            })
        }
        ("split", [Value::Text(by)]) => Ok(split(text, by, -1)),
        ("split", [Value::Text(by), Value::Int(limit)]) => Ok(split(text, by, *limit)),
        ("charAt", [Value::Int(at)]) => char_at(text, *at),
        ("substring", [Value::Int(from)]) => substring(text, *from, None),
        ("substring", [Value::Int(from), Value::Int(to)]) => substring(text, *from, Some(*to)),
        ("indexOf", [Value::Text(part)]) => index(text, part, 0, false),
        ("indexOf", [Value::Text(part), Value::Int(from)]) => index(text, part, *from, false),
        ("lastIndexOf", [Value::Text(part)]) => Ok(Value::Int(match text.rfind(&**part) {
            _ if part.is_empty() => count(text),
            Some(at) => count(&text[..at]),
            None => -1,
        })),
        ("lastIndexOf", [Value::Text(part), Value::Int(to)]) => index(text, part, *to, true),
        ("format", [Value::List(args)]) => format::format(text, args),
        _ => return None,
    })
}

fn count(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

fn split(text: &str, by: &str, limit: i64) -> Value {
    let limit = match usize::try_from(limit) {
        Ok(0) => return Value::list([]),
        Ok(limit) => limit,
        Err(_) => usize::MAX,
    };
    if !by.is_empty() {
        return Value::list(text.splitn(limit, by).map(Value::text));
    }
    let mut letters = text.char_indices();
    let mut parts: Vec<Value> =
        letters.by_ref().take(limit - 1).map(|(_, letter)| Value::text(letter.to_string())).collect();
    let rest = letters.as_str();
    if !rest.is_empty() {
        parts.push(Value::text(rest));
    }
    Value::list(parts)
}

fn out_of_range(at: i64) -> EvalError {
    EvalError::failed(format!("index out of range: {at}"))
}

/// Where a character begins, by byte; the end counts as one.
fn place(text: &str, at: i64) -> Result<usize, EvalError> {
    let index = usize::try_from(at).map_err(|_| out_of_range(at))?;
    let mut places = text.char_indices().map(|(place, _)| place).chain([text.len()]);
    places.nth(index).ok_or_else(|| out_of_range(at))
}

fn char_at(text: &str, at: i64) -> Outcome {
    let letter = text[place(text, at)?..].chars().next();
    Ok(Value::text(letter.map(|letter| letter.to_string()).unwrap_or_default()))
}

fn substring(text: &str, from: i64, to: Option<i64>) -> Outcome {
    if let Some(to) = to.filter(|to| from > *to) {
        return Err(EvalError::failed(format!("invalid substring range. start: {from}, end: {to}")));
    }
    let start = place(text, from)?;
    let end = to.map_or(Ok(text.len()), |to| place(text, to))?;
    Ok(Value::text(&text[start..end]))
}

/// Where a part is, from a place on or up to it.
fn index(text: &str, part: &str, at: i64, last: bool) -> Outcome {
    let Ok(offset) = usize::try_from(at) else { return Err(out_of_range(at)) };
    let letters: Vec<char> = text.chars().collect();
    let wanted: Vec<char> = part.chars().collect();
    if wanted.is_empty() {
        return Ok(Value::Int(at.min(i64::try_from(letters.len()).unwrap_or(i64::MAX))));
    }
    if offset >= letters.len() || wanted.len() > letters.len() {
        return Ok(Value::Int(-1));
    }
    let end = letters.len() - wanted.len();
    let here = |place: &usize| letters[*place..*place + wanted.len()] == wanted[..];
    let found = if last { (0..=offset.min(end)).rev().find(here) } else { (offset..=end).find(here) };
    Ok(Value::Int(found.and_then(|at| i64::try_from(at).ok()).unwrap_or(-1)))
}

/// `strings.quote(text)`.
pub(super) fn quote(text: &str) -> Value {
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
    Value::text(out)
}
