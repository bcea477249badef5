//! Types of the `k8s-openapi` crate as objects of ours, over JSON.
//!
//! For programs that already use its types: our informers, listers and clients accept them. The cost is memory: its
//! `Container` is 2,336 bytes inline, ours is about 200. [`kube_kind!`](crate::kube_kind) does the same for the kinds that a program
//! has derived with the crate kube.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::{DecodeError, Decoding, Format, Payload};
use crate::{
    Cluster, Metadata, Namespaced, Object, OwnerRef, Pairs, Resource, ResourceInfo, Scope, Str, Time, verbs,
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
        decode(K::KIND, format, bytes)
    }

    fn decode_item(format: Format, bytes: &[u8], cx: &mut Decoding) -> Result<Self, DecodeError> {
        Self::decode(format, bytes, cx)
    }

    fn encode(&self, _: Format) -> Vec<u8> {
        encode(self)
    }
}

/// Decodes a type of serde from JSON. The error contains no part of the values.
#[doc(hidden)]
pub fn decode<K: DeserializeOwned>(
    kind: &'static str,
    format: Format,
    bytes: &[u8],
) -> Result<K, DecodeError> {
    if format != Format::Json {
        return Err(DecodeError::invalid("protobuf, which the type can't be read from").in_type(kind));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        // serde's own text quotes the value, which may be a secret.
        let what =
            format!("JSON that does not fit the type (line {}, column {})", error.line(), error.column());
        DecodeError::invalid(what).in_type(kind)
    })
}

/// Encodes a type of serde as JSON. A type that can't be JSON, such as a map whose keys are not texts, is encoded as nothing, which a
/// server refuses.
#[doc(hidden)]
pub fn encode<K: Serialize>(object: &K) -> Vec<u8> {
    serde_json::to_vec(object).unwrap_or_default()
}

