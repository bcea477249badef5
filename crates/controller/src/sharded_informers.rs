//! [`ShardedInformers`]: the caches of the shards that a replica holds.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::{RunningInformer, SharedInformer};
use client_rs_informers::RestListWatch;
use client_rs_leaderelection::sharding::Shards;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Object, ObjectKey};
use tokio_util::sync::CancellationToken;

/// How long after a failure the server is asked again whether it selects shards: at first, and at most.
const ASK_AGAIN: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// The cached objects of the shards that this replica holds: each replica's cache has a part of the objects.
///
/// Use it with a [`KeyedController`](crate::KeyedController) whose keys are [sharded](crate::KeyedOptions::shards)
/// [by namespace](client_rs_leaderelection::sharding::ShardBy::Namespace). A server with KEP-5866 (`ShardedListAndWatch`) sends only the objects of a shard: there is one
/// informer per held shard, which starts when the shard arrives and ends when it leaves. With another server, or with shards by key, there is one
/// informer of all objects.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_client::RestClient;
/// use client_rs_controller::{Action, Context, KeyShards, KeyedController, KeyedOptions, ShardedInformers};
/// use client_rs_informers::RestListWatch;
/// use client_rs_leaderelection::sharding::{Replica, ShardBy, ShardingError, ShardingOptions};
/// use client_rs_machinery::{Object, ObjectKey};
///
/// fn start(rest: &RestClient, identity: &str) -> Result<(Replica, KeyedController<ObjectKey>), ShardingError> {
///     let options = ShardingOptions::new("shop", "maps", 16, identity).with_by(ShardBy::Namespace);
///     let replica = Replica::start(rest.clone(), options)?;
///     let caches = ShardedInformers::new(RestListWatch::<ConfigMap>::new(rest.clone()), replica.shards());
///     let reads = caches.clone();
///     let reconcile = move |key: ObjectKey, _: Context| {
///         let found = reads.get(&key);
///         async move {
///             match found? {
///                 Some(map) => println!("{key} has {} entries", map.data.len()),
///                 None => println!("{key} is gone"),
///             }
///             Ok(Action::done())
///         }
///     };
///     let options = KeyedOptions::default().with_shards(KeyShards::from(replica.shards()));
///     let controller = KeyedController::with_options("maps", reconcile, options);
///     let own = controller.clone();
///     caches.for_each(move |informer| own.watch(informer, |map| [map.key()]).ok());
///     tokio::spawn(caches.run(Default::default())); // or a runnable of a manager
///     Ok((replica, controller))
/// }
/// ```
///
/// - **Ownership** is that of the shards' Leases, on every server: this decides only which objects are cached. Replicas that disagree on whether
///   the server selects shards work on disjoint keys all the same.
/// - **A missing object is not a deleted one**: [`get`](Self::get) fails until the cache of the key's shard has its first list, so that no run takes an object
///   for deleted that has not arrived.
/// - **Handlers** see an object as added when its shard arrives. When a shard leaves, its objects disappear without a notification.
/// - **Own writes** are not waited for.
/// - A cheap handle; clones are the same caches.
pub struct ShardedInformers<K: Object>(Arc<Inner<K>>);

struct Inner<K: Object> {
    source: RestListWatch<K>,
    shards: Shards,
    state: Mutex<State<K>>,
}

struct State<K: Object> {
    hooks: Vec<Hook<K>>,
    /// The informers of shards, or one of all objects without a number.
    open: BTreeMap<Option<u32>, Open<K>>,
}

struct Open<K: Object> {
    informer: SharedInformer<K>,
    /// The results of the hooks.
    guards: Vec<Guard>,
}

type Guard = Box<dyn Any + Send + Sync>;
type Hook<K> = Arc<dyn Fn(&SharedInformer<K>) -> Guard + Send + Sync>;

/// The cache of a key's shard has not been filled: this replica does not hold the shard, or has held it for a moment only.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cache of the shard of {key} is not filled yet, or another replica holds the shard")]
#[non_exhaustive]
pub struct NotCovered {
    /// The key.
    pub key: ObjectKey,
}

impl<K: Object + Payload> ShardedInformers<K> {
    /// Caches of the objects of a source, for these shards. Nothing is cached until [`run`](Self::run).
    pub fn new(source: RestListWatch<K>, shards: Shards) -> Self {
        let state = Mutex::new(State { hooks: Vec::new(), open: BTreeMap::new() });
        Self(Arc::new(Inner { source, shards, state }))
    }

