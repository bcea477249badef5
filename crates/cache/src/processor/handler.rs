//! Handlers: the code of a program that reacts to changed objects.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::Notification;
use super::notification::Passage;
use crate::Deleted;

/// Is notified of every change of a cache, one after the other.
///
/// One function gets everything, as a [`Notification`]. A closure that takes a `&Notification<K>` is a handler
/// too. For three functions, as in client-go, use [`HandlerFns`]; for async code [`AsyncEventHandler`] or a
/// [`Subscription`](crate::Subscription). A handler of a controller should only enqueue keys
/// ([`HandlerOptions::enqueueing`]).
///
/// ```
/// use client_rs_cache::{EventHandler, Notification};
/// use client_rs_machinery::{Object, Unstructured};
///
/// struct Print;
///
/// impl<K: Object> EventHandler<K> for Print {
///     fn handle(&self, notification: &Notification<K>) {
///         match notification {
///             Notification::Added { object, .. } => println!("added {}", object.key()),
///             Notification::Updated { new, .. } => println!("updated {}", new.key()),
///             Notification::Deleted(deleted) => println!("deleted {}", deleted.key()),
///         }
///     }
/// }
/// # fn is_handler(_: impl EventHandler<Unstructured>) {}
/// # is_handler(Print);
/// # is_handler(|notification: &Notification<Unstructured>| println!("{notification:?}"));
/// ```
///
/// - **Order**: for each key the order of the server. Calls never overlap.
/// - **Store first**: when a handler is called, the cache already shows that state or a later one.
/// - **Blocking**: allowed, unless it was added as [`Execution::Inline`]. A slow handler delays only itself: its notifications wait
///   in a queue of its own (see [`Delivery`]). One that runs inline delays its informer, and with it the other handlers.
/// - **Memory**: a notification is borrowed. Objects are shared with the cache: keeping one costs a pointer,
///   and keeps the object alive.
/// - **Panics** are caught, counted and logged. The next call comes a second later. The notification that
///   caused the panic is not repeated.
/// - **Cancellation**: after a handler is removed or its informer stops, it gets no further call. A call in
///   progress runs to its end. Then the handler is dropped, without a lock of the informer.
/// - **Not promised**: one call per change on the server. An interrupted watch, a relist and a handler that
///   lags all show several changes as one.
pub trait EventHandler<K: ?Sized>: Send + Sync + 'static {
    /// Handles a change.
    fn handle(&self, notification: &Notification<K>);
}

impl<K: ?Sized, F: Fn(&Notification<K>) + Send + Sync + 'static> EventHandler<K> for F {
    fn handle(&self, notification: &Notification<K>) {
        self(notification);
    }
}

impl<K: ?Sized, H: EventHandler<K> + ?Sized> EventHandler<K> for Arc<H> {
    fn handle(&self, notification: &Notification<K>) {
        (**self).handle(notification);
    }
}

/// An async handler. It has the contract of [`EventHandler`]; the next call comes when the future of the last
/// one has ended. A closure from a [`Notification`] to a future is such a handler.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::{AsyncEventHandler, MemoryListWatch, Notification, SharedInformer};
/// use tokio::sync::mpsc::Sender;
///
/// struct Send(Sender<String>);
///
/// impl AsyncEventHandler<PartialObjectMetadata> for Send {
///     async fn handle(&self, notification: Notification<PartialObjectMetadata>) {
///         let _ = self.0.send(notification.key().to_string()).await;
///     }
/// }
/// # let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
///
/// let (sender, mut keys) = tokio::sync::mpsc::channel(8);
/// let informer = SharedInformer::new(source);
/// informer.add_async_handler(Send(sender))?;
/// let running = informer.spawn();
/// assert_eq!(keys.recv().await.as_deref(), Some("default/web"));
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
pub trait AsyncEventHandler<K>: Send + Sync + 'static {
    /// Handles a change.
    fn handle(&self, notification: Notification<K>) -> impl Future<Output = ()> + Send;
}

