//! A value through serde, in either direction.

use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap as _, SerializeSeq as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Json;
use crate::Str;
use crate::wire::MAX_DEPTH;

impl Json {
    /// The JSON of any type that serde can write.
    pub fn from_serde<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        Self::parse(&serde_json::to_vec(value)?).map_err(serde_json::Error::custom)
    }

    /// A type that serde can read, of this JSON.
    pub fn to_serde<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(self)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Str(value) => serializer.serialize_str(value),
            Self::List(list) => {
                let mut items = serializer.serialize_seq(Some(list.len()))?;
                for value in list {
                    items.serialize_element(value)?;
                }
                items.end()
            }
            Self::Map(map) => {
                let mut entries = serializer.serialize_map(Some(map.len()))?;
                for (key, value) in map {
                    entries.serialize_entry(key.as_str(), value)?;
                }
                entries.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        AtDepth(0).deserialize(deserializer)
    }
}

/// Reads a value inside this many arrays and objects: not every format bounds its depth by itself.
#[derive(Clone, Copy)]
struct AtDepth(usize);

impl AtDepth {
    fn inner<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.0 >= MAX_DEPTH {
            return Err(E::custom(format_args!("nested deeper than {MAX_DEPTH} levels")));
        }
        Ok(Self(self.0 + 1))
    }
}

impl<'de> DeserializeSeed<'de> for AtDepth {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AtDepth {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.inner()?.deserialize(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        self.inner()?.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let inner = self.inner::<A::Error>()?;
        let mut list: Vec<Json> = Vec::new();
        while let Some(value) = items.next_element_seed(inner)? {
            list.push(value);
        }
        Ok(Json::List(list.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let inner = self.inner::<A::Error>()?;
        let mut map: Vec<(Str, Json)> = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(inner).map_err(A::Error::custom)?;
            map.push((key.into(), value));
        }
        Ok(Json::Map(map.into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error as ValueError, SeqDeserializer};

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Size {
        width: u32,
        names: Vec<String>,
        by_key: BTreeMap<String, Option<f64>>,
    }

    #[test]
    fn any_serde_type_round_trips() {
        let size = Size {
            width: 3,
            names: vec!["a".into()],
            by_key: [("x".into(), None), ("y".into(), Some(1.5))].into(),
        };
        let value = Json::from_serde(&size).unwrap();
        assert_eq!(value, json!({"width": 3, "names": ["a"], "by_key": {"x": null, "y": 1.5}}));
        assert_eq!(value.to_serde::<Size>().unwrap(), size);
        assert!(json!({"width": "x"}).to_serde::<Size>().is_err());
    }

    #[test]
    fn numbers_are_as_in_text() {
        for text in ["9223372036854775807", "9223372036854775808", "18446744073709551615", "-1", "1.0", "1e3"]
        {
            assert_eq!(serde_json::from_str::<Json>(text).unwrap(), text.parse::<Json>().unwrap(), "{text}");
        }
    }

    /// A format that bounds nothing: an array in an array, without end.
    struct Endless;

    impl<'de> Deserializer<'de> for Endless {
        type Error = ValueError;

        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            visitor.visit_seq(SeqDeserializer::new([Endless].into_iter()))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }

    impl IntoDeserializer<'_, ValueError> for Endless {
        type Deserializer = Self;

        fn into_deserializer(self) -> Self {
            self
        }
    }

    #[test]
    fn depth_is_bounded_where_the_format_does_not() {
        let error = Json::deserialize(Endless).unwrap_err();
        assert!(error.to_string().contains("deeper"), "{error}");
    }

    proptest! {
        #[test]
        fn round_trips(value in any_json()) {
            prop_assert_eq!(Json::from_serde(&value).unwrap(), value.clone());
            prop_assert_eq!(value.to_serde::<Json>().unwrap(), value);
        }
    }
}
