//! Parses text into nodes.
//!
//! Some rules are odd. They stay because paths in the field depend on them: brackets end at the first `]`, even one
//! in quotes. A filter ends at the first `)` outside its first pair of quotes. Text in quoted brackets is read as a
//! path (`['a.b']` is `.a.b`).

use super::JsonPathError;
use super::node::{Node, Operator, Param};

/// Filters and unions hold expressions of their own.
const MAX_DEPTH: usize = 32;

/// A template: text, and expressions in braces.
pub(super) fn template(text: &str, depth: usize) -> Result<Vec<Node>, JsonPathError> {
    if depth > MAX_DEPTH {
        return Err(JsonPathError::Depth);
    }
    let mut parser = Parser { text, at: 0, depth };
    let mut nodes = Vec::new();
    while parser.at < text.len() {
        let rest = &text[parser.at..];
        let brace = rest.find('{').unwrap_or(rest.len());
        if brace > 0 {
            nodes.push(Node::Text(rest[..brace].to_owned()));
        }
        parser.at += brace;
        if parser.at < text.len() {
            parser.at += 1;
            nodes.push(Node::List(parser.action()?));
        }
    }
    Ok(nodes)
}

/// One expression, as if it stood in braces. What follows a brace that closes it is not looked at.
fn action(text: &str, depth: usize) -> Result<Vec<Node>, JsonPathError> {
    match template(&format!("{{{text}}}"), depth)?.into_iter().next() {
        Some(Node::List(nodes)) => Ok(nodes),
        _ => Ok(Vec::new()),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Parses the text in braces, up to the closing brace.
    fn action(&mut self) -> Result<Vec<Node>, JsonPathError> {
        let mut nodes = Vec::new();
        loop {
            if self.rest().starts_with("[?(") {
                self.at += 3;
                nodes.push(self.filter()?);
                continue;
            }
            if self.rest().starts_with("..") {
                if nodes.last() == Some(&Node::Recursive) {
                    return Err(JsonPathError::Recursive);
                }
                self.at += 2;
                nodes.push(Node::Recursive);
                if self.peek().is_some_and(is_alphanumeric) {
                    nodes.push(self.field());
                }
                continue;
            }
            let start = self.at;
            match self.next() {
                None | Some('\r' | '\n') => return Err(JsonPathError::UnclosedAction),
                Some('}') => return Ok(nodes),
                Some(' ' | '@' | '$') => {}
                Some('[') => self.array(&mut nodes)?,
                Some(quote @ ('"' | '\'')) => nodes.push(self.quote(start, quote)?),
                Some('.') => nodes.push(self.field()),
                Some(c) if c == '+' || c == '-' || c.is_ascii_digit() => nodes.push(self.number(start)?),
                Some(c) if is_alphanumeric(c) => nodes.push(self.identifier(start)),
                Some(other) => return Err(JsonPathError::Character(other)),
            }
        }
    }

    fn identifier(&mut self, start: usize) -> Node {
        while self.peek().is_some_and(|c| !is_terminator(c)) {
            self.next();
        }
        match &self.text[start..self.at] {
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            other => Node::Identifier(other.to_owned()),
        }
    }

    fn number(&mut self, start: usize) -> Result<Node, JsonPathError> {
        while self.peek().is_some_and(|c| c == '.' || c.is_ascii_digit()) {
            self.next();
        }
        let text = &self.text[start..self.at];
        if let Ok(int) = text.parse() {
            return Ok(Node::Int(int));
        }
        text.parse().map(Node::Float).map_err(|_| JsonPathError::Number(text.to_owned()))
    }

    fn field(&mut self) -> Node {
        let start = self.at;
        loop {
            match self.peek() {
                Some('\\') => {
                    self.next();
                    self.next();
                }
                Some(c) if !is_terminator(c) => {
                    self.next();
                }
                _ => break,
            }
        }
        match &self.text[start..self.at] {
            "*" => Node::Wildcard,
            name => Node::Field(name.replace('\\', "")),
        }
    }

    fn quote(&mut self, start: usize, quote: char) -> Result<Node, JsonPathError> {
        loop {
            match self.next() {
                None | Some('\n') => return Err(JsonPathError::UnterminatedQuote),
                Some(c) if c == quote && self.text.as_bytes()[self.at - 2] != b'\\' => break,
                Some(_) => {}
            }
        }
        let quoted = &self.text[start + 1..self.at - 1];
        unquote(quoted, quote).map(Node::Text).ok_or_else(|| JsonPathError::Quote(quoted.to_owned()))
    }

    fn array(&mut self, nodes: &mut Vec<Node>) -> Result<(), JsonPathError> {
        let start = self.at;
        loop {
            match self.next() {
                None | Some('\n') => return Err(JsonPathError::UnterminatedArray),
                Some(']') => break,
                Some(_) => {}
            }
        }
        let text = match &self.text[start..self.at - 1] {
            "*" => ":",
            text => text,
        };
        if text.contains(',') {
            let member = |part: &str| action(&format!("[{}]", part.trim_matches(' ')), self.depth + 1);
            nodes.push(Node::Union(text.split(',').map(member).collect::<Result<_, _>>()?));
            return Ok(());
        }
        let key = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        if let Some(key) = key.filter(|key| !key.contains('\'')) {
            nodes.extend(action(&format!(".{key}"), self.depth + 1)?);
            return Ok(());
        }
        nodes.push(Node::Array(slice(text)?));
        Ok(())
    }

    fn filter(&mut self) -> Result<Node, JsonPathError> {
        let start = self.at;
        let (mut begun, mut ended, mut pair) = (false, false, '"');
        loop {
            match self.next() {
                None | Some('\n') => return Err(JsonPathError::UnterminatedFilter),
                Some(c @ ('"' | '\'')) if !begun => (begun, pair) = (true, c),
                Some(c @ ('"' | '\'')) => {
                    ended |= c == pair && self.text.as_bytes()[self.at - 2] != b'\\';
                }
                Some(')') if begun == ended => break,
                Some(_) => {}
            }
        }
        let text = &self.text[start..self.at - 1];
        if self.next() != Some(']') {
            return Err(JsonPathError::UnterminatedFilter);
        }
        let deeper = self.depth + 1;
        let Some((left, operator, right)) = comparison(text) else {
            return Ok(Node::Filter {
                left: action(text, deeper)?,
                right: Vec::new(),
                operator: Operator::Exists,
            });
        };
        let (left, right) = (action(left, deeper)?, action(right, deeper)?);
        Ok(Node::Filter { left, right, operator: operator.into() })
    }
}

/// Returns the left side, the operator and the right side; `None` if there is no operator.
fn comparison(text: &str) -> Option<(&str, &str, &str)> {
    let is_operator = |c: char| matches!(c, '!' | '<' | '>' | '=');
    let begin = text.find(is_operator).filter(|at| *at > 0)?;
    let length = text[begin..].find(|c| !is_operator(c)).unwrap_or(text.len() - begin);
    let mut end = begin + length;
    if end == text.len() {
        // A character must follow it: its own end, if nothing else.
        end -= 1;
    }
    (end > begin).then(|| (&text[..begin], &text[begin..end], &text[end..]))
}

/// `a`, `a:b` or `a:b:c`, where any may be missing.
fn slice(text: &str) -> Result<[Param; 3], JsonPathError> {
    let bad = || JsonPathError::Index(text.to_owned());
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        return Err(bad());
    }
    let mut params = [Param::default(); 3];
    for (param, part) in params.iter_mut().zip(&parts) {
        if part.is_empty() {
            continue;
        }
        let digits = part.strip_prefix('-').unwrap_or(part);
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad());
        }
        *param = Param { value: part.parse().map_err(|_| bad())?, known: true, derived: false };
    }
    if parts.len() == 1 {
        let value = params[0].value.checked_add(1).ok_or_else(bad)?;
        params[1] = Param { value, known: true, derived: true };
    }
    Ok(params)
}

