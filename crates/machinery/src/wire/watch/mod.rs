//! The events of a watch, as its bytes arrive.

mod event;

use std::ops::Range;

pub use event::{RawStatus, RawWatchEvent, WatchEvent, WatchEventType};

use super::buffer::{Buffer, Taken};
use super::json::{self, Scan, Scanner};
use super::{DecodeError, DecodeErrorKind, Format, protobuf};

crate::options! {
    /// The options of a [`WatchDecoder`].
    #[derive(Clone, Debug)]
    pub struct WatchOptions {
        /// The most bytes that one event may have; a larger one ends the watch with
        /// [`TooLarge`](DecodeErrorKind::TooLarge). Default: 64 MiB, four times client-go's limit and the same as for
        /// a list's item, so that every object that can be listed can be watched.
        pub max_frame: usize => with_max_frame,
    }
}

impl Default for WatchOptions {
    fn default() -> Self {
        Self { max_frame: 64 * 1024 * 1024 }
    }
}

/// Splits a watch into its events while its bytes arrive, in chunks of any size.
///
/// ```
/// # use client_rs_machinery::wire::{WatchEventType, Format, WatchDecoder, WatchOptions};
/// # fn main() -> Result<(), client_rs_machinery::wire::DecodeError> {
/// let mut watch = WatchDecoder::new(Format::Json);
/// let mut seen = Vec::new();
/// for chunk in [r#"{"type":"ADDED","obj"#, r#"ect":{}} {"type":"DELETED","object":{}}"#] {
///     watch.push(chunk.as_bytes());
///     while let Some(event) = watch.next_event()? {
///         seen.push(event.kind);
///     }
/// }
/// watch.finish()?;
/// assert_eq!(seen, [WatchEventType::Added, WatchEventType::Deleted]);
/// # Ok(())
/// # }
/// ```
///
/// - Order: events come in the order of the stream.
/// - Memory: one event and one chunk, at most twice that, if every event is taken before the next `push`. It grows
///   only with bytes that have arrived, regardless of the length that they announce, and shrinks after a giant event.
/// - Errors: an error from [`next_event`](Self::next_event) means that the framing is broken or that a frame is not
///   an event; every later call repeats it. An event whose object does not decode is well framed: see
///   [`RawWatchEvent::decode`].
#[derive(Debug)]
pub struct WatchDecoder {
    buffer: Buffer,
    framing: Framing,
    options: WatchOptions,
    broken: Option<DecodeError>,
}

#[derive(Debug)]
enum Framing {
    /// Objects, one after the other.
    Json { scanner: Scanner, seen: usize, inner: Scanner },
    /// Messages, each behind its length in four bytes, the highest first.
    Protobuf,
}

/// An event's parts, in the buffer.
type Parts = (WatchEventType, Taken);

impl WatchDecoder {
    /// Creates a decoder at the start of a watch.
    pub fn new(format: Format) -> Self {
        Self::with_options(format, WatchOptions::default())
    }

    /// Like [`new`](Self::new), with options.
    pub fn with_options(format: Format, options: WatchOptions) -> Self {
        let framing = match format {
            Format::Json => Framing::Json { scanner: Scanner::default(), seen: 0, inner: Scanner::default() },
            Format::Protobuf => Framing::Protobuf,
        };
        Self { buffer: Buffer::default(), framing, options, broken: None }
    }

    /// Returns its format.
    pub fn format(&self) -> Format {
        match self.framing {
            Framing::Json { .. } => Format::Json,
            Framing::Protobuf => Format::Protobuf,
        }
    }

    /// Takes the next bytes of the watch.
    pub fn push(&mut self, chunk: &[u8]) {
        if self.broken.is_none() {
            self.buffer.push(chunk);
        }
    }

    /// Returns the next event; `None` until more bytes have arrived.
    pub fn next_event(&mut self) -> Result<Option<RawWatchEvent<'_>>, DecodeError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let format = self.format();
        let parts = match &mut self.framing {
            Framing::Json { scanner, seen, inner } => {
                next_json(&mut self.buffer, scanner, seen, inner, self.options.max_frame)
            }
            Framing::Protobuf => next_protobuf(&mut self.buffer, self.options.max_frame),
        };
        match parts {
            Ok(Some((kind, object))) => {
                Ok(Some(RawWatchEvent { format, kind, object: self.buffer.taken(&object) }))
            }
            Ok(None) => {
                self.buffer.reclaim();
                Ok(None)
            }
            Err(error) => {
                let error = error.in_type("WatchEvent");
                self.broken = Some(error.clone());
                self.buffer = Buffer::default();
                Err(error)
            }
        }
    }

    /// Checks that the stream ended at the end of an event; returns [`Truncated`](DecodeErrorKind::Truncated) if not.
    ///
    /// Call it after the last byte has been pushed and the last event taken.
    pub fn finish(mut self) -> Result<(), DecodeError> {
        if self.next_event()?.is_some() {
            return Err(DecodeError::invalid("the watch was finished before its events were taken"));
        }
        if matches!(self.framing, Framing::Json { .. }) {
            self.buffer.peek_token();
        }
        if self.buffer.unread().is_empty() {
            return Ok(());
        }
        Err(DecodeError::new(DecodeErrorKind::Truncated).at(self.buffer.end()).in_type("WatchEvent"))
    }
}

