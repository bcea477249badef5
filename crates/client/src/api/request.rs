//! A request of a handle, before it is sent.

use std::fmt;
use std::future::IntoFuture;
use std::time::Duration;

use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use futures_core::future::BoxFuture;

use super::delete_response::{self, DeleteResponse};
use crate::rest::is_status;
use crate::{
    DecodeOptions, Error, ListStream, Listed, RawResponse, Request, RequestError, RestClient, Watch,
};

/// The answer to an [`ApiRequest`], once it comes. Dropping it cancels the request; whether the server has acted by then is
/// not known.
pub type Reply<T> = BoxFuture<'static, Result<T, Error>>;

/// A request of a handle, with its options: `.await` sends it.
///
/// `T` is what it answers, `O` its options: those of `meta/v1` wherever they fit. Options are set one by one, or all at
/// once by [`options`](Self::options).
///
/// A name or namespace that can't stand in a path is an error of sending, and nothing goes out then.
#[must_use = "nothing is sent until it is awaited"]
pub struct ApiRequest<T, O> {
    rest: RestClient,
    request: Request,
    pub(crate) options: O,
    decode: DecodeOptions,
    encode: fn(Request, &O) -> Request,
    read: fn(RestClient, Request, DecodeOptions) -> Reply<T>,
}

impl<T, O: Default> ApiRequest<T, O> {
    pub(crate) fn new(
        rest: RestClient,
        request: Request,
        encode: fn(Request, &O) -> Request,
        read: fn(RestClient, Request, DecodeOptions) -> Reply<T>,
    ) -> Self {
        Self { rest, request, options: O::default(), decode: DecodeOptions::default(), encode, read }
    }
}

impl<T, O> ApiRequest<T, O> {
    /// All options at once. Those that were set before would be lost: then nothing is sent, and the error is
    /// [`RequestError::OptionsReplaced`]. Those that are set after this are added.
    pub fn options(mut self, options: O) -> Self
    where
        O: Default + PartialEq,
    {
        if self.options != O::default() {
            self.request = self.request.refuse(RequestError::OptionsReplaced);
        }
        self.options = options;
        self
    }

    /// How long the request may take as a whole, retries included. Default: what the client says. Zero: no limit.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.map_request(|request| request.timeout(timeout))
    }

    /// Changes what no option does: headers, retries, who hears warnings.
    pub fn map_request(mut self, change: impl FnOnce(Request) -> Request) -> Self {
        self.request = change(self.request);
        self
    }

    /// The request as plain data, options included.
    pub fn into_request(self) -> Request {
        (self.encode)(self.request, &self.options)
    }

    /// Sends it: what `.await` does, as a future to pass on.
    pub fn send(self) -> Reply<T> {
        let request = (self.encode)(self.request, &self.options);
        (self.read)(self.rest, request, self.decode)
    }
}

macro_rules! decoded {
    ($($answer:ident),*) => {$(
        impl<K, O> ApiRequest<$answer<K>, O> {
            /// How objects are decoded: without managed fields, through a pool.
            pub fn decode(mut self, decode: DecodeOptions) -> Self {
                self.decode = decode;
                self
            }
        }
    )*};
}

decoded!(Listed, ListStream, Watch);

impl<T, O> IntoFuture for ApiRequest<T, O> {
    type Output = Result<T, Error>;
    type IntoFuture = Reply<T>;

    fn into_future(self) -> Reply<T> {
        self.send()
    }
}

impl<T, O: fmt::Debug> fmt::Debug for ApiRequest<T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (request, options) = (&self.request, &self.options);
        f.debug_struct("ApiRequest")
            .field("request", request)
            .field("options", options)
            .finish_non_exhaustive()
    }
}

/// Options that are parameters.
pub(crate) fn params<O: Message>(request: Request, options: &O) -> Request {
    request.options(options)
}

pub(crate) fn object<K: Payload>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<K> {
    Box::pin(async move { rest.send(request).await })
}

/// The object that was made. A server that answers with nothing but a success (to a `Binding`) took the one that was sent.
pub(crate) fn created<K: Payload>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<K> {
    Box::pin(async move {
        let sent = request.body_source().clone();
        let read = |format: Format, bytes: &[u8]| {
            let sent = if is_status(format, bytes)? { sent.encoded(format) } else { Vec::new() };
            K::decode(format, if sent.is_empty() { bytes } else { &sent }, &mut Decoding::new())
        };
        rest.send_read::<K, _>(request, read).await
    })
}

pub(crate) fn deleted<K: Payload>(
    rest: RestClient,
    request: Request,
    _: DecodeOptions,
) -> Reply<DeleteResponse<K>> {
    Box::pin(async move { rest.send_read::<K, _>(request, delete_response::object).await })
}

pub(crate) fn deleted_collection<K: Payload>(
    rest: RestClient,
    request: Request,
    _: DecodeOptions,
) -> Reply<DeleteResponse<Listed<K>>> {
    Box::pin(async move { rest.send_read::<K, _>(request, delete_response::collection).await })
}

pub(crate) fn list<K: Payload>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<Listed<K>> {
    Box::pin(async move { rest.list_stream(request, decode).await?.collect().await })
}

pub(crate) fn list_stream<K: Payload>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<ListStream<K>> {
    Box::pin(async move { rest.list_stream(request, decode).await })
}

pub(crate) fn watch<K: Payload>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<Watch<K>> {
    Box::pin(async move { rest.watch(request, decode).await })
}

pub(crate) fn raw(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<RawResponse> {
    Box::pin(async move { rest.send_raw(request).await })
}
