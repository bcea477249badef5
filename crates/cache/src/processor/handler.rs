//! Handlers: what a program does when objects change.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::Notification;
use super::notification::Passage;
use crate::Deleted;

/// Is notified of every change of a cache, one after the other.
///
/// One function gets everything, as a [`Notification`]; closures from a `&Notification<K>` are handlers. Those who would
/// rather write three functions, as client-go has them, use [`HandlerFns`].
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
/// - **Order**: for each key the server's; calls never overlap.
/// - **Store first**: when a handler is called, the cache shows that state or a later one.
/// - **Blocking**: allowed. A slow handler delays only itself: its notifications wait in a queue of its own (see
///   [`Delivery`]).
/// - **Memory**: a notification is borrowed. Objects are shared with the cache: keeping one costs a pointer, and keeps the
///   object alive.
/// - **Panics**: are caught, counted and logged; the next call comes a second later. What the handler panicked on does
///   not come again.
/// - **Cancellation**: a handler that is removed, or whose informer stops, gets no further call; a call in progress may
///   end.
/// - **Not promised**: one call per change of the server. A watch that was interrupted, a relist and a handler that lags
///   all show several changes as one.
pub trait EventHandler<K: ?Sized>: Send + Sync + 'static {
    /// Something has changed.
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

/// A handler that may wait. The same contract as [`EventHandler`]'s; the next call comes when the future of the last has
/// ended. Closures from a [`Notification`] to a future are such handlers.
pub trait AsyncEventHandler<K>: Send + Sync + 'static {
    /// Something has changed.
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

/// How a handler is served.
#[derive(Clone, Debug)]
pub struct HandlerOptions {
    /// What it is called in logs, metrics and the state dump. Default: `handler-` and a number.
    pub name: Option<String>,
    /// How often it gets every object again. Zero: never. `None`: as often as the informer says. What
    /// is shorter than a second is a second; more often than the informer's own period is not possible once
    /// it runs. Default: `None`.
    pub resync_period: Option<Duration>,
    /// What happens when it lags. Default: [`Delivery::coalesced`].
    pub delivery: Delivery,
    /// Where it runs, if it is not async. Default: [`Execution::Blocking`].
    pub execution: Execution,
}

impl HandlerOptions {
    /// For a handler that puts keys into a work queue and does nothing else: every event, on an async worker. It
    /// must not block. See [`Delivery::Paced`].
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

/// What a handler that lags is notified of.
///
/// A handler with a filter, a mapping or a comparison of old and new ends with the same knowledge in every mode,
/// however far behind it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// Every event, as long as no more than `limit` wait; from then on the sum of them, key by key. States in
    /// between are skipped, but never the state that the handler was last notified of (it is the `old` of the
    /// next update) and never the last state before a deletion:
    ///
    /// | pending | next | becomes |
    /// |---|---|---|
    /// | Added(a) | Updated(a→b) | Added(b), initial if Added(a) was |
    /// | Added(a) | Deleted(a) | nothing: the handler never saw the object |
    /// | Updated(a→b) | Updated(b→c) | Updated(a→c) |
    /// | Updated(a→b) | Deleted(b) | both: a filter may have let `a` through and not `b` |
    /// | Updated(a→a), a resync or a relist without a change | Deleted(a) | Deleted(a) |
    /// | Deleted(a) | Added(b), whatever its UID | both |
    ///
    /// A resync counts as an update here, and an object that is missing in a list (a
    /// [`Deleted::FinalStateUnknown`]) as a deletion. An addition is initial or not as it came.
    ///
    /// - **Memory**: `limit` events, and beyond that at most three (an update, a deletion, an addition) for each
    ///   key that lives or that the handler knows. An event is a few words; the objects are shared.
    /// - **Not for handlers that map objects to keys of other objects**, as work queues need it: an addition and
    ///   its deletion cancel each other out, and states in between may name keys that neither end names. The
    ///   cache runs ahead of its handlers, so somebody may have seen them there. Such handlers use
    ///   [`Paced`](Self::Paced).
    Coalesced {
        /// How many may wait as they are.
        limit: usize,
    },
    /// Every event, and a bounded number of them: while more than `limit` wait, the informer takes nothing new
    /// from its watch, and the cache and all other handlers wait with it. For handlers that never block and are
    /// done in microseconds: those that put keys into a work queue, where equal keys are merged.
    /// [`HandlerOptions::enqueueing`] has it.
    ///
    /// - **Memory**: `limit` events, and what was on its way when the limit was reached: up to 1,000 events, or
    ///   one for each object of a list or resync.
    /// - A handler that blocks for ever stops the cache; the informer logs its name every 10 s. It does not keep
    ///   the informer from stopping.
    Paced {
        /// How many may wait before the informer does.
        limit: usize,
    },
    /// Every event, whatever it costs in memory: for handlers that count.
    EveryEvent,
}

