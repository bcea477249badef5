//! Types of the `k8s-openapi` crate as objects of ours, over JSON.
//!
//! For programs that already use its types: our informers, listers and clients accept them. The cost is memory: its
//! `Container` is 2,336 bytes inline, ours is about 200.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::{DecodeError, Decoding, Format, Payload};
use crate::{
    Cluster, Metadata, Namespaced, Object, OwnerRef, Pairs, Resource, ResourceInfo, Scope, Time, verbs,
};

/// A kind of `k8s-openapi` with metadata.
pub trait OpenApiKind: k8s_openapi::Metadata<Ty = ObjectMeta> + Send + Sync + 'static {}

impl<K: k8s_openapi::Metadata<Ty = ObjectMeta> + Send + Sync + 'static> OpenApiKind for K {}

/// A scope of `k8s-openapi`, and ours.
pub trait OpenApiScope {
    /// Ours.
    type Ours: Scope;
}

impl OpenApiScope for NamespaceResourceScope {
    type Ours = Namespaced;
}

impl OpenApiScope for ClusterResourceScope {
    type Ours = Cluster;
}

impl<K: OpenApiKind> Object for K {
    fn meta(&self) -> &dyn Metadata {
        self.metadata()
    }

    fn api_version(&self) -> &str {
        K::API_VERSION
    }

    fn kind(&self) -> &str {
        K::KIND
    }
}

impl<K: OpenApiKind> Resource for K
where
    K::Scope: OpenApiScope,
{
    type Scope = <K::Scope as OpenApiScope>::Ours;
    const INFO: &'static ResourceInfo = &ResourceInfo {
        group: K::GROUP,
        version: K::VERSION,
        kind: K::KIND,
        plural: K::URL_PATH_SEGMENT,
        // The crate has no singular names, so this stays empty; a RESTMapper gets them from the server.
        singular: "",
        namespaced: <Self::Scope as Scope>::NAMESPACED,
        short_names: &[],
        categories: &[],
        verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        subresources: &[],
    };
}

macro_rules! every_verb {
    ($($verb:ident),*) => {$(
        // The crate has no verbs in its types: a verb that the server does not serve fails at run time.
        impl<K: OpenApiKind> verbs::$verb for K where K::Scope: OpenApiScope {}
    )*};
}

every_verb!(Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);

impl<K: OpenApiKind + Serialize + DeserializeOwned> Payload for K {
    fn formats() -> &'static [Format] {
        &[Format::Json]
    }

    fn wire_kind() -> Option<&'static str> {
        Some(K::KIND)
    }

    fn decode(format: Format, bytes: &[u8], _: &mut Decoding) -> Result<Self, DecodeError> {
        if format != Format::Json {
            return Err(DecodeError::invalid("protobuf, which k8s-openapi has no types for").in_type(K::KIND));
        }
        serde_json::from_slice(bytes).map_err(|error| {
            // serde's own text quotes the value, which may be a secret.
            let what =
                format!("JSON that does not fit the type (line {}, column {})", error.line(), error.column());
            DecodeError::invalid(what).in_type(K::KIND)
        })
    }

    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::decode(format, bytes, cx)
    }

    fn encode(&self, _: Format) -> Vec<u8> {
        // Its types always serialize: maps have string keys, and no type has non-finite numbers.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl Metadata for ObjectMeta {
    fn name(&self) -> &str {
        text(self.name.as_ref())
    }

    fn generate_name(&self) -> &str {
        text(self.generate_name.as_ref())
    }

    fn namespace(&self) -> &str {
        text(self.namespace.as_ref())
    }

    fn uid(&self) -> &str {
        text(self.uid.as_ref())
    }

    fn resource_version(&self) -> &str {
        text(self.resource_version.as_ref())
    }

    fn generation(&self) -> i64 {
        self.generation.unwrap_or_default()
    }

    fn creation_timestamp(&self) -> Option<Time> {
        self.creation_timestamp.as_ref().and_then(time)
    }

    fn deletion_timestamp(&self) -> Option<Time> {
        self.deletion_timestamp.as_ref().and_then(time)
    }

    fn label(&self, key: &str) -> Option<&str> {
        self.labels.as_ref()?.get(key).map(String::as_str)
    }

    fn labels(&self) -> Pairs<'_> {
        Pairs::from_sorted(self.labels.iter().flatten().map(|(key, value)| (key.as_str(), value.as_str())))
    }

    fn annotation(&self, key: &str) -> Option<&str> {
        self.annotations.as_ref()?.get(key).map(String::as_str)
    }

    fn annotations(&self) -> Pairs<'_> {
        Pairs::from_sorted(
            self.annotations.iter().flatten().map(|(key, value)| (key.as_str(), value.as_str())),
        )
    }

    fn finalizers(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        Box::new(self.finalizers.iter().flatten().map(String::as_str))
    }

    fn owner_references(&self) -> Box<dyn Iterator<Item = OwnerRef<'_>> + '_> {
        Box::new(self.owner_references.iter().flatten().map(owner))
    }

    fn field_managers(&self) -> Box<dyn Iterator<Item = (&str, Option<Time>)> + '_> {
        let entries = self.managed_fields.iter().flatten();
        Box::new(entries.map(|entry| (text(entry.manager.as_ref()), entry.time.as_ref().and_then(time))))
    }
}

fn text(text: Option<&String>) -> &str {
    text.map_or("", String::as_str)
}

fn time(time: &k8s_openapi::apimachinery::pkg::apis::meta::v1::Time) -> Option<Time> {
    let nanos = u32::try_from(time.0.subsec_nanosecond()).ok()?;
    Time::new(time.0.as_second(), nanos)
}

fn owner(owner: &OwnerReference) -> OwnerRef<'_> {
    OwnerRef {
        api_version: &owner.api_version,
        kind: &owner.kind,
        name: &owner.name,
        uid: &owner.uid,
        controller: owner.controller == Some(true),
        block_owner_deletion: owner.block_owner_deletion == Some(true),
    }
}
