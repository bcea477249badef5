//! Reading a cache as a client reads a server.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{ApiError, GroupResource, Object, ObjectKey, Str};
use tokio::time::Instant;

use crate::Indexer;
use crate::store::{AtLeastError, Found, Index, IndexError, IndexValue, NAMESPACE_INDEX};

/// Reads the objects of one resource from a cache: no request, no wait.
///
/// What it gives is shared and as new as the cache is: a write that has just been made may be missing, see
/// [`at_least`](Self::at_least). Lists come in no particular order.
///
/// ```
/// # use std::sync::Arc;
/// # use client_rs_cache::Lister;
/// # use client_rs_machinery::{ApiError, ObjectKey, meta::v1::PartialObjectMetadata};
/// # fn reconcile(pods: &Lister<PartialObjectMetadata>, key: &ObjectKey) -> Result<(), ApiError> {
/// let pod = match pods.get(key) {
///     Ok(pod) => pod,
///     Err(error) if error.is_not_found() => return Ok(()),
///     Err(error) => return Err(error),
/// };
/// # Ok(())
/// # }
/// ```
pub struct Lister<K> {
    indexer: Indexer<K>,
    resource: GroupResource,
    /// Whether the objects have a namespace, where that is known.
    namespaced: Option<bool>,
}

/// Reads the objects of one namespace from a cache.
pub struct NamespaceLister<K> {
    lister: Lister<K>,
    namespace: Str,
}

impl<K: Object> Lister<K> {
    /// A reader of this cache. Errors name the resource.
    pub fn new(indexer: Indexer<K>, resource: GroupResource) -> Self {
        Self { indexer, resource, namespaced: None }
    }

    /// Whether objects of the resource have a namespace. Where it is not set, a key that was not found is compared with
    /// what is in the cache.
    #[must_use]
    pub fn with_namespaced(self, namespaced: bool) -> Self {
        Self { namespaced: Some(namespaced), ..self }
    }

    /// The objects that a selector matches, of all namespaces.
    pub fn list(&self, selector: &Selector) -> Vec<Arc<K>> {
        if selector.is_nothing() {
            return Vec::new();
        }
        if selector.is_everything() {
            return self.indexer.list();
        }
        self.indexer.snapshot().select(selector).map(Found::into_arc).collect()
    }

    /// An object, or an error for which [`ApiError::is_not_found`] holds. For an object without a namespace the key is
    /// [`ObjectKey::cluster`].
    ///
    /// A key without a namespace, where the objects have one, is a bad request ([`ApiError::is_bad_request`]), and so is a
    /// key with a namespace where they have none.
    pub fn get(&self, key: &ObjectKey) -> Result<Arc<K>, ApiError> {
        self.find(&key.namespace, &key.name)
    }

    /// The objects of one namespace. An empty name is an error of the calls that follow; objects of all namespaces are in
    /// [`list`](Self::list).
    pub fn namespace(&self, namespace: impl Into<Str>) -> NamespaceLister<K> {
        NamespaceLister { lister: self.clone(), namespace: namespace.into() }
    }

    /// The objects that have a value in an index.
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>, IndexError> {
        self.indexer.by_index(index, value)
    }

    /// The objects that have a value in an index.
    pub fn by<V: IndexValue>(&self, index: &Index<K, V>, value: &V) -> Result<Vec<Arc<K>>, IndexError> {
        self.indexer.by(index, value)
    }

    /// Waits until the cache has what a write returned; see [`Indexer::at_least`].
    pub async fn at_least(
        &self,
        key: &ObjectKey,
        resource_version: &str,
        deadline: Instant,
    ) -> Result<Option<Arc<K>>, AtLeastError> {
        self.indexer.at_least(key, resource_version, deadline).await
    }

    /// The cache that it reads.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.indexer
    }

    fn find(&self, namespace: &str, name: &str) -> Result<Arc<K>, ApiError> {
        self.indexer.find(namespace, name).ok_or_else(|| self.missing(namespace, name))
    }

    /// Why there is no such object.
    #[cold]
    fn missing(&self, namespace: &str, name: &str) -> ApiError {
        let first = || self.indexer.snapshot().iter().next().map(|object| !object.namespace().is_empty());
        match self.namespaced.or_else(first) {
            Some(true) if namespace.is_empty() => ApiError::bad_request(format!(
                "{} have a namespace, and the key {name:?} has none",
                self.resource
            )),
            Some(false) if !namespace.is_empty() => ApiError::bad_request(format!(
                "{} have no namespace, and the key \"{namespace}/{name}\" has one",
                self.resource
            )),
            _ => ApiError::not_found(&self.resource, name),
        }
    }
}

impl<K: Object> NamespaceLister<K> {
    /// The objects that a selector matches. The one error is an empty namespace, which is a bad request.
    pub fn list(&self, selector: &Selector) -> Result<Vec<Arc<K>>, ApiError> {
        self.check()?;
        if selector.is_nothing() {
            return Ok(Vec::new());
        }
        let snapshot = self.lister.indexer.snapshot();
        if selector.is_everything()
            && let Ok(objects) = self.lister.indexer.by_index(NAMESPACE_INDEX, &self.namespace)
        {
            return Ok(objects);
        }
        if let Ok(objects) = snapshot.select_by_index(NAMESPACE_INDEX, &self.namespace, selector) {
            return Ok(objects.map(Found::into_arc).collect());
        }
        // The cache was made without this index.
        let objects = snapshot.select(selector).map(Found::into_arc);
        Ok(objects.filter(|object| object.namespace() == self.namespace).collect())
    }

    /// An object, or an error for which [`ApiError::is_not_found`] holds.
    pub fn get(&self, name: &str) -> Result<Arc<K>, ApiError> {
        self.check()?;
        self.lister.find(&self.namespace, name)
    }

