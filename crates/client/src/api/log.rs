//! The log of a container.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use client_rs_transport::http::Body;
use futures_core::Stream;
use http_body::Body as _;

use super::ApiRequest;
use super::request::Reply;
use crate::{Call, DecodeOptions, Error, Request, RestClient};

/// The options of a log, one method per option. Do not set the same option in [`options`](ApiRequest::options) too: the server
/// would get it twice.
impl<O> ApiRequest<Log, O> {
    /// Selects a container. Default: the only one of the pod. The server refuses the request if the pod has several.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().respond(
    /// #     "GET /api/v1/namespaces/a/pods/web/log?container=app&previous=true", http::Response::new("panicked\n"));
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// // Why did the container restart?
    /// let log = pods.log("web").container("app").previous().await?;
    /// assert_eq!(log.bytes().await?, "panicked\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn container(self, container: impl Into<String>) -> Self {
        self.map_request(|request| request.param("container", container))
    }

    /// Continues with new output until the container terminates.
    pub fn follow(self) -> Self {
        self.map_request(|request| request.param("follow", "true"))
    }

    /// Returns the log of the previous instance of the container.
    pub fn previous(self) -> Self {
        self.map_request(|request| request.param("previous", "true"))
    }

    /// Prefixes each line with its time.
    pub fn timestamps(self) -> Self {
        self.map_request(|request| request.param("timestamps", "true"))
    }

    /// Returns only this many lines from the end.
    pub fn tail_lines(self, lines: u64) -> Self {
        self.map_request(|request| request.param("tailLines", lines.to_string()))
    }

    /// Returns only output that is at most this old: rounded up to whole seconds, at least one.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "a");
    /// let request = pods.log("web").since(std::time::Duration::from_millis(1200)).into_request();
    /// assert!(request.path_and_query("").unwrap().ends_with("?sinceSeconds=2"));
    /// ```
    pub fn since(self, ago: Duration) -> Self {
        let seconds = ago.as_secs() + u64::from(ago.subsec_nanos() > 0);
        self.map_request(|request| request.param("sinceSeconds", seconds.max(1).to_string()))
    }

    /// Limits the number of bytes.
    pub fn limit_bytes(self, bytes: u64) -> Self {
        self.map_request(|request| request.param("limitBytes", bytes.to_string()))
    }
}

/// The log of a container as it arrives: a `Stream` of chunks. A chunk may end in the middle of a line.
///
/// With [`follow`](ApiRequest::follow), the stream ends when the container terminates. Dropping it cancels the request.
#[derive(Debug)]
pub struct Log {
    body: Body,
    call: Call,
}

impl Log {
    pub(crate) fn new(body: Body, call: Call) -> Self {
        Self { body, call }
    }

    /// Reads the whole log into memory. A log that is larger than the transport's limit, by default 512 MiB, is an error. Do not use
    /// it with `follow`, which may never end.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().respond("GET /api/v1/namespaces/a/pods/web/log", http::Response::new("ready\n"));
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let log = pods.log("web").limit_bytes(64 * 1024).await?;
    /// assert_eq!(log.bytes().await?, "ready\n");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn bytes(self) -> Result<Bytes, Error> {
        let call = self.call;
        self.body.bytes().await.map_err(|error| Error::Transport { call, error, previous: None })
    }

    /// Splits the log into lines. See [`LogLines`].
    pub fn lines(self) -> LogLines {
        LogLines { log: self, read: BytesMut::new(), searched: 0, ended: false, broke_off: false }
    }

    /// Returns the next chunk, or `None` at the end.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().respond("GET /api/v1/namespaces/a/pods/web/log", http::Response::new("12345"));
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let mut log = pods.log("web").follow().timestamps().await?;
    /// let mut size = 0;
    /// while let Some(chunk) = log.try_next().await? {
    ///     size += chunk.len();
    /// }
    /// assert_eq!(size, 5);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn try_next(&mut self) -> Result<Option<Bytes>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }
}

impl Stream for Log {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            return Poll::Ready(match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(chunk) => Some(Ok(chunk)),
                    Err(_) => continue,
                },
                Some(Err(error)) => {
                    self.body = Body::empty();
                    Some(Err(Error::Transport { call: self.call.clone(), error, previous: None }))
                }
                None => None,
            });
        }
    }
}

/// The lines of a log, without their line ends, as a `Stream`.
///
/// Lines are bytes, because a container may write anything. A line that is longer than [`MAX_LINE`](Self::MAX_LINE) arrives in
/// parts of that size, so that memory stays bounded.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// # let server = Canned::new().respond("GET /api/v1/namespaces/a/pods/web/log", http::Response::new("one\r\ntwo"));
/// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
/// use futures_util::TryStreamExt;
///
/// let lines: Vec<_> = pods.log("web").await?.lines().try_collect().await?;
/// assert_eq!(lines, ["one", "two"]);
/// # Ok(())
/// # }
/// ```
pub struct LogLines {
    log: Log,
    read: BytesMut,
    /// The length of the prefix of `read` that has no line end.
    searched: usize,
    ended: bool,
    broke_off: bool,
}

impl LogLines {
    /// The length of the longest line that arrives in one part.
    pub const MAX_LINE: usize = 1024 * 1024;

    /// Returns the next line, or `None` at the end.
    pub async fn try_next(&mut self) -> Result<Option<Bytes>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }

    /// Whether the log ended in the middle of the last line.
    pub(crate) fn broke_off(&self) -> bool {
        self.broke_off
    }

    fn line(&mut self) -> Option<Bytes> {
        let found = self.read[self.searched..].iter().position(|byte| *byte == b'\n');
        let end = found.map_or(self.read.len(), |at| self.searched + at);
        if end >= Self::MAX_LINE || (found.is_none() && self.ended && end > 0) {
            let part = self.read.split_to(end.min(Self::MAX_LINE));
            self.searched = end - part.len();
            self.broke_off = found.is_none() && self.ended && self.read.is_empty();
            return Some(part.freeze());
        }
        if found.is_none() {
            self.searched = end;
            return None;
        }
        self.searched = 0;
        let mut line = self.read.split_to(end + 1);
        line.truncate(end);
        if line.last() == Some(&b'\r') {
            line.truncate(end - 1);
        }
        Some(line.freeze())
    }
}

impl fmt::Debug for LogLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogLines").field("call", &self.log.call).finish_non_exhaustive()
    }
}

impl Stream for LogLines {
    type Item = Result<Bytes, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let lines = &mut *self;
        loop {
            if let Some(line) = lines.line() {
                return Poll::Ready(Some(Ok(line)));
            }
            if lines.ended {
                return Poll::Ready(None);
            }
            match ready!(Pin::new(&mut lines.log).poll_next(cx)) {
                Some(Ok(chunk)) => lines.read.extend_from_slice(&chunk),
                Some(Err(error)) => {
                    lines.ended = true;
                    lines.read.clear();
                    lines.searched = 0;
                    return Poll::Ready(Some(Err(error)));
                }
                None => lines.ended = true,
            }
        }
    }
}

pub(super) fn read(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<Log> {
    Box::pin(async move {
        let call = Call::new(request.verb().as_str(), request.path_and_query("")?);
        Ok(Log { body: rest.send_stream(request).await?, call })
    })
}
