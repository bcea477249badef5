//! The options of the informers of one type in a factory.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::{Object, Str};

use crate::Transform;
use crate::store::{IndexFunction, Layout};

client_rs_machinery::options! {
    /// The options of one type in [`FactoryOptions`](crate::FactoryOptions): which of its objects are cached, and how.
    /// controller-runtime's `ByObject`.
    ///
    /// An unset option is the factory's. An informer reads its options when it is requested for the first time.
    ///
    /// ```
    /// use client_rs_cache::{FactoryOptions, KindOptions, Transform};
    /// use client_rs_machinery::meta::v1::PartialObjectMetadata;
    ///
    /// let pods = KindOptions::<PartialObjectMetadata>::default()
    ///     .with_namespaces(["shop"])
    ///     .with_label_selector("app=web")
    ///     .with_transform(Transform::edit(|pod: &mut PartialObjectMetadata| {
    ///         pod.metadata.annotations = Default::default();
    ///     }));
    /// let options = FactoryOptions::default().with_kind(pods);
    /// assert_eq!(options.kind::<PartialObjectMetadata>().label_selector, "app=web");
    /// ```
    ///
    /// A cache with a selector does not have the other objects: `get` and `list` do not find them, and a controller does not wait for
    /// its own writes to them.
    pub struct KindOptions<K> {
        /// The namespaces to cache, each with a list and a watch of its own. Default: empty, those of the factory.
        pub namespaces: Vec<Str> => with_namespaces,
        /// Cache all namespaces, even if the factory is limited to some. It counts only if `namespaces` is empty. Default: false.
        pub all_namespaces: bool => with_all_namespaces,
        /// The label selector of lists and watches. Default: empty, everything. If the factory has a
        /// [`tweak`](crate::FactoryOptions::tweak), it runs after this and may overwrite it.
        pub label_selector: Str => with_label_selector,
        /// The field selector of lists and watches, such as `spec.nodeName=n1`. Default: empty, everything.
        pub field_selector: Str => with_field_selector,
        /// Applied to every object before it reaches the cache. Default: that of
        /// [`FactoryOptions::transforms`](crate::FactoryOptions::transforms).
        pub transform: Option<Transform<K>> => with_transform,
        /// How the cache keeps objects. Default: that of [`FactoryOptions::layouts`](crate::FactoryOptions::layouts).
        pub layout: Option<Layout<K>> => with_layout,
        /// The indexes, in addition to key and namespace. Default: empty.
        pub indexes: Vec<IndexFunction<K>> => with_indexes,
        /// The resync period. Default: that of the factory.
        pub resync_period: Option<Duration> => with_resync_period,
        /// Whether `metadata.managedFields` are kept. Default: as the factory.
        pub keep_managed_fields: Option<bool> => with_keep_managed_fields,
    }
}

impl<K> KindOptions<K> {
    /// Whether lists and watches have a selector of this type.
    pub(crate) fn selects(&self) -> bool {
        !self.label_selector.is_empty() || !self.field_selector.is_empty()
    }

    /// Adds the selectors to a list or watch.
    pub(crate) fn select(&self, options: &mut ListOptions) {
        if !self.label_selector.is_empty() {
            options.label_selector.clone_from(&self.label_selector);
        }
        if !self.field_selector.is_empty() {
            options.field_selector.clone_from(&self.field_selector);
        }
    }
}

impl<K> Default for KindOptions<K> {
    fn default() -> Self {
        Self {
            namespaces: Vec::new(),
            all_namespaces: false,
            label_selector: Str::EMPTY,
            field_selector: Str::EMPTY,
            transform: None,
            layout: None,
            indexes: Vec::new(),
            resync_period: None,
            keep_managed_fields: None,
        }
    }
}

impl<K> Clone for KindOptions<K> {
    fn clone(&self) -> Self {
        Self {
            namespaces: self.namespaces.clone(),
            all_namespaces: self.all_namespaces,
            label_selector: self.label_selector.clone(),
            field_selector: self.field_selector.clone(),
            transform: self.transform.clone(),
            layout: self.layout.clone(),
            indexes: self.indexes.clone(),
            resync_period: self.resync_period,
            keep_managed_fields: self.keep_managed_fields,
        }
    }
}

impl<K> fmt::Debug for KindOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KindOptions")
            .field("namespaces", &self.namespaces)
            .field("all_namespaces", &self.all_namespaces)
            .field("label_selector", &self.label_selector)
            .field("field_selector", &self.field_selector)
            .finish_non_exhaustive()
    }
}

/// [`KindOptions`] of several types.
#[derive(Clone, Default)]
pub struct Kinds(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Kinds {
    /// Sets the options of a type, replacing earlier ones.
    #[must_use]
    pub fn with<K: Object>(mut self, options: KindOptions<K>) -> Self {
        self.0.insert(TypeId::of::<K>(), Arc::new(options));
        self
    }

    /// Returns the options of a type; the default if it has none.
    pub fn get<K: Object>(&self) -> KindOptions<K> {
        self.0.get(&TypeId::of::<K>()).and_then(|known| known.downcast_ref()).cloned().unwrap_or_default()
    }
}

impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kinds(of {} types)", self.0.len())
    }
}
