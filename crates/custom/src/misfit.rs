//! Reading what users' types take, with an error that says where and why and never what.
//!
//! Serde's errors quote the value, which may be a secret, and do not say where it is. So a decode that fails is done again
//! by a slow reader that knows the path; one that succeeds pays nothing.

use std::fmt;

use client_rs_machinery::Json;
use client_rs_machinery::wire::DecodeError;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};

/// Reads a value from JSON.
pub(crate) fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, DecodeError> {
    serde_json::from_slice(text).map_err(|error| explain::<T>(text, &error))
}

#[cold]
fn explain<T: DeserializeOwned>(text: &[u8], error: &serde_json::Error) -> DecodeError {
    let place = || {
        let (line, column) = (error.line(), error.column());
        DecodeError::invalid(format!("JSON that does not fit the type (line {line}, column {column})"))
    };
    let Ok(value) = Json::parse(text) else { return place() };
    let Err(misfit) = T::deserialize(Slow(&value)) else { return place() };
    let mut error = DecodeError::invalid(misfit.why);
    for segment in misfit.path {
        error = match segment {
            Segment::Key(key) => error.in_key(&key),
            Segment::Index(index) => error.in_index(index),
        };
    }
    error
}

/// What does not fit, and where; the path is innermost first.
#[derive(Debug)]
struct Misfit {
    path: Vec<Segment>,
    why: String,
}

#[derive(Debug)]
enum Segment {
    Key(String),
    Index(usize),
}

impl Misfit {
    fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for Misfit {}

impl serde::de::Error for Misfit {
    /// A type's own words: they may quote the value, and are not shown.
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self { path: Vec::new(), why: "a value that its type refuses".to_owned() }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self { path: Vec::new(), why: format!("{} where {expected} should be", kind_of(found)) }
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self { path: Vec::new(), why: format!("{} that is not {expected}", kind_of(found)) }
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self { path: Vec::new(), why: format!("{length} items where {expected} should be") }
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self { path: Vec::new(), why: format!("none of {}", expected.join(", ")) }
    }

    fn unknown_field(field: &str, _: &'static [&'static str]) -> Self {
        Self { path: Vec::new(), why: format!("the type has no field {field:?}") }
    }

    fn missing_field(field: &'static str) -> Self {
        Self { path: Vec::new(), why: format!("the field {field:?} is missing") }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self { path: Vec::new(), why: format!("the field {field:?} is there twice") }
    }
}

fn kind_of(found: Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) => "an integer",
        Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) => "a text",
        Unexpected::Bytes(_) => "bytes",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Seq | Unexpected::TupleVariant => "a list",
        Unexpected::Map | Unexpected::StructVariant => "an object",
        _ => "another value",
    }
}

struct Slow<'a>(&'a Json);

impl<'de> Deserializer<'de> for Slow<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Int(value) => match u64::try_from(*value) {
                Ok(value) => visitor.visit_u64(value),
                Err(_) => visitor.visit_i64(*value),
            },
            Json::Float(value) => visitor.visit_f64(*value),
            Json::Str(value) => visitor.visit_str(value),
            Json::List(list) => visitor.visit_seq(Items { list: list.as_slice(), at: 0 }),
            Json::Map(map) => visitor.visit_map(Entries { entries: map.iter().collect(), at: 0 }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        match self.0 {
            Json::Str(name) => visitor.visit_enum(Chosen { name, content: None }),
            Json::Map(map) if map.len() == 1 => {
                let Some((name, content)) = map.iter().next() else { return Err(Misfit::custom("")) };
                visitor.visit_enum(Chosen { name, content: Some(content) })
            }
            other => {
                let found = other.json_type().to_string();
                Err(Misfit::invalid_type(
                    Unexpected::Other(&found),
                    &"a variant's name, or an object of that one key",
                ))
            }
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Items<'a> {
    list: &'a [Json],
    at: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misfit> {
        let Some(item) = self.list.get(self.at) else { return Ok(None) };
        let index = self.at;
        self.at += 1;
        seed.deserialize(Slow(item)).map(Some).map_err(|error| error.within(Segment::Index(index)))
    }
}

struct Entries<'a> {
    entries: Vec<(&'a client_rs_machinery::Str, &'a Json)>,
    at: usize,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misfit> {
        let Some((key, _)) = self.entries.get(self.at) else { return Ok(None) };
        let key: StrDeserializer<'_, Misfit> = key.as_str().into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let Some((key, value)) = self.entries.get(self.at) else { return Err(Misfit::custom("")) };
        self.at += 1;
        seed.deserialize(Slow(value)).map_err(|error| error.within(Segment::Key(key.as_str().to_owned())))
    }
}

struct Chosen<'a> {
    name: &'a str,
    content: Option<&'a Json>,
}

impl<'de> EnumAccess<'de> for Chosen<'de> {
    type Error = Misfit;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Misfit> {
        let name: StrDeserializer<'_, Misfit> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> Chosen<'de> {
    fn content(&self) -> Result<Slow<'de>, Misfit> {
        self.content
            .map(Slow)
            .ok_or_else(|| Misfit::invalid_type(Unexpected::Str(""), &"a variant with content"))
    }
}

impl<'de> VariantAccess<'de> for Chosen<'de> {
    type Error = Misfit;

    fn unit_variant(self) -> Result<(), Misfit> {
        match self.content {
            None => Ok(()),
            Some(content) => serde::Deserialize::deserialize(Slow(content)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misfit> {
        let name = self.name.to_owned();
        seed.deserialize(self.content()?).map_err(|error| error.within(Segment::Key(name)))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misfit> {
        self.content()?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        let name = self.name.to_owned();
        self.content()?.deserialize_any(visitor).map_err(|error| error.within(Segment::Key(name)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        name: String,
        #[serde(default)]
        parts: Vec<Part>,
        #[serde(default)]
        by_name: BTreeMap<String, Shape>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Part {
        size: u8,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    enum Shape {
        Dot,
        Line { length: u32 },
    }

    #[test]
    fn an_error_says_where_and_why_and_not_what() {
        for (text, expected) in [
            ("{}", ("", "the field \"name\" is missing")),
            (
                r#"{"name":"hunter2","parts":[{"size":1},{"size":"hunter2"}]}"#,
                ("[\"parts\"][1][\"size\"]", "a text where u8 should be"),
            ),
            (
                r#"{"name":"x","parts":[{"size":300}]}"#,
                ("[\"parts\"][0][\"size\"]", "an integer that is not u8"),
            ),
            (r#"{"name":"x","by_name":{"a":"hunter2"}}"#, ("[\"by_name\"][\"a\"]", "none of Dot, Line")),
            (
                r#"{"name":"x","by_name":{"a":{"Line":{"length":null}}}}"#,
                ("[\"by_name\"][\"a\"][\"Line\"][\"length\"]", "null where u32 should be"),
            ),
        ] {
            let error = read::<Outer>(text.as_bytes()).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert_eq!(
                (error.path().as_str(), error.to_string().contains(expected.1)),
                (expected.0, true),
                "{error}"
            );
        }
    }
}
