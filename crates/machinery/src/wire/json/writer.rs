//! Writes JSON text.

use std::io::Write as _;

/// Appends JSON text to a buffer, with no white space.
///
/// The caller opens and closes objects and arrays in order; commas are the writer's business.
#[derive(Debug, Default)]
pub struct Writer {
    text: Vec<u8>,
}

impl Writer {
    /// An empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// A writer that appends to a buffer.
    pub fn on(text: Vec<u8>) -> Self {
        Self { text }
    }

    /// Returns the text written so far.
    pub fn as_slice(&self) -> &[u8] {
        &self.text
    }

    /// Returns the text written so far as a vector.
    pub fn into_vec(self) -> Vec<u8> {
        self.text
    }

    /// `null`.
    pub fn null(&mut self) {
        self.text.extend_from_slice(b"null");
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.text.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// An integer.
    pub fn integer(&mut self, value: i64) {
        let _ = write!(self.text, "{value}");
    }

    /// A floating-point number; one that JSON has no form for is `null`.
    pub fn float(&mut self, value: f64) {
        // A vector takes every write, and f64 has no other error than this one's `null`.
        let _ = serde_json::to_writer(&mut self.text, &value);
    }

    /// A string, quoted and escaped.
    pub fn text(&mut self, text: &str) {
        self.text.push(b'"');
        let bytes = text.as_bytes();
        let mut from = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if byte >= 0x20 && byte != b'"' && byte != b'\\' {
                continue;
            }
            self.text.extend_from_slice(&bytes[from..at]);
            from = at + 1;
            match byte {
                b'"' => self.text.extend_from_slice(b"\\\""),
                b'\\' => self.text.extend_from_slice(b"\\\\"),
                b'\n' => self.text.extend_from_slice(b"\\n"),
                b'\r' => self.text.extend_from_slice(b"\\r"),
                b'\t' => self.text.extend_from_slice(b"\\t"),
                other => {
                    let _ = write!(self.text, "\\u{other:04x}");
                }
            }
        }
        self.text.extend_from_slice(&bytes[from..]);
        self.text.push(b'"');
    }

    /// JSON text that is already there, verbatim.
    pub fn raw(&mut self, json: &[u8]) {
        self.text.extend_from_slice(json);
    }

    /// Opens an object.
    pub fn begin_object(&mut self) {
        self.text.push(b'{');
    }

    /// An entry's key; its value follows.
    pub fn key(&mut self, key: &str) {
        self.separate();
        self.text(key);
        self.text.push(b':');
    }

    /// Closes an object.
    pub fn end_object(&mut self) {
        self.text.push(b'}');
    }

    /// Opens an array.
    pub fn begin_array(&mut self) {
        self.text.push(b'[');
    }

    /// Announces an array's element; its value follows.
    pub fn element(&mut self) {
        self.separate();
    }

    /// Closes an array.
    pub fn end_array(&mut self) {
        self.text.push(b']');
    }

    fn separate(&mut self) {
        // An opening bracket or a value precedes an entry; only a value needs a comma.
        if !matches!(self.text.last(), None | Some(b'{' | b'[')) {
            self.text.push(b',');
        }
    }
}
