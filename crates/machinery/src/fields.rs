//! Field selectors: select objects by the fields that the API supports for this.
//!
//! ```
//! use client_rs_machinery::fields::Selector;
//!
//! let selector: Selector = "spec.nodeName=node-1,status.phase!=Failed".parse()?;
//! assert!(selector.matches(&[("spec.nodeName", "node-1"), ("status.phase", "Running")]));
//! # Ok::<(), client_rs_machinery::fields::ParseError>(())
//! ```

use crate::{List, Str, labels::Labels};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{
    borrow::Cow,
    fmt::{self, Write},
    str::FromStr,
};

/// Selects objects by their fields: those that meet every requirement. An absent field counts as empty.
///
/// A list or watch sends the selector to the server, which supports only some fields per resource, such as
/// `metadata.name`, and `spec.nodeName` of pods. [`matches`](Self::matches) works locally, on any fields.
///
/// ```
/// use client_rs_machinery::fields::Selector;
///
/// let on_node = Selector::equals("spec.nodeName", "node-1");
/// let running = on_node.and(&Selector::not_equals("status.phase", "Succeeded"));
/// assert_eq!(running.to_string(), "spec.nodeName=node-1,status.phase!=Succeeded");
/// assert_eq!(running.requires_exact_match("spec.nodeName"), Some("node-1"));
/// assert!(running.matches(&[("spec.nodeName", "node-1")]));
/// assert!("metadata.name".parse::<Selector>().is_err());
/// ```
///
/// The text form is that of the API's `fieldSelector` parameter: `field=value` and `field!=value`, joined by commas.
/// In a value, `\`, `,` and `=` need a backslash before them. The text form cannot express
/// [`NOTHING`](Self::NOTHING), which prints as the empty text, and that selects everything. For selection by labels,
/// see [`labels`](crate::labels).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selector {
    /// `None` selects nothing.
    requirements: Option<List<Requirement>>,
}

/// One condition on one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// The field's path, such as `metadata.name`.
    pub field: Str,
    /// Whether the field must have the value, or must not have it.
    pub operator: Operator,
    /// The value.
    pub value: Str,
}

/// The comparison of a field with the value of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Has the value: `=` or `==`.
    Equals,
    /// Has another value, or is absent: `!=`.
    NotEquals,
}

/// A malformed field selector. The text of the error is the API server's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// A term without an operator.
    #[error("invalid selector: '{selector}'; can't understand '{term}'")]
    Term {
        /// The whole text.
        selector: Str,
        /// The term.
        term: Str,
    },
    /// A backslash before a character that needs none, or at the end.
    #[error("invalid field selector: invalid escape sequence: {0}")]
    Escape(Str),
    /// A character without the backslash that it needs. (The server prints its number.)
    #[error("invalid field selector: unescaped character in value: {}", u32::from(*.0))]
    Unescaped(char),
}

/// Escapes a value for the text form: adds a backslash before each `\`, `,` and `=`.
pub fn escape_value(value: &str) -> Cow<'_, str> {
    let special = ['\\', ',', '='];
    if !value.contains(special) {
        return Cow::Borrowed(value);
    }
    let mut escaped = String::with_capacity(value.len() + 4);
    for c in value.chars() {
        if special.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    Cow::Owned(escaped)
}

/// Removes the escapes of [`escape_value`].
pub fn unescape_value(text: &str) -> Result<Cow<'_, str>, ParseError> {
    if !text.contains(['\\', ',', '=']) {
        return Ok(Cow::Borrowed(text));
    }
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(c @ ('\\' | ',' | '=')) => value.push(c),
                Some(c) => return Err(ParseError::Escape(format!("\\{c}").into())),
                None => return Err(ParseError::Escape("\\".into())),
            },
            ',' | '=' => return Err(ParseError::Unescaped(c)),
            c => value.push(c),
        }
    }
    Ok(Cow::Owned(value))
}

