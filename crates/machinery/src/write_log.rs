//! [`WriteLog`]: who is notified of the writes of a client.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, Weak};

use crate::wire::Format;
use crate::{GroupResource, Object, ObjectKey, Str};

/// The writes of a client and its clones, for those who must know about them.
///
/// A client notifies the observers of its log when the response to a write arrives, before the caller gets it. A
/// controller uses it to hold back a run until its caches show the writes of this process.
///
/// Cheap to clone; clones are the same log.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use client_rs_machinery::{GroupResource, ObjectKey, Write, WriteLog, WriteObserver, WriteOutcome};
///
/// #[derive(Default)]
/// struct Keys(Mutex<Vec<String>>);
///
/// impl WriteObserver for Keys {
///     fn written(&self, write: &Write<'_>) {
///         self.0.lock().unwrap().push(format!("{} {}", write.resource, write.key));
///     }
/// }
///
/// let (log, keys) = (WriteLog::new(Some("https://k8s.example".into())), Arc::new(Keys::default()));
/// let observer: Arc<dyn WriteObserver> = keys.clone();
/// log.subscribe(&observer);
/// let (resource, key) = (GroupResource::new("apps", "deployments"), ObjectKey::new("shop", "web"));
/// // A client does this.
/// log.notify(&Write::new(&log, &resource, &key, WriteOutcome::Unknown));
/// assert_eq!(*keys.0.lock().unwrap(), ["deployments.apps shop/web"]);
/// ```
#[derive(Clone)]
pub struct WriteLog(Arc<Inner>);

struct Inner {
    server: Option<Str>,
    observers: RwLock<Vec<Weak<dyn WriteObserver>>>,
}

/// Is notified of writes. Called on the task that made the request, so it must not block.
pub trait WriteObserver: Send + Sync {
    /// The outcome of a write is known, or the write was given up.
    fn written(&self, write: &Write<'_>);

    /// Returns an object as a cache of this observer has it: complete except for managed fields, in the type of the cache. A client
    /// compares a write with it, and does not send a write that changes nothing. Default: `None`, and every write is sent.
    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        let _ = (log, resource, key);
        None
    }

    /// Whether [`written`](Self::written) of this observer notifies another one too, which then is not notified again. Default: false.
    fn forwards_to(&self, other: &Arc<dyn WriteObserver>) -> bool {
        let _ = other;
        false
    }

    /// A write was not sent, because it would change nothing. Its outcome has no meaning.
    fn suppressed(&self, write: &Write<'_>) {
        let _ = write;
    }
}

/// A write of one object.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Write<'a> {
    /// The log of the client that made the request.
    pub log: &'a WriteLog,
    /// The resource, without its version: versions of one resource share their objects.
    pub resource: &'a GroupResource,
    /// The namespace and name of the object.
    pub key: &'a ObjectKey,
    /// The outcome.
    pub outcome: WriteOutcome<'a>,
}

/// The outcome of a write.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum WriteOutcome<'a> {
    /// The server returned the object as it is after the write.
    Object(WrittenObject<'a>),
    /// The server has deleted the object with this UID, or has begun to. The UID is empty if the response had none.
    Deleted {
        /// The UID.
        uid: &'a str,
    },
    /// The object with this UID was being deleted, and this write has removed its last finalizer: the server has deleted it. Its
    /// response shows the object at the version before.
    Gone {
        /// The UID.
        uid: &'a str,
    },
    /// The response was lost, or it did not show the object. The server may have changed the object.
    Unknown,
}

/// The object in the response to a write.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct WrittenObject<'a> {
    /// Its metadata, with the version after the write. The rest of it may be empty.
    pub metadata: &'a dyn Object,
    /// The format of the response.
    pub format: Format,
    /// The whole response. Empty if it is an object of another kind, such as a `Scale`.
    pub body: &'a [u8],
}

impl WriteLog {
    /// A log without observers. Clients whose logs name the same server write to the same objects; a client
    /// without a name has a server of its own.
    pub fn new(server: Option<Str>) -> Self {
        Self(Arc::new(Inner { server, observers: RwLock::default() }))
    }

