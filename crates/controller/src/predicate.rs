//! Filters of events.

use std::any::type_name;
use std::borrow::Cow;

use client_rs_cache::Notification;
use client_rs_machinery::Object;

/// A filter that decides which events lead to a reconcile. Closures from a [`Notification`] to a bool are predicates.
///
/// Use one to skip updates that can't matter, such as status updates that your own controller writes. Do not use one to
/// decide what a reconcile does: events are deduplicated, and after a restart every object is reconciled.
///
/// It sees every event, one by one and in order, before keys are deduplicated. It runs on the informer's task and the
/// informer waits for it, so it must not block. If it panics, the event is admitted.
///
/// ```
/// use std::sync::Arc;
///
/// use client_rs_api::core::v1::Pod;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, generation_changed, labels_changed};
///
/// // The spec or the labels have changed, or the pod was assigned to a node.
/// let wanted = generation_changed::<Pod>().or(labels_changed()).or(|event: &Notification<Pod>| match event {
///     Notification::Updated { old, new } => old.spec.node_name != new.spec.node_name,
///     _ => true,
/// });
/// let (old, mut moved) = (Arc::new(Pod::EMPTY), Pod::EMPTY);
/// assert!(!wanted.admits(&Notification::Updated { old: old.clone(), new: old.clone() }));
/// moved.spec.node_name = "node-1".into();
/// assert!(wanted.admits(&Notification::Updated { old, new: Arc::new(moved) }));
/// ```
pub trait Predicate<K>: Send + Sync + 'static {
    /// Whether the event leads to a reconcile.
    fn admits(&self, event: &Notification<K>) -> bool;

    /// The name, for [`why`](crate::RunnableController::why). Default: the name of the type, or the place of a closure.
    fn name(&self) -> String {
        type_label(type_name::<Self>())
    }

    /// The names of the parts, all of which must admit an event. Default: one, with this [name](Self::name).
    fn parts(&self) -> Vec<String> {
        vec![self.name()]
    }

    /// The number of [parts](Self::parts).
    fn part_count(&self) -> usize {
        1
    }

    /// The position of the [part](Self::parts) that refuses an event; `None` if the event is admitted. A controller calls it
    /// instead of [`admits`](Self::admits), once per event.
    fn refused_by(&self, event: &Notification<K>) -> Option<usize> {
        (!self.admits(event)).then_some(0)
    }

    /// The same predicate with a name, for [`why`](crate::RunnableController::why).
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_cache::Notification;
    /// use client_rs_controller::{Predicate, generation_changed};
    ///
    /// let in_shop = (|event: &Notification<Pod>| event.key().namespace == "shop").named("in namespace shop");
    /// assert_eq!(generation_changed().and(in_shop).parts(), ["generation_changed", "in namespace shop"]);
    /// ```
    fn named(self, name: impl Into<Cow<'static, str>>) -> NamedPredicate<Self>
    where
        Self: Sized,
    {
        NamedPredicate(name.into(), self)
    }

    /// A predicate that admits the events that both admit.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_cache::Notification;
    /// use client_rs_controller::{Predicate, generation_changed};
    ///
    /// let in_shop = |event: &Notification<Pod>| event.key().namespace == "shop";
    /// let wanted = generation_changed::<Pod>().and(in_shop);
    /// # let mut pod = Pod::EMPTY;
    /// pod.metadata.namespace = "test".into();
    /// assert!(!wanted.admits(&Notification::Added { object: pod.into(), is_initial: false }));
    /// ```
    fn and<P: Predicate<K>>(self, other: P) -> AndPredicate<Self, P>
    where
        Self: Sized,
    {
        AndPredicate(self, other)
    }

    /// A predicate that admits the events that one of the two admits.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_cache::Notification;
    /// use client_rs_controller::{Predicate, annotations_changed, labels_changed};
    ///
    /// let wanted = labels_changed::<Pod>().or(annotations_changed());
    /// let (old, mut new) = (Pod::EMPTY, Pod::EMPTY);
    /// new.metadata.annotations.insert("example.com/pause", "true".into());
    /// assert!(wanted.admits(&Notification::Updated { old: Arc::new(old), new: Arc::new(new) }));
    /// ```
    fn or<P: Predicate<K>>(self, other: P) -> OrPredicate<Self, P>
    where
        Self: Sized,
    {
        OrPredicate(self, other)
    }

    /// A predicate that admits the events that this one does not admit.
    ///
    /// Additions and deletions pass the predicates of this crate, so they do not pass the negated ones.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_cache::Notification;
    /// use client_rs_controller::{Predicate, labels_changed};
    ///
    /// let same_labels = labels_changed::<Pod>().negated();
    /// let pod = Arc::new(Pod::EMPTY);
    /// assert!(same_labels.admits(&Notification::Updated { old: pod.clone(), new: pod.clone() }));
    /// assert!(!same_labels.admits(&Notification::Added { object: pod, is_initial: false }));
    /// ```
    fn negated(self) -> NotPredicate<Self>
    where
        Self: Sized,
    {
        NotPredicate(self)
    }
}

