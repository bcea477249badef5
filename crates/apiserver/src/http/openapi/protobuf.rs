//! The `OpenAPI` v2 document in protobuf, which clients request first. Field numbers are those of gnostic's
//! `OpenAPIv2.proto`.

use client_rs_machinery::Json;

/// A message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        loop {
            let [low, ..] = value.to_le_bytes();
            value >>= 7;
            if value == 0 {
                return self.0.push(low & 0x7f);
            }
            self.0.push(low | 0x80);
        }
    }

    fn tag(&mut self, number: u32, wire: u64) {
        self.varint(u64::from(number) << 3 | wire);
    }

    fn bytes(&mut self, number: u32, bytes: &[u8]) {
        self.tag(number, 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, number: u32, value: &Json) {
        if let Some(text) = value.as_str().filter(|text| !text.is_empty()) {
            self.bytes(number, text.as_bytes());
        }
    }

    fn texts(&mut self, number: u32, value: &Json) {
        for text in list(value).filter_map(Json::as_str) {
            self.bytes(number, text.as_bytes());
        }
    }

    fn flag(&mut self, number: u32, value: &Json) {
        if value.as_bool() == Some(true) {
            self.tag(number, 0);
            self.varint(1);
        }
    }

    fn integer(&mut self, number: u32, value: &Json) {
        if let Some(value) = value.as_i64() {
            self.tag(number, 0);
            self.varint(value.cast_unsigned());
        }
    }

    fn double(&mut self, number: u32, value: &Json) {
        if let Some(value) = value.as_f64() {
            self.tag(number, 1);
            self.0.extend_from_slice(&value.to_le_bytes());
        }
    }

    fn message(&mut self, number: u32, message: &Self) {
        self.bytes(number, &message.0);
    }

    /// Writes a value of any shape as YAML. JSON is valid YAML.
    fn any(&mut self, number: u32, value: &Json) {
        if !value.is_null() {
            self.message(number, &any(value));
        }
    }

    /// Writes the entries of an object, with their names.
    fn named(&mut self, number: u32, value: &Json, write: impl Fn(&Json) -> Self) {
        for (name, value) in value.as_map().into_iter().flatten() {
            let mut entry = Self::default();
            entry.bytes(1, name.as_bytes());
            entry.message(2, &write(value));
            self.message(number, &entry);
        }
    }

    fn extensions(&mut self, number: u32, value: &Json) {
        for (name, value) in value.as_map().into_iter().flatten().filter(|(name, _)| name.starts_with("x-")) {
            let mut entry = Self::default();
            entry.bytes(1, name.as_bytes());
            entry.message(2, &any(value));
            self.message(number, &entry);
        }
    }
}

fn any(value: &Json) -> Message {
    let mut message = Message::default();
    let mut text = value.to_vec();
    text.push(b'\n');
    message.bytes(2, &text);
    message
}

fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

/// The document.
pub(super) fn document(value: &Json) -> Vec<u8> {
    let mut document = Message::default();
    document.text(1, &value["swagger"]);
    let mut info = Message::default();
    info.text(1, &value["info"]["title"]);
    info.text(2, &value["info"]["version"]);
    document.message(2, &info);
    let mut paths = Message::default();
    paths.named(2, &value["paths"], path_item);
    document.message(8, &paths);
    let mut definitions = Message::default();
    definitions.named(1, &value["definitions"], schema);
    document.message(9, &definitions);
    for requirement in list(&value["security"]) {
        let mut message = Message::default();
        message.named(1, requirement, |names| {
            let mut message = Message::default();
            message.texts(1, names);
            message
        });
        document.message(12, &message);
    }
    let mut security = Message::default();
    security.named(1, &value["securityDefinitions"], |of| {
        let mut key = Message::default();
        key.text(1, &of["type"]);
        key.text(2, &of["name"]);
        key.text(3, &of["in"]);
        key.text(4, &of["description"]);
        let mut item = Message::default();
        item.message(2, &key);
        item
    });
    document.message(13, &security);
    document.0
}

fn path_item(value: &Json) -> Message {
    let mut item = Message::default();
    for (key, number) in [("get", 2), ("put", 3), ("post", 4), ("delete", 5), ("patch", 8)] {
        if !value[key].is_null() {
            item.message(number, &operation(&value[key]));
        }
    }
    for of in list(&value["parameters"]) {
        item.message(9, &parameter(of));
    }
    item
}

