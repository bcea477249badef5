//! The tokens of a template.

use std::fmt;

use client_rs_machinery::Json;

/// A part of a template: text, or what is between `{{` and `}}`.
#[derive(Debug)]
pub(super) enum Piece {
    Text(String),
    Action(Vec<Token>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A keyword or a function.
    Word(String),
    /// `.a.b`. If it directly follows a variable or a parenthesis, the first name is empty.
    Field(Vec<String>),
    /// `$x`, without the dollar.
    Variable(String),
    Literal(Json),
    Open,
    Close,
    Pipe,
    Comma,
    Declare,
    Set,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Field(names) => write!(f, ".{}", names.join(".")),
            Self::Variable(name) => write!(f, "${name}"),
            Self::Literal(value) => write!(f, "{value}"),
            Self::Open => f.write_str("("),
            Self::Close => f.write_str(")"),
            Self::Pipe => f.write_str("|"),
            Self::Comma => f.write_str(","),
            Self::Declare => f.write_str(":="),
            Self::Set => f.write_str("="),
        }
    }
}

pub(super) struct Lexer<'t> {
    rest: &'t str,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text }
    }

    pub(super) fn pieces(mut self) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        let mut trims = false;
        loop {
            let (text, action) = match self.rest.split_once("{{") {
                Some((text, action)) => (text, Some(action)),
                None => (self.rest, None),
            };
            let mut text = if trims { text.trim_start() } else { text };
            let Some(mut action) = action else {
                pieces.push(Piece::Text(text.to_owned()));
                return Ok(pieces);
            };
            if let Some(rest) = action.strip_prefix('-').filter(|rest| rest.starts_with(char::is_whitespace))
            {
                text = text.trim_end();
                action = rest;
            }
            pieces.push(Piece::Text(text.to_owned()));
            self.rest = action;
            let (tokens, trims_next) = self.action()?;
            trims = trims_next;
            if !tokens.is_empty() {
                pieces.push(Piece::Action(tokens));
            }
        }
    }

    /// The tokens up to `}}`, and whether white space is trimmed behind it.
    fn action(&mut self) -> Result<(Vec<Token>, bool), String> {
        let mut tokens: Vec<Token> = Vec::new();
        loop {
            let spaced = self.rest.starts_with(char::is_whitespace);
            self.rest = self.rest.trim_start();
            for (end, trims) in [("-}}", true), ("}}", false)] {
                if let Some(rest) = self.rest.strip_prefix(end) {
                    self.rest = rest;
                    return Ok((tokens, trims));
                }
            }
            if let Some(comment) = self.rest.strip_prefix("/*") {
                let (_, rest) = comment.split_once("*/").ok_or("a comment has no end")?;
                self.rest = rest;
                continue;
            }
            let joined = !spaced && matches!(tokens.last(), Some(Token::Variable(_) | Token::Close));
            tokens.push(self.token(joined)?);
        }
    }

    fn token(&mut self, joined: bool) -> Result<Token, String> {
        for (text, token) in [
            (":=", Token::Declare),
            ("=", Token::Set),
            ("(", Token::Open),
            (")", Token::Close),
            ("|", Token::Pipe),
            (",", Token::Comma),
        ] {
            if let Some(rest) = self.rest.strip_prefix(text) {
                self.rest = rest;
                return Ok(token);
            }
        }
        match self.rest.chars().next() {
            None => Err("{{ has no }}".to_owned()),
            Some('.') => {
                let mut names = if joined { vec![String::new()] } else { Vec::new() };
                while let Some(rest) = self.rest.strip_prefix('.') {
                    self.rest = rest;
                    let name = self.name();
                    if name.is_empty() {
                        break;
                    }
                    names.push(name);
                }
                Ok(Token::Field(names))
            }
            Some('$') => {
                self.rest = &self.rest[1..];
                Ok(Token::Variable(self.name()))
            }
            Some('`') => {
                let (text, rest) = self.rest[1..].split_once('`').ok_or("a ` has no end")?;
                self.rest = rest;
                Ok(Token::Literal(text.into()))
            }
            Some('"') => self.string(),
            Some(first) if first.is_ascii_digit() || first == '-' => {
                let end = self.rest[1..].find(|one: char| !one.is_ascii_alphanumeric() && one != '.');
                let (number, rest) = self.rest.split_at(end.map_or(self.rest.len(), |end| end + 1));
                let value =
                    Json::parse(number.as_bytes()).map_err(|_| format!("{number} is not a number"))?;
                self.rest = rest;
                Ok(Token::Literal(value))
            }
            Some(first) if first.is_alphabetic() || first == '_' => Ok(match self.name() {
                word if word == "true" => Token::Literal(Json::Bool(true)),
                word if word == "false" => Token::Literal(Json::Bool(false)),
                word if word == "nil" => Token::Literal(Json::Null),
                word => Token::Word(word),
            }),
            Some(other) => Err(format!("{other} is not expected in a template's action")),
        }
    }

    fn name(&mut self) -> String {
        let end = self.rest.find(|one: char| !one.is_alphanumeric() && one != '_');
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        name.to_owned()
    }

    /// A string in double quotes. Go's escapes are those of JSON, except for those of bytes, which are refused.
    fn string(&mut self) -> Result<Token, String> {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|(_, one)| {
            let ends = *one == '"' && !escaped;
            escaped = *one == '\\' && !escaped;
            ends
        });
        let (end, _) = end.ok_or("a string has no end")?;
        let (text, rest) = self.rest.split_at(end + 1);
        let value = Json::parse(text.as_bytes()).map_err(|_| format!("{text} is not a string"))?;
        self.rest = rest;
        Ok(Token::Literal(value))
    }
}