    /// Calls a function for each informer: at once for those that exist, and later for each that starts. Its result, such as an
    /// [`AddedWatch`](crate::AddedWatch), is dropped when the informer ends. The functions are kept until [`run`](Self::run) ends.
    pub fn for_each<G: Send + Sync + 'static>(
        &self,
        each: impl Fn(&SharedInformer<K>) -> G + Send + Sync + 'static,
    ) {
        let hook: Hook<K> = Arc::new(move |informer| Box::new(each(informer)));
        let informers: Vec<_> = {
            let mut state = self.0.lock();
            state.hooks.push(Arc::clone(&hook));
            state.open.iter().map(|(shard, open)| (*shard, open.informer.clone())).collect()
        };
        // Outside the lock: a function may read the caches.
        for (shard, informer) in informers {
            self.0.keep(shard, vec![hook(&informer)]);
        }
    }

    /// Returns a cached object; `None` if the server has none of this name.
    ///
    /// # Errors
    ///
    /// [`NotCovered`] if the cache of its shard does not have its first list.
    pub fn get(&self, key: &ObjectKey) -> Result<Option<Arc<K>>, NotCovered> {
        let informer = {
            let state = self.0.lock();
            let open = state.open.get(&None).or_else(|| state.open.get(&Some(self.0.shards.of(key))));
            open.map(|open| open.informer.clone())
        };
        match informer.filter(SharedInformer::has_synced) {
            Some(informer) => Ok(informer.indexer().get(key)),
            None => Err(NotCovered { key: key.clone() }),
        }
    }

    /// The informers: one per held shard, or one of all objects.
    pub fn informers(&self) -> Vec<SharedInformer<K>> {
        self.0.lock().open.values().map(|open| open.informer.clone()).collect()
    }

    /// Runs the informers until `stop` is cancelled. Run it once. Dropping the future ends them too.
    pub async fn run(self, stop: CancellationToken) {
        let inner = &*self.0;
        let _closing = Closing(inner);
        let Some(selected) = stop.run_until_cancelled(inner.server_selects()).await else { return };
        if !selected {
            let _running = inner.open(None, inner.source.clone());
            return stop.cancelled().await;
        }
        let mut running: BTreeMap<u32, RunningInformer> = BTreeMap::new();
        let mut changes = inner.shards.held();
        loop {
            let held = changes.borrow_and_update().clone();
            let gone: Vec<u32> = running.keys().filter(|shard| !held.contains(shard)).copied().collect();
            for shard in gone {
                inner.close(shard);
                running.remove(&shard);
            }
            for shard in held {
                if !running.contains_key(&shard)
                    && let Some(selector) = inner.shards.selector([shard])
                {
                    running.insert(shard, inner.open(Some(shard), inner.source.clone().shard(selector)));
                }
            }
            tokio::select! {
                () = stop.cancelled() => return,
                // The replica may leave first: then it holds no shard.
                outcome = changes.changed() => if outcome.is_err() { return stop.cancelled().await },
            }
        }
    }
}

impl<K: Object + Payload> Inner<K> {
    /// Whether the server sends the objects of a shard alone. Asks until it has a response.
    async fn server_selects(&self) -> bool {
        let Some(selector) = self.shards.selector([0]) else { return false };
        let (mut pause, most) = ASK_AGAIN;
        loop {
            match self.source.selects_shards(&selector).await {
                Ok(selected) => return selected,
                Err(error) => {
                    tracing::warn!(%error, "can't find out whether the server selects shards; asking again in {pause:?}");
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(most);
                }
            }
        }
    }

    fn open(&self, shard: Option<u32>, source: RestListWatch<K>) -> RunningInformer {
        let informer = SharedInformer::new(source);
        let hooks = {
            let mut state = self.lock();
            state.open.insert(shard, Open { informer: informer.clone(), guards: Vec::new() });
            state.hooks.clone()
        };
        let guards = hooks.iter().map(|hook| hook(&informer)).collect();
        self.keep(shard, guards);
        informer.spawn()
    }

    fn close(&self, shard: u32) {
        let closed = self.lock().open.remove(&Some(shard));
        // The guards may do anything: not under the lock.
        drop(closed);
    }
}

impl<K: Object> Inner<K> {
    /// Keeps guards of an informer, unless it has ended in the meantime. A shard that left and came back in the meantime gets
    /// them although they belong to the informer before: they end with it.
    fn keep(&self, shard: Option<u32>, guards: Vec<Guard>) {
        let mut state = self.lock();
        if let Some(open) = state.open.get_mut(&shard) {
            return open.guards.extend(guards);
        }
        drop(state);
        drop(guards);
    }

    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes all informers and functions when the run ends: a function may hold a controller that holds these caches.
struct Closing<'a, K: Object>(&'a Inner<K>);

impl<K: Object> Drop for Closing<'_, K> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        let (open, hooks) = (std::mem::take(&mut state.open), std::mem::take(&mut state.hooks));
        drop(state);
        drop((open, hooks));
    }
}

impl<K: Object> Clone for ShardedInformers<K> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K: Object> fmt::Debug for ShardedInformers<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shards: Vec<Option<u32>> = self.0.lock().open.keys().copied().collect();
        f.debug_struct("ShardedInformers").field("source", &self.0.source).field("open", &shards).finish()
    }
}
