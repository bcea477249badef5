//! The comparison of requests.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use client_rs_machinery::Time;
use serde_json::Value;

/// A request of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) content: String,
    /// The body, with secrets hidden.
    pub(super) body: String,
}

impl Sent {
    /// Whether it is the same request, apart from its body.
    pub(super) fn is_to(&self, other: &Self) -> bool {
        self.method == other.method && self.path == other.path
    }

    /// The method, and the path without its query.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.method, self.path.split('?').next().unwrap_or_default())
    }

    /// The request with the time of a second instead of that of another one. A run may read the clock at any time between two lines of
    /// the recording, and a second may begin in between.
    pub(super) fn at_second(&self, was: u64, is: u64) -> Self {
        let text = |second: u64| {
            i64::try_from(second).ok().and_then(|second| Time::new(second, 0)).map(|time| time.to_string())
        };
        match (text(was), text(is)) {
            (Some(was), Some(is)) => Self { body: self.body.replace(&was, &is), ..self.clone() },
            _ => self.clone(),
        }
    }

    /// The differences from the recorded request. None if the bodies are equal, byte for byte, or differ only in fields that are
    /// ignored.
    pub(super) fn differences(&self, recorded: &Self, ignored: &BTreeSet<String>) -> Vec<String> {
        let mut lines = Vec::new();
        if self.content != recorded.content {
            lines.push(format!("media type: {} → {}", recorded.content, self.content));
        }
        if self.body == recorded.body {
            return lines;
        }
        let parse = |body: &str| {
            let mut value = serde_json::from_str::<Value>(body).ok()?;
            leave_out(&mut value, &mut String::new(), ignored);
            Some(value)
        };
        match (parse(&recorded.body), parse(&self.body)) {
            (Some(was), Some(is)) if was == is && !ignored.is_empty() => {}
            (Some(was), Some(is)) if was == is => lines.push("the same JSON in other bytes".to_owned()),
            (Some(was), Some(is)) => differing(&was, &is, &mut String::new(), &mut lines),
            _ => {
                let same =
                    recorded.body.bytes().zip(self.body.bytes()).take_while(|(was, is)| was == is).count();
                lines.push(format!("the bodies differ from byte {same} on"));
            }
        }
        lines
    }
}

/// The most lines of a difference.
const MOST_LINES: usize = 20;
/// The most characters of a value.
const MOST_CHARACTERS: usize = 120;

/// Adds a line for each value that differs.
fn differing(was: &Value, is: &Value, path: &mut String, lines: &mut Vec<String>) {
    if was == is || lines.len() >= MOST_LINES {
        return;
    }
    let length = path.len();
    match (was, is) {
        (Value::Object(was), Value::Object(is)) => {
            for name in was.keys().chain(is.keys().filter(|name| !was.contains_key(*name))) {
                let value = |of: &serde_json::Map<String, Value>| of.get(name).cloned().unwrap_or_default();
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
                differing(&value(was), &value(is), path, lines);
                path.truncate(length);
            }
        }
        (Value::Array(was), Value::Array(is)) if was.len() == is.len() => {
            for (place, (was, is)) in was.iter().zip(is).enumerate() {
                // Writing to a text never fails.
                let _ = write!(path, "[{place}]");
                differing(was, is, path, lines);
                path.truncate(length);
            }
        }
        _ => {
            let text = |value: &Value| match value {
                Value::Null => "unset".to_owned(),
                value => value.to_string().chars().take(MOST_CHARACTERS).collect(),
            };
            lines.push(format!("{path} {} → {}", text(was), text(is)));
        }
    }
}

/// Removes the fields with these paths; `[]` stands for the items of a list.
fn leave_out(value: &mut Value, path: &mut String, ignored: &BTreeSet<String>) {
    let length = path.len();
    match value {
        Value::Object(fields) => fields.retain(|field, inner| {
            if !path.is_empty() {
                path.push('.');
            }
            path.push_str(field);
            let stays = !ignored.contains(path.as_str());
            if stays {
                leave_out(inner, path, ignored);
            }
            path.truncate(length);
            stays
        }),
        Value::Array(items) => {
            path.push_str("[]");
            for item in items {
                leave_out(item, path, ignored);
            }
            path.truncate(length);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(body: &str) -> Sent {
        let (method, path) = ("PATCH".to_owned(), "/api/v1/pods/a?force=true".to_owned());
        Sent { method, path, content: "application/json".to_owned(), body: body.to_owned() }
    }

    #[test]
    fn a_second_that_begins_in_a_run_is_no_difference() {
        let at = |time: &str| sent(&format!(r#"{{"a":"{time}","b":"2027-01-15T08:00:09Z"}}"#));
        let (early, late) = (at("2027-01-15T08:00:00Z"), at("2027-01-15T08:00:01Z"));
        assert_eq!(early.at_second(1_800_000_000, 1_800_000_001), late);
        assert_eq!(early.at_second(1_800_000_005, 1_800_000_001), early);
    }

    #[test]
    fn differences_name_the_fields() {
        let none = BTreeSet::new();
        let recorded = sent(r#"{"spec":{"a":1,"b":2}}"#);
        assert!(recorded.differences(&recorded, &none).is_empty());
        let other = sent(r#"{"spec":{"a":1,"b":3}}"#).differences(&recorded, &none);
        assert_eq!(other, ["spec.b 2 → 3"]);
        let bytes = sent(r#"{"spec":{"b":2,"a":1}}"#).differences(&recorded, &none);
        assert_eq!(bytes, ["the same JSON in other bytes"]);
        let text = sent("spec: 1").differences(&recorded, &none);
        assert_eq!(text, ["the bodies differ from byte 0 on"]);
        let ignored = ["spec.b".to_owned(), "spec.c[].d".to_owned()].into();
        let listed = |d: u8| sent(&format!(r#"{{"spec":{{"c":[{{"d":{d}}}]}}}}"#));
        assert!(listed(1).differences(&listed(2), &ignored).is_empty());
        assert!(sent(r#"{"spec":{"a":1,"b":3}}"#).differences(&recorded, &ignored).is_empty());
        assert_eq!(recorded.title(), "PATCH /api/v1/pods/a");
    }
}
