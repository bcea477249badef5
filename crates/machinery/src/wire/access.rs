//! The content of a field of any type, in the form that a message shows to the drivers.

use std::fmt;

use super::context::DecodePart;
use super::message::{Record, is_zero, merge_protobuf, put_field, put_json, read_json};
use super::message_impls::debug_message;
use super::protobuf::{Chunk, Reader, Writer};
use super::{DecodeError, Decoding, Fields, Message, Value, json};
use crate::collections::{Handle, OptionMut, OptionRef, SlotMut, SlotRef};
use crate::pool::PartType;
use crate::{List, Shared};

/// The content of a field.
///
/// A message by value, behind a pointer, in an option or in a list is distinguished from other content. Its type is
/// erased, so that the drivers are compiled once for all message types.
pub struct FieldRef<'a>(Content<'a>);

enum Content<'a> {
    Nothing,
    Value(&'a dyn Value),
    Message(&'a dyn Fields),
    Shared(SlotRef<'a, dyn Fields>),
    Optional(OptionRef<'a, dyn Fields>),
    List(SlotRef<'a, dyn Fields>),
}

impl<'a> FieldRef<'a> {
    /// No field.
    pub const NONE: Self = Self(Content::Nothing);

    /// Anything but messages.
    #[inline]
    pub fn value(value: &'a dyn Value) -> Self {
        Self(Content::Value(value))
    }

    /// A message by value.
    #[inline]
    pub fn message(message: &'a dyn Fields) -> Self {
        Self(Content::Message(message))
    }

    /// A message behind a pointer, which is always there.
    #[inline]
    pub fn shared<M: Message>(message: &'a Shared<M>) -> Self {
        Self(Content::Shared(message.erased()))
    }

    /// A message behind a pointer, which may be absent.
    #[inline]
    pub fn optional<M: Message>(message: &'a Option<Shared<M>>) -> Self {
        Self(Content::Optional(Shared::erased_option(message)))
    }

    /// A list of messages.
    #[inline]
    pub fn list<M: Message>(messages: &'a List<M>) -> Self {
        Self(Content::List(messages.erased()))
    }

    /// Whether it is empty in the sense of Go's `omitempty`. A message that is always there never is.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        match self.0 {
            Content::Nothing => true,
            Content::Value(value) => value.is_empty(),
            Content::Message(_) | Content::Shared(_) => false,
            Content::Optional(message) => message.get().is_none(),
            Content::List(messages) => messages.is_empty(),
        }
    }

    /// Whether all of it is zero.
    pub(crate) fn is_zero(&self) -> bool {
        match self.0 {
            Content::Value(value) => value.is_zero(),
            Content::Message(message) => is_zero(message),
            Content::Shared(message) => is_zero(message.first()),
            Content::Nothing | Content::Optional(_) | Content::List(_) => self.is_empty(),
        }
    }

    /// The one message that it always holds.
    pub(crate) fn always(&self) -> Option<&'a dyn Fields> {
        match self.0 {
            Content::Message(message) => Some(message),
            Content::Shared(message) => Some(message.first()),
            _ => None,
        }
    }

    /// Puts the field, with its tag, before what has been written.
    #[inline]
    pub(crate) fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        match self.0 {
            Content::Value(value) => value.put_protobuf(number, writer),
            // Most fields are absent: no call for those.
            Content::Optional(message) if message.get().is_none() => {}
            Content::List(messages) if messages.is_empty() => {}
            _ => self.put_messages(number, writer),
        }
    }

    fn put_messages(&self, number: u32, writer: &mut Writer) {
        match self.0 {
            Content::Nothing | Content::Value(_) => {}
            Content::Message(message) => put_field(message, number, writer),
            Content::Shared(message) => put_field(message.first(), number, writer),
            Content::Optional(message) => {
                if let Some(message) = message.get() {
                    put_field(message.first(), number, writer);
                }
            }
            Content::List(messages) => {
                for message in (0..messages.len()).rev().filter_map(|at| messages.get(at)) {
                    put_field(message, number, writer);
                }
            }
        }
    }

    /// Writes the field's value.
    #[inline]
    pub(crate) fn put_json(&self, writer: &mut json::Writer) {
        match self.0 {
            Content::Value(value) => value.put_json(writer),
            _ => self.write_messages(writer),
        }
    }

    fn write_messages(&self, writer: &mut json::Writer) {
        match self.0 {
            Content::Nothing | Content::Value(_) => writer.null(),
            Content::Message(message) => put_json(message, writer),
            Content::Shared(message) => put_json(message.first(), writer),
            Content::Optional(message) => match message.get() {
                Some(message) => put_json(message.first(), writer),
                None => writer.null(),
            },
            Content::List(messages) => {
                writer.begin_array();
                for message in (0..messages.len()).filter_map(|at| messages.get(at)) {
                    writer.element();
                    put_json(message, writer);
                }
                writer.end_array();
            }
        }
    }
}

