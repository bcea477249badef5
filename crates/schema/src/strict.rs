//! Strict decoding: finds unknown and duplicate fields in JSON.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use client_rs_machinery::wire::{DecodeError, Descriptor, Field, json::Reader};

/// The errors of strict decoding, in the order of the text: `unknown field "spec.foo"`, `duplicate field
/// "spec.foo"`.
///
/// Fails if the text is not JSON.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_machinery::wire::Message;
/// use client_rs_schema::strict;
///
/// let text = br#"{"kind": "ConfigMap", "metadata": {"name": "a"}, "dta": {}}"#;
/// assert_eq!(strict::complaints(text, ConfigMap::DESCRIPTOR).unwrap(), [r#"unknown field "dta""#]);
/// ```
pub fn complaints(text: &[u8], descriptor: &'static Descriptor) -> Result<Vec<String>, DecodeError> {
    let mut found = Vec::new();
    let mut reader = Reader::new(text);
    walk(&mut reader, Some(descriptor), Below::Message, Path::Root, &mut found)?;
    Ok(found)
}

/// The duplicate keys of an object of any kind: `duplicate field "spec.foo"`. Fails if the text is not JSON.
pub fn duplicates(text: &[u8]) -> Result<Vec<String>, DecodeError> {
    let mut found = Vec::new();
    walk(&mut Reader::new(text), None, Below::Values, Path::Root, &mut found)?;
    Ok(found)
}

/// The content of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// A message, or a list of messages.
    Message,
    /// A map whose values are messages, or a value of unknown shape.
    Values,
}

