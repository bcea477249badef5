//! A pull reader of JSON text: the caller names what it expects, and the reader returns it or an error.

use std::borrow::Cow;

use super::block::plain_text;
use super::brackets::{Brackets, MAX_NESTING};
use super::scan::{Scan, Scanner};
use super::swar::find_special;
use crate::utf8;
use crate::wire::{DecodeError, DecodeErrorKind};

const CONTROL: &str = "a control character in a string";
const NO_ESCAPE: &str = "an escape that JSON does not have";

/// A pull reader of JSON text; it borrows from the text unless an escape forces a copy.
///
/// Invalid UTF-8 inside a string becomes U+FFFD, as in the API server; any other malformed text is an error with its
/// byte offset.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    /// The depth to which a skipped value may nest.
    nesting: usize,
}

impl<'a> Reader<'a> {
    /// Creates a reader at the first byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0, nesting: MAX_NESTING }
    }

    /// Creates a reader that fails near the depth limit, counting the typed levels around it.
    pub(crate) fn shallow(bytes: &'a [u8]) -> Self {
        Self { nesting: MAX_NESTING / 2, ..Self::new(bytes) }
    }

    /// Returns how many bytes have been read.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the first byte of the next token behind white space; `None` at the end.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        loop {
            match self.bytes.get(self.position) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.position += 1,
                other => return other.copied(),
            }
        }
    }

    /// Reads a `null` if it is next.
    #[inline]
    pub fn take_null(&mut self) -> Result<bool, DecodeError> {
        if self.peek() == Some(b'n') {
            self.literal(b"null")?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Reads a boolean.
    pub fn boolean(&mut self) -> Result<bool, DecodeError> {
        match self.peek() {
            Some(b't') => self.literal(b"true").map(|()| true),
            Some(b'f') => self.literal(b"false").map(|()| false),
            _ => Err(self.unexpected("a boolean")),
        }
    }

    /// Reads an integer; a number with a fraction or an exponent is not one.
    pub fn integer(&mut self) -> Result<i64, DecodeError> {
        let start = self.position;
        let text = self.number("an integer")?;
        text.parse().map_err(|_| {
            let reason = if text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
                "an integer out of the range of 64 bits"
            } else {
                "expected an integer, found a number with a fraction or an exponent"
            };
            DecodeError::invalid(reason).at(start)
        })
    }

    /// Reads a floating-point number.
    pub fn float(&mut self) -> Result<f64, DecodeError> {
        let start = self.position;
        let text = self.number("a number")?;
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(DecodeError::invalid("a number out of the range of 64-bit floating point").at(start)),
        }
    }

    /// Reads the text of a number.
    pub fn number(&mut self, expected: &'static str) -> Result<&'a str, DecodeError> {
        if !matches!(self.peek(), Some(b'-' | b'0'..=b'9')) {
            return Err(self.unexpected(expected));
        }
        let start = self.position;
        if self.bytes[self.position] == b'-' {
            self.position += 1;
        }
        match self.bytes.get(self.position) {
            Some(b'0') => self.position += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.no_digits()),
        }
        if self.bytes.get(self.position) == Some(&b'.') {
            self.position += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.bytes.get(self.position) {
            self.position += 1;
            if let Some(b'+' | b'-') = self.bytes.get(self.position) {
                self.position += 1;
            }
            self.some_digits()?;
        }
        // Only ASCII was let through.
        Ok(utf8::text(&self.bytes[start..self.position]).unwrap_or_default())
    }

    /// Reads a string.
    #[inline]
    pub fn text(&mut self) -> Result<Cow<'a, str>, DecodeError> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a string"));
        }
        let start = self.position + 1;
        let rest = &self.bytes[start..];
        if let Some(text) = plain_text(rest) {
            self.position = start + text.len() + 1;
            return Ok(Cow::Borrowed(text));
        }
        self.other_text(start)
    }

    /// Reads the string that begins at `start`, with any content.
    fn other_text(&mut self, start: usize) -> Result<Cow<'a, str>, DecodeError> {
        let rest = &self.bytes[start..];
        match find_special(rest) {
            Some(length) if rest[length] == b'"' => {
                self.position = start + length + 1;
                let text = &rest[..length];
                Ok(utf8::text(text).map_or_else(|_| String::from_utf8_lossy(text), Cow::Borrowed))
            }
            Some(_) => self.escaped_text(start),
            None => Err(self.truncated()),
        }
    }

    /// Reads the `{` of an object; [`next_key`](Self::next_key) reads its entries.
    pub fn begin_object(&mut self) -> Result<(), DecodeError> {
        self.take(b'{', "an object")
    }

    /// Reads the next entry's key and its `:`; returns `None` at the end of the object.
    ///
    /// `first` is true on the first call for an object and is set to false by it.
    #[inline]
    pub fn next_key(&mut self, first: &mut bool) -> Result<Option<Cow<'a, str>>, DecodeError> {
        if !self.before_key(first)? {
            return Ok(None);
        }
        let key = self.text()?;
        self.colon()?;
        Ok(Some(key))
    }

    /// Reads the `[` of an array; [`next_element`](Self::next_element) moves to its elements.
    pub fn begin_array(&mut self) -> Result<(), DecodeError> {
        self.take(b'[', "an array")
    }

    /// Whether another element follows; if not, reads the `]`.
    ///
    /// `first` is true on the first call for an array and is set to false by it.
    pub fn next_element(&mut self, first: &mut bool) -> Result<bool, DecodeError> {
        match self.peek() {
            Some(b']') => {
                self.position += 1;
                Ok(false)
            }
            Some(b',') if !*first => {
                self.position += 1;
                if self.peek() == Some(b']') {
                    return Err(self.unexpected("a value"));
                }
                Ok(true)
            }
            Some(_) if *first => {
                *first = false;
                Ok(true)
            }
            _ => Err(self.unexpected("`,` or `]`")),
        }
    }

    /// Returns the next value's text, without white space around it.
    pub fn raw(&mut self) -> Result<&'a [u8], DecodeError> {
        self.peek();
        let start = self.position;
        self.skip()?;
        Ok(&self.bytes[start..self.position])
    }

    /// Skips the next value of any type.
    pub fn skip(&mut self) -> Result<(), DecodeError> {
        // Most skipped values are scalars, which need no stack.
        if !self.skip_scalar()? {
            self.skip_nested()?;
        }
        Ok(())
    }

    /// Skips the next value, whose content nobody wants. Of an object or array, only the end is searched for: this is faster than
    /// [`skip`](Self::skip), and mistakes within it go unnoticed.
    pub(crate) fn skip_unread(&mut self) -> Result<(), DecodeError> {
        match self.peek() {
            Some(b'{' | b'[') => self.scan_raw(&mut Scanner::default()).map(|_| ()),
            _ => self.skip(),
        }
    }

    /// Continues at `position`, which the caller knows to be the end of a value.
    pub(crate) fn jump(&mut self, position: usize) {
        self.position = position.min(self.bytes.len());
    }

    /// Returns the text of the next value. Only its end is searched for; the decoder of the value checks the rest.
    pub(crate) fn scan_raw(&mut self, scanner: &mut Scanner) -> Result<&'a [u8], DecodeError> {
        if self.peek().is_none() {
            return Err(self.truncated());
        }
        let rest = &self.bytes[self.position..];
        scanner.reset();
        match scanner.scan(rest) {
            Ok(Scan::End(length)) => {
                self.position += length;
                Ok(&rest[..length])
            }
            Ok(Scan::More) => Err(self.truncated()),
            Err((kind, at)) => Err(DecodeError::new(kind).at(self.position + at)),
        }
    }

    /// Fails unless only white space is left.
    pub fn end(&mut self) -> Result<(), DecodeError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(DecodeError::new(DecodeErrorKind::Trailing).at(self.position)),
        }
    }

    fn skip_scalar(&mut self) -> Result<bool, DecodeError> {
        match self.peek() {
            Some(b'"') => self.skip_text()?,
            Some(b't') => self.literal(b"true")?,
            Some(b'f') => self.literal(b"false")?,
            Some(b'n') => self.literal(b"null")?,
            Some(b'-' | b'0'..=b'9') => self.number("a value").map(|_| ())?,
            Some(b'{' | b'[') => return Ok(false),
            _ => return Err(self.unexpected("a value")),
        }
        Ok(true)
    }

    fn skip_nested(&mut self) -> Result<(), DecodeError> {
        let mut open = Brackets::default();
        loop {
            // A value is next.
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    if open.depth() == self.nesting {
                        return Err(DecodeError::new(DecodeErrorKind::TooDeep).at(self.position));
                    }
                    self.position += 1;
                    let is_object = bracket == b'{';
                    open.push(is_object);
                    match (self.peek(), is_object) {
                        (Some(b'"'), true) => {
                            self.skip_key()?;
                            continue;
                        }
                        (Some(b'}'), true) | (Some(b']'), false) => {}
                        (_, true) => return Err(self.unexpected("a key or `}`")),
                        (_, false) => continue,
                    }
                }
                _ => {
                    self.skip_scalar()?;
                }
            }
            // Moves on to the next value, and closes objects and arrays that end here.
            while let Some(is_object) = open.innermost() {
                match (self.peek(), is_object) {
                    (Some(b','), true) => {
                        self.position += 1;
                        if self.peek() != Some(b'"') {
                            return Err(self.unexpected("a key"));
                        }
                        self.skip_key()?;
                        break;
                    }
                    (Some(b','), false) => {
                        self.position += 1;
                        if self.peek() == Some(b']') {
                            return Err(self.unexpected("a value"));
                        }
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.position += 1;
                        open.pop();
                    }
                    (_, true) => return Err(self.unexpected("`,` or `}`")),
                    (_, false) => return Err(self.unexpected("`,` or `]`")),
                }
            }
            if open.depth() == 0 {
                return Ok(());
            }
        }
    }

    #[inline]
    fn skip_key(&mut self) -> Result<(), DecodeError> {
        self.skip_text()?;
        self.colon()
    }

    /// Whether a key follows; if not, reads the `}`.
    #[inline]
    fn before_key(&mut self, first: &mut bool) -> Result<bool, DecodeError> {
        match self.peek() {
            Some(b'}') => {
                self.position += 1;
                return Ok(false);
            }
            Some(b',') if !*first => {
                self.position += 1;
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected("a key"));
                }
            }
            Some(b'"') if *first => *first = false,
            _ => return Err(self.unexpected(if *first { "a key or `}`" } else { "`,` or `}`" })),
        }
        Ok(true)
    }

    #[inline]
    fn colon(&mut self) -> Result<(), DecodeError> {
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:`"));
        }
        self.position += 1;
        Ok(())
    }

    /// Skips a string, whose `"` is next. Its content is neither copied nor checked for UTF-8, so neither can fail.
    #[inline]
    fn skip_text(&mut self) -> Result<(), DecodeError> {
        if let Some(text) = plain_text(&self.bytes[self.position + 1..]) {
            self.position += text.len() + 2;
            return Ok(());
        }
        self.skip_other_text()
    }

    fn skip_other_text(&mut self) -> Result<(), DecodeError> {
        let mut from = self.position + 1;
        loop {
            let rest = &self.bytes[from..];
            let length = find_special(rest).ok_or_else(|| self.truncated())?;
            from += length + 1;
            match rest[length] {
                b'"' => {
                    self.position = from;
                    return Ok(());
                }
                b'\\' => {}
                _ => return Err(self.malformed(CONTROL)),
            }
            from = match self.bytes.get(from) {
                Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => from + 1,
                Some(b'u') => self.hex(from + 1).map(|_| from + 5)?,
                Some(_) => return Err(self.malformed(NO_ESCAPE)),
                None => return Err(self.truncated()),
            };
        }
    }

    fn escaped_text(&mut self, start: usize) -> Result<Cow<'a, str>, DecodeError> {
        let mut text: Vec<u8> = Vec::new();
        let mut from = start;
        loop {
            let rest = &self.bytes[from..];
            let length = find_special(rest).ok_or_else(|| self.truncated())?;
            text.extend_from_slice(&rest[..length]);
            from += length + 1;
            match rest[length] {
                b'"' => {
                    self.position = from;
                    let text = match String::from_utf8(text) {
                        Ok(text) => text,
                        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
                    };
                    return Ok(Cow::Owned(text));
                }
                b'\\' => {}
                _ => return Err(self.malformed(CONTROL)),
            }
            from = self.escape(from, &mut text)?;
        }
    }

    /// Reads the escape behind a backslash at `from`; returns the position behind it.
    fn escape(&self, from: usize, text: &mut Vec<u8>) -> Result<usize, DecodeError> {
        let &kind = self.bytes.get(from).ok_or_else(|| self.truncated())?;
        let plain = match kind {
            b'"' | b'\\' | b'/' => kind,
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => return self.unicode_escape(from + 1, text),
            _ => return Err(self.malformed(NO_ESCAPE)),
        };
        text.push(plain);
        Ok(from + 1)
    }

    fn unicode_escape(&self, from: usize, text: &mut Vec<u8>) -> Result<usize, DecodeError> {
        let high = self.hex(from)?;
        let mut end = from + 4;
        let mut character = char::from_u32(high);
        if (0xd800..0xdc00).contains(&high) && self.bytes.get(end..end + 2) == Some(b"\\u") {
            let low = self.hex(end + 2)?;
            if (0xdc00..0xe000).contains(&low) {
                character = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00));
                end += 6;
            }
        }
        // A surrogate without its partner has no character: the API server reads U+FFFD, and so do we.
        let mut buffer = [0; 4];
        let encoded = character.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut buffer);
        text.extend_from_slice(encoded.as_bytes());
        Ok(end)
    }

    fn hex(&self, from: usize) -> Result<u32, DecodeError> {
        let mut value = 0;
        for at in from..from + 4 {
            let &byte = self.bytes.get(at).ok_or_else(|| self.truncated())?;
            let digit = char::from(byte).to_digit(16);
            value =
                value << 4 | digit.ok_or_else(|| self.malformed("a \\u escape without four hex digits"))?;
        }
        Ok(value)
    }

    fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), DecodeError> {
        if self.peek() == Some(byte) {
            self.position += 1;
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    fn literal(&mut self, literal: &'static [u8]) -> Result<(), DecodeError> {
        let rest = &self.bytes[self.position..];
        if rest.starts_with(literal) {
            self.position += literal.len();
            return Ok(());
        }
        if literal.starts_with(rest) {
            return Err(self.truncated());
        }
        Err(self.malformed("a word that is not `true`, `false` or `null`"))
    }

    fn digits(&mut self) {
        while let Some(b'0'..=b'9') = self.bytes.get(self.position) {
            self.position += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), DecodeError> {
        let start = self.position;
        self.digits();
        if self.position == start { Err(self.no_digits()) } else { Ok(()) }
    }

    /// The error for a next value of another type than expected.
    #[cold]
    pub(crate) fn unexpected(&mut self, expected: &'static str) -> DecodeError {
        let found = match self.peek() {
            None => return self.truncated(),
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            Some(b'-' | b'0'..=b'9') => "a number",
            Some(b'}' | b']' | b',' | b':') => "punctuation",
            Some(_) => "a byte that starts no JSON value",
        };
        DecodeError::wrong_type(expected, found).at(self.position)
    }

    #[cold]
    fn no_digits(&self) -> DecodeError {
        if self.position == self.bytes.len() {
            return self.truncated();
        }
        self.malformed("a number without digits")
    }

    #[cold]
    fn truncated(&self) -> DecodeError {
        DecodeError::new(DecodeErrorKind::Truncated).at(self.bytes.len())
    }

    #[cold]
    fn malformed(&self, what: &'static str) -> DecodeError {
        DecodeError::new(DecodeErrorKind::Malformed(what)).at(self.position)
    }
}

#[cfg(test)]
mod tests;
