//! The body of a request.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use client_rs_machinery::wire::{Format, Payload};
use client_rs_transport::http::Body;

use super::RequestError;

/// The source of a request's body. `Debug` shows its size or its file, never its content.
///
/// ```
/// use client_rs_client::BodySource;
///
/// let body = BodySource::from("password=s3cret".to_owned());
/// assert_eq!(format!("{body:?}"), "15 bytes");
/// ```
#[derive(Clone, Default)]
pub enum BodySource {
    /// No body.
    #[default]
    None,
    /// Bytes in memory.
    Bytes(Bytes),
    /// A file, read when the request is sent.
    File(PathBuf),
    /// An object, encoded when the request is sent.
    Object(ObjectBody),
    /// A stream, which can be sent once.
    Stream(StreamBody),
}

/// An object that is encoded when the request is sent.
#[derive(Clone)]
pub struct ObjectBody {
    object: Arc<dyn Encode>,
    /// Its bytes in one format, if they were needed before.
    encoded: Option<(Format, Bytes)>,
}

/// A stream. It is consumed when the request is sent.
#[derive(Clone)]
pub struct StreamBody(Arc<Mutex<Option<Body>>>);

trait Encode: Send + Sync {
    fn formats(&self) -> &'static [Format];
    fn encode(&self, format: Format) -> Vec<u8>;
    fn differs(&self, other: &dyn Any) -> bool;
}

impl<K: Payload> Encode for K {
    fn formats(&self) -> &'static [Format] {
        K::formats()
    }

    fn encode(&self, format: Format) -> Vec<u8> {
        Payload::encode(self, format)
    }

    fn differs(&self, other: &dyn Any) -> bool {
        other.downcast_ref().is_some_and(|other| Payload::differs(self, other))
    }
}

impl BodySource {
    /// Returns an object as a body. It is encoded when the request is sent.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_client::BodySource;
    ///
    /// let shared = Arc::new(Pod::default());
    /// assert!(BodySource::object(Arc::clone(&shared)).is_replayable());
    /// ```
    pub fn object<K: Payload>(object: Arc<K>) -> Self {
        Self::Object(ObjectBody { object, encoded: None })
    }

    /// Returns a stream as a body. It can be sent once, so the request is not retried.
    ///
    /// ```
    /// use client_rs_client::BodySource;
    /// use client_rs_transport::http::Body;
    ///
    /// let upload = BodySource::stream(Body::from("chunk"));
    /// assert!(!upload.is_replayable());
    /// ```
    pub fn stream(body: Body) -> Self {
        Self::Stream(StreamBody(Arc::new(Mutex::new(Some(body)))))
    }

    /// Whether the body can be sent a second time.
    pub fn is_replayable(&self) -> bool {
        !matches!(self, Self::Stream(_))
    }

    /// Whether it is an object whose preferred format is this one.
    pub(crate) fn prefers(&self, format: Format) -> bool {
        matches!(self, Self::Object(ObjectBody { object, .. }) if object.formats().first() == Some(&format))
    }

    /// Whether it is an object that supports this format.
    pub(crate) fn has(&self, format: Format) -> bool {
        matches!(self, Self::Object(ObjectBody { object, .. }) if object.formats().contains(&format))
    }

    /// The bytes, if they are not those of an object, a file or a stream.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Encodes an object in this format. Empty for any other source.
    pub(crate) fn encoded(&self, format: Format) -> Vec<u8> {
        match self {
            Self::Object(ObjectBody { object, .. }) => object.encode(format),
            _ => Vec::new(),
        }
    }

    /// Whether it is an object whose encoding is certain to differ from that of another of its type; see [`Payload::differs`].
    pub(crate) fn differs<K: Payload>(&self, other: &K) -> bool {
        matches!(self, Self::Object(ObjectBody { object, .. }) if object.differs(other))
    }

    /// Encodes an object as [`prepare`](Self::prepare) does, which then uses these bytes. `None` for any other source.
    pub(crate) fn encode_early(&mut self, preferred: Option<Format>) -> Option<(Format, Bytes)> {
        let Self::Object(body) = self else { return None };
        let encoded = body.encode(preferred);
        body.encoded = Some(encoded.clone());
        Some(encoded)
    }

    /// Returns the body, ready to be sent, and its format if it is an object. `preferred` is the format that the client is
    /// configured with. A type that does not support it uses its own.
    pub(crate) async fn prepare(&self, preferred: Option<Format>) -> Result<Prepared, RequestError> {
        Ok(match self {
            Self::None => Prepared { body: Sendable::Bytes(Bytes::new()), format: None },
            Self::Bytes(bytes) => Prepared { body: Sendable::Bytes(bytes.clone()), format: None },
            Self::File(path) => Prepared { body: Sendable::Bytes(read(path).await?), format: None },
            Self::Object(body) => {
                let (format, bytes) = body.encode(preferred);
                Prepared { body: Sendable::Bytes(bytes), format: Some(format) }
            }
            Self::Stream(StreamBody(stream)) => {
                let body = stream.lock().unwrap_or_else(PoisonError::into_inner).take();
                Prepared { body: Sendable::Once(Some(body.ok_or(RequestError::BodyTaken)?)), format: None }
            }
        })
    }
}

impl ObjectBody {
    /// Encodes the object in this format if its type supports it, else in the type's own.
    fn encode(&self, preferred: Option<Format>) -> (Format, Bytes) {
        let formats = self.object.formats();
        let format = preferred.filter(|format| formats.contains(format));
        let format = format.or(formats.first().copied()).unwrap_or(Format::Json);
        match &self.encoded {
            Some((of, bytes)) if *of == format => (format, bytes.clone()),
            _ => (format, self.object.encode(format).into()),
        }
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

    /// The number of bytes, if it is known.
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
    // A file system may block for any time.
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