impl<K, F, Fut> AsyncEventHandler<K> for F
where
    F: Fn(Notification<K>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send,
{
    fn handle(&self, notification: Notification<K>) -> impl Future<Output = ()> + Send {
        self(notification)
    }
}

client_rs_machinery::options! {
    /// The options of a handler.
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_cache::{Delivery, HandlerOptions};
    ///
    /// let options = HandlerOptions::default()
    ///     .with_name("count every event")
    ///     .with_delivery(Delivery::EveryEvent)
    ///     .with_resync_period(Duration::ZERO);
    /// assert_eq!(options.delivery, Delivery::EveryEvent);
    /// ```
    #[derive(Clone, Debug)]
    pub struct HandlerOptions {
        /// The name in logs, metrics and the state dump. Default: `handler-` and a number.
        pub name: Option<String> => with_name,
        /// How often it gets all objects again. Zero: never. `None`: the period of the informer. Values below a
        /// second count as a second. Once the informer runs, the period cannot be shorter than that of the
        /// informer. Default: `None`.
        pub resync_period: Option<Duration> => with_resync_period,
        /// How notifications are delivered when it lags. Default: [`Delivery::coalesced`].
        pub delivery: Delivery => with_delivery,
        /// Where a handler that is not async runs. Default: [`Execution::Blocking`].
        pub execution: Execution => with_execution,
    }
}

impl HandlerOptions {
    /// The options for a handler that only puts keys into a work queue: every event, on the task of the informer. The handler must not
    /// block. See [`Delivery::Paced`].
    ///
    /// ```
    /// # use client_rs_cache::{Delivery, Execution, HandlerOptions};
    /// let options = HandlerOptions::enqueueing();
    /// assert_eq!((options.delivery, options.execution), (Delivery::paced(), Execution::Inline));
    /// ```
    pub fn enqueueing() -> Self {
        Self { delivery: Delivery::paced(), execution: Execution::Inline, ..Self::default() }
    }
}

impl Default for HandlerOptions {
    fn default() -> Self {
        Self {
            name: None,
            resync_period: None,
            delivery: Delivery::coalesced(),
            execution: Execution::Blocking,
        }
    }
}

/// How notifications are delivered to a handler that lags.
///
/// - [`Coalesced`](Self::Coalesced), the default: bounded memory, and no effect on others. For most handlers.
/// - [`Paced`](Self::Paced): every event in bounded memory, with backpressure on the informer. For handlers
///   that enqueue keys.
/// - [`EveryEvent`](Self::EveryEvent): every event in unbounded memory. For handlers that count.
///
/// A handler with a filter, a mapping or a comparison of old and new reaches the same final knowledge in every
/// mode, regardless of how far it lagged.
///
///
/// ```
/// # use client_rs_cache::Delivery;
/// assert_eq!(Delivery::coalesced(), Delivery::Coalesced { limit: 1024 });
/// assert_eq!(Delivery::paced(), Delivery::Paced { limit: 1024 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delivery {
    /// Every event while at most `limit` wait. Beyond that, events are merged per key. Intermediate states are
    /// skipped, but never the state of the last notification to the handler (it is the `old` of the next
    /// update), and never the last state before a deletion:
    ///
    /// | pending | next | becomes |
    /// |---|---|---|
    /// | Added(a) | Updated(a→b) | Added(b), initial if Added(a) was |
    /// | Added(a) | Deleted(a) | nothing: the handler never saw the object |
    /// | Updated(a→b) | Updated(b→c) | Updated(a→c) |
    /// | Updated(a→b) | Deleted(b) | both: a filter may have passed `a` and not `b` |
    /// | Updated(a→a), a resync or a relist without a change | Deleted(a) | Deleted(a) |
    /// | Deleted(a) | Added(b), with any UID | both |
    ///
    /// Here a resync counts as an update, and an object that is missing in a list (a
    /// [`Deleted::FinalStateUnknown`]) as a deletion. An addition keeps its mark as initial or not.
    ///
    /// - **Memory**: `limit` events, and beyond that at most three (an update, a deletion, an addition) for
    ///   each key that exists or that the handler knows. An event is a few words; the objects are shared.
    /// - **Not for handlers that map objects to keys of other objects**, as controllers do for a work queue: an
    ///   addition and its deletion cancel each other out, and an intermediate state may name keys that neither
    ///   the first nor the last state names. The cache is ahead of its handlers, so a reconciler may have seen
    ///   that state there. Such handlers use [`Paced`](Self::Paced).
    Coalesced {
        /// How many events may wait unmerged.
        limit: usize,
    },
    /// Every event, in bounded memory: while more than `limit` wait, the informer reads nothing from its watch,
    /// and the cache and all other handlers wait too. For handlers that never block and take microseconds, such
    /// as those that put keys into a work queue, which deduplicates them. [`HandlerOptions::enqueueing`] uses
    /// it.
    ///
    /// - **Memory**: `limit` events, plus those in flight when the limit is reached: up to 1,000 events, or one
    ///   for each object of a list or resync.
    /// - A handler that blocks forever stops the cache; the informer logs its name every 10 s. The informer can
    ///   still be stopped.
    Paced {
        /// How many events may wait before the informer waits.
        limit: usize,
    },
    /// Every event, in unbounded memory: for handlers that count.
    EveryEvent,
}

