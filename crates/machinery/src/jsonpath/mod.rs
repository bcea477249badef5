//! `JSONPath`, in the dialect of kubectl and custom resource definitions.
//!
//! A template is text with expressions in braces: `{.metadata.name}`, `{range .items[*]}{.metadata.name}{"\n"}{end}`.
//! An expression is a path from the current object (a leading `$` or `@` changes nothing):
//!
//! | written | picks |
//! |---|---|
//! | `.name`, `['name']` | an entry of an object; a dot in a name is written `\.` |
//! | `[2]`, `[-1]`, `[1:3]`, `[::2]`, `[*]` | elements of an array |
//! | `.*` | everything in an object or array |
//! | `..name` | at any depth |
//! | `[0,2]`, `['a','b']` | several, in this order |
//! | `[?(@.a=="x")]` | elements that meet a condition: `==`, `!=`, `<`, `<=`, `>`, `>=`, or only `@.a`: it exists |
//! | `"text"`, `'text'` | the text |
//! | `range`, `end` | the template in between, once per element |
//!
//! ```
//! use client_rs_machinery::{json, jsonpath::JsonPath};
//!
//! let pods = json!({"items": [
//!     {"metadata": {"name": "web-0"}, "status": {"phase": "Running"}},
//!     {"metadata": {"name": "web-1"}, "status": {"phase": "Pending"}},
//! ]});
//! let names = JsonPath::parse(r#"{range .items[*]}{.metadata.name}{"\n"}{end}"#)?;
//! assert_eq!(names.render(&pods)?, "web-0\nweb-1\n");
//!
//! let pending = JsonPath::parse_relaxed(r#".items[?(@.status.phase=="Pending")].metadata.name"#)?;
//! assert_eq!(pending.render(&pods)?, "web-1");
//! assert!(JsonPath::parse("{.spec.missing}")?.find(&pods).is_err());
//! # Ok::<(), client_rs_machinery::jsonpath::JsonPathError>(())
//! ```
//!
//! For objects from an API server the output equals client-go's, byte for byte; a table of expressions checks this.
//! There is one difference: the entries of an object come in the order of their keys, while Go's order is random.

mod error;
mod evaluate;
mod node;
mod parse;
mod print;

use crate::Json;

pub use error::JsonPathError;
use evaluate::Evaluation;
use node::Node;

/// A parsed template. It is plain data, and can be evaluated any number of times.
#[derive(Clone, Debug)]
pub struct JsonPath {
    nodes: Vec<Node>,
    allow_missing_keys: bool,
}

impl JsonPath {
    /// Parses a template.
    pub fn parse(template: &str) -> Result<Self, JsonPathError> {
        Ok(Self { nodes: parse::template(template, 0)?, allow_missing_keys: false })
    }

    /// Parses one expression, with or without braces and the leading dot: `{.a.b}`, `.a.b`, `a.b`.
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

    /// Sets whether a missing name picks nothing, instead of being an error. Default: false.
    #[must_use]
    pub fn allow_missing_keys(mut self, allow: bool) -> Self {
        self.allow_missing_keys = allow;
        self
    }

    /// Returns the picked values in the order of the template: one list per expression and per text in between.
    pub fn find(&self, data: &Json) -> Result<Vec<Vec<Json>>, JsonPathError> {
        let found = self.evaluate(data)?;
        Ok(found.into_iter().map(|list| list.into_iter().map(evaluate::Value::to_json).collect()).collect())
    }

    /// Returns the picked values as text. Values of one expression have a space between them; objects and arrays
    /// appear as JSON.
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
