//! [`Peek`]: metadata of an object that is not decoded.

use std::borrow::Cow;

use super::{DecodeError, Envelope, Format, json, protobuf};

/// Metadata of an object, read from its wire bytes without decoding it.
///
/// It serves to find the key of an object that does not decode, to detect that an object is unchanged, and to match
/// labels. It borrows from the bytes, except where JSON escapes force a copy. It is tolerant: an absent field is
/// empty, and it reads nothing behind a mistake. It stops as soon as it knows enough, so if JSON has a key twice it
/// sees the first, unlike a decode.
///
/// ```
/// # use client_rs_machinery::{labels::Selector, wire::Peek};
/// let pod = Peek::json(br#"{"metadata":{"name":"web-0","labels":{"app":"web"}},"spec":{}}"#);
/// let labels: Vec<_> = pod.labels().collect();
/// assert!(Selector::parse("app in (web, api)")?.matches(labels.as_slice()));
/// # Ok::<(), client_rs_machinery::labels::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Peek<'a> {
    name: Cow<'a, str>,
    namespace: Cow<'a, str>,
    uid: Cow<'a, str>,
    resource_version: Cow<'a, str>,
    source: Source<'a>,
}

#[derive(Clone, Debug)]
enum Source<'a> {
    /// The object's message.
    Protobuf(&'a [u8]),
    /// From the `{` of `metadata` on; empty if there is no metadata.
    Json(&'a [u8]),
}

/// The number of `metadata` in every object's message.
const METADATA: u32 = 1;

/// The numbers of `ObjectMeta`'s fields.
mod number {
    pub(super) const NAME: u32 = 1;
    pub(super) const NAMESPACE: u32 = 3;
    pub(super) const UID: u32 = 5;
    pub(super) const RESOURCE_VERSION: u32 = 6;
    pub(super) const LABELS: u32 = 11;
    pub(super) const ANNOTATIONS: u32 = 12;
}

impl<'a> Peek<'a> {
    /// Reads an item of a list: JSON text, or a protobuf message without an envelope.
    pub fn at(format: Format, object: &'a [u8]) -> Self {
        match format {
            Format::Json => Self::json(object),
            Format::Protobuf => Self::protobuf(object),
        }
    }

    /// Reads a JSON object.
    pub fn json(object: &'a [u8]) -> Self {
        let metadata = json_metadata(object).ok().flatten().unwrap_or_default();
        let mut peek = Self::empty(Source::Json(metadata));
        // Fields that were read before a mistake are kept.
        let _ = peek.read_json(metadata);
        peek
    }

    /// Reads a protobuf message.
    pub fn protobuf(message: &'a [u8]) -> Self {
        let mut peek = Self::empty(Source::Protobuf(message));
        let _ = peek.read_protobuf(message);
        peek
    }

    /// Reads a protobuf envelope.
    pub fn envelope(bytes: &'a [u8]) -> Self {
        let envelope = Envelope::open(bytes).unwrap_or_default();
        match envelope.format() {
            Ok(format) => Self::at(format, envelope.raw),
            Err(_) => Self::protobuf(&[]),
        }
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `metadata.namespace`; empty for a cluster-scoped object.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// `metadata.uid`.
    pub fn uid(&self) -> &str {
        &self.uid
    }

    /// `metadata.resourceVersion`.
    pub fn resource_version(&self) -> &str {
        &self.resource_version
    }

    /// Returns `namespace/name`, or only the name for a cluster-scoped object.
    pub fn key(&self) -> String {
        match self.namespace() {
            "" => self.name().to_owned(),
            namespace => [namespace, "/", self.name()].concat(),
        }
    }

    /// Returns the labels, in the order of the wire.
    pub fn labels(&self) -> Entries<'a> {
        self.entries("labels", number::LABELS)
    }

    /// Returns the value of one label; the last one if it occurs twice, as in a decode.
    pub fn label(&self, key: &str) -> Option<Cow<'a, str>> {
        self.labels().get(key)
    }

    /// Returns the annotations, in the order of the wire.
    pub fn annotations(&self) -> Entries<'a> {
        self.entries("annotations", number::ANNOTATIONS)
    }

    /// Returns the value of one annotation; the last one if it occurs twice, as in a decode.
    pub fn annotation(&self, key: &str) -> Option<Cow<'a, str>> {
        self.annotations().get(key)
    }

    fn empty(source: Source<'a>) -> Self {
        let none = Cow::Borrowed("");
        Self {
            name: none.clone(),
            namespace: none.clone(),
            uid: none.clone(),
            resource_version: none,
            source,
        }
    }

    fn read_protobuf(&mut self, message: &'a [u8]) -> Result<(), DecodeError> {
        let mut object = protobuf::Reader::new(message);
        while let Some((number, chunk)) = object.next_field()? {
            if number != METADATA {
                continue;
            }
            let mut metadata = protobuf::Reader::new(chunk.bytes()?);
            while let Some((number, chunk)) = metadata.next_field()? {
                let fact = match number {
                    number::NAME => &mut self.name,
                    number::NAMESPACE => &mut self.namespace,
                    number::UID => &mut self.uid,
                    number::RESOURCE_VERSION => &mut self.resource_version,
                    _ => continue,
                };
                *fact = String::from_utf8_lossy(chunk.bytes()?);
            }
        }
        Ok(())
    }

    fn read_json(&mut self, metadata: &'a [u8]) -> Result<(), DecodeError> {
        let mut reader = json::Reader::new(metadata);
        let mut first = true;
        let mut missing = 4;
        reader.begin_object()?;
        while missing > 0
            && let Some(key) = reader.next_key(&mut first)?
        {
            let fact = match &*key {
                "name" => &mut self.name,
                "namespace" => &mut self.namespace,
                "uid" => &mut self.uid,
                "resourceVersion" => &mut self.resource_version,
                _ => {
                    reader.skip()?;
                    continue;
                }
            };
            if reader.take_null()? {
                continue;
            }
            let text = reader.text()?;
            if fact.is_empty() {
                *fact = text;
                missing -= 1;
            }
        }
        Ok(())
    }

    fn entries(&self, name: &str, number: u32) -> Entries<'a> {
        Entries(match self.source {
            Source::Protobuf(message) => Cursor::Protobuf {
                number,
                object: protobuf::Reader::new(message),
                metadata: protobuf::Reader::new(&[]),
            },
            Source::Json(metadata) => match json_entry(metadata, name) {
                Ok(Some(reader)) => Cursor::Json { reader, first: true },
                _ => Cursor::End,
            },
        })
    }
}

