//! Storage that servers can share.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::task::JoinHandle;

use super::snapshot::{self, RestoreError};
use crate::access::flow;
use crate::access::{self, Authority, TokenOptions, Tokens};
use crate::controllers::Controllers;
use crate::kinds::AdmissionPlugin;
use crate::kinds::shared::addresses::AddressRange;
use crate::registry::{Registry, RegistryOptions};

/// The storage of a [`Server`](super::Server): its own, or a shared one.
///
/// Convert a [`StorageOptions`] or a [`Storage`] with `into()`.
#[derive(Clone, Debug)]
pub enum ServerStorage {
    /// A new storage with these options.
    Own(StorageOptions),
    /// An existing storage, which other servers may also use.
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

client_rs_machinery::options! {
    /// The options of a [`Storage`].
    ///
    /// ```
    /// use client_rs_apiserver::{Server, ServerOptions, StorageOptions};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> std::io::Result<()> {
    /// // A short history: slow watches soon get 410, and clients must relist.
    /// let storage = StorageOptions::default().with_history(10).with_populate(true);
    /// let server = Server::start_with(ServerOptions::default().with_storage(storage.into())).await?;
    /// # server.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    #[derive(Clone, Debug)]
    pub struct StorageOptions {
        /// The number of changes that are kept for watches and for lists at old versions. Older versions fail with
        /// 410. It bounds the memory for the history, and how far a slow watch may fall behind. Default: 32,768.
        pub history: usize => with_history,
        /// Whether dependents of deleted objects are collected and deleted namespaces are emptied, as the
        /// controllers of a real cluster do. Default: true.
        pub collect_garbage: bool => with_collect_garbage,
        /// Whether each namespace gets the service account `default` and the config map `kube-root-ca.crt`, and
        /// each pod the token of its account, as in a real cluster. Default: false, so that a test finds only its
        /// own objects.
        pub populate: bool => with_populate,
        /// Whether the objects exist that a real API server creates for itself: the service `default/kubernetes` with
        /// its endpoints, `APIService` objects of its groups, the roles and bindings of a cluster's components, the
        /// config maps and the lease of `kube-system`, and the range of cluster IPs. Default: false, so that a test
        /// finds only its own objects. Then there are only the roles for users.
        pub bootstrap: bool => with_bootstrap,
        /// Versions that are off by default, such as `coordination.k8s.io/v1beta1`, like `--runtime-config` of the
        /// real server. A version is ignored if another version of the resource is already served. Default: none.
        pub also_serve: Vec<String> => with_also_serve,
        /// Whether only the controllers of kube-apiserver run, as in envtest, and none of kube-controller-manager.
        /// Then nothing collects garbage, finalizes namespaces, aggregates roles, computes the status of quotas or
        /// signs certificates, and a namespace has no default service account; `collect_garbage` and `populate` have
        /// no effect. Default: false.
        pub api_server_only: bool => with_api_server_only,
        /// The range of cluster IPs, like `--service-cluster-ip-range` of the real server: IPv4. Default:
        /// `10.0.0.0/16`.
        pub service_range: String => with_service_range,
        /// Admission plugins that are off, like `--disable-admission-plugins` of the real server. Default: none.
        pub disable_plugins: Vec<AdmissionPlugin> => with_disable_plugins,
        /// Whether lists and watches can be sharded by `shardSelector`, like `--feature-gates=ShardedListAndWatch=true` of the real
        /// server. If not, the parameter is ignored, as there. Default: false.
        pub sharded_lists: bool => with_sharded_lists,
        /// The issuer and the keys of service account tokens. Default: [`TokenOptions::default`].
        pub tokens: TokenOptions => with_tokens,
    }
}

impl Default for StorageOptions {
    fn default() -> Self {
        Self {
            history: 32_768,
            collect_garbage: true,
            populate: false,
            bootstrap: false,
            also_serve: Vec::new(),
            api_server_only: false,
            service_range: AddressRange::SERVICES.to_string(),
            disable_plugins: Vec::new(),
            sharded_lists: false,
            tokens: TokenOptions::default(),
        }
    }
}

impl StorageOptions {
    fn registry(&self) -> io::Result<RegistryOptions> {
        let alone = self.api_server_only;
        let range = AddressRange::canonical(&self.service_range).ok().filter(AddressRange::is_ipv4);
        let service_range = range.ok_or_else(|| {
            let why = format!("the range of cluster IPs {:?} is not a CIDR of IPv4", self.service_range);
            io::Error::new(io::ErrorKind::InvalidInput, why)
        })?;
        Ok(RegistryOptions {
            history: self.history,
            populates: self.populate && !alone,
            collects: self.collect_garbage && !alone,
            bootstraps: self.bootstrap,
            alone,
            service_range,
            plugins_off: self.disable_plugins.iter().copied().collect(),
            shards: self.sharded_lists,
        })
    }
}

/// The objects of a cluster, in memory, independent of the servers in front of them.
///
/// Use it to run several [`Server`](super::Server)s over the same objects, as the API servers of a real cluster
/// share one etcd, or to keep the objects while a server restarts. A single server needs none: it creates its own.
/// See [`ServerOptions::storage`](super::ServerOptions::storage).
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::{Server, ServerOptions, Storage, StorageOptions};
/// use client_rs_client::Api;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let storage = Storage::new(StorageOptions::default())?;
/// let one = Server::start_with(ServerOptions::default().with_storage((&storage).into())).await?;
/// let other = Server::start_with(ServerOptions::default().with_storage((&storage).into())).await?;
///
/// let mut settings = ConfigMap::EMPTY;
/// settings.metadata.name = "settings".into();
/// Api::<ConfigMap, _>::within(&one.rest_client()?, "default").create(settings).await?;
/// one.shutdown().await;
///
/// // The object is still there, through the other server.
/// let client = other.rest_client()?;
/// assert!(Api::<ConfigMap, _>::within(&client, "default").get("settings").await.is_ok());
/// # other.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// Servers of one storage share
///
/// - objects with their versions and history: the watches of all servers receive a write through one of them, in
///   one order;
/// - the served resources, including custom ones, and the controllers;
/// - the clock;
/// - bearer tokens and the certificate authority: a credential of one server is valid for all.
///
/// Each server has its own connections, access rules, flow control, webhook clients, metrics and
/// [controls](super::Server::controls).
///
/// Cloning is cheap, and all clones are one storage. Its controllers run on the runtime of the first server. They
/// stop when the last clone and the last server are dropped.
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
    /// Whether the controllers have work.
    works: bool,
    /// The task of the controllers, after the first server has started.
    running: Mutex<Option<JoinHandle<()>>>,
}