/// Makes a kind of `#[derive(kube::CustomResource)]` a kind of ours, for typed clients, informers, controllers and fakes.
///
/// A program that moves from kube-rs keeps its types, and both libraries can use them in the same program. New kinds have
/// `#[derive(CustomResource)]` of this library.
///
/// The arguments are those of the attribute `kube`, in this order. kube keeps them in functions, and a kind of ours has them in
/// constants, so they are written twice. `plural` is kube's default, the kind in lower case and in the plural, unless the attribute has
/// another. `namespaced` and `status` are words that are left out where the attribute has none; without `status`, methods such as
/// `update_status` do not compile. Names that differ from those of the definition are refused by the server in the first request.
///
/// The kind needs the feature `k8s-openapi`, and kube and this library the same version of the crate k8s-openapi: otherwise the macro
/// does not compile, because the metadata is another type. The macro does not need the crate kube. It accepts any struct with serde's
/// traits and a field `metadata` of k8s-openapi. Objects are JSON on the wire.
///
/// ```
/// use client_rs_machinery::{Object, Resource, kube_kind};
/// # use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
/// # use serde::{Deserialize, Serialize};
///
/// // #[derive(kube::CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
/// // #[kube(group = "example.com", version = "v1", kind = "Parcel", namespaced, status = "ParcelStatus")]
/// // struct ParcelSpec { to: String }
/// # #[derive(Deserialize, Serialize)]
/// # struct Parcel { metadata: ObjectMeta }
///
/// kube_kind!(Parcel, group = "example.com", version = "v1", kind = "Parcel", plural = "parcels", namespaced, status);
///
/// assert_eq!(Parcel::gvr().to_string(), "example.com/v1, Resource=parcels");
/// # let metadata = ObjectMeta { name: Some("first".to_owned()), ..ObjectMeta::default() };
/// # assert_eq!(Parcel { metadata }.name(), "first");
/// ```
#[macro_export]
macro_rules! kube_kind {
    ($type:ident, group = $group:literal, version = $version:literal, kind = $kind:literal, plural = $plural:literal
        $(, $word:ident)* $(,)?) => {
        $crate::kube_kind!(@words [$($word)*] $type, $group, $version, $kind, $plural);
    };
    (@words [namespaced status] $($names:tt)*) => {
        $crate::kube_kind!(@status $($names)*);
        $crate::kube_kind!(@kind Namespaced, [$crate::kube_kind!(@info $($names)*)], $($names)*);
    };
    (@words [namespaced] $($names:tt)*) => {
        $crate::kube_kind!(@kind Namespaced, [], $($names)*);
    };
    (@words [status] $($names:tt)*) => {
        $crate::kube_kind!(@status $($names)*);
        $crate::kube_kind!(@kind Cluster, [$crate::kube_kind!(@info $($names)*)], $($names)*);
    };
    (@words [] $($names:tt)*) => {
        $crate::kube_kind!(@kind Cluster, [], $($names)*);
    };
    (@words [$($word:ident)*] $($names:tt)*) => {
        ::core::compile_error!("after `plural`, kube_kind! takes `namespaced`, then `status`, or one of them, or none");
    };
    (@status $type:ident, $($names:tt)*) => {
        impl $crate::verbs::Status for $type {}
    };
    (@info $type:ident, $group:literal, $version:literal, $kind:literal, $plural:literal) => {
        $crate::SubresourceInfo {
            name: "status",
            group: $group,
            version: $version,
            kind: $kind,
            verbs: &["get", "patch", "update"],
        }
    };
    (@kind $scope:ident, [$($part:expr)?], $type:ident, $group:literal, $version:literal, $kind:literal, $plural:literal) => {
        impl $crate::Object for $type {
            fn meta(&self) -> &dyn $crate::Metadata {
                &self.metadata
            }

            fn api_version(&self) -> &str {
                ::core::concat!($group, "/", $version)
            }

            fn kind(&self) -> &str {
                $kind
            }
        }

        impl $crate::Resource for $type {
            type Scope = $crate::$scope;
            const INFO: &'static $crate::ResourceInfo = &$crate::ResourceInfo {
                group: $group,
                version: $version,
                kind: $kind,
                plural: $plural,
                // kube has it only in the definition; a RESTMapper gets it from the server.
                singular: "",
                namespaced: <$crate::$scope as $crate::Scope>::NAMESPACED,
                short_names: &[],
                categories: &[],
                verbs: &["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
                subresources: &[$($part)?],
            };
        }

        $crate::verbs!($type: Create, Delete, DeleteCollection, Get, List, Patch, Update, Watch);

        impl $crate::wire::Payload for $type {
            fn formats() -> &'static [$crate::wire::Format] {
                &[$crate::wire::Format::Json]
            }

            fn wire_kind() -> ::core::option::Option<&'static str> {
                ::core::option::Option::Some($kind)
            }

            fn decode(
                format: $crate::wire::Format,
                bytes: &[u8],
                _: &mut $crate::wire::Decoding,
            ) -> ::core::result::Result<Self, $crate::wire::DecodeError> {
                $crate::openapi_bridge::decode($kind, format, bytes)
            }

            fn decode_item(
                format: $crate::wire::Format,
                bytes: &[u8],
                _: &mut $crate::wire::Decoding,
            ) -> ::core::result::Result<Self, $crate::wire::DecodeError> {
                $crate::openapi_bridge::decode($kind, format, bytes)
            }

            fn encode(&self, _: $crate::wire::Format) -> ::std::vec::Vec<u8> {
                $crate::openapi_bridge::encode(self)
            }
        }
    };
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

    fn field_managers(&self) -> Box<dyn Iterator<Item = (Str, Option<Time>)> + '_> {
        let entries = self.managed_fields.iter().flatten();
        Box::new(
            entries.map(|entry| (text(entry.manager.as_ref()).into(), entry.time.as_ref().and_then(time))),
        )
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
