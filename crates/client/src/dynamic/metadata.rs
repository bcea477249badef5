//! Metadata of any resource, without the other fields.

use client_rs_machinery::meta::v1::{
    DeleteOptions, GetOptions, ListOptions, ObjectMeta, PartialObjectMetadata, PatchOptions,
};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, Decoding, Format, Message, Payload};
use client_rs_machinery::{GroupVersionResource, Json, Str, Unstructured};
use client_rs_transport::Config;
use http::header::ACCEPT;

use super::place::Place;
use crate::api::{ApiRequest, DeleteCollectionOptions, DeleteResponse, Reply, options, request};
use crate::discovery::RestMapping;
use crate::{DecodeOptions, Error, ListStream, Listed, Request, RestClient, Verb, Watch};

/// Reads only the metadata of any resource: names, labels, owners, versions.
///
/// Use it to find, count or delete objects whose content does not matter, such as in a garbage collector. The responses are a
/// fraction of the size of the objects, and protobuf if the server supports it, for custom resources too. For `spec` or `status` use
/// [`Api`](crate::Api) or [`DynamicClient`](crate::DynamicClient).
///
/// Clones are cheap. Nothing is sent before a request is awaited, and dropping its future cancels it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::MetadataClient;
/// use client_rs_machinery::GroupVersionResource;
///
/// # let server = Canned::new().on("GET /api/v1/namespaces/a/secrets", r#"{"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1",
/// #     "items": [{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "token"}}]}"#);
/// let client = MetadataClient::from_rest(server.client());
/// let secrets = client.resource(GroupVersionResource::new("", "v1", "secrets")).namespace("a");
/// assert_eq!(secrets.list().await?.items[0].metadata.name, "token");
/// // The server never sent the content of the secrets.
/// assert!(server.received()[0].headers()["accept"].to_str()?.contains("as=PartialObjectMetadataList"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct MetadataClient {
    rest: RestClient,
}

impl MetadataClient {
    /// Connects to the server of a config, with its user and its limits.
    ///
    /// # Errors
    ///
    /// If the credentials or the certificates of the config can't be used. No request is sent.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        RestClient::from_config(config).map(Self::from_rest)
    }

    /// Uses an existing client.
    pub fn from_rest(rest: RestClient) -> Self {
        Self { rest }
    }

    /// Returns a handle on the metadata of a resource, without a lookup.
    pub fn resource(&self, resource: GroupVersionResource) -> MetadataApi {
        MetadataApi { rest: self.rest.clone(), place: Place::of(resource) }
    }

    /// Returns a handle on the metadata of a resource that a mapper found. The handle checks the scope.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{DynamicClient, MetadataClient, testing::Canned};
    /// # let rest = Canned::new().with_discovery().client();
    /// let mapping = DynamicClient::from_rest(rest.clone()).mapper().find("deploy").await?;
    /// let deployments = MetadataClient::from_rest(rest).mapped(&mapping);
    /// // A single object of a namespaced resource needs a namespace.
    /// assert!(deployments.get("web").await.unwrap_err().to_string().contains("set a namespace"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn mapped(&self, mapping: &RestMapping) -> MetadataApi {
        MetadataApi { rest: self.rest.clone(), place: Place::mapped(mapping) }
    }
}

impl From<RestClient> for MetadataClient {
    fn from(rest: RestClient) -> Self {
        Self::from_rest(rest)
    }
}

impl From<MetadataClient> for RestClient {
    fn from(client: MetadataClient) -> Self {
        client.rest
    }
}

impl From<&MetadataClient> for RestClient {
    fn from(client: &MetadataClient) -> Self {
        client.rest.clone()
    }
}

/// A handle on the metadata of one resource: in the cluster, in one namespace, or in all namespaces.
///
/// A server that can't return metadata alone returns whole objects. Then [`get`](Self::get) takes their metadata, and
/// [`list`](Self::list) sends a second request. [`watch`](Self::watch) and [`list_stream`](Self::list_stream) fail.
#[derive(Clone, Debug)]
pub struct MetadataApi {
    rest: RestClient,
    place: Place,
}

