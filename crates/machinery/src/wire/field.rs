//! A field's content with its presence: an item, an option of one, a list, a map.
//!
//! Messages in a field, in an option or in a list are not here but in [`access`](super::access), which erases their
//! type.

use std::any::TypeId;
use std::fmt;

use super::context::DecodePart;
use super::json;
use super::message::Record;
use super::protobuf::{Chunk, Reader, Writer};
use super::{DecodeError, Decoding, Item};
use crate::collections::{Handle, List, ListBuilder, Map, MapBuilder, Str};
use crate::pool::PartType;

/// The content of a field, as the drivers see it.
///
/// Implemented for every [`Item`] and for `Option`, [`List`] and [`Map`] of items; no other type needs it. For
/// messages, and for options and lists of them, [`FieldRef`](super::FieldRef) has separate functions, which compile
/// once for all types.
pub trait Value: Send + Sync {
    /// Whether it is empty in the sense of Go's `omitempty`. A message by value never is.
    fn is_empty(&self) -> bool;
    /// Whether it is the zero value.
    fn is_zero(&self) -> bool;
    /// Puts the field, with its tag, before the bytes written so far.
    fn put_protobuf(&self, number: u32, writer: &mut Writer);
    /// Merges a record, and the adjacent ones of the same number, into the field.
    fn merge_protobuf(&mut self, record: Record<'_, '_>, cx: &mut Decoding) -> Result<(), DecodeError>;
    /// Writes the field's value.
    fn put_json(&self, writer: &mut json::Writer);
    /// Reads the field's value.
    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError>;
    /// Formats the field's value for `Debug`, without values that may be secret.
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: Item> Value for T {
    fn is_empty(&self) -> bool {
        Item::is_empty(self)
    }

    fn is_zero(&self) -> bool {
        Item::is_zero(self)
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        if !self.is_absent() {
            Item::put_protobuf(self, number, writer);
        }
    }

    fn merge_protobuf(&mut self, record: Record<'_, '_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        Item::merge_protobuf(self, record.chunk, cx)
    }

    fn put_json(&self, writer: &mut json::Writer) {
        if self.is_absent() { writer.null() } else { Item::put_json(self, writer) }
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        if !T::READS_NULL && reader.take_null()? {
            return Ok(());
        }
        Item::read_json(self, reader, cx)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Item::debug(self, f)
    }
}

/// An item in its `Debug` form.
struct Shown<'a, T>(&'a T);

impl<T: Item> fmt::Debug for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Item::debug(self.0, f)
    }
}

impl<T: Item> Value for Option<T> {
    fn is_empty(&self) -> bool {
        self.is_none()
    }

    fn is_zero(&self) -> bool {
        self.is_none()
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        if let Some(item) = self {
            Item::put_protobuf(item, number, writer);
        }
    }

    fn merge_protobuf(&mut self, record: Record<'_, '_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        Item::merge_protobuf(self.get_or_insert_with(T::default), record.chunk, cx)
    }

    fn put_json(&self, writer: &mut json::Writer) {
        match self {
            Some(item) => Item::put_json(item, writer),
            None => writer.null(),
        }
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        if reader.take_null()? {
            *self = None;
            return Ok(());
        }
        Item::read_json(self.get_or_insert_with(T::default), reader, cx)
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Some(item) => Item::debug(item, f),
            None => f.write_str("null"),
        }
    }
}

impl<T: Item> Value for List<T> {
    fn is_empty(&self) -> bool {
        List::is_empty(self)
    }

    fn is_zero(&self) -> bool {
        List::is_empty(self)
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let items = self.as_slice();
        let mut at = items.len();
        while at > 0 {
            at -= 1;
            Item::put_protobuf(&items[at], number, writer);
        }
    }

    fn merge_protobuf(&mut self, record: Record<'_, '_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        let packed = T::PACKABLE && matches!(record.chunk, Chunk::Bytes(_));
        if packed || !self.is_empty() || !matches!(record.chunk, Chunk::Bytes(_)) {
            return merge_items(self, record.chunk, cx);
        }
        let run = record.run();
        cx.part(self, run.bytes, run.count)
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.begin_array();
        let (items, mut at) = (self.as_slice(), 0);
        while at < items.len() {
            writer.element();
            Item::put_json(&items[at], writer);
            at += 1;
        }
        writer.end_array();
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = List::new();
        if reader.take_null()? {
            return Ok(());
        }
        let mut items = ListBuilder::new();
        reader.begin_array()?;
        let mut first = true;
        while reader.next_element(&mut first)? {
            let mut item = T::default();
            if let Err(error) = Value::read_json(&mut item, reader, cx) {
                return Err(error.in_index(items.len()));
            }
            items.push(item);
        }
        *self = items.finish();
        Ok(())
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        let (items, mut at) = (self.as_slice(), 0);
        while at < items.len() {
            list.entry(&Shown(&items[at]));
            at += 1;
        }
        list.finish()
    }
}

