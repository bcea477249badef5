//! Reads a cache in the way that a client reads a server.

use std::fmt;
use std::sync::Arc;

use client_rs_machinery::labels::Selector;
use client_rs_machinery::{ApiError, GroupResource, Object, ObjectKey, Str};
use tokio::time::Instant;

use crate::Indexer;
use crate::store::{AtLeastError, Found, Index, IndexError, IndexValue, NAMESPACE_INDEX};

/// Reads the objects of one resource from a cache: no request, no waiting.
///
/// Get one from [`SharedInformer::lister`](crate::SharedInformer::lister). Use it in reconcilers; use a client
/// instead where a stale read would be wrong, such as before a delete that cannot be undone.
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
/// use client_rs_cache::{Indexer, Lister};
/// use client_rs_machinery::{GroupResource, Object, ObjectKey};
///
/// let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 1))?;
/// let pods = Lister::new(indexer, GroupResource::new("", "pods"));
///
/// let pod = pods.get(&ObjectKey::new("default", "web"))?;
/// assert_eq!(pod.name(), "web");
/// let gone = pods.get(&ObjectKey::new("default", "db")).unwrap_err();
/// assert!(gone.is_not_found(), "a reconciler has nothing to do: {gone}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// - Objects are shared. They are as new as the cache: a write that has just returned may be missing, see
///   [`at_least`](Self::at_least).
/// - **Order**: lists come in no particular order.
pub struct Lister<K> {
    indexer: Indexer<K>,
    resource: GroupResource,
    /// Whether the objects have a namespace, if that is known.
    namespaced: Option<bool>,
}

/// Reads the objects of one namespace from a cache; see [`Lister::namespace`].
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
/// # use client_rs_cache::{Indexer, Lister};
/// # use client_rs_machinery::{GroupResource, labels::Selector};
/// # let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 1))?;
/// let pods = Lister::new(indexer, GroupResource::new("", "pods")).namespace("default");
/// assert_eq!(pods.list(&Selector::everything())?.len(), 1);
/// assert!(pods.get("web").is_ok());
/// assert!(pods.get("db").unwrap_err().is_not_found());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NamespaceLister<K> {
    lister: Lister<K>,
    namespace: Str,
}

impl<K: Object> Lister<K> {
    /// Makes a reader of this cache. Errors name the resource.
    pub fn new(indexer: Indexer<K>, resource: GroupResource) -> Self {
        Self { indexer, resource, namespaced: None }
    }

    /// Sets whether objects of the resource have a namespace, so that a key of the wrong scope is an error. If
    /// unset, a missing key is compared with the objects in the cache.
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
    /// # use client_rs_cache::{Indexer, Lister};
    /// # use client_rs_machinery::{GroupResource, ObjectKey};
    /// # let (_writer, indexer) = Indexer::<PartialObjectMetadata>::new();
    /// let pods = Lister::new(indexer, GroupResource::new("", "pods")).with_namespaced(true);
    /// assert!(pods.get(&ObjectKey::cluster("web")).unwrap_err().is_bad_request());
    /// ```
    #[must_use]
    pub fn with_namespaced(self, namespaced: bool) -> Self {
        Self { namespaced: Some(namespaced), ..self }
    }

