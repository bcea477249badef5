//! The events of a watch.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use client_rs_machinery::ApiError;
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::pool::Pool;
use client_rs_machinery::wire::{
    DecodeError, DecodeErrorKind, Decoding, Format, Payload, RawStatus, RawWatchEvent, WatchDecoder,
    WatchEvent, WatchEventType,
};
use client_rs_transport::http::{Body, TransportError};
use futures_core::Stream;
use http_body::Body as _;
use tokio::time::{Instant, Sleep};

use super::deadline::Timer;
use super::execute::Answer;
use crate::Call;

client_rs_machinery::options! {
    /// How the objects of a watch or a list are decoded.
    ///
    /// ```
    /// use client_rs_client::DecodeOptions;
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{ListItem, Request, testing::Canned};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let list = r#"{"kind": "PodList", "items": [{"metadata": {"name": "a", "managedFields": [{"manager": "kubectl"}]}}]}"#;
    /// # let client = Canned::new().on("GET /api/v1/pods", list).client();
    /// let options = DecodeOptions::default().with_strip_managed_fields(true);
    /// let mut pods = client.list_stream_with::<Pod>(Request::get().of::<Pod>(), options).await?;
    /// let Some(ListItem::Object(pod)) = pods.try_next().await? else { panic!("expected a pod") };
    /// assert!(pod.metadata.managed_fields.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Default)]
    pub struct DecodeOptions {
        /// Leave out `metadata.managedFields`. Default: false.
        pub strip_managed_fields: bool => with_strip_managed_fields,
        /// Shares equal strings between objects. Default: none.
        pub pool: Option<Arc<Pool>> => with_pool,
        /// End a watch after this time without data, not even a bookmark. Default: never; a dead HTTP/2 connection is detected
        /// without it.
        pub idle_timeout: Option<Duration> => with_idle_timeout,
    }
}

impl DecodeOptions {
    /// The state of one decoding; with a pool, it holds the lock of the pool.
    pub(super) fn decoding(&self) -> Decoding<'_> {
        let mut decoding = match &self.pool {
            Some(pool) => Decoding::with_pool(pool),
            None => Decoding::new(),
        };
        decoding.strip_managed_fields = self.strip_managed_fields;
        decoding
    }
}

impl fmt::Debug for DecodeOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeOptions")
            .field("strip_managed_fields", &self.strip_managed_fields)
            .field("pool", &self.pool.is_some())
            .field("idle_timeout", &self.idle_timeout)
            .finish()
    }
}

/// The events of a watch, as a `Stream`.
///
/// This is the raw stream of one request: it ends after some minutes, and you must start again from the last version. For a
/// watch that reconnects, use a reflector or an informer of the crates above this one. To wait for one object, use
/// [`Api::wait_for`](crate::Api::wait_for).
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::{Request, WatchEnd};
/// use client_rs_machinery::wire::WatchEvent;
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// # let event = r#"{"type": "ADDED", "object": {"metadata": {"name": "web"}}}"#;
/// # let client = Canned::new().on("GET /api/v1/pods?watch=true", event).client();
/// let request = Request::get().of::<Pod>().param("watch", "true");
/// let mut watch = client.watch::<Pod>(request).await?;
/// while let Some(event) = watch.next().await {
///     match event {
///         Ok(WatchEvent::Added(pod)) => assert_eq!(pod.metadata.name, "web"),
///         Ok(other) => println!("{other:?}"),
///         Err(bad) => eprintln!("skipping an event: {bad}"),
///     }
/// }
/// assert!(matches!(watch.end(), Some(WatchEnd::Closed)));
/// # Ok(())
/// # }
/// ```
///
/// - Order: that of the server.
/// - Errors: an [`Error`](WatchEvent::Error) event comes from the server, and is the last one. An event whose object can't be
///   decoded is a [`BadEvent`], and later events still arrive. If the stream itself can't be decoded, the last event is an
///   error event of the client (500, with a cause `ClientWatchDecoding`).
/// - End: `None`, after the server has ended the watch and after a lost connection: start a new one in both cases.
///   [`end`](Self::end) returns the reason.
/// - Memory: one event, one chunk, and the data that the connection has read ahead.
/// - Cancellation: dropping the watch cancels the request.
#[derive(Debug)]
#[must_use = "the watch ends when this is dropped"]
pub struct Watch<K> {
    body: Body,
    /// `None` after the watch has ended.
    decoder: Option<WatchDecoder>,
    options: DecodeOptions,
    idle: Option<Pin<Box<Sleep>>>,
    deadline: Option<Timer>,
    call: Call,
    end: Option<WatchEnd>,
    kind: PhantomData<fn() -> K>,
}

