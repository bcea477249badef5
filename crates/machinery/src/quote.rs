//! Go's quoted form of a text, which is part of the API server's messages.

use std::fmt::{self, Write};

/// Returns a text in double quotes, escaped like Go's `%q`.
pub fn go_quoted(text: &str) -> String {
    Quoted(text).to_string()
}

/// Displays a text like [`go_quoted`].
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl Quoted<'_> {
    /// Whether nothing has to be escaped.
    fn is_plain(&self) -> bool {
        self.0.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
    }

    /// Appends the quoted form to a text.
    pub(crate) fn push_to(&self, text: &mut String) {
        if self.is_plain() {
            text.push('"');
            text.push_str(self.0);
            text.push('"');
        } else {
            text.push_str(&self.to_string());
        }
    }
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        if self.is_plain() {
            f.write_str(self.0)?;
            return f.write_char('"');
        }
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\u{7}' => f.write_str("\\a")?,
                '\u{8}' => f.write_str("\\b")?,
                '\u{c}' => f.write_str("\\f")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                '\u{b}' => f.write_str("\\v")?,
                ' '..='~' => f.write_char(c)?,
                c if c.is_ascii() => write!(f, "\\x{:02x}", u32::from(c))?,
                c if is_printable(c) => f.write_char(c)?,
                c if u32::from(c) <= 0xffff => write!(f, "\\u{:04x}", u32::from(c))?,
                c => write!(f, "\\U{:08x}", u32::from(c))?,
            }
        }
        f.write_char('"')
    }
}

/// Close to Go's definition: the standard library's own tables of characters to escape, except combining marks, which
/// Go prints.
fn is_printable(c: char) -> bool {
    let pair = String::from_iter(['a', c]);
    pair.escape_debug().skip(1).eq([c])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts, with the output of Go's `%q`.
    #[test]
    fn quotes_as_go() {
        for (text, want) in [
            ("", r#""""#),
            ("a'b", r#""a'b""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("\u{0}\u{7}\u{8}\u{b}\u{c}\n\r\t\u{1b}\u{7f}", r#""\x00\a\b\v\f\n\r\t\x1b\x7f""#),
            ("é√日本🙂", "\"é√日本🙂\""),
            ("e\u{301}", "\"e\u{301}\""),
            ("\u{80}\u{200b}\u{feff}\u{e000}\u{e0001}", r#""\u0080\u200b\ufeff\ue000\U000e0001""#),
        ] {
            assert_eq!(Quoted(text).to_string(), want);
            let mut appended = String::from("a");
            Quoted(text).push_to(&mut appended);
            assert_eq!(appended, format!("a{want}"));
        }
    }
}
