//! The text form of selectors.
//!
//! ```text
//! selector    = [ requirement { "," requirement } ]
//! requirement = "!" KEY | KEY [ operation ]
//! operation   = ( "in" | "notin" ) "(" [ VALUE ] { "," [ VALUE ] } ")"
//!             | ( "=" | "==" | "!=" | ">" | "<" ) [ VALUE ]
//! ```
//!
//! Blanks may separate all of these. A key or value may be `in` or `notin`. An empty value is a value.

use super::{Operator, Requirement};
use crate::{FieldError, FieldErrors, Str, validation};
use std::{collections::BTreeSet, fmt};

/// A malformed selector. The text of the error is the API server's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    position: usize,
    kind: ParseErrorKind,
}

/// The mistake at the position of a [`ParseError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The parser expects another syntax element.
    Unexpected {
        /// The text at this position; empty at the end.
        found: Str,
        /// The syntax that the parser expects there.
        expected: Expected,
    },
    /// A key or value breaks the rules for labels, or is not a number where one is needed.
    Invalid(FieldErrors),
}

/// A syntax element that the parser expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// The start of a requirement, or the end.
    Start,
    /// A requirement, after a comma.
    AfterComma,
    /// A comma or the end, after a requirement.
    CommaOrEnd,
    /// A key or a value.
    Identifier,
    /// The operator between a key and its values.
    Operator,
    /// The start of a list of values.
    OpenParenthesis,
    /// The first value of a list, or its end.
    FirstValue,
    /// A comma or the end of the list, after a value.
    CommaOrClose,
    /// A value, after a comma.
    NextValue,
}

impl ParseError {
    /// Returns the position of the mistake, in bytes from the start.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns the mistake.
    pub fn kind(&self) -> &ParseErrorKind {
        &self.kind
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ParseErrorKind::Invalid(errors) => write!(f, "unable to parse requirement: {errors}"),
            ParseErrorKind::Unexpected { found, expected } => {
                let (within, rest) = match expected {
                    Expected::Start => (false, ", expected: !, identifier, or 'end of string'"),
                    Expected::AfterComma => (false, ", expected: identifier after ','"),
                    Expected::CommaOrEnd => (false, ", expected: ',' or 'end of string'"),
                    Expected::Identifier => (true, ", expected: identifier"),
                    Expected::Operator => (true, ", expected: in, notin, =, ==, !=, gt, lt"),
                    Expected::OpenParenthesis => (true, " expected: '('"),
                    Expected::FirstValue => (true, ", expected: ',', ')' or identifier"),
                    Expected::CommaOrClose => (true, ", expected: ',' or ')'"),
                    Expected::NextValue => (true, ", expected: ',', or identifier"),
                };
                let prefix = if within { "unable to parse requirement: " } else { "" };
                write!(f, "{prefix}found '{found}'{rest}")
            }
        }
    }
}

/// Parses the requirements and sorts them by key.
pub(super) fn parse(text: &str) -> Result<Vec<Requirement>, ParseError> {
    let mut requirements = Parser::new(text).selector()?;
    requirements.sort_by(|a, b| a.key().cmp(b.key()));
    Ok(requirements)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    End,
    Word,
    Comma,
    Open,
    Close,
    Not,
    Equals,
    DoubleEquals,
    NotEquals,
    Greater,
    Less,
}