/// The entries of a map of texts (labels, annotations), read lazily.
#[derive(Clone, Debug)]
pub struct Entries<'a>(Cursor<'a>);

#[derive(Clone, Debug)]
enum Cursor<'a> {
    Protobuf { number: u32, object: protobuf::Reader<'a>, metadata: protobuf::Reader<'a> },
    Json { reader: json::Reader<'a>, first: bool },
    End,
}

impl<'a> Entries<'a> {
    /// Returns the last value of a key.
    pub fn get(self, key: &str) -> Option<Cow<'a, str>> {
        self.filter(|(found, _)| found == key).last().map(|(_, value)| value)
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        let next = match &mut self.0 {
            Cursor::Protobuf { number, object, metadata } => next_protobuf(*number, object, metadata),
            Cursor::Json { reader, first } => next_json(reader, first),
            Cursor::End => return None,
        };
        if let Ok(Some(entry)) = next {
            return Some(entry);
        }
        self.0 = Cursor::End;
        None
    }
}

type Entry<'a> = (Cow<'a, str>, Cow<'a, str>);

fn next_protobuf<'a>(
    wanted: u32,
    object: &mut protobuf::Reader<'a>,
    metadata: &mut protobuf::Reader<'a>,
) -> Result<Option<Entry<'a>>, DecodeError> {
    loop {
        while let Some((number, chunk)) = metadata.next_field()? {
            if number != wanted {
                continue;
            }
            let mut reader = protobuf::Reader::new(chunk.bytes()?);
            let (mut key, mut value) = (Cow::Borrowed(""), Cow::Borrowed(""));
            while let Some((number, chunk)) = reader.next_field()? {
                match number {
                    1 => key = String::from_utf8_lossy(chunk.bytes()?),
                    2 => value = String::from_utf8_lossy(chunk.bytes()?),
                    _ => {}
                }
            }
            return Ok(Some((key, value)));
        }
        match object.next_field()? {
            None => return Ok(None),
            Some((METADATA, chunk)) => *metadata = protobuf::Reader::new(chunk.bytes()?),
            Some(_) => {}
        }
    }
}

fn next_json<'a>(reader: &mut json::Reader<'a>, first: &mut bool) -> Result<Option<Entry<'a>>, DecodeError> {
    let Some(key) = reader.next_key(first)? else { return Ok(None) };
    let value = if reader.take_null()? { Cow::Borrowed("") } else { reader.text()? };
    Ok(Some((key, value)))
}

/// From the `{` of `metadata` on.
fn json_metadata(object: &[u8]) -> Result<Option<&[u8]>, DecodeError> {
    let entry = json_entry(object, "metadata")?;
    // The entry's reader is behind the `{`.
    Ok(entry.and_then(|reader| object.get(reader.position() - 1..)))
}

