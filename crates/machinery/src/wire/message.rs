//! Types made of fields, and the drivers that read and write any of them.

use super::protobuf::{Chunk, Reader, Writer};
use super::{DecodeError, DecodeErrorKind, Decoding, FieldMut, FieldRef, json};
use crate::StaticDefault;
use crate::collections::Erase;

/// A type made of fields, with a default that needs no heap.
///
/// Generated code implements it. These functions handle whole objects without the API server's protobuf envelope
/// around a root object; [`Envelope`](super::Envelope) handles that.
///
/// ```
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// use client_rs_machinery::wire::{DecodeErrorKind, Message};
///
/// let object = PartialObjectMetadata::from_json(br#"{"metadata": {"name": "web"}}"#)?;
/// assert_eq!(object.metadata.name, "web");
/// // The kind comes first in the output.
/// assert!(object.to_json().starts_with(br#"{"kind":"PartialObjectMetadata""#));
///
/// let pod = br#"{"apiVersion": "v1", "kind": "Pod"}"#;
/// let error = PartialObjectMetadata::from_json(pod).unwrap_err();
/// assert!(matches!(error.kind(), DecodeErrorKind::WrongKind { .. }));
/// # Ok::<(), client_rs_machinery::wire::DecodeError>(())
/// ```
pub trait Message: Fields + StaticDefault + Clone + Default + PartialEq {
    /// The description of this type.
    const DESCRIPTOR: &'static Descriptor;

    /// Decodes a message from protobuf.
    fn from_protobuf(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::from_protobuf_with(bytes, &mut Decoding::new())
    }

    /// Decodes a message from protobuf, with options.
    fn from_protobuf_with(bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        let mut message = Self::default();
        decode_protobuf_into(&mut message, bytes, cx)?;
        Ok(message)
    }

    /// Encodes a message as protobuf.
    fn to_protobuf(&self) -> Vec<u8> {
        fields_to_protobuf(self)
    }

    /// Decodes an object from JSON.
    ///
    /// `apiVersion` and `kind` may be absent; if they name another kind than this one, it is an error.
    fn from_json(text: &[u8]) -> Result<Self, DecodeError> {
        Self::from_json_with(text, &mut Decoding::new())
    }

    /// Decodes an object from JSON, with options.
    fn from_json_with(text: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        let mut message = Self::default();
        decode_json_into(&mut message, text, cx)?;
        Ok(message)
    }

    /// Encodes an object as JSON; a kind's `kind` and `apiVersion` come first.
    fn to_json(&self) -> Vec<u8> {
        fields_to_json(self)
    }
}

/// Encodes a message as protobuf.
pub(crate) fn fields_to_protobuf(message: &dyn Fields) -> Vec<u8> {
    let mut writer = Writer::new();
    put_protobuf(message, message.descriptor().wire, &mut writer);
    writer.into_vec()
}

/// The space that a buffer for JSON begins with: most objects need no more than one larger buffer.
const USUAL_JSON: usize = 512;

/// Encodes an object as JSON; a kind's `kind` and `apiVersion` come first.
pub(crate) fn fields_to_json(message: &dyn Fields) -> Vec<u8> {
    let mut writer = json::Writer::with_capacity(USUAL_JSON);
    put_root_json(message, &mut writer);
    writer.into_vec()
}

impl<M: Message> Erase<dyn Fields> for M {
    fn view_default() -> &'static dyn Fields {
        M::static_default()
    }

    fn view(&self) -> &dyn Fields {
        self
    }

    fn view_mut(&mut self) -> &mut dyn Fields {
        self
    }
}

/// The fields of a message by index, for the drivers.
///
/// Indexes are those of [`Descriptor::fields`]; any other index has no field.
pub trait Fields: Send + Sync + 'static {
    /// Returns the description of this type.
    fn descriptor(&self) -> &'static Descriptor;
    /// Returns a field's content.
    fn field(&self, index: usize) -> FieldRef<'_>;
    /// Returns a field's content for editing.
    fn field_mut(&mut self, index: usize) -> FieldMut<'_>;
}

/// The description of a message type.
#[derive(Debug)]
pub struct Descriptor {
    /// The type's name, as in Go.
    pub name: &'static str,
    /// The `apiVersion` and `kind`, for a type that is a kind.
    pub type_meta: Option<TypeMeta>,
    /// The fields, in the order of the Go struct, which is JSON's.
    pub fields: &'static [Field],
    /// The fields in protobuf, in ascending order of their numbers.
    pub wire: &'static [Wire],
}

