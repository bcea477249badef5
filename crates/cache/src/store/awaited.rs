//! [`Awaited`]: the state of an object that a store should have reached.

use client_rs_machinery::{Object, ObjectKey, Str};

use super::content::Content;
use super::indexer::Indexer;
use super::stored::Held;
use super::versions::Numeric;

/// The state of an object after a write: what a store must show before a reader sees the write.
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.uid = "u".into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// use client_rs_cache::{Awaited, Indexer};
/// use client_rs_machinery::ObjectKey;
///
/// let (mut writer, indexer) = Indexer::new();
/// let key = ObjectKey::new("default", "web");
/// let written = Awaited::version("7");
/// assert!(!indexer.reflects(&key, &written));
/// writer.add(pod("web", 7))?;
/// assert!(indexer.reflects(&key, &written));
/// assert!(!indexer.reflects(&key, &Awaited::deleted("u")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Awaited {
    /// The store has this version of the object or a newer one.
    pub resource_version: Option<Str>,
    /// The store does not have the object with this UID any more, or shows that it is being deleted. An empty UID
    /// means any object of this name.
    pub deleted: Option<Str>,
    /// The store does not have the object with this UID any more.
    pub gone: Option<Str>,
}

impl Awaited {
    /// The state after a write that returned this version.
    pub fn version(resource_version: impl Into<Str>) -> Self {
        Self { resource_version: Some(resource_version.into()), ..Self::default() }
    }

    /// The state after the deletion of the object with this UID. If it is empty, of any object of this name.
    pub fn deleted(uid: impl Into<Str>) -> Self {
        Self { deleted: Some(uid.into()), ..Self::default() }
    }

    /// The state after the object with this UID has lost its last finalizer, while it was being deleted.
    ///
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// use client_rs_cache::{Awaited, Indexer};
    /// use client_rs_machinery::{Object, Time};
    ///
    /// let mut pod = PartialObjectMetadata::default();
    /// pod.metadata.name = "web".into();
    /// pod.metadata.uid = "u".into();
    /// pod.metadata.resource_version = "7".into();
    /// pod.metadata.deletion_timestamp = Some("2026-03-01T12:00:00Z".parse::<Time>()?);
    /// let (mut writer, indexer) = Indexer::new();
    /// writer.add(pod.clone())?;
    /// assert!(indexer.reflects(&pod.key(), &Awaited::deleted("u")));
    /// assert!(!indexer.reflects(&pod.key(), &Awaited::gone("u")));
    /// writer.delete(&pod.key());
    /// assert!(indexer.reflects(&pod.key(), &Awaited::gone("u")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn gone(uid: impl Into<Str>) -> Self {
        Self { gone: Some(uid.into()), ..Self::default() }
    }

    /// A later write has found an object of this name: the deletion of any object of the name is not waited for any more. That of an
    /// object with a UID still is: a new object has another one.
    pub fn undelete(&mut self) {
        for uid in [&mut self.deleted, &mut self.gone] {
            *uid = uid.take().filter(|uid| !uid.is_empty());
        }
    }

    /// Combines it with a later state of the same object: both must be reached.
    pub fn and(&mut self, later: Self) {
        let newer = match (&self.resource_version, &later.resource_version) {
            (Some(known), Some(new)) => match (Numeric::parse(known), Numeric::parse(new)) {
                (Some(known), Some(new)) => new > known,
                _ => true,
            },
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if newer {
            self.resource_version = later.resource_version;
        }
        if later.deleted.is_some() {
            self.deleted = later.deleted;
        }
        if later.gone.is_some() {
            self.gone = later.gone;
        }
    }
}

impl<K: Object> Indexer<K> {
    /// Whether the store shows the state of an object after a write.
    ///
    /// Versions that can't be compared are never waited for, and neither is an object that could not be decoded: then
    /// this is true.
    pub fn reflects(&self, key: &ObjectKey, awaited: &Awaited) -> bool {
        self.shared.peek(|content| self.missing(content, key, awaited).is_none())
    }

    /// Waits until the store [reflects](Self::reflects) a state, or until the informer that fills it has stopped.
    ///
    /// A write to the store wakes it, not a timer. It has no time limit of its own. Cancel-safe.
    pub async fn reflecting(&self, key: &ObjectKey, awaited: &Awaited) {
        loop {
            let look = || {
                self.shared.peek(|content| {
                    let version = self.missing(content, key, awaited)?;
                    Some((content.versions.coverage(&key.namespace), version))
                })
            };
            let Some((coverage, version)) = look() else { return };
            let Some(waiter) = self.shared.waiters.join(coverage, version) else { return };
            // A write may have come between the first look and the registration.
            if look().is_none() {
                return;
            }
            waiter.wait().await;
        }
    }

