//! What a request carries.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use client_rs_machinery::wire::{Format, Payload};
use client_rs_transport::http::Body;

use super::RequestError;

/// Where a request's body comes from. `Debug` shows nothing of it.
#[derive(Clone, Default)]
pub enum BodySource {
    /// There is none.
    #[default]
    None,
    /// Bytes in memory.
    Bytes(Bytes),
    /// A file, read when the request is sent.
    File(PathBuf),
    /// An object, encoded when the request is sent.
    Object(ObjectBody),
    /// A stream: sent once, and never again.
    Stream(StreamBody),
}

/// An object that will be a body.
#[derive(Clone)]
pub struct ObjectBody(Arc<dyn Encode>);

/// A stream that will be a body, until it has been sent.
#[derive(Clone)]
pub struct StreamBody(Arc<Mutex<Option<Body>>>);

trait Encode: Send + Sync {
    fn formats(&self) -> &'static [Format];
    fn encode(&self, format: Format) -> Vec<u8>;
}

impl<K: Payload> Encode for K {
    fn formats(&self) -> &'static [Format] {
        K::formats()
    }

    fn encode(&self, format: Format) -> Vec<u8> {
        Payload::encode(self, format)
    }
}

impl BodySource {
    /// An object, encoded when the request is sent.
    pub fn object<K: Payload>(object: Arc<K>) -> Self {
        Self::Object(ObjectBody(object))
    }

    /// A stream: sent once, and never again.
    pub fn stream(body: Body) -> Self {
        Self::Stream(StreamBody(Arc::new(Mutex::new(Some(body)))))
    }

    /// Can it be sent a second time?
    pub fn is_replayable(&self) -> bool {
        !matches!(self, Self::Stream(_))
    }

    /// Is it an object that goes in this format unless something says otherwise?
    pub(crate) fn prefers(&self, format: Format) -> bool {
        matches!(self, Self::Object(ObjectBody(object)) if object.formats().first() == Some(&format))
    }

    /// Is it an object that can go in this format?
    pub(crate) fn has(&self, format: Format) -> bool {
        matches!(self, Self::Object(ObjectBody(object)) if object.formats().contains(&format))
    }

    /// An object in this format; empty for anything else.
    pub(crate) fn encoded(&self, format: Format) -> Vec<u8> {
        match self {
            Self::Object(ObjectBody(object)) => object.encode(format),
            _ => Vec::new(),
        }
    }

    /// The body, ready to be sent, and its media type where that follows from the body. `preferred` is the
    /// format that the client was told to send; a type that has it not sends its own.
    pub(crate) async fn prepare(&self, preferred: Option<Format>) -> Result<Prepared, RequestError> {
        Ok(match self {
            Self::None => Prepared { body: Sendable::Bytes(Bytes::new()), format: None },
            Self::Bytes(bytes) => Prepared { body: Sendable::Bytes(bytes.clone()), format: None },
            Self::File(path) => Prepared { body: Sendable::Bytes(read(path).await?), format: None },
            Self::Object(ObjectBody(object)) => {
                let formats = object.formats();
                let format = preferred.filter(|format| formats.contains(format));
                let format = format.or(formats.first().copied()).unwrap_or(Format::Json);
                Prepared { body: Sendable::Bytes(object.encode(format).into()), format: Some(format) }
            }
            Self::Stream(StreamBody(stream)) => {
                let body = stream.lock().unwrap_or_else(PoisonError::into_inner).take();
                Prepared { body: Sendable::Once(Some(body.ok_or(RequestError::BodyTaken)?)), format: None }
            }
        })
    }
}

/// A body that is ready to be sent.
pub(crate) struct Prepared {
    pub(crate) body: Sendable,
    /// The format of an object.
    pub(crate) format: Option<Format>,
}

pub(crate) enum Sendable {
    Bytes(Bytes),
    Once(Option<Body>),
}

impl Sendable {
    /// The body of the next try.
    pub(crate) fn next(&mut self) -> Body {
        match self {
            Self::Bytes(bytes) => Body::from(bytes.clone()),
            Self::Once(body) => body.take().unwrap_or_default(),
        }
    }

    /// How many bytes, where that is known.
    pub(crate) fn len(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => u64::try_from(bytes.len()).ok(),
            Self::Once(_) => None,
        }
    }
}

async fn read(path: &Path) -> Result<Bytes, RequestError> {
    let error = |error: &dyn fmt::Display| RequestError::BodyFile {
        path: path.display().to_string(),
        error: error.to_string(),
    };
    let owned = path.to_owned();
    // A file system may block for as long as it likes.
    let read = tokio::task::spawn_blocking(move || std::fs::read(owned)).await;
    Ok(read.map_err(|failure| error(&failure))?.map_err(|failure| error(&failure))?.into())
}

impl fmt::Debug for BodySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Bytes(bytes) => write!(f, "{} bytes", bytes.len()),
            Self::File(path) => write!(f, "file {}", path.display()),
            Self::Object(_) => f.write_str("object"),
            Self::Stream(_) => f.write_str("stream"),
        }
    }
}

impl fmt::Debug for ObjectBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ObjectBody")
    }
}

impl fmt::Debug for StreamBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamBody")
    }
}

impl From<Bytes> for BodySource {
    fn from(bytes: Bytes) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Vec<u8>> for BodySource {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl From<String> for BodySource {
    fn from(text: String) -> Self {
        Self::Bytes(text.into())
    }
}

impl From<PathBuf> for BodySource {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}
