//! Deserializes serde types directly from a value.

use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde_json::Error;

use super::Json;

/// An error of a type that is read from a value. It may record the place of the mistake; the defaults do not.
pub trait ReadError: serde::de::Error {
    /// Returns the error of an item, seen from its list.
    #[must_use]
    fn in_item(self, index: usize) -> Self {
        let _ = index;
        self
    }

    /// Returns the error of an entry, seen from its object.
    #[must_use]
    fn in_entry(self, key: &str) -> Self {
        let _ = key;
        self
    }
}

impl ReadError for Error {}

impl Json {
    /// Returns a deserializer of this value for any serde type, with an error type of the caller's choice.
    pub fn reader<E: ReadError>(&self) -> impl Deserializer<'_, Error = E> {
        Reader::new(self)
    }
}

impl<'de> Deserializer<'de> for &'de Json {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        Reader::new(self).deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        Reader::new(self).deserialize_option(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        Reader::new(self).deserialize_newtype_struct(name, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        Reader::new(self).deserialize_enum(name, variants, visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for &'de Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

struct Reader<'a, E> {
    value: &'a Json,
    error: PhantomData<E>,
}

impl<'a, E> Reader<'a, E> {
    fn new(value: &'a Json) -> Self {
        Self { value, error: PhantomData }
    }
}

impl<'de, E: ReadError> Deserializer<'de> for Reader<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.value {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Int(value) => visitor.visit_i64(*value),
            Json::Float(value) => visitor.visit_f64(*value),
            Json::Str(value) => visitor.visit_borrowed_str(value),
            Json::List(list) => {
                let mut items = Items { list, at: 0, error: PhantomData };
                let value = visitor.visit_seq(&mut items)?;
                whole(items.at, list.len())?;
                Ok(value)
            }
            Json::Map(map) => {
                let mut entries = Entries { map: map.as_slice(), at: 0, error: PhantomData };
                let value = visitor.visit_map(&mut entries)?;
                whole(entries.at, map.len())?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        if self.value.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.value {
            Json::Str(name) => visitor.visit_enum(Chosen { name, content: None, error: PhantomData }),
            Json::Map(map) if map.len() == 1 => {
                let [(name, content)] = map.as_slice() else { unreachable!("it has one entry") };
                visitor.visit_enum(Chosen { name, content: Some(content), error: PhantomData })
            }
            other => {
                let found = other.json_type().to_string();
                let expected = &"a variant's name, or an object of that one key";
                Err(E::invalid_type(Unexpected::Other(&found), expected))
            }
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// Fails unless everything was read.
fn whole<E: ReadError>(read: usize, of: usize) -> Result<(), E> {
    if read == of { Ok(()) } else { Err(E::invalid_length(of, &format!("{read} of them").as_str())) }
}

struct Items<'a, E> {
    list: &'a [Json],
    at: usize,
    error: PhantomData<E>,
}

impl<'de, E: ReadError> SeqAccess<'de> for Items<'de, E> {
    type Error = E;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, E> {
        let Some(item) = self.list.get(self.at) else { return Ok(None) };
        let index = self.at;
        self.at += 1;
        seed.deserialize(Reader::new(item)).map(Some).map_err(|error: E| error.in_item(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.list.len() - self.at)
    }
}

struct Entries<'a, E> {
    map: &'a [(crate::Str, Json)],
    /// The entry whose value is next.
    at: usize,
    error: PhantomData<E>,
}

impl<'de, E: ReadError> MapAccess<'de> for Entries<'de, E> {
    type Error = E;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, E> {
        let Some((key, _)) = self.map.get(self.at) else { return Ok(None) };
        seed.deserialize(StrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, E> {
        let Some((key, value)) = self.map.get(self.at) else {
            return Err(E::custom("a value was asked for without its key"));
        };
        self.at += 1;
        seed.deserialize(Reader::new(value)).map_err(|error: E| error.in_entry(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.map.len() - self.at)
    }
}

/// A variant: its name and its content.
struct Chosen<'a, E> {
    name: &'a str,
    content: Option<&'a Json>,
    error: PhantomData<E>,
}

impl<'de, E: ReadError> EnumAccess<'de> for Chosen<'de, E> {
    type Error = E;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), E> {
        Ok((seed.deserialize(StrDeserializer::new(self.name))?, self))
    }
}

impl<'de, E: ReadError> Chosen<'de, E> {
    /// Reads the content, which is the value at the variant's name.
    fn content<T>(self, read: impl FnOnce(Reader<'de, E>) -> Result<T, E>) -> Result<T, E> {
        let Some(content) = self.content else {
            return Err(E::invalid_type(Unexpected::UnitVariant, &"a variant with content"));
        };
        read(Reader::new(content)).map_err(|error| error.in_entry(self.name))
    }
}

impl<'de, E: ReadError> VariantAccess<'de> for Chosen<'de, E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        if self.content.is_none() { Ok(()) } else { self.content(serde::Deserialize::deserialize) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, E> {
        self.content(|content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, E> {
        self.content(|content| content.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, E> {
        self.content(|content| content.deserialize_any(visitor))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use crate::{Json, json};

    #[derive(Debug, Deserialize, PartialEq)]
    enum Shape {
        Dot,
        Line(u8),
        Box { width: f64, height: Option<f64> },
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Drawing<'a> {
        name: &'a str,
        shapes: Vec<Shape>,
        #[serde(default)]
        extra: HashMap<String, Json>,
        id: Id,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    struct Id(u64);

    #[test]
    fn reads_structs_enums_options_and_borrows_strings() {
        let value = json!({
            "name": "plan", "id": 7, "extra": {"a": [null]},
            "shapes": ["Dot", {"Line": 3}, {"Box": {"width": 1, "height": null}}],
        });
        let expected = Drawing {
            name: "plan",
            shapes: vec![Shape::Dot, Shape::Line(3), Shape::Box { width: 1.0, height: None }],
            extra: [("a".to_owned(), json!([null]))].into(),
            id: Id(7),
        };
        assert_eq!(Drawing::deserialize(&value).unwrap(), expected);
    }

    #[test]
    fn refuses_values_of_another_type() {
        for value in [
            json!(1),
            json!({"name": 1, "shapes": [], "id": 1}),
            json!({"name": "x", "shapes": [], "id": -1}),
            json!({"name": "x", "shapes": [], "id": 1, "other": 1}),
            json!({"name": "x", "shapes": ["Circle"], "id": 1}),
            json!({"name": "x", "shapes": [1], "id": 1}),
            json!({"name": "x", "shapes": [{"Line": 1, "Dot": 2}], "id": 1}),
            json!({"name": "x", "shapes": [{"Line": 256}], "id": 1}),
        ] {
            assert!(Drawing::deserialize(&value).is_err(), "{value}");
        }
        assert!(json!([1, 2, 3]).to_serde::<(u8, u8)>().is_err());
    }
}
