//! JSON whose shape is known only at run time.

mod access;
mod convert;
mod deserializer;
mod edit;
mod macros;
mod serde_impls;
mod text;

use std::fmt;

use crate::{List, Map, Str};

pub use access::JsonIndex;
pub use deserializer::ReadError;
pub(crate) use edit::{Entries, entries};

/// A JSON value of any shape, in two words.
///
/// Build it with [`json!`](crate::json), or parse it; read it with `[]`, [`get`](Self::get), [`path`](Self::path) or
/// [`pointer`](Self::pointer); change it with [`set`](Self::set) and [`remove`](Self::remove).
///
/// ```
/// use client_rs_machinery::{Json, json};
///
/// let mut value = json!({"spec": {"replicas": 3, "ports": [80, 443]}});
/// assert_eq!(value["spec"]["replicas"].as_i64(), Some(3));
/// assert_eq!(value.pointer("/spec/ports/1"), Some(&Json::Int(443)));
/// assert!(value["spec"]["missing"].is_null());
///
/// let shared = value.clone();
/// assert_eq!(value.set(&["spec", "replicas"], 5), Ok(Some(Json::Int(3))));
/// assert_eq!(shared["spec"]["replicas"].as_i64(), Some(3));
///
/// assert_eq!(Json::parse(br#"{"b":1,"a":[true]}"#)?.to_string(), r#"{"a":[true],"b":1}"#);
/// assert!(Json::parse(b"{oops}").is_err());
/// # Ok::<(), client_rs_machinery::wire::DecodeError>(())
/// ```
///
/// A clone is cheap: strings, lists and maps are shared and copied on write. Objects are sorted by key and contain a
/// key once; of two equal keys in a text, the last wins.
///
/// Numbers are those of Go's `unstructured`: a number without fraction and exponent that fits 64 bits is an
/// [`Int`](Self::Int). Every other number is a [`Float`](Self::Float), even if that loses digits.
///
/// Equality is structural, and an `Int` never equals a `Float`: `1` and `1.0` are two values, as they are for the API
/// server's patches. NaN equals nothing, so this type is not `Eq`.
///
/// It implements serde's traits, and is serde's deserializer too: see [`ReadError`].
///
/// # Depth
/// A value from text or serde never nests deeper than [`MAX_DEPTH`](crate::wire::MAX_DEPTH), and neither does the
/// result of a patch. All functions that walk a value (write, compare, patch, drop) recurse as deep as the value:
/// code that builds values by hand must not nest them without bound.
#[derive(Clone, Default, PartialEq)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number that is an integer of 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Str(Str),
    /// An array.
    List(List<Json>),
    /// An object.
    Map(Map<Json>),
}

/// The type of a [`Json`] value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonType {
    /// `null`.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// A number that is not an integer.
    Float,
    /// A string.
    Str,
    /// An array.
    List,
    /// An object.
    Map,
}

impl Json {
    /// An empty object.
    pub const EMPTY_MAP: Self = Self::Map(Map::EMPTY);
    /// An empty array.
    pub const EMPTY_LIST: Self = Self::List(List::EMPTY);

    /// Returns the type of the value.
    pub fn json_type(&self) -> JsonType {
        match self {
            Self::Null => JsonType::Null,
            Self::Bool(_) => JsonType::Bool,
            Self::Int(_) => JsonType::Int,
            Self::Float(_) => JsonType::Float,
            Self::Str(_) => JsonType::Str,
            Self::List(_) => JsonType::List,
            Self::Map(_) => JsonType::Map,
        }
    }
}

/// The name of the type with its article, for messages: `an object`.
impl fmt::Display for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Int => "an integer",
            Self::Float => "a floating-point number",
            Self::Str => "a string",
            Self::List => "an array",
            Self::Map => "an object",
        })
    }
}

/// Prints the value as JSON text; with `{:#?}`, as Rust prints structures over several lines.
impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => fmt::Debug::fmt(value, f),
            Self::Int(value) => fmt::Debug::fmt(value, f),
            Self::Float(value) => fmt::Debug::fmt(value, f),
            Self::Str(value) => fmt::Debug::fmt(value.as_str(), f),
            Self::List(value) => f.debug_list().entries(value.iter()).finish(),
            Self::Map(value) => f.debug_map().entries(value.iter()).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn takes_two_words() {
        assert_eq!(size_of::<Json>(), 16);
    }

    #[test]
    fn an_integer_never_equals_a_float() {
        assert_ne!(Json::Int(1), Json::Float(1.0));
        assert_eq!(json!({"a": [1, 2.5, "x", null, true]}), json!({"a": [1, 2.5, "x", null, true]}));
        assert_ne!(json!([1, 2]), json!([2, 1]));
        assert_ne!(json!({}), json!([]));
        assert_ne!(json!({"a": null}), json!({}));
    }

    #[test]
    fn debug_reads_like_json() {
        let value = json!({"b": [1, -2.5, "x\"y"], "a": null, "c": {"d": true}});
        assert_eq!(format!("{value:?}"), r#"{"a": null, "b": [1, -2.5, "x\"y"], "c": {"d": true}}"#);
    }

    #[test]
    fn types_have_names() {
        let names = [
            (Json::Null, "null"),
            (json!(true), "a boolean"),
            (json!(1), "an integer"),
            (json!(1.5), "a floating-point number"),
            (json!("x"), "a string"),
            (json!([]), "an array"),
            (json!({}), "an object"),
        ];
        for (value, name) in names {
            assert_eq!(value.json_type().to_string(), name);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests_support {
    use proptest::prelude::*;

    use super::Json;

    /// Any JSON, with few keys and short lists so that two of them often share a part.
    pub(crate) fn any_json() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            (0..3_i64).prop_map(Json::from),
            any::<i32>().prop_map(|eighths| Json::from(f64::from(eighths) / 8.0)),
            "[a-c]{0,2}".prop_map(Json::from),
            any::<String>().prop_map(Json::from),
        ];
        leaf.prop_recursive(4, 48, 5, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
                proptest::collection::btree_map(key(), inner, 0..5).prop_map(Json::from),
            ]
        })
    }

    /// Keys that collide often, and those that a pointer must escape.
    pub(crate) fn key() -> impl Strategy<Value = String> {
        prop_oneof![4 => "[a-d]", 1 => "[~/01$\\-]{0,3}", 1 => any::<String>()]
    }
}