/// Shows the content without what may be secret.
impl fmt::Debug for FieldRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Content::Nothing => f.write_str("null"),
            Content::Value(value) => value.debug(f),
            Content::Message(message) => debug_message(message, f),
            Content::Shared(message) => debug_message(message.first(), f),
            Content::Optional(message) => match message.get() {
                Some(message) => debug_message(message.first(), f),
                None => f.write_str("null"),
            },
            Content::List(messages) => {
                let messages = (0..messages.len()).filter_map(|at| messages.get(at));
                f.debug_list().entries(messages.map(FieldRef::message)).finish()
            }
        }
    }
}

/// The content of a field, to be changed.
pub struct FieldMut<'a>(Place<'a>);

enum Place<'a> {
    Nothing,
    Value(&'a mut dyn Value),
    Message(&'a mut dyn Fields),
    Shared(SlotMut<'a, dyn Fields>),
    Optional(OptionMut<'a, dyn Fields>),
    List(SlotMut<'a, dyn Fields>),
}

impl<'a> FieldMut<'a> {
    /// No field.
    pub const NONE: Self = Self(Place::Nothing);

    /// Anything but messages.
    #[inline]
    pub fn value(value: &'a mut dyn Value) -> Self {
        Self(Place::Value(value))
    }

    /// A message by value.
    #[inline]
    pub fn message(message: &'a mut dyn Fields) -> Self {
        Self(Place::Message(message))
    }

    /// A message behind a pointer, which is always there.
    #[inline]
    pub fn shared<M: Message>(message: &'a mut Shared<M>) -> Self {
        Self(Place::Shared(message.erased_mut()))
    }

    /// A message behind a pointer, which may be absent.
    #[inline]
    pub fn optional<M: Message>(message: &'a mut Option<Shared<M>>) -> Self {
        Self(Place::Optional(Shared::erased_option_mut(message)))
    }

    /// A list of messages.
    #[inline]
    pub fn list<M: Message>(messages: &'a mut List<M>) -> Self {
        Self(Place::List(messages.erased_mut()))
    }

    /// The one message that it always holds.
    pub(crate) fn always(self) -> Option<&'a mut dyn Fields> {
        match self.0 {
            Place::Message(message) => Some(message),
            Place::Shared(message) => Some(message.make_mut()),
            _ => None,
        }
    }

    /// Merges a record, and those of the same number that follow it, into the field.
    #[inline]
    pub(crate) fn merge_protobuf(self, record: Record<'_, '_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        match self.0 {
            Place::Nothing => Ok(()),
            Place::Value(value) => value.merge_protobuf(record, cx),
            Place::Message(message) => merge_protobuf(message, record.chunk.bytes()?, cx),
            Place::Shared(message) => merge_shared(message, record.chunk, cx),
            Place::Optional(message) => merge_shared(message.get_or_default(), record.chunk, cx),
            Place::List(messages) => merge_list(messages, record, cx),
        }
    }

    /// Reads the field's value.
    #[inline]
    pub(crate) fn read_json(
        self,
        reader: &mut json::Reader<'_>,
        cx: &mut Decoding,
    ) -> Result<(), DecodeError> {
        if let Place::Value(value) = self.0 {
            return value.read_json(reader, cx);
        }
        self.read_messages(reader, cx)
    }

    fn read_messages(self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        let null = reader.take_null()?;
        match self.0 {
            Place::Optional(mut message) if null => message.clear(),
            Place::List(mut messages) if null => messages.clear(),
            _ if null => {}
            Place::Nothing | Place::Value(_) => reader.skip()?,
            Place::Message(message) => read_json(message, reader, cx)?,
            Place::Shared(message) => read_json(message.make_mut(), reader, cx)?,
            Place::Optional(message) => read_json(message.get_or_default().make_mut(), reader, cx)?,
            Place::List(messages) => read_list(messages, reader, cx)?,
        }
        Ok(())
    }
}

impl fmt::Debug for FieldMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FieldMut").finish_non_exhaustive()
    }
}

fn merge_shared(
    message: SlotMut<'_, dyn Fields>,
    chunk: Chunk<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let bytes = chunk.bytes()?;
    if message.is_empty() && cx.is_pooled() {
        return cx.part(&mut SharedPart(message), bytes, 1);
    }
    merge_protobuf(message.make_mut(), bytes, cx)
}

fn merge_list(
    messages: SlotMut<'_, dyn Fields>,
    record: Record<'_, '_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    let mut list = ListPart(messages);
    if list.0.is_empty() && matches!(record.chunk, Chunk::Bytes(_)) {
        let run = record.run();
        return cx.part(&mut list, run.bytes, run.count);
    }
    // Records of this number that are not adjacent: rare.
    let mut items = list.0.take(1);
    let at = items.len();
    merge_item(items.push(), record.chunk, cx).map_err(|error| error.in_index(at))?;
    list.0.put(items);
    Ok(())
}

fn merge_item(item: &mut dyn Fields, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
    merge_protobuf(item, chunk.bytes()?, cx)
}

fn read_list(
    mut messages: SlotMut<'_, dyn Fields>,
    reader: &mut json::Reader<'_>,
    cx: &mut Decoding,
) -> Result<(), DecodeError> {
    messages.clear();
    let mut items = messages.take(0);
    reader.begin_array()?;
    let mut first = true;
    while reader.next_element(&mut first)? {
        let at = items.len();
        let item = items.push();
        let null = reader.take_null();
        null.and_then(|null| if null { Ok(()) } else { read_json(item, reader, cx) })
            .map_err(|error| error.in_index(at))?;
    }
    messages.put(items);
    Ok(())
}

/// An absent message, to be decoded or shared.
struct SharedPart<'a>(SlotMut<'a, dyn Fields>);

