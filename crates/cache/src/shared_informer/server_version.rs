//! Reads past the cache: the version of an object, and of a part of the collection.

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::{Object, ObjectKey, Str, fields};

use super::SharedInformer;
use crate::{Collection, Coverage, FetchContext, FetchError, Incoming};

/// The version of an object on the server; see [`SharedInformer::version_on_server`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerVersion {
    /// The UID. Empty if the object could not be decoded.
    pub uid: Str,
    /// The version.
    pub resource_version: Str,
}

impl<K: Object> SharedInformer<K> {
    /// Returns the objects that fill the cache, and their servers: one entry for each source that
    /// [knows it](crate::ListWatch::collection).
    pub fn collections(&self) -> Vec<Collection> {
        self.inner.sources.iter().filter_map(|(_, source)| source.collection()).collect()
    }

    /// Returns the version of the newest list or change of each of its [collections](Self::collections), if it is known.
    pub fn collection_versions(&self) -> Vec<(Collection, Str)> {
        let versions = self.indexer().changed_versions();
        let of = |collection: Collection| {
            let part = collection.namespace.clone().map_or(Coverage::All, Coverage::Namespace);
            let of_part = versions.iter().find(|(known, _)| *known == part);
            // An informer of one namespace has one part.
            let (_, version) = of_part.or(versions.first().filter(|_| versions.len() == 1))?;
            Some((collection, version.clone()))
        };
        self.collections().into_iter().filter_map(of).collect()
    }

    /// Asks the server for the current version of an object, with one list request. Returns `None` if no object of this
    /// name belongs to the content of this informer.
    ///
    /// It reads past the cache, and does not change the cache. It works before the informer runs, too.
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
    /// use client_rs_cache::{MemoryListWatch, SharedInformer};
    /// use client_rs_machinery::ObjectKey;
    ///
    /// let pods: MemoryListWatch<_> = [pod("web", 7)].into_iter().collect();
    /// let informer = SharedInformer::new(pods);
    /// let web = informer.version_on_server(&ObjectKey::new("default", "web")).await?;
    /// assert_eq!(web.unwrap().resource_version, "7");
    /// assert_eq!(informer.version_on_server(&ObjectKey::new("default", "db")).await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn version_on_server(&self, key: &ObjectKey) -> Result<Option<ServerVersion>, FetchError> {
        let sources = self.inner.sources.iter().filter(|(coverage, _)| coverage.contains(&key.namespace));
        for (_, source) in sources {
            let mut selector = fields::Selector::equals("metadata.name", key.name.clone());
            if !key.namespace.is_empty() {
                selector =
                    selector.and(&fields::Selector::equals("metadata.namespace", key.namespace.clone()));
            }
            if let Some(own) = source.collection().map(|collection| collection.field_selector)
                && let Ok(own) = fields::Selector::parse(&own)
            {
                selector = own.and(&selector);
            }
            let options =
                ListOptions { field_selector: selector.to_string().into(), ..ListOptions::default() };
            let mut found = None;
            let mut receive = |incoming: Incoming<K>| {
                let (of, version) = match &incoming {
                    Incoming::Object(object) => (
                        object.key(),
                        ServerVersion {
                            uid: object.uid().into(),
                            resource_version: object.resource_version().into(),
                        },
                    ),
                    Incoming::Undecodable(object) => (
                        object.key.clone(),
                        ServerVersion { uid: Str::EMPTY, resource_version: object.resource_version.clone() },
                    ),
                    Incoming::Cached(_) => return,
                };
                if of == *key {
                    found = Some(version);
                }
            };
            source.list(options, &FetchContext::default(), &mut receive).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Asks the server for the current version of a part: a consistent list of at most one object. `None` if the
    /// informer does not cover exactly this part.
    ///
    /// The cache is behind as long as its version is lower. It may also be higher, if the server was restored from
    /// a backup and the cache has not listed again.
    ///
    /// # Errors
    ///
    /// As a list of its source.
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
    /// # use client_rs_cache::{Coverage, MemoryListWatch, SharedInformer};
    /// let source: MemoryListWatch<_> = [pod("web", 7)].into_iter().collect();
    /// let informer = SharedInformer::new(source);
    /// assert!(informer.part_version_on_server(&Coverage::All).await?.is_some());
    /// assert_eq!(informer.part_version_on_server(&Coverage::Namespace("shop".into())).await?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn part_version_on_server(&self, part: &Coverage) -> Result<Option<Str>, FetchError> {
        let source = self.inner.sources.iter().find(|(covered, _)| covered == part);
        let Some((_, source)) = source else { return Ok(None) };
        // No version: the server reads its storage, not its cache.
        let options = ListOptions { limit: 1, ..ListOptions::EMPTY };
        let listed = source.list(options, &FetchContext::default(), &mut |_| ()).await?;
        Ok(Some(listed.resource_version))
    }
}