    /// Whether the handlers of the store's informer get this version of an object. `true` if the store has exactly this version,
    /// or if it came with a watch. `false` if a list may have skipped it: the list shows a newer version, or no object.
    ///
    /// An object that is created and deleted while the watch is interrupted is in no list, so no handler is notified of it.
    /// A program that has written the object itself finds that out here, after [`listed`](Self::listed). Ask about versions that
    /// the store [reflects](Self::reflects). A version that can't be compared counts as delivered. `false` does not mean that the
    /// version was not delivered: it may have come with the watch before the list.
    ///
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// use client_rs_cache::{Indexer, Replacement};
    /// use client_rs_machinery::ObjectKey;
    ///
    /// let (mut writer, indexer) = Indexer::<PartialObjectMetadata>::new();
    /// let key = ObjectKey::new("default", "web");
    /// writer.replace(Replacement::new(Vec::new(), "20"));
    /// assert!(!indexer.delivers(&key, "15"));
    /// assert!(indexer.delivers(&key, "21"));
    /// ```
    pub fn delivers(&self, key: &ObjectKey, resource_version: &str) -> bool {
        let Some(version) = Numeric::parse(resource_version) else { return true };
        self.shared.peek(|content| {
            let object = content.find(&key.namespace, &key.name);
            object.is_some_and(|object| object.resource_version() == resource_version)
                || content
                    .versions
                    .listed(&key.namespace)
                    .and_then(|list| Numeric::parse(list))
                    .is_none_or(|list| version > list)
        })
    }

    /// Waits until the store has got more than this number of lists, and returns their number. Waits forever if the informer has
    /// stopped.
    ///
    /// When it returns, readers see the list; its handlers may not have been notified of it yet. Cancel-safe.
    ///
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// use client_rs_cache::{Indexer, Replacement};
    ///
    /// let (mut writer, indexer) = Indexer::<PartialObjectMetadata>::new();
    /// let (lists, _) = tokio::join!(indexer.listed(0), async { writer.replace(Replacement::new(Vec::new(), "7")) });
    /// assert_eq!(lists, 1);
    /// # }
    /// ```
    pub async fn listed(&self, more_than: u64) -> u64 {
        let mut lists = self.shared.lists.subscribe();
        // The sender lives as long as the store.
        let now = lists.wait_for(|lists| *lists > more_than).await;
        now.map_or(more_than, |now| *now)
    }

