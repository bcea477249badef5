//! [`InformerFactory`]: one informer a type, however often it is asked for.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::{GroupVersionResource, Object};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cache_sync::{HasSynced, NotSynced, wait_for_cache_sync};
use crate::{BoxFuture, InformerState, SharedInformer};

/// How an [`InformerFactory`] is made.
#[derive(Clone, Debug, Default)]
pub struct FactoryOptions {
    /// The resync period of informers. Default: zero, never.
    pub resync_period: Duration,
    /// Resync periods of certain types, by [`TypeId::of`]. Default: none.
    pub resync_periods: HashMap<TypeId, Duration>,
}

/// Informers, one a type, started and stopped together.
///
/// The generated accessors (`factory.core().v1().pods()`) are built on it. A cheap handle; clones are the same
/// factory. Dropping the last one stops its informers without waiting.
#[derive(Clone)]
pub struct InformerFactory {
    inner: Arc<Inner>,
}

struct Inner {
    options: FactoryOptions,
    state: Mutex<State>,
    cancel: CancellationToken,
    tasks: TaskTracker,
}

#[derive(Default)]
struct State {
    informers: HashMap<Key, Entry>,
    /// In the order in which they were first asked for.
    order: Vec<Key>,
    shut_down: bool,
}

/// What an informer is of: a type, or for types that serve many resources a type and a resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: TypeId,
    resource: Option<GroupVersionResource>,
}

struct Entry {
    informer: Arc<dyn AnyInformer>,
    typed: Box<dyn Any + Send + Sync>,
    started: bool,
}

/// An informer of whatever type.
pub trait AnyInformer: HasSynced {
    /// Runs it; see [`SharedInformer::run`].
    fn run_any(&self, cancel: CancellationToken) -> BoxFuture<'static, ()>;
    /// How it is doing.
    fn state(&self) -> InformerState;
}

impl<K: Object> AnyInformer for SharedInformer<K> {
    fn run_any(&self, cancel: CancellationToken) -> BoxFuture<'static, ()> {
        let informer = self.clone();
        Box::pin(async move {
            // It was started elsewhere: then that is where it is stopped.
            if let Err(error) = informer.run(cancel).await {
                tracing::warn!(informer = informer.name(), %error, "not started by the factory");
            }
        })
    }

    fn state(&self) -> InformerState {
        Self::state(self)
    }
}

impl InformerFactory {
    /// A factory without informers.
    pub fn new(options: FactoryOptions) -> Self {
        Self {
            inner: Arc::new(Inner {
                options,
                state: Mutex::default(),
                cancel: CancellationToken::new(),
                tasks: TaskTracker::new(),
            }),
        }
    }

    /// The informer of a type: made, with the resync period it is to have, the first time it is asked for.
    ///
    /// Asking is what registers it: [`start`](Self::start) starts those that were asked for.
    pub fn informer_for<K: Object>(
        &self,
        make: impl FnOnce(Duration) -> SharedInformer<K>,
    ) -> SharedInformer<K> {
        self.informer(Key { kind: TypeId::of::<K>(), resource: None }, make)
    }

    /// The informer of a resource, for types that stand for many: dynamic objects and bare metadata.
    pub fn for_resource<K: Object>(
        &self,
        resource: GroupVersionResource,
        make: impl FnOnce(Duration) -> SharedInformer<K>,
    ) -> SharedInformer<K> {
        self.informer(Key { kind: TypeId::of::<K>(), resource: Some(resource) }, make)
    }

    /// Starts the informers that are not started yet, on the current runtime. To be called again after more
    /// were asked for; does nothing once the factory is shut down.
    pub fn start(&self) {
        let mut state = self.lock();
        if state.shut_down {
            return;
        }
        for entry in state.informers.values_mut().filter(|entry| !entry.started) {
            entry.started = true;
            self.inner.tasks.spawn(entry.informer.run_any(self.inner.cancel.clone()));
        }
    }

    /// Waits until every started informer has synced: for each its name and whether it has. Ends early, with
    /// what there is, when the factory is shut down.
    pub async fn wait_for_cache_sync(&self) -> BTreeMap<String, bool> {
        let started: Vec<_> = {
            let state = self.lock();
            let entries = state.order.iter().map(|key| &state.informers[key]);
            entries.filter(|entry| entry.started).map(|entry| entry.informer.clone()).collect()
        };
        let caches = started.iter().map(|informer| &**informer as &dyn HasSynced);
        let late = match wait_for_cache_sync(&self.inner.cancel, caches).await {
            Ok(()) => Vec::new(),
            Err(NotSynced { names }) => names,
        };
        let synced = |informer: &Arc<dyn AnyInformer>| {
            let name = informer.sync_name().to_owned();
            let synced = !late.contains(&name);
            (name, synced)
        };
        started.iter().map(synced).collect()
    }