    /// Whether versions of both logs come from the same server, so that they can be compared.
    pub fn is_same_server(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.server.is_some() && self.0.server == other.0.server)
    }

    /// Adds an observer. The log keeps no reference that keeps it alive; dropping the observer removes it.
    pub fn subscribe(&self, observer: &Arc<dyn WriteObserver>) {
        let mut observers = self.0.observers.write().unwrap_or_else(PoisonError::into_inner);
        observers.retain(|known| known.strong_count() > 0);
        let observer = Arc::downgrade(observer);
        if !observers.iter().any(|known| Weak::ptr_eq(known, &observer)) {
            observers.push(observer);
        }
    }

    /// Whether there may be an observer. If not, a client need not read the response.
    pub fn is_observed(&self) -> bool {
        !self.0.observers.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Notifies the observers of a write.
    pub fn notify(&self, write: &Write<'_>) {
        self.notify_others(write, None);
    }

    /// Notifies the observers of a write, except those that a first one has notified already (see
    /// [`WriteObserver::forwards_to`]).
    pub fn notify_others(&self, write: &Write<'_>, first: Option<&dyn WriteObserver>) {
        let observers = self.0.observers.read().unwrap_or_else(PoisonError::into_inner).clone();
        for observer in observers.iter().filter_map(Weak::upgrade) {
            if !first.is_some_and(|first| first.forwards_to(&observer)) {
                observer.written(write);
            }
        }
    }
}

impl<'a> Write<'a> {
    /// A write of this object, with its outcome.
    pub fn new(
        log: &'a WriteLog,
        resource: &'a GroupResource,
        key: &'a ObjectKey,
        outcome: WriteOutcome<'a>,
    ) -> Self {
        Self { log, resource, key, outcome }
    }
}

impl<'a> WrittenObject<'a> {
    /// The object of a response. `body` is empty if the response is of another kind than the object.
    pub fn new(metadata: &'a dyn Object, format: Format, body: &'a [u8]) -> Self {
        Self { metadata, format, body }
    }
}

impl fmt::Debug for WriteLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteLog").field("server", &self.0.server).finish_non_exhaustive()
    }
}

/// Shows no part of the body.
impl fmt::Debug for WrittenObject<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WrittenObject")
            .field("uid", &self.metadata.uid())
            .field("resource_version", &self.metadata.resource_version())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[derive(Default)]
    struct Count(AtomicUsize);

    impl WriteObserver for Count {
        fn written(&self, _: &Write<'_>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn an_observer_is_notified_once_until_it_is_dropped() {
        let (log, count) = (WriteLog::new(None), Arc::new(Count::default()));
        let (resource, key) = (GroupResource::new("", "pods"), ObjectKey::new("a", "b"));
        let write = Write::new(&log, &resource, &key, WriteOutcome::Unknown);
        assert!(!log.is_observed());
        let observer: Arc<dyn WriteObserver> = count.clone();
        log.subscribe(&observer);
        log.clone().subscribe(&observer);
        log.notify(&write);
        assert_eq!(count.0.load(Ordering::Relaxed), 1);
        drop(observer);
        drop(count);
        log.notify(&write);
        let other: Arc<dyn WriteObserver> = Arc::new(Count::default());
        log.subscribe(&other);
        assert_eq!(log.0.observers.read().unwrap().len(), 1, "the dropped one is gone");
    }

    #[test]
    fn an_observer_that_another_one_has_notified_is_left_out() {
        struct First(Arc<Count>);

        impl WriteObserver for First {
            fn written(&self, write: &Write<'_>) {
                self.0.written(write);
            }

            fn forwards_to(&self, other: &Arc<dyn WriteObserver>) -> bool {
                std::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(other))
            }
        }

        let (log, known, other) =
            (WriteLog::new(None), Arc::new(Count::default()), Arc::new(Count::default()));
        let (resource, key) = (GroupResource::new("", "pods"), ObjectKey::new("a", "b"));
        let write = Write::new(&log, &resource, &key, WriteOutcome::Unknown);
        let observers: [Arc<dyn WriteObserver>; 2] = [known.clone(), other.clone()];
        for observer in &observers {
            log.subscribe(observer);
        }
        let first = First(known.clone());
        first.written(&write);
        log.notify_others(&write, Some(&first));
        assert_eq!([&known, &other].map(|count| count.0.load(Ordering::Relaxed)), [1, 1]);
        log.notify(&write);
        assert_eq!([&known, &other].map(|count| count.0.load(Ordering::Relaxed)), [2, 2]);
    }

    #[test]
    fn only_named_servers_and_clones_are_the_same() {
        let named = |name: &str| WriteLog::new(Some(name.into()));
        let unnamed = WriteLog::new(None);
        assert!(named("a").is_same_server(&named("a")) && !named("a").is_same_server(&named("b")));
        assert!(unnamed.is_same_server(&unnamed.clone()) && !unnamed.is_same_server(&WriteLog::new(None)));
    }
}