impl<K, F: Fn(&Notification<K>) -> bool + Send + Sync + 'static> Predicate<K> for F {
    fn admits(&self, event: &Notification<K>) -> bool {
        self(event)
    }
}

/// The predicate that [`Predicate::and`] returns.
#[derive(Clone, Copy, Debug)]
pub struct AndPredicate<A, B>(A, B);

/// The predicate that [`Predicate::or`] returns.
#[derive(Clone, Copy, Debug)]
pub struct OrPredicate<A, B>(A, B);

/// The predicate that [`Predicate::negated`] returns.
#[derive(Clone, Copy, Debug)]
pub struct NotPredicate<A>(A);

/// The predicate that [`Predicate::named`] returns.
#[derive(Clone, Debug)]
pub struct NamedPredicate<A>(Cow<'static, str>, A);

impl<K, A: Predicate<K>, B: Predicate<K>> Predicate<K> for AndPredicate<A, B> {
    fn admits(&self, event: &Notification<K>) -> bool {
        self.0.admits(event) && self.1.admits(event)
    }

    fn name(&self) -> String {
        format!("({} and {})", self.0.name(), self.1.name())
    }

    fn parts(&self) -> Vec<String> {
        [self.0.parts(), self.1.parts()].concat()
    }

    fn part_count(&self) -> usize {
        self.0.part_count() + self.1.part_count()
    }

    fn refused_by(&self, event: &Notification<K>) -> Option<usize> {
        let second = || self.1.refused_by(event).map(|part| self.0.part_count() + part);
        self.0.refused_by(event).or_else(second)
    }
}

impl<K, A: Predicate<K>, B: Predicate<K>> Predicate<K> for OrPredicate<A, B> {
    fn admits(&self, event: &Notification<K>) -> bool {
        self.0.admits(event) || self.1.admits(event)
    }

    fn name(&self) -> String {
        format!("{} or {}", self.0.name(), self.1.name())
    }
}

impl<K, A: Predicate<K>> Predicate<K> for NotPredicate<A> {
    fn admits(&self, event: &Notification<K>) -> bool {
        !self.0.admits(event)
    }

    fn name(&self) -> String {
        format!("not {}", self.0.name())
    }
}

impl<K, A: Predicate<K>> Predicate<K> for NamedPredicate<A> {
    fn admits(&self, event: &Notification<K>) -> bool {
        self.1.admits(event)
    }

    fn name(&self) -> String {
        self.0.clone().into_owned()
    }
}

/// All of several predicates, which need not be known at compile time.
pub(crate) struct All<K>(pub(crate) Vec<Box<dyn Predicate<K>>>);

impl<K: 'static> Predicate<K> for All<K> {
    fn admits(&self, event: &Notification<K>) -> bool {
        self.0.iter().all(|predicate| predicate.admits(event))
    }

    fn parts(&self) -> Vec<String> {
        self.0.iter().flat_map(|predicate| predicate.parts()).collect()
    }

    fn part_count(&self) -> usize {
        self.0.iter().map(|predicate| predicate.part_count()).sum()
    }

    fn refused_by(&self, event: &Notification<K>) -> Option<usize> {
        let mut before = 0;
        for predicate in &self.0 {
            if let Some(part) = predicate.refused_by(event) {
                return Some(before + part);
            }
            before += predicate.part_count();
        }
        None
    }
}

/// A short form of the name of a type: the place of a closure, without generic arguments.
fn type_label(name: &str) -> String {
    let name = name.split('<').next().unwrap_or(name);
    match name.split_once("::{{closure}}") {
        Some((place, _)) => format!("a closure in {place}"),
        None => name.rsplit("::").next().unwrap_or(name).to_owned(),
    }
}

/// Admits updates only if `metadata.generation` changed (the spec changed, not the status or the metadata), or if the
/// deletion began. Additions and deletions always pass.
///
/// This is the usual predicate of a controller that writes the status of its own objects: without it, each write leads to
/// another reconcile.
///
/// The server also increments the generation when it sets `deletionTimestamp`, but only for kinds that have a generation.
/// The predicate checks both, so that a clean-up under a [finalizer](crate::finalizer()) is never missed. A kind without a
/// generation, such as `ConfigMap`, has no other updates here: use [`resource_version_changed`] for it. Changes of
/// `metadata.finalizers` do not change the generation: add [`finalizers_changed`] if they matter.
///
/// ```
/// # use std::sync::Arc;
/// use client_rs_api::core::v1::Pod;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, generation_changed};
///
/// let (old, mut new) = (Arc::new(Pod::EMPTY), Pod::EMPTY);
/// new.metadata.labels.insert("app", "web".into());
/// let labelled = Notification::Updated { old: old.clone(), new: Arc::new(new.clone()) };
/// assert!(!generation_changed().admits(&labelled));
/// new.metadata.generation += 1;
/// assert!(generation_changed().admits(&Notification::Updated { old, new: Arc::new(new) }));
/// ```
pub fn generation_changed<K: Object>() -> impl Predicate<K> {
    on_update("generation_changed", |old: &K, new: &K| {
        old.meta().generation() != new.meta().generation() || deletion_began(old, new)
    })
}

