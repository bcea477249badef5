//! A value as JSON text.

use std::fmt;
use std::str::FromStr;

use super::Json;
use crate::Str;
use crate::wire::protobuf::{self, Chunk};
use crate::wire::{DecodeError, Decoding, Item, Message, json};

impl Json {
    /// Parses JSON text.
    pub fn parse(text: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = json::Reader::new(text);
        let value = read(&mut reader, &mut Decoding::new())?;
        reader.end()?;
        Ok(value)
    }

    /// Writes the value as JSON text: no white space, keys sorted.
    pub fn to_vec(&self) -> Vec<u8> {
        let mut writer = json::Writer::new();
        self.put_json(&mut writer);
        writer.into_vec()
    }

    /// Converts a typed object.
    pub fn from_message<M: Message>(message: &M) -> Result<Self, DecodeError> {
        Self::parse(&message.to_json())
    }

    /// Converts to a typed object.
    pub fn to_message<M: Message>(&self) -> Result<M, DecodeError> {
        M::from_json(&self.to_vec())
    }
}

impl FromStr for Json {
    type Err = DecodeError;

    fn from_str(text: &str) -> Result<Self, DecodeError> {
        Self::parse(text.as_bytes())
    }
}

/// The value as JSON text.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.to_vec()))
    }
}

/// JSON only: protobuf has no form for it. A field of this type writes nothing there, and reading one fails.
impl Item for Json {
    const READS_NULL: bool = true;

    fn is_empty(&self) -> bool {
        self.is_null()
    }

    fn is_absent(&self) -> bool {
        self.is_null()
    }

    fn put_protobuf(&self, _: u32, _: &mut protobuf::Writer) {}

    fn merge_protobuf(&mut self, _: Chunk<'_>, _: &mut Decoding) -> Result<(), DecodeError> {
        Err(DecodeError::invalid("a JSON value has no form in protobuf"))
    }

    fn put_json(&self, writer: &mut json::Writer) {
        match self {
            Self::Null => writer.null(),
            Self::Bool(value) => writer.boolean(*value),
            Self::Int(value) => writer.integer(*value),
            Self::Float(value) => writer.float(*value),
            Self::Str(value) => writer.text(value),
            Self::List(list) => {
                writer.begin_array();
                for value in list {
                    writer.element();
                    value.put_json(writer);
                }
                writer.end_array();
            }
            Self::Map(map) => {
                writer.begin_object();
                for (key, value) in map {
                    writer.key(key);
                    value.put_json(writer);
                }
                writer.end_object();
            }
        }
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = read(reader, cx)?;
        Ok(())
    }
}

