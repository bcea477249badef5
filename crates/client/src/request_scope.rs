//! [`observe_requests`]: the requests of one task.

use std::future::Future;
use std::sync::Arc;

use client_rs_machinery::in_scope;
use http::StatusCode;

use crate::Request;
use crate::request_observer::{ObservedRequest, RequestObserver};
use crate::task_observers::TaskObservers;

/// Runs a future and notifies an observer of every request that it sends, with any client.
///
/// Only requests that the future itself polls are reported, not those of tasks that it spawns. If scopes are nested, the
/// innermost one is notified. Costs nothing for requests of other futures, except for one lookup.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use client_rs_client::{ObservedRequest, Request, RequestObserver, observe_requests};
/// # use client_rs_client::RestClient;
/// # use client_rs_transport::Config;
/// use http::StatusCode;
///
/// #[derive(Default)]
/// struct Log(Mutex<Vec<String>>);
///
/// impl RequestObserver for Log {
///     fn began(&self, request: ObservedRequest<'_>) -> u64 {
///         self.0.lock().unwrap().push(format!("{} {}", request.verb, request.resource));
///         0
///     }
///     fn ended(&self, _: u64, status: Option<StatusCode>) {
///         self.0.lock().unwrap().push(format!("{status:?}"));
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client = RestClient::from_config(&Config::new("http://127.0.0.1:1".parse()?))?; // Nothing listens there.
/// let log = Arc::new(Log::default());
/// let list = Request::get().api("", "v1").resource("pods");
/// observe_requests(log.clone(), async { client.send_raw(list).await }).await.unwrap_err();
/// assert_eq!(*log.0.lock().unwrap(), ["GET pods", "None"]);
/// # Ok(())
/// # }
/// ```
pub fn observe_requests<F: Future>(
    observer: Arc<dyn RequestObserver>,
    future: F,
) -> impl Future<Output = F::Output> {
    let exchange = |observer: &mut _| _ = TaskObservers::with(|current| current.requests.exchange(observer));
    in_scope(Some(observer), exchange, future)
}

/// The observer of the future that this thread polls.
fn current() -> Option<Arc<dyn RequestObserver>> {
    TaskObservers::with(|current| current.requests.get()).flatten()
}

/// A request that was reported as begun. Dropping it reports the end without a response.
pub(crate) struct Reported {
    observer: Arc<dyn RequestObserver>,
    number: u64,
    ended: bool,
}

impl Reported {
    /// Reports that a request begins, if somebody observes the current task.
    pub(crate) fn begin(request: &Request) -> Option<Self> {
        let observer = current()?;
        let number = observer.began(ObservedRequest {
            verb: request.verb(),
            resource: request.group_resource(),
            namespace: request.object_namespace(),
            name: request.object_name(),
            subresource: request.subresource_path(),
        });
        Some(Self { observer, number, ended: false })
    }

    pub(crate) fn end(mut self, status: Option<StatusCode>) {
        self.ended = true;
        self.observer.ended(self.number, status);
    }
}

impl Drop for Reported {
    fn drop(&mut self) {
        if !self.ended {
            self.observer.ended(self.number, None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use tokio::task::yield_now;

    use super::*;

    /// Counts requests.
    #[derive(Default)]
    struct Count(AtomicU64);

    impl RequestObserver for Count {
        fn began(&self, _: ObservedRequest<'_>) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed)
        }

        fn ended(&self, _: u64, _: Option<StatusCode>) {}
    }

    async fn request() {
        yield_now().await;
        drop(Reported::begin(&Request::get().api("", "v1").resource("pods")));
        yield_now().await;
    }

    #[tokio::test]
    async fn the_innermost_observer_of_the_future_that_is_polled_is_notified() {
        let counts: [Arc<Count>; 3] = Default::default();
        let [outer, inner, other] = counts.clone();
        let nested = observe_requests(outer, async {
            request().await;
            observe_requests(inner, request()).await;
            request().await;
        });
        let beside = observe_requests(other, async {
            request().await;
            request().await;
        });
        tokio::join!(nested, beside, request());
        assert!(current().is_none());
        assert_eq!(counts.map(|count| count.0.load(Ordering::Relaxed)), [2, 1, 2]);
    }
}