impl Descriptor {
    /// Returns the field of this name in JSON, also of inlined messages.
    pub fn field_named(&self, name: &str) -> Option<&'static Field> {
        let own = self.fields.iter().find(|field| field.name == name && !field.flags.has(Flags::INLINE));
        own.or_else(|| self.inlined().find_map(|(_, message)| message.field_named(name)))
    }

    /// Returns the fields whose messages are inlined, by index.
    fn inlined(&self) -> impl Iterator<Item = (usize, &'static Descriptor)> {
        let inline = self.fields.iter().enumerate().filter(|(_, field)| field.flags.has(Flags::INLINE));
        inline.filter_map(|(index, field)| Some((index, field.message()?)))
    }
}

/// The `apiVersion` and `kind` of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeMeta {
    /// Such as `apps/v1`.
    pub api_version: &'static str,
    /// Such as `Deployment`.
    pub kind: &'static str,
    /// The kind is served in every group version (`DeleteOptions`, `Status`): only `kind` is compared.
    pub everywhere: bool,
}

/// The description of one field.
#[derive(Debug)]
pub struct Field {
    /// The field's name in JSON.
    pub name: &'static str,
    /// Properties of the field.
    pub flags: Flags,
    /// The key by which a strategic merge patch merges this list; empty if it replaces the list.
    pub merge_key: &'static str,
    /// See [`Field::message`]. A function, because a message may contain itself.
    message: Option<fn() -> &'static Descriptor>,
}

impl Field {
    /// Creates a field without a special meaning for a patch.
    pub const fn new(name: &'static str, flags: Flags) -> Self {
        Self { name, flags, merge_key: "", message: None }
    }

    /// The same, for a field of messages of this type.
    #[must_use]
    pub const fn of<M: Message>(mut self) -> Self {
        self.message = Some(descriptor_of::<M>);
        self
    }

    /// Returns the type of its messages, or of those in its list or map; `None` for any other content.
    pub fn message(&self) -> Option<&'static Descriptor> {
        self.message.map(|descriptor| descriptor())
    }

    /// The same, merged by this key in a strategic merge patch.
    #[must_use]
    pub const fn merged_by(mut self, key: &'static str) -> Self {
        self.merge_key = key;
        self
    }
}

fn descriptor_of<M: Message>() -> &'static Descriptor {
    M::DESCRIPTOR
}

/// Properties of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// No properties.
    pub const NONE: Self = Self(0);
    /// JSON leaves it out when it is empty: false, 0, "", no items, no value.
    pub const OMIT_EMPTY: Self = Self(1);
    /// JSON leaves it out when it is the zero value.
    pub const OMIT_ZERO: Self = Self(1 << 1);
    /// It may contain a secret: `Debug` does not show it.
    pub const SENSITIVE: Self = Self(1 << 2);
    /// It is `managedFields`, which a decode can leave out.
    pub const MANAGED_FIELDS: Self = Self(1 << 3);
    /// A strategic merge patch merges it instead of replacing it.
    pub const PATCH_MERGE: Self = Self(1 << 4);
    /// A strategic merge patch may name the keys to keep (`$retainKeys`).
    pub const PATCH_RETAIN_KEYS: Self = Self(1 << 5);
    /// A message whose fields are among its parent's in JSON; its own name does not occur in JSON.
    pub const INLINE: Self = Self(1 << 6);
    /// A strategic merge patch replaces it, even though it is an object.
    pub const PATCH_REPLACE: Self = Self(1 << 7);

    /// Returns the union of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` is set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// One protobuf entry of a message.
#[derive(Debug)]
pub enum Wire {
    /// A field of this message.
    Field {
        /// Its number.
        number: u32,
        /// Its index in [`Descriptor::fields`].
        index: u16,
        /// It is written as an empty message when it has no value: a plain Go struct whose zero means absent.
        always: bool,
    },
    /// A message on the wire whose fields are, in Rust and in JSON, the parent's own.
    Inline {
        /// Its number.
        number: u32,
        /// Its entries; their indexes are the parent's.
        wire: &'static [Wire],
    },
}

