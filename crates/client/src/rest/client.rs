//! The REST client.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::wire::{DecodeError, Format, Payload};
use client_rs_machinery::{GroupResource, Object, Str, WriteLog};
use client_rs_transport::http::{Body, Transport};
use futures_core::future::BoxFuture;
use http::{HeaderValue, Uri};

use super::body::{self, Unread};
use super::deadline::Deadline;
use super::execute::Answer;
use super::last_applies::LastApplies;
use super::list::{ListStream, Listed};
use super::pending_write::PendingWrite;
use super::policy::Mode;
use super::response::{self, RawResponse};
use super::url_backoff::UrlBackoff;
use super::watch::{DecodeOptions, Watch};
use crate::flow_control::RequestRateLimiter;
use crate::metrics::{NoRequestMetrics, RequestMetrics};
use crate::warning::{LogWarnings, WarningHandler};
use crate::write_defaults::WriteDefaults;
use crate::write_gate::{Both, WriteGate};
use crate::{Error, Request, RequestError};

client_rs_machinery::options! {
    /// The settings of a [`RestClient`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::time::Duration;
    /// use client_rs_client::RestClientOptions;
    /// use client_rs_client::flow_control::TokenBucketLimiter;
    ///
    /// let options = RestClientOptions::default()
    ///     .with_user_agent("inventory/2.1")
    ///     .with_timeout(Duration::from_secs(30))
    ///     .with_limiter(Arc::new(TokenBucketLimiter::new(50.0, 100)));
    /// assert!(options.limiter.is_some_and(|limiter| limiter.try_acquire()));
    /// ```
    #[derive(Clone, Debug)]
    pub struct RestClientOptions {
        /// Limits the rate of requests. Default: `None`, and the server's API Priority and Fairness decides;
        /// [`Config::qps`](client_rs_transport::Config::qps) explains why.
        pub limiter: Option<Arc<dyn RequestRateLimiter>> => with_limiter,
        /// Receives the warnings of the server. Default: they are logged.
        pub warnings: Arc<dyn WarningHandler> => with_warnings,
        /// Receives metrics of requests. Default: none.
        pub metrics: Arc<dyn RequestMetrics> => with_metrics,
        /// The `User-Agent` header. Default: `client-rs`.
        pub user_agent: String => with_user_agent,
        /// The media types to request. Default: protobuf, then JSON, if the type supports both.
        pub accept: Option<String> => with_accept,
        /// The media type of request bodies. Default: the preferred one of the type.
        pub content_type: Option<String> => with_content_type,
        /// The time limit of a whole call, including retries and the response body; it also applies to watches. Default: none.
        pub timeout: Option<Duration> => with_timeout,
        /// The longest time without progress: until the head of a response arrives, and then until the next bytes of its body. For
        /// a watch, it covers only the head. It does not apply to responses that are returned as a stream of bytes (a log, a
        /// proxied response). `None` means no limit. Default: 5 minutes, longer than any server works on a request.
        pub progress_timeout: Option<Duration> => with_progress_timeout,
        /// The largest response that is held in memory as a whole, in bytes. Lists and watches are decoded while they arrive, and
        /// have their own limits. Default: 512 MiB.
        pub max_answer_bytes: usize => with_max_answer_bytes,
        /// Delays requests to an overloaded server. Default: none, unless the environment sets `KUBE_CLIENT_BACKOFF_BASE` and
        /// `KUBE_CLIENT_BACKOFF_DURATION`.
        pub url_backoff: Option<UrlBackoff> => with_url_backoff,
        /// Identifies the server. Clients with the same identity see the same objects with the same versions, so that a
        /// controller can compare what one of them wrote with what a cache of the other one has. Default: none, and only clones
        /// of this client are known to have the same server. [`RestClientOptions::from_config`] sets the server's URL,
        /// with the TLS server name and the proxy of the config: set it yourself for clients that reach one server in different ways.
        pub server_id: Option<Str> => with_server_id,
    }
}

