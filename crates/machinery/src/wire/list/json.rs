//! Splits a JSON list.

use super::summary::Head;
use crate::wire::buffer::{Buffer, Taken};
use crate::wire::json::{Reader, Scan, Scanner};
use crate::wire::{DecodeError, DecodeErrorKind};

/// The position in a JSON list.
#[derive(Debug, Default)]
pub(super) struct JsonSplitter {
    state: State,
    scanner: Scanner,
    /// Whether the scanner is in the middle of a value.
    in_value: bool,
    /// How many of the unread bytes the scanner has seen.
    scanned: usize,
    seen_items: bool,
    /// How long items are, the longer of the last few.
    usual: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Before the list's `{`.
    #[default]
    Start,
    /// Behind the `{`: a key or `}`.
    FirstKey,
    /// Behind a comma: a key.
    Key,
    /// Behind a key: `:`.
    Colon(Slot),
    /// Behind the `:`.
    Value(Slot),
    /// Behind a value: `,` or `}`.
    AfterValue,
    /// Behind the `[` of the items: an item or `]`.
    FirstItem,
    /// Behind a comma: an item.
    Item,
    /// Behind an item: `,` or `]`.
    AfterItem,
    /// Behind the list's `}`.
    End,
}

/// The role of a value at the top level of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    ApiVersion,
    Kind,
    Metadata,
    Items,
    Other,
}

impl JsonSplitter {
    /// Whether the list's `}` has been read.
    pub(super) fn ended(&self) -> bool {
        self.state == State::End
    }

    /// The next item, or `None` when more bytes are needed.
    pub(super) fn next(
        &mut self,
        buffer: &mut Buffer,
        head: &mut Head,
        limit: usize,
    ) -> Result<Option<Taken>, DecodeError> {
        if !self.reach_item(buffer, head, limit)? {
            return Ok(None);
        }
        let Some(length) = self.kept(buffer, limit)? else { return Ok(None) };
        Ok(Some(self.take(buffer, length)))
    }

