//! Finds where a JSON value ends, over any chunking.

use std::ops::Range;

use super::swar::find_quote;
use crate::wire::DecodeErrorKind;

/// How deep a value may nest; the API server's own limit.
pub(crate) const MAX_NESTING: usize = 10_000;

/// Finds the end of one JSON value in bytes that arrive in pieces.
///
/// It checks what framing needs (strings, and that each bracket is closed by its partner) and nothing else:
/// whoever decodes the value checks the rest. Each byte is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    state: State,
    /// The closing partner of each open bracket, outermost first.
    open: Vec<u8>,
    /// How many bytes of the value the earlier pieces held.
    before: usize,
    /// See [`last_child`](Self::last_child).
    child: Range<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the value's first byte.
    #[default]
    Start,
    /// Inside brackets, outside strings.
    Nested,
    /// Inside a string.
    Text,
    /// Behind a backslash.
    Escape,
    /// In a number or a word that is the whole value.
    Scalar,
}

/// What [`Scanner::scan`] has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// The value ends before this byte of the piece.
    End(usize),
    /// It goes on behind the piece.
    More,
}

/// Why there is no value, and at which byte of the piece.
pub(crate) type ScanError = (DecodeErrorKind, usize);

impl Scanner {
    /// Ready for the next value.
    pub(crate) fn reset(&mut self) {
        self.state = State::Start;
        self.open.clear();
        self.before = 0;
        self.child = 0..0;
    }

    /// Where in the value the last object or array stands that is the value's own: not one inside another.
    pub(crate) fn last_child(&self) -> Range<usize> {
        self.child.clone()
    }

    /// Looks at the next piece; the value's first byte must be its first token.
    ///
    /// After `End` or an error the scanner must be `reset`.
    pub(crate) fn scan(&mut self, piece: &[u8]) -> Result<Scan, ScanError> {
        let scan = self.advance(piece);
        self.before += piece.len();
        scan
    }

    fn advance(&mut self, piece: &[u8]) -> Result<Scan, ScanError> {
        let mut at = 0;
        if self.state == State::Start {
            let Some(&first) = piece.first() else { return Ok(Scan::More) };
            self.state = match first {
                b'"' => {
                    at = 1;
                    State::Text
                }
                b'{' | b'[' => State::Nested,
                byte if is_scalar(byte) => State::Scalar,
                _ => return Err((DecodeErrorKind::Malformed("a value that JSON does not have"), 0)),
            };
        }
        match self.state {
            State::Scalar => {
                let end = piece[at..].iter().position(|byte| !is_scalar(*byte));
                return Ok(end.map_or(Scan::More, |length| Scan::End(at + length)));
            }
            State::Text | State::Escape => {
                let Some(end) = self.text(piece, at) else { return Ok(Scan::More) };
                if self.open.is_empty() {
                    return Ok(Scan::End(end));
                }
                at = end;
                self.state = State::Nested;
            }
            State::Start | State::Nested => {}
        }
        self.nested(piece, at)
    }

