//! A request of a handle, before it is sent.

use std::fmt;
use std::future::IntoFuture;
use std::time::Duration;

use client_rs_machinery::meta::v1::{ApplyOptions, UpdateOptions};
use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use client_rs_machinery::{ApiError, Object};
use futures_core::future::BoxFuture;

use super::delete_response::{self, DeleteResponse};
use crate::rest::{SendUnchanged, is_status};
use crate::{
    DecodeOptions, Error, ListStream, Listed, RawResponse, Request, RequestError, RestClient, Watch,
};

/// The future of an [`ApiRequest`]. Dropping it cancels the request; the server may have acted on it by then.
pub type Reply<T> = BoxFuture<'static, Result<T, Error>>;

/// A request of a handle with its options. `.await` sends it, and nothing is sent before that.
///
/// `T` is the type of the result. `O` is the type of the options, mostly one of `meta/v1`. Set options one by one with the methods
/// below, or all at once with [`options`](Self::options). Which methods exist depends on `O`: a `get` has no `limit`.
///
/// An invalid name or namespace is reported when the request is sent, as [`Error::Request`]. No network traffic happens then.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use std::time::Duration;
/// # use client_rs_api::core::v1::Pod;
/// # use client_rs_client::{Api, testing::Canned};
/// # let server = Canned::new().on("GET /api/v1/namespaces/a/pods", r#"{"items": []}"#);
/// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
/// let request = pods.list().field_selector("status.phase=Running").limit(50).timeout(Duration::from_secs(5));
/// assert!(server.calls().is_empty());
/// request.await?;
/// assert_eq!(
///     server.calls(),
///     ["GET /api/v1/namespaces/a/pods?fieldSelector=status.phase%3DRunning&limit=50&timeout=5s"],
/// );
/// # Ok(())
/// # }
/// ```
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
    /// Sets all options at once. Call it before the methods that set a single option; those then change the given options.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, Error, RequestError, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/pods", r#"{"items": []}"#);
    /// # let pods = Api::<Pod, _>::all(&server.client());
    /// use client_rs_machinery::meta::v1::ListOptions;
    ///
    /// let options = ListOptions { limit: 10, ..ListOptions::EMPTY };
    /// pods.list().options(options.clone()).label_selector("app").await?;
    /// assert_eq!(server.calls(), ["GET /api/v1/pods?labelSelector=app&limit=10"]);
    /// // In the other order the selector would be lost, so nothing is sent.
    /// let error = pods.list().label_selector("app").options(options).await.unwrap_err();
    /// assert!(matches!(error, Error::Request(RequestError::OptionsReplaced)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Sending fails with [`RequestError::OptionsReplaced`] if an option was set before.
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

    /// Limits how long the request may take in total, retries included. Default: the client's timeout. Zero: no limit.
    ///
    /// The server gets the limit too. A request that exceeds it ends with an error whose
    /// [`is_timeout`](Error::is_timeout) is true.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "a");
    /// let request = pods.get("web").timeout(Duration::from_millis(1500)).into_request();
    /// assert!(request.path_and_query("").unwrap().ends_with("?timeout=1.5s"));
    /// ```
    pub fn timeout(self, timeout: Duration) -> Self {
        self.map_request(|request| request.timeout(timeout))
    }

    /// Changes the underlying [`Request`]: for headers, the number of retries, impersonation, or the handler of warnings.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().fail("GET /api/v1/namespaces/a/pods/web", 500, "InternalError");
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let request = pods.get("web").map_request(|request| {
    ///     request.header(http::header::HeaderName::from_static("x-trace"), "42").max_retries(0)
    /// });
    /// assert!(request.await.unwrap_err().is_internal_error());
    /// assert_eq!(server.received()[0].headers()["x-trace"], "42");
    /// # Ok(())
    /// # }
    /// ```
    pub fn map_request(mut self, change: impl FnOnce(Request) -> Request) -> Self {
        self.request = change(self.request);
        self
    }

    /// Asks the server to leave out `metadata.managedFields`; see [`Request::without_managed_fields`].
    pub fn without_managed_fields(self) -> Self {
        self.map_request(Request::without_managed_fields)
    }

    /// Returns the request as plain data, with the options in it. Nothing is sent.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Event;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let events = Api::<Event, _>::all(&Canned::new().client());
    /// let request = events.list().field_selector("type=Warning").into_request();
    /// assert_eq!(request.path_and_query("/").unwrap(), "/api/v1/events?fieldSelector=type%3DWarning");
    /// ```
    pub fn into_request(self) -> Request {
        (self.encode)(self.request, &self.options)
    }

    /// Sends the request. `.await` does the same; `send` returns a future with a name, which can be stored or spawned.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/a/pods/x", r#"{"metadata": {"name": "x"}}"#);
    /// # let pods = Api::<Pod>::namespaced(&server.client(), "a");
    /// let task = tokio::spawn(pods.get("x").send());
    /// assert_eq!(task.await??.metadata.name, "x");
    /// # Ok(())
    /// # }
    /// ```
    pub fn send(self) -> Reply<T> {
        let request = (self.encode)(self.request, &self.options);
        (self.read)(self.rest, request, self.decode)
    }
}

macro_rules! suppressible {
    ($($options:ident),*) => {$(
        impl<T> ApiRequest<T, $options> {
            /// Sends the request even if it changes nothing.
            ///
            /// In a run of a controller, a write that would change nothing is not sent, and the result is the object from the
            /// cache: an update to exactly the object that the cache has, or the last apply once more while the cache has the
            /// version that it returned, for an hour. Send it nevertheless if the request itself matters: to have admission look at
            /// the object again, or to learn of a conflict.
            ///
            /// A storage migrator needs it on every update: it writes each object unchanged, and the server then stores it in the
            /// current version and with the current encryption key. Nothing in the cached object shows that this is due.
            ///
            /// ```
            /// # use client_rs_api::core::v1::ConfigMap;
            /// # use client_rs_client::{Api, testing::Canned};
            /// # #[tokio::main(flavor = "current_thread")]
            /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
            /// # let map = r#"{"kind": "ConfigMap", "metadata": {"name": "a", "resourceVersion": "7"}}"#;
            /// # let server = Canned::new()
            /// #     .on("GET /api/v1/namespaces/b/configmaps/a", map)
            /// #     .on("PUT /api/v1/namespaces/b/configmaps/a", map);
            /// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "b");
            /// let map = maps.get("a").await?;
            /// maps.update(map).send_unchanged().await?;
            /// # Ok(())
            /// # }
            /// ```
            pub fn send_unchanged(self) -> Self {
                self.map_request(|request| request.extension(SendUnchanged))
            }
        }
    )*};
}

suppressible!(ApplyOptions, UpdateOptions);

macro_rules! decoded {
    ($($answer:ident),*) => {$(
        impl<K, O> ApiRequest<$answer<K>, O> {
            /// Sets how objects are decoded: without managed fields, or with a pool that shares equal strings.
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

/// Encodes options as query parameters.
pub(crate) fn params<O: Message>(request: Request, options: &O) -> Request {
    if options == O::static_default() { request } else { request.options(options) }
}

pub(crate) fn object<K: Payload>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<K> {
    Box::pin(async move { rest.send(request).await })
}

/// Reads an object that may not exist.
pub(crate) fn optional<K: Payload>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<Option<K>> {
    Box::pin(async move {
        match rest.send(request).await {
            Ok(object) => Ok(Some(object)),
            Err(error)
                if error.is_not_found() && !error.api().is_some_and(ApiError::is_resource_not_found) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    })
}

/// Sends a write and reads the object, unless the write would change nothing.
pub(crate) fn written<K: Payload + Object>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<K> {
    Box::pin(async move {
        let mut request = rest.filled(request);
        match rest.unchanged(&mut request) {
            Some(object) => Ok(object),
            None => rest.send_object(request).await,
        }
    })
}

/// As [`written`], for a part of an object, which may be no object.
pub(crate) fn written_part<T: Payload>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<T> {
    Box::pin(async move {
        let mut request = rest.filled(request);
        match rest.unchanged(&mut request) {
            Some(part) => Ok(part),
            None => rest.send(request).await,
        }
    })
}

/// Reads the created object. If the server answers with a successful `Status` only (to a `Binding`), that is the object that was
/// sent.
pub(crate) fn created<K: Payload + Object>(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<K> {
    Box::pin(async move {
        let sent = request.body_source().clone();
        let read = |format: Format, bytes: &[u8]| {
            let sent = if is_status(format, bytes)? { sent.encoded(format) } else { Vec::new() };
            let received = if sent.is_empty() { bytes } else { &sent };
            let object = K::decode(format, received, &mut Decoding::new())?;
            Ok(Created { object, is_received: sent.is_empty() })
        };
        let received = rest.send_read::<K, Created<K>>(request, read, |created| {
            created.is_received.then_some(&created.object as &dyn Object)
        });
        received.await.map(|created| created.object)
    })
}

/// An object, and whether it is the response of the server.
struct Created<K> {
    object: K,
    is_received: bool,
}

pub(crate) fn deleted<K: Payload>(
    rest: RestClient,
    request: Request,
    _: DecodeOptions,
) -> Reply<DeleteResponse<K>> {
    Box::pin(async move { rest.send_read::<K, _>(request, delete_response::object, |_| None).await })
}

pub(crate) fn deleted_collection<K: Payload>(
    rest: RestClient,
    request: Request,
    _: DecodeOptions,
) -> Reply<DeleteResponse<Listed<K>>> {
    Box::pin(async move { rest.send_read::<K, _>(request, delete_response::collection, |_| None).await })
}

pub(crate) fn list<K: Payload>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<Listed<K>> {
    Box::pin(async move { rest.list_stream_with(request, decode).await?.collect().await })
}

pub(crate) fn list_stream<K: Payload>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<ListStream<K>> {
    Box::pin(async move { rest.list_stream_with(request, decode).await })
}

pub(crate) fn watch<K: Payload>(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<Watch<K>> {
    Box::pin(async move { rest.watch_with(request, decode).await })
}

pub(crate) fn raw(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<RawResponse> {
    Box::pin(async move { rest.send_raw(request).await })
}
