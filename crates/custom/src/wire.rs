//! The wire format of derived kinds: JSON, with metadata decoded as for a built-in kind.

use std::borrow::Cow;

use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::{
    DecodeError, DecodeErrorKind, Decoding, Format, Item, Message, Payload, json,
};
use client_rs_machinery::{Json, Resource, ResourceInfo};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{CustomResource, numbers, reader};

/// Metadata, spec and status.
pub(crate) type Parts<Spec, Status> = (ObjectMeta, Spec, Option<Status>);

/// The standard fields of an object. All others are extra fields.
const KNOWN: [&str; 5] = ["apiVersion", "kind", "metadata", "spec", "status"];

/// Decodes an object. A missing spec that is not optional is decoded from an empty object, if the type accepts that. The
/// extra fields are written to `extra`, as a JSON object.
pub fn decode<K, Spec, Status>(
    format: Format,
    bytes: &[u8],
    cx: &mut Decoding<'_>,
    extra: Option<&mut Vec<u8>>,
) -> Result<Parts<Spec, Status>, DecodeError>
where
    K: CustomResource,
    Spec: DeserializeOwned,
    Status: DeserializeOwned,
{
    let kind = K::INFO.kind;
    if format != Format::Json {
        let encoding = DecodeErrorKind::UnsupportedEncoding(format.media_type().to_owned());
        return Err(DecodeError::new(encoding).in_type(kind));
    }
    let raw = raw_parts(K::INFO, bytes, cx, extra).map_err(|error| error.in_type(kind))?;
    let absent: &[u8] = if K::VERSION_SPEC.optional_spec { b"null" } else { b"{}" };
    let spec = match raw.spec {
        Some(spec) => reader::read(spec).map_err(|error| error.in_field("spec").in_type(kind))?,
        None => serde_json::from_slice(absent)
            .map_err(|_| DecodeError::invalid("it is missing").in_field("spec").in_type(kind))?,
    };
    let status = raw.status.map(reader::read).transpose();
    Ok((raw.metadata, spec, status.map_err(|error| error.in_field("status").in_type(kind))?))
}

struct Raw<'a> {
    metadata: ObjectMeta,
    spec: Option<&'a [u8]>,
    status: Option<&'a [u8]>,
}

fn raw_parts<'a>(
    info: &ResourceInfo,
    bytes: &'a [u8],
    cx: &mut Decoding<'_>,
    extra: Option<&mut Vec<u8>>,
) -> Result<Raw<'a>, DecodeError> {
    let mut rest = extra.is_some().then(json::Writer::new);
    if let Some(rest) = &mut rest {
        rest.begin_object();
    }
    let mut raw = Raw { metadata: ObjectMeta::EMPTY, spec: None, status: None };
    let (mut api_version, mut kind) = (Cow::Borrowed(""), Cow::Borrowed(""));
    let mut reader = json::Reader::new(bytes);
    reader.begin_object()?;
    let mut first = true;
    while let Some(key) = reader.next_key(&mut first)? {
        if reader.take_null()? {
            continue;
        }
        match &*key {
            "apiVersion" => api_version = reader.text()?,
            "kind" => kind = reader.text()?,
            "metadata" => {
                let metadata = &mut raw.metadata;
                cx.nested(|cx| Item::read_json(metadata, &mut reader, cx))
                    .map_err(|error| error.in_field("metadata"))?;
            }
            "spec" => raw.spec = Some(reader.raw()?),
            "status" => raw.status = Some(reader.raw()?),
            _ => match &mut rest {
                Some(rest) => {
                    rest.key(&key);
                    rest.raw(reader.raw()?);
                }
                None => reader.skip()?,
            },
        }
    }
    reader.end()?;
    if let (Some(extra), Some(mut rest)) = (extra, rest) {
        rest.end_object();
        *extra = rest.into_vec();
    }
    let is_api_version = |found: &str| found.split_once('/') == Some((info.group, info.version));
    if !(api_version.is_empty() || is_api_version(&api_version)) || !(kind.is_empty() || kind == info.kind) {
        return Err(DecodeError::new(DecodeErrorKind::WrongKind {
            expected: format!("{}, {}", api_version_of(info), info.kind),
            found: format!("{api_version}, {kind}"),
        }));
    }
    Ok(raw)
}

/// Reads the extra fields.
pub fn read_extra<K: Resource, T: DeserializeOwned>(text: &[u8]) -> Result<T, DecodeError> {
    reader::read(text).map_err(|error| error.in_type(K::INFO.kind))
}

/// The space that a buffer begins with: most objects need no more than one larger buffer.
const USUAL: usize = 512;

