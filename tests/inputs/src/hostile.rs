//! Properties that hold for any bytes that a peer may send.
//!
//! Each function takes bytes and panics if a promise is broken. It is the body of a fuzz target in `fuzz/` as well as
//! of a test in machinery's `tests/it/no_panic.rs`. To add one: write it here, then name it in both places.

use client_rs_machinery::managed_fields::FieldSet;
use client_rs_machinery::meta::v1::{PartialObjectMetadata, Status};
use client_rs_machinery::wire::json::Reader as JsonReader;
use client_rs_machinery::wire::protobuf::{Chunk, Reader, Writer};
use client_rs_machinery::wire::{
    DecodeError, DecodeErrorKind, Decoding, Envelope, Format, ListDecoder, ListOptions, ListSummary,
    MAX_DEPTH, Message, Peek, WatchDecoder, WatchEventType, WatchOptions, from_envelope, to_envelope,
};
use client_rs_machinery::{Quantity, fields as field_selectors, labels};
use serde::de::IgnoredAny;
use serde_json::Value;

/// Protobuf: fields, the envelope, a peek, and whole objects.
pub fn protobuf(data: &[u8]) {
    fields(data, 0);
    if let Ok(envelope) = Envelope::open(data) {
        assert_eq!(Envelope::open(&envelope.seal()), Ok(envelope));
        peek(&Peek::envelope(data));
    }
    if let Ok(object) = from_envelope::<Status>(data) {
        let written = to_envelope(&object);
        assert_eq!(from_envelope::<Status>(&written).map(|again| to_envelope(&again)), Ok(written));
    }
    if let Ok(object) = PartialObjectMetadata::from_protobuf(data) {
        let found = Peek::protobuf(data);
        peek(&found);
        assert_eq!(found.name(), object.metadata.name.as_str());
        assert_eq!(found.resource_version(), object.metadata.resource_version.as_str());
        for (key, value) in &object.metadata.labels {
            assert_eq!(found.label(key).as_deref(), Some(value.as_str()));
        }
        let written = object.to_protobuf();
        let again = PartialObjectMetadata::from_protobuf(&written);
        assert_eq!(again.map(|again| again.to_protobuf()), Ok(written));
    }
    peek(&Peek::protobuf(data));
}

/// JSON: the reader compared with `serde_json`, a peek, and whole objects.
pub fn json(data: &[u8]) {
    let mut reader = JsonReader::new(data);
    let skipped = reader.skip().and_then(|()| reader.end());
    let accepted = serde_json::from_slice::<IgnoredAny>(data);
    // Both skip the same documents, to the byte; only the allowed nesting differs.
    if skipped.as_ref().map_err(DecodeError::kind) != Err(&DecodeErrorKind::TooDeep) {
        assert_eq!(skipped.is_ok(), accepted.is_ok(), "{skipped:?} {accepted:?}");
    }
    let mut reader = JsonReader::new(data);
    let found = value(&mut reader, 0).and_then(|value| reader.end().map(|()| value));
    if let (Ok(found), Ok(expected)) = (found, serde_json::from_slice::<Value>(data)) {
        assert!(alike(&found, &expected), "{found} {expected}");
    }
    if let Ok(object) = PartialObjectMetadata::from_json(data) {
        let written = object.to_json();
        assert_eq!(PartialObjectMetadata::from_json(&written).map(|again| again.to_json()), Ok(written));
    }
    peek(&Peek::json(data));
}

/// Lists in JSON: any chunking yields the same items, and they are those that `serde_json` sees.
pub fn json_list(data: &[u8]) {
    let (bytes, (items, summary)) = list(Format::Json, data);
    let Ok(document) = serde_json::from_slice::<Value>(bytes) else { return };
    match summary {
        Ok(summary) => {
            let expected = document.get("items").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            assert_eq!(items.len(), expected.len());
            for (found, expected) in items.iter().zip(expected) {
                assert_eq!(serde_json::from_slice::<Value>(found).ok().as_ref(), Some(expected));
            }
            assert_eq!(summary.items, expected.len());
            assert_eq!(
                summary.kind.as_str(),
                document.get("kind").and_then(Value::as_str).unwrap_or_default()
            );
        }
        Err(error) => {
            let framing = [DecodeErrorKind::Truncated, DecodeErrorKind::Trailing, DecodeErrorKind::TooDeep];
            assert!(!framing.contains(error.kind()), "{error}");
        }
    }
}

