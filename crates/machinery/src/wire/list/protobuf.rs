//! Splits a protobuf list.

use super::summary::Head;
use crate::wire::buffer::{Buffer, Taken};
use crate::wire::envelope::{text, unsupported};
use crate::wire::protobuf::Reader;
use crate::wire::{DecodeError, DecodeErrorKind, Envelope, Format};

/// The position in a protobuf list.
#[derive(Debug, Default)]
pub(super) struct ProtobufSplitter {
    state: State,
    /// Bytes left of a skipped field.
    skip: u64,
    /// Bytes of the list's message that are not yet read.
    left: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Magic,
    /// In the envelope, before the list's message.
    Before,
    /// In the list's message.
    List,
    /// In the envelope, behind the list's message.
    After,
}

/// A field's tag, and its length where it has one.
#[derive(Debug)]
struct Header {
    number: u32,
    /// Whether it is length-delimited.
    delimited: bool,
    /// How many bytes the header takes; a varint field is all header.
    length: usize,
    /// How many bytes follow it.
    content: u64,
}

const TYPE_META: u32 = 1;
const RAW: u32 = 2;
const LIST_META: u32 = 1;
const ITEMS: u32 = 2;

impl ProtobufSplitter {
    /// Whether the list's message has been read to its end, and no field behind it is cut.
    pub(super) fn ended(&self, buffer: &Buffer) -> bool {
        self.state == State::After && self.skip == 0 && buffer.unread().is_empty()
    }

    /// The next item, or `None` when more bytes are needed.
    pub(super) fn next(
        &mut self,
        buffer: &mut Buffer,
        head: &mut Head,
        limit: usize,
    ) -> Result<Option<Taken>, DecodeError> {
        loop {
            if !self.skipped(buffer) {
                return Ok(None);
            }
            match self.state {
                State::Magic => {
                    let magic = &Envelope::MAGIC;
                    let found = buffer.unread();
                    if found.len() < magic.len() && magic.starts_with(found) {
                        return Ok(None);
                    }
                    if !found.starts_with(magic) {
                        return Err(malformed("the magic bytes of a protobuf envelope are missing", buffer));
                    }
                    buffer.take(magic.len());
                    self.state = State::Before;
                }
                State::Before | State::After => {
                    let Some(header) = header(buffer.unread(), buffer)? else { return Ok(None) };
                    if !self.envelope_field(&header, buffer, head, limit)? {
                        return Ok(None);
                    }
                }
                State::List if self.left == 0 => self.state = State::After,
                State::List => match self.list_field(buffer, head, limit)? {
                    Step::Item(item) => return Ok(Some(item)),
                    Step::Wait => return Ok(None),
                    Step::Next => {}
                },
            }
        }
    }

    /// Takes a field of the envelope; false when more bytes are needed.
    fn envelope_field(
        &mut self,
        header: &Header,
        buffer: &mut Buffer,
        head: &mut Head,
        limit: usize,
    ) -> Result<bool, DecodeError> {
        match header.number {
            RAW if header.delimited => {
                if self.state == State::After {
                    return Err(malformed("an envelope with two contents", buffer));
                }
                buffer.take(header.length);
                self.left = header.content;
                self.state = State::List;
            }
            // The kind, and how the content is encoded: the envelope's own business, one field at a time.
            TYPE_META | RAW | 3 | 4 => {
                let Some(length) = kept(header, buffer, limit)? else { return Ok(false) };
                let field = &buffer.unread()[..length];
                read_envelope(field, head).map_err(|error| error.behind(buffer.offset()))?;
                buffer.take(length);
            }
            _ => self.pass(header, buffer),
        }
        Ok(true)
    }