fn read(reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<Json, DecodeError> {
    match reader.peek() {
        Some(b'"') => Ok(Json::Str(cx.text(&reader.text()?))),
        Some(b'{') => cx.nested(|cx| read_map(reader, cx)).map_err(|error| error.at(reader.position())),
        Some(b'[') => cx.nested(|cx| read_list(reader, cx)).map_err(|error| error.at(reader.position())),
        Some(b't' | b'f') => reader.boolean().map(Json::Bool),
        Some(b'n') if reader.take_null()? => Ok(Json::Null),
        _ => read_number(reader),
    }
}

fn read_map(reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<Json, DecodeError> {
    let mut entries: Vec<(Str, Json)> = Vec::new();
    reader.begin_object()?;
    let mut first = true;
    while let Some(key) = reader.next_key(&mut first)? {
        let value = read(reader, cx).map_err(|error| error.in_key(&key))?;
        entries.push((cx.text(&key), value));
    }
    Ok(Json::Map(entries.into_iter().collect()))
}

fn read_list(reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<Json, DecodeError> {
    let mut items: Vec<Json> = Vec::new();
    reader.begin_array()?;
    let mut first = true;
    while reader.next_element(&mut first)? {
        let value = read(reader, cx).map_err(|error| error.in_index(items.len()))?;
        items.push(value);
    }
    Ok(Json::List(items.into()))
}

fn read_number(reader: &mut json::Reader<'_>) -> Result<Json, DecodeError> {
    let start = reader.position();
    let text = reader.number("a value")?;
    if let Ok(integer) = text.parse() {
        return Ok(Json::Int(integer));
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Json::Float(float)),
        _ => Err(DecodeError::invalid("a number out of the range of 64-bit floating point").at(start)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;
    use crate::wire::{DecodeErrorKind, MAX_DEPTH};

    fn parse(text: &str) -> Json {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_gos() {
        for (text, expected) in [
            ("0", Json::Int(0)),
            ("-0", Json::Int(0)),
            ("9223372036854775807", Json::Int(i64::MAX)),
            ("-9223372036854775808", Json::Int(i64::MIN)),
            ("9223372036854775808", Json::Float(9_223_372_036_854_775_808.0)),
            ("-9223372036854775809", Json::Float(-9_223_372_036_854_775_808.0)),
            ("18446744073709551616", Json::Float(18_446_744_073_709_551_616.0)),
            ("1.0", Json::Float(1.0)),
            ("1e2", Json::Float(100.0)),
            ("1E-2", Json::Float(0.01)),
            ("1e-400", Json::Float(0.0)),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        let error = "[1e400]".parse::<Json>().unwrap_err();
        assert!(matches!(error.kind(), DecodeErrorKind::Invalid(_)), "{error}");
        assert_eq!(error.offset(), Some(1));
    }

    #[test]
    fn writes_sorted_and_compact() {
        let text = r#" { "b" : [ 1 , 2.5 , "x\ty\u0001é" , null ] , "a" : { } , "c" : [ ] , "a" : true } "#;
        assert_eq!(parse(text).to_string(), r#"{"a":true,"b":[1,2.5,"x\ty\u0001é",null],"c":[]}"#);
        // A float stays one, so that reading it back gives the same value.
        assert_eq!(Json::Float(1.0).to_string(), "1.0");
        assert_eq!(Json::Float(f64::NAN).to_string(), "null");
        assert_eq!(Json::Float(f64::INFINITY).to_string(), "null");
    }

    #[test]
    fn refuses_malformed_json() {
        for text in [
            "",
            " ",
            "{",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "[,]",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{1:2}",
            "tru",
            "nul",
            "nulls",
            "+1",
            "01",
            "1.",
            ".5",
            "1e",
            "-",
            "'a'",
            "\"",
            "\"\\x\"",
            "\"\n\"",
            "1 2",
            "{} {}",
            "NaN",
            "Infinity",
            "//",
            "\u{feff}{}",
        ] {
            assert!(text.parse::<Json>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_error_names_its_place() {
        let error = r#"{"spec": {"list": [1, x]}}"#.parse::<Json>().unwrap_err();
        assert_eq!(error.path(), r#"["spec"]["list"][1]"#);
        assert_eq!(error.offset(), Some(22));
    }

    #[test]
    fn depth_is_bounded_with_arrays_and_objects() {
        let arrays = |depth: usize| ["[".repeat(depth), "]".repeat(depth)].concat();
        let objects = |depth: usize| [r#"{"a":"#.repeat(depth), "1".to_owned(), "}".repeat(depth)].concat();
        assert_eq!(parse(&arrays(MAX_DEPTH)).depth(), MAX_DEPTH);
        assert_eq!(parse(&objects(MAX_DEPTH)).depth(), MAX_DEPTH);
        for text in [arrays(MAX_DEPTH + 1), objects(MAX_DEPTH + 1), arrays(1_000_000), "[".repeat(5_000_000)]
        {
            let error = text.parse::<Json>().unwrap_err();
            assert_eq!(*error.kind(), DecodeErrorKind::TooDeep);
        }
    }

    #[test]
    fn is_an_item_of_json_only() {
        let mut value = json!(1);
        Item::read_json(&mut value, &mut json::Reader::new(b"null"), &mut Decoding::new()).unwrap();
        assert!(Item::is_empty(&value));
        assert!(!Item::is_empty(&json!({})) && !Item::is_empty(&json!(0)) && !Item::is_empty(&json!("")));
        let mut writer = protobuf::Writer::new();
        crate::wire::Value::put_protobuf(&json!({"a": 1}), 1, &mut writer);
        assert!(writer.into_vec().is_empty());
        assert!(Item::merge_protobuf(&mut value, Chunk::Bytes(b"{}"), &mut Decoding::new()).is_err());
    }

    proptest! {
        #[test]
        fn written_values_parse_to_the_same_value(value in any_json()) {
            prop_assert_eq!(Json::parse(&value.to_vec()).unwrap(), value);
        }

        #[test]
        fn floats_keep_every_digit(float in any::<f64>().prop_filter("JSON has none", |float| float.is_finite())) {
            prop_assert_eq!(parse(&Json::Float(float).to_string()), Json::Float(float));
        }

        #[test]
        fn agrees_with_serde_json(value in any_json()) {
            let theirs: serde_json::Value = serde_json::from_slice(&value.to_vec()).unwrap();
            prop_assert_eq!(Json::parse(&serde_json::to_vec(&theirs).unwrap()).unwrap(), value);
        }

        #[test]
        fn any_bytes_are_an_error_at_worst(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Json::parse(&bytes);
        }

        #[test]
        fn any_punctuation_is_an_error_at_worst(text in r#"[\[\]{},:"\\ntfe0-9. -]{0,60}"#) {
            if let Ok(value) = text.parse::<Json>() {
                prop_assert_eq!(value.to_string().parse::<Json>().unwrap(), value);
            }
        }
    }
}
