//! Test controls: faults, the clock, and the log of requests.

mod fault;

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::access::{Permission, PermissionLog};
use crate::controllers::Controllers;
use crate::registry::Registry;
pub(crate) use fault::left_to_come;
pub use fault::{Effect, Fault, Faults, InjectedFault};

/// Controls a running server from a test: injects [faults](Fault), ends watches, expires history, moves the clock,
/// and lists the requests that the server received.
///
/// [`Server::controls`](crate::Server::controls) and [`Fake::controls`](crate::fake::Fake::controls) return it. Use
/// it for situations that a client can't cause itself. Cloning is cheap, and all clones control the same server. No
/// method blocks or fails. The handle does not keep the server running. The clock and the history belong to the
/// [`Storage`](crate::Storage): servers that share it are affected too.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::Server;
/// use client_rs_client::Api;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = Server::start().await?;
/// let controls = server.controls();
/// let client = server.rest_client()?;
/// let mut watch = Api::<ConfigMap, _>::within(&client, "default").watch().await?;
///
/// // The watch ends without an error, as when a real server restarts.
/// controls.drop_watches();
/// assert!(watch.next().await.is_none());
///
/// let requests = controls.requests();
/// assert_eq!(requests.len(), 1);
/// assert!(requests[0].uri.starts_with("/api/v1/namespaces/default/configmaps?watch="));
/// # server.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TestControls {
    registry: Arc<Registry>,
    controllers: Arc<Controllers>,
    controls: Arc<Controls>,
    permissions: Option<Arc<PermissionLog>>,
}

/// A request that a server received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRecord {
    /// The HTTP method.
    pub method: String,
    /// The path and the query, as received.
    pub uri: String,
    /// The `User-Agent` header; empty if it is missing.
    pub user_agent: String,
    /// The `Accept` header; empty if it is missing.
    pub accept: String,
    /// The `Content-Type` header; empty if it is missing.
    pub content_type: String,
}

/// The number of requests that the log keeps by default.
const LOG_MAX: usize = 100_000;

#[derive(Debug)]
pub(crate) struct Controls {
    faults: Arc<Faults>,
    log: Mutex<VecDeque<RequestRecord>>,
    /// The number of requests that the log keeps.
    log_max: usize,
    no_bookmarks: AtomicBool,
    /// Counts the calls of `drop_watches`.
    cuts: watch::Sender<u64>,
}

impl Default for Controls {
    fn default() -> Self {
        Self {
            faults: Arc::default(),
            log: Mutex::default(),
            log_max: LOG_MAX,
            no_bookmarks: AtomicBool::new(false),
            cuts: watch::channel(0).0,
        }
    }
}

impl TestControls {
    pub(crate) fn new(
        registry: Arc<Registry>,
        controllers: Arc<Controllers>,
        controls: Arc<Controls>,
        permissions: Option<Arc<PermissionLog>>,
    ) -> Self {
        Self { registry, controllers, controls, permissions }
    }

    /// Injects a fault. If several faults match a request, the oldest one applies. The returned handle counts the
    /// affected requests and can remove the fault.
    pub fn inject(&self, fault: Fault) -> InjectedFault {
        self.controls.faults.inject(fault)
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.controls.faults.clear();
    }

    /// Ends every open watch without an error, as a server does that shuts down gracefully. New watches are not
    /// affected.
    pub fn drop_watches(&self) {
        self.controls.cuts.send_modify(|count| *count += 1);
    }

    /// Discards the history. A watch or a list from an older resource version fails with 410.
    pub fn compact(&self) {
        self.registry.compact();
    }

    /// Stops periodic bookmarks, or starts them again. The bookmark that ends the initial events is always sent.
    pub fn stop_bookmarks(&self, stop: bool) {
        self.controls.no_bookmarks.store(stop, Ordering::Relaxed);
    }

    /// Advances the server's clock: the source of creation timestamps, token lifetimes and the expiry of events.
    /// The clock of tokio is not affected.
    pub fn advance_clock(&self, by: Duration) {
        self.registry.clock().advance(by);
        self.controllers.expire_events(&self.registry);
    }

    /// The requests so far, oldest first. Only the latest are kept: see
    /// [`ServerOptions::request_log`](crate::ServerOptions::request_log).
    pub fn requests(&self) -> Vec<RequestRecord> {
        lock(&self.controls.log).iter().cloned().collect()
    }

    /// Clears the log of requests.
    pub fn clear_requests(&self) {
        lock(&self.controls.log).clear();
    }

    /// The permissions that requests needed so far, each once and sorted, with
    /// [`ServerOptions::record_permissions`](crate::ServerOptions::record_permissions); otherwise empty. At most 65,536 are
    /// kept. It is not recorded which object a request was for, and permissions on paths, such as `/healthz`, are not recorded.
    ///
    /// A test can compare them with the role of a program; `krs rbac` does that for manifests.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_apiserver::{Server, ServerOptions, User};
    /// use client_rs_client::Api;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::start_with(ServerOptions::default().with_record_permissions(true)).await?;
    /// let client = server.rest_client_as(User::service_account("shop", "operator"))?;
    /// Api::<ConfigMap, _>::within(&client, "default").list().await?;
    ///
    /// let permissions = server.controls().permissions();
    /// assert_eq!(permissions[0].user, "system:serviceaccount:shop:operator");
    /// assert_eq!((&*permissions[0].verb, &*permissions[0].resource), ("list", "configmaps"));
    /// # server.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn permissions(&self) -> Vec<Permission> {
        self.permissions.as_ref().map(|log| log.all()).unwrap_or_default()
    }

    /// Forgets the permissions so far.
    pub fn clear_permissions(&self) {
        if let Some(log) = &self.permissions {
            log.clear();
        }
    }

    /// The resource version of the latest write.
    pub fn revision(&self) -> u64 {
        self.registry.revision()
    }
}

impl fmt::Debug for TestControls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestControls").finish_non_exhaustive()
    }
}

impl Controls {
    /// Controls whose log keeps this many requests.
    pub(crate) fn with_log(log_max: usize) -> Self {
        Self { log_max, ..Self::default() }
    }

    /// Logs a request, and returns the effect of a fault that matches it.
    pub(crate) fn meet(&self, record: RequestRecord) -> Option<Effect> {
        let effect = self.faults.meet(&record);
        if self.log_max > 0 {
            let mut log = lock(&self.log);
            if log.len() >= self.log_max {
                log.pop_front();
            }
            log.push_back(record);
        }
        effect
    }

    pub(crate) fn bookmarks_stopped(&self) -> bool {
        self.no_bookmarks.load(Ordering::Relaxed)
    }

    pub(crate) fn cuts(&self) -> watch::Receiver<u64> {
        self.cuts.subscribe()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