impl Wire {
    /// A field of this message.
    pub const fn field(number: u32, index: u16) -> Self {
        Self::Field { number, index, always: false }
    }

    /// A field that is written even when it has no value.
    pub const fn always(number: u32, index: u16) -> Self {
        Self::Field { number, index, always: true }
    }

    /// A message whose fields are the parent's own.
    pub const fn inline(number: u32, wire: &'static [Wire]) -> Self {
        Self::Inline { number, wire }
    }

    fn number(&self) -> u32 {
        match self {
            Self::Field { number, .. } | Self::Inline { number, .. } => *number,
        }
    }
}

/// Decodes protobuf into a message whose type is known only at run time.
pub fn decode_protobuf_into(
    message: &mut dyn Fields,
    bytes: &[u8],
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let descriptor = message.descriptor();
    if cx.is_pooled() {
        cx.begin(if descriptor.type_meta.is_some() { uid(bytes) } else { &[] });
    }
    merge_protobuf(message, bytes, cx).map_err(|error| error.in_type(descriptor.name))
}

/// Returns the UID of a kind's object, if it has one: field 5 of its metadata, which is its field 1.
fn uid(object: &[u8]) -> &[u8] {
    field_bytes(object, 1).and_then(|metadata| field_bytes(metadata, 5)).unwrap_or_default()
}

/// Returns the first length-delimited field of this number, unless a greater number precedes it.
fn field_bytes(message: &[u8], wanted: u32) -> Option<&[u8]> {
    let mut reader = Reader::new(message);
    while let Ok(Some((number, chunk))) = reader.next_field() {
        match chunk {
            Chunk::Bytes(bytes) if number == wanted => return Some(bytes),
            _ if number > wanted => return None,
            _ => {}
        }
    }
    None
}

/// Decodes JSON into a message whose type is known only at run time; the kind is checked.
pub fn decode_json_into(message: &mut dyn Fields, text: &[u8], cx: &mut Decoding) -> Result<(), DecodeError> {
    let name = message.descriptor().name;
    cx.begin(&[]);
    let mut reader = json::Reader::new(text);
    read_root_json(message, &mut reader, cx).and_then(|()| reader.end()).map_err(|error| error.in_type(name))
}

/// Decodes the JSON that `text` begins with, and returns its length.
///
/// It refuses values that nest almost to the limit: the levels of the message and of skipped values are not counted
/// together here, as they are when the end of a value is searched for.
pub(super) fn decode_json_front(
    message: &mut dyn Fields,
    text: &[u8],
    cx: &mut Decoding,
) -> Result<usize, DecodeError> {
    let name = message.descriptor().name;
    cx.begin(&[]);
    let mut reader = json::Reader::shallow(text);
    read_root_json(message, &mut reader, cx).map_err(|error| error.in_type(name))?;
    Ok(reader.position())
}

/// Merges protobuf bytes into a message.
pub(crate) fn merge_protobuf(
    message: &mut dyn Fields,
    bytes: &[u8],
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let descriptor = message.descriptor();
    merge_entries(message, descriptor, descriptor.wire, bytes, cx)
}

fn merge_entries(
    message: &mut dyn Fields,
    descriptor: &'static Descriptor,
    wire: &'static [Wire],
    bytes: &[u8],
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    cx.nested(|cx| {
        let mut reader = Reader::new(bytes);
        // Fields come in ascending order: the next entry is almost always the one after the last.
        let mut expected = 0;
        loop {
            let start = reader.position();
            let Some((number, chunk)) = reader.next_field_inlined()? else { return Ok(()) };
            let Some(at) = find_number(wire, number, expected) else { continue };
            expected = at + 1;
            match &wire[at] {
                // Written for an absent value, so read as absent: a plain Go struct becomes zero again.
                Wire::Field { always: true, .. } if chunk == Chunk::Bytes(&[]) => {}
                Wire::Field { index, .. } => {
                    let index = usize::from(*index);
                    let field = &descriptor.fields[index];
                    if cx.strip_managed_fields && field.flags.has(Flags::MANAGED_FIELDS) {
                        continue;
                    }
                    cx.enter(field.name, number);
                    message
                        .field_mut(index)
                        .merge_protobuf(Record { number, chunk, start, reader: &mut reader }, cx)
                        .map_err(|error| error.in_field(field.name))?;
                }
                Wire::Inline { wire, .. } => merge_entries(message, descriptor, wire, chunk.bytes()?, cx)?,
            }
        }
    })
}

