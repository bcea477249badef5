//! [`WatchEvent`] and [`RawWatchEvent`]: the events of a watch, decoded and as bytes.

use std::fmt;

use crate::Str;
use crate::wire::{DecodeError, Decoding, Format, Payload, Peek};

/// The annotation of a bookmark that marks the end of a streamed list.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// The type of a watch event, as on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WatchEventType {
    /// `ADDED`.
    Added,
    /// `MODIFIED`.
    Modified,
    /// `DELETED`.
    Deleted,
    /// `BOOKMARK`.
    Bookmark,
    /// `ERROR`.
    Error,
    /// Any other name.
    Unknown(Str),
}

impl WatchEventType {
    /// Returns the name on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Added => "ADDED",
            Self::Modified => "MODIFIED",
            Self::Deleted => "DELETED",
            Self::Bookmark => "BOOKMARK",
            Self::Error => "ERROR",
            Self::Unknown(name) => name,
        }
    }
}

impl From<&str> for WatchEventType {
    fn from(name: &str) -> Self {
        match name {
            "ADDED" => Self::Added,
            "MODIFIED" => Self::Modified,
            "DELETED" => Self::Deleted,
            "BOOKMARK" => Self::Bookmark,
            "ERROR" => Self::Error,
            other => Self::Unknown(other.into()),
        }
    }
}

impl fmt::Display for WatchEventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An event whose object is not decoded; borrows from the decoder's buffer.
#[derive(Clone)]
pub struct RawWatchEvent<'a> {
    /// The format of `object`.
    pub format: Format,
    /// The type of the event.
    pub kind: WatchEventType,
    /// The object: JSON text, or a protobuf envelope.
    pub object: &'a [u8],
}

impl<'a> RawWatchEvent<'a> {
    /// Returns metadata of the object, without decoding it.
    pub fn peek(&self) -> Peek<'a> {
        match self.format {
            Format::Json => Peek::json(self.object),
            Format::Protobuf => Peek::envelope(self.object),
        }
    }

    /// Decodes the object of the event.
    ///
    /// # Errors
    ///
    /// An error concerns only this event: the next one can be read. An event of an unknown type is also an error,
    /// because its object is unknown.
    pub fn decode<K: Payload>(&self, cx: &mut Decoding) -> Result<WatchEvent<K>, DecodeError> {
        self.decode_with(|event| event.object(cx))
    }

    /// Returns the event with the object that `read` makes from the wire, so that not every object must be decoded.
    pub fn decode_with<T>(
        &self,
        read: impl FnOnce(&Self) -> Result<T, DecodeError>,
    ) -> Result<WatchEvent<T>, DecodeError> {
        Ok(match &self.kind {
            WatchEventType::Added => WatchEvent::Added(read(self)?),
            WatchEventType::Modified => WatchEvent::Modified(read(self)?),
            WatchEventType::Deleted => WatchEvent::Deleted(read(self)?),
            WatchEventType::Bookmark => {
                let peek = self.peek();
                WatchEvent::Bookmark {
                    resource_version: peek.resource_version().into(),
                    initial_events_end: peek.annotation(INITIAL_EVENTS_END).as_deref() == Some("true"),
                }
            }
            WatchEventType::Error => {
                WatchEvent::Error(RawStatus { format: self.format, bytes: self.object.into() })
            }
            WatchEventType::Unknown(_) => {
                return Err(DecodeError::invalid("an event type that is not known").in_type("WatchEvent"));
            }
        })
    }

    /// Decodes the object.
    pub fn object<K: Payload>(&self, cx: &mut Decoding) -> Result<K, DecodeError> {
        K::decode(self.format, self.object, cx)
    }
}

impl fmt::Debug for RawWatchEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The object may be a Secret.
        write!(f, "RawWatchEvent({}, {} bytes of {})", self.kind, self.object.len(), self.format)
    }
}

/// One event of a watch on objects of type `K`.
///
/// `E` is the content of an error event: the unchanged status, unless the caller maps it to its own error type with
/// [`map_error`](Self::map_error).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchEvent<K, E = RawStatus> {
    /// The object is new to this watch: created, existing at the start, or newly matched by the selector.
    Added(K),
    /// The object has changed.
    Modified(K),
    /// The object was deleted, or no longer matches the selector; its last state.
    Deleted(K),
    /// The watch has delivered everything up to a version.
    Bookmark {
        /// The version to resume from.
        resource_version: Str,
        /// Whether all objects that existed at the start have been sent.
        initial_events_end: bool,
    },
    /// The server ends the watch, with the reason.
    Error(E),
}

impl<K, E> WatchEvent<K, E> {
    /// Returns the type of the event.
    pub fn kind(&self) -> WatchEventType {
        match self {
            Self::Added(_) => WatchEventType::Added,
            Self::Modified(_) => WatchEventType::Modified,
            Self::Deleted(_) => WatchEventType::Deleted,
            Self::Bookmark { .. } => WatchEventType::Bookmark,
            Self::Error(_) => WatchEventType::Error,
        }
    }

    /// Returns the object, if the event has one.
    pub fn object(&self) -> Option<&K> {
        match self {
            Self::Added(object) | Self::Modified(object) | Self::Deleted(object) => Some(object),
            Self::Bookmark { .. } | Self::Error(_) => None,
        }
    }

    /// Maps the object of the event.
    pub fn map<L>(self, change: impl FnOnce(K) -> L) -> WatchEvent<L, E> {
        match self {
            Self::Added(object) => WatchEvent::Added(change(object)),
            Self::Modified(object) => WatchEvent::Modified(change(object)),
            Self::Deleted(object) => WatchEvent::Deleted(change(object)),
            Self::Bookmark { resource_version, initial_events_end } => {
                WatchEvent::Bookmark { resource_version, initial_events_end }
            }
            Self::Error(error) => WatchEvent::Error(error),
        }
    }

    /// Maps the error of the event.
    pub fn map_error<F>(self, change: impl FnOnce(E) -> F) -> WatchEvent<K, F> {
        match self {
            Self::Added(object) => WatchEvent::Added(object),
            Self::Modified(object) => WatchEvent::Modified(object),
            Self::Deleted(object) => WatchEvent::Deleted(object),
            Self::Bookmark { resource_version, initial_events_end } => {
                WatchEvent::Bookmark { resource_version, initial_events_end }
            }
            Self::Error(error) => WatchEvent::Error(change(error)),
        }
    }
}

/// A `Status` in its form on the wire.
#[derive(Clone, PartialEq, Eq)]
pub struct RawStatus {
    /// The format of `bytes`.
    pub format: Format,
    /// The object: JSON text, or a protobuf envelope.
    pub bytes: Box<[u8]>,
}

impl RawStatus {
    /// Decodes the status.
    pub fn decode<S: Payload>(&self) -> Result<S, DecodeError> {
        S::decode(self.format, &self.bytes, &mut Decoding::new())
    }
}

impl fmt::Debug for RawStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawStatus({} bytes of {})", self.bytes.len(), self.format)
    }
}
