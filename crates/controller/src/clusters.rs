//! [`Clusters`]: several clusters in one manager.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_cache::{InformerState, Pools};
use client_rs_machinery::{ObjectKey, Str};
use futures_util::future::join_all;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::ClusterClient;

/// An object in one of several clusters: a key of a [`KeyedController`](crate::KeyedController).
///
/// ```
/// use client_rs_controller::ClusterKey;
/// use client_rs_machinery::ObjectKey;
///
/// let key = ClusterKey::new("edge-1", ObjectKey::new("shop", "web"));
/// assert_eq!(key.to_string(), "edge-1:shop/web");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterKey {
    /// The name of the cluster in [`Clusters`].
    pub cluster: Str,
    /// The object.
    pub key: ObjectKey,
}

impl ClusterKey {
    /// The key of an object in a cluster.
    pub fn new(cluster: impl Into<Str>, key: ObjectKey) -> Self {
        Self { cluster: cluster.into(), key }
    }
}

impl fmt::Display for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.cluster, self.key)
    }
}

/// The clusters of a program, by name. They may join and leave while it runs.
///
/// Use it for controllers that work on many clusters: [`Manager::clusters`](crate::Manager::clusters) runs their informers, and a
/// [`KeyedController`](crate::KeyedController) has keys with a cluster. The manager's own factory is that of one more cluster, in which
/// the program is elected.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_controller::{
///     Action, ClusterClient, ClusterKey, Clusters, Context, KeyedController, KeyedOptions,
/// };
/// use client_rs_machinery::{Object, Str};
/// # use client_rs_apiserver::{Server, ServerOptions};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
/// # let rest = server.rest_client()?;
/// let edges = Clusters::new();
/// let options = KeyedOptions::default().with_wait_for_sync(false); // A cluster may be down.
/// let controller = KeyedController::with_options(
///     "maps",
///     |key: ClusterKey, _: Context| async move {
///         println!("{key} has changed");
///         Ok(Action::done())
///     },
///     options,
/// );
/// let own = controller.clone();
/// // For each cluster, now or later. The watch is dropped when the cluster leaves.
/// edges.for_each(move |name, client| {
///     let name = Str::from(name);
///     own.watch(&client.informer::<ConfigMap>(), move |map| [ClusterKey::new(name.clone(), map.key())]).ok()
/// });
/// edges.join("edge-1", ClusterClient::from_rest("maps", rest))?;
/// assert!(edges.get("edge-1").is_some() && edges.join("edge-1", edges.get("edge-1").unwrap()).is_err());
/// assert!(edges.leave("edge-1").await);
/// # Ok(())
/// # }
/// ```
///
/// - **A cluster that is down** affects only its own caches: they retry. Its informers are not synced, which the ready check `clusters`
///   and [`state`](Self::state) report. Set [`ClusterOptions::sync_timeout`](crate::ClusterOptions::sync_timeout) to zero, so that runs
///   of its keys fail at once and are retried, instead of occupying the workers.
/// - **Leaving** ends the watches and the informers of the cluster. Keys of it may still be in a queue, and runs in progress may hold its
///   client: [`get`](Self::get) returns `None` from then on, so a reconcile function has nothing to do for such a key.
/// - A cheap handle; clones are the same clusters. The functions and clients are kept until [`shutdown`](Self::shutdown).
#[derive(Clone, Default)]
pub struct Clusters(Arc<Mutex<Known>>, Pools);

#[derive(Default)]
struct Known {
    clusters: BTreeMap<Str, Joined>,
    hooks: Vec<Hook>,
    running: bool,
}

struct Joined {
    client: ClusterClient,
    /// The results of the hooks.
    guards: Vec<Guard>,
}

type Guard = Box<dyn Any + Send + Sync>;
type Hook = Arc<dyn Fn(&str, &ClusterClient) -> Guard + Send + Sync>;

/// A cluster of this name has joined already.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cluster {0:?} has joined already: let it leave first, or choose another name")]
pub struct ClusterExists(pub String);

/// A snapshot of a cluster; `/debug/state` of a manager shows it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ClusterState {
    /// Whether all of its informers have their first list.
    pub synced: bool,
    /// Why an informer has ended, if one has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The informers.
    pub informers: Vec<InformerState>,
}

impl Clusters {
    /// No clusters.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decode pools for all of these clusters, so that alike objects of different clusters share their memory. They are used by clients that are made with
    /// them:
    ///
    /// ```
    /// use client_rs_cache::FactoryOptions;
    /// use client_rs_controller::{ClusterOptions, Clusters};
    ///
    /// let edges = Clusters::new();
    /// let caches = FactoryOptions::default().with_pools(edges.pools());
    /// let options = ClusterOptions::default().with_factory(caches); // for `ClusterClient::from_rest_with`
    /// # drop(options);
    /// ```
    pub fn pools(&self) -> Pools {
        self.1.clone()
    }

