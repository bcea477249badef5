//! The objects of a cluster, apart from the servers in front of them.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinHandle;

use crate::access::flow;
use crate::access::{self, Authority, Tokens};
use crate::controllers::Controllers;
use crate::registry::{Registry, RegistryOptions};

/// Where a [`Server`](super::Server) keeps its objects.
#[derive(Clone, Debug)]
pub enum ServerStorage {
    /// In a storage of its own, made with these options when it starts.
    Own(StorageOptions),
    /// In one that exists, which other servers may share.
    Shared(Storage),
}

impl Default for ServerStorage {
    fn default() -> Self {
        Self::Own(StorageOptions::default())
    }
}

impl From<StorageOptions> for ServerStorage {
    fn from(options: StorageOptions) -> Self {
        Self::Own(options)
    }
}

impl From<Storage> for ServerStorage {
    fn from(storage: Storage) -> Self {
        Self::Shared(storage)
    }
}

impl From<&Storage> for ServerStorage {
    fn from(storage: &Storage) -> Self {
        Self::Shared(storage.clone())
    }
}

/// How a [`Storage`] is made.
#[derive(Clone, Debug)]
pub struct StorageOptions {
    /// How many changes are kept for watches and for lists of old versions; older ones are answered with 410. This
    /// bounds the memory that history takes, and how far a slow watch may fall behind. Default: 32,768.
    pub history: usize,
    /// Whether dependents of deleted objects are collected and deleted namespaces emptied, which in a real cluster
    /// controllers do. Default: true.
    pub collect_garbage: bool,
    /// Whether each namespace has the service account `default` and the config map `kube-root-ca.crt`, and each pod its
    /// account's token, as in a real cluster. Default: false, so that a test finds only what it made.
    pub populate: bool,
    /// Versions that are off by default, such as `coordination.k8s.io/v1beta1`, as `--runtime-config` switches them on. Of a
    /// resource that is served already, another version is not. Default: none.
    pub also_serve: Vec<String>,
}

impl Default for StorageOptions {
    fn default() -> Self {
        Self { history: 32_768, collect_garbage: true, populate: false, also_serve: Vec::new() }
    }
}

/// The objects of a cluster, in memory, apart from the servers in front of them.
///
/// Several [`Server`](super::Server)s may be started over one, as the API servers of a real cluster share one etcd: see
/// [`ServerOptions::storage`](super::ServerOptions::storage). They share
///
/// - objects with their versions and history: a write through one is seen by the watches of all, in one order;
/// - the resources that are served, custom ones included, and the controllers that a server has;
/// - the time that objects are stamped with;
/// - bearer tokens and the authority of certificates: who is known to one is known to all.
///
/// Each has connections, access rules, flow control, webhooks' clients, metrics and
/// [controls](super::Server::controls) of its own.
///
/// Cheap to clone; all clones are one storage. Its controllers work from the start of the first server, on that server's
/// runtime, until the last clone and the last server are gone.
#[derive(Clone, Debug)]
pub struct Storage {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    registry: Arc<Registry>,
    controllers: Arc<Controllers>,
    tokens: Arc<Tokens>,
    authority: Arc<Authority>,
    collects: bool,
    /// The task of the controllers, from the first server on.
    running: Mutex<Option<JoinHandle<()>>>,
}

impl Storage {
    /// An empty cluster: the namespaces, roles and priorities that every one has. Fails where the system gives no
    /// randomness.
    pub fn new(options: StorageOptions) -> io::Result<Self> {
        let StorageOptions { history, collect_garbage: collects, populate: populates, also_serve } = options;
        let kept = RegistryOptions { history, populates, collects };
        let registry = Arc::new(Registry::new(kept, &also_serve));
        let authority = Arc::new(Authority::default());
        let controllers = Controllers::attach(&registry, Arc::clone(&authority));
        access::create_bootstrap_roles(&registry);
        flow::create_bootstrap_flows(&registry);
        let shared = Shared {
            registry,
            controllers,
            tokens: Arc::new(Tokens::new()?),
            authority,
            collects,
            running: Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    pub(super) fn registry(&self) -> &Arc<Registry> {
        &self.shared.registry
    }

    pub(super) fn controllers(&self) -> &Arc<Controllers> {
        &self.shared.controllers
    }

    pub(super) fn tokens(&self) -> &Arc<Tokens> {
        &self.shared.tokens
    }

    pub(super) fn authority(&self) -> &Arc<Authority> {
        &self.shared.authority
    }

    /// Starts the controllers on the current runtime, unless they run.
    pub(super) fn run(&self) {
        let mut running = self.shared.running();
        if self.shared.collects && running.as_ref().is_none_or(JoinHandle::is_finished) {
            let (controllers, registry) = (Arc::clone(self.controllers()), Arc::clone(self.registry()));
            *running = Some(tokio::spawn(controllers.run(registry)));
        }
    }

    /// Stops the controllers if nobody else has the storage. What is returned ends when they have stopped.
    pub(super) fn stop_if_last(&self) -> Option<JoinHandle<()>> {
        if Arc::strong_count(&self.shared) > 1 {
            return None;
        }
        let running = self.shared.running().take();
        running.inspect(JoinHandle::abort)
    }
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Some(running) = self.running().take() {
            running.abort();
        }
    }
}
