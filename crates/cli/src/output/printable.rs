//! Untrusted text, made safe for a terminal.
//!
//! A terminal takes orders from the text that it shows: it moves its cursor, changes its title, hides or rewrites lines.
//! Names, messages, annotations and errors come from anybody who may write an object, from containers, servers and proxies. So
//! all that `krs` prints goes through [`Printable`], and output that must reach the reader byte by byte uses
//! [`raw`](Printable::raw): logs, the streams of `exec` and `attach`, JSON, YAML and what a template picks.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// A writer that escapes control sequences of terminals, and characters that change the direction of text.
/// Line feeds and tabs stay.
#[derive(Debug)]
pub struct Printable<W>(W);

/// Where a command writes to.
pub type Output<'s> = Printable<&'s mut (dyn Write + Send)>;

impl<W: Write> Printable<W> {
    /// Spells out on the way to `out`.
    pub fn new(out: W) -> Self {
        Self(out)
    }

    /// The writer itself, for bytes that are to arrive as they are.
    pub(crate) fn raw(&mut self) -> &mut W {
        &mut self.0
    }

    /// For `write!`, whether or not the trait is in scope.
    pub(crate) fn write_fmt(&mut self, text: std::fmt::Arguments<'_>) -> io::Result<()> {
        Write::write_fmt(self, text)
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write> Write for Printable<W> {
    /// Takes all or fails. A letter must not be cut in two.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for chunk in bytes.utf8_chunks() {
            self.0.write_all(printable(chunk.valid()).as_bytes())?;
            for byte in chunk.invalid() {
                write!(self.0, "\\x{byte:02x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The text with everything spelled out that could steer a terminal or hide: `^[` for ESC and `\r` for a carriage return, as
/// kubectl shows them, `^H` and the like for others of ASCII, `\u009b` and the like for the rest.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| steers(c) && !matches!(c, '\n' | '\t'))
}

/// As [`printable`], on one line and in one cell.
pub(crate) fn printable_line(text: &str) -> Cow<'_, str> {
    spelled_out(text, steers)
}

fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn spelled_out(text: &str, wanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&wanted) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if !wanted(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{7f}' => out.push_str("^?"),
            '\0'..='\u{1f}' => {
                out.push('^');
                out.extend(char::from_u32(u32::from(c) + 0x40));
            }
            c => {
                // Writing to a string can't fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelled_out() {
        for (text, expected) in [
            ("plain ü\n\tline", "plain ü\n\tline"),
            ("\x1b[31mred\x1b[0m", "^[[31mred^[[0m"),
            ("a\rb\u{8}c\u{7}d\0", "a\\rb^Hc^Gd^@"),
            ("\u{7f}\u{9b}2J\u{85}", "^?\\u009b2J\\u0085"),
            ("a\u{202e}b\u{2066}c", "a\\u202eb\\u2066c"),
        ] {
            assert_eq!(printable(text), expected);
            // Twice is as good as once.
            assert_eq!(printable(&printable(text)), expected);
        }
        assert!(matches!(printable("plain"), Cow::Borrowed(_)));
        assert_eq!(printable_line("a\nb\tc\x1b"), "a\\nb\\tc^[");
    }

    #[test]
    fn a_writer_spells_out_and_hands_out_the_raw_one() {
        let mut bytes = Vec::new();
        let mut out = Printable::new(&mut bytes);
        write!(out, "{}\x1b|", char::from(0x9b)).unwrap();
        out.write_all(b"\x9b\xff|").unwrap();
        out.raw().write_all(b"\x1b\x9b").unwrap();
        assert_eq!(bytes, b"\\u009b^[|\\x9b\\xff|\x1b\x9b");
    }
}