fn next_json(
    buffer: &mut Buffer,
    scanner: &mut Scanner,
    seen: &mut usize,
    inner: &mut Scanner,
    limit: usize,
) -> Result<Option<Parts>, DecodeError> {
    if *seen == 0 {
        match buffer.peek_token() {
            None => return Ok(None),
            Some(b'{') => {}
            Some(_) => {
                let error = json::Reader::new(buffer.unread()).unexpected("an object");
                return Err(error.behind(buffer.offset()));
            }
        }
    }
    let unread = buffer.unread();
    // Never past the limit: an error must not depend on how the bytes were split.
    let window = unread.len().min(limit.saturating_add(1));
    match scanner.scan(&unread[*seen..window]) {
        Ok(Scan::End(length)) if *seen + length <= limit => {
            let length = *seen + length;
            let last = scanner.last_child();
            *seen = 0;
            scanner.reset();
            let (kind, start, end) =
                json_event(&unread[..length], last, inner).map_err(|error| error.behind(buffer.offset()))?;
            Ok(Some((kind, buffer.take(length).slice(start, end))))
        }
        Ok(Scan::More) if window <= limit => {
            *seen = window;
            Ok(None)
        }
        Ok(_) => Err(DecodeError::new(DecodeErrorKind::TooLarge { limit }).at(buffer.offset())),
        Err((kind, at)) => Err(DecodeError::new(kind).at(buffer.offset() + *seen + at)),
    }
}

/// Returns an event's type, and the place of its object in the frame; `last` is the frame's last object or array.
fn json_event(
    frame: &[u8],
    last: Range<usize>,
    scanner: &mut Scanner,
) -> Result<(WatchEventType, usize, usize), DecodeError> {
    let (mut kind, mut object) = (None, None);
    let mut reader = json::Reader::new(frame);
    let mut first = true;
    reader.begin_object()?;
    while let Some(key) = reader.next_key(&mut first)? {
        match &*key {
            "type" => {
                kind = Some(WatchEventType::from(&*reader.text().map_err(|error| error.in_field("type"))?));
            }
            "object" => {
                reader.peek();
                let start = reader.position();
                // The server writes the object last, and its end is known: no second scan.
                if start == last.start && !last.is_empty() {
                    reader.jump(last.end);
                } else {
                    reader.scan_raw(scanner).map_err(|error| error.in_field("object"))?;
                }
                object = Some((start, reader.position()));
            }
            _ => {
                reader.scan_raw(scanner)?;
            }
        }
    }
    let (start, end) = object.ok_or_else(|| DecodeError::invalid("an event without an object"))?;
    Ok((kind.ok_or_else(no_type)?, start, end))
}

fn next_protobuf(buffer: &mut Buffer, limit: usize) -> Result<Option<Parts>, DecodeError> {
    const PREFIX: usize = 4;
    let Some((prefix, rest)) = buffer.unread().split_first_chunk::<PREFIX>() else { return Ok(None) };
    let length = match usize::try_from(u32::from_be_bytes(*prefix)) {
        Ok(length) if length <= limit => length,
        _ => return Err(DecodeError::new(DecodeErrorKind::TooLarge { limit }).at(buffer.offset())),
    };
    let Some(frame) = rest.get(..length) else { return Ok(None) };
    let (kind, start, end) = protobuf_event(frame).map_err(|error| error.behind(buffer.offset() + PREFIX))?;
    Ok(Some((kind, buffer.take(PREFIX + length).slice(PREFIX + start, PREFIX + end))))
}

/// Returns an event's type, and the place of its object in the frame.
fn protobuf_event(frame: &[u8]) -> Result<(WatchEventType, usize, usize), DecodeError> {
    let (mut kind, mut object) = (None, None);
    let mut reader = protobuf::Reader::new(frame);
    while let Some((number, chunk)) = reader.next_field()? {
        match number {
            1 => {
                let text = std::str::from_utf8(chunk.bytes()?)
                    .map_err(|_| DecodeError::new(DecodeErrorKind::InvalidUtf8).in_field("type"))?;
                kind = Some(WatchEventType::from(text));
            }
            2 => {
                let extension = chunk.bytes()?;
                // The chunk was read last, so it ends at the reader's position.
                let start = reader.position() - extension.len();
                let mut inner = protobuf::Reader::new(extension);
                while let Some((number, chunk)) = inner.next_field()? {
                    if number == 1 {
                        let raw = chunk.bytes()?;
                        let end = start + inner.position();
                        object = Some((end - raw.len(), end));
                    }
                }
            }
            _ => {}
        }
    }
    let (start, end) = object.ok_or_else(|| DecodeError::invalid("an event without an object"))?;
    Ok((kind.ok_or_else(no_type)?, start, end))
}

#[cold]
fn no_type() -> DecodeError {
    DecodeError::invalid("an event without a type")
}

#[cfg(test)]
mod tests;
