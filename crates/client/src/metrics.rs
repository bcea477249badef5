//! What a client tells about its requests.

use std::fmt;
use std::time::Duration;

use crate::Verb;

/// Hears of every request of a client. Every method does nothing unless it is implemented.
///
/// Called on the task of the request: it must not block. `template` is the URL's path and query with placeholders for
/// names and values, few enough to be a label.
#[allow(unused_variables)]
pub trait RequestMetrics: Send + Sync + fmt::Debug + 'static {
    /// One try has ended: `code` is the status, or `<error>` where there was no response.
    /// Known to Go users as `rest_client_requests_total{code,method,host}`.
    fn result(&self, code: &str, verb: Verb, host: &str) {}

    /// A request is tried again, for the `code` of the last try: `rest_client_request_retries_total`.
    fn retry(&self, code: &str, verb: Verb, host: &str) {}

    /// How long one try took, up to its response's head: `rest_client_request_duration_seconds{verb,host}`.
    fn latency(&self, verb: Verb, host: &str, template: &str, took: Duration) {}

    /// How long the client's own limit held a request back: `rest_client_rate_limiter_duration_seconds{verb,host}`.
    fn throttled(&self, verb: Verb, host: &str, template: &str, took: Duration) {}

    /// How many bytes a request's body had: `rest_client_request_size_bytes{verb,host}`.
    fn request_size(&self, verb: Verb, host: &str, bytes: u64) {}

    /// How many bytes a response's body had, where it was read as a whole: `rest_client_response_size_bytes{verb,host}`.
    fn response_size(&self, verb: Verb, host: &str, bytes: u64) {}
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRequestMetrics;

impl RequestMetrics for NoRequestMetrics {}