impl Delivery {
    /// Up to 1,024 events as they are: as many as client-go makes room for at first.
    pub const fn coalesced() -> Self {
        Self::Coalesced { limit: 1024 }
    }

    /// Up to 1,024 events wait before the informer does.
    pub const fn paced() -> Self {
        Self::Paced { limit: 1024 }
    }

    /// From how many on events are merged.
    pub(crate) fn merges_from(self) -> usize {
        match self {
            Self::Coalesced { limit } => limit,
            Self::Paced { .. } | Self::EveryEvent => usize::MAX,
        }
    }

    /// How many may wait before the informer does.
    pub(crate) fn pace(self) -> usize {
        match self {
            Self::Paced { limit } => limit,
            Self::Coalesced { .. } | Self::EveryEvent => usize::MAX,
        }
    }
}

/// Where a handler that is not async runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Execution {
    /// On a thread for blocking work, which it borrows from the runtime while notifications wait: an
    /// idle handler holds no thread, a blocked one holds one and no async worker. A handler that never
    /// returns therefore keeps the runtime from shutting down, unless by `Runtime::shutdown_timeout`.
    Blocking,
    /// On an async worker, without the hop to another thread. The handler promises not to block: putting
    /// a key into a work queue is what it is meant for.
    Inline,
}

type OnAdd<K> = Box<dyn Fn(&Arc<K>, bool) + Send + Sync>;
type OnUpdate<K> = Box<dyn Fn(&Arc<K>, &Arc<K>) + Send + Sync>;
type OnDelete<K> = Box<dyn Fn(&Deleted<K>) + Send + Sync>;

/// A handler from up to three closures, as client-go's `ResourceEventHandlerFuncs`; what is not given does nothing.
///
/// ```
/// # use client_rs_cache::HandlerFns;
/// # use client_rs_machinery::{Object, Unstructured};
/// let handler = HandlerFns::<Unstructured>::new()
///     .on_add(|pod, _is_initial| println!("added {}", pod.key()))
///     .on_update(|_old, new| println!("updated {}", new.key()))
///     .on_delete(|deleted| println!("deleted {}", deleted.key()));
/// # let _ = handler;
/// ```
pub struct HandlerFns<K: ?Sized> {
    add: Option<OnAdd<K>>,
    update: Option<OnUpdate<K>>,
    delete: Option<OnDelete<K>>,
}

impl<K: ?Sized + 'static> HandlerFns<K> {
    /// Does nothing yet.
    pub fn new() -> Self {
        Self { add: None, update: None, delete: None }
    }

    /// What to do with an object that is new to the handler; the flag says that it was there from the start. Of several
    /// functions each is called, in the order in which they were given.
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

    /// What to do with an object, old and new, that has changed or comes again; several functions as with
    /// [`on_add`](Self::on_add).
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

    /// What to do with an object that is gone; several functions as with [`on_add`](Self::on_add).
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

/// Notifies a handler only of objects that pass a filter, as [`Notification::filtered`] has it.
///
/// Serves handlers of both kinds. A filter must always say the same of the same object.
#[derive(Clone, Debug)]
pub struct Filtered<F, H> {
    filter: F,
    handler: H,
}

impl<F, H> Filtered<F, H> {
    /// Puts a filter before a handler.
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