    /// Returns the objects of all namespaces that a selector matches.
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
    /// # use client_rs_cache::{Indexer, Lister};
    /// # use client_rs_machinery::{GroupResource, labels::Selector};
    /// # let (mut writer, indexer) = Indexer::new();
    /// let mut web = pod("web", 1);
    /// web.metadata.labels.insert("app", "shop".into());
    /// writer.add(web)?;
    /// writer.add(pod("db", 2))?;
    /// let pods = Lister::new(indexer, GroupResource::new("", "pods"));
    /// assert_eq!(pods.list(&Selector::everything()).len(), 2);
    /// assert_eq!(pods.list(&"app=shop".parse()?).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, selector: &Selector) -> Vec<Arc<K>> {
        if selector.is_nothing() {
            return Vec::new();
        }
        if selector.is_everything() {
            return self.indexer.list();
        }
        self.indexer.snapshot().select(selector).map(Found::into_arc).collect()
    }

    /// Returns an object, or an error for which [`ApiError::is_not_found`] holds. The key of a cluster-scoped
    /// object is [`ObjectKey::cluster`].
    ///
    /// A key without a namespace is a bad request ([`ApiError::is_bad_request`]) if the objects have one, and
    /// so is a key with a namespace if they have none.
    pub fn get(&self, key: &ObjectKey) -> Result<Arc<K>, ApiError> {
        self.find(&key.namespace, &key.name)
    }

    /// Returns a reader of one namespace. With an empty name its calls return an error; [`list`](Self::list)
    /// returns the objects of all namespaces.
    pub fn namespace(&self, namespace: impl Into<Str>) -> NamespaceLister<K> {
        NamespaceLister { lister: self.clone(), namespace: namespace.into() }
    }

    /// Returns the objects that have a value in an index; see [`Indexer::by_index`].
    pub fn by_index(&self, index: &str, value: &str) -> Result<Vec<Arc<K>>, IndexError> {
        self.indexer.by_index(index, value)
    }

    /// Returns the objects that have a value in a typed index; see [`Indexer::by`].
    pub fn by<V: IndexValue>(&self, index: &Index<K, V>, value: &V) -> Result<Vec<Arc<K>>, IndexError> {
        self.indexer.by(index, value)
    }

    /// Waits until the cache has the state that a write returned; see [`Indexer::at_least`].
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
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use std::time::Duration;
    /// # use client_rs_cache::{Indexer, Lister};
    /// # use client_rs_machinery::{GroupResource, Object};
    /// # use tokio::time::Instant;
    /// # let (mut writer, indexer) = Indexer::new();
    /// # let pods = Lister::new(indexer, GroupResource::new("", "pods"));
    /// let written = pod("web", 7);
    /// # writer.add(written.clone())?;
    /// let deadline = Instant::now() + Duration::from_secs(5);
    /// let seen = pods.at_least(&written.key(), written.resource_version(), deadline).await?;
    /// assert!(seen.is_some());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn at_least(
        &self,
        key: &ObjectKey,
        resource_version: &str,
        deadline: Instant,
    ) -> Result<Option<Arc<K>>, AtLeastError> {
        self.indexer.at_least(key, resource_version, deadline).await
    }

    /// Returns the cache that it reads.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.indexer
    }

    fn find(&self, namespace: &str, name: &str) -> Result<Arc<K>, ApiError> {
        self.indexer.find(namespace, name).ok_or_else(|| self.missing(namespace, name))
    }

    /// Returns the error for a missing object.
    #[cold]
    fn missing(&self, namespace: &str, name: &str) -> ApiError {
        match self.namespaced.or_else(|| self.indexer.is_namespaced()) {
            Some(true) if namespace.is_empty() => ApiError::bad_request(format!(
                "{} are namespaced, and the key {name:?} has no namespace",
                self.resource
            )),
            Some(false) if !namespace.is_empty() => ApiError::bad_request(format!(
                "{} are cluster-scoped, and the key \"{namespace}/{name}\" has a namespace",
                self.resource
            )),
            _ => ApiError::not_found(&self.resource, name),
        }
    }
}

impl<K: Object> NamespaceLister<K> {
    /// Returns the objects that a selector matches. The only error is an empty namespace, which is a bad
    /// request.
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
        // The cache has no index by namespace.
        let objects = snapshot.select(selector).map(Found::into_arc);
        Ok(objects.filter(|object| object.namespace() == self.namespace).collect())
    }

    /// Returns an object, or an error for which [`ApiError::is_not_found`] holds.
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
            "the namespace of {resource} is empty: to list all namespaces, use `Lister::list`"
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
        let (mut writer, indexer) = Indexer::with_options(options);
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
    fn a_missing_object_is_not_found_as_from_a_server() {
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
        assert_eq!(error.message(), "things.test are namespaced, and the key \"x\" has no namespace");
        let error = lister.clone().with_namespaced(false).get(&ObjectKey::new("a", "none")).unwrap_err();
        assert_eq!(error.message(), "things.test are cluster-scoped, and the key \"a/none\" has a namespace");
        assert!(namespaced.get(&ObjectKey::new("a", "none")).unwrap_err().is_not_found());
        // With an unknown scope, the objects in the cache decide.
        let (mut writer, indexer) = Indexer::new();
        let unknown = Lister::new(indexer, GroupResource::new("test", "things"));
        assert!(unknown.get(&ObjectKey::cluster("x")).unwrap_err().is_not_found());
        writer.add(thing("a/x", 1)).unwrap();
        assert!(unknown.get(&ObjectKey::cluster("x")).unwrap_err().is_bad_request());
        for error in [
            lister.namespace("").list(&Selector::default()).unwrap_err(),
            lister.namespace("").get("x").unwrap_err(),
        ] {
            assert!(error.is_bad_request());
            let text = "the namespace of things.test is empty: to list all namespaces, use `Lister::list`";
            assert_eq!(error.message(), text);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn at_least_waits_for_a_write() {
        let (mut writer, lister) = filled(IndexerOptions::default());
        let deadline = Instant::now() + std::time::Duration::from_secs(1);
        let key = ObjectKey::new("a", "x");
        let (found, ()) = tokio::join!(lister.at_least(&key, "5", deadline), async {
            writer.update(thing("a/x", 5)).unwrap();
        });
        assert_eq!(found.unwrap().unwrap().resource_version(), "5");
    }
}
