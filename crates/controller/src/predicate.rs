//! Which events are worth a reconcile.

use client_rs_cache::Notification;
use client_rs_machinery::Object;

/// Decides which events lead to a reconcile. Closures from a [`Notification`] to a bool are predicates.
///
/// It is asked about every event, one by one and in order, before the keys of events are merged. It runs where the
/// informer delivers, and the informer waits for it: it must not block. A panic in it lets the event through.
///
/// ```
/// use std::sync::Arc;
///
/// use client_rs_api::core::v1::Pod;
/// use client_rs_cache::Notification;
/// use client_rs_controller::{Predicate, generation_changed, labels_changed};
///
/// // The spec or the labels have changed; or the pod has got its node.
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
    /// Whether the event is let through.
    fn admits(&self, event: &Notification<K>) -> bool;

    /// What this one and another let through.
    fn and<P: Predicate<K>>(self, other: P) -> AndPredicate<Self, P>
    where
        Self: Sized,
    {
        AndPredicate(self, other)
    }

    /// What this one or another lets through.
    fn or<P: Predicate<K>>(self, other: P) -> OrPredicate<Self, P>
    where
        Self: Sized,
    {
        OrPredicate(self, other)
    }

    /// What this one holds back.
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

/// Of [`Predicate::and`].
#[derive(Clone, Copy, Debug)]
pub struct AndPredicate<A, B>(A, B);

/// Of [`Predicate::or`].
#[derive(Clone, Copy, Debug)]
pub struct OrPredicate<A, B>(A, B);

/// Of [`Predicate::negated`].
#[derive(Clone, Copy, Debug)]
pub struct NotPredicate<A>(A);

impl<K, A: Predicate<K>, B: Predicate<K>> Predicate<K> for AndPredicate<A, B> {
    fn admits(&self, event: &Notification<K>) -> bool {
        self.0.admits(event) && self.1.admits(event)
    }
}

impl<K, A: Predicate<K>, B: Predicate<K>> Predicate<K> for OrPredicate<A, B> {
    fn admits(&self, event: &Notification<K>) -> bool {
        self.0.admits(event) || self.1.admits(event)
    }
}

impl<K, A: Predicate<K>> Predicate<K> for NotPredicate<A> {
    fn admits(&self, event: &Notification<K>) -> bool {
        !self.0.admits(event)
    }
}

/// Updates only where the generation moved (the spec changed, not the status or the metadata), or where the deletion began.
///
/// The server moves the generation when it sets `deletionTimestamp` too, but only for kinds that have a generation. The
/// predicate looks at both, so that a clean-up under a [finalizer](crate::finalizer) is never missed. A kind without a
/// generation, such as `ConfigMap`, has no other updates here: use
/// [`resource_version_changed`] for it. Changes of `metadata.finalizers` do not move the generation: add
/// [`finalizers_changed`] where they matter.
pub fn generation_changed<K: Object>() -> impl Predicate<K> {
    on_update(|old: &K, new: &K| {
        old.meta().generation() != new.meta().generation() || deletion_began(old, new)
    })
}

/// Updates only where the finalizers changed, or where the deletion began.
///
/// [`finalizer`](crate::finalizer) does not need it. It is for controllers that act when *others* add or remove their
/// finalizers: `generation_changed().or(finalizers_changed())`.
pub fn finalizers_changed<K: Object>() -> impl Predicate<K> {
    on_update(|old: &K, new: &K| {
        !old.meta().finalizers().eq(new.meta().finalizers()) || deletion_began(old, new)
    })
}

/// Whether the object was not being deleted before, or another object of the same name was.
fn deletion_began<K: Object>(old: &K, new: &K) -> bool {
    new.is_being_deleted() && (!old.is_being_deleted() || old.uid() != new.uid())
}

/// Updates only where the labels changed.
pub fn labels_changed<K: Object>() -> impl Predicate<K> {
    on_update(|old: &K, new: &K| !old.meta().labels().eq(new.meta().labels()))
}

/// Updates only where the annotations changed.
pub fn annotations_changed<K: Object>() -> impl Predicate<K> {
    on_update(|old: &K, new: &K| !old.meta().annotations().eq(new.meta().annotations()))
}

/// Updates only where anything changed: no resyncs.
pub fn resource_version_changed<K: Object>() -> impl Predicate<K> {
    on_update(|old: &K, new: &K| old.resource_version() != new.resource_version())
}

fn on_update<K: Object>(changed: impl Fn(&K, &K) -> bool + Send + Sync + 'static) -> impl Predicate<K> {
    move |event: &Notification<K>| match event {
        Notification::Updated { old, new } => changed(old, new),
        _ => true,
    }
}