    /// Stops all informers and waits until each has ended: no task of theirs is left, except for handlers
    /// that don't return (see [`InformerOptions::handler_grace`](crate::InformerOptions::handler_grace)).
    pub async fn shutdown(&self) {
        self.lock().shut_down = true;
        self.inner.cancel.cancel();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// How all informers are doing, in the order in which they were first asked for.
    pub fn state(&self) -> Vec<InformerState> {
        let informers: Vec<_> = {
            let state = self.lock();
            state.order.iter().map(|key| state.informers[key].informer.clone()).collect()
        };
        informers.iter().map(|informer| informer.state()).collect()
    }

    fn informer<K: Object>(
        &self,
        key: Key,
        make: impl FnOnce(Duration) -> SharedInformer<K>,
    ) -> SharedInformer<K> {
        let mut state = self.lock();
        let known =
            state.informers.get(&key).and_then(|entry| entry.typed.downcast_ref::<SharedInformer<K>>());
        if let Some(known) = known {
            return known.clone();
        }
        let options = &self.inner.options;
        let informer = make(options.resync_periods.get(&key.kind).copied().unwrap_or(options.resync_period));
        let entry =
            Entry { informer: Arc::new(informer.clone()), typed: Box::new(informer.clone()), started: false };
        state.informers.insert(key.clone(), entry);
        state.order.push(key);
        informer
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for InformerFactory {
    fn default() -> Self {
        Self::new(FactoryOptions::default())
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl fmt::Debug for InformerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InformerFactory({} informers)", self.lock().order.len())
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::meta::v1::PartialObjectMetadata;

    use super::*;
    use crate::fake_server::{FakeServer, ListFault};
    use crate::fixtures::TestObject;
    use crate::{HandlerFns, HandlerOptions, InformerOptions, ListWatch};

    fn made(server: &FakeServer, name: &str) -> SharedInformer<TestObject> {
        let options =
            InformerOptions { name: Some(name.into()), watch_list: false, ..InformerOptions::default() };
        SharedInformer::new(server.clone(), options)
    }

    fn resource(plural: &str) -> GroupVersionResource {
        GroupVersionResource::new("test", "v1", plural)
    }

    #[tokio::test(start_paused = true)]
    async fn one_informer_a_type_however_often_it_is_asked_for() {
        let server = FakeServer::with(&["a"]);
        let options = FactoryOptions {
            resync_period: Duration::from_secs(30),
            resync_periods: HashMap::from([(TypeId::of::<PartialObjectMetadata>(), Duration::from_secs(5))]),
        };
        let factory = InformerFactory::new(options);
        let first = factory.informer_for(|period| {
            assert_eq!(period, Duration::from_secs(30));
            made(&server, "first")
        });
        let second = factory.informer_for::<TestObject>(|_| unreachable!("there is one"));
        assert_eq!(second.name(), first.name());
        let source: Arc<dyn ListWatch<PartialObjectMetadata>> = Arc::new(crate::list_watch(
            |_| std::future::pending::<Result<crate::Page<PartialObjectMetadata>, _>>(),
            |_| std::future::pending::<Result<crate::WatchStream<PartialObjectMetadata>, _>>(),
        ));
        factory.informer_for(|period| {
            assert_eq!(period, Duration::from_secs(5));
            SharedInformer::new(source, InformerOptions::default())
        });
        let things = factory.for_resource(resource("things"), |_| made(&server, "things"));
        let others = factory.for_resource(resource("others"), |_| made(&server, "others"));
        factory.for_resource::<TestObject>(resource("things"), |_| unreachable!("there is one"));
        assert_ne!(things.name(), others.name());
        let names: Vec<_> = factory.state().into_iter().map(|state| state.name).collect();
        assert_eq!(names, ["first", "PartialObjectMetadata", "things", "others"]);
    }

    #[tokio::test(start_paused = true)]
    async fn starts_what_was_asked_for_and_leaves_no_task_behind() {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let server = FakeServer::with(&["a"]);
        let factory = InformerFactory::default();
        let one = factory.for_resource(resource("one"), |_| made(&server, "one"));
        one.add_handler(HandlerFns::new(), HandlerOptions::default()).unwrap();
        factory.start();
        factory.start();
        assert_eq!(factory.wait_for_cache_sync().await, BTreeMap::from([("one".into(), true)]));
        let two = factory.for_resource(resource("two"), |_| made(&server, "two"));
        assert_eq!(factory.wait_for_cache_sync().await.len(), 1, "only what is started is waited for");
        assert!(!two.has_started());
        factory.start();
        assert!(factory.wait_for_cache_sync().await.values().all(|synced| *synced));
        assert_eq!(server.requests().len(), 4, "each was started once");
        factory.shutdown().await;
        assert!(one.is_stopped() && two.is_stopped());
        assert_eq!((tasks(), server.open_watches()), (0, 0));
        let late = factory.for_resource(resource("late"), |_| made(&server, "late"));
        factory.start();
        factory.shutdown().await;
        assert!(!late.has_started());
    }

    #[tokio::test(start_paused = true)]
    async fn a_cache_that_never_syncs_is_told_apart() {
        let server = FakeServer::with(&["a"]);
        server.list_fault(ListFault::Hangs);
        let factory = InformerFactory::default();
        factory.for_resource(resource("one"), |_| made(&server, "one"));
        factory.start();
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        factory.for_resource(resource("two"), |_| made(&server, "two"));
        factory.start();
        let stopping = factory.clone();
        let stop = async {
            tokio::time::sleep(Duration::from_mins(1)).await;
            stopping.shutdown().await;
        };
        let (synced, ()) = tokio::join!(factory.wait_for_cache_sync(), stop);
        assert_eq!(synced, BTreeMap::from([("one".into(), false), ("two".into(), true)]));
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_the_factory_stops_its_informers() {
        let server = FakeServer::with(&["a"]);
        let factory = InformerFactory::default();
        let informer = factory.informer_for(|_| made(&server, "one"));
        factory.start();
        factory.wait_for_cache_sync().await;
        drop(factory);
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(informer.is_stopped());
    }
}
