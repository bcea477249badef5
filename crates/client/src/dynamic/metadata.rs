//! Metadata of any resource, without the rest.

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

/// The metadata of any resource: names, labels, owners, versions, and nothing of what the objects hold. What goes over
/// the wire is a fraction of the objects, and protobuf where the server has it, for custom resources too.
///
/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct MetadataClient {
    rest: RestClient,
}

impl MetadataClient {
    /// To a config's server, as its user, with its limits.
    pub fn from_config(config: &Config) -> Result<Self, Error> {
        RestClient::from_config(config).map(Self::from_rest)
    }

    /// Over a client that exists.
    pub fn from_rest(rest: RestClient) -> Self {
        Self { rest }
    }

    /// The metadata of a resource, whatever it is.
    pub fn resource(&self, resource: GroupVersionResource) -> MetadataApi {
        MetadataApi { rest: self.rest.clone(), place: Place::of(resource) }
    }

    /// The metadata of a resource that a mapper knows: its scope is checked.
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

/// The metadata of one resource: of the cluster, of one namespace, or of all.
///
/// A server that does not know how to answer with metadata alone answers with whole objects, of which the metadata is taken:
/// a list is asked for a second time then. Its watches, and lists as they arrive, are errors.
#[derive(Clone, Debug)]
pub struct MetadataApi {
    rest: RestClient,
    place: Place,
}

impl MetadataApi {
    /// The same resource in this namespace.
    #[must_use]
    pub fn namespace(&self, namespace: impl Into<Str>) -> Self {
        Self { rest: self.rest.clone(), place: self.place.within(namespace.into()) }
    }

    /// The client under it.
    pub fn rest(&self) -> &RestClient {
        &self.rest
    }

    /// A request on the collection, which asks for metadata alone.
    pub fn request(&self, verb: Verb) -> Request {
        self.place.all(Request::new(verb)).header(ACCEPT, ONE)
    }

    /// The metadata of the object of this name.
    pub fn get(&self, name: &str) -> ApiRequest<PartialObjectMetadata, GetOptions> {
        self.ask(self.place.one(Verb::Get, name).header(ACCEPT, ONE), request::params, one)
    }

    /// The metadata of all objects.
    pub fn list(&self) -> ApiRequest<Listed<PartialObjectMetadata>, ListOptions> {
        self.ask(self.place.all(Request::get()).header(ACCEPT, MANY), options::list, many)
    }

    /// The metadata of all objects, as it arrives.
    pub fn list_stream(&self) -> ApiRequest<ListStream<PartialObjectMetadata>, ListOptions> {
        self.ask(self.place.all(Request::get()).header(ACCEPT, MANY), options::list, request::list_stream)
    }

    /// The changes, from a version on.
    pub fn watch(&self) -> ApiRequest<Watch<PartialObjectMetadata>, ListOptions> {
        self.ask(self.place.all(Request::get()).header(ACCEPT, ONE), options::watch, request::watch)
    }

    /// Changes an object in part, and answers with its metadata.
    pub fn patch(&self, name: &str, patch: &Patch) -> ApiRequest<PartialObjectMetadata, PatchOptions> {
        let request = self.place.single(Request::patch(patch)).name(name).header(ACCEPT, ONE);
        self.ask(request, request::params, one)
    }

    /// Deletes an object.
    pub fn delete(&self, name: &str) -> ApiRequest<DeleteResponse<Unstructured>, DeleteOptions> {
        self.ask(self.place.one(Verb::Delete, name), options::delete::<Unstructured>, request::deleted)
    }

    /// Deletes every object that the options select.
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

const ONE: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,\
                   application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const MANY: &str = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,\
                    application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

fn one(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<PartialObjectMetadata> {
    Box::pin(async move { rest.send_read::<PartialObjectMetadata, _>(request, read).await })
}

/// Metadata, or that of whole objects where there is no other list. What has been read of those by then is not kept, so that
/// the usual list costs nothing more.
fn many(rest: RestClient, request: Request, decode: DecodeOptions) -> Reply<Listed<PartialObjectMetadata>> {
    Box::pin(async move {
        let told =
            request::list::<PartialObjectMetadata>(rest.clone(), request.clone(), decode.clone()).await;
        let call = match told {
            Err(Error::Decode { call, error }) if is_of_another_kind(&error) => call,
            told => return told,
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

/// Metadata, or that of a whole object if that is what came.
fn read(format: Format, bytes: &[u8]) -> Result<PartialObjectMetadata, DecodeError> {
    let told = PartialObjectMetadata::decode(format, bytes, &mut Decoding::new());
    match told {
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
        told => told,
    }
}