    /// Adds a cluster. The functions of [`for_each`](Self::for_each) are called for it; then its informers start, if the manager runs.
    ///
    /// # Errors
    ///
    /// [`ClusterExists`] if the name is taken.
    pub fn join(&self, name: impl Into<Str>, client: ClusterClient) -> Result<(), ClusterExists> {
        let (name, joined) = (name.into(), client.clone());
        let hooks = {
            let mut known = self.lock();
            if known.clusters.contains_key(&name) {
                return Err(ClusterExists(name.to_string()));
            }
            known.clusters.insert(name.clone(), Joined { client, guards: Vec::new() });
            known.hooks.clone()
        };
        // Outside the lock: a function may read the clusters.
        let guards: Vec<Guard> = hooks.iter().map(|hook| hook(&name, &joined)).collect();
        self.keep(&name, &joined, guards);
        tracing::info!(cluster = %name, "a cluster has joined");
        Ok(())
    }

    /// Removes a cluster: drops the results of the functions, stops its informers, and delivers its last events. Returns whether it was
    /// there, when that is done.
    ///
    /// Cancellation: dropping the future does not change that the cluster leaves.
    pub async fn leave(&self, name: &str) -> bool {
        let left = self.lock().clusters.remove(name);
        let Some(Joined { client, guards }) = left else { return false };
        drop(guards);
        tracing::info!(cluster = name, "a cluster has left");
        end(&client).await;
        true
    }

    /// Calls a function for each cluster: at once for those that have joined, and later for each that joins. Its result, such as a
    /// [`AddedWatch`](crate::AddedWatch), is dropped when the cluster leaves.
    pub fn for_each<G: Send + Sync + 'static>(
        &self,
        each: impl Fn(&str, &ClusterClient) -> G + Send + Sync + 'static,
    ) {
        let hook: Hook = Arc::new(move |name, client| Box::new(each(name, client)));
        let joined: Vec<(Str, ClusterClient)> = {
            let mut known = self.lock();
            known.hooks.push(Arc::clone(&hook));
            known.clusters.iter().map(|(name, joined)| (name.clone(), joined.client.clone())).collect()
        };
        for (name, client) in joined {
            let guard = hook(&name, &client);
            self.keep(&name, &client, vec![guard]);
        }
    }

    /// Keeps guards of a cluster, unless it has left in the meantime, and starts its informers.
    fn keep(&self, name: &str, client: &ClusterClient, guards: Vec<Guard>) {
        let mut known = self.lock();
        let running = known.running;
        match known.clusters.get_mut(name) {
            Some(joined) if joined.client.is_same(client) => joined.guards.extend(guards),
            _ => {
                drop(known);
                return drop(guards);
            }
        }
        drop(known);
        if running {
            client.factory().start();
        }
    }

    /// Returns the client of a cluster; `None` if it has not joined, or has left.
    pub fn get(&self, name: &str) -> Option<ClusterClient> {
        self.lock().clusters.get(name).map(|joined| joined.client.clone())
    }

    /// The names of the clusters, sorted.
    pub fn names(&self) -> Vec<Str> {
        self.lock().clusters.keys().cloned().collect()
    }

    /// Returns the states of the clusters, by name.
    pub fn state(&self) -> BTreeMap<String, ClusterState> {
        let clients: Vec<(Str, ClusterClient)> = {
            let known = self.lock();
            known.clusters.iter().map(|(name, joined)| (name.clone(), joined.client.clone())).collect()
        };
        let state = |client: &ClusterClient| {
            let informers = client.factory().state();
            ClusterState {
                synced: informers.iter().all(|informer| informer.synced),
                failure: client.factory().informers().failure().map(|failed| failed.to_string()),
                informers,
            }
        };
        clients.into_iter().map(|(name, client)| (name.to_string(), state(&client))).collect()
    }

    /// The ready check: every informer of every cluster has its first list, and runs.
    ///
    /// # Errors
    ///
    /// A text that names the clusters.
    pub fn ready(&self) -> Result<(), String> {
        let late = self.state().into_iter().filter_map(|(name, state)| {
            let why = state.failure.or_else(|| {
                let late = state.informers.iter().filter(|informer| !informer.synced);
                let names: Vec<&str> = late.map(|informer| informer.name.as_str()).collect();
                (!names.is_empty()).then(|| format!("no first list of {}", names.join(", ")))
            })?;
            Some(format!("{name}: {why}"))
        });
        let late: Vec<String> = late.collect();
        if late.is_empty() { Ok(()) } else { Err(late.join("; ")) }
    }

    /// Runs the informers of all clusters until `stop` is cancelled, and then [shuts down](Self::shutdown).
    /// [`Manager::clusters`](crate::Manager::clusters) calls it.
    pub async fn run(&self, stop: CancellationToken) {
        let clients: Vec<ClusterClient> = {
            let mut known = self.lock();
            known.running = true;
            known.clusters.values().map(|joined| joined.client.clone()).collect()
        };
        for client in clients {
            client.factory().start();
        }
        stop.cancelled().await;
        self.shutdown().await;
    }

    /// Lets all clusters leave, and drops the functions.
    pub async fn shutdown(&self) {
        let Known { clusters, hooks, .. } = std::mem::take(&mut *self.lock());
        drop(hooks);
        let ends = clusters.into_values().map(|Joined { client, guards }| async move {
            drop(guards);
            end(&client).await;
        });
        join_all(ends).await;
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn end(client: &ClusterClient) {
    client.factory().shutdown().await;
    client.shutdown_events().await;
}

impl fmt::Debug for Clusters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clusters").field(&self.names()).finish()
    }
}
