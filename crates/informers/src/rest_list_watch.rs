//! [`RestListWatch`]: lists and watches over a client.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use client_rs_cache::{
    BoxFuture, Collection, FetchContext, FetchError, Incoming, ItemSink, ListWatch, Tweaked, Undecodable,
    WatchStream,
};
use client_rs_client::{DecodeOptions, ListItem, Request, RestClient};
use client_rs_machinery::features::{Feature, FeatureGates};
use client_rs_machinery::meta::v1::{ListOptions, PartialObjectMetadata};
use client_rs_machinery::wire::{ListSummary, Payload};
use client_rs_machinery::{
    GroupResource, GroupVersionResource, Object, ObjectKey, Resource, ShardSelector, Str, Unstructured,
    fields, labels, verbs,
};

use crate::fetch_error;
use crate::watch_items::{WatchItems, cached, in_shard};

/// The media types for the bare metadata of listed objects: protobuf, then JSON, then whole objects.
const METADATA_LIST: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
     application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
/// The same for watched objects.
const METADATA_WATCH: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
     application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// The objects of one resource on a server: the source of an informer.
///
/// The factories make it by themselves. Use it for an informer without a factory, or for another consumer of a
/// [`ListWatch`], such as `until_with_sync`.
///
///
/// ```
/// # use client_rs_api::core::v1::ConfigMap;
/// # use client_rs_apiserver::fake::FakeClient;
/// # use client_rs_client::RestClient;
/// # fn config(name: &str) -> ConfigMap {
/// #     let mut config = ConfigMap::EMPTY;
/// #     config.metadata.name = name.into();
/// #     config.metadata.namespace = "shop".into();
/// #     config
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::SharedInformer;
/// use client_rs_informers::RestListWatch;
///
/// let rest = RestClient::fake(&[&config("settings")])?.client;
/// let source = RestListWatch::<ConfigMap>::new(rest).namespace("shop");
/// let informer = SharedInformer::new(source);
/// let running = informer.spawn();
/// informer.synced().await;
/// assert_eq!(informer.indexer().len(), 1);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
///
/// - **Memory**: a list, plain or streamed, is decoded item by item as it arrives. An item that the cache has
///   at the same version is not decoded at all.
/// - **Bad input**: an item or event that does not decode is passed on as [`Incoming::Undecodable`], and the
///   ones after it still arrive.
/// - **Errors**: a watch that breaks off is an error that a reflector handles as the end of the watch; its
///   events until then count. A list that breaks off is discarded.
/// - The reflector tries streamed lists unless the gate `WatchListClient` is off.
pub struct RestListWatch<K> {
    rest: RestClient,
    resource: GroupVersionResource,
    namespace: Option<Str>,
    label_selector: Str,
    field_selector: Str,
    /// The media types of lists and of watches; `None` for the default of the type.
    accept: Option<(&'static str, &'static str)>,
    without_managed_fields: bool,
    shard: Option<Arc<ShardSelector>>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Resource + Payload + verbs::List + verbs::Watch> RestListWatch<K> {
    /// Makes the source of all objects of a resource with a Rust type.
    pub fn new(rest: RestClient) -> Self {
        Self::of(rest, K::gvr(), None)
    }
}

impl RestListWatch<Unstructured> {
    /// Makes the source of all objects of any resource. They come as JSON.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::fake::FakeClient;
    /// # use client_rs_client::RestClient;
    /// # fn config(name: &str) -> ConfigMap {
    /// #     let mut config = ConfigMap::EMPTY;
    /// #     config.metadata.name = name.into();
    /// #     config.metadata.namespace = "shop".into();
    /// #     config
    /// # }
    /// # use client_rs_informers::RestListWatch;
    /// use client_rs_machinery::{GroupVersionResource, labels::Selector};
    ///
    /// let rest = RestClient::fake(&[])?.client;
    /// let configs = GroupVersionResource::new("", "v1", "configmaps");
    /// let source = RestListWatch::dynamic(rest, configs).namespace("shop").labels(&Selector::parse("tier=web")?);
    /// assert_eq!(source.resource().resource, "configmaps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dynamic(rest: RestClient, resource: GroupVersionResource) -> Self {
        Self::of(rest, resource, None)
    }
}

impl RestListWatch<PartialObjectMetadata> {
    /// Makes the source of the metadata of all objects of any resource. A server that cannot leave out the rest
    /// of the objects sends it too, and it is ignored.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::fake::FakeClient;
    /// # use client_rs_client::RestClient;
    /// # fn config(name: &str) -> ConfigMap {
    /// #     let mut config = ConfigMap::EMPTY;
    /// #     config.metadata.name = name.into();
    /// #     config.metadata.namespace = "shop".into();
    /// #     config
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_cache::SharedInformer;
    /// # use client_rs_informers::RestListWatch;
    /// # use client_rs_machinery::GroupVersionResource;
    /// let rest = RestClient::fake(&[&config("settings")])?.client;
    /// let source = RestListWatch::metadata(rest, GroupVersionResource::new("", "v1", "configmaps"));
    /// let informer = SharedInformer::new(source);
    /// let running = informer.spawn();
    /// informer.synced().await;
    /// assert_eq!(informer.indexer().list()[0].metadata.name, "settings");
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn metadata(rest: RestClient, resource: GroupVersionResource) -> Self {
        Self::of(rest, resource, Some((METADATA_LIST, METADATA_WATCH)))
    }
}

