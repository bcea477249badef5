//! Paths that are built from segments.

use std::borrow::Cow;

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

/// An absolute path that is joined from parts.
#[derive(Debug)]
pub(super) struct Joined(String);

impl Joined {
    pub(super) fn new() -> Self {
        Self(String::with_capacity(USUAL))
    }

    /// Appends the segments of a part: empty ones and `.` are dropped, and `..` removes the previous one.
    pub(super) fn push(&mut self, part: &str) {
        for segment in part.split('/') {
            match segment {
                "" | "." => {}
                ".." => self.0.truncate(self.0.rfind('/').unwrap_or_default()),
                segment => {
                    self.0.push('/');
                    self.0.push_str(segment);
                }
            }
        }
    }

    pub(super) fn into_path(mut self) -> String {
        if self.0.is_empty() {
            self.0.push('/');
        }
        self.0
    }
}

/// The space that most paths need.
const USUAL: usize = 128;

/// Joins paths into an absolute one.
pub(super) fn join<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut path = Joined::new();
    parts.into_iter().for_each(|part| path.push(part));
    path.into_path()
}

/// Encodes a path for a URL.
pub(super) fn encode(path: String) -> String {
    // Most paths have nothing else.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'.');
    if path.bytes().all(is_plain) {
        return path;
    }
    match Cow::from(utf8_percent_encode(&path, ESCAPED)) {
        Cow::Owned(encoded) => encoded,
        // Nothing is escaped.
        Cow::Borrowed(_) => path,
    }
}
