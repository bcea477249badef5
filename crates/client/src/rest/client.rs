//! The client.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::GroupResource;
use client_rs_machinery::wire::{DecodeError, Format, Payload};
use client_rs_transport::http::{Body, Transport};
use http::{HeaderValue, Uri};

use super::body::{self, Unread};
use super::deadline::Deadline;
use super::execute::Answer;
use super::list::{ListStream, Listed};
use super::policy::Mode;
use super::response::{self, RawResponse};
use super::url_backoff::UrlBackoff;
use super::watch::{DecodeOptions, Watch};
use crate::flow_control::RequestRateLimiter;
use crate::metrics::{NoRequestMetrics, RequestMetrics};
use crate::warning::{LogWarnings, WarningHandler};
use crate::write_gate::{Both, WriteGate};
use crate::{Error, Request, RequestError};

/// How a [`RestClient`] behaves.
#[derive(Clone, Debug)]
pub struct RestClientOptions {
    /// Who says when a request may go out; `None`: whenever it likes. Default: `None`, and the server's API Priority and
    /// Fairness decides; [`Config::qps`](client_rs_transport::Config::qps) says why.
    pub limiter: Option<Arc<dyn RequestRateLimiter>>,
    /// Who hears the server's warnings. Default: the log.
    pub warnings: Arc<dyn WarningHandler>,
    /// Who hears of requests. Default: nobody.
    pub metrics: Arc<dyn RequestMetrics>,
    /// What the client calls itself. Default: `client-rs`.
    pub user_agent: String,
    /// The media types to ask for. Default: what suits the type: protobuf, then JSON, where it has both.
    pub accept: Option<String>,
    /// The media type to send. Default: what suits the type.
    pub content_type: Option<String>,
    /// How long a request may take as a whole, its retries and its body included; a watch too. Default: no limit.
    pub timeout: Option<Duration>,
    /// How long an answer may come to a halt: until its head is there, and then until the next bytes of its body are. Of a
    /// watch it is the head alone, and of an answer that is passed on as a stream (a log, a backend's) neither. `None`: for
    /// ever. Default: 5 minutes, longer than any server works on a request.
    pub progress_timeout: Option<Duration>,
    /// How many bytes an answer may have that is held in memory as a whole. Lists and watches are read piece by piece,
    /// with limits of their own. Default: 512 MiB.
    pub max_answer_bytes: usize,
    /// A wait before requests to an overloaded server. Default: none, unless the environment sets
    /// `KUBE_CLIENT_BACKOFF_BASE` and `KUBE_CLIENT_BACKOFF_DURATION`.
    pub url_backoff: Option<UrlBackoff>,
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
        }
    }
}

/// Sends [`Request`]s to one API server. Cheap to clone; clones share connections and the rate limit.
///
/// - Nothing runs unless it is polled, and dropping a future, a watch or a stream cancels what it asked for. Whether the
///   server has acted on a request that was cancelled is not known.
/// - A request is tried again, up to its [`max_retries`](Request::max_retries), where that is safe: after 429 with
///   `Retry-After` whatever it is; after 5xx with `Retry-After` unless it creates or patches; after a lost connection if
///   it reads. So a create that may have been carried out is never repeated.
/// - A client with a [write gate](Self::with_write_gate) starts no write while the gate is closed.
/// - Requests wait for the client's own rate limit, if it has one, before each try; the first try of a watch does not.
#[derive(Clone, Debug)]
pub struct RestClient(pub(super) Arc<Inner>, pub(super) Option<Arc<dyn WriteGate>>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) transport: Transport,
    /// `https://host:port`.
    pub(super) origin: String,
    /// What metrics call the server.
    pub(super) host: String,
    /// The path below which the API is.
    pub(super) base: String,
    pub(super) user_agent: HeaderValue,
    pub(super) options: RestClientOptions,
    /// Resources whose server has refused protobuf.
    json_only: Arc<Mutex<HashSet<GroupResource>>>,
}

impl RestClient {
    /// To the server at this URL, whose path, if it has one, stands before every request's.
    ///
    /// A server that is no socket away, such as one in the same process, is a transport too: see
    /// [`Transport::from_service`].
    pub fn new(server: &Uri, transport: Transport, options: RestClientOptions) -> Result<Self, Error> {
        let url = |why: &str| Error::Request(RequestError::Url(why.to_owned()));
        let scheme = server.scheme_str().ok_or_else(|| url("the server's URL has no scheme"))?;
        let authority = server.authority().ok_or_else(|| url("the server's URL has no host"))?;
        let user_agent = HeaderValue::from_str(&options.user_agent)
            .map_err(|_| RequestError::Header(http::header::USER_AGENT))?;
        // A name and a password in the URL are nobody's to see, and not how a server is asked either.
        let host = authority.as_str().rsplit_once('@').map_or(authority.as_str(), |(_, host)| host);
        let inner = Inner {
            transport,
            origin: format!("{scheme}://{host}"),
            host: host.to_owned(),
            base: server.path().trim_end_matches('/').to_owned(),
            user_agent,
            options,
            json_only: Arc::default(),
        };
        Ok(Self(Arc::new(inner), None))
    }

