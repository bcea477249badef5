//! [`RequestCount`]: counts the requests of a future.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

tokio::task_local! {
    static CURRENT: Arc<RequestCount>;
}

/// The number of requests that a future has sent, with any client.
///
/// Requests of tasks that the future spawns are not counted. The retries of a request are part of it. Costs nothing for
/// requests of other futures, except for one lookup.
///
/// ```
/// use std::sync::Arc;
///
/// use client_rs_client::{Request, RequestCount};
/// # use client_rs_client::RestClient;
/// # use client_rs_transport::Config;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client = RestClient::from_config(&Config::new("http://127.0.0.1:1".parse()?))?; // Nothing listens there.
/// let count = Arc::new(RequestCount::default());
/// let work = async { client.send_raw(Request::get().abs_path(["version"])).await };
/// count.scope(work).await.unwrap_err();
/// assert_eq!((count.requests(), count.errors()), (1, 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct RequestCount {
    requests: AtomicU64,
    errors: AtomicU64,
}

impl RequestCount {
    /// Counts the requests of a future while it runs. If scopes are nested, the innermost one counts.
    pub async fn scope<F: Future>(self: &Arc<Self>, future: F) -> F::Output {
        CURRENT.scope(Arc::clone(self), future).await
    }

    /// The number of requests so far, including those in progress.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The number of requests that had no response, or a response with a status of 400 or more.
    pub fn errors(&self) -> u64 {
        self.errors.load(Ordering::Relaxed)
    }

    /// Counts a request that begins.
    pub(crate) fn begin() {
        let _ = CURRENT.try_with(|count| count.requests.fetch_add(1, Ordering::Relaxed));
    }

    /// Counts a request that has failed.
    pub(crate) fn fail() {
        let _ = CURRENT.try_with(|count| count.errors.fetch_add(1, Ordering::Relaxed));
    }
}