/// The reason why a watch has ended.
#[derive(Debug)]
#[non_exhaustive]
pub enum WatchEnd {
    /// The server ended it, between two events.
    Closed,
    /// The server ended it with an error event.
    Error,
    /// The connection was lost, or could not be opened.
    Lost(TransportError),
    /// It broke off in the middle of an event.
    Truncated,
    /// No data arrived for too long.
    Idle,
    /// The time limit of the client has passed, or the server has not ended the watch at its own limit.
    Timeout,
    /// The response is not a watch.
    Undecodable(DecodeError),
}

/// An event whose object can't be decoded. Later events are not affected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the object of a {kind} event ({namespace}/{name}) can't be read: {error}")]
#[non_exhaustive]
pub struct BadEvent {
    /// The type of the event.
    pub kind: WatchEventType,
    /// The namespace of the object, if it can be decoded.
    pub namespace: String,
    /// The name of the object, if it can be decoded.
    pub name: String,
    /// The version of the object, if it can be decoded: a new watch can start from it.
    pub resource_version: String,
    /// The cause.
    pub error: DecodeError,
}

type Item<K> = Result<WatchEvent<K, ApiError>, BadEvent>;

impl<K: Payload> Watch<K> {
    pub(super) fn new(answer: Answer, format: Format, options: DecodeOptions) -> Self {
        let idle = options.idle_timeout.map(|idle| Box::pin(tokio::time::sleep(idle)));
        Self {
            body: answer.response.into_body(),
            decoder: Some(WatchDecoder::new(format)),
            options,
            idle,
            deadline: answer.deadline.timer(),
            call: answer.call,
            end: None,
            kind: PhantomData,
        }
    }

    /// A watch that ended before it began.
    pub(super) fn ended(call: Call, error: TransportError) -> Self {
        Self {
            body: Body::empty(),
            decoder: None,
            options: DecodeOptions::default(),
            idle: None,
            deadline: None,
            call,
            end: Some(WatchEnd::Lost(error)),
            kind: PhantomData,
        }
    }

    /// The next event; `None` at the end. It is safe to drop the future.
    pub async fn next(&mut self) -> Option<Item<K>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// The reason why the watch has ended; `None` while it runs.
    pub fn end(&self) -> Option<&WatchEnd> {
        self.end.as_ref()
    }

