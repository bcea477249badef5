//! Decoding into user types, with errors that have the path and the reason but never the value.
//!
//! Serde's errors quote the value, which may be a secret, and lack the path. So a decode that fails runs again with an error
//! type that tracks the path. A decode that succeeds costs nothing extra.

use std::fmt;

use client_rs_machinery::wire::DecodeError;
use client_rs_machinery::{Json, ReadError};
use serde::de::{DeserializeOwned, Expected, Unexpected};

/// Reads a value from JSON.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, DecodeError> {
    serde_json::from_slice(text).map_err(|error| explain::<T>(text, &error))
}

#[cold]
fn explain<T: DeserializeOwned>(text: &[u8], error: &serde_json::Error) -> DecodeError {
    let place = || {
        let (line, column) = (error.line(), error.column());
        DecodeError::invalid(format!("JSON that does not fit the type (line {line}, column {column})"))
    };
    let Ok(value) = Json::parse(text) else { return place() };
    let Err(mismatch) = T::deserialize(value.reader::<TypeMismatch>()) else { return place() };
    let mut error = DecodeError::invalid(mismatch.why);
    for segment in mismatch.path {
        error = match segment {
            Segment::Key(key) => error.in_key(&key),
            Segment::Index(index) => error.in_index(index),
        };
    }
    error
}

/// The reason of a mismatch and its path, innermost segment first.
#[derive(Debug)]
struct TypeMismatch {
    path: Vec<Segment>,
    why: String,
}

#[derive(Debug)]
enum Segment {
    Key(String),
    Index(usize),
}

impl ReadError for TypeMismatch {
    fn in_item(mut self, index: usize) -> Self {
        self.path.push(Segment::Index(index));
        self
    }

    fn in_entry(mut self, key: &str) -> Self {
        self.path.push(Segment::Key(key.to_owned()));
        self
    }
}

impl fmt::Display for TypeMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for TypeMismatch {}

impl serde::de::Error for TypeMismatch {
    /// A message of the user's type. It may quote the value, so it is not shown.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self { path: Vec::new(), why: "a value that its type refuses".to_owned() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self { path: Vec::new(), why: format!("{} where {expected} should be", kind_of(found)) }
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self { path: Vec::new(), why: format!("{} that is not {expected}", kind_of(found)) }
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self { path: Vec::new(), why: format!("{length} items where {expected} should be") }
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self { path: Vec::new(), why: format!("none of {}", expected.join(", ")) }
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self { path: Vec::new(), why: format!("the type has no field {field:?}") }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { path: Vec::new(), why: format!("the field {field:?} is missing") }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self { path: Vec::new(), why: format!("the field {field:?} occurs twice") }
    }
}

fn kind_of(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "an integer",
        Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) => "a text",
        Unexpected::Bytes(_) => "bytes",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq | Unexpected::TupleVariant => "a list",
        Unexpected::Map | Unexpected::StructVariant => "an object",
        _ => "another value",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        name: String,
        #[serde(default)]
        parts: Vec<Part>,
        #[serde(default)]
        by_name: BTreeMap<String, Shape>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Part {
        size: u8,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    enum Shape {
        Dot,
        Line { length: u32 },
    }

    #[test]
    fn an_error_has_the_path_and_the_reason_but_not_the_value() {
        for (text, expected) in [
            ("{}", ("", "the field \"name\" is missing")),
            (
                r#"{"name":"hunter2","parts":[{"size":1},{"size":"hunter2"}]}"#,
                ("[\"parts\"][1][\"size\"]", "a text where u8 should be"),
            ),
            (
                r#"{"name":"x","parts":[{"size":300}]}"#,
                ("[\"parts\"][0][\"size\"]", "an integer that is not u8"),
            ),
            (r#"{"name":"x","by_name":{"a":"hunter2"}}"#, ("[\"by_name\"][\"a\"]", "none of Dot, Line")),
            (
                r#"{"name":"x","by_name":{"a":{"Line":{"length":null}}}}"#,
                ("[\"by_name\"][\"a\"][\"Line\"][\"length\"]", "null where u32 should be"),
            ),
        ] {
            let error = read::<Outer>(text.as_bytes()).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert_eq!(
                (error.path().as_str(), error.to_string().contains(expected.1)),
                (expected.0, true),
                "{error}"
            );
        }
    }
}