impl<K> RestListWatch<K> {
    fn of(
        rest: RestClient,
        resource: GroupVersionResource,
        accept: Option<(&'static str, &'static str)>,
    ) -> Self {
        Self {
            rest,
            resource,
            namespace: None,
            label_selector: Str::EMPTY,
            field_selector: Str::EMPTY,
            accept,
            without_managed_fields: false,
            shard: None,
            kind: PhantomData,
        }
    }

    /// Returns the resource.
    pub fn resource(&self) -> &GroupVersionResource {
        &self.resource
    }

    /// Restricts it to the objects of this namespace. With an empty name each list and watch is an error: see
    /// [`all_namespaces`](Self::all_namespaces). For a cluster-scoped resource the server responds with not
    /// found.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<Str>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Covers all namespaces again, which is the default.
    #[must_use]
    pub fn all_namespaces(mut self) -> Self {
        self.namespace = None;
        self
    }

    /// Restricts it to objects with these labels.
    #[must_use]
    pub fn labels(mut self, selector: &labels::Selector) -> Self {
        self.label_selector = selector.to_string().into();
        self
    }

    /// Restricts it to objects with these fields: `metadata.name`, `metadata.namespace`, and others that the resource supports.
    #[must_use]
    pub fn fields(mut self, selector: &fields::Selector) -> Self {
        self.field_selector = selector.to_string().into();
        self
    }

    /// Asks the server to leave out `metadata.managedFields`, so that lists and watches are smaller on the wire (KEP-5958). Caches drop these fields
    /// anyway. A server that does not support it sends them.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::fake::FakeClient;
    /// # use client_rs_cache::SharedInformer;
    /// # use client_rs_client::RestClient;
    /// # use client_rs_informers::RestListWatch;
    /// # let rest = RestClient::fake(&[])?.client;
    /// let informer = SharedInformer::new(RestListWatch::<ConfigMap>::new(rest).without_managed_fields());
    /// # drop(informer);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn without_managed_fields(mut self) -> Self {
        self.without_managed_fields = true;
        self
    }

    /// Takes only the objects of a shard, so that the cache of each of N replicas has a part of the objects.
    ///
    /// A server with the feature gate `ShardedListAndWatch` (KEP-5866) sends only these objects. From another server all objects arrive, and
    /// those of other shards are dropped here: the cache is the same, but not the traffic. Own writes of a sharded cache are not followed: a
    /// controller does not wait until the cache has them.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::fake::FakeClient;
    /// # use client_rs_cache::SharedInformer;
    /// # use client_rs_client::RestClient;
    /// # use client_rs_informers::RestListWatch;
    /// use client_rs_machinery::{ShardField, ShardSelector};
    ///
    /// # let rest = RestClient::fake(&[])?.client;
    /// let (replica, replicas) = (1, 3);
    /// let shard = ShardSelector::part(ShardField::Uid, replica, replicas).expect("replicas are numbered from 0");
    /// let informer = SharedInformer::new(RestListWatch::<ConfigMap>::new(rest).shard(shard));
    /// # drop(informer);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn shard(mut self, shard: ShardSelector) -> Self {
        self.shard = Some(Arc::new(shard));
        self
    }

    /// Asks the server whether it sends the objects of a shard alone (KEP-5866), with a list of at most one object. Another server ignores the
    /// selector.
    ///
    /// # Errors
    ///
    /// [`FetchError`] if the list fails.
    pub async fn selects_shards(&self, shard: &ShardSelector) -> Result<bool, FetchError>
    where
        K: Object + Payload,
    {
        let options =
            ListOptions { limit: 1, shard_selector: shard.to_string().into(), ..ListOptions::EMPTY };
        let list = self.rest.list_stream::<K>(self.request(options)).await;
        let mut list = list.map_err(fetch_error::of_call)?;
        while list.try_next().await.map_err(fetch_error::of_call)?.is_some() {}
        Ok(list.summary().is_some_and(|summary| !summary.shard_selector.is_empty()))
    }

    /// Adjusts the options of each request with a function, which runs last.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::fake::FakeClient;
    /// # use client_rs_client::RestClient;
    /// # fn config(name: &str) -> ConfigMap {
    /// #     let mut config = ConfigMap::EMPTY;
    /// #     config.metadata.name = name.into();
    /// #     config.metadata.namespace = "shop".into();
    /// #     config
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_cache::SharedInformer;
    /// # use client_rs_informers::RestListWatch;
    /// let rest = RestClient::fake(&[&config("settings"), &config("other")])?.client;
    /// let source = RestListWatch::<ConfigMap>::new(rest)
    ///     .tweak(|options| options.field_selector = "metadata.name=settings".into());
    /// let informer = SharedInformer::new(source);
    /// let running = informer.spawn();
    /// informer.synced().await;
    /// assert_eq!(informer.indexer().len(), 1);
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn tweak<F: Fn(&mut ListOptions) + Send + Sync + 'static>(self, tweak: F) -> Tweaked<Self, F> {
        Tweaked::new(self, tweak)
    }

    fn request(&self, mut options: ListOptions) -> Request {
        if options.label_selector.is_empty() {
            options.label_selector.clone_from(&self.label_selector);
        }
        if options.field_selector.is_empty() {
            options.field_selector.clone_from(&self.field_selector);
        }
        if let (Some(shard), true) = (&self.shard, options.shard_selector.is_empty()) {
            options.shard_selector = shard.to_string().into();
        }
        let GroupVersionResource { group, version, resource } = &self.resource;
        let request = Request::get().api(group, version).resource(resource).options(&options);
        let request = match &self.namespace {
            Some(namespace) => request.namespace(namespace),
            None => request,
        };
        let request = if self.without_managed_fields { request.without_managed_fields() } else { request };
        match self.accept {
            Some((list, watch)) => {
                request.header(http::header::ACCEPT, if options.watch { watch } else { list })
            }
            None => request,
        }
    }
}

