//! Transforms: changes to objects before they reach a cache.

use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_machinery::{ErrorChain, Object, ObjectKey};

/// A function that every object passes once before it reaches the cache. Use it to drop fields that the program
/// does not read.
///
/// Set it in [`InformerOptions::transform`](crate::InformerOptions::transform), or per type in
/// [`FactoryOptions::transforms`](crate::FactoryOptions::transforms).
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
/// use client_rs_cache::{InformerOptions, MemoryListWatch, SharedInformer, Transform};
///
/// let drop_annotations = Transform::edit(|pod: &mut PartialObjectMetadata| pod.metadata.annotations = Default::default());
/// let options = InformerOptions::default().with_transform(drop_annotations);
/// let mut web = pod("web", 1);
/// web.metadata.annotations.insert("notes", "a long text".into());
/// let source: MemoryListWatch<_> = [web].into_iter().collect();
///
/// let informer = SharedInformer::with_options(source, options);
/// let running = informer.spawn();
/// informer.synced().await;
/// assert!(informer.indexer().find("default", "web").unwrap().metadata.annotations.is_empty());
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
///
/// - It must not change name, namespace and resourceVersion.
/// - **Blocking**: the task that reads the response of the server calls it, so it must be quick.
/// - It never sees an object twice, and never a tombstone.
/// - **Errors**: a failure or a panic affects only its object: the cache keeps the last good version and marks
///   it as stale.
pub struct Transform<K>(Arc<Function<K>>);

type Function<K> = dyn Fn(K) -> Result<K, Box<dyn Error + Send + Sync>> + Send + Sync;

/// A transform that failed or panicked.
#[derive(Debug, thiserror::Error)]
#[error("transform of {key} failed: {}", ErrorChain(&**cause))]
pub struct TransformError {
    /// The object.
    pub key: ObjectKey,
    /// The error of the function, or the message of the panic.
    pub cause: Box<dyn Error + Send + Sync>,
    /// Whether it was a panic.
    pub panicked: bool,
}

impl<K: Object> Transform<K> {
    /// Makes a transform from a function that can fail.
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
    /// # use client_rs_cache::Transform;
    /// let checked = Transform::new(|pod: PartialObjectMetadata| match &*pod.metadata.name {
    ///     "bad" => Err("not acceptable".into()),
    ///     _ => Ok(pod),
    /// });
    /// assert!(checked.apply(pod("web", 1)).is_ok());
    /// let error = checked.apply(pod("bad", 1)).unwrap_err();
    /// assert_eq!(error.to_string(), "transform of default/bad failed: not acceptable");
    /// ```
    pub fn new(
        function: impl Fn(K) -> Result<K, Box<dyn Error + Send + Sync>> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(function))
    }

    /// Makes a transform from a function that edits the object and cannot fail.
    pub fn edit(function: impl Fn(&mut K) + Send + Sync + 'static) -> Self {
        Self::new(move |mut object| {
            function(&mut object);
            Ok(object)
        })
    }

    /// Runs the transform on one object. A panic is an error with [`panicked`](TransformError::panicked) set.
    pub fn apply(&self, object: K) -> Result<K, TransformError> {
        let key = object.key();
        // A panic may leave the object half changed; it is dropped.
        match catch_unwind(AssertUnwindSafe(|| (self.0)(object))) {
            Ok(Ok(object)) => Ok(object),
            Ok(Err(cause)) => Err(TransformError { key, cause, panicked: false }),
            Err(panic) => {
                Err(TransformError { key, cause: panic_message(&*panic).to_owned().into(), panicked: true })
            }
        }
    }
}

/// Returns the message of a panic, if it has one.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic without a message")
}

impl<K> Clone for Transform<K> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K> fmt::Debug for Transform<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transform")
    }
}
