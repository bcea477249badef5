//! Conversions into and from values.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::Json;
use crate::{List, Map, Str};

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Json {
            fn from(value: $integer) -> Self {
                Self::Int(i64::from(value))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32);

macro_rules! wide_integers {
    ($($integer:ty),*) => {$(
        /// An integer that does not fit 64 bits with a sign becomes a float.
        impl From<$integer> for Json {
            fn from(value: $integer) -> Self {
                #[allow(clippy::cast_precision_loss)]
                i64::try_from(value).map_or(Self::Float(value as f64), Self::Int)
            }
        }
    )*};
}

wide_integers!(u64, usize, isize);

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// A number that JSON has no form for becomes `null`.
impl From<f64> for Json {
    fn from(value: f64) -> Self {
        if value.is_finite() { Self::Float(value) } else { Self::Null }
    }
}

impl From<&str> for Json {
    fn from(value: &str) -> Self {
        Self::Str(value.into())
    }
}

impl From<String> for Json {
    fn from(value: String) -> Self {
        Self::Str(value.into())
    }
}

impl From<&String> for Json {
    fn from(value: &String) -> Self {
        Self::Str(value.into())
    }
}

impl From<Cow<'_, str>> for Json {
    fn from(value: Cow<'_, str>) -> Self {
        Self::Str(Str::from(&*value))
    }
}

impl From<Str> for Json {
    fn from(value: Str) -> Self {
        Self::Str(value)
    }
}

impl From<&Str> for Json {
    fn from(value: &Str) -> Self {
        Self::Str(value.clone())
    }
}

impl From<()> for Json {
    fn from((): ()) -> Self {
        Self::Null
    }
}

/// `None` becomes `null`.
impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<&Json> for Json {
    fn from(value: &Json) -> Self {
        value.clone()
    }
}

impl From<List<Json>> for Json {
    fn from(value: List<Json>) -> Self {
        Self::List(value)
    }
}

impl From<Map<Json>> for Json {
    fn from(value: Map<Json>) -> Self {
        Self::Map(value)
    }
}

impl From<Map<Str>> for Json {
    fn from(value: Map<Str>) -> Self {
        value.iter().map(|(key, value)| (key.clone(), value)).collect()
    }
}

impl From<List<Str>> for Json {
    fn from(value: List<Str>) -> Self {
        value.iter().collect()
    }
}

impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(value: Vec<T>) -> Self {
        value.into_iter().collect()
    }
}

impl<T: Into<Json>, const N: usize> From<[T; N]> for Json {
    fn from(value: [T; N]) -> Self {
        value.into_iter().collect()
    }
}

impl<T: Clone + Into<Json>> From<&[T]> for Json {
    fn from(value: &[T]) -> Self {
        value.iter().cloned().collect()
    }
}

impl<K: Into<Str>, V: Into<Json>> From<BTreeMap<K, V>> for Json {
    fn from(value: BTreeMap<K, V>) -> Self {
        value.into_iter().collect()
    }
}

impl<K: Into<Str>, V: Into<Json>, S> From<HashMap<K, V, S>> for Json {
    fn from(value: HashMap<K, V, S>) -> Self {
        value.into_iter().collect()
    }
}

impl<T: Into<Json>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<K: Into<Str>, V: Into<Json>> FromIterator<(K, V)> for Json {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self::Map(entries.into_iter().map(|(key, value)| (key, value.into())).collect())
    }
}

macro_rules! comparisons {
    ($($other:ty: $self:ident, $with:ident => $equal:expr;)*) => {$(
        impl PartialEq<$other> for Json {
            fn eq(&self, other: &$other) -> bool {
                let ($self, $with) = (self, other);
                $equal
            }
        }
    )*};
}

comparisons! {
    str: value, other => value.as_str() == Some(other);
    &str: value, other => value.as_str() == Some(*other);
    String: value, other => value.as_str() == Some(other.as_str());
    bool: value, other => value.as_bool() == Some(*other);
    i32: value, other => value.as_i64() == Some(i64::from(*other));
    i64: value, other => value.as_i64() == Some(*other);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn rust_values_become_json() {
        assert_eq!(Json::from(u64::MAX), Json::Float(18_446_744_073_709_551_615.0));
        assert_eq!(Json::from(7_u64), Json::Int(7));
        assert_eq!(Json::from(usize::MAX), Json::Float(18_446_744_073_709_551_615.0));
        assert_eq!(Json::from(-7_i8), Json::Int(-7));
        assert_eq!(Json::from(f64::NAN), Json::Null);
        assert_eq!(Json::from(()), Json::Null);
        assert_eq!(Json::from(Cow::Borrowed("x")), json!("x"));
        assert_eq!(Json::from(&Str::from("x")), json!("x"));
        assert_eq!(Json::from(vec![Some(1), None]), json!([1, null]));
        assert_eq!(Json::from(&["a", "b"][..]), json!(["a", "b"]));
        assert_eq!(Json::from([[1], [2]]), json!([[1], [2]]));
        assert_eq!(Json::from(BTreeMap::from([("a", 1)])), json!({"a": 1}));
        assert_eq!(Json::from(HashMap::from([("a", vec![1])])), json!({"a": [1]}));
        assert_eq!(["a"].into_iter().map(|key| (key, true)).collect::<Json>(), json!({"a": true}));
        assert_eq!(Json::from(Map::<Str>::from_iter([("a", Str::from("b"))])), json!({"a": "b"}));
        assert_eq!(Json::from(List::from([Str::from("b")])), json!(["b"]));
    }

    #[test]
    fn compares_with_plain_values() {
        let text = String::from("x");
        assert!(json!("x") == "x" && json!("x") == *"x" && json!("x") == text);
        assert!(json!(true) == true && json!(1) == 1 && json!(1) == 1_i64);
        assert!(json!("1") != 1 && json!(1.0) != 1 && json!(null) != false && json!(1) != "1");
    }
}