    /// Returns the version of the store at which to look again; `None` if the state is reached.
    fn missing(&self, content: &Content<K>, key: &ObjectKey, awaited: &Awaited) -> Option<Numeric> {
        let object = content.find(&key.namespace, &key.name);
        let store = content.versions.of(&key.namespace);
        if let Some(wanted) = awaited.resource_version.as_deref().and_then(Numeric::parse) {
            let has = object.as_ref().map(Held::resource_version);
            let has_object = match has.map(Numeric::parse) {
                Some(Some(has)) => has >= wanted,
                // It can't be compared.
                Some(None) => !has.unwrap_or_default().is_empty(),
                None => false,
            };
            let has_store = self.shared.in_order
                && !store.is_empty()
                && Numeric::parse(store).is_none_or(|store| store >= wanted);
            if !has_object && !has_store && !content.stale.contains_key(key) {
                return Some(wanted);
            }
        }
        let has = |uid: &str| object.as_ref().filter(|object| uid.is_empty() || object.has_uid(uid));
        let gone = awaited.gone.as_deref().and_then(has);
        let deleted = || {
            let object = awaited.deleted.as_deref().and_then(has)?;
            (!object.object().is_none_or(|object| object.is_being_deleted())).then_some(object)
        };
        let object = gone.or_else(deleted)?;
        // The deletion has a higher version than everything so far.
        Numeric::parse(store).or_else(|| Numeric::parse(object.resource_version()))?.next()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{Thing, thing};
    use crate::{Deleted, Delta, Replacement};

    fn key(text: &str) -> ObjectKey {
        text.parse().unwrap()
    }

    fn with_uid(name: &str, version: u64, uid: &str) -> Thing {
        let mut object = thing(name, version);
        object.metadata.uid = uid.into();
        object
    }

    #[tokio::test(start_paused = true)]
    async fn a_create_an_update_and_a_relist_are_waited_for() {
        let (mut writer, indexer) = Indexer::<Thing>::new();
        let (x, written) = (key("a/x"), Awaited::version("10"));
        assert!(!indexer.reflects(&x, &written));
        let waiting = tokio::spawn({
            let (indexer, x, written) = (indexer.clone(), x.clone(), written.clone());
            async move { indexer.reflecting(&x, &written).await }
        });
        tokio::task::yield_now().await;
        writer.add(thing("a/x", 9)).unwrap();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        writer.add(thing("a/x", 10)).unwrap();
        waiting.await.unwrap();
        // A relist at a higher version without the object is newer than the write: it was deleted.
        writer.replace(Replacement::new(Vec::new(), "20"));
        assert!(
            indexer.reflects(&x, &Awaited::version("15")) && !indexer.reflects(&x, &Awaited::version("21"))
        );
        // Versions that can't be compared are not waited for.
        assert!(indexer.reflects(&x, &Awaited::version("v-abc")));
    }

    #[tokio::test(start_paused = true)]
    async fn a_deletion_is_waited_for_by_uid() {
        let (mut writer, indexer) = Indexer::<Thing>::new();
        let x = key("a/x");
        assert!(indexer.reflects(&x, &Awaited::deleted("u")), "it was never there");
        writer.replace(Replacement::new(vec![Arc::new(with_uid("a/x", 5, "u"))], "5"));
        assert!(
            !indexer.reflects(&x, &Awaited::deleted("u")) && !indexer.reflects(&x, &Awaited::deleted(""))
        );
        assert!(indexer.reflects(&x, &Awaited::deleted("other")));
        let waiting = tokio::spawn({
            let (indexer, x) = (indexer.clone(), x.clone());
            async move { indexer.reflecting(&x, &Awaited::deleted("u")).await }
        });
        tokio::task::yield_now().await;
        // Other objects change first.
        writer.add(with_uid("a/y", 6, "v")).unwrap();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        let deleted = Deleted::Object(Arc::new(with_uid("a/x", 7, "u")));
        writer.apply([Delta::Deleted(deleted)]);
        waiting.await.unwrap();
        // A new object of the same name is not the deleted one.
        writer.add(with_uid("a/x", 8, "w")).unwrap();
        assert!(indexer.reflects(&x, &Awaited::deleted("u")));
    }

    #[tokio::test(start_paused = true)]
    async fn a_stopped_informer_ends_the_wait() {
        let (writer, indexer) = Indexer::<Thing>::new();
        let (x, written) = (key("a/x"), Awaited::version("10"));
        let waiting = indexer.reflecting(&x, &written);
        tokio::join!(waiting, async { drop(writer) });
    }

    #[test]
    fn only_a_list_skips_versions() {
        let (mut writer, indexer) = Indexer::<Thing>::new();
        let x = key("a/x");
        assert!(indexer.delivers(&x, "3"), "there was no list");
        writer.replace(Replacement::new(vec![Arc::new(thing("a/x", 5))], "8"));
        assert!(indexer.delivers(&x, "5"), "the list has it");
        assert!(
            !indexer.delivers(&x, "4") && !indexer.delivers(&x, "7") && !indexer.delivers(&key("a/y"), "8")
        );
        writer.add(thing("a/x", 9)).unwrap();
        writer.add(thing("a/x", 10)).unwrap();
        writer.apply([Delta::Deleted(Deleted::Object(Arc::new(thing("a/x", 11))))]);
        assert!(indexer.delivers(&x, "9") && indexer.delivers(&x, "10"), "they came with the watch");
        assert!(!indexer.delivers(&x, "5"), "it may have been skipped");
        assert!(indexer.delivers(&x, "v-abc"));
    }

    #[tokio::test(start_paused = true)]
    async fn lists_are_waited_for() {
        let (mut writer, indexer) = Indexer::<Thing>::new();
        let waiting = tokio::spawn({
            let indexer = indexer.clone();
            async move { (indexer.listed(0).await, indexer.listed(1).await) }
        });
        writer.replace(Replacement::new(Vec::new(), "5"));
        tokio::task::yield_now().await;
        writer.add(thing("a/x", 6)).unwrap();
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished(), "an event is not a list");
        writer.replace(Replacement::new(Vec::new(), "7"));
        assert_eq!(waiting.await.unwrap(), (1, 2));
        assert_eq!(indexer.listed(0).await, 2, "lists that came before the call count");
    }

    #[test]
    fn a_later_state_replaces_an_older_one() {
        let mut awaited = Awaited::version("9");
        awaited.and(Awaited::version("10"));
        assert_eq!(awaited, Awaited::version("10"));
        awaited.and(Awaited::version("8"));
        assert_eq!(awaited, Awaited::version("10"));
        awaited.and(Awaited::deleted("u"));
        assert_eq!(awaited, Awaited { deleted: Some("u".into()), ..Awaited::version("10") });
    }
}
