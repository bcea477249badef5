//! Paths that are built from segments.

use client_rs_machinery::validation;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::{PathPart, RequestError};

/// The characters that must be escaped in a path: all that URLs do not allow there.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Whether a text can be one segment of a path: not `.`, not `..`, no `/`, no `%`.
pub(super) fn check(part: PathPart, value: &str) -> Result<(), RequestError> {
    validation::path_segment_name(value).map_err(|violations| RequestError::Segment {
        part,
        value: value.chars().take(256).collect(),
        why: violations.to_string(),
    })
}

/// Joins paths into an absolute one: empty segments and `.` are dropped, and `..` removes the previous segment.
pub(super) fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in parts.into_iter().flat_map(|part| part.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    format!("/{}", segments.join("/"))
}

/// Encodes a path for a URL.
pub(super) fn encode(path: &str) -> String {
    utf8_percent_encode(path, ESCAPED).to_string()
}