/// Returns the text without Go's escapes; `None` for an invalid escape.
fn unquote(text: &str, quote: char) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut chars = text.chars();
    let mut push = |c: char| {
        let mut buffer = [0; 4];
        bytes.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
    };
    // Bytes that are not UTF-8 become the replacement character, as in Go when it prints them as JSON.
    while let Some(c) = chars.next() {
        if c == quote {
            return None;
        }
        if c != '\\' {
            push(c);
            continue;
        }
        let digits = |chars: &mut std::str::Chars<'_>, count: usize, radix: u32, first: u32| {
            (0..count).try_fold(first, |value, _| Some(value * radix + chars.next()?.to_digit(radix)?))
        };
        let byte =
            |value: u32| if value < 0x80 { char::from_u32(value) } else { Some(char::REPLACEMENT_CHARACTER) };
        push(match chars.next()? {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '\\' => '\\',
            c if c == quote => c,
            'x' => byte(digits(&mut chars, 2, 16, 0)?)?,
            'u' => char::from_u32(digits(&mut chars, 4, 16, 0)?)?,
            'U' => char::from_u32(digits(&mut chars, 8, 16, 0).filter(|value| *value <= 0x0010_FFFF)?)?,
            c @ '0'..='7' => byte(digits(&mut chars, 2, 8, c.to_digit(8)?).filter(|value| *value < 256)?)?,
            _ => return None,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Ends a name.
fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