    /// Takes a field of the list's message.
    fn list_field(
        &mut self,
        buffer: &mut Buffer,
        head: &mut Head,
        limit: usize,
    ) -> Result<Step, DecodeError> {
        let unread = buffer.unread();
        let within = usize::try_from(self.left).unwrap_or(usize::MAX).min(unread.len());
        let Some(header) = header(&unread[..within], buffer)? else {
            if within as u64 == self.left {
                return Err(malformed("a field that ends behind its list", buffer));
            }
            return Ok(Step::Wait);
        };
        let total = header.content.checked_add(header.length as u64);
        let Some(left) = total.and_then(|total| self.left.checked_sub(total)) else {
            return Err(malformed("a field that ends behind its list", buffer));
        };
        match header.number {
            LIST_META | ITEMS if !header.delimited => {
                return Err(malformed("a list's field that is not length-delimited", buffer));
            }
            LIST_META => {
                let limit = limit.saturating_sub(head.metadata.len());
                let Some(length) = kept(&header, buffer, limit)? else { return Ok(Step::Wait) };
                // Records of one message merge by concatenation.
                head.metadata.extend_from_slice(&unread[header.length..length]);
                buffer.take(length);
            }
            ITEMS => {
                let Some(length) = kept(&header, buffer, limit)? else { return Ok(Step::Wait) };
                self.left = left;
                return Ok(Step::Item(buffer.take(length).slice(header.length, length)));
            }
            _ => self.pass(&header, buffer),
        }
        self.left = left;
        Ok(Step::Next)
    }

    fn pass(&mut self, header: &Header, buffer: &mut Buffer) {
        buffer.take(header.length);
        self.skip = header.content;
    }

    /// Drops bytes of a skipped field; returns false when more of them are to come.
    fn skipped(&mut self, buffer: &mut Buffer) -> bool {
        let unread = buffer.unread().len();
        let now = usize::try_from(self.skip).unwrap_or(usize::MAX).min(unread);
        buffer.take(now);
        self.skip -= now as u64;
        self.skip == 0
    }
}

enum Step {
    Item(Taken),
    Wait,
    Next,
}

/// The length of a field that is held until it is whole; `None` while it is not.
fn kept(header: &Header, buffer: &Buffer, limit: usize) -> Result<Option<usize>, DecodeError> {
    match usize::try_from(header.content) {
        Ok(content) if content <= limit => {
            let length = header.length + content;
            Ok((buffer.unread().len() >= length).then_some(length))
        }
        _ => Err(DecodeError::new(DecodeErrorKind::TooLarge { limit }).at(buffer.offset())),
    }
}

/// The header of the field at the first byte; `None` while it is not whole.
fn header(bytes: &[u8], buffer: &Buffer) -> Result<Option<Header>, DecodeError> {
    let mut reader = Reader::new(bytes);
    match reader.next_header() {
        Ok(None) => Ok(None),
        Ok(Some((number, delimited, content))) => {
            Ok(Some(Header { number, delimited, length: reader.position(), content }))
        }
        Err(error) if *error.kind() == DecodeErrorKind::Truncated => Ok(None),
        Err(error) => Err(error.behind(buffer.offset())),
    }
}

fn read_envelope(field: &[u8], head: &mut Head) -> Result<(), DecodeError> {
    let Some((number, chunk)) = Reader::new(field).next_field()? else { return Ok(()) };
    match number {
        TYPE_META => {
            let mut reader = Reader::new(chunk.bytes()?);
            while let Some((number, chunk)) = reader.next_field()? {
                match number {
                    1 => text(chunk)?.clone_into(&mut head.api_version),
                    2 => text(chunk)?.clone_into(&mut head.kind),
                    _ => {}
                }
            }
        }
        RAW => {
            return Err(DecodeError::new(DecodeErrorKind::Malformed(
                "a content that is not length-delimited",
            )));
        }
        _ => {
            let mut envelope = Envelope::default();
            envelope.merge(number, chunk)?;
            if envelope.format()? != Format::Protobuf {
                return Err(unsupported(envelope.content_type));
            }
        }
    }
    Ok(())
}

#[cold]
fn malformed(what: &'static str, buffer: &Buffer) -> DecodeError {
    DecodeError::new(DecodeErrorKind::Malformed(what)).at(buffer.offset())
}
