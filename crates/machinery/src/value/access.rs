//! Reads parts of a value.

use std::ops::Index;

use super::Json;
use crate::{List, Map, Str};

static NULL: Json = Json::Null;

impl Json {
    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the boolean, if the value is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the integer, if the value is one. A float is never an integer, not even `1.0`.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the number as a float, if the value is a number; an integer above 2^53 loses digits.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)]
            Self::Int(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the string, if the value is one.
    pub fn as_str(&self) -> Option<&str> {
        self.as_shared_str().map(Str::as_str)
    }

    /// Returns the stored string, if the value is one, to clone it without a copy.
    pub fn as_shared_str(&self) -> Option<&Str> {
        match self {
            Self::Str(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the array, if the value is one.
    pub fn as_list(&self) -> Option<&List<Json>> {
        match self {
            Self::List(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the object, if the value is one.
    pub fn as_map(&self) -> Option<&Map<Json>> {
        match self {
            Self::Map(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the entry of an object or the element of an array, if it exists.
    pub fn get(&self, at: impl JsonIndex) -> Option<&Json> {
        at.find(self)
    }

    /// Returns the value at a path of object keys, if it exists. An empty path returns the value itself.
    pub fn path<P: AsRef<str>>(&self, path: &[P]) -> Option<&Json> {
        path.iter().try_fold(self, |value, key| value.get(key.as_ref()))
    }

    /// Returns the value at a JSON pointer (RFC 6901) such as `/spec/containers/0/image`; `None` if the value does
    /// not exist or the pointer is malformed. The empty pointer returns the value itself.
    pub fn pointer(&self, pointer: &str) -> Option<&Json> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |value, token| {
            let token = token.replace("~1", "/").replace("~0", "~");
            match value {
                Json::Map(map) => map.get(&token),
                // The grammar of pointers has one form per index: no sign, no leading zero.
                Json::List(list) if token == "0" || !token.starts_with(['0', '+']) => {
                    list.get(token.parse::<usize>().ok()?)
                }
                _ => None,
            }
        })
    }

    /// Returns how deep the value nests: 1 for an empty array or object, 0 for any other type.
    pub fn depth(&self) -> usize {
        match self {
            Self::List(list) => 1 + list.iter().map(Json::depth).max().unwrap_or(0),
            Self::Map(map) => 1 + map.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// A selector of a part of a [`Json`]: a key of an object, or an index of an array.
pub trait JsonIndex: sealed::Sealed {
    #[doc(hidden)]
    fn find(self, value: &Json) -> Option<&Json>;
}

impl JsonIndex for &str {
    fn find(self, value: &Json) -> Option<&Json> {
        value.as_map()?.get(self)
    }
}

impl JsonIndex for usize {
    fn find(self, value: &Json) -> Option<&Json> {
        value.as_list()?.get(self)
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for &str {}
    impl Sealed for usize {}
}

/// Returns the entry of an object; `null` if it is absent.
impl Index<&str> for Json {
    type Output = Json;

    fn index(&self, key: &str) -> &Json {
        self.get(key).unwrap_or(&NULL)
    }
}

/// Returns the element of an array; `null` if it is absent.
impl Index<usize> for Json {
    type Output = Json;

    fn index(&self, index: usize) -> &Json {
        self.get(index).unwrap_or(&NULL)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Json, json};

    #[test]
    fn accessors_answer_only_for_their_type() {
        let values =
            [Json::Null, json!(true), json!(7), json!(1.5), json!("text"), json!([1]), json!({"a": 1})];
        let answers = |value: &Json| {
            [
                value.is_null(),
                value.as_bool().is_some(),
                value.as_i64().is_some(),
                value.as_f64().is_some(),
                value.as_str().is_some(),
                value.as_list().is_some(),
                value.as_map().is_some(),
            ]
        };
        for (at, value) in values.iter().enumerate() {
            for (accessor, answer) in answers(value).into_iter().enumerate() {
                // An integer is a number too.
                assert_eq!(answer, accessor == at || (at == 2 && accessor == 3), "{value:?} {accessor}");
            }
        }
        assert_eq!(json!(7).as_f64(), Some(7.0));
        assert_eq!(json!("text").as_shared_str().map(crate::Str::as_str), Some("text"));
    }

    #[test]
    fn indexing_past_the_end_is_null() {
        let value = json!({"list": [10, 20], "map": {"": 1}});
        assert_eq!(value["list"][1], json!(20));
        assert_eq!(value["list"][2], Json::Null);
        assert_eq!(value["list"]["1"], Json::Null);
        assert_eq!(value["none"]["deeper"][3], Json::Null);
        assert_eq!(value["map"][""], json!(1));
        assert_eq!(value[0], Json::Null);
    }

    #[test]
    fn paths_follow_keys_only() {
        let value = json!({"a": {"b": [1]}});
        assert_eq!(value.path(&["a", "b"]), Some(&json!([1])));
        assert_eq!(value.path(&["a", "b", "0"]), None);
        assert_eq!(value.path::<&str>(&[]), Some(&value));
        assert_eq!(value.path(&[String::from("a")]), Some(&json!({"b": [1]})));
    }

    #[test]
    fn pointers_follow_rfc_6901() {
        let value = json!({
            "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "k\"l": 6, " ": 7, "m~n": 8, "~1": 9
        });
        assert_eq!(value.pointer(""), Some(&value));
        assert_eq!(value.pointer("/foo/0"), Some(&json!("bar")));
        for (pointer, expected) in [
            ("/", 0),
            ("/a~1b", 1),
            ("/c%d", 2),
            ("/e^f", 3),
            ("/k\"l", 6),
            ("/ ", 7),
            ("/m~0n", 8),
            ("/~01", 9),
        ] {
            assert_eq!(value.pointer(pointer), Some(&json!(expected)), "{pointer}");
        }
        for nowhere in
            ["foo", "/foo/2", "/foo/-", "/foo/01", "/foo/+1", "/foo/-1", "/foo/0/x", "/nope", "/foo/"]
        {
            assert_eq!(value.pointer(nowhere), None, "{nowhere}");
        }
        assert_eq!(value.pointer("/foo/99999999999999999999999"), None);
    }

    #[test]
    fn depth_counts_brackets() {
        for (value, depth) in [
            (json!(1), 0),
            (json!([]), 1),
            (json!({}), 1),
            (json!([1, [2], {"a": [3]}]), 3),
            (json!([[], 1]), 2),
        ] {
            assert_eq!(value.depth(), depth, "{value:?}");
        }
    }
}