impl MetadataApi {
    /// Returns a handle on the same resource in this namespace.
    #[must_use]
    pub fn namespace(&self, namespace: impl Into<Str>) -> Self {
        Self { rest: self.rest.clone(), place: self.place.within(namespace.into()) }
    }

    /// The client that sends the requests of this handle.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// Returns a request on the collection as plain data. It asks for metadata only.
    pub fn request(&self, verb: Verb) -> Request {
        self.place.all(Request::new(verb)).header(ACCEPT, ONE)
    }

    /// Reads the metadata of the object with this name.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{MetadataClient, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let server = Canned::new().on("GET /apis/apps/v1/namespaces/a/deployments/web",
    /// #     r#"{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "web", "generation": 3}}"#);
    /// # let deployments = MetadataClient::from_rest(server.client())
    /// #     .resource(GroupVersionResource::new("apps", "v1", "deployments")).namespace("a");
    /// assert_eq!(deployments.get("web").await?.metadata.generation, 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn get(&self, name: &str) -> ApiRequest<PartialObjectMetadata, GetOptions> {
        self.ask(self.place.one(Verb::Get, name).header(ACCEPT, ONE), request::params, one)
    }

    /// Lists the metadata of all objects.
    pub fn list(&self) -> ApiRequest<Listed<PartialObjectMetadata>, ListOptions> {
        self.ask(self.place.all(Request::get()).header(ACCEPT, MANY), options::list, many)
    }

    /// Lists the metadata of all objects as it arrives.
    pub fn list_stream(&self) -> ApiRequest<ListStream<PartialObjectMetadata>, ListOptions> {
        self.ask(self.place.all(Request::get()).header(ACCEPT, MANY), options::list, request::list_stream)
    }

    /// Watches for changes after a `resourceVersion`. Events have metadata only.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{MetadataClient, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let server = Canned::new().on("GET /api/v1/pods?watch=true", r#"{"type": "MODIFIED", "object":
    /// #     {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": {"name": "web", "resourceVersion": "8"}}}"#);
    /// # let pods = MetadataClient::from_rest(server.client()).resource(GroupVersionResource::new("", "v1", "pods"));
    /// use client_rs_machinery::wire::WatchEvent;
    ///
    /// let mut watch = pods.watch().resource_version("7").await?;
    /// let Some(Ok(WatchEvent::Modified(pod))) = watch.next().await else { panic!("expected an event") };
    /// assert_eq!(pod.metadata.resource_version, "8");
    /// # Ok(())
    /// # }
    /// ```
    pub fn watch(&self) -> ApiRequest<Watch<PartialObjectMetadata>, ListOptions> {
        self.ask(self.place.all(Request::get()).header(ACCEPT, ONE), options::watch, request::watch)
    }

    /// Changes parts of an object, and returns its metadata.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{MetadataClient, testing::Canned};
    /// # use client_rs_machinery::{GroupVersionResource, json, patch::Patch};
    /// # let server = Canned::new().on("PATCH /api/v1/nodes/n1", r#"{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
    /// #     "metadata": {"name": "n1", "annotations": {"drained": "yes"}}}"#);
    /// # let nodes = MetadataClient::from_rest(server.client()).resource(GroupVersionResource::new("", "v1", "nodes"));
    /// let note = Patch::Merge(json!({"metadata": {"annotations": {"drained": "yes"}}}));
    /// assert_eq!(nodes.patch("n1", &note).await?.metadata.annotations.get("drained").unwrap(), "yes");
    /// # Ok(())
    /// # }
    /// ```
    pub fn patch(&self, name: &str, patch: &Patch) -> ApiRequest<PartialObjectMetadata, PatchOptions> {
        let request = self.place.single(Request::patch(patch)).name(name).header(ACCEPT, ONE);
        self.ask(request, request::params, one)
    }

    /// Deletes an object. The response does not mean that it is gone: see [`DeleteResponse`].
    pub fn delete(&self, name: &str) -> ApiRequest<DeleteResponse<Unstructured>, DeleteOptions> {
        self.ask(self.place.one(Verb::Delete, name), options::delete::<Unstructured>, request::deleted)
    }

    /// Deletes every object that the options select.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_client::{MetadataClient, testing::Canned};
    /// # use client_rs_machinery::GroupVersionResource;
    /// # let server = Canned::new().on("DELETE /api/v1/namespaces/a/secrets", r#"{"kind": "SecretList", "apiVersion": "v1", "items": []}"#);
    /// # let client = MetadataClient::from_rest(server.client());
    /// let secrets = client.resource(GroupVersionResource::new("", "v1", "secrets")).namespace("a");
    /// secrets.delete_collection().field_selector("type=helm.sh/release.v1").await?;
    /// assert_eq!(server.calls().len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete_collection(
        &self,
    ) -> ApiRequest<DeleteResponse<Listed<Unstructured>>, DeleteCollectionOptions> {
        let request = self.place.single(Request::delete());
        self.ask(request, options::delete_collection::<Unstructured>, request::deleted_collection)
    }

    fn ask<T, O: Default>(
        &self,
        request: Request,
        encode: fn(Request, &O) -> Request,
        read: fn(RestClient, Request, DecodeOptions) -> Reply<T>,
    ) -> ApiRequest<T, O> {
        ApiRequest::new(self.rest.clone(), request, encode, read)
    }
}