    /// From inside brackets, outside strings, to the end of the value or of the piece.
    fn nested(&mut self, piece: &[u8], mut at: usize) -> Result<Scan, ScanError> {
        while let Some(&byte) = piece.get(at) {
            at += 1;
            match byte {
                b'"' => {
                    self.state = State::Text;
                    let Some(end) = self.text(piece, at) else { return Ok(Scan::More) };
                    at = end;
                    self.state = State::Nested;
                }
                b'{' | b'[' => {
                    match self.open.len() {
                        1 => self.child.start = self.before + at - 1,
                        MAX_NESTING => return Err((DecodeErrorKind::TooDeep, at - 1)),
                        _ => {}
                    }
                    self.open.push(if byte == b'{' { b'}' } else { b']' });
                }
                b'}' | b']' => {
                    if self.open.pop() != Some(byte) {
                        let kind = DecodeErrorKind::Malformed("a bracket closed by another's partner");
                        return Err((kind, at - 1));
                    }
                    match self.open.len() {
                        0 => return Ok(Scan::End(at)),
                        1 => self.child.end = self.before + at,
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Ok(Scan::More)
    }

    /// The place behind the string that `at` is in; `None`, and the state to go on from, at the piece's end.
    #[inline]
    fn text(&mut self, piece: &[u8], mut at: usize) -> Option<usize> {
        if self.state == State::Escape {
            at += usize::from(!piece.is_empty());
            self.state = if piece.is_empty() { State::Escape } else { State::Text };
        }
        loop {
            at += find_quote(piece.get(at..)?)? + 1;
            if piece[at - 1] == b'"' {
                return Some(at);
            }
            if at == piece.len() {
                self.state = State::Escape;
                return None;
            }
            at += 1;
        }
    }
}

/// Whether a byte can stand in a number, `true`, `false` or `null`.
fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Result<Scan, ScanError> {
        Scanner::default().scan(text.as_bytes())
    }

    #[test]
    fn values_end_where_they_end() {
        for (text, expected) in [
            ("{} ", 2),
            ("{}{}", 2),
            (r#"{"a":[{"b":"}]"}]},1"#, 18),
            (r#""a\"b"x"#, 6),
            (r#""\\"x"#, 4),
            ("[[],[[]]]]", 9),
            ("12.5e-3,", 7),
            ("null}", 4),
            ("true]", 4),
            ("\"é\u{1F600}\"", 8),
        ] {
            assert_eq!(whole(text), Ok(Scan::End(expected)), "{text}");
        }
    }

    #[test]
    fn unfinished_values_want_more() {
        for text in ["", "{", "[", r#""a"#, r#""a\"#, r#""a\""#, r#"{"a":1"#, r#"{"a":""#, "12", "nul"] {
            assert_eq!(whole(text), Ok(Scan::More), "{text}");
        }
    }

    #[test]
    fn brackets_close_their_partner() {
        for text in ["{]", "[}", r#"{"a":[1,2}]"#, "]", "}", ",", ":"] {
            assert!(matches!(whole(text), Err((DecodeErrorKind::Malformed(_), _))), "{text}");
        }
    }

    #[test]
    fn nesting_has_a_limit() {
        assert_eq!(whole(&"[".repeat(MAX_NESTING)), Ok(Scan::More));
        let error = whole(&"[".repeat(MAX_NESTING + 1)).unwrap_err();
        assert_eq!(error, (DecodeErrorKind::TooDeep, MAX_NESTING));
    }

    #[test]
    fn the_last_child_is_not_a_grandchild() {
        for (text, expected) in
            [(r#"{"a":{"b":[1]},"c":[{},{}],"d":"{}"}"#, 19..26), ("[[[]]]", 1..5), (r#"{"a":1}"#, 0..0)]
        {
            for cut in 0..text.len() {
                let mut scanner = Scanner::default();
                assert_eq!(scanner.scan(&text.as_bytes()[..cut]), Ok(Scan::More));
                assert_eq!(scanner.scan(&text.as_bytes()[cut..]), Ok(Scan::End(text.len() - cut)));
                assert_eq!(scanner.last_child(), expected, "{text} {cut}");
                scanner.reset();
                assert_eq!(scanner.last_child(), 0..0);
            }
        }
    }

    #[test]
    fn every_split_gives_the_same_end() {
        let text = r#"{"a\\\"b":["\u00e9{[",-1.5e3,null,{"é":"\\"}],"c":{}} "#.as_bytes();
        let Ok(Scan::End(expected)) = Scanner::default().scan(text) else { panic!("no end") };
        assert_eq!(expected, text.len() - 1);
        for first in 0..text.len() {
            for second in first..text.len() {
                let mut scanner = Scanner::default();
                let mut at = 0;
                let mut found = None;
                for piece in [&text[..first], &text[first..second], &text[second..]] {
                    if let Scan::End(end) = scanner.scan(piece).unwrap() {
                        found.get_or_insert(at + end);
                        break;
                    }
                    at += piece.len();
                }
                assert_eq!(found, Some(expected), "{first} {second}");
            }
        }
    }
}
