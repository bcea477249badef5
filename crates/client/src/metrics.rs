//! Metrics of requests.

use std::fmt;
use std::time::Duration;

use crate::Verb;

/// Receives metrics of every request of a client. Every method does nothing by default.
///
/// The methods are called on the task of the request: they must not block. `template` is the path and query of the URL with
/// placeholders for names and values, so its cardinality is low enough for a label. It is built when it is displayed.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use client_rs_client::metrics::RequestMetrics;
/// use client_rs_client::{Request, RestClientOptions, Verb, testing::Canned};
///
/// #[derive(Debug, Default)]
/// struct Count(AtomicU32);
///
/// impl RequestMetrics for Count {
///     fn result(&self, code: &str, _verb: Verb, _host: &str) {
///         assert_eq!(code, "200");
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// let count = Arc::new(Count::default());
/// let options = RestClientOptions::default().with_metrics(count.clone());
/// let client = Canned::new().on("GET /livez", "{}").client_with(options);
/// client.send_raw(Request::get().abs_path(["livez"])).await?;
/// assert_eq!(count.0.load(Ordering::Relaxed), 1);
/// # Ok(())
/// # }
/// ```
#[allow(unused_variables)]
pub trait RequestMetrics: Send + Sync + fmt::Debug + 'static {
    /// One attempt has ended: `code` is the status, or `<error>` if there was no response.
    /// client-go calls it `rest_client_requests_total{code,method,host}`.
    fn result(&self, code: &str, verb: Verb, host: &str) {}

    /// A request is retried because of the `code` of the last attempt: `rest_client_request_retries_total`.
    fn retry(&self, code: &str, verb: Verb, host: &str) {}

    /// The duration of one attempt, until the head of its response: `rest_client_request_duration_seconds{verb,host}`.
    fn latency(&self, verb: Verb, host: &str, template: &dyn fmt::Display, took: Duration) {}

    /// The time that the client's own rate limit delayed a request: `rest_client_rate_limiter_duration_seconds{verb,host}`.
    fn throttled(&self, verb: Verb, host: &str, template: &dyn fmt::Display, took: Duration) {}

    /// The size of a request body: `rest_client_request_size_bytes{verb,host}`.
    fn request_size(&self, verb: Verb, host: &str, bytes: u64) {}

    /// The size of a response body, if it was read as a whole: `rest_client_response_size_bytes{verb,host}`.
    fn response_size(&self, verb: Verb, host: &str, bytes: u64) {}
}

/// Ignores all metrics.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRequestMetrics;

impl RequestMetrics for NoRequestMetrics {}