    /// The request of the watch.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The next event, with its object converted by `read` from the wire format, so that known objects need not be decoded;
    /// `None` at the end.
    pub fn poll_next_with<T>(
        &mut self,
        cx: &mut Context<'_>,
        mut read: impl FnMut(&RawWatchEvent<'_>, &mut Decoding<'_>) -> Result<T, DecodeError>,
    ) -> Poll<Option<Item<T>>> {
        loop {
            if let Some(event) = self.decoded(&mut read) {
                return Poll::Ready(Some(event));
            }
            if self.decoder.is_none() {
                return Poll::Ready(None);
            }
            let frame = Pin::new(&mut self.body).poll_frame(cx);
            if frame.is_pending() {
                let deadline = self.deadline.as_mut();
                if deadline.is_some_and(|deadline| deadline.poll_elapsed(cx).is_ready()) {
                    self.close(WatchEnd::Timeout);
                    return Poll::Ready(None);
                }
                let idle = self.idle.as_mut();
                if idle.is_some_and(|idle| idle.as_mut().poll(cx).is_ready()) {
                    self.close(WatchEnd::Idle);
                    return Poll::Ready(None);
                }
            }
            match ready!(frame) {
                Some(Ok(frame)) => {
                    if let (Some(sleep), Some(idle)) = (&mut self.idle, self.options.idle_timeout)
                        && let Some(at) = Instant::now().checked_add(idle)
                    {
                        sleep.as_mut().reset(at);
                    }
                    if let (Ok(chunk), Some(decoder)) = (frame.into_data(), &mut self.decoder) {
                        decoder.push(&chunk);
                    }
                }
                Some(Err(error)) => {
                    self.close(WatchEnd::Lost(error));
                    return Poll::Ready(None);
                }
                None => return Poll::Ready(self.finish().map(|error| Ok(WatchEvent::Error(error)))),
            }
        }
    }

    fn close(&mut self, end: WatchEnd) {
        tracing::debug!(call = %self.call, ?end, "watch ended");
        self.decoder = None;
        self.body = Body::empty();
        self.end = Some(end);
    }

    /// The next event in the received data.
    fn decoded<T>(
        &mut self,
        read: impl FnOnce(&RawWatchEvent<'_>, &mut Decoding<'_>) -> Result<T, DecodeError>,
    ) -> Option<Item<T>> {
        let event = match self.decoder.as_mut()?.next_event() {
            Ok(None) => return None,
            Ok(Some(event)) if matches!(event.kind, WatchEventType::Unknown(_)) => {
                Err(DecodeError::invalid("an event type that is not known").in_type("WatchEvent"))
            }
            Ok(Some(event)) => {
                let mut decoding = self.options.decoding();
                Ok(event.decode_with(|event| read(event, &mut decoding)).map_err(|error| {
                    let peek = event.peek();
                    BadEvent {
                        kind: event.kind.clone(),
                        namespace: peek.namespace().to_owned(),
                        name: peek.name().to_owned(),
                        resource_version: peek.resource_version().to_owned(),
                        error,
                    }
                }))
            }
            Err(error) => Err(error),
        };
        Some(match event {
            Ok(Ok(event)) => {
                let event = event.map_error(|status| Self::server_error(&status));
                if matches!(event, WatchEvent::Error(_)) {
                    self.close(WatchEnd::Error);
                }
                Ok(event)
            }
            Ok(Err(bad)) => Err(bad),
            Err(error) => Ok(WatchEvent::Error(self.undecodable(error))),
        })
    }

    fn server_error(status: &RawStatus) -> ApiError {
        match status.decode::<Status>() {
            Ok(status) => ApiError::from(&status),
            Err(error) => ApiError::unexpected_object(error),
        }
    }

    fn undecodable(&mut self, error: DecodeError) -> ApiError {
        let why = format!("unable to decode an event from the watch stream: {error}");
        let failure = ApiError::undecodable(500, self.call.verb(), "ClientWatchDecoding", why);
        self.close(WatchEnd::Undecodable(error));
        failure
    }

    /// The stream has ended, between two events or within one.
    fn finish(&mut self) -> Option<ApiError> {
        match self.decoder.take()?.finish() {
            Ok(()) => self.close(WatchEnd::Closed),
            Err(error) if *error.kind() == DecodeErrorKind::Truncated => self.close(WatchEnd::Truncated),
            Err(error) => return Some(self.undecodable(error)),
        }
        None
    }
}

impl<K: Payload> Stream for Watch<K> {
    type Item = Item<K>;

    // The method has only one lifetime, so the lint does not apply.
    #[allow(clippy::redundant_closure_for_method_calls)]
    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item<K>>> {
        self.poll_next_with(cx, |event, decoding| event.object(decoding))
    }
}
