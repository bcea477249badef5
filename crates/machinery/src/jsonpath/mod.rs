//! `JSONPath`, in the dialect that kubectl and custom resource definitions speak.
//!
//! A template is text with expressions in braces: `{.metadata.name}`, `{range .items[*]}{.metadata.name}{"\n"}{end}`.
//! An expression is a path from the current object (`$` and `@` may stand before it, and mean the same):
//!
//! | written | picks |
//! |---|---|
//! | `.name`, `['name']` | an entry of an object; a dot in a name is written `\.` |
//! | `[2]`, `[-1]`, `[1:3]`, `[::2]`, `[*]` | elements of an array |
//! | `.*` | everything in an object or array |
//! | `..name` | at any depth |
//! | `[0,2]`, `['a','b']` | one after the other |
//! | `[?(@.a=="x")]` | elements for which it holds: `==`, `!=`, `<`, `<=`, `>`, `>=`, or just `@.a`: it is there |
//! | `"text"`, `'text'` | the text |
//! | `range`, `end` | what is between, once for each |
//!
//! What it gives is what client-go gives, to the byte, for objects as the API server sends them; checked with a table
//! of expressions. One thing differs: the entries of an object come in the order of their keys, where Go's order is random.

mod error;
mod evaluate;
mod node;
mod parse;
mod print;

use crate::Json;

pub use error::JsonPathError;
use evaluate::Evaluation;
use node::Node;

/// A template that was understood. Plain data: it can be used any number of times.
#[derive(Clone, Debug)]
pub struct JsonPath {
    nodes: Vec<Node>,
    allow_missing_keys: bool,
}

impl JsonPath {
    /// Understands a template.
    pub fn parse(template: &str) -> Result<Self, JsonPathError> {
        Ok(Self { nodes: parse::template(template, 0)?, allow_missing_keys: false })
    }

    /// Understands one expression, with or without braces and the dot before it: `{.a.b}`, `.a.b`, `a.b`.
    pub fn parse_relaxed(expression: &str) -> Result<Self, JsonPathError> {
        let text = expression.trim();
        let inner = match text.strip_prefix('{') {
            Some(rest) => rest.strip_suffix('}').ok_or(JsonPathError::Relaxed)?,
            None if text.ends_with('}') => return Err(JsonPathError::Relaxed),
            None => text,
        };
        let inner = inner.strip_prefix('$').unwrap_or(inner);
        let dot = if inner.starts_with(['.', '[']) { "" } else { "." };
        if inner.is_empty() {
            return Err(JsonPathError::Relaxed);
        }
        Self::parse(&format!("{{{dot}{inner}}}"))
    }

    /// Whether a name that is not there picks nothing, instead of being an error. Default: false.
    #[must_use]
    pub fn allow_missing_keys(mut self, allow: bool) -> Self {
        self.allow_missing_keys = allow;
        self
    }

    /// What is picked, in the order of the template; a list for each expression and each text between.
    pub fn find(&self, data: &Json) -> Result<Vec<Vec<Json>>, JsonPathError> {
        let found = self.evaluate(data)?;
        Ok(found.into_iter().map(|list| list.into_iter().map(evaluate::Value::to_json).collect()).collect())
    }

    /// What is picked, as text: values of one expression with a space between, objects and arrays as JSON.
    pub fn render(&self, data: &Json) -> Result<String, JsonPathError> {
        let mut text = String::new();
        for list in self.evaluate(data)? {
            for (at, value) in list.iter().enumerate() {
                if at > 0 {
                    text.push(' ');
                }
                print::value(value, &mut text);
            }
        }
        Ok(text)
    }

    fn evaluate<'a>(&'a self, data: &'a Json) -> Result<Vec<Vec<evaluate::Value<'a>>>, JsonPathError> {
        Evaluation::new(&self.nodes, self.allow_missing_keys).run(evaluate::Value::Json(data))
    }
}

#[cfg(test)]
mod tests;