    fn check(&self) -> Result<(), ApiError> {
        if !self.namespace.is_empty() {
            return Ok(());
        }
        let resource = &self.lister.resource;
        Err(ApiError::bad_request(format!(
            "the namespace of {resource} is empty: `Lister::list` has those of all namespaces"
        )))
    }
}

impl<K> Clone for Lister<K> {
    fn clone(&self) -> Self {
        Self { indexer: self.indexer.clone(), resource: self.resource.clone(), namespaced: self.namespaced }
    }
}

impl<K> Clone for NamespaceLister<K> {
    fn clone(&self) -> Self {
        Self { lister: self.lister.clone(), namespace: self.namespace.clone() }
    }
}

impl<K> fmt::Debug for Lister<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lister({})", self.resource)
    }
}

impl<K> fmt::Debug for NamespaceLister<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamespaceLister({} in {:?})", self.lister.resource, self.namespace)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::testing::{Thing, thing};
    use crate::{IndexerOptions, Writer};

    fn filled(options: IndexerOptions<Thing>) -> (Writer<Thing>, Lister<Thing>) {
        let (mut writer, indexer) = Indexer::new(options);
        for (key, app) in [("a/x", "web"), ("a/y", "db"), ("b/x", "web"), ("cluster", "web")] {
            let mut object = thing(key, 1);
            object.metadata.labels.insert("app", app.into());
            writer.add(object).unwrap();
        }
        (writer, Lister::new(indexer, GroupResource::new("test", "things")))
    }

    fn keys(objects: &[Arc<Thing>]) -> BTreeSet<String> {
        objects.iter().map(|object| object.key().to_string()).collect()
    }

    fn set(keys: &[&str]) -> BTreeSet<String> {
        keys.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn t1_12_01_lists_by_empty_matching_and_nothing_selectors() {
        let web: Selector = "app=web".parse().unwrap();
        let without_index = IndexerOptions { indexes: Vec::new(), ..IndexerOptions::default() };
        for options in [IndexerOptions::default(), without_index] {
            let (_writer, lister) = filled(options);
            assert_eq!(keys(&lister.list(&Selector::default())), set(&["a/x", "a/y", "b/x", "cluster"]));
            assert_eq!(keys(&lister.list(&web)), set(&["a/x", "b/x", "cluster"]));
            assert!(lister.list(&Selector::NOTHING).is_empty());
            let a = lister.namespace("a");
            assert_eq!(keys(&a.list(&Selector::default()).unwrap()), set(&["a/x", "a/y"]));
            assert_eq!(keys(&a.list(&web).unwrap()), set(&["a/x"]));
            assert!(a.list(&Selector::NOTHING).unwrap().is_empty());
            assert!(lister.namespace("none").list(&Selector::default()).unwrap().is_empty());
        }
    }

    #[test]
    fn gets_or_says_not_found_as_the_server_does() {
        let (_writer, lister) = filled(IndexerOptions::default());
        assert_eq!(lister.namespace("a").get("x").unwrap().namespace(), "a");
        assert_eq!(lister.get(&ObjectKey::new("b", "x")).unwrap().namespace(), "b");
        assert_eq!(lister.get(&ObjectKey::cluster("cluster")).unwrap().name(), "cluster");
        let error = lister.namespace("b").get("y").unwrap_err();
        assert!(error.is_not_found());
        assert_eq!(error.message(), "things.test \"y\" not found");
        assert!(lister.get(&ObjectKey::new("a", "z")).unwrap_err().is_not_found());
        assert_eq!(lister.by_index(NAMESPACE_INDEX, "b").unwrap().len(), 1);
        assert_eq!(lister.by(&Index::namespace(), &"a".into()).unwrap().len(), 2);
    }

    #[test]
    fn a_key_of_the_wrong_scope_and_an_empty_namespace_are_bad_requests() {
        let (_writer, lister) = filled(IndexerOptions::default());
        let namespaced = lister.clone().with_namespaced(true);
        let error = namespaced.get(&ObjectKey::cluster("x")).unwrap_err();
        assert!(error.is_bad_request() && !error.is_not_found());
        assert_eq!(error.message(), "things.test have a namespace, and the key \"x\" has none");
        let error = lister.clone().with_namespaced(false).get(&ObjectKey::new("a", "none")).unwrap_err();
        assert_eq!(error.message(), "things.test have no namespace, and the key \"a/none\" has one");
        assert!(namespaced.get(&ObjectKey::new("a", "none")).unwrap_err().is_not_found());
        // The scope is not known: the cache tells, once there is something in it.
        let (mut writer, indexer) = Indexer::new(IndexerOptions::default());
        let unknown = Lister::new(indexer, GroupResource::new("test", "things"));
        assert!(unknown.get(&ObjectKey::cluster("x")).unwrap_err().is_not_found());
        writer.add(thing("a/x", 1)).unwrap();
        assert!(unknown.get(&ObjectKey::cluster("x")).unwrap_err().is_bad_request());
        for error in [
            lister.namespace("").list(&Selector::default()).unwrap_err(),
            lister.namespace("").get("x").unwrap_err(),
        ] {
            assert!(error.is_bad_request());
            let text = "the namespace of things.test is empty: `Lister::list` has those of all namespaces";
            assert_eq!(error.message(), text);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn waits_for_ones_own_write() {
        let (mut writer, lister) = filled(IndexerOptions::default());
        let deadline = Instant::now() + std::time::Duration::from_secs(1);
        let key = ObjectKey::new("a", "x");
        let (found, ()) = tokio::join!(lister.at_least(&key, "5", deadline), async {
            writer.update(thing("a/x", 5)).unwrap();
        });
        assert_eq!(found.unwrap().unwrap().resource_version(), "5");
    }
}
