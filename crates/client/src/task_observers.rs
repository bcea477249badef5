//! The observers of the future that a thread polls, and [`observe_task`], which sets all of them.

use std::cell::Cell;
use std::future::Future;
use std::sync::Arc;

use client_rs_machinery::{WriteObserver, in_scope};

use crate::request_observer::RequestObserver;

thread_local! {
    static CURRENT: TaskObservers =
        const { TaskObservers { requests: Observer::nobody(), writes: Observer::nobody() } };
}

/// The observers of the future that a thread polls.
pub(crate) struct TaskObservers {
    pub(crate) requests: Observer<dyn RequestObserver>,
    pub(crate) writes: Observer<dyn WriteObserver>,
}

/// An observer of the future that a thread polls.
pub(crate) struct Observer<T: ?Sized>(Cell<Option<Arc<T>>>);

impl TaskObservers {
    /// Calls a function with those of the current thread. A thread that ends has none.
    #[inline]
    pub(crate) fn with<T>(call: impl FnOnce(&Self) -> T) -> Option<T> {
        CURRENT.try_with(call).ok()
    }
}

impl<T: ?Sized> Observer<T> {
    const fn nobody() -> Self {
        Self(Cell::new(None))
    }

    #[inline]
    pub(crate) fn exchange(&self, other: &mut Option<Arc<T>>) {
        *other = self.0.replace(other.take());
    }

    #[inline]
    pub(crate) fn get(&self) -> Option<Arc<T>> {
        let observer = self.0.take();
        self.0.set(observer.clone());
        observer
    }
}

/// Runs a future and notifies one observer of its requests and its writes: [`observe_requests`](crate::observe_requests) and
/// [`observe_writes`](crate::observe_writes) in one.
///
/// It costs less at each poll than both do.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// # use client_rs_api::core::v1::ConfigMap;
/// # use client_rs_client::Api;
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::{ObservedRequest, RequestObserver, observe_task};
/// use client_rs_machinery::{Write, WriteObserver};
/// use http::StatusCode;
///
/// #[derive(Default)]
/// struct Counts {
///     requests: AtomicU64,
///     writes: AtomicU64,
/// }
///
/// impl RequestObserver for Counts {
///     fn began(&self, _: ObservedRequest<'_>) -> u64 {
///         self.requests.fetch_add(1, Ordering::Relaxed)
///     }
///     fn ended(&self, _: u64, _: Option<StatusCode>) {}
/// }
///
/// impl WriteObserver for Counts {
///     fn written(&self, _: &Write<'_>) {
///         self.writes.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let answer = r#"{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a", "namespace": "b", "resourceVersion": "7"}}"#;
/// # let server = Canned::new().on("POST /api/v1/namespaces/b/configmaps", answer);
/// # let server = server.on("GET /api/v1/namespaces/b/configmaps/a", answer);
/// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "b");
/// # let mut map = ConfigMap::EMPTY;
/// # map.metadata.name = "a".into();
/// let counts = Arc::new(Counts::default());
/// let work = async {
///     maps.create(map).await?;
///     maps.get("a").await
/// };
/// observe_task(counts.clone(), work).await?;
/// assert_eq!((counts.requests.load(Ordering::Relaxed), counts.writes.load(Ordering::Relaxed)), (2, 1));
/// # Ok(())
/// # }
/// ```
pub fn observe_task<O, F>(observer: Arc<O>, future: F) -> impl Future<Output = F::Output>
where
    O: RequestObserver + WriteObserver + 'static,
    F: Future,
{
    let requests: Arc<dyn RequestObserver> = observer.clone();
    let writes: Arc<dyn WriteObserver> = observer;
    let exchange = |(requests, writes): &mut (Option<_>, Option<_>)| {
        TaskObservers::with(|current| {
            current.requests.exchange(requests);
            current.writes.exchange(writes);
        });
    };
    in_scope((Some(requests), Some(writes)), exchange, future)
}