    /// Returns the text from the start of an item, which is likely to contain all of it; nothing if only a scan can
    /// find the end.
    pub(super) fn front<'a>(
        &mut self,
        buffer: &'a mut Buffer,
        head: &mut Head,
        limit: usize,
    ) -> Option<&'a [u8]> {
        // `next` reports the error when it reaches the same place.
        let at_item = self.reach_item(buffer, head, limit).unwrap_or(false) && !self.in_value;
        let text = buffer.unread();
        // A failed attempt costs more than the scan, so the odds must be good.
        (at_item && text.len() >= self.usual.saturating_mul(2)).then(|| &text[..text.len().min(limit)])
    }

    /// The item of this length that `front` was the beginning of, or, without one, that none was found.
    pub(super) fn found(&mut self, buffer: &mut Buffer, length: Option<usize>) {
        match length {
            Some(length) => drop(self.take(buffer, length)),
            None => self.usual = buffer.unread().len(),
        }
    }

    fn take(&mut self, buffer: &mut Buffer, length: usize) -> Taken {
        self.state = State::AfterItem;
        self.usual = length.max(self.usual - self.usual / 8);
        buffer.take(length)
    }

    /// Reads what is not an item; whether an item is next, or more bytes are needed.
    fn reach_item(
        &mut self,
        buffer: &mut Buffer,
        head: &mut Head,
        limit: usize,
    ) -> Result<bool, DecodeError> {
        loop {
            // In the middle of a value every byte is the value's, white space too.
            let token = if self.in_value { None } else { buffer.peek_token() };
            if token.is_none() && !self.in_value {
                return Ok(false);
            }
            match (self.state, token) {
                (State::FirstItem | State::AfterItem, Some(b']')) => {
                    self.punctuation(buffer, State::AfterValue);
                }
                (State::FirstItem | State::Item, _) => return Ok(true),
                (State::AfterItem, Some(b',')) => self.punctuation(buffer, State::Item),
                (State::AfterItem, _) => return Err(unexpected("`,` or `]`", buffer)),

                (State::Start, Some(b'{')) => self.punctuation(buffer, State::FirstKey),
                (State::Start, _) => return Err(unexpected("an object", buffer)),
                (State::FirstKey | State::AfterValue, Some(b'}')) => self.punctuation(buffer, State::End),
                (State::FirstKey | State::Key, None | Some(b'"')) => {
                    let Some(length) = self.kept(buffer, limit)? else { return Ok(false) };
                    self.state = State::Colon(self.slot(buffer, length)?);
                    buffer.take(length);
                }
                (State::FirstKey | State::Key, _) => return Err(unexpected("a key", buffer)),
                (State::Colon(slot), Some(b':')) => self.punctuation(buffer, State::Value(slot)),
                (State::Colon(_), _) => return Err(unexpected("`:`", buffer)),
                (State::Value(Slot::Items), Some(b'[')) => self.punctuation(buffer, State::FirstItem),
                (State::Value(Slot::Other), _) => {
                    if !self.skipped(buffer)? {
                        return Ok(false);
                    }
                    self.state = State::AfterValue;
                }
                (State::Value(slot), _) => {
                    let Some(length) = self.kept(buffer, limit)? else { return Ok(false) };
                    fill(slot, &buffer.unread()[..length], head)
                        .map_err(|error| error.behind(buffer.offset()))?;
                    buffer.take(length);
                    self.state = State::AfterValue;
                }
                (State::AfterValue, Some(b',')) => self.punctuation(buffer, State::Key),
                (State::AfterValue, _) => return Err(unexpected("`,` or `}`", buffer)),
                (State::End, _) => {
                    return Err(DecodeError::new(DecodeErrorKind::Trailing).at(buffer.offset()));
                }
            }
        }
    }

    fn punctuation(&mut self, buffer: &mut Buffer, next: State) {
        buffer.take(1);
        self.state = next;
    }

    /// The length of the value that begins at the first unread byte, which is held until it is whole.
    fn kept(&mut self, buffer: &Buffer, limit: usize) -> Result<Option<usize>, DecodeError> {
        // Never past the limit: an error must not depend on how the bytes were cut.
        let window = buffer.unread().len().min(limit.saturating_add(1));
        let found = self.scan(buffer, window)?;
        match found {
            Some(length) if length <= limit => Ok(Some(length)),
            None if window <= limit => Ok(None),
            _ => Err(DecodeError::new(DecodeErrorKind::TooLarge { limit }).at(buffer.offset())),
        }
    }

    /// Skips a value; returns false when more bytes are needed.
    fn skipped(&mut self, buffer: &mut Buffer) -> Result<bool, DecodeError> {
        let window = buffer.unread().len();
        let found = self.scan(buffer, window)?;
        buffer.take(found.unwrap_or(window));
        self.scanned = 0;
        Ok(found.is_some())
    }

    fn scan(&mut self, buffer: &Buffer, window: usize) -> Result<Option<usize>, DecodeError> {
        let piece = &buffer.unread()[self.scanned..window];
        match self.scanner.scan(piece) {
            Ok(Scan::End(length)) => {
                let length = self.scanned + length;
                self.scanned = 0;
                self.in_value = false;
                self.scanner.reset();
                Ok(Some(length))
            }
            Ok(Scan::More) => {
                self.scanned = window;
                self.in_value = true;
                Ok(None)
            }
            Err((kind, at)) => Err(DecodeError::new(kind).at(buffer.offset() + self.scanned + at)),
        }
    }

    fn slot(&mut self, buffer: &Buffer, length: usize) -> Result<Slot, DecodeError> {
        let key =
            Reader::new(&buffer.unread()[..length]).text().map_err(|error| error.behind(buffer.offset()))?;
        Ok(match &*key {
            "apiVersion" => Slot::ApiVersion,
            "kind" => Slot::Kind,
            "metadata" => Slot::Metadata,
            // The last of two equal keys would win, but the first one's items are gone by then.
            "items" if self.seen_items => {
                let kind = DecodeErrorKind::Malformed("a list with `items` twice");
                return Err(DecodeError::new(kind).at(buffer.offset()));
            }
            "items" => {
                self.seen_items = true;
                Slot::Items
            }
            _ => Slot::Other,
        })
    }
}

fn fill(slot: Slot, value: &[u8], head: &mut Head) -> Result<(), DecodeError> {
    let mut reader = Reader::new(value);
    let text = |reader: &mut Reader<'_>| {
        if reader.take_null()? { Ok(String::new()) } else { reader.text().map(std::borrow::Cow::into_owned) }
    };
    match slot {
        Slot::ApiVersion => head.api_version = text(&mut reader).map_err(|e| e.in_field("apiVersion"))?,
        Slot::Kind => head.kind = text(&mut reader).map_err(|e| e.in_field("kind"))?,
        Slot::Metadata => {
            reader.skip().map_err(|error| error.in_field("metadata"))?;
            head.metadata = value.to_vec();
        }
        Slot::Items => {
            if !reader.take_null().map_err(|error| error.in_field("items"))? {
                return Err(reader.unexpected("an array").in_field("items"));
            }
        }
        Slot::Other => reader.skip()?,
    }
    reader.end()
}

#[cold]
fn unexpected(expected: &'static str, buffer: &Buffer) -> DecodeError {
    Reader::new(buffer.unread()).unexpected(expected).behind(buffer.offset())
}
