//! One request with its retries.

use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use client_rs_transport::auth::Impersonate;
use client_rs_transport::http::{Body, TransportError};
use http::header::{ACCEPT, CONTENT_TYPE, UPGRADE, USER_AGENT};
use http::uri::PathAndQuery;
use http::{HeaderValue, Response};
use tokio::time::Instant;
use tracing::field::Empty;
use tracing::{Instrument, Span};

use super::client::RestClient;
use super::deadline::Deadline;
use super::policy::{Mode, Outcome, Policy, retry_after};
use super::{body, log, response};
use crate::request::{Prepared, Template, WithoutManagedFields};
use crate::request_scope::Reported;
use crate::write_gate::{Closed, Gated, WriteGate};
use crate::{Call, Error, Request, RequestCount, RequestError, warning};

/// The number of headers that most requests have.
const USUAL_HEADERS: usize = 6;

/// A response whose body has not been read, with its call and its deadline.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) response: Response<Body>,
    pub(crate) call: Call,
    pub(super) deadline: Deadline,
}

/// The attempts of a request before the last one.
#[derive(Debug, Default)]
struct Previous {
    retries: u32,
    /// The error of the last of them.
    error: Option<String>,
}

impl RestClient {
    /// Sends a request, with retries if they are safe, until there is a final response.
    pub(super) async fn execute(
        &self,
        request: &Request,
        mode: Mode,
        deadline: Deadline,
    ) -> Result<Answer, Error> {
        let path = request.path_and_query(&self.0.base)?;
        let call = Call::new(request.verb().as_str(), [&*self.0.origin, &*path].concat());
        // The names are those of OpenTelemetry. An expression is evaluated only if the span is enabled.
        let span = tracing::debug_span!(
            "request",
            otel.kind = "client",
            otel.name = %format_args!("{} {}", request.verb(), request.template(&self.0.base)),
            otel.status_code = Empty,
            http.request.method = request.verb().as_str(),
            http.request.resend_count = Empty,
            http.response.status_code = Empty,
            url.full = %call.shown_url(),
            server.address = self.0.host,
            error.type = Empty,
        );
        RequestCount::begin();
        let reported = Reported::begin(request);
        let previous = Mutex::new(Previous::default());
        // Boxed: allocators are fast for two blocks of up to a kilobyte, and slow for one of two.
        let tries = self.tries(request, &path, mode, deadline, &call, &previous);
        let mut tries = Box::pin(tries.instrument(span));
        let ended = deadline.run(tries.as_mut()).await;
        let span = tries.span().clone();
        drop(tries);
        let Previous { retries, error } = previous.into_inner().unwrap_or_else(PoisonError::into_inner);
        let outcome = match ended {
            Ok(outcome) => outcome,
            Err(limit) => Err(Error::Timeout { call: call.clone(), limit, previous: error }),
        };
        let status = outcome.as_ref().ok().map(Response::status);
        if status.is_none_or(|status| status.is_client_error() || status.is_server_error()) {
            RequestCount::fail();
        }
        if let Some(reported) = reported {
            reported.end(status);
        }
        record(&span, retries, &outcome);
        Ok(Answer { response: outcome?, call, deadline })
    }

    async fn tries(
        &self,
        request: &Request,
        path: &str,
        mode: Mode,
        deadline: Deadline,
        call: &Call,
        previous: &Mutex<Previous>,
    ) -> Result<Response<Body>, Error> {
        let policy = Policy {
            mode,
            verb: request.verb(),
            replayable: request.body_source().is_replayable(),
            max_retries: request.retries(),
        };
        let mut prepared = request.body_source().prepare(self.content_format(request)).await?;
        let mut retries = 0;
        let mut wait = self.host_wait();
        loop {
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
            // A watch is sent at once: its list has already waited.
            if mode != Mode::Watch || retries > 0 {
                self.throttle(request, deadline, call).await?;
            }
            // The head of a byte stream arrives with its first bytes, which may take any time.
            let patience = self.0.options.progress_timeout.filter(|_| !mode.is_bytes());
            let attempt = pin!(self.attempt(request, path, &mut prepared, retries));
            let attempt = body::next(patience, attempt);
            let outcome = match self.gate(request) {
                None => attempt.await,
                // After every wait, so that no write starts late.
                Some(gate) => Gated::new(gate, attempt).await.map_err(|Closed { refused, sent }| {
                    Error::WriteRefused { call: call.clone(), refused, sent }
                })?,
            };
            let decision = match &outcome {
                Ok(response) => {
                    let (status, retry_after) = (response.status(), retry_after(response.headers()));
                    policy.decide(retries, Outcome::Response { status, retry_after })
                }
                Err(error) => policy.decide(retries, outcome_of(error)),
            };
            let Some(asked) = decision else {
                return outcome.map_err(|error| {
                    let previous = previous.lock().unwrap_or_else(PoisonError::into_inner).error.take();
                    let previous = previous.filter(|previous| *previous != error.to_string());
                    Error::Transport { call: call.clone(), error, previous }
                });
            };
            let failure = match outcome {
                Ok(response) => {
                    let status = response.status().to_string();
                    Box::pin(response::drain(response)).await;
                    status
                }
                Err(error) => error.to_string(),
            };
            retries += 1;
            wait = asked.max(self.host_wait());
            tracing::debug!(?wait, retries, reason = %failure, "retrying the request");
            *previous.lock().unwrap_or_else(PoisonError::into_inner) =
                Previous { retries, error: Some(failure) };
        }
    }