fn operation(value: &Json) -> Message {
    let mut operation = Message::default();
    operation.texts(1, &value["tags"]);
    operation.text(5, &value["operationId"]);
    operation.texts(6, &value["produces"]);
    operation.texts(7, &value["consumes"]);
    for of in list(&value["parameters"]) {
        operation.message(8, &parameter(of));
    }
    let mut responses = Message::default();
    responses.named(1, &value["responses"], |of| {
        let mut response = Message::default();
        response.text(1, &of["description"]);
        if !of["schema"].is_null() {
            let mut item = Message::default();
            item.message(1, &schema(&of["schema"]));
            response.message(2, &item);
        }
        let mut value = Message::default();
        value.message(1, &response);
        value
    });
    operation.message(9, &responses);
    operation.texts(10, &value["schemes"]);
    operation.extensions(13, value);
    operation
}

/// Writes a parameter: a body, query or path parameter has its own wrapper message.
fn parameter(value: &Json) -> Message {
    let mut parameter = Message::default();
    let mut inner = Message::default();
    match value["in"].as_str() {
        Some("body") => {
            inner.text(2, &value["name"]);
            inner.text(3, &value["in"]);
            inner.flag(4, &value["required"]);
            inner.message(5, &schema(&value["schema"]));
            parameter.message(1, &inner);
        }
        place => {
            let path = place == Some("path");
            inner.flag(1, &value["required"]);
            inner.text(2, &value["in"]);
            inner.text(4, &value["name"]);
            inner.text(if path { 5 } else { 6 }, &value["type"]);
            inner.flag(if path { 19 } else { 20 }, &value["uniqueItems"]);
            let mut other = Message::default();
            other.message(if path { 4 } else { 3 }, &inner);
            parameter.message(2, &other);
        }
    }
    let mut item = Message::default();
    item.message(1, &parameter);
    item
}

fn schema(value: &Json) -> Message {
    let mut schema = Message::default();
    schema.text(1, &value["$ref"]);
    schema.text(2, &value["format"]);
    schema.text(3, &value["title"]);
    schema.text(4, &value["description"]);
    schema.any(5, &value["default"]);
    schema.double(6, &value["multipleOf"]);
    schema.double(7, &value["maximum"]);
    schema.flag(8, &value["exclusiveMaximum"]);
    schema.double(9, &value["minimum"]);
    schema.flag(10, &value["exclusiveMinimum"]);
    schema.integer(11, &value["maxLength"]);
    schema.integer(12, &value["minLength"]);
    schema.text(13, &value["pattern"]);
    schema.integer(14, &value["maxItems"]);
    schema.integer(15, &value["minItems"]);
    schema.flag(16, &value["uniqueItems"]);
    schema.integer(17, &value["maxProperties"]);
    schema.integer(18, &value["minProperties"]);
    schema.texts(19, &value["required"]);
    for allowed in list(&value["enum"]) {
        schema.any(20, allowed);
    }
    match &value["additionalProperties"] {
        Json::Bool(allowed) => {
            let mut item = Message::default();
            item.tag(2, 0);
            item.varint(u64::from(*allowed));
            schema.message(21, &item);
        }
        of @ Json::Map(_) => {
            let mut item = Message::default();
            item.message(1, &self::schema(of));
            schema.message(21, &item);
        }
        _ => {}
    }
    if let Some(kind) = value["type"].as_str() {
        let mut item = Message::default();
        item.bytes(1, kind.as_bytes());
        schema.message(22, &item);
    }
    if value["items"].as_map().is_some() {
        let mut item = Message::default();
        item.message(1, &self::schema(&value["items"]));
        schema.message(23, &item);
    }
    if value["properties"].as_map().is_some() {
        let mut properties = Message::default();
        properties.named(1, &value["properties"], self::schema);
        schema.message(25, &properties);
    }
    schema.any(30, &value["example"]);
    schema.extensions(31, value);
    schema
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn fields_have_gnostics_numbers() {
        let document = document(&json!({
            "swagger": "2.0", "info": {"title": "T", "version": "1"}, "paths": {},
            "definitions": {"A": {"type": "object", "x-y": [1]}},
        }));
        let expected: [&[u8]; 4] = [
            b"\x0a\x032.0\x12\x06\x0a\x01T\x12\x011\x42\x00",
            b"\x4a\x22\x0a\x20\x0a\x01A\x12\x1b\xb2\x01\x08\x0a\x06object",
            b"\xfa\x01\x0d\x0a\x03x-y\x12\x06\x12\x04[1]\n",
            b"\x6a\x00",
        ];
        assert_eq!(document, expected.concat());
    }
}