pub(super) const ONE: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
                   application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
pub(super) const MANY: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
                    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

pub(super) fn one(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<PartialObjectMetadata> {
    Box::pin(async move { rest.send_read::<PartialObjectMetadata, _>(request, read, |_| None).await })
}

/// Reads a list of metadata. If the server returned whole objects, requests the list again and takes their metadata. The first
/// response is dropped, so that the usual case has no extra cost.
pub(super) fn many(
    rest: RestClient,
    request: Request,
    decode: DecodeOptions,
) -> Reply<Listed<PartialObjectMetadata>> {
    Box::pin(async move {
        let listed =
            request::list::<PartialObjectMetadata>(rest.clone(), request.clone(), decode.clone()).await;
        let call = match listed {
            Err(Error::Decode { call, error }) if is_of_another_kind(&error) => call,
            listed => return listed,
        };
        let request = request.header(ACCEPT, "application/json");
        let Listed { items, metadata } = request::list::<Unstructured>(rest, request, decode).await?;
        let items = items.into_iter().map(|mut whole| {
            let metadata = whole.object.remove("metadata").unwrap_or(Json::EMPTY_MAP);
            Ok(PartialObjectMetadata { metadata: ObjectMeta::from_json(&metadata.to_vec())? })
        });
        let items = items.collect::<Result<_, DecodeError>>();
        Ok(Listed { items: items.map_err(|error| Error::Decode { call, error })?, metadata })
    })
}

fn is_of_another_kind(error: &DecodeError) -> bool {
    matches!(error.kind(), DecodeErrorKind::WrongKind { .. })
}

/// Decodes metadata, or takes it from a whole object if the server returned one.
fn read(format: Format, bytes: &[u8]) -> Result<PartialObjectMetadata, DecodeError> {
    let decoded = PartialObjectMetadata::decode(format, bytes, &mut Decoding::new());
    match decoded {
        Err(error) if is_of_another_kind(&error) && format == Format::Json => {
            let mut whole = Unstructured::from_json(bytes)?;
            let metadata = whole.object.remove("metadata").unwrap_or_default();
            let metadata = ObjectMeta::from_json(&metadata.to_vec())?;
            let named = !metadata.name.is_empty() || !metadata.generate_name.is_empty();
            if metadata.uid.is_empty() || metadata.creation_timestamp.is_none() || !named {
                return Err(error);
            }
            Ok(PartialObjectMetadata { metadata })
        }
        decoded => decoded,
    }
}
