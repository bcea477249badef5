//! The items of a list, one by one, as the list's bytes arrive.

mod json;
mod protobuf;
mod summary;

use std::fmt;

use self::json::JsonSplitter;
use self::protobuf::ProtobufSplitter;
use self::summary::Head;
pub use self::summary::ListSummary;
use super::buffer::{Buffer, Taken};
use super::{DecodeError, DecodeErrorKind, Decoding, Format, Payload, Peek};

crate::options! {
    /// The options of a [`ListDecoder`].
    #[derive(Clone, Debug)]
    pub struct ListOptions {
        /// The most bytes that one item, or the list's metadata, may have; larger ones end the list with
        /// [`TooLarge`](DecodeErrorKind::TooLarge). Default: 64 MiB, forty times etcd's default limit for one object.
        pub max_item: usize => with_max_item,
    }
}

impl Default for ListOptions {
    fn default() -> Self {
        Self { max_item: 64 * 1024 * 1024 }
    }
}

/// Splits a list into its items while its bytes arrive, in chunks of any size.
///
/// ```
/// # use client_rs_machinery::wire::{Format, ListDecoder, ListOptions};
/// # fn main() -> Result<(), client_rs_machinery::wire::DecodeError> {
/// let mut list = ListDecoder::new(Format::Json);
/// let mut items = 0;
/// for chunk in [r#"{"kind":"PodList","items":[{"metadata":{"na"#, r#"me":"a"}},{}],"metadata":{}}"#] {
///     list.push(chunk.as_bytes());
///     while let Some(_item) = list.next_item()? {
///         items += 1;
///     }
/// }
/// assert_eq!((items, list.finish()?.kind.as_str()), (2, "PodList"));
/// # Ok(())
/// # }
/// ```
///
/// - Order: items come in the order of the list. `metadata` may precede or follow them. Keys that do not belong to a
///   list are skipped without being held.
/// - Memory: one item and one chunk, at most twice that, if every item is taken before the next `push`. It grows only
///   with bytes that have arrived, and shrinks after a giant item.
/// - Errors: an error from [`next_item`](Self::next_item) means that the framing is broken; every later call repeats
///   it. An item that is well framed but does not decode is not such an error: see
///   [`next_object`](Self::next_object).
/// - Not promised: a check of JSON text beyond what framing needs. The decoder of an item checks the item. Nothing
///   checks skipped text.
#[derive(Debug)]
pub struct ListDecoder {
    buffer: Buffer,
    splitter: Splitter,
    head: Head,
    options: ListOptions,
    count: usize,
    broken: Option<DecodeError>,
}

#[derive(Debug)]
enum Splitter {
    Json(JsonSplitter),
    Protobuf(ProtobufSplitter),
}

impl ListDecoder {
    /// Creates a decoder at the start of a list.
    pub fn new(format: Format) -> Self {
        Self::with_options(format, ListOptions::default())
    }

    /// Like [`new`](Self::new), with options.
    pub fn with_options(format: Format, options: ListOptions) -> Self {
        let splitter = match format {
            Format::Json => Splitter::Json(JsonSplitter::default()),
            Format::Protobuf => Splitter::Protobuf(ProtobufSplitter::default()),
        };
        Self { buffer: Buffer::default(), splitter, head: Head::default(), options, count: 0, broken: None }
    }

    /// Returns its format.
    pub fn format(&self) -> Format {
        match self.splitter {
            Splitter::Json(_) => Format::Json,
            Splitter::Protobuf(_) => Format::Protobuf,
        }
    }

    /// Takes the next bytes of the list.
    pub fn push(&mut self, chunk: &[u8]) {
        if self.broken.is_none() {
            self.buffer.push(chunk);
        }
    }

    /// Returns the next item: JSON text, or a protobuf message; `None` until more bytes have arrived.
    pub fn next_item(&mut self) -> Result<Option<&[u8]>, DecodeError> {
        Ok(self.advance()?.map(|item| self.buffer.taken(&item)))
    }