impl Delivery {
    /// [`Coalesced`](Self::Coalesced) with a limit of 1,024 events, the initial size of the buffer in client-go.
    pub const fn coalesced() -> Self {
        Self::Coalesced { limit: 1024 }
    }

    /// [`Paced`](Self::Paced) with a limit of 1,024 events.
    pub const fn paced() -> Self {
        Self::Paced { limit: 1024 }
    }

    /// The number of waiting events from which on events are merged.
    pub(crate) fn merges_from(self) -> usize {
        match self {
            Self::Coalesced { limit } => limit,
            Self::Paced { .. } | Self::EveryEvent => usize::MAX,
        }
    }

    /// The number of events that may wait before the informer waits.
    pub(crate) fn pace(self) -> usize {
        match self {
            Self::Paced { limit } => limit,
            Self::Coalesced { .. } | Self::EveryEvent => usize::MAX,
        }
    }
}

/// Where a handler that is not async runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Execution {
    /// On a thread of the runtime's blocking pool, while notifications wait. An idle handler holds no thread. A
    /// blocked handler holds one thread and no async worker. A handler that never returns keeps the runtime
    /// from shutting down, except with `Runtime::shutdown_timeout`.
    Blocking,
    /// On the task of the informer, without a switch to another task or thread: when an event is in the cache, its handler
    /// is called at once. A turn of the informer has 128 such calls, in equal parts for the handlers that are ready; if more
    /// notifications wait, tasks of their own continue. The handler must not block, and must be fast, because the informer does
    /// nothing else meanwhile. Meant for handlers that put keys into a work queue.
    Inline,
}

type OnAdd<K> = Box<dyn Fn(&Arc<K>, bool) + Send + Sync>;
type OnUpdate<K> = Box<dyn Fn(&Arc<K>, &Arc<K>) + Send + Sync>;
type OnDelete<K> = Box<dyn Fn(&Deleted<K>) + Send + Sync>;

/// A handler from up to three closures, as client-go's `ResourceEventHandlerFuncs`. An event without a closure
/// is ignored.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// use std::sync::{Arc, Mutex};
/// use client_rs_cache::{EventHandler, HandlerFns, Notification};
/// use client_rs_machinery::Object;
///
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let (added, updated) = (log.clone(), log.clone());
/// let handler = HandlerFns::<PartialObjectMetadata>::new()
///     .on_add(move |pod, is_initial| added.lock().unwrap().push(format!("added {} {is_initial}", pod.key())))
///     .on_update(move |_old, new| updated.lock().unwrap().push(format!("updated {}", new.key())))
///     .on_delete(|deleted| println!("deleted {}", deleted.key()));
///
/// // An informer does this.
/// let web = Arc::new(pod("web", 1));
/// handler.handle(&Notification::Added { object: web.clone(), is_initial: false });
/// handler.handle(&Notification::Updated { old: web.clone(), new: web });
/// assert_eq!(*log.lock().unwrap(), ["added default/web false", "updated default/web"]);
/// ```
pub struct HandlerFns<K: ?Sized> {
    add: Option<OnAdd<K>>,
    update: Option<OnUpdate<K>>,
    delete: Option<OnDelete<K>>,
}

