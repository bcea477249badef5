//! The lexer: from text to tokens.

use std::fmt;

/// A malformed expression: the place and the mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SyntaxError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The description of the mistake.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Ident(String),
    Int(u64),
    Uint(u64),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Symbol(&'static str),
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ident(name) => write!(f, "'{name}'"),
            Self::Int(_) | Self::Uint(_) | Self::Double(_) => f.write_str("a number"),
            Self::Text(_) | Self::Bytes(_) => f.write_str("a text"),
            Self::Symbol(symbol) => write!(f, "'{symbol}'"),
            Self::End => f.write_str("the end"),
        }
    }
}

/// Returns the tokens, each with its byte offset; at most `most`, and the end.
pub(crate) fn tokens(text: &str, most: usize) -> Result<Vec<(Token, usize)>, SyntaxError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.pass_over_space();
        let start = lexer.at;
        if tokens.len() > most {
            return Err(lexer.error(format!("an expression of more than {most} words")));
        }
        let token = lexer.next()?;
        let end = token == Token::End;
        tokens.push((token, start));
        if end {
            return Ok(tokens);
        }
    }
}

/// Creates an error at a byte of the text.
pub(crate) fn error_at(text: &str, at: usize, message: impl Into<String>) -> SyntaxError {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    SyntaxError { line, column, message: message.into() }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

/// The longest come first.
const SYMBOLS: [&str; 27] = [
    "==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "+", "-", "*", "/", "%", "?", ":", ".", ",", "(", ")",
    "[", "]", "{", "}", "=", "&", "|",
];

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        error_at(self.text, self.at, message)
    }

    fn pass_over_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
            let passed = rest.len() - trimmed.len();
            let comment =
                if trimmed.starts_with("//") { trimmed.find('\n').unwrap_or(trimmed.len()) } else { 0 };
            if passed + comment == 0 {
                return;
            }
            self.at += passed + comment;
        }
    }

    fn next(&mut self) -> Result<Token, SyntaxError> {
        let Some(first) = self.peek() else { return Ok(Token::End) };
        if let Some(token) = self.text_token()? {
            return Ok(token);
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let length = self
                .rest()
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(self.rest().len());
            let name = self.rest()[..length].to_owned();
            self.at += length;
            return Ok(Token::Ident(name));
        }
        let digit_after_point = first == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit());
        if first.is_ascii_digit() || digit_after_point {
            return self.number();
        }
        if first == '`' {
            let Some(length) = self.rest()[1..].find('`') else {
                return Err(self.error("a name without its end"));
            };
            let name = self.rest()[1..=length].to_owned();
            self.at += length + 2;
            return Ok(Token::Ident(name));
        }
        match SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol)) {
            Some(symbol) if !["=", "&", "|"].contains(symbol) => {
                self.at += symbol.len();
                Ok(Token::Symbol(symbol))
            }
            _ => Err(self.error(format!("token recognition error at: '{first}'"))),
        }
    }

    fn number(&mut self) -> Result<Token, SyntaxError> {
        let rest = self.rest();
        if rest.starts_with("0x") || rest.starts_with("0X") {
            let digits: String = rest[2..].chars().take_while(char::is_ascii_hexdigit).collect();
            let value = u64::from_str_radix(&digits, 16).map_err(|_| self.error("invalid int literal"))?;
            self.at += 2 + digits.len();
            return Ok(self.suffixed(value));
        }
        let bytes = rest.as_bytes();
        let digits = |mut at: usize| {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            at
        };
        let mut end = digits(0);
        let mut double = false;
        if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
            double = true;
            end = digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > end + 1 + sign {
                double = true;
                end = exponent;
            }
        }
        let text = &rest[..end];
        if double {
            let value = text.parse().map_err(|_| self.error("invalid double literal"))?;
            self.at += end;
            return Ok(Token::Double(value));
        }
        let value = text.parse().map_err(|_| self.error("invalid int literal"))?;
        self.at += end;
        Ok(self.suffixed(value))
    }

    fn suffixed(&mut self, value: u64) -> Token {
        if self.rest().starts_with(['u', 'U']) {
            self.at += 1;
            return Token::Uint(value);
        }
        Token::Int(value)
    }

    /// Parses a text, with or without the prefixes `r` and `b`.
    fn text_token(&mut self) -> Result<Option<Token>, SyntaxError> {
        let rest = self.rest();
        let marks = rest.bytes().take(2).take_while(|c| matches!(c, b'r' | b'R' | b'b' | b'B')).count();
        let quoted = matches!(rest.as_bytes().get(marks), Some(b'\'' | b'"'));
        let Some(prefix) = quoted.then_some(marks) else { return Ok(None) };
        let marks = rest[..prefix].to_ascii_lowercase();
        if marks == "rr" || marks == "bb" {
            return Ok(None);
        }
        let quote = &rest[prefix..=prefix];
        let long = quote.repeat(3);
        let (quote, long) =
            if rest[prefix..].starts_with(&long) { (long, true) } else { (quote.to_owned(), false) };
        self.at += prefix + quote.len();
        let bytes = self.content(&quote, long, marks.contains('r'), marks.contains('b'))?;
        if marks.contains('b') {
            return Ok(Some(Token::Bytes(bytes)));
        }
        let text = String::from_utf8(bytes).map_err(|_| self.error("a text that is not UTF-8"))?;
        Ok(Some(Token::Text(text)))
    }

    fn content(&mut self, quote: &str, long: bool, raw: bool, bytes: bool) -> Result<Vec<u8>, SyntaxError> {
        let mut content = Vec::new();
        loop {
            if self.rest().starts_with(quote) {
                self.at += quote.len();
                return Ok(content);
            }
            let Some(next) = self.peek() else { return Err(self.error("a text without its end")) };
            if !long && matches!(next, '\n' | '\r') {
                return Err(self.error("a text without its end"));
            }
            self.at += next.len_utf8();
            if next == '\\' && !raw {
                self.escape(&mut content, bytes)?;
            } else {
                content.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
    }

    fn escape(&mut self, content: &mut Vec<u8>, bytes: bool) -> Result<(), SyntaxError> {
        let Some(next) = self.peek() else { return Err(self.error("a text without its end")) };
        let plain = match next {
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'n' => Some(b'\n'),
            'r' => Some(b'\r'),
            't' => Some(b'\t'),
            'v' => Some(11),
            '\\' | '\'' | '"' | '`' | '?' => u8::try_from(next).ok(),
            _ => None,
        };
        if let Some(plain) = plain {
            self.at += 1;
            content.push(plain);
            return Ok(());
        }
        let (skip, digits, radix) = match next {
            'x' | 'X' => (1, 2, 16),
            'u' => (1, 4, 16),
            'U' => (1, 8, 16),
            '0'..='3' => (0, 3, 8),
            _ => return Err(self.error("invalid escape")),
        };
        let digits_text = self.rest().get(skip..skip + digits).unwrap_or_default();
        let code = u32::from_str_radix(digits_text, radix).map_err(|_| self.error("invalid escape"))?;
        self.at += skip + digits;
        let byte = u8::try_from(code).ok().filter(|_| bytes && matches!(next, 'x' | 'X' | '0'..='3'));
        if let Some(byte) = byte {
            content.push(byte);
            return Ok(());
        }
        let letter = char::from_u32(code).ok_or_else(|| self.error("invalid unicode code point"))?;
        content.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}
