//! Semantic versions.

use std::cmp::Ordering;
use std::sync::Arc;

use client_rs_machinery::go_quoted;

use super::Outcome;
use crate::value::{Kind, Library};
use crate::{EvalError, Value};

pub(super) const GLOBAL: [&str; 2] = ["semver", "isSemver"];
pub(super) const METHODS: [&str; 3] = ["major", "minor", "patch"];

/// A version. Build metadata does not count for equality and order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Semver {
    numbers: [u64; 3],
    before: Vec<Label>,
}

/// A label of a pre-release; numbers are less than words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Number(u64),
    Word(String),
}

impl Semver {
    /// Returns the number of bytes to compare.
    pub(crate) fn len(&self) -> usize {
        let of = |label: &Label| match label {
            Label::Number(_) => 16,
            Label::Word(word) => 16 + word.len(),
        };
        self.before.iter().map(of).sum()
    }

    fn compare(&self, other: &Self) -> Ordering {
        let release = |version: &Self| version.before.is_empty();
        self.numbers
            .cmp(&other.numbers)
            .then_with(|| release(self).cmp(&release(other)))
            .then_with(|| self.before.cmp(&other.before))
    }
}

fn number(text: &str, what: &str) -> Result<u64, String> {
    let title = {
        let mut letters = what.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    if !text.bytes().all(|letter| letter.is_ascii_digit()) {
        return Err(format!("Invalid character(s) found in {what} number {}", go_quoted(text)));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(format!("{title} number must not contain leading zeroes {}", go_quoted(text)));
    }
    parse_uint(text)
}

fn parse_uint(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| {
        let why = if text.is_empty() { "invalid syntax" } else { "value out of range" };
        format!("strconv.ParseUint: parsing {}: {why}", go_quoted(text))
    })
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
}

fn label(text: &str) -> Result<Label, String> {
    if text.is_empty() {
        return Err("Prerelease is empty".to_owned());
    }
    if text.bytes().all(|letter| letter.is_ascii_digit()) {
        if text.len() > 1 && text.starts_with('0') {
            let shown = go_quoted(text);
            return Err(format!("Numeric PreRelease version must not contain leading zeroes {shown}"));
        }
        return parse_uint(text).map(Label::Number);
    }
    if !is_word(text) {
        return Err(format!("Invalid character(s) found in prerelease {}", go_quoted(text)));
    }
    Ok(Label::Word(text.to_owned()))
}

fn parse(text: &str) -> Result<Semver, String> {
    if text.is_empty() {
        return Err("Version string empty".to_owned());
    }
    let parts: Vec<&str> = text.splitn(3, '.').collect();
    let [major, minor, rest] = parts[..] else {
        return Err("No Major.Minor.Patch elements found".to_owned());
    };
    let (major, minor) = (number(major, "major")?, number(minor, "minor")?);
    let (rest, build) = rest.split_once('+').map_or((rest, None), |(rest, build)| (rest, Some(build)));
    let (patch, before) = rest.split_once('-').map_or((rest, None), |(patch, before)| (patch, Some(before)));
    let patch = number(patch, "patch")?;
    let before = before.iter().flat_map(|before| before.split('.')).map(label).collect::<Result<_, _>>()?;
    for part in build.iter().flat_map(|build| build.split('.')) {
        if part.is_empty() {
            return Err("Build meta data is empty".to_owned());
        }
        if !is_word(part) {
            return Err(format!("Invalid character(s) found in build meta data {}", go_quoted(part)));
        }
    }
    Ok(Semver { numbers: [major, minor, patch], before })
}

/// Parses the common loose forms: `v1`, `1.02`.
fn parse_loose(text: &str) -> Result<Semver, String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let mut parts: Vec<String> = text.splitn(3, '.').map(str::to_owned).collect();
    for part in &mut parts {
        if part.len() > 1 {
            let trimmed = part.trim_start_matches('0');
            let digit = trimmed.starts_with(|first: char| first.is_ascii_digit());
            *part = if digit { trimmed.to_owned() } else { format!("0{trimmed}") };
        }
    }
    if parts.len() < 3 {
        if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
            return Err("short version cannot contain PreRelease/Build meta data".to_owned());
        }
        parts.resize(3, "0".to_owned());
    }
    parse(&parts.join("."))
}

pub(super) fn global(function: &str, text: &str, loose: bool) -> Outcome {
    let version = if loose { parse_loose(text) } else { parse(text) };
    if function == "isSemver" {
        return Ok(Value::Bool(version.is_ok()));
    }
    Ok(Kind::Semver(Arc::new(version.map_err(EvalError::failed)?)).into())
}

pub(super) fn method(version: &Semver, function: &str, args: &[Value]) -> Option<Outcome> {
    let part = |at: usize| Value::Int(version.numbers[at].cast_signed());
    let order = match args {
        [Value::Library(Library(Kind::Semver(other)))] => Some(version.compare(other)),
        [] => None,
        _ => return None,
    };
    Some(Ok(match (function, order) {
        ("major", None) => part(0),
        ("minor", None) => part(1),
        ("patch", None) => part(2),
        ("compareTo", Some(order)) => Value::Int(order as i64),
        ("isGreaterThan", Some(order)) => Value::Bool(order.is_gt()),
        ("isLessThan", Some(order)) => Value::Bool(order.is_lt()),
        _ => return None,
    }))
}