    async fn attempt(
        &self,
        request: &Request,
        path: &str,
        prepared: &mut Prepared,
        retries: u32,
    ) -> Result<Response<Body>, TransportError> {
        let (options, host, verb) = (&self.0.options, &self.0.host, request.verb());
        if let Some(size) = prepared.body.len().filter(|_| retries == 0) {
            options.metrics.request_size(verb, host, size);
        }
        let start = Instant::now();
        // Only the response is awaited: across an await, a request would make every future of the client larger.
        let sending =
            self.http_request(request, path, prepared).map(|request| self.0.transport.send(request));
        let outcome = match sending {
            Ok(sending) => sending.await,
            Err(error) => Err(TransportError::Other(error.into())),
        };
        let template = Template { request, base: &self.0.base };
        options.metrics.latency(verb, host, &template, start.elapsed());
        let status = outcome.as_ref().ok().map(Response::status);
        let code = status.as_ref().map_or("<error>", http::StatusCode::as_str);
        options.metrics.result(code, verb, host);
        if retries > 0 {
            options.metrics.retry(code, verb, host);
        }
        if let Some(backoff) = &options.url_backoff {
            backoff.update(host, status);
        }
        if let Ok(response) = &outcome {
            let handler = request.own_warnings().unwrap_or(&options.warnings);
            warning::report(response.headers(), handler.as_ref());
        }
        outcome
    }

    fn http_request(
        &self,
        request: &Request,
        path: &str,
        prepared: &mut Prepared,
    ) -> Result<http::Request<Body>, RequestError> {
        let path = PathAndQuery::try_from(path).map_err(|error| RequestError::Url(error.to_string()))?;
        let mut uri = self.0.server.clone().into_parts();
        uri.path_and_query = Some(path);
        let uri = http::Uri::from_parts(uri).map_err(|error| RequestError::Url(error.to_string()))?;
        let mut http = http::Request::new(prepared.body.next());
        *http.method_mut() = request.verb().method();
        *http.uri_mut() = uri;
        if let Some(user) = request.noted::<Impersonate>() {
            http.extensions_mut().insert(user.clone());
        }
        let headers = http.headers_mut();
        // Those of the connection are added later.
        headers.reserve(USUAL_HEADERS);
        for (name, value) in request.own_headers() {
            headers.append(name, value.clone());
        }
        headers.entry(USER_AGENT).or_insert_with(|| self.0.user_agent.clone());
        let accept = || match &self.0.options.accept {
            Some(accept) => HeaderValue::from_str(accept).ok(),
            None => match self.0.options.content_type.as_deref() {
                Some(content_type) => HeaderValue::from_str(&format!("{content_type}, */*")).ok(),
                None => Some(HeaderValue::from_static("application/json, */*")),
            },
        };
        if !headers.contains_key(ACCEPT)
            && let Some(accept) = accept()
        {
            headers.insert(ACCEPT, accept);
        }
        if request.noted::<WithoutManagedFields>().is_some()
            && let Some(accept) = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok())
            && let Ok(accept) = HeaderValue::try_from(WithoutManagedFields::accept(accept))
        {
            headers.insert(ACCEPT, accept);
        }
        if let Some(format) = prepared.format
            && !headers.contains_key(CONTENT_TYPE)
        {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
        }
        Ok(http)
    }

    async fn throttle(&self, request: &Request, deadline: Deadline, call: &Call) -> Result<(), Error> {
        let Some(limiter) = &self.0.options.limiter else { return Ok(()) };
        let start = Instant::now();
        if !limiter.acquire(deadline.remaining()).await {
            return Err(Error::Throttled { call: call.clone() });
        }
        let waited = start.elapsed();
        log::throttled(waited, call);
        let template = Template { request, base: &self.0.base };
        self.0.options.metrics.throttled(request.verb(), &self.0.host, &template, waited);
        Ok(())
    }

    /// The gate that must permit this request.
    fn gate(&self, request: &Request) -> Option<&dyn WriteGate> {
        let writes = !request.verb().is_safe() || request.own_headers().contains_key(UPGRADE);
        self.1.as_deref().filter(|_| writes)
    }

    fn host_wait(&self) -> Duration {
        self.0.options.url_backoff.as_ref().map_or(Duration::ZERO, |backoff| backoff.wait(&self.0.host))
    }
}

/// Records the end of a request.
fn record(span: &Span, retries: u32, outcome: &Result<Response<Body>, Error>) {
    if span.is_disabled() {
        return;
    }
    if retries > 0 {
        span.record("http.request.resend_count", retries);
    }
    let status = outcome.as_ref().map(Response::status);
    if let Ok(status) = status {
        span.record("http.response.status_code", status.as_u16());
    }
    let error = match &status {
        Ok(status) if status.is_client_error() || status.is_server_error() => status.as_str(),
        Ok(_) => return,
        Err(Error::Timeout { .. }) => "timeout",
        Err(Error::Throttled { .. }) => "throttled",
        Err(Error::WriteRefused { .. }) => "write_refused",
        Err(Error::Transport { error, .. }) if error.is_timeout() => "timeout",
        Err(Error::Transport { .. }) => "transport",
        Err(_) => "_OTHER",
    };
    span.record("otel.status_code", "ERROR");
    span.record("error.type", error);
}

fn outcome_of(error: &TransportError) -> Outcome {
    if error.is_timeout() {
        Outcome::TimedOut
    } else if error.is_connection_lost() {
        Outcome::Lost
    } else {
        Outcome::Failed
    }
}
