//! Encodes objects in responses.

use std::sync::Arc;

use client_rs_machinery::meta::v1::{
    ListMeta, ObjectMeta, PartialObjectMetadata, PartialObjectMetadataList, ShardInfo, Status,
};
use client_rs_machinery::wire::{DecodeError, Envelope, Message, WatchEventType, to_envelope};
use client_rs_machinery::{ApiError, Json, Kind, ShardSelector, Unstructured, json};

use super::decode::json_to_yaml;
use super::media::{Encoding, Form, View};
use crate::kinds::columns::{self, Column};
use crate::registry::{Listing, Served, Stored};

/// The largest size of a protobuf field's tag and length.
const TAG: usize = 11;

/// Encodes objects of one resource in one format. Custom objects must already be in the served version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoder<'a> {
    pub(crate) served: &'a Served,
    pub(crate) form: Form,
    pub(crate) now: client_rs_machinery::Time,
    /// `None`, `Metadata` or `Object`: the part of the object that a table row contains in addition to its cells.
    pub(crate) include: &'a str,
}

impl Encoder<'_> {
    /// Encodes one object.
    pub(crate) fn object(&self, stored: &Stored) -> Result<Vec<u8>, ApiError> {
        let converted = self.converted(stored);
        let stored = converted.as_ref().unwrap_or(stored);
        let bytes = match (self.form.view, self.form.encoding) {
            (View::Table, _) => self.table(std::slice::from_ref(&stored), &meta_of(stored), true)?,
            (_, Encoding::Protobuf) => self.envelope(stored)?,
            (_, _) => self.json(stored)?,
        };
        self.finish(bytes)
    }

    /// Encodes a list.
    pub(crate) fn list(&self, listing: &Listing, shard: Option<&ShardSelector>) -> Result<Vec<u8>, ApiError> {
        let converted = self.served.conversion.is_some().then(|| {
            let item =
                |stored: &Arc<Stored>| self.converted(stored).map_or_else(|| Arc::clone(stored), Arc::new);
            let (continue_token, remaining) = (listing.continue_token.clone(), listing.remaining);
            Listing {
                items: listing.items.iter().map(item).collect(),
                revision: listing.revision,
                continue_token,
                remaining,
            }
        });
        let listing = converted.as_ref().unwrap_or(listing);
        let meta = ListMeta {
            // A list of computed objects has no revision.
            resource_version: match listing.revision {
                0 => client_rs_machinery::Str::EMPTY,
                revision => revision.to_string().into(),
            },
            continue_: listing.continue_token.as_str().into(),
            remaining_item_count: listing.remaining,
            shard_info: shard.map(|shard| ShardInfo { selector: shard.to_string().into() }.into()),
            ..ListMeta::EMPTY
        };
        let bytes = match (self.form.view, self.form.encoding) {
            (View::Table, _) => {
                let items: Vec<&Stored> = listing.items.iter().map(|item| &**item).collect();
                self.table(&items, &meta, true)?
            }
            (View::Metadata, encoding) => {
                let mut list =
                    PartialObjectMetadataList { metadata: meta, ..PartialObjectMetadataList::EMPTY };
                for item in &listing.items {
                    list.items.push(partial(item)?);
                }
                match encoding {
                    Encoding::Protobuf => to_envelope(&list),
                    _ => partial_list_json(&list),
                }
            }
            (View::Whole, Encoding::Protobuf) => self.protobuf_list(listing, &meta)?,
            (View::Whole, _) => self.json_list(listing, &meta)?,
        };
        self.finish(bytes)
    }

    /// Encodes one event of a watch, framed.
    pub(crate) fn event(
        &self,
        kind: &WatchEventType,
        stored: &Stored,
        first: bool,
    ) -> Result<Vec<u8>, ApiError> {
        let converted = self.converted(stored);
        let stored = converted.as_ref().unwrap_or(stored);
        let object = match (self.form.view, self.form.encoding) {
            (View::Table, _) => self.table(std::slice::from_ref(&stored), &meta_of(stored), first)?,
            (_, Encoding::Protobuf) => self.envelope(stored)?,
            _ => self.json(stored)?,
        };
        Ok(frame(self.form.encoding, kind.as_str(), &object))
    }

    /// Encodes a bookmark event.
    pub(crate) fn bookmark(&self, revision: u64, ends_initial: bool) -> Result<Vec<u8>, ApiError> {
        let mut object = Unstructured::default();
        object.set_api_version(self.served.api_version());
        object.set_kind(&self.served.info.kind);
        object.set_resource_version(revision.to_string());
        if ends_initial {
            object.set_annotation("k8s.io/initial-events-end", "true");
        }
        if let Some(conversion) = self.served.conversion {
            object = conversion.to_stored(object);
        }
        self.event(&WatchEventType::Bookmark, &Stored::new(object), false)
    }

    /// The built-in object in the served version; `None` if it is stored in that version.
    fn converted(&self, stored: &Stored) -> Option<Stored> {
        let conversion = self.served.conversion?;
        Some(Stored::new(conversion.to_served(stored.object.clone())))
    }

    fn json(&self, stored: &Stored) -> Result<Vec<u8>, ApiError> {
        match self.form.view {
            View::Metadata => Ok(partial(stored)?.to_json()),
            _ => self.whole(stored),
        }
    }

    /// Encodes a whole object.
    fn whole(&self, stored: &Stored) -> Result<Vec<u8>, ApiError> {
        let json = stored.json(|object| self.served.written(object)).map_err(unreadable)?;
        let rewritten = self.served.rules.rewrite_answer.and_then(|rewrite| rewrite(&json));
        Ok(rewritten.unwrap_or_else(|| json.to_vec()))
    }

    fn envelope(&self, stored: &Stored) -> Result<Vec<u8>, ApiError> {
        if self.form.view == View::Metadata {
            return Ok(to_envelope(&partial(stored)?));
        }
        let raw = stored.protobuf(self.typed()?).map_err(unreadable)?;
        let api_version = self.served.api_version();
        Ok(Envelope {
            api_version: &api_version,
            kind: &self.served.info.kind,
            raw: &raw,
            ..Envelope::default()
        }
        .seal())
    }

    /// The type of the objects. Objects without a type are never requested in protobuf.
    fn typed(&self) -> Result<Kind, ApiError> {
        self.served.kind.ok_or_else(|| ApiError::internal_error("the kind has no protobuf encoding"))
    }

    /// Encodes a list of custom objects. Their keys are sorted, as in the objects themselves.
    fn custom_list(&self, listing: &Listing) -> Result<Vec<u8>, ApiError> {
        let api_version = self.served.api_version();
        let mut text = format!(r#"{{"apiVersion":"{api_version}","items":["#).into_bytes();
        for (index, item) in listing.items.iter().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            text.extend_from_slice(&item.json(|object| self.served.written(object)).map_err(unreadable)?);
        }
        let mut meta = json!({
            "continue": listing.continue_token.as_str(), "resourceVersion": listing.revision.to_string(),
        });
        if let (Some(map), Some(remaining)) = (meta.as_map_mut(), listing.remaining) {
            map.insert("remainingItemCount", remaining.into());
        }
        text.extend_from_slice(
            format!(r#"],"kind":"{}","metadata":{meta}}}"#, self.served.info.list_kind).as_bytes(),
        );
        Ok(text)
    }

    fn json_list(&self, listing: &Listing, meta: &ListMeta) -> Result<Vec<u8>, ApiError> {
        if self.served.custom().is_some() {
            return self.custom_list(listing);
        }
        let (api_version, kind) = (self.served.api_version(), &self.served.info.kind);
        let mut text =
            format!(r#"{{"kind":"{kind}List","apiVersion":"{api_version}","metadata":"#).into_bytes();
        text.extend_from_slice(&meta.to_json());
        text.extend_from_slice(br#","items":["#);
        // The items of a built-in list do not repeat the kind of the list.
        let type_meta = format!(r#"{{"kind":"{kind}","apiVersion":"{api_version}""#);
        for (index, item) in listing.items.iter().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            let json = self.whole(item)?;
            match json.strip_prefix(type_meta.as_bytes()) {
                Some(rest) => {
                    text.push(b'{');
                    text.extend_from_slice(rest.strip_prefix(b",").unwrap_or(rest));
                }
                None => text.extend_from_slice(&json),
            }
        }
        text.extend_from_slice(b"]}");
        Ok(text)
    }

    fn protobuf_list(&self, listing: &Listing, meta: &ListMeta) -> Result<Vec<u8>, ApiError> {
        let mut raw = Vec::new();
        put_bytes(&mut raw, 1, &meta.to_protobuf());
        for item in &listing.items {
            put_bytes(&mut raw, 2, &item.protobuf(self.typed()?).map_err(unreadable)?);
        }
        let kind = &self.served.info.list_kind;
        let api_version = self.served.api_version();
        Ok(Envelope { api_version: &api_version, kind, raw: &raw, ..Envelope::default() }.seal())
    }

    fn table(&self, items: &[&Stored], meta: &ListMeta, headers: bool) -> Result<Vec<u8>, ApiError> {
        let columns = self.served.rules.columns();
        let custom = self.served.custom().map(|custom| custom.columns.as_slice()).unwrap_or_default();
        let mut text = br#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":"#.to_vec();
        text.extend_from_slice(&meta.to_json());
        text.extend_from_slice(br#","columnDefinitions":"#);
        if headers {
            let own = columns.iter().map(Column::definition);
            let columns: Vec<Json> = own.chain(custom.iter().map(columns::custom_definition)).collect();
            text.extend_from_slice(&Json::from(columns).to_vec());
        } else {
            text.extend_from_slice(b"null");
        }
        text.extend_from_slice(br#","rows":["#);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                text.push(b',');
            }
            let whole = Json::Map(item.object.object.clone());
            let own = columns.iter().map(|column| column.cell(&item.object, self.now));
            let cells: Vec<Json> =
                own.chain(custom.iter().map(|column| column.cell(&whole, self.now))).collect();
            text.extend_from_slice(br#"{"cells":"#);
            text.extend_from_slice(&Json::from(cells).to_vec());
            match self.include {
                "None" => {}
                "Object" => {
                    text.extend_from_slice(br#","object":"#);
                    text.extend_from_slice(
                        &item.json(|object| self.served.written(object)).map_err(unreadable)?,
                    );
                }
                _ => {
                    text.extend_from_slice(br#","object":"#);
                    text.extend_from_slice(&partial(item)?.to_json());
                }
            }
            text.push(b'}');
        }
        text.extend_from_slice(b"]}");
        Ok(text)
    }

    fn finish(&self, bytes: Vec<u8>) -> Result<Vec<u8>, ApiError> {
        finish(self.form, bytes)
    }
}

/// Encodes an object of a kind in the given format.
pub(crate) fn plain(form: Form, object: &dyn client_rs_machinery::AnyKind) -> Result<Vec<u8>, ApiError> {
    match form.encoding {
        Encoding::Protobuf => Ok(object.to_envelope()),
        _ => finish(form, object.to_json()),
    }
}

/// Encodes an error in the given format. `continue_token` continues an expired list.
pub(crate) fn failure(form: Form, error: &ApiError, continue_token: &str) -> Vec<u8> {
    let mut status = Status::from(error);
    status.metadata.continue_ = continue_token.into();
    plain(form, &status).unwrap_or_else(|_| status.to_json())
}

/// Encodes the event that ends a watch with an error.
pub(crate) fn error_event(encoding: Encoding, error: &ApiError) -> Vec<u8> {
    let status = Status::from(error);
    let object = match encoding {
        Encoding::Protobuf => to_envelope(&status),
        _ => status.to_json(),
    };
    frame(encoding, "ERROR", &object)
}

fn frame(encoding: Encoding, kind: &str, object: &[u8]) -> Vec<u8> {
    if encoding == Encoding::Protobuf {
        // `WatchEvent`: the type, then a `RawExtension` whose field 1 is the object.
        let mut extension = Vec::with_capacity(object.len() + TAG);
        put_bytes(&mut extension, 1, object);
        let mut event = Vec::with_capacity(extension.len() + kind.len() + 2 * TAG);
        put_bytes(&mut event, 1, kind.as_bytes());
        put_bytes(&mut event, 2, &extension);
        let length = u32::try_from(event.len()).unwrap_or(u32::MAX);
        return [&length.to_be_bytes()[..], &event].concat();
    }
    let head = format!(r#"{{"type":"{kind}","object":"#);
    [head.as_bytes(), object, b"}\n"].concat()
}

fn finish(form: Form, mut bytes: Vec<u8>) -> Result<Vec<u8>, ApiError> {
    match form.encoding {
        Encoding::Protobuf => Ok(bytes),
        Encoding::Yaml => json_to_yaml(&bytes).map_err(ApiError::internal_error),
        Encoding::Json if form.pretty => Ok(indented(&bytes)),
        Encoding::Json => {
            bytes.push(b'\n');
            Ok(bytes)
        }
    }
}

/// Indented JSON, with two spaces per level.
fn indented(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    let mut level = 0_usize;
    let (mut quoted, mut escaped) = (false, false);
    let line = |out: &mut Vec<u8>, level: usize| {
        out.push(b'\n');
        out.resize(out.len() + 2 * level, b' ');
    };
    for (at, &byte) in text.iter().enumerate() {
        if quoted {
            out.push(byte);
            quoted = escaped || byte != b'"';
            escaped = !escaped && byte == b'\\';
            continue;
        }
        let next = text.get(at + 1).copied();
        match byte {
            b'"' => {
                quoted = true;
                out.push(byte);
            }
            b'{' | b'[' => {
                out.push(byte);
                if !matches!(next, Some(b'}' | b']')) {
                    level += 1;
                    line(&mut out, level);
                }
            }
            b'}' | b']' => {
                if !matches!(out.last(), Some(b'{' | b'[')) {
                    level = level.saturating_sub(1);
                    line(&mut out, level);
                }
                out.push(byte);
            }
            b',' => {
                out.push(byte);
                line(&mut out, level);
            }
            b':' => out.extend_from_slice(b": "),
            _ => out.push(byte),
        }
    }
    out
}

fn partial(stored: &Stored) -> Result<PartialObjectMetadata, ApiError> {
    let metadata = stored.object.object.get("metadata").cloned().unwrap_or(Json::EMPTY_MAP);
    let metadata = ObjectMeta::from_json(&metadata.to_vec()).map_err(unreadable)?;
    Ok(PartialObjectMetadata { metadata })
}

fn partial_list_json(list: &PartialObjectMetadataList) -> Vec<u8> {
    // Unlike in other lists, each item has its kind.
    let mut text =
        br#"{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":"#.to_vec();
    text.extend_from_slice(&list.metadata.to_json());
    text.extend_from_slice(br#","items":["#);
    for (index, item) in list.items.iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        text.extend_from_slice(&item.to_json());
    }
    text.extend_from_slice(b"]}");
    text
}

fn meta_of(stored: &Stored) -> ListMeta {
    ListMeta { resource_version: stored.object.resource_version().into(), ..ListMeta::EMPTY }
}

fn put_bytes(out: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    // Wire type 2: bytes after their length. Numbers up to 15 have a tag of one byte.
    out.push(number << 3 | 2);
    let mut length = bytes.len();
    while length >= 0x80 {
        out.push(u8::try_from(length & 0x7f).unwrap_or_default() | 0x80);
        length >>= 7;
    }
    out.push(u8::try_from(length).unwrap_or_default());
    out.extend_from_slice(bytes);
}

/// The error for a stored object that can't be decoded. It can't occur: objects are checked when they are written.
fn unreadable(error: DecodeError) -> ApiError {
    ApiError::internal_error(error)
}

/// The response to a delete that removed the object.
pub(crate) fn success(served: &Served, stored: &Stored) -> Status {
    let details = json!({
        "name": stored.object.name(), "group": served.info.group.as_str(), "kind": served.info.plural.as_str(),
        "uid": stored.object.uid(),
    });
    let details = details.to_message().unwrap_or(client_rs_machinery::meta::v1::StatusDetails::EMPTY);
    Status { status: Status::SUCCESS.into(), details: Some(details.into()), ..Status::EMPTY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_like_in_go() {
        let text = br#"{"a":{},"b":[1,{"c":"x,{\"y\"}"}],"d":[]}"#;
        let expected = "{\n  \"a\": {},\n  \"b\": [\n    1,\n    {\n      \"c\": \"x,{\\\"y\\\"}\"\n    }\n  ],\n  \"d\": []\n}";
        assert_eq!(String::from_utf8(indented(text)).unwrap(), expected);
    }

    #[test]
    fn frames_are_read_back() {
        use client_rs_machinery::wire::{Format, WatchDecoder};
        let error = ApiError::resource_expired("too old");
        for (encoding, format) in [(Encoding::Json, Format::Json), (Encoding::Protobuf, Format::Protobuf)] {
            let mut watch = WatchDecoder::new(format);
            watch.push(&error_event(encoding, &error));
            let event = watch.next_event().unwrap().unwrap();
            assert_eq!(event.kind, WatchEventType::Error);
        }
    }
}