    /// The same client, whose writes start only while a gate is open: those of a leader, for example, only in its term.
    ///
    /// - A write is any request that is not GET, HEAD or OPTIONS, and one that switches protocols (exec, attach,
    ///   port-forward). So reviews such as `SubjectAccessReview` count as writes too. Reads are never refused.
    /// - The gate is asked after every wait (rate limit, backoff, a connection), directly before an attempt is handed to
    ///   the transport. A write that is under way when the gate closes is given up at that moment.
    /// - A refused write ends with [`Error::WriteRefused`], and is not tried again.
    /// - Not promised: a request that is on the wire can't be recalled, and a process can be paused between the look at
    ///   the clock and the send. Where that matters, the receiver of the write must compare a fencing token. What goes
    ///   over a connection that has switched protocols is not looked at, nor is what is sent through
    ///   [`transport`](Self::transport).
    ///
    /// Connections and the rate limit are shared with this client. If it has a gate already, both must be open.
    #[must_use]
    pub fn with_write_gate(&self, gate: impl WriteGate) -> Self {
        let gate: Arc<dyn WriteGate> = Arc::new(gate);
        let gate = match &self.1 {
            Some(own) => Arc::new(Both(Arc::clone(own), gate)),
            None => gate,
        };
        Self(Arc::clone(&self.0), Some(gate))
    }

    /// The same client without a [write gate](Self::with_write_gate).
    #[must_use]
    pub fn without_write_gate(&self) -> Self {
        Self(Arc::clone(&self.0), None)
    }

    /// The same client, whose requests wait neither for the [rate limit](RestClientOptions::limiter) nor for
    /// [`url_backoff`](RestClientOptions::url_backoff): for requests that must not queue behind others, such as the
    /// renewals of a Lease. Connections are shared with this client.
    #[must_use]
    pub fn without_rate_limit(&self) -> Self {
        let Inner { transport, origin, host, base, user_agent, options, json_only } = &*self.0;
        let inner = Inner {
            transport: transport.clone(),
            origin: origin.clone(),
            host: host.clone(),
            base: base.clone(),
            user_agent: user_agent.clone(),
            options: RestClientOptions { limiter: None, url_backoff: None, ..options.clone() },
            json_only: Arc::clone(json_only),
        };
        Self(Arc::new(inner), self.1.clone())
    }

    /// The transport under it.
    pub fn transport(&self) -> &Transport {
        &self.0.transport
    }

    /// The URL that a request goes to.
    pub fn url(&self, request: &Request) -> Result<String, RequestError> {
        Ok(format!("{}{}", self.0.origin, request.path_and_query(&self.0.base)?))
    }

    /// The path that stands before every request's; empty if there is none.
    pub fn base_path(&self) -> &str {
        &self.0.base
    }

    /// The answer as an object.
    pub async fn send<K: Payload>(&self, request: Request) -> Result<K, Error> {
        let (raw, format, call) = self.formatted(self.typed::<K>(request)).await?;
        response::decode(format, &raw.body, &call)
    }

    /// The answer as `read` reads it; `K` says which formats to ask for. A `Status` that says no is an error.
    pub(crate) async fn send_read<K: Payload, T>(
        &self,
        request: Request,
        read: impl FnOnce(Format, &[u8]) -> Result<T, DecodeError>,
    ) -> Result<T, Error> {
        let (raw, format, call) = self.formatted(self.typed::<K>(request)).await?;
        if raw.body.is_empty() {
            return Err(Error::Empty { call });
        }
        if let Some(error) = response::failure(format, &raw.body) {
            return Err(Error::Api { call, error: error.into() });
        }
        read(format, &raw.body).map_err(|error| Error::Decode { call, error })
    }

    async fn formatted(&self, request: Request) -> Result<(RawResponse, Format, crate::Call), Error> {
        let (raw, call, request) = self.whole(request).await?;
        match Self::format_of(raw.content_type(), &request) {
            Some(format) => Ok((raw, format, call)),
            None => Err(Error::ContentType { call, content_type: raw.content_type().to_owned() }),
        }
    }

    /// The answer as a list, all of it. An item that does not decode fails the list.
    pub async fn send_list<K: Payload>(&self, request: Request) -> Result<Listed<K>, Error> {
        let list = self.list_stream(request, DecodeOptions::default()).await?;
        list.collect().await
    }

    /// The items of a list as they arrive: memory holds one of them, and what the connection has read ahead.
    pub async fn list_stream<K: Payload>(
        &self,
        request: Request,
        options: DecodeOptions,
    ) -> Result<ListStream<K>, Error> {
        let request = self.typed::<K>(request);
        let mut answer = self.head(&request, Mode::Call).await?;
        let format = Self::answer_format(&answer, &request)?;
        // The stream keeps to the deadline itself: what came in time is given before the error.
        let patience = self.0.options.progress_timeout;
        answer.response = answer.response.map(|body| body::timed(body, Deadline::after(None), patience));
        Ok(ListStream::new(answer, format, options))
    }