/// Returns a reader behind the `{` of an entry that is an object.
fn json_entry<'a>(object: &'a [u8], name: &str) -> Result<Option<json::Reader<'a>>, DecodeError> {
    let mut reader = json::Reader::new(object);
    let mut first = true;
    reader.begin_object()?;
    while let Some(key) = reader.next_key(&mut first)? {
        if key == name {
            reader.begin_object()?;
            return Ok(Some(reader));
        }
        reader.skip()?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::testing::Probe;
    use crate::wire::{Message, to_envelope};
    use crate::{Map, Str};

    fn facts(peek: &Peek<'_>) -> [String; 4] {
        [peek.name(), peek.namespace(), peek.uid(), peek.resource_version()].map(str::to_owned)
    }

    #[test]
    fn facts_are_those_of_the_decoded_object() {
        let probe = Probe::named("default", "a");
        let (message, envelope, json) = (probe.to_protobuf(), to_envelope(&probe), probe.to_json());
        for peek in [Peek::protobuf(&message), Peek::envelope(&envelope), Peek::json(&json)] {
            assert_eq!(facts(&peek), ["a", "default", "0b5a5b4e-0001", "42"]);
            assert_eq!(peek.key(), "default/a");
            assert_eq!(peek.label("tier").as_deref(), Some("front"));
            assert_eq!(peek.label("absent"), None);
            let labels: Vec<_> = peek.labels().map(|(key, value)| format!("{key}={value}")).collect();
            assert_eq!(labels, ["app=web", "tier=front"]);
            assert_eq!(peek.annotations().count(), 0);
            assert!(matches!(peek.name, Cow::Borrowed(_)));
        }
    }

    #[test]
    fn json_keys_come_in_any_order_and_with_escapes() {
        let text = br#" {"status":{"metadata":{"name":"wrong"}}, "spec":[{"name":"wrong"}],
            "metadata" : {"annotations":{"k8s.io/initial-events-end":"true"},
            "labels":{"\u0061pp":"w\"eb","none":null},"managedFields":[{"name":"wrong"}],
            "uid":null,"name":"\u00e9","resourceVersion":"7"},"kind":"Pod"} "#;
        let peek = Peek::json(text);
        assert_eq!(facts(&peek), ["é", "", "", "7"]);
        assert_eq!(peek.key(), "é");
        assert_eq!(peek.label("app").as_deref(), Some("w\"eb"));
        assert_eq!(peek.label("none").as_deref(), Some(""));
        assert_eq!(peek.annotation("k8s.io/initial-events-end").as_deref(), Some("true"));
    }

    #[test]
    fn fields_before_a_mistake_are_read() {
        for text in [
            &br#"{"metadata":{"name":"a","namespace":"b","labels":{"x":"1","y":2}},"spec":"#[..],
            br#"{"metadata":{"name":"a","namespace":"b","labels":{"x":"1","#,
            br#"{"kind":7,"metadata":{"name":"a","namespace":"b","labels":{"x":"1"},"uid":{}"#,
        ] {
            let peek = Peek::json(text);
            assert_eq!(peek.key(), "b/a");
            assert_eq!(peek.labels().count(), 1);
        }
        for text in [&b""[..], b"null", b"[]", b"{", br#"{"metadata":7}"#, br#"{"metadata":null}"#] {
            let peek = Peek::json(text);
            assert_eq!((peek.key().as_str(), peek.labels().count()), ("", 0));
        }
        let mut message = Probe::named("b", "a").to_protobuf();
        message.truncate(message.len() - 1);
        assert_eq!(Peek::protobuf(&message).key(), "b/a");
        assert_eq!(Peek::protobuf(b"\xff\xff").key(), "");
        assert_eq!(Peek::envelope(b"k8s").key(), "");
    }

    #[test]
    fn repeated_protobuf_records_merge_as_in_a_decode() {
        let labelled = |key: &str, value: &str| {
            let mut probe = Probe::default();
            probe.metadata.labels = [(key, Str::from(value))].into_iter().collect::<Map<Str>>();
            probe.to_protobuf()
        };
        let bytes = [labelled("a", "1"), labelled("b", "2"), labelled("a", "3")].concat();
        let decoded = Probe::from_protobuf(&bytes).unwrap();
        let peek = Peek::protobuf(&bytes);
        for key in ["a", "b"] {
            let expected = decoded.metadata.labels.get(key).map(Str::as_str);
            assert_eq!(peek.label(key).as_deref(), expected, "{key}");
        }
    }

    #[test]
    fn text_that_is_not_utf8_is_shown_as_well_as_it_can_be() {
        let peek_bytes = b"\x0a\x05\x0a\x03a\xffb";
        assert_eq!(Peek::protobuf(peek_bytes).name(), "a\u{FFFD}b");
    }
}