impl Storage {
    /// Creates the storage of an empty cluster, with the default namespaces, roles and priority classes.
    ///
    /// Fails if an option is malformed, or if the operating system's random number generator fails.
    pub fn new(options: StorageOptions) -> io::Result<Self> {
        let registry = Arc::new(Registry::new(options.registry()?, &options.also_serve));
        let authority = Arc::new(Authority::default());
        let controllers = Controllers::attach(&registry, Arc::clone(&authority));
        access::create_bootstrap_roles(&registry, options.bootstrap);
        flow::create_bootstrap_flows(&registry);
        // Before anybody reads: a server that starts writes nothing by itself afterwards.
        controllers.write_flow_status(&registry);
        controllers.bootstrap(&registry);
        Ok(Self::of(registry, controllers, Tokens::new(options.tokens)?, authority))
    }

    /// Creates a storage with the objects of a [`snapshot`](Self::snapshot). They keep their UIDs and resource
    /// versions. The history is not part of a snapshot: a watch from an earlier version fails with 410. Neither are
    /// credentials: tokens and certificates of the old storage are unknown, unless [`StorageOptions::tokens`] has
    /// its keys.
    pub fn restore(options: StorageOptions, snapshot: &[u8]) -> Result<Self, RestoreError> {
        let kept = options.registry().map_err(RestoreError::Storage)?;
        let registry = Arc::new(Registry::new(kept, &options.also_serve));
        let authority = Arc::new(Authority::default());
        let controllers = Controllers::follow(&registry, Arc::clone(&authority));
        snapshot::read(&registry, snapshot, || controllers.serve_definitions(&registry))?;
        let tokens = Tokens::new(options.tokens).map_err(RestoreError::Storage)?;
        Ok(Self::of(registry, controllers, tokens, authority))
    }

