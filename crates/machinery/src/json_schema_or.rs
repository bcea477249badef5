//! The properties of a custom resource's schema that take one of two forms.

use crate::wire::protobuf::{Chunk, Reader, Writer};
use crate::wire::{DecodeError, Decoding, FieldMut, FieldRef, Item, Message, Record, json};
use crate::{List, Shared, Str};

/// A schema, or whether anything at all is allowed.
///
/// On the protobuf wire both can be present; a schema implies `true`.
#[derive(Clone, Debug, PartialEq)]
pub enum OrBool<M: Message> {
    /// Anything, or nothing.
    Bool(bool),
    /// A schema; the flag is the boolean that came with it on the wire.
    Schema(Shared<M>, bool),
}

impl<M: Message> Default for OrBool<M> {
    fn default() -> Self {
        Self::Bool(false)
    }
}

impl<M: Message> From<M> for OrBool<M> {
    fn from(schema: M) -> Self {
        Self::Schema(schema.into(), true)
    }
}

impl<M: Message> Item for OrBool<M> {
    fn is_empty(&self) -> bool {
        false
    }

    fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    fn put_protobuf(&self, number: u32, writer: &mut Writer) {
        let end = writer.len();
        let allows = match self {
            Self::Bool(allows) => allows,
            Self::Schema(schema, allows) => {
                FieldRef::shared(schema).put_protobuf(2, writer);
                allows
            }
        };
        Item::put_protobuf(allows, 1, writer);
        writer.tag_bytes(number, end);
    }

    fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        let (mut allows, mut schema) = (false, None::<Shared<M>>);
        cx.nested(|cx| {
            let mut reader = Reader::new(chunk.bytes()?);
            loop {
                let start = reader.position();
                let Some((number, chunk)) = reader.next_field()? else { return Ok(()) };
                let record = Record { number, chunk, start, reader: &mut reader };
                match number {
                    1 => allows = record.chunk.varint()? != 0,
                    2 => FieldMut::optional(&mut schema).merge_protobuf(record, cx)?,
                    _ => {}
                }
            }
        })?;
        *self = match schema {
            Some(schema) => Self::Schema(schema, allows),
            None => Self::Bool(allows),
        };
        Ok(())
    }

    fn put_json(&self, writer: &mut json::Writer) {
        match self {
            Self::Bool(allows) => writer.boolean(*allows),
            Self::Schema(schema, _) => FieldRef::shared(schema).put_json(writer),
        }
    }

    fn read_json(&mut self, reader: &mut json::Reader<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
        *self = if reader.peek() == Some(b'{') {
            let mut schema = Shared::<M>::default();
            FieldMut::shared(&mut schema).read_json(reader, cx)?;
            Self::Schema(schema, true)
        } else {
            Self::Bool(reader.boolean()?)
        };
        Ok(())
    }
}

macro_rules! schema_or_list {
    ($(#[$doc:meta])* $name:ident, $list:ident: $item:ty, $how:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name<M: Message> {
            /// The one schema.
            pub schema: Option<Shared<M>>,
            /// The list, which JSON shows when it is not empty.
            pub $list: List<$item>,
        }

        impl<M: Message> Item for $name<M> {
            fn is_empty(&self) -> bool {
                false
            }

            fn is_zero(&self) -> bool {
                self.schema.is_none() && self.$list.is_empty()
            }

            fn put_protobuf(&self, number: u32, writer: &mut Writer) {
                let end = writer.len();
                FieldRef::$how(&self.$list).put_protobuf(2, writer);
                FieldRef::optional(&self.schema).put_protobuf(1, writer);
                writer.tag_bytes(number, end);
            }

            fn merge_protobuf(&mut self, chunk: Chunk<'_>, cx: &mut Decoding) -> Result<(), DecodeError> {
                cx.nested(|cx| {
                    let mut reader = Reader::new(chunk.bytes()?);
                    loop {
                        let start = reader.position();
                        let Some((number, chunk)) = reader.next_field()? else { return Ok(()) };
                        let record = Record { number, chunk, start, reader: &mut reader };
                        match number {
                            1 => FieldMut::optional(&mut self.schema).merge_protobuf(record, cx)?,
                            2 => FieldMut::$how(&mut self.$list).merge_protobuf(record, cx)?,
                            _ => {}
                        }
                    }
                })
            }

            fn put_json(&self, writer: &mut json::Writer) {
                if self.$list.is_empty() {
                    FieldRef::optional(&self.schema).put_json(writer);
                } else {
                    FieldRef::$how(&self.$list).put_json(writer);
                }
            }

            fn read_json(
                &mut self,
                reader: &mut json::Reader<'_>,
                cx: &mut Decoding,
            ) -> Result<(), DecodeError> {
                *self = Self { schema: None, $list: List::EMPTY };
                match reader.peek() {
                    Some(b'{') => FieldMut::optional(&mut self.schema).read_json(reader, cx),
                    Some(b'[') => FieldMut::$how(&mut self.$list).read_json(reader, cx),
                    // The API server reads anything else as nothing.
                    _ => reader.skip(),
                }
            }
        }
    };
}

schema_or_list! {
    /// A schema, or a list of schemas.
    OrArray, schemas: M, list
}

schema_or_list! {
    /// A schema, or a list of property names.
    OrStringArray, properties: Str, value
}