/// The path of a value, from the inside out. Its text is made only for a complaint.
#[derive(Clone, Copy)]
enum Path<'p> {
    Root,
    Field(&'p Path<'p>, &'p str),
    Element(&'p Path<'p>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Field(Self::Root, key) => f.write_str(key),
            Self::Field(parent, key) => write!(f, "{parent}.{key}"),
            Self::Element(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// The keys of one object so far.
#[derive(Default)]
struct Keys<'t> {
    first: Vec<Cow<'t, str>>,
    /// All of them, if there are many.
    all: HashSet<Cow<'t, str>>,
}

impl<'t> Keys<'t> {
    const FEW: usize = 16;

    /// Adds a key. Returns false if it was there.
    fn insert(&mut self, key: Cow<'t, str>) -> bool {
        if self.first.len() < Self::FEW {
            let is_new = !self.first.contains(&key);
            if is_new {
                self.first.push(key);
            }
            return is_new;
        }
        if self.all.is_empty() {
            self.all.extend(self.first.iter().cloned());
        }
        self.all.insert(key)
    }
}

fn walk(
    reader: &mut Reader<'_>,
    descriptor: Option<&'static Descriptor>,
    below: Below,
    path: Path<'_>,
    found: &mut Vec<String>,
) -> Result<(), DecodeError> {
    match reader.peek() {
        Some(b'{') => {
            reader.begin_object()?;
            let mut first = true;
            let mut seen = Keys::default();
            // Also for a kind inside of another, such as a claim template of a stateful set.
            let is_kind = descriptor.is_some_and(|own| matches!(path, Path::Root) || own.type_meta.is_some());
            while let Some(key) = reader.next_key(&mut first)? {
                let at = Path::Field(&path, &key);
                let type_meta = is_kind && matches!(&*key, "kind" | "apiVersion");
                let field = match (descriptor, below) {
                    (Some(descriptor), Below::Message) => descriptor.field_named(&key),
                    _ => None,
                };
                let known = descriptor.is_none() || below == Below::Values || type_meta || field.is_some();
                let text = || format!("{:?}", at.to_string());
                if !known {
                    found.push(format!("unknown field {}", text()));
                    reader.skip()?;
                    continue;
                }
                if !seen.insert(key.clone()) {
                    found.push(format!("duplicate field {}", text()));
                }
                let (inner, inner_below) = match (field, below) {
                    (Some(field), _) => (field.message(), value_shape(field)),
                    (None, Below::Values) => (descriptor, Below::Message),
                    (None, Below::Message) => (None, Below::Values),
                };
                walk(reader, inner, inner_below, at, found)?;
            }
            Ok(())
        }
        Some(b'[') => {
            reader.begin_array()?;
            let mut first = true;
            let mut index = 0_usize;
            while reader.next_element(&mut first)? {
                walk(reader, descriptor, below, Path::Element(&path, index), found)?;
                index += 1;
            }
            Ok(())
        }
        _ => reader.skip(),
    }
}

/// The fields with maps of messages. A descriptor distinguishes messages from other values, but not lists from
/// maps.
const MAPS: [&str; 8] = [
    "attributes",
    "capacity",
    "counters",
    "definitions",
    "dependencies",
    "nodeAllocatableResources",
    "patternProperties",
    "properties",
];

fn value_shape(field: &Field) -> Below {
    if MAPS.contains(&field.name) { Below::Values } else { Below::Message }
}

#[cfg(test)]
mod tests {
    use client_rs_api::apiextensions::v1::CustomResourceDefinition;
    use client_rs_api::apps::v1::StatefulSet;
    use client_rs_api::core::v1::{ConfigMap, Pod};
    use client_rs_machinery::wire::Message;

    use super::*;

    #[test]
    fn complaints_have_the_path_and_are_in_the_order_of_the_text() {
        let text = br#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","foo":1},"bar":2,"data":{"a":"1","a":"2"}}"#;
        assert_eq!(
            complaints(text, ConfigMap::DESCRIPTOR).unwrap(),
            [r#"unknown field "metadata.foo""#, r#"unknown field "bar""#, r#"duplicate field "data.a""#]
        );
        let text =
            br#"{"spec":{"containers":[{"name":"a"},{"nam":"b","resources":{"limits":{"cpu":"1"}}}]}}"#;
        assert_eq!(complaints(text, Pod::DESCRIPTOR).unwrap(), [r#"unknown field "spec.containers[1].nam""#]);
    }

    #[test]
    fn a_kind_within_another_has_a_kind_and_a_template_has_none() {
        let text = br#"{"spec":{"volumeClaimTemplates":[{"apiVersion":"v1","kind":"PersistentVolumeClaim","spc":1}],
            "template":{"kind":"Pod","spec":{"volumes":[{"ephemeral":{"volumeClaimTemplate":{"kind":"PersistentVolumeClaim"}}}]}}}}"#;
        assert_eq!(
            complaints(text, StatefulSet::DESCRIPTOR).unwrap(),
            [
                r#"unknown field "spec.volumeClaimTemplates[0].spc""#,
                r#"unknown field "spec.template.kind""#,
                r#"unknown field "spec.template.spec.volumes[0].ephemeral.volumeClaimTemplate.kind""#,
            ]
        );
    }

    #[test]
    fn keys_of_maps_and_raw_values_are_not_checked() {
        let text = br#"{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"properties":{"x":{"type":"string","default":{"q":1}},"y":{"typ":"z"}}}}}]}}"#;
        assert_eq!(
            complaints(text, CustomResourceDefinition::DESCRIPTOR).unwrap(),
            [r#"unknown field "spec.versions[0].schema.openAPIV3Schema.properties.y.typ""#]
        );
    }

    #[test]
    fn duplicates_are_found_among_few_and_many_keys() {
        for count in [2, 16, 17, 40] {
            let keys: Vec<String> = (0..count).map(|number| format!(r#""k{number}":1"#)).collect();
            let text = |again: &str| format!("{{{},{again}}}", keys.join(","));
            assert!(duplicates(text(r#""other":1"#).as_bytes()).unwrap().is_empty());
            for again in [0, count / 2, count - 1] {
                let found = duplicates(text(&keys[again]).as_bytes()).unwrap();
                assert_eq!(found, [format!(r#"duplicate field "k{again}""#)]);
            }
        }
    }

    #[test]
    fn broken_text_is_an_error() {
        assert!(complaints(b"{\"a\"", Pod::DESCRIPTOR).is_err());
    }
}