impl Selector {
    /// Selects every object.
    pub const EVERYTHING: Self = Self { requirements: Some(List::EMPTY) };
    /// Selects no object.
    pub const NOTHING: Self = Self { requirements: None };

    /// Selects every object.
    pub const fn everything() -> Self {
        Self::EVERYTHING
    }

    /// Selects no object.
    pub const fn nothing() -> Self {
        Self::NOTHING
    }

    /// Selects the objects whose field has the value.
    pub fn equals(field: impl Into<Str>, value: impl Into<Str>) -> Self {
        Requirement { field: field.into(), operator: Operator::Equals, value: value.into() }.into()
    }

    /// Selects the objects whose field has another value, or is absent.
    pub fn not_equals(field: impl Into<Str>, value: impl Into<Str>) -> Self {
        Requirement { field: field.into(), operator: Operator::NotEquals, value: value.into() }.into()
    }

    /// Parses the text form. Terms are sorted by their text; empty ones are left out.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut terms = split_terms(text);
        terms.sort_unstable();
        let mut requirements = Vec::with_capacity(terms.len());
        for term in terms.into_iter().filter(|term| !term.is_empty()) {
            let (field, operator, value) = split_term(term)
                .ok_or_else(|| ParseError::Term { selector: text.into(), term: term.into() })?;
            let value = unescape_value(value)?;
            if !(field.is_empty() && value.is_empty()) {
                requirements.push(Requirement { field: field.into(), operator, value: Str::from(&*value) });
            }
        }
        Ok(requirements.into_iter().collect())
    }

    /// Whether the fields meet every requirement.
    pub fn matches(&self, fields: &(impl Labels + ?Sized)) -> bool {
        self.requirements().is_some_and(|all| all.iter().all(|requirement| requirement.matches(fields)))
    }

    /// Returns the requirements; `None` for [`NOTHING`](Self::NOTHING).
    pub fn requirements(&self) -> Option<&[Requirement]> {
        self.requirements.as_deref()
    }

    /// Whether it has no requirements, and so selects everything.
    pub fn is_everything(&self) -> bool {
        self.requirements().is_some_and(<[_]>::is_empty)
    }

    /// Whether it is [`NOTHING`](Self::NOTHING).
    pub fn is_nothing(&self) -> bool {
        self.requirements.is_none()
    }

    /// Selects the objects that both select.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        match (self.requirements(), other.requirements()) {
            (Some(a), Some(b)) => a.iter().chain(b).cloned().collect(),
            _ => Self::NOTHING,
        }
    }

    /// Returns the only value that the field may have, if a requirement fixes it.
    pub fn requires_exact_match(&self, field: &str) -> Option<&str> {
        let exact = |requirement: &&Requirement| {
            requirement.operator == Operator::Equals && requirement.field == field
        };
        self.requirements()?.iter().find(exact).map(|requirement| requirement.value.as_str())
    }

    /// Replaces the field and value of each requirement. A requirement whose field and value both become empty is
    /// dropped.
    pub fn transform<E>(
        &self,
        mut change: impl FnMut(&str, &str) -> Result<(Str, Str), E>,
    ) -> Result<Self, E> {
        let Some(requirements) = self.requirements() else { return Ok(Self::NOTHING) };
        let mut changed = Vec::with_capacity(requirements.len());
        for requirement in requirements {
            let (field, value) = change(&requirement.field, &requirement.value)?;
            if !(field.is_empty() && value.is_empty()) {
                changed.push(Requirement { field, operator: requirement.operator, value });
            }
        }
        Ok(changed.into_iter().collect())
    }
}

impl Requirement {
    /// Whether the fields meet it.
    pub fn matches(&self, fields: &(impl Labels + ?Sized)) -> bool {
        let equal = fields.get(&self.field).as_deref().unwrap_or("") == self.value.as_str();
        equal == (self.operator == Operator::Equals)
    }
}

/// Selects everything.
impl Default for Selector {
    fn default() -> Self {
        Self::EVERYTHING
    }
}