    /// The answer as it came, all of it. An error status is an error.
    pub async fn send_raw(&self, request: Request) -> Result<RawResponse, Error> {
        Ok(self.whole(request).await?.0)
    }

    /// The answer's body as it arrives, such as a container's log. An error status is an error.
    pub async fn send_stream(&self, request: Request) -> Result<Body, Error> {
        let answer = self.head(&request, Mode::Stream).await?;
        Ok(body::timed(answer.response.into_body(), answer.deadline, None))
    }

    /// The answer as it arrives, whatever its status. `limit` takes the place of the request's own and the client's.
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

    /// The events of a watch. The request must be for one: see
    /// [`ListOptions::watch`](client_rs_machinery::meta::v1::ListOptions).
    ///
    /// Where the request tells the server when to end the watch (`timeoutSeconds`), it ends by itself 30 s later: a
    /// connection that died without a word is noticed then at the latest, HTTP/1.1's too.
    ///
    /// A watch that could not begin for want of a connection, though it was tried again and again, is one that has ended.
    pub async fn watch<K: Payload>(
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

    /// The whole answer, and the request as it was sent: with the client's own time limit where it has none.
    async fn whole(&self, request: Request) -> Result<(RawResponse, crate::Call, Request), Error> {
        let request = match (request.time_limit(), self.0.options.timeout) {
            (None, Some(timeout)) => request.timeout(timeout),
            _ => request,
        };
        let Answer { response, call, deadline } = self.head(&request, Mode::Call).await?;
        let (parts, body) = response.into_parts();
        let body = self.read(body, self.0.options.max_answer_bytes, deadline, &call).await?;
        let size = u64::try_from(body.len()).unwrap_or(u64::MAX);
        self.0.options.metrics.response_size(request.verb(), &self.0.host, size);
        Ok((RawResponse { status: parts.status, headers: parts.headers, body }, call, request))
    }

    /// The answer's head; an error status becomes an error.
    pub(super) async fn head(&self, request: &Request, mode: Mode) -> Result<Answer, Error> {
        let deadline = self.deadline(request, mode);
        let mut answer = self.execute(request, mode, deadline).await?;
        if answer.response.status() == http::StatusCode::UNSUPPORTED_MEDIA_TYPE && self.falls_back(request) {
            // It was not read, so it was not acted upon.
            answer = self.execute(request, mode, deadline).await?;
        }
        let status = answer.response.status();
        if response::is_success(status) {
            return Ok(answer);
        }
        let Answer { response, call, .. } = answer;
        let (parts, body) = response.into_parts();
        // A body that breaks off, or does not end, takes nothing from what the status says.
        let body = self.read(body, MAX_REFUSAL, deadline, &call).await.unwrap_or_default();
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
        let reading = body::collect(body, most, self.0.options.progress_timeout);
        let read = deadline.run(reading).await;
        let read = read.map_err(|limit| Error::Timeout { call: call.clone(), limit, previous: None })?;
        read.map_err(|unread| match unread {
            Unread::Lost(error) => Error::Transport { call: call.clone(), error, previous: None },
            Unread::TooLarge => Error::TooLarge { call: call.clone(), limit: most },
        })
    }

    /// Remembers that protobuf was refused; whether it was protobuf that was sent.
    fn falls_back(&self, request: &Request) -> bool {
        let sent_protobuf = self.content_format(request) == Some(Format::Protobuf)
            || (self.content_format(request).is_none() && request.body_source().prefers(Format::Protobuf));
        let resource = request.group_resource();
        sent_protobuf
            && request.body_source().has(Format::Json)
            && self.0.options.content_type.is_none()
            && self.0.json_only.lock().unwrap_or_else(PoisonError::into_inner).insert(resource)
    }

    /// The format that an object is to be sent in, where something says so.
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

    /// The format of an answer: what it says, else what was asked for first.
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

    /// Until when a call may go on: the earlier one of the request's own limit and the client's.
    fn deadline(&self, request: &Request, mode: Mode) -> Deadline {
        let limits = [request.time_limit(), self.0.options.timeout];
        let deadline = Deadline::after(limits.into_iter().flatten().min());
        match mode {
            Mode::Call | Mode::Stream => deadline,
            // A server that should have ended the watch long ago is not there any more.
            Mode::Watch => {
                deadline.min(Deadline::after(request.watch_limit().map(|limit| limit.saturating_add(GRACE))))
            }
            // The time of the agreement alone: the connection itself has no limit.
            Mode::Upgrade => deadline.or(Deadline::after(self.0.options.progress_timeout)),
        }
    }
}

/// How much later than it was told to a server may end a watch.
const GRACE: Duration = Duration::from_secs(30);

/// No error needs more than this to be told.
const MAX_REFUSAL: usize = 4 * 1024 * 1024;
