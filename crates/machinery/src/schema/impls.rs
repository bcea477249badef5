//! The schemas of the types that fields are made of.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use super::Schema;
use crate::time::{Duration, MicroTime, Time};
use crate::{Blob, IntOrString, Json, List, Map, Quantity, RawExtension, RawJson, Shared, Str, json};

macro_rules! plain {
    ($($schema:tt: $($ty:ty),+;)*) => {$($(
        impl Schema for $ty {
            fn schema() -> Json {
                json!($schema)
            }
        }
    )+)*};
}

plain! {
    {"type": "string"}: String, str, Str, char, Box<str>, Arc<str>, Rc<str>;
    {"type": "boolean"}: bool;
    {"type": "integer", "format": "int32"}: i8, i16, i32;
    {"type": "integer", "format": "int64"}: i64, isize;
    {"type": "integer", "format": "int32", "minimum": 0}: u8, u16;
    {"type": "integer", "format": "int64", "minimum": 0}: u32, u64, usize;
    {"type": "number", "format": "float"}: f32;
    {"type": "number", "format": "double"}: f64;
    {"type": "string", "format": "byte"}: Blob;
    {"type": "string", "format": "date-time"}: Time, MicroTime;
    {"type": "string"}: Duration;
    {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]}: IntOrString;
    {"x-kubernetes-preserve-unknown-fields": true}: Json, RawJson, serde_json::Value;
    {"type": "object", "x-kubernetes-preserve-unknown-fields": true}: RawExtension, serde_json::Map<String, serde_json::Value>;
}

/// Quantities are numbers or texts; the pattern is that of Kubernetes' own definitions.
impl Schema for Quantity {
    fn schema() -> Json {
        json!({
            "x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}],
            "pattern": "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
        })
    }
}

impl<T: Schema> Schema for Option<T> {
    const OPTIONAL: bool = true;
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        T::schema()
    }
}

macro_rules! same {
    ($($ty:ident),*) => {$(
        impl<T: Schema> Schema for $ty<T> {
            const OPTIONAL: bool = T::OPTIONAL;
            const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () = T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

            fn schema() -> Json {
                T::schema()
            }
        }
    )*};
}

same!(Box, Arc, Rc, Shared);

impl<T: Schema + ToOwned> Schema for Cow<'_, T> {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        T::schema()
    }
}

macro_rules! lists {
    ($($ty:ident)*) => {$(
        impl<T: Schema> Schema for $ty<T> {
            const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () = T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

            fn schema() -> Json {
                items::<T>()
            }
        }
    )*};
}

lists!(Vec List);

fn items<T: Schema>() -> Json {
    json!({"type": "array", "items": T::schema()})
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        let mut schema = items::<T>();
        super::set(&mut schema, "minItems", N);
        super::set(&mut schema, "maxItems", N);
        schema
    }
}

/// The server also treats the items as a set: an apply merges them.
impl<T: Schema> Schema for BTreeSet<T> {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        let mut schema = items::<T>();
        super::set(&mut schema, "x-kubernetes-list-type", "set");
        schema
    }
}

impl<T: Schema, S> Schema for HashSet<T, S> {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        T::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        BTreeSet::<T>::schema()
    }
}

fn values<V: Schema>() -> Json {
    json!({"type": "object", "additionalProperties": V::schema()})
}

impl<K, V: Schema> Schema for BTreeMap<K, V> {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        V::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        values::<V>()
    }
}

impl<K, V: Schema, S> Schema for HashMap<K, V, S> {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        V::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        values::<V>()
    }
}

impl<V: Schema> Schema for Map<V> {
    const A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS: () =
        V::A_TYPE_THAT_HOLDS_ITSELF_NEEDS_PRESERVE_UNKNOWN_FIELDS;

    fn schema() -> Json {
        values::<V>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_schema_of_their_wire_form() {
        assert_eq!(Vec::<Option<String>>::schema(), json!({"type": "array", "items": {"type": "string"}}));
        let map = json!({"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}});
        assert_eq!(BTreeMap::<String, i32>::schema(), map);
        assert_eq!(Map::<i32>::schema(), map);
        assert_eq!(u32::schema()["minimum"], json!(0));
        assert_eq!(BTreeSet::<String>::schema()["x-kubernetes-list-type"], json!("set"));
        assert_eq!(<[u8; 3]>::schema()["maxItems"], json!(3));
        assert_eq!(IntOrString::schema()["x-kubernetes-int-or-string"], json!(true));
        const { assert!(<Option<String> as Schema>::OPTIONAL && !<Vec<String> as Schema>::OPTIONAL) };
    }
}