/// Encodes an object, with the fields of `extra` next to its spec.
pub fn encode<K, Spec, Status>(
    metadata: &ObjectMeta,
    spec: &Spec,
    status: Option<&Status>,
    extra: Option<&Json>,
) -> Vec<u8>
where
    K: CustomResource,
    Spec: Serialize,
    Status: Serialize,
{
    let mut writer = json::Writer::with_capacity(USUAL);
    writer.begin_object();
    writer.key("apiVersion");
    writer.text(&api_version_of(K::INFO));
    writer.key("kind");
    writer.text(K::INFO.kind);
    writer.key("metadata");
    writer.raw(&metadata.to_json());
    for (key, part) in [("spec", Some(numbers::to_vec(spec))), ("status", status.map(numbers::to_vec))] {
        match part {
            None => {}
            Some(Ok(part)) if key == "spec" && K::VERSION_SPEC.optional_spec && part == b"null" => {}
            Some(Ok(part)) => {
                writer.key(key);
                writer.raw(&part);
            }
            // A map whose keys are not strings, or an error of the user's type: the server reports the missing field.
            Some(Err(error)) => {
                tracing::error!(kind = K::INFO.kind, part = key, %error, "can't be written as JSON");
            }
        }
    }
    for (key, value) in extra.and_then(Json::as_map).into_iter().flatten() {
        if !KNOWN.contains(&key.as_str())
            && let Ok(value) = numbers::to_vec(value)
        {
            writer.key(key);
            writer.raw(&value);
        }
    }
    writer.end_object();
    writer.into_vec()
}

/// Whether the status or the spec of two objects is certain to be written differently.
pub fn differs<Spec: Serialize, Status: Serialize>(
    (spec, status): (&Spec, Option<&Status>),
    (other_spec, other_status): (&Spec, Option<&Status>),
) -> bool {
    // The server reports what can't be written.
    fn differ<T: Serialize>(one: &T, other: &T) -> bool {
        matches!((numbers::to_vec(one), numbers::to_vec(other)), (Ok(one), Ok(other)) if one != other)
    }
    status.is_some() != other_status.is_some()
        || status.zip(other_status).is_some_and(|(one, other)| differ(one, other))
        || differ(spec, other_spec)
}

/// Serializes an object from its encoded bytes.
pub fn serialize_whole<K: Payload, S: Serializer>(object: &K, serializer: S) -> Result<S::Ok, S::Error> {
    let whole = Json::parse(&object.encode(Format::Json)).map_err(serde::ser::Error::custom)?;
    whole.serialize(serializer)
}

/// Deserializes an object through its encoded bytes.
pub fn deserialize_whole<'de, K: Payload, D: Deserializer<'de>>(deserializer: D) -> Result<K, D::Error> {
    let whole = Json::deserialize(deserializer)?;
    K::decode(Format::Json, &whole.to_vec(), &mut Decoding::new()).map_err(serde::de::Error::custom)
}

/// Serializes an object in its wire format.
pub fn serialize<K, Spec, Status, S>(
    metadata: &ObjectMeta,
    spec: &Spec,
    status: Option<&Status>,
    serializer: S,
) -> Result<S::Ok, S::Error>
where
    K: Resource,
    Spec: Serialize,
    Status: Serialize,
    S: Serializer,
{
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Root<'a, Spec, Status> {
        api_version: &'a str,
        kind: &'a str,
        metadata: &'a ObjectMeta,
        spec: &'a Spec,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'a Status>,
    }
    let api_version = api_version_of(K::INFO);
    Root { api_version: &api_version, kind: K::INFO.kind, metadata, spec, status }.serialize(serializer)
}

/// Deserializes an object. `apiVersion` and `kind` may be missing; otherwise they must be those of this kind.
pub fn deserialize<'de, K, Spec, Status, D>(deserializer: D) -> Result<Parts<Spec, Status>, D::Error>
where
    K: Resource,
    Spec: Deserialize<'de>,
    Status: Deserialize<'de>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Root<Spec, Status> {
        #[serde(default)]
        api_version: String,
        #[serde(default)]
        kind: String,
        #[serde(default)]
        metadata: ObjectMeta,
        spec: Spec,
        #[serde(default = "none")]
        status: Option<Status>,
    }
    fn none<T>() -> Option<T> {
        None
    }
    let root: Root<Spec, Status> = Root::deserialize(deserializer)?;
    let expected = api_version_of(K::INFO);
    let fits = |found: &str, expected: &str| found.is_empty() || found == expected;
    if !fits(&root.api_version, &expected) || !fits(&root.kind, K::INFO.kind) {
        let (found, kind) = (&root.api_version, &root.kind);
        let why = format!("it is {found} {kind} and not {expected} {}", K::INFO.kind);
        return Err(serde::de::Error::custom(why));
    }
    Ok((root.metadata, root.spec, root.status))
}

fn api_version_of(info: &ResourceInfo) -> String {
    format!("{}/{}", info.group, info.version)
}