    /// All objects of the storage as data, for [`restore`](Self::restore), as of one moment.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_apiserver::{Server, ServerOptions, Storage, StorageOptions};
    /// use client_rs_client::Api;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let server = Server::start().await?;
    /// let mut settings = ConfigMap::EMPTY;
    /// settings.metadata.name = "settings".into();
    /// let created = Api::<ConfigMap, _>::within(&server.rest_client()?, "default").create(settings).await?;
    /// let data = server.storage().snapshot();
    /// server.shutdown().await;
    ///
    /// let storage = Storage::restore(StorageOptions::default(), &data)?;
    /// let server = Server::start_with(ServerOptions::default().with_storage(storage.into())).await?;
    /// let found = Api::<ConfigMap, _>::within(&server.rest_client()?, "default").get("settings").await?;
    /// assert_eq!(found, created);
    /// # server.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        snapshot::write(self.registry())
    }

    /// A new storage with the same objects, history, custom resources, clock and credentials. From now on, changes of
    /// one do not affect the other.
    ///
    /// Both share the objects in memory. The first write to a resource copies the index of that resource, not
    /// its objects. So a test can prepare thousands of objects once, and begin each case with a fork.
    ///
    /// ```
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_apiserver::{Server, ServerOptions};
    /// use client_rs_client::Api;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let prepared = Server::start().await?;
    /// let mut settings = ConfigMap::EMPTY;
    /// settings.metadata.name = "settings".into();
    /// Api::<ConfigMap, _>::within(&prepared.rest_client()?, "default").create(settings).await?;
    ///
    /// let fork = prepared.storage().fork();
    /// let case = Server::start_with(ServerOptions::default().with_storage(fork.into())).await?;
    /// let maps = |server: &Server| server.rest_client().map(|client| Api::<ConfigMap, _>::within(&client, "default"));
    /// maps(&case)?.delete("settings").await?;
    /// assert!(maps(&prepared)?.get("settings").await.is_ok());
    /// # case.shutdown().await;
    /// # prepared.shutdown().await;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use = "the fork is a storage of its own"]
    pub fn fork(&self) -> Self {
        let (registry, controllers) = self.shared.controllers.fork(self.registry());
        Self::of(registry, controllers, self.tokens().fork(), Arc::clone(self.authority()))
    }

    fn of(
        registry: Arc<Registry>,
        controllers: Arc<Controllers>,
        tokens: Tokens,
        authority: Arc<Authority>,
    ) -> Self {
        let options = registry.options();
        let shared = Shared {
            registry,
            controllers,
            tokens: Arc::new(tokens),
            authority,
            works: options.collects || options.bootstraps,
            running: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub(super) fn downgrade(&self) -> WeakStorage {
        WeakStorage(Arc::downgrade(&self.shared))
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

    /// Starts the controllers on the current runtime, unless they are running.
    pub(super) fn run(&self) {
        let mut running = self.shared.running();
        if self.shared.works && running.as_ref().is_none_or(JoinHandle::is_finished) {
            let (controllers, registry) = (Arc::clone(self.controllers()), Arc::clone(self.registry()));
            *running = Some(tokio::spawn(controllers.run(registry)));
        }
    }

    /// Stops the controllers if this is the last handle on the storage. The returned task completes when they have
    /// stopped.
    pub(super) fn stop_if_last(&self) -> Option<JoinHandle<()>> {
        if Arc::strong_count(&self.shared) > 1 {
            return None;
        }
        let running = self.shared.running().take();
        running.inspect(JoinHandle::abort)
    }
}

/// A storage that ends with its servers.
#[derive(Clone, Debug)]
pub(super) struct WeakStorage(Weak<Shared>);

impl WeakStorage {
    /// The storage, as long as there is another handle.
    pub(super) fn upgrade(&self) -> Option<Storage> {
        self.0.upgrade().map(|shared| Storage { shared })
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
