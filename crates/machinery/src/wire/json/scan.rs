//! Finds where a JSON value ends, over any chunking.

use std::ops::Range;

use super::block::{BLOCK, Marks, parity};
use super::brackets::{Brackets, MAX_NESTING};
use super::swar::find_quote;
use crate::wire::DecodeErrorKind;

/// Finds the end of one JSON value in bytes that arrive in pieces.
///
/// It checks only what framing needs: strings, and that each bracket is closed by its partner. The decoder of the
/// value checks the rest. Each byte is looked at once.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    state: State,
    open: Brackets,
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
    /// The value continues behind the piece.
    More,
}

/// The mistake, and its byte in the piece.
pub(crate) type ScanError = (DecodeErrorKind, usize);

impl Scanner {
    /// Ready for the next value.
    pub(crate) fn reset(&mut self) {
        self.state = State::Start;
        self.open.clear();
        self.before = 0;
        self.child = 0..0;
    }

    /// Returns the range of the last object or array that is a direct child of the value.
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
            State::Text | State::Escape if self.open.depth() == 0 => {
                return Ok(self.text(piece, at).map_or(Scan::More, Scan::End));
            }
            _ if Marks::FAST => {
                at = match self.blocks(piece, at)? {
                    Ok(at) => at,
                    Err(end) => return Ok(Scan::End(end)),
                };
            }
            _ => {}
        }
        self.bytes(piece, at)
    }

    /// From inside brackets, in a string or not, to the end of the value or of the piece.
    fn bytes(&mut self, piece: &[u8], mut at: usize) -> Result<Scan, ScanError> {
        if self.in_text() {
            let Some(end) = self.text(piece, at) else { return Ok(Scan::More) };
            at = end;
            self.state = State::Nested;
        }
        self.nested(piece, at)
    }

    fn in_text(&self) -> bool {
        matches!(self.state, State::Text | State::Escape)
    }

    /// From inside brackets through as many whole blocks as there are: the place behind them, or `Err` with the end of
    /// the value if it lies in one.
    fn blocks(&mut self, piece: &[u8], mut at: usize) -> Result<Result<usize, usize>, ScanError> {
        while let Some(block) = piece.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
            let end = at + BLOCK;
            let marks = Marks::of(block);
            let mut carry = self.state == State::Escape;
            let before = if self.in_text() { u64::MAX } else { 0 };
            let text = before ^ parity(marks.quotes & !marks.escaped(&mut carry));
            if marks.backslashes & !text != 0 {
                // One outside strings is not JSON and escapes nothing, which `text` takes it to do.
                if let Scan::End(end) = self.bytes(&piece[..end], at)? {
                    return Ok(Err(end));
                }
                at = end;
                continue;
            }
            let mut brackets = (marks.opening | marks.closing) & !text;
            while brackets != 0 {
                let here = at + brackets.trailing_zeros() as usize;
                brackets &= brackets - 1;
                if self.bracket(piece[here], here)? {
                    return Ok(Err(here + 1));
                }
            }
            self.state = match (carry, text >> 63) {
                (true, _) => State::Escape,
                (false, 0) => State::Nested,
                (false, _) => State::Text,
            };
            at = end;
        }
        Ok(Ok(at))
    }

    /// A bracket outside strings: whether it ends the value.
    #[inline]
    fn bracket(&mut self, byte: u8, at: usize) -> Result<bool, ScanError> {
        // The two kinds differ in this bit.
        let is_object = byte & 0x20 != 0;
        if let b'{' | b'[' = byte {
            match self.open.depth() {
                1 => self.child.start = self.before + at,
                MAX_NESTING => return Err((DecodeErrorKind::TooDeep, at)),
                _ => {}
            }
            self.open.push(is_object);
            return Ok(false);
        }
        if self.open.innermost() != Some(is_object) {
            return Err((DecodeErrorKind::Malformed("a bracket closed by another's partner"), at));
        }
        self.open.pop();
        if self.open.depth() == 1 {
            self.child.end = self.before + at + 1;
        }
        Ok(self.open.depth() == 0)
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
                b'{' | b'[' | b'}' | b']' if self.bracket(byte, at - 1)? => return Ok(Scan::End(at)),
                _ => {}
            }
        }
        Ok(Scan::More)
    }

    /// Returns the place behind the string that `at` is in. At the end of the piece it returns `None`, and the state
    /// to continue from.
    #[inline]
    fn text(&mut self, piece: &[u8], mut at: usize) -> Option<usize> {
        if self.state == State::Escape {
            if at == piece.len() {
                return None;
            }
            at += 1;
            self.state = State::Text;
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

/// Whether a byte can occur in a number, `true`, `false` or `null`.
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
    fn every_split_finds_the_same_end() {
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

    /// The content between brackets matters to framing: strings with quotes, backslashes and brackets.
    fn text_of(pieces: &[u8]) -> Vec<u8> {
        let words = [
            "{",
            "}",
            "[",
            "]",
            r#""""#,
            r#""a\\\"}""#,
            r#""{[""#,
            r#""\\""#,
            ":",
            "\\",
            "12345678901234567890",
            " ",
        ];
        pieces.iter().flat_map(|word| words[usize::from(*word) % words.len()].bytes()).collect()
    }

    proptest::proptest! {
        #[test]
        fn blocks_find_the_same_as_single_bytes(pieces in proptest::collection::vec(0u8..12, 0..200), cut in 0usize..400) {
            let mut text = b"{".to_vec();
            text.extend(text_of(&pieces));
            let mut by_byte = Scanner::default();
            let expected = text.iter().enumerate().find_map(|(at, byte)| match by_byte.scan(&[*byte]) {
                Ok(Scan::More) => None,
                Ok(Scan::End(length)) => Some(Ok(at + length)),
                Err((kind, _)) => Some(Err((kind, at))),
            });
            let mut by_block = Scanner::default();
            let cut = cut.min(text.len());
            let found = match by_block.scan(&text[..cut]) {
                Ok(Scan::More) => match by_block.scan(&text[cut..]) {
                    Ok(Scan::More) => None,
                    Ok(Scan::End(length)) => Some(Ok(cut + length)),
                    Err((kind, at)) => Some(Err((kind, cut + at))),
                },
                Ok(Scan::End(length)) => Some(Ok(length)),
                Err(error) => Some(Err(error)),
            };
            proptest::prop_assert_eq!(found, expected);
            proptest::prop_assert_eq!(by_block.last_child(), by_byte.last_child());
        }
    }
}