impl<K: ?Sized + 'static> HandlerFns<K> {
    /// Makes a handler that ignores every event.
    pub fn new() -> Self {
        Self { add: None, update: None, delete: None }
    }

    /// Sets the function for an object that is new to the handler. The flag is true for an object that existed
    /// when the handler was added. Several functions are called in the order in which they were set.
    #[must_use]
    pub fn on_add(mut self, function: impl Fn(&Arc<K>, bool) + Send + Sync + 'static) -> Self {
        self.add = Some(match self.add.take() {
            None => Box::new(function),
            Some(before) => Box::new(move |object: &Arc<K>, is_initial| {
                before(object, is_initial);
                function(object, is_initial);
            }),
        });
        self
    }

    /// Sets the function for an object that has changed or is replayed by a resync, with its old and new state.
    /// Several functions are called in order, as with [`on_add`](Self::on_add).
    #[must_use]
    pub fn on_update(mut self, function: impl Fn(&Arc<K>, &Arc<K>) + Send + Sync + 'static) -> Self {
        self.update = Some(match self.update.take() {
            None => Box::new(function),
            Some(before) => Box::new(move |old: &Arc<K>, new: &Arc<K>| {
                before(old, new);
                function(old, new);
            }),
        });
        self
    }

    /// Sets the function for a deleted object. Several functions are called in order, as with
    /// [`on_add`](Self::on_add).
    #[must_use]
    pub fn on_delete(mut self, function: impl Fn(&Deleted<K>) + Send + Sync + 'static) -> Self {
        self.delete = Some(match self.delete.take() {
            None => Box::new(function),
            Some(before) => Box::new(move |deleted: &Deleted<K>| {
                before(deleted);
                function(deleted);
            }),
        });
        self
    }
}

impl<K: ?Sized + 'static> Default for HandlerFns<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: ?Sized> fmt::Debug for HandlerFns<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HandlerFns")
    }
}

impl<K: ?Sized + 'static> EventHandler<K> for HandlerFns<K> {
    fn handle(&self, notification: &Notification<K>) {
        match notification {
            Notification::Added { object, is_initial } => {
                if let Some(add) = &self.add {
                    add(object, *is_initial);
                }
            }
            Notification::Updated { old, new } => {
                if let Some(update) = &self.update {
                    update(old, new);
                }
            }
            Notification::Deleted(deleted) => {
                if let Some(delete) = &self.delete {
                    delete(deleted);
                }
            }
        }
    }
}

/// Notifies a handler only of objects that pass a filter, as [`Notification::filtered`] does.
///
/// It works for both kinds of handlers. A filter must always return the same for the same object.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use client_rs_cache::{EventHandler, Filtered, Notification};
/// use client_rs_machinery::Object;
///
/// let seen = Arc::new(AtomicUsize::new(0));
/// let count = seen.clone();
/// let handler = Filtered::new(
///     |pod: &PartialObjectMetadata| pod.label("app").is_some(),
///     move |_: &Notification<PartialObjectMetadata>| drop(count.fetch_add(1, Ordering::Relaxed)),
/// );
/// let mut labelled = pod("web", 1);
/// labelled.metadata.labels.insert("app", "shop".into());
/// handler.handle(&Notification::Added { object: Arc::new(labelled), is_initial: false });
/// handler.handle(&Notification::Added { object: Arc::new(pod("db", 2)), is_initial: false });
/// assert_eq!(seen.load(Ordering::Relaxed), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Filtered<F, H> {
    filter: F,
    handler: H,
}

impl<F, H> Filtered<F, H> {
    /// Makes a handler with a filter.
    pub fn new(filter: F, handler: H) -> Self {
        Self { filter, handler }
    }
}

impl<K, F, H> EventHandler<K> for Filtered<F, H>
where
    K: ?Sized,
    F: Fn(&K) -> bool + Send + Sync + 'static,
    H: EventHandler<K>,
{
    fn handle(&self, notification: &Notification<K>) {
        match notification.passage(&self.filter) {
            Passage::AsIs => self.handler.handle(notification),
            Passage::Enters(new) => {
                self.handler.handle(&Notification::Added { object: new.clone(), is_initial: false });
            }
            Passage::Leaves(old) => {
                self.handler.handle(&Notification::Deleted(Deleted::Object(old.clone())));
            }
            Passage::Nothing => (),
        }
    }
}

impl<K, F, H> AsyncEventHandler<K> for Filtered<F, H>
where
    K: Send + Sync + 'static,
    F: Fn(&K) -> bool + Send + Sync + 'static,
    H: AsyncEventHandler<K>,
{
    async fn handle(&self, notification: Notification<K>) {
        if let Some(notification) = notification.filtered(&self.filter) {
            self.handler.handle(notification).await;
        }
    }
}