impl Default for RestClientOptions {
    fn default() -> Self {
        Self {
            limiter: None,
            warnings: Arc::new(LogWarnings),
            metrics: Arc::new(NoRequestMetrics),
            user_agent: "client-rs".to_owned(),
            accept: None,
            content_type: None,
            timeout: None,
            progress_timeout: Some(Duration::from_mins(5)),
            max_answer_bytes: 512 * 1024 * 1024,
            url_backoff: UrlBackoff::from_env(|name| std::env::var(name).ok()),
            server_id: None,
        }
    }
}

/// Sends [`Request`]s to one API server, and decodes the responses. It is cheap to clone; clones share connections and the
/// rate limit.
///
/// Use it directly for paths without a type (`/healthz`, `/metrics`), for full control over a request, or below your own
/// abstraction. For objects of one kind, [`Api`](crate::Api) is shorter. For kinds that are known only at run time, use
/// [`DynamicClient`](crate::DynamicClient).
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::Request;
/// # use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// # let server = Canned::new().on("GET /api/v1/namespaces/default/pods/web", r#"{"metadata": {"name": "web"}}"#);
/// # let client = server.client();
/// // let client = RestClient::from_config(&Config::infer()?)?;
/// let request = Request::get().of::<Pod>().namespace("default").name("web");
/// let pod: Pod = client.send(request).await?;
/// assert_eq!(pod.metadata.name, "web");
/// # Ok(())
/// # }
/// ```
///
/// - **Cancellation.** Nothing runs unless it is polled. Dropping a future, a watch or a stream cancels its request. It is
///   unknown whether the server has processed a cancelled request.
/// - **Retries.** A request is sent again, up to its [`max_retries`](Request::max_retries), only if that is safe: after 429 with
///   `Retry-After` for every method; after 5xx with `Retry-After` unless it creates or patches; after a lost connection if it
///   reads. So a create that the server may have processed is never repeated.
/// - **Write gate.** A client with a [write gate](Self::with_write_gate) starts no write while the gate is closed.
/// - **Rate limit.** Each attempt waits for the client's rate limit, if it has one, except the first attempt of a watch.
/// - **Errors.** See [`Error`]: its methods classify responses of the server, lost connections and timeouts.
#[derive(Clone, Debug)]
pub struct RestClient(
    pub(super) Arc<Inner>,
    pub(super) Option<Arc<dyn WriteGate>>,
    pub(super) Option<Arc<WriteDefaults>>,
);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) transport: Transport,
    /// `https://host:port`.
    pub(super) origin: String,
    /// The URL of the server without a path.
    pub(super) server: Uri,
    /// The label of the server in metrics.
    pub(super) host: String,
    /// The base path of the API.
    pub(super) base: String,
    pub(super) user_agent: HeaderValue,
    pub(super) options: RestClientOptions,
    /// Resources whose server has refused protobuf.
    json_only: Arc<Mutex<HashSet<GroupResource>>>,
    pub(super) writes: WriteLog,
    pub(super) applies: Arc<LastApplies>,
}

/// Lets functions accept a client by value or by reference.
impl From<&Self> for RestClient {
    fn from(client: &Self) -> Self {
        client.clone()
    }
}

