//! Writes JSON text.

use std::io::Write as _;

use super::swar;

/// Appends JSON text to a buffer, with no white space.
///
/// The caller opens and closes objects and arrays in order; the writer adds the commas.
#[derive(Debug, Default)]
pub struct Writer {
    text: Vec<u8>,
}

impl Writer {
    /// Creates an empty writer.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty writer with space for this many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self { text: Vec::with_capacity(bytes) }
    }

    /// Creates a writer that appends to a buffer.
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

    /// Writes `null`.
    pub fn null(&mut self) {
        self.text.extend_from_slice(b"null");
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.text.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Writes an integer.
    pub fn integer(&mut self, value: i64) {
        let _ = write!(self.text, "{value}");
    }

    /// Writes a floating-point number; `null` for one that JSON cannot express.
    pub fn float(&mut self, value: f64) {
        // A write to a vector never fails, and the only other error of an f64 becomes `null`.
        let _ = serde_json::to_writer(&mut self.text, &value);
    }

    /// Writes a string, quoted and escaped.
    pub fn text(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        self.text.reserve(rest.len() + 2);
        self.text.push(b'"');
        while let Some(at) = swar::find_special(rest) {
            self.text.extend_from_slice(&rest[..at]);
            self.escape(rest[at]);
            rest = &rest[at + 1..];
        }
        self.text.extend_from_slice(rest);
        self.text.push(b'"');
    }

    #[cold]
    fn escape(&mut self, byte: u8) {
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

    /// Writes JSON text verbatim.
    pub fn raw(&mut self, json: &[u8]) {
        self.text.extend_from_slice(json);
    }

    /// Opens an object.
    pub fn begin_object(&mut self) {
        self.text.push(b'{');
    }

    /// Writes an entry's key; its value must follow.
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

    /// Begins an array's element; its value must follow.
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
