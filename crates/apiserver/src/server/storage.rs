//! The objects of a cluster, apart from the servers in front of them.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinHandle;

use crate::access::flow;
use crate::access::{self, Authority, Tokens};
use crate::controllers::Controllers;
use crate::registry::{Registry, RegistryOptions};

client_rs_machinery::options! {
    /// How a [`Storage`] is made.
    #[derive(Clone, Debug)]
    pub struct StorageOptions {
        /// See [`ServerOptions::history`](super::ServerOptions::history).
        pub history: usize => with_history,
        /// See [`ServerOptions::collect_garbage`](super::ServerOptions::collect_garbage).
        pub collect_garbage: bool => with_collect_garbage,
        /// See [`ServerOptions::populate`](super::ServerOptions::populate).
        pub populate: bool => with_populate,
        /// See [`ServerOptions::also_serve`](super::ServerOptions::also_serve).
        pub also_serve: Vec<String> => with_also_serve,
    }
}

impl Default for StorageOptions {
    fn default() -> Self {
        Self { history: 32_768, collect_garbage: true, populate: false, also_serve: Vec::new() }
    }
}

/// The objects of a cluster, in memory, apart from the servers in front of them.
///
/// Several [`Server`](super::Server)s may be started over one, as the API servers of a real cluster share one etcd: see
/// [`Server::start_over`](super::Server::start_over). They share
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
        let controllers = Controllers::attach(&registry);
        access::create_bootstrap_roles(&registry);
        flow::create_bootstrap_flows(&registry);
        let shared = Shared {
            registry,
            controllers,
            tokens: Arc::new(Tokens::new()?),
            authority: Arc::default(),
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