impl FromIterator<Requirement> for Selector {
    fn from_iter<I: IntoIterator<Item = Requirement>>(requirements: I) -> Self {
        Self { requirements: Some(requirements.into_iter().collect()) }
    }
}

impl From<Requirement> for Selector {
    fn from(requirement: Requirement) -> Self {
        Self::from_iter([requirement])
    }
}

impl FromStr for Selector {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, requirement) in self.requirements().unwrap_or_default().iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            fmt::Display::fmt(requirement, f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.field, self.operator, escape_value(&self.value))
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Equals => "=",
            Self::NotEquals => "!=",
        })
    }
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

/// Splits at commas without a backslash before them.
fn split_terms(text: &str) -> Vec<&str> {
    let mut terms = Vec::new();
    let mut start = 0;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b',' => {
                terms.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    terms.push(&text[start..]);
    terms
}

/// Splits at the first operator. A field has no escapes, so it cannot contain an operator.
fn split_term(term: &str) -> Option<(&str, Operator, &str)> {
    let at = (0..term.len()).find(|&at| {
        let rest = &term.as_bytes()[at..];
        rest.starts_with(b"=") || rest.starts_with(b"!=")
    })?;
    let (field, rest) = term.split_at(at);
    if let Some(value) = rest.strip_prefix("!=") {
        return Some((field, Operator::NotEquals, value));
    }
    let value = rest.strip_prefix("==").or_else(|| rest.strip_prefix('='))?;
    Some((field, Operator::Equals, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn selector(text: &str) -> Selector {
        text.parse().unwrap()
    }

    /// Texts, with the selector or the error that Go prints for each.
    #[test]
    fn answers_as_go() {
        let cases: &[(&str, Result<&str, &str>)] = &[
            ("", Ok("")),
            (",", Ok("")),
            ("=", Ok("")),
            ("!=", Ok("")),
            ("a=", Ok("a=")),
            ("=b", Ok("=b")),
            ("a=b", Ok("a=b")),
            ("a==b", Ok("a=b")),
            ("a!=b", Ok("a!=b")),
            ("a=b,c!=d", Ok("a=b,c!=d")),
            ("c!=d,a=b", Ok("a=b,c!=d")),
            ("a=b,,c=d,", Ok("a=b,c=d")),
            ("a=b,a=b", Ok("a=b,a=b")),
            ("b=1,a=2,a!=1", Ok("a!=1,a=2,b=1")),
            ("a =b", Ok("a =b")),
            (" a=b , c=d ", Ok(" a=b , c=d ")),
            ("a=!b", Ok("a=!b")),
            ("a!b=c", Ok("a!b=c")),
            (r"a=b\,c", Ok(r"a=b\,c")),
            (r"a=b\=c", Ok(r"a=b\=c")),
            (r"a=b\\c", Ok(r"a=b\\c")),
            (r"a=\\\\\,\=", Ok(r"a=\\\\\,\=")),
            (r"a\,b=c", Ok(r"a\,b=c")),
            ("a=é", Ok("a=é")),
            ("a", Err("invalid selector: 'a'; can't understand 'a'")),
            ("a=b,c", Err("invalid selector: 'a=b,c'; can't understand 'c'")),
            ("a!", Err("invalid selector: 'a!'; can't understand 'a!'")),
            ("a=b=c", Err("invalid field selector: unescaped character in value: 61")),
            ("a===b", Err("invalid field selector: unescaped character in value: 61")),
            ("a!==b", Err("invalid field selector: unescaped character in value: 61")),
            (r"a=\b", Err(r"invalid field selector: invalid escape sequence: \b")),
            (r"a=b\", Err(r"invalid field selector: invalid escape sequence: \")),
            (r"a=\é", Err(r"invalid field selector: invalid escape sequence: \é")),
        ];
        for (text, want) in cases {
            let got = Selector::parse(text).map(|s| s.to_string()).map_err(|e| e.to_string());
            assert_eq!(got.as_deref().map_err(String::as_str), *want, "{text:?}");
        }
    }

    #[test]
    fn matching_counts_absent_as_empty() {
        let none: [(&str, &str); 0] = [];
        for (text, on_none, on_b, on_other) in [
            ("a=b", false, true, false),
            ("a!=b", true, false, true),
            ("a=", true, false, false),
            ("a!=", false, true, true),
            ("", true, true, true),
            ("a!=b,a!=c", true, false, false),
        ] {
            let selector = selector(text);
            assert_eq!(selector.matches(&none), on_none, "{text}");
            assert_eq!(selector.matches(&[("a", "b")]), on_b, "{text}");
            assert_eq!(selector.matches(&[("a", "c")]), on_other, "{text}");
        }
        assert!(!Selector::nothing().matches(&none) && Selector::everything().matches(&none));
    }

    #[test]
    fn exact_matches() {
        let selector = selector("a=1,b!=2,c=,a=3");
        assert_eq!(selector.requires_exact_match("a"), Some("1"));
        assert_eq!(selector.requires_exact_match("b"), None);
        assert_eq!(selector.requires_exact_match("c"), Some(""));
        assert_eq!(selector.requires_exact_match("d"), None);
        assert_eq!(Selector::NOTHING.requires_exact_match("a"), None);
    }

    #[test]
    fn transform_renames_drops_and_fails() {
        let rename = |field: &str, value: &str| match field {
            "old" => Ok(("new".into(), value.into())),
            "drop" => Ok((Str::EMPTY, Str::EMPTY)),
            "fail" => Err(format!("no {field}")),
            _ => Ok((field.into(), value.into())),
        };
        assert_eq!(selector("drop=1,old=2,x!=3").transform(rename).unwrap().to_string(), "new=2,x!=3");
        assert_eq!(selector("fail=1").transform(rename), Err("no fail".into()));
        assert!(selector("drop=1").transform(rename).unwrap().is_everything());
        assert!(Selector::NOTHING.transform(rename).unwrap().is_nothing());
    }

    #[test]
    fn building_and_combining() {
        let both = Selector::equals("metadata.name", "a,b").and(&Selector::not_equals("x", "="));
        assert_eq!(both.to_string(), r"metadata.name=a\,b,x!=\=");
        assert_eq!(both.requirements().unwrap().len(), 2);
        assert_eq!(both.and(&Selector::NOTHING), Selector::NOTHING);
        assert_eq!(Selector::default(), Selector::EVERYTHING);
        assert_eq!(serde_json::to_string(&both).unwrap(), r#""metadata.name=a\\,b,x!=\\=""#);
        assert_eq!(serde_json::from_str::<Selector>(r#""a=b""#).unwrap(), Selector::equals("a", "b"));
        assert!(serde_json::from_str::<Selector>(r#""a""#).is_err());
    }

    proptest! {
        #[test]
        fn escaping_is_reversible(value in ".*") {
            let escaped = escape_value(&value);
            prop_assert_eq!(&*unescape_value(&escaped).unwrap(), value.as_str());
        }

        #[test]
        fn prints_and_parses_back(terms in proptest::collection::vec(("[a-z.]{1,5}", any::<bool>(), "[a\\\\,=! é]{0,6}"), 0..4)) {
            let mut texts: Vec<_> = terms.iter().map(|(field, equal, value)| {
                let operator = if *equal { Operator::Equals } else { Operator::NotEquals };
                Requirement { field: field.into(), operator, value: value.into() }
            }).collect();
            texts.sort_by_key(ToString::to_string);
            let selector: Selector = texts.into_iter().collect();
            prop_assert_eq!(selector.to_string().parse(), Ok(selector));
        }

        #[test]
        fn no_text_panics(text in ".*", close in "[ab\\\\,=!é]{0,12}") {
            for text in [text, close] {
                if let Ok(selector) = Selector::parse(&text) {
                    let _ = selector.matches(&[("a", "b")]);
                }
            }
        }
    }
}
