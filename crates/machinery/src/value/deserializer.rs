//! Reads serde types straight from a value.

use serde::Deserializer;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{IntoDeserializer, Unexpected, Visitor};
use serde_json::Error;

use super::Json;

impl<'de> Deserializer<'de> for &'de Json {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(value) => visitor.visit_bool(*value),
            Json::Int(value) => visitor.visit_i64(*value),
            Json::Float(value) => visitor.visit_f64(*value),
            Json::Str(value) => visitor.visit_borrowed_str(value),
            Json::List(list) => {
                let mut items = SeqDeserializer::new(list.iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Json::Map(map) => {
                let mut entries = MapDeserializer::new(map.iter().map(|(key, value)| (key.as_str(), value)));
                let value = visitor.visit_map(&mut entries)?;
                entries.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Json::Str(variant) => visitor.visit_enum(variant.as_str().into_deserializer()),
            Json::Map(map) if map.len() == 1 => {
                let entries = map.iter().map(|(key, value)| (key.as_str(), value));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(entries)))
            }
            _ => {
                let found = self.json_type().to_string();
                let expected = &"a variant's name, or an object of that one key";
                Err(serde::de::Error::invalid_type(Unexpected::Other(&found), expected))
            }
        }
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
    fn refuses_what_does_not_fit() {
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