impl DecodePart for SharedPart<'_> {
    fn part_type(&self) -> PartType {
        PartType { element: self.0.element(), list: false }
    }

    fn share(&mut self, other: &Handle) -> bool {
        self.0.share(other)
    }

    fn handle(&self) -> Handle {
        self.0.handle()
    }

    fn decode(&mut self, bytes: &[u8], _: usize, cx: &mut Decoding) -> Result<(), DecodeError> {
        merge_protobuf(self.0.reborrow().make_mut(), bytes, cx)
    }
}

/// An empty list of messages, to be decoded or shared.
struct ListPart<'a>(SlotMut<'a, dyn Fields>);

impl DecodePart for ListPart<'_> {
    fn part_type(&self) -> PartType {
        PartType { element: self.0.element(), list: true }
    }

    fn share(&mut self, other: &Handle) -> bool {
        self.0.share(other)
    }

    fn handle(&self) -> Handle {
        self.0.handle()
    }

    fn decode(&mut self, bytes: &[u8], count: usize, cx: &mut Decoding) -> Result<(), DecodeError> {
        let mut items = self.0.take(count);
        let mut reader = Reader::new(bytes);
        while let Some((_, chunk)) = reader.next_field()? {
            let at = items.len();
            merge_item(items.push(), chunk, cx).map_err(|error| error.in_index(at))?;
        }
        self.0.put(items);
        Ok(())
    }
}
