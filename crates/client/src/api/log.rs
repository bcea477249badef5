//! What a container has written.

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

/// Options of a log, each by name. What is set here is not set in [`options`](ApiRequest::options) as well: the server would
/// get it twice.
impl<O> ApiRequest<Log, O> {
    /// Of this container. Default: the pod's only one; a server refuses where there are several.
    pub fn container(self, container: impl Into<String>) -> Self {
        self.map_request(|request| request.param("container", container))
    }

    /// Goes on with what the container writes, until it ends.
    pub fn follow(self) -> Self {
        self.map_request(|request| request.param("follow", "true"))
    }

    /// Of the container's run before this one.
    pub fn previous(self) -> Self {
        self.map_request(|request| request.param("previous", "true"))
    }

    /// With the time of each line before it.
    pub fn timestamps(self) -> Self {
        self.map_request(|request| request.param("timestamps", "true"))
    }

    /// The last lines only, so many.
    pub fn tail_lines(self, lines: u64) -> Self {
        self.map_request(|request| request.param("tailLines", lines.to_string()))
    }

    /// Only what was written this long ago, or later: rounded up to whole seconds, at least one.
    pub fn since(self, ago: Duration) -> Self {
        let seconds = ago.as_secs() + u64::from(ago.subsec_nanos() > 0);
        self.map_request(|request| request.param("sinceSeconds", seconds.max(1).to_string()))
    }

    /// At most so many bytes.
    pub fn limit_bytes(self, bytes: u64) -> Self {
        self.map_request(|request| request.param("limitBytes", bytes.to_string()))
    }
}

/// A container's log as it arrives: a `Stream` of chunks, which end anywhere.
///
/// With `follow`, it ends when the container does. Dropping it ends the request.
#[derive(Debug)]
pub struct Log {
    body: Body,
    call: Call,
}

impl Log {
    pub(crate) fn new(body: Body, call: Call) -> Self {
        Self { body, call }
    }

    /// All of it.
    pub async fn bytes(self) -> Result<Bytes, Error> {
        let call = self.call;
        self.body.bytes().await.map_err(|error| Error::Transport { call, error, previous: None })
    }

    /// Line by line.
    pub fn lines(self) -> LogLines {
        LogLines { log: self, read: BytesMut::new(), searched: 0, ended: false, broke_off: false }
    }

    /// The next chunk; `None` at the end.
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

/// The lines of a log, without their ends, as a `Stream`.
///
/// Lines are bytes: a container may write what it likes. A line longer than [`MAX_LINE`](Self::MAX_LINE) comes in parts of
/// that size, so that memory is bounded whatever is written.
pub struct LogLines {
    log: Log,
    read: BytesMut,
    /// So much of `read` holds no line's end.
    searched: usize,
    ended: bool,
    broke_off: bool,
}

impl LogLines {
    /// The longest line that comes in one part.
    pub const MAX_LINE: usize = 1024 * 1024;

    /// The next line; `None` at the end.
    pub async fn try_next(&mut self) -> Result<Option<Bytes>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }

    /// Whether the line that came last has no end: the log ended within it.
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