/// Admits updates only if the finalizers changed, or if the deletion began. Additions and deletions always pass.
///
/// [`finalizer`](crate::finalizer()) does not need it. It is for controllers that act when *others* add or remove their
/// finalizers: `generation_changed().or(finalizers_changed())`.
///
/// ```
/// # use std::sync::Arc;
/// use client_rs_api::core::v1::Pod;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, finalizers_changed};
///
/// let mut old = Pod::EMPTY;
/// old.metadata.finalizers = ["example.com/backup".into()].into();
/// let released = Notification::Updated { old: Arc::new(old), new: Arc::new(Pod::EMPTY) };
/// assert!(finalizers_changed().admits(&released));
/// ```
pub fn finalizers_changed<K: Object>() -> impl Predicate<K> {
    on_update("finalizers_changed", |old: &K, new: &K| {
        !old.meta().finalizers().eq(new.meta().finalizers()) || deletion_began(old, new)
    })
}

/// Whether the deletion of this object began with this update. If an object of the same name was already being deleted, its
/// UID decides.
fn deletion_began<K: Object>(old: &K, new: &K) -> bool {
    new.is_being_deleted() && (!old.is_being_deleted() || old.uid() != new.uid())
}

/// Admits updates only if the labels changed. Additions and deletions always pass.
///
/// ```
/// # use std::sync::Arc;
/// use client_rs_api::core::v1::Node;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, labels_changed};
///
/// let (old, mut new) = (Arc::new(Node::EMPTY), Node::EMPTY);
/// assert!(!labels_changed().admits(&Notification::Updated { old: old.clone(), new: old.clone() }));
/// new.metadata.labels.insert("zone", "a".into());
/// assert!(labels_changed().admits(&Notification::Updated { old, new: Arc::new(new) }));
/// ```
pub fn labels_changed<K: Object>() -> impl Predicate<K> {
    on_update("labels_changed", |old: &K, new: &K| !old.meta().labels().eq(new.meta().labels()))
}

/// Admits updates only if the annotations changed. Additions and deletions always pass.
///
/// Many components write annotations often. Compare the one that you need in a closure instead:
///
/// ```
/// # use std::sync::Arc;
/// use client_rs_api::core::v1::Pod;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, annotations_changed};
///
/// let (old, mut new) = (Arc::new(Pod::EMPTY), Pod::EMPTY);
/// new.metadata.annotations.insert("example.com/seen", "12:00".into());
/// let event = Notification::Updated { old, new: Arc::new(new) };
/// assert!(annotations_changed().admits(&event));
///
/// let paused = |pod: &Pod| pod.metadata.annotations.get("example.com/pause").cloned();
/// let pause_changed = move |event: &Notification<Pod>| match event {
///     Notification::Updated { old, new } => paused(old) != paused(new),
///     _ => true,
/// };
/// assert!(!pause_changed.admits(&event));
/// ```
pub fn annotations_changed<K: Object>() -> impl Predicate<K> {
    on_update("annotations_changed", |old: &K, new: &K| {
        !old.meta().annotations().eq(new.meta().annotations())
    })
}

/// Admits updates only if the `resourceVersion` changed, so it drops resyncs. Additions and deletions always pass.
///
/// ```
/// # use std::sync::Arc;
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, resource_version_changed};
///
/// let map = Arc::new(ConfigMap::EMPTY);
/// let resync = Notification::Updated { old: map.clone(), new: map };
/// assert!(!resource_version_changed().admits(&resync));
/// ```
pub fn resource_version_changed<K: Object>() -> impl Predicate<K> {
    on_update("resource_version_changed", |old: &K, new: &K| old.resource_version() != new.resource_version())
}

fn on_update<K: Object>(
    name: &'static str,
    changed: impl Fn(&K, &K) -> bool + Send + Sync + 'static,
) -> impl Predicate<K> {
    let predicate = move |event: &Notification<K>| match event {
        Notification::Updated { old, new } => changed(old, new),
        _ => true,
    };
    NamedPredicate(Cow::Borrowed(name), predicate)
}