/// Lists in protobuf: any chunking yields the same items.
pub fn protobuf_list(data: &[u8]) {
    let (bytes, (items, summary)) = list(Format::Protobuf, data);
    if let (Ok(summary), Ok(envelope)) = (summary, Envelope::open(bytes)) {
        let mut expected = Vec::new();
        let mut reader = Reader::new(envelope.raw);
        while let Ok(Some((number, chunk))) = reader.next_field() {
            if let (2, Chunk::Bytes(item)) = (number, chunk) {
                expected.push(item.to_vec());
            }
        }
        assert_eq!(items, expected);
        assert_eq!(
            (summary.api_version.as_str(), summary.kind.as_str()),
            (envelope.api_version, envelope.kind)
        );
    }
}

/// Watches in JSON: any chunking yields the same events, and they are those that `serde_json` sees.
pub fn json_watch(data: &[u8]) {
    let (bytes, (events, end)) = watch(Format::Json, data);
    let documents: Result<Vec<Value>, _> = serde_json::Deserializer::from_slice(bytes).into_iter().collect();
    if let (Ok(()), Ok(documents)) = (end, documents) {
        assert_eq!(events.len(), documents.len());
        for ((kind, object), document) in events.iter().zip(&documents) {
            assert_eq!(document.get("type").and_then(Value::as_str), Some(kind.as_str()));
            assert_eq!(document.get("object"), serde_json::from_slice::<Value>(object).ok().as_ref());
        }
    }
}

/// Watches in protobuf: any chunking yields the same events.
pub fn protobuf_watch(data: &[u8]) {
    let (_, (events, end)) = watch(Format::Protobuf, data);
    assert!(end.is_err() || events.iter().all(|(kind, _)| *kind == WatchEventType::from(kind.as_str())));
}

/// Quantities: what is parsed is written, and parsed again to the same.
pub fn quantity(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(quantity) = Quantity::parse(text) else { return };
    let canonical = quantity.canonical();
    assert_eq!(Quantity::parse(canonical.as_str()).map(|again| again.canonical()), Ok(canonical));
    let _ = (quantity.value(), quantity.milli_value(), quantity.as_i64(), quantity.as_f64(), quantity.sign());
}

/// Sets of managed fields: what is parsed is written, and parsed again to the same.
pub fn fields_v1(data: &[u8]) {
    let Ok(set) = FieldSet::parse(data) else { return };
    assert_eq!(FieldSet::parse(&set.to_text()).ok(), Some(set.clone()));
    assert_eq!(FieldSet::from_json(&set.to_json()).ok(), Some(set.clone()));
    assert_eq!(set.iter().count(), set.len());
    assert!(set.iter().all(|path| set.has(&path.0)));
    assert!(set.difference(&set).is_empty() && set.union(&set) == set && set.intersection(&set) == set);
}

/// Selectors, of labels and of fields: what is parsed is written, and parsed again to the same.
pub fn selector(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let some = [("app", "web"), ("metadata.name", "a,b=c")];
    if let Ok(selector) = labels::Selector::parse(text) {
        let again = labels::Selector::parse(&selector.to_string());
        assert_eq!(again.as_ref(), Ok(&selector));
        assert_eq!(again.map(|again| again.matches(&some)), Ok(selector.matches(&some)));
    }
    if let Ok(selector) = field_selectors::Selector::parse(text) {
        let again = field_selectors::Selector::parse(&selector.to_string());
        assert_eq!(again.map(|again| again.matches(&some)), Ok(selector.matches(&some)));
    }
}

fn fields(bytes: &[u8], depth: usize) {
    let mut reader = Reader::new(bytes);
    let mut read = Vec::new();
    let complete = loop {
        let mut run = reader.clone();
        match reader.next_field() {
            Ok(Some((number, chunk))) => {
                let count = run.skip_run(number);
                assert_eq!(count > 0, matches!(chunk, Chunk::Bytes(_)));
                if let (Chunk::Bytes(inner), true) = (chunk, depth < 8) {
                    fields(inner, depth + 1);
                    let mut packed = Reader::new(inner);
                    while let Ok(Some(_)) = packed.next_packed() {}
                }
                read.push((number, chunk));
            }
            Ok(None) => break true,
            Err(error) => {
                assert!(error.offset().is_some_and(|offset| offset <= bytes.len()));
                break false;
            }
        }
    };
    assert!(!complete || reader.position() == bytes.len());
    let mut writer = Writer::new();
    for (number, chunk) in read.iter().rev() {
        if let Chunk::Bytes(content) = chunk {
            let end = writer.len();
            writer.put(content);
            writer.tag_bytes(*number, end);
        }
    }
    let mut again = Reader::new(writer.as_slice());
    for (number, chunk) in read.into_iter().filter(|(_, chunk)| matches!(chunk, Chunk::Bytes(_))) {
        assert_eq!(again.next_field(), Ok(Some((number, chunk))));
    }
}