impl<T: Item> DecodePart for List<T> {
    fn part_type(&self) -> PartType {
        PartType { element: TypeId::of::<T>(), list: true }
    }

    fn share(&mut self, other: &Handle) -> bool {
        List::share(self, other)
    }

    fn handle(&self) -> Handle {
        List::handle(self)
    }

    fn decode(&mut self, bytes: &[u8], count: usize, cx: &mut Decoding) -> Result<(), DecodeError> {
        let mut items = ListBuilder::with_capacity(count);
        let mut reader = Reader::new(bytes);
        while let Some((_, chunk)) = reader.next_field()? {
            push_item(&mut items, chunk, cx)?;
        }
        *self = items.finish();
        Ok(())
    }
}

impl<V: Item> Value for Map<V> {
    fn is_empty(&self) -> bool {
        Map::is_empty(self)
    }

    fn is_zero(&self) -> bool {
        Map::is_empty(self)
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let entries = self.as_slice();
        let mut at = entries.len();
        while at > 0 {
            at -= 1;
            let end = writer.len();
            Item::put_protobuf(&entries[at].1, 2, writer);
            Item::put_protobuf(&entries[at].0, 1, writer);
            writer.tag_bytes(number, end);
        }
    }

    fn merge_protobuf(&mut self, record: Record<'_, '_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        record.chunk.bytes()?;
        let run = record.run();
        let mut map = Self::EMPTY;
        cx.part(&mut map, run.bytes, run.count)?;
        if self.is_empty() {
            *self = map;
        } else {
            *self = self.iter().chain(map.iter()).map(|(key, value)| (key.clone(), value.clone())).collect();
        }
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        writer.begin_object();
        for (key, value) in self {
            writer.key(key);
            Item::put_json(value, writer);
        }
        writer.end_object();
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = Map::new();
        if reader.take_null()? {
            return Ok(());
        }
        let mut entries = MapBuilder::new();
        reader.begin_object()?;
        let mut first = true;
        while let Some(key) = reader.next_key(&mut first)? {
            let mut value = V::default();
            Value::read_json(&mut value, reader, cx).map_err(|error| error.in_key(&key))?;
            entries.insert(cx.text(&key), value);
        }
        *self = entries.finish();
        Ok(())
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (key, value) in self.as_slice() {
            if key == LAST_APPLIED {
                map.entry(key, &format_args!("<hidden>"));
            } else {
                map.entry(key, &Shown(value));
            }
        }
        map.finish()
    }
}

/// The annotation in which `kubectl apply` keeps a whole copy of the object, with its secret fields.
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

impl<T: Item> DecodePart for Map<T> {
    fn part_type(&self) -> PartType {
        PartType { element: TypeId::of::<(Str, T)>(), list: true }
    }

    fn share(&mut self, other: &Handle) -> bool {
        Map::share(self, other)
    }

    fn handle(&self) -> Handle {
        Map::handle(self)
    }

    fn decode(&mut self, bytes: &[u8], count: usize, cx: &mut Decoding) -> Result<(), DecodeError> {
        let mut entries = MapBuilder::with_capacity(count);
        let mut reader = Reader::new(bytes);
        while let Some((_, chunk)) = reader.next_field()? {
            push_entry(&mut entries, chunk, cx)?;
        }
        *self = entries.finish();
        Ok(())
    }
}

/// Merges one record into a list that already has items, or into a list of numbers: the rare case.
fn merge_items<T: Item>(list: &mut List<T>, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
    let mut items = ListBuilder::from(std::mem::take(list));
    match chunk {
        // Numbers may also come packed: many in one record.
        Chunk::Bytes(packed) if T::PACKABLE => {
            let mut reader = Reader::new(packed);
            while let Some(chunk) = reader.next_packed()? {
                push_item(&mut items, chunk, cx)?;
            }
        }
        chunk => push_item(&mut items, chunk, cx)?,
    }
    *list = items.finish();
    Ok(())
}

fn push_item<T: Item>(
    items: &mut ListBuilder<T>,
    chunk: Chunk<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let mut item = T::default();
    if let Err(error) = Item::merge_protobuf(&mut item, chunk, cx) {
        return Err(error.in_index(items.len()));
    }
    items.push(item);
    Ok(())
}

fn push_entry<V: Item>(
    entries: &mut MapBuilder<V>,
    chunk: Chunk<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let mut reader = Reader::new(chunk.bytes()?);
    let (mut key, mut value) = (Str::EMPTY, V::default());
    while let Some((number, chunk)) = reader.next_field()? {
        match number {
            1 => Item::merge_protobuf(&mut key, chunk, cx)?,
            2 => {
                if let Err(error) = Item::merge_protobuf(&mut value, chunk, cx) {
                    return Err(error.in_key(&key));
                }
            }
            _ => {}
        }
    }
    entries.insert(key, value);
    Ok(())
}