    fn advance(&mut self) -> Result<Option<Taken>, DecodeError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let limit = self.options.max_item;
        let item = match &mut self.splitter {
            Splitter::Json(splitter) => splitter.next(&mut self.buffer, &mut self.head, limit),
            Splitter::Protobuf(splitter) => splitter.next(&mut self.buffer, &mut self.head, limit),
        };
        match item {
            Ok(Some(item)) => {
                self.count += 1;
                Ok(Some(item))
            }
            Ok(None) => {
                self.buffer.reclaim();
                Ok(None)
            }
            Err(error) => {
                self.broken = Some(error.clone());
                self.buffer = Buffer::default();
                Err(error)
            }
        }
    }

    /// Returns the next item, decoded; `None` until more bytes have arrived.
    ///
    /// An item that does not decode is a [`BadItem`] with its key; its neighbours are not lost.
    pub fn next_object<K: Payload>(
        &mut self,
        cx: &mut Decoding,
    ) -> Result<Option<Result<K, BadItem>>, DecodeError> {
        if let Some(object) = self.front(cx) {
            return Ok(Some(Ok(object)));
        }
        self.next_with(|item| item.decode(cx))
    }

    /// Decodes the next item from its start, without first searching for its end, which takes a sixth of the time of
    /// decoding. `None` does not mean that the item is invalid.
    fn front<K: Payload>(&mut self, cx: &mut Decoding) -> Option<K> {
        let Splitter::Json(splitter) = &mut self.splitter else { return None };
        if self.broken.is_some() {
            return None;
        }
        let text = splitter.front(&mut self.buffer, &mut self.head, self.options.max_item)?;
        let Ok((mut object, length)) = K::decode_front(text, cx)? else {
            splitter.found(&mut self.buffer, None);
            return None;
        };
        splitter.found(&mut self.buffer, Some(length));
        self.count += 1;
        object.set_type_from_list(&self.head.api_version, &self.head.kind);
        Some(object)
    }

    /// Returns the next item as `read` makes it from the wire; `None` until more bytes have arrived.
    ///
    /// For callers that do not decode every item. An error of `read` becomes a [`BadItem`], as with
    /// [`next_object`](Self::next_object).
    pub fn next_with<T>(
        &mut self,
        read: impl FnOnce(RawItem<'_>) -> Result<T, DecodeError>,
    ) -> Result<Option<Result<T, BadItem>>, DecodeError> {
        let (format, index) = (self.format(), self.count);
        let Some(taken) = self.advance()? else { return Ok(None) };
        let item = RawItem {
            format,
            object: self.buffer.taken(&taken),
            list_api_version: &self.head.api_version,
            list_kind: &self.head.kind,
        };
        Ok(Some(read(item).map_err(|error| BadItem::new(index, &item.peek(), error))))
    }

    /// Returns the list's kind; empty until it has been read.
    pub fn kind(&self) -> &str {
        &self.head.kind
    }

    /// Returns the list's `apiVersion`; empty until it has been read.
    pub fn api_version(&self) -> &str {
        &self.head.api_version
    }

    /// Returns the list's own fields, once its last byte has been pushed and its last item taken.
    ///
    /// Returns [`Truncated`](DecodeErrorKind::Truncated) if the list has not ended. A protobuf list ends with its
    /// items: the fields that the server writes behind them are empty, and may be missing.
    pub fn finish(mut self) -> Result<ListSummary, DecodeError> {
        if self.next_item()?.is_some() {
            return Err(DecodeError::invalid("the list was finished before its items were taken"));
        }
        let ended = match &self.splitter {
            Splitter::Json(splitter) => splitter.ended(),
            Splitter::Protobuf(splitter) => splitter.ended(&self.buffer),
        };
        if !ended {
            return Err(DecodeError::new(DecodeErrorKind::Truncated).at(self.buffer.end()));
        }
        let format = self.format();
        self.head.summary(format, self.count)
    }
}

/// An item of a list that is not decoded; borrows from the decoder's buffer.
#[derive(Clone, Copy)]
pub struct RawItem<'a> {
    /// The format of `object`.
    pub format: Format,
    /// The object: JSON text, or a protobuf message without an envelope.
    pub object: &'a [u8],
    list_api_version: &'a str,
    list_kind: &'a str,
}

impl<'a> RawItem<'a> {
    /// Returns metadata of the object, without decoding it.
    pub fn peek(&self) -> Peek<'a> {
        Peek::at(self.format, self.object)
    }

    /// Decodes the object. The decoder knows the kind of the list if it precedes the items.
    pub fn decode<K: Payload>(&self, cx: &mut Decoding) -> Result<K, DecodeError> {
        let mut object = K::decode_item(self.format, self.object, cx)?;
        object.set_type_from_list(self.list_api_version, self.list_kind);
        Ok(object)
    }
}

impl fmt::Debug for RawItem<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The object may be a Secret.
        write!(f, "RawItem({} bytes of {})", self.object.len(), self.format)
    }
}

/// An item that is well framed but does not decode.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadItem {
    /// Its index in the list, from 0.
    pub index: usize,
    /// Its namespace, if it can be read.
    pub namespace: String,
    /// Its name, if it can be read.
    pub name: String,
    /// Its version, if it can be read.
    pub resource_version: String,
    /// The reason why it does not decode.
    pub error: DecodeError,
}

impl BadItem {
    fn new(index: usize, peek: &Peek<'_>, error: DecodeError) -> Self {
        Self {
            index,
            namespace: peek.namespace().to_owned(),
            name: peek.name().to_owned(),
            resource_version: peek.resource_version().to_owned(),
            error,
        }
    }
}

impl fmt::Display for BadItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.namespace.is_empty() { "" } else { "/" };
        write!(f, "item {} ({}{slash}{}): {}", self.index, self.namespace, self.name, self.error)
    }
}

impl std::error::Error for BadItem {}

#[cfg(test)]
mod tests;