fn peek(peek: &Peek<'_>) {
    assert!(peek.key().ends_with(peek.name()));
    assert!(peek.labels().count() + peek.annotations().count() < usize::MAX);
}

fn value(reader: &mut JsonReader<'_>, depth: usize) -> Result<Value, DecodeError> {
    if depth > MAX_DEPTH {
        return Err(DecodeError::new(DecodeErrorKind::TooDeep));
    }
    Ok(match reader.peek() {
        Some(b'n') => reader.take_null().map(|_| Value::Null)?,
        Some(b't' | b'f') => Value::Bool(reader.boolean()?),
        Some(b'"') => Value::String(reader.text()?.into_owned()),
        Some(b'[') => {
            reader.begin_array()?;
            let (mut first, mut items) = (true, Vec::new());
            while reader.next_element(&mut first)? {
                items.push(value(reader, depth + 1)?);
            }
            Value::Array(items)
        }
        Some(b'{') => {
            reader.begin_object()?;
            let (mut first, mut entries) = (true, serde_json::Map::new());
            while let Some(key) = reader.next_key(&mut first)? {
                entries.insert(key.into_owned(), value(reader, depth + 1)?);
            }
            Value::Object(entries)
        }
        _ => {
            let mut ahead = reader.clone();
            match ahead.integer() {
                Ok(number) => {
                    *reader = ahead;
                    Value::from(number)
                }
                Err(_) => Value::from(reader.float()?),
            }
        }
    })
}

/// Equal, except for the last bit of a number with a fraction.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap_or(0.0), other.as_f64().unwrap_or(0.0));
            (one - other).abs() <= one.abs() * 1e-12
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| alike(one, other)))
        }
        _ => one == other,
    }
}

/// How a stream is cut and what it may hold, from its first two bytes; and the stream.
fn cutting(data: &[u8]) -> (Vec<usize>, usize, &[u8]) {
    let Some(([cut, limit], stream)) = data.split_first_chunk::<2>() else {
        return (vec![1], 1 << 20, data);
    };
    let sizes = vec![1 + usize::from(cut & 7), 1 + usize::from(cut >> 3)];
    (sizes, if *limit < 128 { 1 << 20 } else { usize::from(*limit) }, stream)
}

/// Cuts a stream into pieces of the given sizes, over and over.
fn pieces<'a>(mut stream: &'a [u8], sizes: &[usize]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    for size in sizes.iter().cycle() {
        let (piece, rest) = stream.split_at((*size).min(stream.len()));
        pieces.push(piece);
        stream = rest;
        if stream.is_empty() {
            break;
        }
    }
    pieces
}

type List = (Vec<Vec<u8>>, Result<ListSummary, DecodeError>);

fn list(format: Format, data: &[u8]) -> (&[u8], List) {
    let (sizes, max_item, stream) = cutting(data);
    let read = |pieces: &[&[u8]]| -> List {
        let mut list = ListDecoder::with_options(format, ListOptions::default().with_max_item(max_item));
        let mut items = Vec::new();
        for piece in pieces {
            list.push(piece);
            loop {
                match list.next_item() {
                    Ok(Some(item)) => {
                        assert!(item.len() <= max_item);
                        peek(&Peek::at(format, item));
                        items.push(item.to_vec());
                    }
                    Ok(None) => break,
                    Err(error) => {
                        assert_eq!(list.finish().err().as_ref(), Some(&error));
                        return (items, Err(error));
                    }
                }
            }
        }
        (items, list.finish())
    };
    let whole = read(&[stream]);
    assert_eq!(read(&pieces(stream, &sizes)), whole);
    (stream, whole)
}

type Watch = (Vec<(WatchEventType, Vec<u8>)>, Result<(), DecodeError>);

fn watch(format: Format, data: &[u8]) -> (&[u8], Watch) {
    let (sizes, max_frame, stream) = cutting(data);
    let read = |pieces: &[&[u8]]| -> Watch {
        let mut watch = WatchDecoder::with_options(format, WatchOptions::default().with_max_frame(max_frame));
        let mut events = Vec::new();
        for piece in pieces {
            watch.push(piece);
            loop {
                match watch.next_event() {
                    Ok(Some(event)) => {
                        assert!(event.object.len() <= max_frame);
                        peek(&event.peek());
                        let _ = event.decode::<PartialObjectMetadata>(&mut Decoding::new());
                        events.push((event.kind, event.object.to_vec()));
                    }
                    Ok(None) => break,
                    Err(error) => {
                        assert_eq!(watch.finish().err().as_ref(), Some(&error));
                        return (events, Err(error));
                    }
                }
            }
        }
        (events, watch.finish())
    };
    let whole = read(&[stream]);
    assert_eq!(read(&pieces(stream, &sizes)), whole);
    (stream, whole)
}