/// Looks one token ahead.
struct Parser<'a> {
    text: &'a str,
    token: Token,
    /// The start and the end of the token.
    start: usize,
    end: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let mut parser = Self { text, token: Token::End, start: 0, end: 0 };
        parser.advance();
        parser
    }

    fn selector(&mut self) -> Result<Vec<Requirement>, ParseError> {
        let mut requirements = Vec::new();
        match self.token {
            Token::End => return Ok(requirements),
            Token::Word | Token::Not => {}
            _ => return Err(self.unexpected(Expected::Start)),
        }
        loop {
            requirements.push(self.requirement()?);
            match self.token {
                Token::End => return Ok(requirements),
                Token::Comma => self.advance(),
                _ => return Err(self.unexpected(Expected::CommaOrEnd)),
            }
            if !matches!(self.token, Token::Word | Token::Not) {
                return Err(self.unexpected(Expected::AfterComma));
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, ParseError> {
        let negated = self.token == Token::Not;
        if negated {
            self.advance();
        }
        if self.token != Token::Word {
            return Err(self.unexpected(Expected::Identifier));
        }
        let (key, position) = (self.literal(), self.start);
        let invalid = |errors| ParseError { position, kind: ParseErrorKind::Invalid(errors) };
        if let Err(violations) = validation::qualified_name(key) {
            // Go has no path for the field here, and its message shows that.
            return Err(invalid(FieldErrors(vec![FieldError::invalid(
                "<nil>",
                key,
                violations.to_string(),
            )])));
        }
        self.advance();
        let (operator, values) = if negated {
            (Operator::DoesNotExist, BTreeSet::new())
        } else if matches!(self.token, Token::End | Token::Comma) {
            (Operator::Exists, BTreeSet::new())
        } else {
            let operator = self.operator()?;
            let values = match operator {
                Operator::In | Operator::NotIn => self.values()?,
                _ => BTreeSet::from([self.value()?]),
            };
            (operator, values)
        };
        Requirement::new(key, operator, values).map_err(invalid)
    }

    fn operator(&mut self) -> Result<Operator, ParseError> {
        let operator = match (self.token, self.literal()) {
            (Token::Word, "in") => Operator::In,
            (Token::Word, "notin") => Operator::NotIn,
            (Token::Equals, _) => Operator::Equals,
            (Token::DoubleEquals, _) => Operator::DoubleEquals,
            (Token::NotEquals, _) => Operator::NotEquals,
            (Token::Greater, _) => Operator::GreaterThan,
            (Token::Less, _) => Operator::LessThan,
            _ => return Err(self.unexpected(Expected::Operator)),
        };
        self.advance();
        Ok(operator)
    }

    /// An absent value is an empty one.
    fn value(&mut self) -> Result<&'a str, ParseError> {
        match self.token {
            Token::End | Token::Comma => Ok(""),
            Token::Word => {
                let value = self.literal();
                self.advance();
                Ok(value)
            }
            _ => Err(self.unexpected(Expected::Identifier)),
        }
    }

    /// `(a,b)`; an absent value between two separators is an empty one.
    fn values(&mut self) -> Result<BTreeSet<&'a str>, ParseError> {
        if self.token != Token::Open {
            return Err(self.unexpected(Expected::OpenParenthesis));
        }
        self.advance();
        if !matches!(self.token, Token::Word | Token::Comma | Token::Close) {
            return Err(self.unexpected(Expected::FirstValue));
        }
        let mut values = BTreeSet::new();
        loop {
            if self.token == Token::Word {
                values.insert(self.literal());
                self.advance();
                if !matches!(self.token, Token::Comma | Token::Close) {
                    return Err(self.unexpected(Expected::CommaOrClose));
                }
            } else {
                values.insert("");
            }
            match self.token {
                Token::Comma => self.advance(),
                Token::Close => {
                    self.advance();
                    return Ok(values);
                }
                _ => return Err(self.unexpected(Expected::NextValue)),
            }
        }
    }

    fn literal(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    fn unexpected(&self, expected: Expected) -> ParseError {
        let kind = ParseErrorKind::Unexpected { found: self.literal().into(), expected };
        ParseError { position: self.start, kind }
    }

    fn advance(&mut self) {
        let is_blank = |b: u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n');
        let is_symbol = |b: u8| matches!(b, b'=' | b'!' | b'(' | b')' | b',' | b'>' | b'<');
        let bytes = self.text.as_bytes();
        let find = |from: usize, test: &dyn Fn(u8) -> bool| {
            bytes[from..].iter().position(|&b| test(b)).map_or(bytes.len(), |at| from + at)
        };
        self.start = find(self.end, &|b| !is_blank(b));
        let rest = &bytes[self.start..];
        let (token, len) = match rest {
            [] => (Token::End, 0),
            [b'=', b'=', ..] => (Token::DoubleEquals, 2),
            [b'!', b'=', ..] => (Token::NotEquals, 2),
            [b'=', ..] => (Token::Equals, 1),
            [b'!', ..] => (Token::Not, 1),
            [b'(', ..] => (Token::Open, 1),
            [b')', ..] => (Token::Close, 1),
            [b',', ..] => (Token::Comma, 1),
            [b'>', ..] => (Token::Greater, 1),
            [b'<', ..] => (Token::Less, 1),
            _ => (Token::Word, find(self.start, &|b| is_blank(b) || is_symbol(b)) - self.start),
        };
        self.token = token;
        self.end = self.start + len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn canonical(text: &str) -> Result<String, ParseError> {
        let requirements = parse(text)?;
        Ok(requirements.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
    }

    /// Each line: a selector, `ok` and its canonical form or `error` and its message.
    #[test]
    fn answers_as_go() {
        let mut checked = 0;
        for line in include_str!("../../../../tests/corpora/labels.jsonl").lines().skip(1) {
            let [text, outcome, want]: [String; 3] = serde_json::from_str(line).unwrap();
            let got = match canonical(&text) {
                Ok(got) => ("ok", got),
                Err(error) => ("error", error.to_string()),
            };
            assert_eq!(got, (outcome.as_str(), want), "{text:?}");
            checked += 1;
        }
        assert!(checked > 200, "{checked}");
    }

    #[test]
    fn errors_know_their_position() {
        for (text, position) in [
            (",", 0),
            ("a,", 2),
            ("a b", 2),
            ("a in b", 5),
            ("a in (b c)", 8),
            ("a in (b", 7),
            ("a=b, c d", 7),
            ("!", 1),
            ("ok, -bad", 4),
            ("a==b==c", 4),
            ("a=(", 2),
        ] {
            assert_eq!(parse(text).unwrap_err().position(), position, "{text}");
        }
        let error = parse("a in b").unwrap_err();
        let want = ParseErrorKind::Unexpected { found: "b".into(), expected: Expected::OpenParenthesis };
        assert_eq!(error.kind(), &want);
    }

    proptest! {
        #[test]
        fn canonical_form_is_a_fixed_point(text in "[ab]{0,1}[ !=<>(),ab1]{0,12}|(a|b/c)( (in|notin) \\((in|1||2)(,in|,)?\\)|(=|==|!=)x?|[<>]1)?(,!?d)?") {
            if let Ok(first) = canonical(&text) {
                prop_assert_eq!(canonical(&first), Ok(first.clone()), "{}", text);
            }
        }

        #[test]
        fn no_text_panics(text in ".*") {
            if let Err(error) = parse(&text) {
                prop_assert!(error.position() <= text.len() && text.is_char_boundary(error.position()));
                let _ = error.to_string();
            }
        }
    }
}