/// A field's first record, and the reader behind it for the records that follow.
#[derive(Debug)]
pub struct Record<'r, 'a> {
    /// The field's number.
    pub number: u32,
    /// The record's content.
    pub chunk: Chunk<'a>,
    /// The start of the record's tag.
    pub start: usize,
    /// The reader behind the record.
    pub reader: &'r mut Reader<'a>,
}

/// Adjacent records of one number.
pub(crate) struct Run<'a> {
    /// The bytes of all records, with their tags.
    pub(crate) bytes: &'a [u8],
    pub(crate) count: usize,
}

impl<'a> Record<'_, 'a> {
    /// Takes this record and the adjacent ones of the same number.
    pub(crate) fn run(self) -> Run<'a> {
        let count = 1 + self.reader.skip_run(self.number);
        Run { bytes: self.reader.since(self.start), count }
    }
}

fn find_number(wire: &[Wire], number: u32, expected: usize) -> Option<usize> {
    if let Some(entry) = wire.get(expected)
        && entry.number() == number
    {
        return Some(expected);
    }
    wire.binary_search_by_key(&number, Wire::number).ok()
}

/// Puts a message, with its tag, before the bytes written so far.
pub(crate) fn put_field(message: &dyn Fields, number: u32, writer: &mut Writer) {
    let end = writer.len();
    put_protobuf(message, message.descriptor().wire, writer);
    writer.tag_bytes(number, end);
}

/// Puts a message's entries before the bytes written so far.
pub(crate) fn put_protobuf(message: &dyn Fields, wire: &'static [Wire], writer: &mut Writer) {
    for entry in wire.iter().rev() {
        match entry {
            Wire::Field { number, index, always } => {
                let end = writer.len();
                message.field(usize::from(*index)).put_protobuf(*number, writer);
                if *always && writer.len() == end {
                    writer.tag_bytes(*number, end);
                }
            }
            Wire::Inline { number, wire } => {
                let end = writer.len();
                put_protobuf(message, wire, writer);
                writer.tag_bytes(*number, end);
            }
        }
    }
}

/// Reads the fields of a JSON object into a message.
pub(crate) fn read_json(
    message: &mut dyn Fields,
    reader: &mut json::Reader<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    read_object(message, reader, cx, |_, reader| reader.skip())
}

