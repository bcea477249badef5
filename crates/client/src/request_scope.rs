//! [`observe_requests`]: the requests of one task.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use client_rs_machinery::GroupResource;
use http::StatusCode;

use crate::{Request, Verb};

tokio::task_local! {
    static OBSERVER: Arc<dyn RequestObserver>;
}

/// Is notified of the requests of a future. Called on the task that makes the request, so it must not block.
pub trait RequestObserver: Send + Sync {
    /// A request begins. The result identifies it: [`ended`](Self::ended) gets it back.
    fn began(&self, request: &ObservedRequest<'_>) -> u64;

    /// A request has ended, with its retries: the status of the last response, or `None` if there was none, or if the request was
    /// cancelled. The body of the response may not have been read yet.
    fn ended(&self, request: u64, status: Option<StatusCode>);
}

/// A request that begins: its verb and its object, without any value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ObservedRequest<'a> {
    /// The verb.
    pub verb: Verb,
    /// The resource; empty for other paths.
    pub resource: GroupResource,
    /// The namespace; empty if there is none.
    pub namespace: &'a str,
    /// The name; empty for a request to a collection.
    pub name: &'a str,
    /// The subresource; empty if there is none.
    pub subresource: Cow<'a, str>,
}

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
///     fn began(&self, request: &ObservedRequest<'_>) -> u64 {
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
    OBSERVER.scope(observer, future)
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
        let observer = OBSERVER.try_with(Arc::clone).ok()?;
        let number = observer.began(&ObservedRequest {
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