impl<K: Object + Payload> ListWatch<K> for RestListWatch<K> {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        Box::pin(async move {
            let request = self.request(options);
            let list = self.rest.list_stream_with::<K>(request, decode_options(cx)).await;
            let mut list = list.map_err(fetch_error::of_call)?;
            let may_be_cached = cx.may_be_cached();
            loop {
                let item = list.next_with(|item, decoding| {
                    let known = if may_be_cached { cached(cx, &item.peek()) } else { None };
                    match known {
                        Some(known) => Ok(Incoming::Cached(known)),
                        None => item.decode(decoding).map(Incoming::Object),
                    }
                });
                let Some(item) = item.await.map_err(fetch_error::of_call)? else { break };
                items(match item {
                    ListItem::Object(Incoming::Object(object))
                        if !in_shard(self.shard.as_deref(), &object) =>
                    {
                        continue;
                    }
                    ListItem::Object(incoming) => incoming,
                    ListItem::Bad(bad) => Incoming::Undecodable(Undecodable {
                        key: ObjectKey::new(bad.namespace, bad.name),
                        resource_version: bad.resource_version.into(),
                        error: bad.error,
                    }),
                });
            }
            Ok(list.summary().cloned().unwrap_or_default())
        })
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        Box::pin(async move {
            let initial = options.send_initial_events == Some(true);
            let request = self.request(options);
            let watch = self.rest.watch_with::<K>(request, decode_options(cx)).await;
            let watch = watch.map_err(fetch_error::of_call)?;
            Ok(Box::pin(WatchItems::new(watch, cx.clone(), initial, self.shard.clone())) as WatchStream<K>)
        })
    }

    fn collection(&self) -> Option<Collection> {
        if self.shard.is_some() {
            // A write to an object of another shard never arrives.
            return None;
        }
        let resource = GroupResource::new(self.resource.group.clone(), self.resource.resource.clone());
        let collection = Collection::new(self.rest.write_log().clone(), resource)
            .with_label_selector(self.label_selector.clone())
            .with_field_selector(self.field_selector.clone());
        Some(match &self.namespace {
            Some(namespace) => collection.with_namespace(namespace.clone()),
            None => collection,
        })
    }

    fn supports_watch_list(&self) -> bool {
        FeatureGates::global().enabled(Feature::WatchListClient)
    }
}

fn decode_options<K>(cx: &FetchContext<K>) -> DecodeOptions {
    let mut options = DecodeOptions::default().with_strip_managed_fields(cx.strip_managed_fields);
    options.pool.clone_from(&cx.pool);
    options
}

impl<K> Clone for RestListWatch<K> {
    fn clone(&self) -> Self {
        Self {
            rest: self.rest.clone(),
            resource: self.resource.clone(),
            namespace: self.namespace.clone(),
            label_selector: self.label_selector.clone(),
            field_selector: self.field_selector.clone(),
            accept: self.accept,
            without_managed_fields: self.without_managed_fields,
            shard: self.shard.clone(),
            kind: PhantomData,
        }
    }
}

impl<K> fmt::Debug for RestListWatch<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RestListWatch")
            .field("resource", &self.resource)
            .field("namespace", &self.namespace)
            .field("label_selector", &self.label_selector)
            .field("field_selector", &self.field_selector)
            .finish_non_exhaustive()
    }
}