impl RestClient {
    /// A client for the server at this URL. The path of the URL, if it has one, is the prefix of every request.
    ///
    /// Most programs use [`from_config`](Self::from_config) instead. Use this with a transport of your own, such as a server in
    /// the same process: see [`Transport::from_service`].
    ///
    /// ```
    /// use client_rs_client::{Request, RestClient, testing::Canned};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Canned::new().on("GET /clusters/dev/version", r#"{"major": "1"}"#);
    /// let client = RestClient::new(&"https://k8s.example/clusters/dev".parse()?, server.transport())?;
    /// assert_eq!(client.base_path(), "/clusters/dev");
    /// client.send_raw(Request::get().abs_path(["version"])).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(server: &Uri, transport: Transport) -> Result<Self, Error> {
        Self::with_options(server, transport, RestClientOptions::default())
    }

    /// Like [`new`](Self::new), with options.
    pub fn with_options(
        server: &Uri,
        transport: Transport,
        options: RestClientOptions,
    ) -> Result<Self, Error> {
        let url = |why: &str| Error::Request(RequestError::Url(why.to_owned()));
        let scheme = server.scheme_str().ok_or_else(|| url("the server's URL has no scheme"))?;
        let authority = server.authority().ok_or_else(|| url("the server's URL has no host"))?;
        let user_agent = HeaderValue::from_str(&options.user_agent)
            .map_err(|_| RequestError::Header(http::header::USER_AGENT))?;
        // A name and a password in the URL are secret, and are not sent to the server.
        let host = authority.as_str().rsplit_once('@').map_or(authority.as_str(), |(_, host)| host);
        let writes = WriteLog::new(options.server_id.clone());
        let origin = format!("{scheme}://{host}");
        let base = server.path().trim_end_matches('/').to_owned();
        let server = Uri::try_from(&origin).map_err(|error| url(&error.to_string()))?;
        let inner = Inner {
            transport,
            writes,
            applies: Arc::default(),
            origin,
            server,
            host: host.to_owned(),
            base,
            user_agent,
            options,
            json_only: Arc::default(),
        };
        Ok(Self(Arc::new(inner), None, None))
    }

    /// Returns a client that starts writes only while a gate is open: for example, those of a leader only during its term.
    ///
    /// - A write is any request that is not GET, HEAD or OPTIONS, and any that switches protocols (exec, attach, port-forward).
    ///   So reviews such as `SubjectAccessReview` count as writes too. Reads are never refused.
    /// - The gate is checked after every wait (rate limit, backoff, a connection), directly before an attempt is passed to the
    ///   transport. If the gate closes while a write is in flight, the write is cancelled at that moment.
    /// - A refused write fails with [`Error::WriteRefused`], and is not retried.
    /// - Not promised: a request on the network can't be recalled, and a process can be paused between the check and the send.
    ///   If that matters, the receiver of the write must compare a fencing token. Data on a connection that has switched
    ///   protocols is not checked, and neither are requests sent through [`transport`](Self::transport).
    ///
    /// Both clients share connections and the rate limit. If this client already has a gate, both gates must be open.
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_client::{Request, WriteGate, WriteRefused, testing::Canned};
    ///
    /// #[derive(Debug)]
    /// struct Standby;
    ///
    /// impl WriteGate for Standby {
    ///     fn permit(&self) -> Result<Duration, WriteRefused> {
    ///         Err(WriteRefused::new("this replica is a standby"))
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// let server = Canned::new().on("GET /api/v1/nodes", r#"{"items": []}"#);
    /// let client = server.client().with_write_gate(Standby);
    /// client.send_raw(Request::get().api("", "v1").resource("nodes")).await?;
    /// let error = client.send_raw(Request::delete().api("", "v1").resource("nodes").name("a")).await.unwrap_err();
    /// assert!(error.is_write_refused());
    /// assert_eq!(server.calls(), ["GET /api/v1/nodes"], "the write was not sent");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_write_gate(&self, gate: impl WriteGate) -> Self {
        let gate: Arc<dyn WriteGate> = Arc::new(gate);
        let gate = match &self.1 {
            Some(own) => Arc::new(Both(Arc::clone(own), gate)),
            None => gate,
        };
        Self(Arc::clone(&self.0), Some(gate), self.2.clone())
    }

    /// Returns this client without its [write gate](Self::with_write_gate).
    #[must_use]
    pub fn without_write_gate(&self) -> Self {
        Self(Arc::clone(&self.0), None, self.2.clone())
    }

    /// Returns a client whose requests wait neither for the [rate limit](RestClientOptions::limiter) nor for
    /// [`url_backoff`](RestClientOptions::url_backoff). Use it for requests that must not queue behind others, such as the
    /// renewals of a Lease. Both clients share connections.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use client_rs_client::flow_control::NeverLimiter;
    /// # use client_rs_client::{Request, RestClientOptions, testing::Canned};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let server = Canned::new().on("GET /livez", "{}");
    /// let limited = server.client_with(RestClientOptions::default().with_limiter(Arc::new(NeverLimiter)));
    /// assert!(limited.send_raw(Request::get().abs_path(["livez"])).await.is_err());
    /// limited.without_rate_limit().send_raw(Request::get().abs_path(["livez"])).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn without_rate_limit(&self) -> Self {
        let Inner { transport, origin, server, host, base, user_agent, options, json_only, writes, applies } =
            &*self.0;
        let inner = Inner {
            writes: writes.clone(),
            applies: Arc::clone(applies),
            transport: transport.clone(),
            origin: origin.clone(),
            server: server.clone(),
            host: host.clone(),
            base: base.clone(),
            user_agent: user_agent.clone(),
            options: RestClientOptions { limiter: None, url_backoff: None, ..options.clone() },
            json_only: Arc::clone(json_only),
        };
        Self(Arc::new(inner), self.1.clone(), self.2.clone())
    }

    /// Returns a client whose writes are dry runs: the server checks and admits them, returns what the object would be, and keeps
    /// nothing.
    ///
    /// It covers creates, updates, patches, applies and deletions of objects and their subresources, through every handle that is
    /// made over it. A deletion whose body is not `DeleteOptions` in JSON is refused ([`RequestError::NoDryRun`]). It does not cover
    /// connections to pods (exec, proxy), nor requests for other paths.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let server = Canned::new().echo("PUT /api/v1/namespaces/shop/pods/web");
    /// # let mut pod = Pod::default();
    /// # pod.metadata.name = "web".into();
    /// let pods = Api::<Pod>::namespaced(&server.client().with_dry_run(), "shop");
    /// pods.update(pod).await?;
    /// assert_eq!(server.calls(), ["PUT /api/v1/namespaces/shop/pods/web?dryRun=All"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_dry_run(&self) -> Self {
        self.with_defaults(|defaults| defaults.dry_run = true)
    }

    /// Returns a client whose writes name a field manager, unless a request names another one. An apply always does.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let server = Canned::new().echo("POST /api/v1/namespaces/shop/pods");
    /// let rest = server.client().with_field_manager("shop-operator");
    /// Api::<Pod>::namespaced(&rest, "shop").create(Pod::default()).await?;
    /// Api::<Pod>::namespaced(&rest, "shop").create(Pod::default()).field_manager("other").await?;
    /// assert_eq!(server.calls(), [
    ///     "POST /api/v1/namespaces/shop/pods?fieldManager=shop-operator",
    ///     "POST /api/v1/namespaces/shop/pods?fieldManager=other",
    /// ]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_field_manager(&self, manager: impl Into<Str>) -> Self {
        let manager = manager.into();
        self.with_defaults(|defaults| defaults.field_manager = Some(manager).filter(|name| !name.is_empty()))
    }

    pub(crate) fn with_defaults(&self, change: impl FnOnce(&mut WriteDefaults)) -> Self {
        let mut defaults = self.2.as_deref().cloned().unwrap_or_default();
        change(&mut defaults);
        Self(Arc::clone(&self.0), self.1.clone(), Some(Arc::new(defaults)))
    }

    /// The request with the parameters that this client adds to writes.
    pub(crate) fn filled(&self, request: Request) -> Request {
        match &self.2 {
            Some(defaults) => defaults.fill(request),
            None => request,
        }
    }

    /// The log of the writes of this client and its clones. See
    /// [`observe_writes`](crate::observe_writes) for the writes of one task.
    pub fn write_log(&self) -> &WriteLog {
        &self.0.writes
    }

    /// The transport of this client.
    pub fn transport(&self) -> &Transport {
        &self.0.transport
    }

    /// The URL that a request is sent to, with all its parameters.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Request, testing::Canned};
    /// # let client = Canned::new().client();
    /// let request = Request::get().of::<Pod>().namespace("default").param("limit", "5");
    /// assert_eq!(client.url(&request)?, "https://k8s.example/api/v1/namespaces/default/pods?limit=5");
    /// # Ok::<(), client_rs_client::RequestError>(())
    /// ```
    pub fn url(&self, request: &Request) -> Result<String, RequestError> {
        Ok(format!("{}{}", self.0.origin, request.path_and_query(&self.0.base)?))
    }

    /// The prefix of all request paths; empty if there is none.
    pub fn base_path(&self) -> &str {
        &self.0.base
    }

    /// Sends a request and decodes the response as one object.
    ///
    /// See [`RestClient`] for an example. A `Status` with a failure in a successful response is an error too.
    pub async fn send<K: Payload>(&self, request: Request) -> Result<K, Error> {
        let Formatted { body, format, call, pending } = self.formatted(self.typed::<K>(request)).await?;
        report(pending, None, format, &body);
        response::decode(format, &body, &call)
    }

    /// As [`send`](Self::send), for objects: observers of writes get the decoded object.
    pub(crate) async fn send_object<K: Payload + Object>(&self, request: Request) -> Result<K, Error> {
        let Formatted { body, format, call, pending } = self.formatted(self.typed::<K>(request)).await?;
        let object = response::decode::<K>(format, &body, &call);
        report(pending, object.as_ref().ok().map(|object| object as &dyn Object), format, &body);
        object
    }

    /// Sends a request and decodes the response with `read`; `K` selects the formats to request. A `Status` with a failure is
    /// an error. Observers of writes get the object that `written` returns, else what the response shows.
    pub(crate) async fn send_read<K: Payload, T>(
        &self,
        request: Request,
        read: impl FnOnce(Format, &[u8]) -> Result<T, DecodeError>,
        written: impl FnOnce(&T) -> Option<&dyn Object>,
    ) -> Result<T, Error> {
        let Formatted { body, format, call, pending } = self.formatted(self.typed::<K>(request)).await?;
        let outcome = if body.is_empty() {
            Err(Error::Empty { call })
        } else if let Some(error) = response::failure(format, &body) {
            Err(Error::Api { call, error: error.into() })
        } else {
            read(format, &body).map_err(|error| Error::Decode { call, error })
        };
        report(pending, outcome.as_ref().ok().and_then(written), format, &body);
        outcome
    }

    /// The whole response and its format. Boxed, so that this crate compiles it, and not each caller's.
    pub(super) fn formatted(&self, request: Request) -> BoxFuture<'_, Result<Formatted, Error>> {
        Box::pin(async move {
            let (raw, call, request, pending) = self.whole(request).await?;
            if let Some(format) = Self::format_of(raw.content_type(), &request) {
                return Ok(Formatted { body: raw.body, format, call, pending });
            }
            if let Some(pending) = pending {
                pending.answered(None, &raw.body);
            }
            Err(Error::ContentType { call, content_type: raw.content_type().to_owned() })
        })
    }

    /// The whole response, boxed as [`formatted`](Self::formatted) is.
    fn unformatted(&self, request: Request) -> BoxFuture<'_, Result<RawResponse, Error>> {
        Box::pin(async move {
            let (raw, _, request, pending) = self.whole(request).await?;
            if let Some(pending) = pending {
                pending.answered(Self::format_of(raw.content_type(), &request), &raw.body);
            }
            Ok(raw)
        })
    }

    /// Sends a request and collects the response as a list. An item that can't be decoded fails the whole list.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::{Request, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let list = r#"{"kind": "PodList", "metadata": {"resourceVersion": "7"}, "items": [{"metadata": {"name": "a"}}]}"#;
    /// # let client = Canned::new().on("GET /api/v1/pods", list).client();
    /// let pods = client.send_list::<Pod>(Request::get().of::<Pod>()).await?;
    /// assert_eq!(pods.items[0].metadata.name, "a");
    /// assert_eq!(pods.metadata.resource_version, "7");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn send_list<K: Payload>(&self, request: Request) -> Result<Listed<K>, Error> {
        let list = self.list_stream(request).await?;
        list.collect().await
    }

    /// Sends a request and returns the items of the list while they arrive. Memory holds one item and the data that the
    /// connection has read ahead. See [`ListStream`] for an example.
    pub async fn list_stream<K: Payload>(&self, request: Request) -> Result<ListStream<K>, Error> {
        self.list_stream_with(request, DecodeOptions::default()).await
    }

    /// Like [`list_stream`](Self::list_stream), with options.
    pub async fn list_stream_with<K: Payload>(
        &self,
        request: Request,
        options: DecodeOptions,
    ) -> Result<ListStream<K>, Error> {
        let request = self.typed::<K>(request);
        let mut answer = self.head(&request, Mode::Call).await?;
        let format = Self::answer_format(&answer, &request)?;
        // The stream applies the deadline itself: items that arrived in time are returned before the error.
        let patience = self.0.options.progress_timeout;
        answer.response = answer.response.map(|body| body::timed(body, Deadline::after(None), patience));
        Ok(ListStream::new(answer, format, options))
    }

    /// Sends a request and returns the whole response without decoding it. An error status is an error.
    ///
    /// ```
    /// # use client_rs_client::{Request, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// # let healthy = http::Response::builder().header("content-type", "text/plain").body("ok").unwrap();
    /// # let client = Canned::new().respond("GET /readyz", healthy).client();
    /// let response = client.send_raw(Request::get().abs_path(["readyz"])).await?;
    /// assert_eq!(response.body, "ok");
    /// # Ok(())
    /// # }
    /// ```
    pub async fn send_raw(&self, request: Request) -> Result<RawResponse, Error> {
        self.unformatted(request).await
    }

    /// Sends a request and returns the body of the response while it arrives, such as a container's log. An error status is an
    /// error. The reader applies backpressure: a slow reader slows the server.
    ///
    /// ```
    /// use http_body_util::BodyExt as _;
    /// # use client_rs_client::{Request, testing::Canned};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let metrics = http::Response::builder().header("content-type", "text/plain").body("up 1\n").unwrap();
    /// # let client = Canned::new().respond("GET /metrics", metrics).client();
    /// let mut body = client.send_stream(Request::get().abs_path(["metrics"])).await?;
    /// while let Some(frame) = body.frame().await.transpose()? {
    ///     if let Ok(bytes) = frame.into_data() {
    ///         assert_eq!(bytes, "up 1\n");
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn send_stream(&self, request: Request) -> Result<Body, Error> {
        let answer = self.head(&request, Mode::Stream).await?;
        Ok(body::timed(answer.response.into_body(), answer.deadline, None))
    }

    /// The response while it arrives, with any status. `limit` replaces the time limits of the request and of the client.
    pub(crate) async fn send_through(
        &self,
        request: &Request,
        limit: Option<Duration>,
    ) -> Result<Answer, Error> {
        request.check()?;
        let deadline = match limit {
            Some(limit) => Deadline::after(Some(limit)),
            None => self.deadline(request, Mode::Stream),
        };
        let mut answer = self.execute(request, Mode::Stream, deadline).await?;
        answer.response = answer.response.map(|body| body::timed(body, deadline, None));
        Ok(answer)
    }

    /// Starts a watch. The request must be one for a watch: see
    /// [`ListOptions::watch`](client_rs_machinery::meta::v1::ListOptions). See [`Watch`] for an example.
    ///
    /// If the request limits the time of the watch (`timeoutSeconds`), the client ends the watch 30 s after that time. This
    /// detects dead connections, including those of HTTP/1.1.
    ///
    /// If the connection can't be opened after all retries, the result is a watch that has already ended.
    pub async fn watch<K: Payload>(&self, request: Request) -> Result<Watch<K>, Error> {
        self.watch_with(request, DecodeOptions::default()).await
    }

    /// Like [`watch`](Self::watch), with options.
    pub async fn watch_with<K: Payload>(
        &self,
        request: Request,
        options: DecodeOptions,
    ) -> Result<Watch<K>, Error> {
        let request = self.typed::<K>(request);
        let answer = match self.head(&request, Mode::Watch).await {
            Ok(answer) => answer,
            Err(Error::Transport { error, call, .. }) if error.is_connection_lost() || error.is_timeout() => {
                return Ok(Watch::ended(call, error));
            }
            Err(error) => return Err(error),
        };
        let format = Self::answer_format(&answer, &request)?;
        Ok(Watch::new(answer, format, options))
    }

    /// The whole response, the request that was sent, and the write, if somebody observes it. Observers are notified of a failure;
    /// the caller notifies them of the response.
    async fn whole(
        &self,
        request: Request,
    ) -> Result<(RawResponse, crate::Call, Request, Option<PendingWrite>), Error> {
        let request = self.filled(request);
        let pending = PendingWrite::begin(&self.0.writes, &self.0.applies, &request);
        match self.unobserved(request).await {
            Ok((raw, call, request)) => Ok((raw, call, request, pending)),
            Err(error) => {
                if let Some(pending) = pending {
                    pending.failed(&error);
                }
                Err(error)
            }
        }
    }

    /// The whole response, and the request that was sent, which has the client's time limit if it had none.
    async fn unobserved(&self, request: Request) -> Result<(RawResponse, crate::Call, Request), Error> {
        let request = match (request.time_limit(), self.0.options.timeout) {
            (None, Some(timeout)) => request.timeout(timeout),
            _ => request,
        };
        let Answer { response, call, deadline } = self.begin(&request, Mode::Call).await?;
        let (parts, body) = response.into_parts();
        let body = self.read(body, self.0.options.max_answer_bytes, deadline, &call).await?;
        let size = u64::try_from(body.len()).unwrap_or(u64::MAX);
        self.0.options.metrics.response_size(request.verb(), &self.0.host, size);
        Ok((RawResponse { status: parts.status, headers: parts.headers, body }, call, request))
    }

    /// The head of the response, boxed as [`formatted`](Self::formatted) is. An error status becomes an error.
    pub(super) fn head<'a>(
        &'a self,
        request: &'a Request,
        mode: Mode,
    ) -> BoxFuture<'a, Result<Answer, Error>> {
        Box::pin(self.begin(request, mode))
    }

    async fn begin(&self, request: &Request, mode: Mode) -> Result<Answer, Error> {
        let deadline = self.deadline(request, mode);
        let mut answer = self.execute(request, mode, deadline).await?;
        if answer.response.status() == http::StatusCode::UNSUPPORTED_MEDIA_TYPE && self.falls_back(request) {
            // The server did not read the request, so it did not process it.
            answer = Box::pin(self.execute(request, mode, deadline)).await?;
        }
        let status = answer.response.status();
        if response::is_success(status) {
            return Ok(answer);
        }
        let Answer { response, call, .. } = answer;
        let (parts, body) = response.into_parts();
        // If the body breaks off or does not end, the status still counts.
        let body = Box::pin(self.read(body, MAX_REFUSAL, deadline, &call)).await.unwrap_or_default();
        let format = Self::format_of(response::content_type(&parts.headers), request);
        let error = response::refusal(request, status, &parts.headers, &body, format);
        Err(Error::Api { error: response::explained(error, &parts.extensions).into(), call })
    }

    async fn read(
        &self,
        body: Body,
        most: usize,
        deadline: Deadline,
        call: &crate::Call,
    ) -> Result<Bytes, Error> {
        let reading = pin!(body::collect(body, most, self.0.options.progress_timeout));
        let read = deadline.run(reading).await;
        let read = read.map_err(|limit| Error::Timeout { call: call.clone(), limit, previous: None })?;
        read.map_err(|unread| match unread {
            Unread::Lost(error) => Error::Transport { call: call.clone(), error, previous: None },
            Unread::TooLarge => Error::TooLarge { call: call.clone(), limit: most },
        })
    }

    /// Remembers that the server refused protobuf. Returns whether the request was sent in protobuf.
    fn falls_back(&self, request: &Request) -> bool {
        let sent_protobuf = self.content_format(request) == Some(Format::Protobuf)
            || (self.content_format(request).is_none() && request.body_source().prefers(Format::Protobuf));
        let resource = request.group_resource();
        sent_protobuf
            && request.body_source().has(Format::Json)
            && self.0.options.content_type.is_none()
            && self.0.json_only.lock().unwrap_or_else(PoisonError::into_inner).insert(resource)
    }

    /// The configured format of request bodies, if any.
    pub(super) fn content_format(&self, request: &Request) -> Option<Format> {
        let of = |text: &str| Format::from_media_type(text).unwrap_or(Format::Json);
        if let Some(header) = request.own_headers().get(http::header::CONTENT_TYPE) {
            return Some(of(header.to_str().unwrap_or_default()));
        }
        if let Some(content_type) = &self.0.options.content_type {
            return Some(of(content_type));
        }
        let json_only = self.0.json_only.lock().unwrap_or_else(PoisonError::into_inner);
        json_only.contains(&request.group_resource()).then_some(Format::Json)
    }

    fn answer_format(answer: &Answer, request: &Request) -> Result<Format, Error> {
        let content_type = response::content_type(answer.response.headers());
        Self::format_of(content_type, request).ok_or_else(|| Error::ContentType {
            call: answer.call.clone(),
            content_type: content_type.to_owned(),
        })
    }

    /// The format of a response: its content type, else the first requested format.
    fn format_of(content_type: &str, request: &Request) -> Option<Format> {
        if !content_type.is_empty() {
            return Format::from_media_type(content_type);
        }
        let accept = request.own_headers().get(http::header::ACCEPT)?.to_str().ok()?;
        accept.split(',').find_map(Format::from_media_type)
    }

    fn typed<K: Payload>(&self, request: Request) -> Request {
        if request.own_headers().contains_key(http::header::ACCEPT) {
            return request;
        }
        match &self.0.options.accept {
            Some(accept) => request.header(http::header::ACCEPT, accept.as_str()),
            None => request.with_default_accept(K::formats()),
        }
    }

    /// The deadline of a call: the earlier of the request's and the client's limit.
    fn deadline(&self, request: &Request, mode: Mode) -> Deadline {
        let limits = [request.time_limit(), self.0.options.timeout];
        let deadline = Deadline::after(limits.into_iter().flatten().min());
        match mode {
            Mode::Call | Mode::Stream => deadline,
            // The server should have ended the watch: the connection is dead.
            Mode::Watch => {
                deadline.min(Deadline::after(request.watch_limit().map(|limit| limit.saturating_add(GRACE))))
            }
            // Limits only the handshake: the connection itself has no limit.
            Mode::Upgrade => deadline.or(Deadline::after(self.0.options.progress_timeout)),
        }
    }
}

/// A response with its format.
pub(super) struct Formatted {
    body: Bytes,
    format: Format,
    call: crate::Call,
    /// The write, if somebody observes it: not reported yet.
    pending: Option<PendingWrite>,
}

/// Notifies the observers of a write of its response: the object, if it was decoded.
fn report(pending: Option<PendingWrite>, object: Option<&dyn Object>, format: Format, body: &[u8]) {
    match (pending, object) {
        (Some(pending), Some(object)) => pending.answered_with(object, format, body),
        (Some(pending), None) => pending.answered(Some(format), body),
        (None, _) => {}
    }
}

/// The time after its limit at which the client ends a watch that the server has not ended.
const GRACE: Duration = Duration::from_secs(30);

/// The largest error response to read.
const MAX_REFUSAL: usize = 4 * 1024 * 1024;
