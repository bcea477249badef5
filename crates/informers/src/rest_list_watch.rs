//! [`RestListWatch`]: lists and watches over a client.

use std::fmt;
use std::marker::PhantomData;

use client_rs_cache::{
    BoxFuture, FetchContext, FetchError, Incoming, ItemSink, ListWatch, Tweaked, Undecodable, WatchStream,
};
use client_rs_client::{DecodeOptions, ListItem, Request, RestClient};
use client_rs_machinery::features::{Feature, FeatureGates};
use client_rs_machinery::meta::v1::{ListOptions, PartialObjectMetadata};
use client_rs_machinery::wire::{ListSummary, Payload};
use client_rs_machinery::{
    GroupVersionResource, Object, ObjectKey, Resource, Str, Unstructured, fields, labels, verbs,
};

use crate::fetch_error;
use crate::watch_items::{WatchItems, cached};

/// What asks a server for the bare metadata of a list's objects: protobuf, then JSON, then whatever it has.
const METADATA_LIST: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
     application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
/// The same of a watch's objects.
const METADATA_WATCH: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
     application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/// The objects of one resource, from a server: what an informer lists and watches.
///
/// ```no_run
/// # use client_rs_cache::{InformerOptions, SharedInformer};
/// # use client_rs_client::RestClient;
/// # use client_rs_informers::RestListWatch;
/// # use client_rs_machinery::{GroupVersionResource, labels::Selector};
/// # fn informers(rest: RestClient) -> Result<(), Box<dyn std::error::Error>> {
/// let widgets = GroupVersionResource::new("example.com", "v1", "widgets");
/// let source = RestListWatch::dynamic(rest, widgets).namespace("shop").labels(&Selector::parse("tier=web")?);
/// let informer = SharedInformer::new(source, InformerOptions::default());
/// # Ok(())
/// # }
/// ```
///
/// - **Memory**: a list is decoded item by item as it arrives, and an item that the cache has at the same version is not
///   decoded at all; so is a streamed list.
/// - **Bad input**: an item or event that does not decode is given as [`Incoming::Undecodable`], and what is behind it
///   still comes.
/// - **Errors**: a watch that breaks off is an error that a reflector takes for the end of the watch; what was said
///   before counts. A list that breaks off counts for nothing.
/// - Streamed lists are tried unless the gate `WatchListClient` is off.
pub struct RestListWatch<K> {
    rest: RestClient,
    resource: GroupVersionResource,
    namespace: Option<Str>,
    label_selector: Str,
    field_selector: Str,
    /// The media types to ask for in a list and in a watch; `None` for what suits the type.
    accept: Option<(&'static str, &'static str)>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Resource + Payload + verbs::List + verbs::Watch> RestListWatch<K> {
    /// All objects of a resource that is known when compiling.
    pub fn new(rest: RestClient) -> Self {
        Self::of(rest, K::gvr(), None)
    }
}

impl RestListWatch<Unstructured> {
    /// All objects of a resource, whatever it is. They come as JSON.
    pub fn dynamic(rest: RestClient, resource: GroupVersionResource) -> Self {
        Self::of(rest, resource, None)
    }
}

impl RestListWatch<PartialObjectMetadata> {
    /// The metadata of all objects of a resource, whatever it is. A server that can't leave the rest out sends it in
    /// vain.
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
            kind: PhantomData,
        }
    }

    /// The resource.
    pub fn resource(&self) -> &GroupVersionResource {
        &self.resource
    }

    /// Only objects of this namespace. An empty name is an error of each list and watch: see
    /// [`all_namespaces`](Self::all_namespaces). A server finds no resource there whose objects have no namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<Str>) -> Self {
        self.namespace = Some(namespace.into());
        self
    }

    /// Objects of all namespaces, as at first.
    #[must_use]
    pub fn all_namespaces(mut self) -> Self {
        self.namespace = None;
        self
    }

    /// Only objects with these labels.
    #[must_use]
    pub fn labels(mut self, selector: &labels::Selector) -> Self {
        self.label_selector = selector.to_string().into();
        self
    }

    /// Only objects with these fields: `metadata.name` and `metadata.namespace`, and what else the resource allows.
    #[must_use]
    pub fn fields(mut self, selector: &fields::Selector) -> Self {
        self.field_selector = selector.to_string().into();
        self
    }

    /// The same, with the options of each request adjusted by a function, which has the last word.
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
        let GroupVersionResource { group, version, resource } = &self.resource;
        let request = Request::get().api(group, version).resource(resource).options(&options);
        let request = match &self.namespace {
            Some(namespace) => request.namespace(namespace),
            None => request,
        };
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
            let list = self.rest.list_stream::<K>(request, decode_options(cx)).await;
            let mut list = list.map_err(fetch_error::of_call)?;
            loop {
                let item = list.next_with(|item, decoding| match cached(cx, &item.peek()) {
                    Some(known) => Ok(Incoming::Cached(known)),
                    None => item.decode(decoding).map(Incoming::Object),
                });
                let Some(item) = item.await.map_err(fetch_error::of_call)? else { break };
                items(match item {
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
            let watch = self.rest.watch::<K>(request, decode_options(cx)).await;
            let watch = watch.map_err(fetch_error::of_call)?;
            Ok(Box::pin(WatchItems::new(watch, cx.clone(), initial)) as WatchStream<K>)
        })
    }

    fn supports_watch_list(&self) -> bool {
        FeatureGates::global().enabled(Feature::WatchListClient)
    }
}

fn decode_options<K>(cx: &FetchContext<K>) -> DecodeOptions {
    DecodeOptions {
        strip_managed_fields: cx.strip_managed_fields,
        pool: cx.pool.clone(),
        ..DecodeOptions::default()
    }
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