fn read_root_json(
    message: &mut dyn Fields,
    reader: &mut json::Reader<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let Some(expected) = message.descriptor().type_meta else { return read_json(message, reader, cx) };
    let (mut api_version, mut kind) = (None, None);
    read_object(message, reader, cx, |key, reader| {
        match key {
            "apiVersion" if !reader.take_null()? => api_version = Some(reader.text()?.into_owned()),
            "kind" if !reader.take_null()? => kind = Some(reader.text()?.into_owned()),
            "apiVersion" | "kind" => {}
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    check_kind(expected, api_version.as_deref().unwrap_or_default(), kind.as_deref().unwrap_or_default())
}

/// Fails if an object names another kind than the expected one; empty names match any kind.
pub(crate) fn check_kind(expected: TypeMeta, api_version: &str, kind: &str) -> Result<(), DecodeError> {
    let matches = |found: &str, expected: &str| found.is_empty() || found == expected;
    if (expected.everywhere || matches(api_version, expected.api_version)) && matches(kind, expected.kind) {
        return Ok(());
    }
    Err(DecodeError::new(DecodeErrorKind::WrongKind {
        expected: [expected.api_version, expected.kind].join(", "),
        found: [api_version, kind].join(", ").chars().take(256).collect(),
    }))
}

fn read_object(
    message: &mut dyn Fields,
    reader: &mut json::Reader<'_>,
    cx: &mut Decoding,
    mut unknown: impl FnMut(&str, &mut json::Reader<'_>) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    cx.nested(|cx| {
        let fields = message.descriptor().fields;
        reader.begin_object()?;
        let mut first = true;
        // A Go server writes the fields in order: the next one is almost always behind the last.
        let mut expected = 0;
        while let Some(key) = reader.next_key(&mut first)? {
            match find_name(fields, &key, expected) {
                Some(index) => {
                    expected = index + 1;
                    read_field(message, index, &fields[index], reader, cx)?;
                }
                None if read_inlined(message, &key, reader, cx)? => {}
                None => unknown(&key, reader)?,
            }
        }
        Ok(())
    })
}

#[allow(clippy::inline_always)] // A call for every field of every message shows in a profile.
#[inline(always)]
fn read_field(
    message: &mut dyn Fields,
    index: usize,
    field: &Field,
    reader: &mut json::Reader<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    if cx.strip_managed_fields && field.flags.has(Flags::MANAGED_FIELDS) {
        return reader.skip_unread();
    }
    message.field_mut(index).read_json(reader, cx).map_err(|error| error.in_field(field.name))
}

/// Reads the entry into the inlined message that contains it; returns false if none does.
fn read_inlined(
    message: &mut dyn Fields,
    key: &str,
    reader: &mut json::Reader<'_>,
    cx: &mut Decoding,
) -> Result<bool, DecodeError> {
    for (at, inlined) in message.descriptor().inlined() {
        if inlined.field_named(key).is_none() {
            continue;
        }
        let Some(inner) = message.field_mut(at).always() else { continue };
        return match find_name(inlined.fields, key, 0) {
            Some(index) => read_field(inner, index, &inlined.fields[index], reader, cx).map(|()| true),
            None => read_inlined(inner, key, reader, cx),
        };
    }
    Ok(false)
}

#[inline]
fn find_name(fields: &[Field], name: &str, expected: usize) -> Option<usize> {
    // Usually it is one of the next few: empty fields are left out.
    let mut at = expected;
    while let Some(field) = fields.get(at) {
        if is_named(field, name) {
            return Some(at);
        }
        at += 1;
    }
    fields.get(..expected)?.iter().position(|field| is_named(field, name))
}

#[inline]
fn is_named(field: &Field, name: &str) -> bool {
    equal(field.name.as_bytes(), name.as_bytes()) && !field.flags.has(Flags::INLINE)
}

/// Whether two names are equal: most are short, and a call to compare them takes longer than the comparison.
#[inline]
fn equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.first_chunk::<8>(), one.last_chunk::<8>(), other.first_chunk::<8>(), other.last_chunk::<8>()) {
        (Some(first), Some(last), Some(other_first), Some(other_last)) if one.len() <= 16 => {
            u64::from_ne_bytes(*first) == u64::from_ne_bytes(*other_first)
                && u64::from_ne_bytes(*last) == u64::from_ne_bytes(*other_last)
        }
        (None, ..) => one.iter().zip(other).all(|(one, other)| one == other),
        _ => one == other,
    }
}

fn put_root_json(message: &dyn Fields, writer: &mut json::Writer) {
    writer.begin_object();
    if let Some(type_meta) = message.descriptor().type_meta {
        writer.key("kind");
        writer.text(type_meta.kind);
        writer.key("apiVersion");
        writer.text(type_meta.api_version);
    }
    put_entries(message, writer);
    writer.end_object();
}

/// Writes a message as a JSON object, without `kind` and `apiVersion`.
pub(crate) fn put_json(message: &dyn Fields, writer: &mut json::Writer) {
    writer.begin_object();
    put_entries(message, writer);
    writer.end_object();
}

fn put_entries(message: &dyn Fields, writer: &mut json::Writer) {
    for (index, field) in message.descriptor().fields.iter().enumerate() {
        let value = message.field(index);
        if field.flags.has(Flags::INLINE)
            && let Some(inner) = value.always()
        {
            put_entries(inner, writer);
            continue;
        }
        let left_out = (field.flags.has(Flags::OMIT_EMPTY) && value.is_empty())
            || (field.flags.has(Flags::OMIT_ZERO) && value.is_zero());
        if !left_out {
            writer.key(field.name);
            value.put_json(writer);
        }
    }
}

/// Whether every field is zero.
pub(crate) fn is_zero(message: &dyn Fields) -> bool {
    (0..message.descriptor().fields.len()).all(|index| message.field(index).is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::v1::ObjectMeta;

    #[test]
    fn an_absent_value_round_trips() {
        let absent = ObjectMeta::default();
        let bytes = absent.to_protobuf();
        assert!(bytes.windows(2).any(|field| field == b"\x42\x00"), "{bytes:?}");
        assert_eq!(ObjectMeta::from_protobuf(&bytes), Ok(absent));
    }
}
